/* Garbage collection of the tree: dead nodes are reused while a run goes on. Nodes that cells name
 * are not, or a completed subtree collapses into its root. */
#include "../worksteal/running.h"
#include "dpst/calls.h"
#include "dpst/task/task.h"
#include "dpst/tree/checker.h"
#include <string.h>

#define EACH_POLICY(policy_)                                                                       \
    for (uint32_t policy_ = SVS_POLICY_HELP_FIRST; policy_ <= SVS_POLICY_WORK_FIRST; policy_++)

#define CELLS 1000u
#define ITEMS 16u

/* Where the race on one of the cells is that was found last. */
typedef struct way {
    svs__path_item items[ITEMS];
    size_t count;
    const void *pc;
} way;

static _Alignas(512) uint64_t cells[CELLS];
static _Alignas(512) uint64_t sum;
static _Atomic(uint32_t) raced[CELLS], elsewhere;
static way last;
static svs_runtime *runtime;

static void found(const svs_check_race *race, void *argument) {
    uintptr_t at = ((uintptr_t)race->address - (uintptr_t)cells) / sizeof *cells;
    if (at >= CELLS) {
        (void)svs__fetch_add_relaxed(&elsewhere, 1);
        return;
    }
    (void)svs__fetch_add_relaxed(&raced[at], 1);
    last.count = svs__check_path(race->before.step, last.items, ITEMS);
    last.pc = race->before.pc;
}

/* Runs `root` in a check. @param nodes between two sweeps. */
static svs_check_summary check_on(uint32_t policy, uint32_t threads, uint32_t nodes,
                                  svs_async_function *root, void *argument) {
    svs_check_options options;
    svs_check_summary summary;
    runtime = started_as(policy, threads, 20);
    svs_check_options_init(&options);
    options.compare = true;
    options.found = found;
    options.max_bytes = (size_t)64 << 20;
    options.sweep_nodes = nodes;
    for (uint32_t i = 0; i < CELLS; i++) svs__store_relaxed(&raced[i], 0);
    svs__store_relaxed(&elsewhere, 0);
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, root, argument), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(summary.lost + summary.merged, 0);
    assert_int_equal(svs__load_relaxed(&elsewhere), 0);
    return summary;
}

/* ---- a run that is long ---- */

static void spawn_fib(svs_async_context *async, void *argument);

static void fib_halves(svs_async_context *async, void *argument) {
    uint32_t less[] = {*(uint32_t *)argument - 1, *(uint32_t *)argument - 2};
    svs_async(async, spawn_fib, &less[0], sizeof less[0]);
    svs_check_read(&sum, sizeof sum);
    spawn_fib(async, &less[1]);
}

/* Asyncs and finishes as the numbers of Fibonacci, with reads of one cell. */
static void spawn_fib(svs_async_context *async, void *argument) {
    if (*(uint32_t *)argument < 2) return;
    svs_finish(async, fib_halves, argument);
    svs_check_read(&sum, sizeof sum);
}

static void fib_in_a_finish(svs_async_context *async, void *argument) {
    svs_finish(async, spawn_fib, argument);
}

TEST_CASE(a_long_run_has_memory_for_what_goes_on_in_it) {
    uint32_t n = 20;
    EACH_POLICY(policy) {
        svs_check_summary s = check_on(policy, 1, 1000, fib_in_a_finish, &n);
        assert_true(s.nodes > 40000 && s.sweeps > 20);
        assert_in_range(s.most_nodes, 1000, 3000);
        s = check_on(policy, 1, UINT32_MAX, fib_in_a_finish, &n); /* a quarter of the tree's room */
        assert_true(s.nodes > 40000 && s.sweeps == 0);
        assert_true(s.most_nodes > 40000);
    }
}

/* ---- what cells name ---- */

static void write_first(svs_async_context *async, void *argument) {
    svs_check_write(&cells[0], sizeof cells[0]);
}

static void write_last(svs_async_context *async, void *argument) {
    uint32_t n = 15;
    fib_in_a_finish(async, &n);
    write_first(async, argument);
}

static void write_deep(svs_async_context *async, void *argument) {
    svs_async(async, write_first, argument, 0);
}

static void write_in_a_finish(svs_async_context *async, void *argument) {
    svs_check_read(&sum, sizeof sum);
    svs_finish(async, write_deep, argument);
}

/* Two asyncs in a finish; one worker comes to the first one first, whatever the policy. */
static void spawn_both(svs_async_context *async, void *argument) {
    svs_async_function **both = argument;
    bool helps = runtime->options.policy == SVS_POLICY_HELP_FIRST;
    svs_async(async, both[helps], NULL, 0);
    svs_async(async, both[!helps], NULL, 0);
}

static void race_late(svs_async_context *async, void *argument) {
    svs_async_function *both[] = {write_in_a_finish, write_last};
    svs_finish(async, spawn_both, both);
}

static const void *site_of(svs_async_function *function) {
    union {
        svs_async_function *function;
        const void *site;
    } of = {function};
    return of.site;
}

TEST_CASE(a_step_that_a_cell_names_is_found_again) {
    EACH_POLICY(policy) {
        uint32_t nodes[] = {UINT32_MAX, 500}; /* sweeps between the two accesses: none, some */
        for (int i = 0; i < 2; i++) {
            svs_check_summary s = check_on(policy, 1, nodes[i], race_late, NULL);
            assert_int_equal(s.sweeps != 0, i == 1);
            assert_int_equal(svs__load_relaxed(&raced[0]), 1);
            assert_non_null(last.pc);
            assert_int_equal(last.count, 6); /* run, finish, async, finish, async, step */
            assert_ptr_equal(last.items[2].site, site_of(write_in_a_finish));
            assert_int_equal(last.items[3].kind, SVS__PATH_FINISH);
            assert_ptr_equal(last.items[4].site, site_of(write_first));
            assert_int_equal(last.items[5].kind, SVS__PATH_STEP);
        }
    }
}

/* ---- completed subtrees ---- */

static void write_one(svs_async_context *async, void *argument) {
    svs_check_write(*(uint64_t **)argument, sizeof(uint64_t));
}

static void spawn_writes(svs_async_context *async, void *argument) {
    for (uint64_t *cell = cells; cell != cells + CELLS; cell++)
        svs_async(async, write_one, &cell, sizeof cell);
}

static void write_all(svs_async_context *async, void *argument) {
    svs_finish(async, spawn_writes, argument);
}

static void write_all_last(svs_async_context *async, void *argument) {
    uint32_t n = 18;
    fib_in_a_finish(async, &n);
    for (uint64_t *cell = cells; cell != cells + CELLS; cell++) write_one(async, &cell);
}

static void race_with_a_completed_task(svs_async_context *async, void *argument) {
    svs_async_function *both[] = {write_all, write_all_last};
    svs_finish(async, spawn_both, both);
}

TEST_CASE(a_completed_subtree_collapses_into_its_root) {
    EACH_POLICY(policy) {
        svs_check_summary s = check_on(policy, 1, 100, race_with_a_completed_task, NULL);
        for (uint32_t i = 0; i < CELLS; i++) assert_int_equal(svs__load_relaxed(&raced[i]), 1);
        assert_non_null(last.pc);
        assert_int_equal(last.count, 3); /* run, finish, the completed async */
        assert_ptr_equal(last.items[2].site, site_of(write_all));
        assert_true(s.nodes > 4 * s.most_nodes);
    }
}

/* ---- workers in the midst of a step ---- */

typedef struct hold {
    int part; /* of a sweep, in which the step begins that lasts */
    _Atomic(uint32_t) begun, may_hold, holds, may_go_on, goes_on;
    int stays; /* the part when many nodes have been made beside that step; */
    uint64_t sweeps, most_nodes;
} hold;

static int part_now(void) {
    int part;
    svs__lock_acquire(&svs__the_checker.sweep.busy);
    part = svs__the_checker.sweep.part;
    svs__lock_release(&svs__the_checker.sweep.busy);
    return part;
}

static void next_step(void) { svs__check_next_step(svs__check_self); }

static void hold_on(svs_async_context *async, void *argument) {
    hold *h = *(hold **)argument;
    svs__store_release(&h->begun, 1);
    while (!svs__load_acquire(&h->may_hold)) {
        next_step();
        svs__yield();
    }
    next_step();
    svs_check_read(&sum, sizeof sum);
    svs__store_release(&h->holds, 1);
    while (!svs__load_acquire(&h->may_go_on)) svs__yield();
    next_step();
    svs__store_release(&h->goes_on, 1);
}

static void do_nothing(svs_async_context *async, void *argument) { (void)async, (void)argument; }

static void go_on_beside(svs_async_context *async, void *argument) {
    uint32_t little = 3, much = 18;
    hold *h = argument;
    svs_check_summary s;
    svs_async(async, hold_on, &h, sizeof h);
    while (!svs__load_acquire(&h->begun)) { /* until the other worker has it */
        svs_async(async, do_nothing, NULL, 0);
        for (int i = 0; i < 100; i++) svs__yield();
    }
    while (part_now() != h->part) fib_in_a_finish(async, &little);
    svs__store_release(&h->may_hold, 1);
    while (!svs__load_acquire(&h->holds)) svs__yield();
    fib_in_a_finish(async, &much);
    assert_int_equal(svs_check_summary_get(runtime, &s), SVS_OK);
    h->stays = part_now();
    h->sweeps = s.sweeps;
    h->most_nodes = s.most_nodes;
    svs__store_release(&h->may_go_on, 1);
    while (!svs__load_acquire(&h->goes_on)) svs__yield();
    fib_in_a_finish(async, &much);
}

TEST_CASE(a_step_that_lasts_holds_numbers_back) {
    hold h = {.part = SVS__SWEEP_RESTS};
    svs_check_summary s;
    s = check_on(SVS_POLICY_HELP_FIRST, 2, 5000, go_on_beside, &h);
    assert_int_equal(h.stays, SVS__SWEEP_BEGINS); /* it may know names from before */
    assert_int_equal(h.sweeps, 0);
    assert_true(h.most_nodes > 12000);
    assert_true(s.sweeps != 0);
    h = (hold){.part = SVS__SWEEP_BEGINS};
    s = check_on(SVS_POLICY_HELP_FIRST, 2, 5000, go_on_beside, &h);
    assert_int_equal(h.stays, SVS__SWEEP_ENDS); /* it may know names that are dead since */
    assert_int_equal(h.sweeps, 1);
    assert_true(h.most_nodes > 12000);
    assert_true(s.sweeps > 1);
}

int main(void) { return run_cases(NULL, NULL); }
