/* svs_for_each(): items without a graph; svs_start() and svs_stop(). */
#include "support.h"

#define CELLS 32u
#define ITEMS 20000u

typedef struct addition {
    uint64_t *to;
    svs_status answer;
} addition;
static void addition_touch(svs_footprint *f, const addition *a) { svs_writes(f, a->to); }
static svs_status addition_run(svs_context *x, addition *a) {
    ++*a->to;
    return a->answer;
}
SVS_TASK(addition, addition_run, addition_touch)

static uint64_t sum_of(const uint64_t *cells) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < CELLS; i++) sum += cells[i];
    return sum;
}

TEST_CASE(each_item_runs_once_and_none_beside_another_of_its_cell) {
    uint32_t items_left = (uint32_t)support_scaled(ITEMS);
    uint64_t cells[CELLS] = {0};
    addition *items = calloc(items_left, sizeof *items);
    svs_world *world;
    for (uint32_t i = 0; i < items_left; i++) items[i].to = &cells[i * 7 % CELLS];
    support_ok(svs_start(4, &world));
    assert_int_equal(svs_runtime_threads(svs_world_runtime(world)), 4);
    for (uint32_t round = 1; round <= 3; round++) {
        support_ok(svs_for_each(world, &addition_task, items, items_left));
        assert_int_equal(sum_of(cells), (uint64_t)round * items_left);
    }
    support_ok(svs_for_each(world, &addition_task, NULL, 0));
    support_ok(svs_stop(world));
    free(items);
}

SUPPORT_CASE(the_first_failure_is_returned_and_nothing_is_left, 2) {
    uint64_t cell = 0;
    addition items[3] = {{&cell, SVS_OK}, {&cell, 42}, {&cell, SVS_OK}};
    assert_int_equal(svs_for_each(s->world, &addition_task, items, 3), 42);
    items[1].answer = SVS_OK;
    cell = 0;
    assert_int_equal(svs_for_each(s->world, &addition_task, items, 3), SVS_OK);
    assert_int_equal(cell, 3);
}

SUPPORT_CASE(a_short_call_like_the_last_one_allocates_nothing, 1) {
    uint64_t cells[CELLS] = {0}, made;
    addition items[CELLS];
    for (uint32_t i = 0; i < CELLS; i++) items[i] = (addition){&cells[i], SVS_OK};
    for (int i = 0; i < 3; i++) support_ok(svs_for_each(s->world, &addition_task, items, CELLS));
    made = s->memory.calls;
    for (int i = 0; i < 10; i++) support_ok(svs_for_each(s->world, &addition_task, items, CELLS));
    if (!support_is_checked(s)) assert_int_equal(s->memory.calls, made); /* it makes a record */
    assert_int_equal(sum_of(cells), 13 * CELLS);
}

static svs_status subtraction_run(svs_context *x, addition *a) {
    --*a->to;
    return a->answer;
}
SVS_TASK(subtraction, addition, subtraction_run, addition_touch)

typedef struct wide {
    uint64_t *to;
    uint64_t parts[15];
} wide;
static svs_status wide_run(svs_context *x, wide *w) {
    for (int i = 0; i < 15; i++) *w->to += w->parts[i];
    return SVS_OK;
}
static void wide_touch(svs_footprint *f, const wide *w) { svs_writes(f, w->to); }
SVS_TASK(wide, wide_run, wide_touch)

/* Another type at the same address, as of a plug-in that was loaded in the place of another. */
SUPPORT_CASE(each_call_has_items_of_the_size_that_its_type_says, 2) {
    uint64_t cell = 0;
    addition items[CELLS];
    wide wides[CELLS];
    svs_task_type type = addition_task;
    type.loops = NULL;
    for (uint32_t i = 0; i < CELLS; i++) {
        items[i] = (addition){&cell, SVS_OK};
        wides[i].to = &cell;
        for (uint32_t k = 0; k < 15; k++) wides[i].parts[k] = k * i;
    }
    for (int i = 0; i < 2; i++) support_ok(svs_for_each(s->world, &type, items, CELLS));
    assert_int_equal(cell, 2 * CELLS);
    type = wide_task;
    type.loops = NULL;
    for (int i = 0; i < 2; i++) support_ok(svs_for_each(s->world, &type, wides, CELLS));
    assert_int_equal(cell, 2 * CELLS + 2 * 105 * (CELLS * (CELLS - 1) / 2));
}

SUPPORT_CASE(each_call_runs_the_task_type_that_it_was_handed, 2) {
    uint64_t cell = 5;
    addition item = {&cell, SVS_OK};
    svs_task_type type = addition_task;
    type.loops = NULL;
    support_ok(svs_for_each(s->world, &type, &item, 1));
    assert_int_equal(cell, 6);
    type.run = subtraction_task.run;
    support_ok(svs_for_each(s->world, &type, &item, 1));
    assert_int_equal(cell, 5);
    support_ok(svs_for_each(s->world, &subtraction_task, &item, 1));
    support_ok(svs_for_each(s->world, &type, &item, 1));
    support_ok(svs_for_each(s->world, &addition_task, &item, 1));
    assert_int_equal(cell, 4);
}

/* Many items of 8 KB: what waits for them is given back. */
typedef struct large {
    uint64_t *to;
    char rest[8184];
} large;
static void large_touch(svs_footprint *f, const large *a) { svs_writes(f, a->to); }
static svs_status large_run(svs_context *x, large *a) {
    ++*a->to;
    return SVS_OK;
}
SVS_TASK(large, large_run, large_touch)

SUPPORT_CASE(a_long_call_keeps_no_memory, 2) {
    uint64_t cell = 0, before;
    large *items = calloc(200, sizeof *items);
    for (int i = 0; i < 200; i++) items[i].to = &cell;
    support_ok(svs_for_each(s->world, &large_task, items, 1));
    before = s->memory.bytes;
    support_ok(svs_for_each(s->world, &large_task, items, 200));
    assert_true(s->memory.bytes <= before);
    assert_int_equal(cell, 201);
    free(items);
}

typedef struct nested {
    svs_world *world;
    uint64_t cell;
    svs_status answer;
} nested;
static svs_status nested_run(svs_context *x, nested **n) {
    addition item = {&(*n)->cell, SVS_OK};
    (*n)->answer = svs_for_each((*n)->world, &addition_task, &item, 1);
    return SVS_OK;
}
typedef nested *nested_item;
SVS_TASK_ALONE(nested_task_of, nested_item, nested_run)

SUPPORT_CASE(what_cannot_run_is_refused, 2) {
    nested n = {NULL, 0, SVS_OK};
    nested *item = &n;
    svs_task_type bodyless = addition_task;
    n.world = s->world;
    support_ok(svs_for_each(s->world, &nested_task_of_task, &item, 1));
    assert_int_equal(n.answer, SVS_E_NESTED);
    assert_int_equal(n.cell, 0);
    assert_int_equal(svs_for_each(NULL, &addition_task, NULL, 0), SVS_E_NULL);
    assert_int_equal(svs_for_each(s->world, NULL, NULL, 0), SVS_E_NULL);
    assert_int_equal(svs_for_each(s->world, &addition_task, NULL, 1), SVS_E_NULL);
    bodyless.run = NULL;
    assert_int_equal(svs_for_each(s->world, &bodyless, &n, 1), SVS_E_TYPE);
    assert_int_equal(svs_start(0, NULL), SVS_E_NULL);
    assert_int_equal(svs_start(SVS_THREADS_MAX + 1, &n.world), SVS_E_INVALID);
    assert_null(n.world);
    assert_int_equal(svs_stop(NULL), SVS_OK);
    assert_null(svs_world_runtime(NULL));
}

typedef struct caller {
    svs_world *world;
    uint64_t *cells;
    svs_status status;
} caller;

static void *call(void *argument) {
    caller *c = argument;
    addition items[CELLS];
    for (uint32_t i = 0; i < CELLS; i++) items[i] = (addition){&c->cells[i], SVS_OK};
    for (uint32_t i = 0; i < 20 && !c->status; i++)
        c->status = svs_for_each(c->world, &addition_task, items, CELLS);
    return NULL;
}

TEST_CASE(several_threads_may_call_it_at_once) {
    uint64_t cells[CELLS] = {0};
    pthread_t threads[3];
    caller callers[3];
    svs_world *world;
    support_ok(svs_start(2, &world));
    for (int i = 0; i < 3; i++) {
        callers[i] = (caller){world, cells, SVS_OK};
        assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(callers[i].status, SVS_OK);
    }
    assert_int_equal(sum_of(cells), 3 * 20 * CELLS);
    support_ok(svs_stop(world));
}

/* ---- with options ---- */

/* Hashes what came before it in its cell, so that the result says the order. */
typedef struct hash {
    uint32_t number;
} hash;
static void hash_touch(svs_footprint *f, const hash *h) {
    uint64_t *cells = svs_footprint_argument(f);
    svs_writes(f, &cells[h->number * 13 % CELLS]);
}
static svs_status hash_run(svs_context *context, hash *h) {
    uint64_t *cells = svs_context_argument(context);
    uint64_t *cell = &cells[h->number * 13 % CELLS];
    *cell = (*cell ^ h->number) * UINT64_C(0x9E3779B97F4A7C15);
    return SVS_OK;
}
SVS_TASK(hash, hash_run, hash_touch)

SUPPORT_CASE(a_call_in_order_gives_the_result_of_a_loop_on_its_argument, 3) {
    uint32_t count = (uint32_t)support_scaled(ITEMS);
    uint64_t looped[CELLS] = {0}, cells[2][CELLS] = {{0}};
    hash *items = calloc(count, sizeof *items);
    svs_for_each_options options;
    svs_for_each_options_init(&options);
    options.algorithm = SVS_ALGORITHM_IN_ORDER;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t *cell = &looped[i * 13 % CELLS];
        *cell = (*cell ^ i) * UINT64_C(0x9E3779B97F4A7C15);
        items[i].number = i;
    }
    for (int i = 0; i < 2; i++) {
        support_ok(svs_for_each_with(s->world, &hash_task, items, count, &options, cells[i]));
        assert_memory_equal(cells[i], looped, sizeof looped);
    }
    free(items);
}

SUPPORT_CASE(a_call_without_options_is_svs_for_each_with_an_argument, 2) {
    uint64_t cells[CELLS] = {0};
    const hash one = {5};
    support_ok(svs_for_each_with(s->world, &hash_task, &one, 1, NULL, cells));
    assert_int_equal(cells[5 * 13 % CELLS], 5 * UINT64_C(0x9E3779B97F4A7C15));
}

SUPPORT_CASE(the_name_of_a_call_is_in_its_messages_and_keeps_its_memory, 1) {
    uint64_t cell = 0, made = 0;
    addition fails = {&cell, SVS_E_INVALID}, adds = {&cell, SVS_OK};
    svs_for_each_options options;
    svs_for_each_options_init(&options);
    options.name = "deposits";
    assert_int_equal(svs_for_each_with(s->world, &addition_task, &fails, 1, &options, NULL),
                     SVS_E_INVALID);
    assert_non_null(strstr(s->log.last, "deposits"));
    for (int i = 0; i < 10; i++) {
        if (i == 3) made = s->memory.calls;
        support_ok(svs_for_each_with(s->world, &addition_task, &adds, 1, &options, NULL));
    }
    if (!support_is_checked(s)) assert_int_equal(s->memory.calls, made); /* it makes a record */
    assert_int_equal(svs_for_each(s->world, &addition_task, &fails, 1), SVS_E_INVALID);
    assert_null(strstr(s->log.last, "deposits"));
}

int main(void) { return run_cases(NULL, NULL); }
