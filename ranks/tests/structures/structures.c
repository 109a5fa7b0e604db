/* Structures of the program: arrays over all ranks that are made, used and freed, in runs and
 * between them, under names that are used again. Each rank adds to cells of all ranks, as
 * mutations, and asks for cells, by requests that are replied to, in place or by fibers; while an
 * array is frozen, the sum of all cells is that of all that was added. */
#include "base/random.h"
#include "ranks/program.h"
#include <stdio.h>

enum { CELLS = 4, THREADS = 2, ARRAYS = 3, ADDS = 9 };

enum { ADD, ASK, ANSWER, HANDLERS };

typedef struct addition {
    uint32_t cell, array; /* the latter is checked: no record reaches another array */
    int64_t amount;
} addition;

typedef struct question {
    uint64_t *answer; /* of the asking rank */
    svs_counter *done;
    uint32_t cell, array;
} question;

typedef struct array {
    svs_structure *made;
    uint32_t number;
    int64_t cells[CELLS], added; /* by this rank */
    bool frozen;
} array;

typedef struct own {
    uint64_t seed;
    int wrong;
    svs__random random;
    array *kept; /* of the run before, or of outside */
    uint32_t number, released, made, round;
} own;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

/* ---- handlers ---- */

static void take_additions(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    array *here = part;
    const addition *all = records;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(own_of(ranks), all[i].array == here->number); /* ranks.D3 */
        CHECK(own_of(ranks), !here->frozen);                /* ranks.Z1 */
        here->cells[all[i].cell] += all[i].amount;
    }
    svs_mutation_end(svs_structure_snapshot(here->made), count, SVS_NO_EPOCH);
}

static svs_status run_addition(svs_ranks *ranks, void *state) {
    array *here = svs_structure_part(ranks);
    take_additions(ranks, here, state, 1);
    return SVS_OK;
}

static svs_status answer(svs_ranks *ranks, array *here, const question *asked) {
    question reply = *asked;
    CHECK(own_of(ranks), asked->array == here->number); /* ranks.D3 */
    reply.cell = (uint32_t)here->cells[asked->cell];
    return svs_reply(ranks, svs_structure_handler(here->made, ANSWER), &reply, sizeof reply);
}

static void take_questions(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    const question *all = records;
    for (uint32_t i = 0; i < count; i++)
        CHECK(own_of(ranks), answer(ranks, part, &all[i]) == SVS_OK);
    CHECK(own_of(ranks), answer(ranks, part, all) == SVS_E_STATE); /* ranks.D4 */
}

static svs_status reply_later(svs_ranks *ranks, void *state) {
    array *here = svs_structure_part(ranks);
    svs_status status = answer(ranks, here, state);
    CHECK(own_of(ranks), answer(ranks, here, state) == SVS_E_STATE); /* ranks.D4 */
    return status;
}

/* As a fiber: its part and its request are also those of its continuation. */
static svs_status run_question(svs_ranks *ranks, void *state) {
    svs_fiber rest;
    if (((question *)state)->cell % 2 == 0) return reply_later(ranks, state);
    if (svs_fiber_continue(ranks, reply_later, &rest)) return 1;
    return svs_fiber_enable(ranks, rest);
}

static void take_answers(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    const question *all = records;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(own_of(ranks), all[i].array == ((array *)part)->number); /* ranks.D3 */
        *all[i].answer = all[i].cell;
        svs_counter_add(ranks, all[i].done, 1);
    }
}

/* ---- make and free ---- */

static void release(svs_ranks *ranks, void *part) {
    array *here = part;
    own_of(ranks)->released++;
    CHECK(own_of(ranks), !here->frozen);
    free(here);
}

/* Names are few, and used again. */
static svs_status make(svs_ranks *ranks, uint32_t slot, uint32_t number, array **made,
                       svs_counter *done) {
    own *mine = own_of(ranks);
    svs_dispatch by = (svs_dispatch)((mine->seed + number) % 3);
    const svs_handler handlers[HANDLERS] = {
        {"add", by, sizeof(addition), run_addition, take_additions},
        {"ask", by, sizeof(question), run_question, take_questions},
        {"answer", SVS_DISPATCH_IN_PLACE, sizeof(question), NULL, take_answers}};
    char name[16];
    svs_structure_options options;
    array *part = calloc(1, sizeof *part);
    svs_status status;
    if (part == NULL) return SVS_E_NO_MEMORY;
    (void)snprintf(name, sizeof name, "array %u", slot);
    part->number = number;
    svs_structure_options_init(&options);
    options.name = name;
    options.part = part;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = HANDLERS;
    status = svs_structure_new(ranks, &options, &part->made, done);
    if (status != SVS_OK && status != SVS_WAIT) free(part);
    else mine->made++;
    *made = part;
    return status;
}

/* ---- a thread: arrays one after the other ---- */

static svs_status enable_it(svs_ranks *ranks, void *state) {
    svs_counter_add(ranks, *(svs_counter **)state, 1);
    return SVS_OK;
}

/* Waits by a fiber that `ready` enables. */
#define AWAIT_READY(ranks, counter, ready)                                                         \
    do {                                                                                           \
        svs_counter *at_ = (counter);                                                              \
        int64_t before_ = at_->value;                                                              \
        svs_fiber fiber;                                                                           \
        if (svs_fiber_new(ranks, enable_it, &at_, sizeof at_, NULL, &fiber)) return 1;             \
        if (ready) return 1;                                                                       \
        if ((status = svs_await(ranks, at_, before_ + 1)) != SVS_OK) return status;                \
    } while (0)

static svs_status add_some(svs_ranks *ranks, array *one, svs_counter *waits) {
    own *mine = own_of(ranks);
    svs_snapshot *snapshot = svs_structure_snapshot(one->made);
    for (uint32_t i = 0; i < ADDS;) {
        uint32_t to = svs__random_below(&mine->random, svs_ranks_count(ranks));
        addition next = {svs__random_below(&mine->random, CELLS), one->number,
                         svs__random_below(&mine->random, 100)};
        svs_status status = svs_mutation_begin(snapshot, 1, NULL);
        if (status == SVS_WAIT) {
            AWAIT_READY(ranks, waits, svs_mutation_ready(snapshot, fiber));
            continue;
        }
        status = svs_post(ranks, to, svs_structure_handler(one->made, ADD), &next, sizeof next);
        if (status == SVS_OK) {
            one->added += next.amount;
            i++;
            continue;
        }
        svs_mutation_end(snapshot, 1, SVS_NO_EPOCH); /* it has not happened */
        if (status != SVS_WAIT) return status;
        AWAIT_READY(ranks, waits, svs_post_ready(ranks, to, fiber));
    }
    return SVS_OK;
}

/* Asks each rank once, and waits for all answers. */
static svs_status ask_all(svs_ranks *ranks, array *one, svs_counter *waits) {
    uint64_t answers[8] = {0};
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    for (uint32_t to = 0; to < svs_ranks_count(ranks);) {
        question next = {&answers[to], &done, to % CELLS, one->number};
        status = svs_post(ranks, to, svs_structure_handler(one->made, ASK), &next, sizeof next);
        if (status == SVS_OK) to++;
        else if (status != SVS_WAIT) return status;
        else AWAIT_READY(ranks, waits, svs_post_ready(ranks, to, fiber));
    }
    return svs_await(ranks, &done, svs_ranks_count(ranks));
}

static void sum_up(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((int64_t *)into)[i] += ((const int64_t *)from)[i];
}

#define AWAIT_CALL(call)                                                                           \
    do {                                                                                           \
        status = (call);                                                                           \
        if (status == SVS_WAIT) status = svs_await(ranks, &done, done.value + 1);                  \
        if (status != SVS_OK) return status;                                                       \
    } while (0)

/* All that was added is there, and nothing else. */
static svs_status look(svs_ranks *ranks, array *one) {
    own *mine = own_of(ranks);
    int64_t counts[2] = {0, one->added}, sums[2];
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    AWAIT_CALL(svs_snapshot_freeze(svs_structure_snapshot(one->made), &done));
    one->frozen = true;
    CHECK(mine, svs_structure_free(one->made, &done) == SVS_E_BUSY);
    for (int i = 0; i < CELLS; i++) counts[0] += one->cells[i];
    AWAIT_CALL(
        svs_reduce(svs_structure_object(one->made), sum_up, counts, sums, sizeof *sums, 2, &done));
    CHECK(mine, sums[0] == sums[1]); /* ranks.Z2 */
    one->frozen = false;
    AWAIT_CALL(svs_snapshot_unfreeze(svs_structure_snapshot(one->made), &done));
    return SVS_OK;
}

static svs_status use(svs_ranks *ranks, array *one, svs_counter *waits) {
    svs_status status = add_some(ranks, one, waits);
    if (status == SVS_OK) status = ask_all(ranks, one, waits);
    return status == SVS_OK ? look(ranks, one) : status;
}

/* Nobody adds or asks any more when all have looked: then the array may be freed. */
static svs_status free_array(svs_ranks *ranks, array *one) {
    svs_structure *made = one->made;
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    AWAIT_CALL(svs_barrier(svs_structure_object(made), &done));
    status = svs_structure_free(made, &done);
    if (status == SVS_WAIT) CHECK(own_of(ranks), svs_structure_free(made, &done) == SVS_E_STATE);
    AWAIT_CALL(status);
    CHECK(own_of(ranks), svs_structure_free(made, &done) == SVS_E_STATE);
    return SVS_OK;
}

static svs_status live(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    uint32_t thread = *(uint32_t *)state, arrays = 1 + (uint32_t)(mine->seed + thread) % ARRAYS;
    svs_counter done, waits;
    svs_status status = SVS_OK;
    svs_counter_init(&done, 0);
    svs_counter_init(&waits, 0);
    if (thread == 0 && mine->kept != NULL) {
        array *kept = mine->kept;
        mine->kept = NULL;
        status = use(ranks, kept, &waits);
        if (status == SVS_OK) status = free_array(ranks, kept);
    }
    for (uint32_t i = 0; i < arrays && status == SVS_OK; i++) {
        array *one;
        AWAIT_CALL(make(ranks, thread, 1000 * mine->round + 100 * thread + i, &one, &done));
        status = use(ranks, one, &waits);
        if (status != SVS_OK) return status;
        if (thread == 0 && i + 1 == arrays) mine->kept = one;
        else status = free_array(ranks, one);
    }
    return status;
}

/* Ranks begin their threads in different orders. */
static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs__random_seed(&mine->random, mine->seed * 31 + svs_ranks_index(ranks));
    mine->round++;
    for (uint32_t i = 0; i < THREADS; i++) {
        uint32_t thread = (i + svs_ranks_index(ranks)) % THREADS;
        if (svs_thread_spawn(ranks, live, &thread, sizeof thread, NULL)) return 1;
    }
    CHECK(mine, svs_ranks_step(ranks, 0) == SVS_E_NESTED); /* ranks.R1 */
    return SVS_OK;
}

/* Outside of runs: one that the next run uses, and one that nobody does. */
static svs_status between(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_counter done;
    array *one;
    svs_status status = SVS_OK;
    svs_counter_init(&done, 0);
    if (mine->kept != NULL) {
        status = svs_structure_free(mine->kept->made, NULL);
        mine->kept = NULL;
    }
    if (status == SVS_OK) status = make(ranks, 7, 7, &one, &done);
    CHECK(mine, status || done.value == 1);
    if (status == SVS_OK && mine->seed % 2 == 0) status = make(ranks, 8, 8, &mine->kept, NULL);
    return status == SVS_OK ? svs_structure_free(one->made, NULL) : status;
}

static svs_status prepare(svs_ranks *ranks) { return between(ranks); }

static const char *check(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const own *mine = program_data(run, i);
        const char *wrong = program_wrong_line(mine->wrong, i);
        if (wrong) return wrong;
        if (mine->released != mine->made) return "a part was not released";
    }
    return NULL;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 150;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
    options->threads = 4;
}

#define ARRAYS_ON(n)                                                                               \
    PROGRAM(arrays_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,         \
            .prepare = prepare, .between = between, .rounds = 3, .start = start, .check = check)
ARRAYS_ON(1);
ARRAYS_ON(2);
ARRAYS_ON(3);
ARRAYS_ON(5);
PROGRAM(arrays_stepped, .ranks = 3, .bytes = sizeof(own), .seeded = true, .options = vary,
        .prepare = prepare, .between = between, .rounds = 3, .stepped = true, .start = start,
        .check = check);

TEST_CASE(structures_are_made_used_and_freed_in_and_between_runs) {
    program_sim(&arrays_1, 2000);
    program_sim(&arrays_2, 8000);
    program_sim(&arrays_3, 6000);
    program_sim(&arrays_5, 1000);
    program_local(&arrays_3, 20);
}

TEST_CASE(runs_in_steps_come_to_the_same) {
    program_sim(&arrays_stepped, 500);
    program_local(&arrays_stepped, 20);
    program_kill(&arrays_stepped, 1511);
}

TEST_CASE(survivors_agree_and_memory_is_released) {
    program_kill(&arrays_2, 211);
    program_exhaust(&arrays_2, 5);
}

/* ---- records for freed structures ---- */

static void go_on(svs_ranks *ranks, void *part, const uint64_t *words, uint32_t count) {
    svs_counter_add(ranks, (svs_counter *)part, (int64_t)(count + 0 * words[0]));
}
SVS_HANDLER_IN_PLACE(go, uint64_t, go_on)
static const svs_handler *const go_handlers[] = {&go};

/* The data of a rank of the programs below. */
typedef struct late {
    svs_counter told; /* first: the data of the rank is what `go` is passed */
    uint64_t seed;
    int wrong;
    array *first;
    uint32_t taken; /* by the second structure */
} late;

static void take_none(svs_ranks *ranks, void *part, const void *records, uint32_t count) {
    (void)ranks, (void)records;
    ((late *)part)->taken += count;
}

static svs_status make_late(svs_ranks *ranks, const char *name, svs_structure **made,
                            svs_counter *done) {
    static const svs_handler handlers[] = {
        {"late", SVS_DISPATCH_IN_PLACE, sizeof(uint64_t), NULL, take_none}};
    svs_structure_options options;
    svs_structure_options_init(&options);
    options.name = name;
    options.part = svs_ranks_data(ranks);
    options.handlers = handlers;
    options.handler_count = 1;
    return svs_structure_new(ranks, &options, made, done);
}

/* Rank 2 frees, and then tells rank 1, which posts to it before it frees, too. The record is
 * gathered, and overtaken by the making of the next structure. */
static svs_status free_too_early(svs_ranks *ranks, void *state) {
    late *mine = svs_ranks_data(ranks);
    uint32_t index = svs_ranks_index(ranks);
    uint64_t word = 1;
    svs_structure *first, *second;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    AWAIT_CALL(make_late(ranks, "first", &first, &done));
    if (index == 1) {
        status = svs_await(ranks, &mine->told, 1);
        if (status == SVS_OK)
            status = svs_post(ranks, 2, svs_structure_handler(first, 0), &word, sizeof word);
        if (status != SVS_OK) return status;
    }
    status = svs_structure_free(first, &done);
    if (index == 2 && go_post(ranks, 1, &word)) return 1;
    AWAIT_CALL(status);
    AWAIT_CALL(make_late(ranks, "second", &second, &done));
    return svs_await(ranks, &mine->told, 1 + (index != 1)); /* until the record has come */
}

static svs_status start_early(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, free_too_early, state, 0, NULL);
}

static const char *check_late(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++)
        if (((late *)program_data(run, i))->taken != 0) return "another structure took a record";
    return NULL;
}

PROGRAM(freed_too_early, .ranks = 3, .bytes = sizeof(late), PROGRAM_HANDLERS(go_handlers),
        .start = start_early, .status = SVS_E_RECORD, .text = "its structure was freed",
        .check = check_late);

TEST_CASE(a_record_for_a_freed_structure_ends_the_run) { program_sim(&freed_too_early, 3000); }

/* ---- ranks that do not do the same ---- */

static svs_status free_on_some(svs_ranks *ranks, void *state) {
    svs_structure *made;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    AWAIT_CALL(make_late(ranks, "first", &made, &done));
    if (svs_ranks_index(ranks) == 1) return SVS_OK;
    AWAIT_CALL(svs_structure_free(made, &done));
    return SVS_OK;
}

static svs_status start_some(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, free_on_some, state, 0, NULL);
}

static void no_file(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank, (void)seed;
    options->deadlock_file = NULL;
}

PROGRAM(freed_on_some, .ranks = 3, .bytes = sizeof(late), .options = no_file, .start = start_some,
        .status = SVS_E_DEADLOCK, .text = "fibers wait for what nothing will do");

static svs_status make_others(svs_ranks *ranks, void *state) {
    svs_handler handlers[] = {
        {"same", SVS_DISPATCH_IN_PLACE, sizeof(uint64_t), NULL, take_none},
        {"other", SVS_DISPATCH_IN_PLACE, 8 + 8 * svs_ranks_index(ranks), NULL, take_none}};
    svs_structure_options options;
    svs_structure *made;
    svs_counter done;
    svs_status status;
    (void)state;
    svs_counter_init(&done, 0);
    svs_structure_options_init(&options);
    options.name = "first";
    options.part = svs_ranks_data(ranks);
    options.handlers = handlers;
    options.handler_count = 2;
    AWAIT_CALL(svs_structure_new(ranks, &options, &made, &done));
    return SVS_OK;
}

static svs_status start_others(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, make_others, state, 0, NULL);
}

PROGRAM(others, .ranks = 3, .bytes = sizeof(late), .start = start_others, .status = SVS_E_DIFFERS,
        .text = "handler 1 of structure first, which is other here, is not the same");

TEST_CASE(ranks_that_do_not_do_the_same_end_the_run) {
    program_sim(&freed_on_some, 300);
    program_sim(&others, 300);
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
