/* The end of a run on all ranks: quiescence, deadlocks, failures, deaths, refused memory; and the
 * agreement on options and handlers before it. */
#include "ranks/collective/topology.h"
#include "ranks/exhaustive.h"
#include "ranks/post_again.h"
#include "ranks/program.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct own {
    uint32_t hops; /* that were run on this rank */
    svs_counter counter;
    uint64_t keys[64], keys_count;
} own;

/* ---- a token that is passed on: created = run for short times only (ranks.Q1) ---- */

enum { HOPS = 2 };

typedef struct token {
    uint32_t left, filling;
} token;

static svs_status pass(svs_ranks *ranks, void *state);
SVS_HANDLER(pass_fiber, token, pass, SVS_DISPATCH_FIFO)

static svs_status pass(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    token next = *(token *)state;
    mine->hops++;
    if (next.left-- == 0) return SVS_OK;
    return pass_fiber_post(ranks, (svs_ranks_index(ranks) + 1) % svs_ranks_count(ranks), &next);
}

static svs_status start_token(svs_ranks *ranks, void *state) {
    token first = {HOPS, 0};
    if (svs_ranks_index(ranks) != svs_ranks_count(ranks) - 1) return SVS_OK;
    return pass_fiber_post(ranks, 0, &first);
}

static const char *check_token(program_run *run) {
    uint32_t hops = 0, rounds = run->program->rounds == 0 ? 1 : run->program->rounds;
    for (uint32_t i = 0; i < run->program->ranks; i++) hops += ((own *)program_data(run, i))->hops;
    return hops == rounds * (HOPS + 1) ? NULL : "the run has ended before the token";
}

static const svs_handler *const token_handlers[] = {&pass_fiber};

#define TOKEN(name_, ranks_, ...)                                                                  \
    PROGRAM(name_, .ranks = ranks_, .bytes = sizeof(own), PROGRAM_HANDLERS(token_handlers),        \
            .start = start_token, .check = check_token, __VA_ARGS__)
TOKEN(token_1, 1, .rounds = 1);
TOKEN(token_2, 2, .rounds = 1);
TOKEN(token_3, 3, .rounds = 1);
TOKEN(token_6, 6, .rounds = 1);
TOKEN(token_again, 3, .rounds = 3);

/* ---- a record that causes two, which cause two: sums that are equal by chance in one wave ---- */

enum { DEPTH = 3 };

static svs_status fan(svs_ranks *ranks, void *state);
SVS_HANDLER(fan_fiber, token, fan, SVS_DISPATCH_FIFO)
static const svs_handler *const fan_handlers[] = {&fan_fiber};

static svs_status fan(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t count = svs_ranks_count(ranks), index = svs_ranks_index(ranks);
    token next = *(token *)state;
    mine->hops++;
    if (next.left-- == 0) return SVS_OK;
    svs_status status = fan_fiber_post(ranks, (index + 1) % count, &next);
    return status ? status : fan_fiber_post(ranks, (index + count - 1) % count, &next);
}

static svs_status start_fan(svs_ranks *ranks, void *state) {
    token first = {DEPTH, 0};
    if (svs_ranks_index(ranks) != svs_ranks_count(ranks) - 1) return SVS_OK;
    return fan_fiber_post(ranks, 0, &first);
}

static const char *check_fan(program_run *run) {
    uint32_t hops = 0;
    for (uint32_t i = 0; i < run->program->ranks; i++) hops += ((own *)program_data(run, i))->hops;
    return hops == (2u << DEPTH) - 1 ? NULL : "the run has ended before the last record";
}

PROGRAM(fanned, .ranks = 4, .bytes = sizeof(own), PROGRAM_HANDLERS(fan_handlers),
        .start = start_fan, .check = check_fan);

/* ---- a fiber that waits for credit, while all others are idle ---- */

static void take_tokens(svs_ranks *ranks, void *part, const token *tokens, uint32_t count) {
    own *mine = part;
    mine->hops += count;
}

SVS_HANDLER_IN_PLACE(take_token, token, take_tokens)
static const svs_handler *const credit_handlers[] = {&take_token};

static svs_status post_some(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    token one = {1, 0};
    for (; svs_ranks_index(ranks) == 1 && mine->keys_count < 4; mine->keys_count++) {
        svs_status status = take_token_post(ranks, 2, &one);
        if (status) return post_again(ranks, status, 2, post_some);
    }
    return SVS_OK;
}

static const char *check_some(program_run *run) {
    return ((own *)program_data(run, 2))->hops == 4 ? NULL : "the run has ended before the fiber";
}

static void one_by_one(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = 0;
    options->credits = 1;
}

PROGRAM(crediting, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(credit_handlers),
        .options = one_by_one, .start = post_some, .check = check_some);

/* ---- inserts: keys to their ranks, by records that run in place ---- */

static void insert_run(svs_ranks *ranks, void *part, const uint64_t *keys, uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++) mine->keys[mine->keys_count++ % 64] = keys[i];
}

SVS_HANDLER_IN_PLACE(insert, uint64_t, insert_run)
static const svs_handler *const insert_handlers[] = {&insert, &pass_fiber};

static svs_status insert_keys(svs_ranks *ranks, void *state) {
    for (uint64_t key = 0; key < 12; key++) {
        svs_status status = insert_post(ranks, (uint32_t)(key % svs_ranks_count(ranks)), &key);
        if (status != SVS_OK && status != SVS_E_STOPPED) return status;
    }
    return SVS_OK;
}

static const char *check_inserts(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++)
        if (((own *)program_data(run, i))->keys_count != 12) return "a key was lost or came twice";
    return NULL;
}

PROGRAM(inserts, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(insert_handlers),
        .start = insert_keys, .check = check_inserts);

/* ---- deadlocks (ranks.Q2) ---- */

static svs_status nothing(svs_ranks *ranks, void *state) { return SVS_OK; }

static svs_status wait_for_nothing(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    svs_fiber fiber;
    if (svs_ranks_index(ranks) != svs_ranks_count(ranks) - 1) return start_token(ranks, state);
    if (svs_fiber_new(ranks, nothing, NULL, 0, NULL, &fiber)) return 1;
    svs_status status = svs_counter_wait(ranks, &mine->counter, 2, fiber);
    if (status != SVS_OK) return status;
    svs_counter_add(ranks, &mine->counter, 1);
    return start_token(ranks, state);
}

static svs_status never_enable(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    return svs_fiber_new(ranks, nothing, NULL, 0, NULL, &fiber);
}

PROGRAM(waiting, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(token_handlers),
        .start = wait_for_nothing, .status = SVS_E_DEADLOCK, .text = "of rank 2 waits for counter");
PROGRAM(forgotten, .ranks = 2, .bytes = sizeof(own), .start = never_enable,
        .status = SVS_E_DEADLOCK, .text = "of rank 1 was created and never enabled");

/* ---- failures (ranks.X1) ---- */

static svs_status fail_on_last(svs_ranks *ranks, void *state) {
    if (svs_ranks_index(ranks) == svs_ranks_count(ranks) - 1) return 42;
    return insert_keys(ranks, state);
}

static svs_status fail_everywhere(svs_ranks *ranks, void *state) {
    return svs_ranks_stop(ranks, 40 + (svs_status)svs_ranks_index(ranks));
}

PROGRAM(failing, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(insert_handlers),
        .start = fail_on_last, .status = 42, .text = "rank 2: fiber");
PROGRAM(failing_all, .ranks = 4, .bytes = sizeof(own), .start = fail_everywhere, .status = 40,
        .text = "rank 0: the run was stopped");

static void wait_in_place(svs_ranks *ranks, void *part, const uint64_t *keys, uint32_t count) {
    own *mine = part;
    svs_fiber fiber;
    if (svs_fiber_continue(ranks, nothing, &fiber) == SVS_E_STATE &&
        svs_await(ranks, &mine->counter, 1) == SVS_E_STATE)
        mine->hops++;
    svs_poll(ranks); /* ends the run */
}

static void modify_in_place(svs_ranks *ranks, void *part, const uint64_t *keys, uint32_t count) {
    memset((void *)(uintptr_t)keys, 7, sizeof *keys);
}

static void post_two(svs_ranks *ranks, void *part, const uint64_t *keys, uint32_t count);
SVS_HANDLER_IN_PLACE(waits, uint64_t, wait_in_place)
SVS_HANDLER_IN_PLACE(modifies, uint64_t, modify_in_place)
SVS_HANDLER_IN_PLACE(doubles, uint64_t, post_two)
static const svs_handler *const wrong_handlers[] = {&waits, &modifies, &doubles};

static void post_two(svs_ranks *ranks, void *part, const uint64_t *keys, uint32_t count) {
    for (uint32_t i = 0; i < 2 * count; i++) {
        svs_status status =
            doubles_post(ranks, (uint32_t)keys[i / 2] % svs_ranks_count(ranks), &keys[i / 2]);
        if (status != SVS_OK) return;
    }
}

#define WRONG(name_, status_, text_)                                                               \
    static svs_status start_##name_(svs_ranks *ranks, void *state) {                               \
        uint64_t key = 1;                                                                          \
        (void)state;                                                                               \
        return svs_ranks_index(ranks) == 0 ? name_##_post(ranks, 1, &key) : SVS_OK;                \
    }                                                                                              \
    PROGRAM(wrong_##name_, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(wrong_handlers),     \
            .options = low_limit, .start = start_##name_, .status = status_, .text = text_)

static void low_limit(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->aggregate_bytes = 300;
    options->overflow_bytes_max = 5000;
}

WRONG(waits, SVS_E_STATE, "svs_poll() in an in-place");
WRONG(modifies, SVS_E_STATE, "handler modifies has modified its records");
WRONG(doubles, SVS_E_LIMIT, "overflow_bytes_max (5000 bytes)");

/* ---- agreement ---- */

static void differ(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    if (rank == 2) options->credits = 5;
}

PROGRAM(differing, .ranks = 3, .bytes = sizeof(own), .start = nothing, .options = differ,
        .status = SVS_E_DIFFERS);

/* Rank 1 adds another handler than the others. */
static svs_status add_other(svs_ranks *ranks) {
    static const svs_handler *const one[] = {&insert}, *const other[] = {&pass_fiber};
    return svs_handlers_add(ranks, svs_ranks_index(ranks) == 1 ? other : one, 1);
}

PROGRAM(differing_handlers, .ranks = 3, .bytes = sizeof(own), .start = nothing,
        .prepare = add_other, .status = SVS_E_DIFFERS,
        .text =
            "rank 1: handler 0 is pass_fiber (8 bytes, fifo), and insert (8 bytes, in place) at "
            "rank 0");

/* ---- trees of several levels ---- */

PROGRAM(empty_9, .ranks = 9, .bytes = sizeof(own), .start = nothing, .rounds = 2);

static void on_grid(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->direct_ranks = 1;
}

PROGRAM(empty_grid, .ranks = 7, .bytes = sizeof(own), .start = nothing, .rounds = 2,
        .options = on_grid);

/* The start of a rank, and two runs: at most 10 messages of a rank each, and those of waves. */
static const char *check_messages(program_run *run) {
    for (uint32_t i = 0; i < run->program->ranks; i++) {
        const svs_ranks_statistics *of = &run->result[i].statistics;
        if (of->fast_msg_sent > 3 * 10 + of->waves * (SVS__CHILDREN_MAX + 1))
            return "a rank sends more messages than the tree has steps";
    }
    return NULL;
}

PROGRAM(empty_64, .ranks = 64, .bytes = sizeof(own), .start = nothing, .rounds = 2,
        .check = check_messages);
PROGRAM(empty_150, .ranks = 150, .bytes = sizeof(own), .start = nothing, .rounds = 2,
        .check = check_messages);

/* ---- exhaustive: all schedules of a run with so many deviations from the usual one ---- */

static svs_status start_choosing(svs_ranks *ranks, void *state) {
    exhaustive_begin();
    return start_token(ranks, state);
}

PROGRAM(all_of_2, .ranks = 2, .bytes = sizeof(own), PROGRAM_HANDLERS(token_handlers),
        .start = start_choosing, .check = check_token);
PROGRAM(all_of_3, .ranks = 3, .bytes = sizeof(own), PROGRAM_HANDLERS(token_handlers),
        .start = start_choosing, .check = check_token);

/* ---- cases ---- */

TEST_CASE(a_run_ends_after_its_last_record) { /* ranks.Q1 */
    static const rank_program *const all[] = {&token_1, &token_2,     &token_3,
                                              &token_6, &token_again, &inserts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        program_sim(all[i], 25000);
        program_local(all[i], 20);
    }
}

TEST_CASE(a_run_ends_after_all_that_a_record_causes) { /* ranks.Q1 */
    program_sim(&fanned, 25000);
    program_local(&fanned, 20);
}

TEST_CASE(a_run_ends_after_a_fiber_that_waits_for_credit) { /* ranks.Q1 */
    program_sim(&crediting, 25000);
    program_local(&crediting, 20);
}

TEST_CASE(a_run_ends_after_its_last_record_in_all_schedules) { /* ranks.Q1 */
    uint32_t less = program_scaled(100) < 100;
    exhaustive_run(&all_of_2, 3 - less);
    exhaustive_run(&all_of_3, 2 - less);
}

TEST_CASE(a_deadlock_lists_the_waits_on_all_ranks) {
    program_sim(&waiting, 5000);
    program_sim(&forgotten, 5000);
    program_local(&waiting, 10);
}

TEST_CASE(a_failure_ends_the_run_on_all_ranks) {
    static const rank_program *const all[] = {&failing, &wrong_waits, &wrong_doubles};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        program_sim(all[i], 3000);
        program_local(all[i], 10);
    }
#if !defined(NDEBUG)
    program_sim(&wrong_modifies, 3000);
#endif
}

TEST_CASE(ranks_with_different_failures_agree_on_one) {
    for (uint64_t seed = 1; seed <= program_scaled(700); seed++) {
        svs__sim_options options = {.seed = seed};
        const char *wrong = program_once(&failing_all, &options);
        /* any of the statuses, but the same on all ranks */
        assert_true(wrong == NULL || strstr(wrong, "all ranks return user") != NULL ||
                    strstr(wrong, "the run was stopped") != NULL);
    }
}

TEST_CASE(ranks_that_differ_are_refused_with_the_difference) {
    program_sim(&differing, 1000);
    program_sim(&differing_handlers, 1000);
    program_local(&differing_handlers, 10);
}

TEST_CASE(survivors_of_a_death_agree) { /* transport.T3, ranks.X1 */
    static const rank_program *const all[] = {&token_3, &inserts, &failing, &waiting};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) program_kill(all[i], 1);
    program_kill(&token_6, 5);
}

TEST_CASE(survivors_of_a_death_in_a_deeper_tree_agree) { /* ranks.X1, ranks.X3 */
    program_kill(&empty_9, 1);
    program_kill(&empty_grid, 1);
}

TEST_CASE(messages_of_a_rank_do_not_grow_with_the_ranks) {
    program_sim(&empty_64, 100);
    program_sim(&empty_150, 50);
}

TEST_CASE(survivors_of_two_deaths_agree) { /* ranks.X1, ranks.X4 */
    static const rank_program *const all[] = {&token_3, &token_6, &failing,
                                              &waiting, &empty_9, &empty_grid};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) program_kill_two(all[i], 10000);
}

TEST_CASE(a_wrong_bit_crashes_no_rank) { /* ranks.P3 */
    static const rank_program *const all[] = {&token_3, &inserts, &waiting};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) program_flip(all[i], 8192);
}

TEST_CASE(refused_memory_ends_the_run_on_all_ranks) {
    static const rank_program *const all[] = {&token_3, &inserts, &waiting};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) program_exhaust(all[i], 1);
}

static void dot_file(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->deadlock_file = "ranks_ends_deadlock.dot";
}

TEST_CASE(a_deadlock_is_drawn) { /* ranks.Q2 */
    static rank_program drawn;
    char text[1000] = "";
    FILE *file;
    drawn = waiting;
    drawn.options = dot_file;
    program_sim(&drawn, 1);
    file = fopen("ranks_ends_deadlock.dot", "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    (void)fclose(file);
    (void)unlink("ranks_ends_deadlock.dot");
    assert_non_null(strstr(text, "digraph deadlock {"));
    assert_non_null(strstr(text, "\\nis 1\"]"));
    assert_non_null(strstr(text, "[label=\"at least 2\"];\n}\n"));
}

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
