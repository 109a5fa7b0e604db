/* A runtime of two workers that starts, runs a tree of asyncs under either policy, and stops: a
 * finish sees its children's writes, and each sleeping worker is woken. */
#include "explore/scenarios/support.h"

static void root(svs_async_context *async, void *argument) {
    svs_finish(async, support_spawn_children, argument);
    support_check_results(1);
}

static void root_nested(svs_async_context *async, void *argument) {
    svs_finish(async, support_spawn_grandchildren, argument);
    support_check_results(2);
}

static void run_tree(uint32_t policy, uint32_t threads, svs_async_function *function,
                     uint32_t of_each) {
    svs_runtime *runtime = support_runtime(policy, threads);
    support_clear_results();
    EXPLORE_CHECK(svs_async_run(runtime, function, NULL) == SVS_OK);
    support_check_results(of_each);
    support_runtime_end(runtime);
}

static void finish(void) { run_tree(SVS_POLICY_HELP_FIRST, 2, root, 1); }
static void finish_nested(void) { run_tree(SVS_POLICY_HELP_FIRST, 2, root_nested, 2); }
static void finish_three(void) { run_tree(SVS_POLICY_HELP_FIRST, 3, root_nested, 2); }
static void workfirst(void) { run_tree(SVS_POLICY_WORK_FIRST, 2, root_nested, 2); }
static void workfirst_three(void) { run_tree(SVS_POLICY_WORK_FIRST, 3, root_nested, 2); }

static void nothing(svs_async_context *async, void *argument) {
    explore_wrote(argument);
    ++*(uint32_t *)argument;
}

static void runtime(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    uint32_t count = 0;
    explore_wrote(&count);
    for (uint32_t i = 1; i <= 2; i++) {
        EXPLORE_CHECK(svs_async_run(runtime, nothing, &count) == SVS_OK);
        explore_read(&count);
        EXPLORE_CHECK(count == i);
    }
    support_runtime_end(runtime);
}

const explore_scenario explore_finish = {"finish", finish, 2, 20000,
                                         "a finish that ends too early or sleeps for ever"};
const explore_scenario explore_finish_nested = {"finish_nested", finish_nested, 2, 20000,
                                                "the same with children of children"};
const explore_scenario explore_finish_three = {"finish_three", finish_three, 1, 20000,
                                               "the same with two thieves"};
const explore_scenario explore_workfirst = {"workfirst", workfirst, 2, 20000,
                                            "a continuation that is lost or runs twice"};
const explore_scenario explore_runtime = {"runtime", runtime, 2, 20000,
                                          "a start, a run or a stop that never ends"};
const explore_scenario explore_workfirst_three = {"workfirst_three", workfirst_three, 1, 20000,
                                                  "the same with two thieves"};
