/* What guides workers: a replay repeats the steal tree of its trace, roots included, and one whose
 * program has parted from the trace comes to its end all the same; a retained iteration runs each
 * async once, whoever it was kept for. */
#include "explore/scenarios/support.h"
#include "stealtree/replay.h"

#define ROOTS 2u
#define CHILDREN 3u
#define STILL_NS 200000u /* 200 steps of the explorer */

static uint32_t results[CHILDREN][2];

static void write_result(uint32_t *result) {
    explore_wrote(result);
    EXPLORE_CHECK(*result == 0);
    *result = 1;
}

static void leaf(svs_strand *strand, void *argument) {
    (void)strand;
    write_result(*(uint32_t **)argument);
}

static void branch(svs_strand *strand, void *argument) {
    uint32_t *mine = *(uint32_t **)argument, *next = mine + 1;
    svs_async(strand, leaf, &next, sizeof next);
    write_result(mine);
}

static void spawn_all(svs_strand *strand, svs_async_function *function) {
    for (uint32_t i = 0; i < CHILDREN; i++) {
        uint32_t *result = &results[i][0];
        svs_async(strand, function, &result, sizeof result);
    }
}

static void tree(svs_strand *strand, void *argument) {
    (void)argument;
    spawn_all(strand, branch);
}

static void other_tree(svs_strand *strand, void *argument) {
    (void)argument;
    spawn_all(strand, leaf);
}

static void clear(void) {
    for (uint32_t i = 0; i < CHILDREN; i++)
        for (uint32_t j = 0; j < 2; j++) {
            explore_wrote(&results[i][j]);
            results[i][j] = 0;
        }
}

static void check(uint32_t of_each) {
    for (uint32_t i = 0; i < CHILDREN; i++)
        for (uint32_t j = 0; j < of_each; j++) {
            explore_read(&results[i][j]);
            EXPLORE_CHECK(results[i][j] == 1);
        }
}

static void run_roots(svs_runtime *runtime) {
    for (uint32_t i = 0; i < ROOTS; i++) {
        clear();
        EXPLORE_CHECK(svs_async_run(runtime, tree, NULL) == SVS_OK);
        check(2);
    }
}

static void record(svs_runtime *runtime, svs_trace **trace) {
    EXPLORE_CHECK(svs_trace_start(runtime, NULL) == SVS_OK);
    run_roots(runtime);
    EXPLORE_CHECK(svs_trace_stop(runtime, trace) == SVS_OK);
}

static void replay_with(uint32_t policy) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_runtime *runtime = support_runtime(policy, 2);
    svs_trace *trace;
    record(runtime, &trace);
    EXPLORE_CHECK(svs_replay_start(runtime, trace, NULL, message, sizeof message) == SVS_OK);
    run_roots(runtime);
    if (svs_replay_stop(runtime, NULL, message, sizeof message) != SVS_OK)
        explore_fail("the replay: %s", message);
    svs_trace_free(trace);
    support_runtime_end(runtime);
}

static void parted_with(uint32_t policy, uint32_t threads) {
    char message[SVS_TRACE_MESSAGE];
    svs_runtime *runtime = support_runtime(policy, threads);
    svs_trace *trace;
    record(runtime, &trace);
    EXPLORE_CHECK(svs_replay_start(runtime, trace, NULL, message, sizeof message) == SVS_OK);
    svs__replay_of(svs__runtime_guided(runtime))->still_ns = STILL_NS;
    for (uint32_t i = 0; i < ROOTS; i++) {
        clear();
        EXPLORE_CHECK(svs_async_run(runtime, other_tree, NULL) == SVS_OK);
        check(1);
    }
    EXPLORE_CHECK(svs_replay_stop(runtime, NULL, message, sizeof message) == SVS_E_PARTED);
    svs_trace_free(trace);
    support_runtime_end(runtime);
}

static void retain_with(uint32_t policy) {
    svs_runtime *runtime = support_runtime(policy, 2);
    svs_retained *retained;
    EXPLORE_CHECK(svs_retained_new(runtime, &retained) == SVS_OK);
    for (uint32_t i = 0; i < 3; i++) {
        clear();
        EXPLORE_CHECK(svs_retained_run(retained, tree, NULL) == SVS_OK);
        check(2);
    }
    EXPLORE_CHECK(svs_retained_free(retained) == SVS_OK);
    support_runtime_end(runtime);
}

static uint32_t any_policy(void) { return explore_below(2) == 0 ? SVS_HELP_FIRST : SVS_WORK_FIRST; }

static void replay(void) { replay_with(any_policy()); }
static void parted(void) { parted_with(any_policy(), 2); }
static void parted_three(void) { parted_with(any_policy(), 3); }
static void retain(void) { retain_with(any_policy()); }

const explore_scenario explore_replay = {"replay", replay, 1, 10000,
                                         "a replay that is not the trace's run, or never ends"};
const explore_scenario explore_replay_parted = {"replay_parted", parted, 1, 5000,
                                                "a replay that has parted and waits for ever"};
const explore_scenario explore_replay_parted_three = {"replay_parted_three", parted_three, 0, 5000,
                                                      "the same with a worker that is left out"};
const explore_scenario explore_retain = {"retain", retain, 1, 10000,
                                         "an async that is kept and lost, or run twice"};
