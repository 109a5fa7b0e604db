/* Steal policies: a replay repeats the steal tree of its trace, roots included, and a replay with a
 * program that parts from the trace ends all the same; a retained iteration runs each async once,
 * on any worker. */
#include "explore/scenarios/support.h"
#include "stealtree/replay.h"

#define ROOTS 2u
#define STILL_NS 200000u /* 200 steps of the explorer */

static void run_roots(svs_runtime *runtime) {
    for (uint32_t i = 0; i < ROOTS; i++) {
        support_clear_results();
        EXPLORE_CHECK(svs_async_run(runtime, support_spawn_grandchildren, NULL) == SVS_OK);
        support_check_results(2);
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
    svs__store_relaxed(&svs__replay_of(svs__runtime_guided(runtime))->still_ns, STILL_NS);
    for (uint32_t i = 0; i < ROOTS; i++) {
        support_clear_results();
        EXPLORE_CHECK(svs_async_run(runtime, support_spawn_children, NULL) == SVS_OK);
        support_check_results(1);
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
        support_clear_results();
        EXPLORE_CHECK(svs_retained_run(retained, support_spawn_grandchildren, NULL) == SVS_OK);
        support_check_results(2);
    }
    EXPLORE_CHECK(svs_retained_free(retained) == SVS_OK);
    support_runtime_end(runtime);
}

static void replay(void) { replay_with(support_any_policy()); }
static void parted(void) { parted_with(support_any_policy(), 2); }
static void parted_three(void) { parted_with(support_any_policy(), 3); }
static void retain(void) { retain_with(support_any_policy()); }

const explore_scenario explore_replay = {"replay", replay, 1, 10000,
                                         "a replay that is not the trace's run, or never ends"};
const explore_scenario explore_replay_parted = {"replay_parted", parted, 1, 5000,
                                                "a replay that has parted and waits for ever"};
const explore_scenario explore_replay_parted_three = {"replay_parted_three", parted_three, 0, 5000,
                                                      "the same with a worker that is left out"};
const explore_scenario explore_retain = {"retain", retain, 1, 10000,
                                         "an async that is kept and lost, or run twice"};
