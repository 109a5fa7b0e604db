/* A runtime of two workers that starts, runs a tree of asyncs under either policy, and stops: a
 * finish sees what its children wrote, and whoever sleeps is woken. */
#include "explore/scenarios/support.h"

#define CHILDREN 3

static uint32_t results[CHILDREN][2];

static void write_result(svs_strand *strand, void *argument) {
    uint32_t *result = *(uint32_t **)argument;
    (void)strand;
    explore_wrote(result);
    EXPLORE_CHECK(*result == 0);
    *result = 1;
}

static void flat(svs_strand *strand, void *argument) {
    (void)argument;
    for (int i = 0; i < CHILDREN; i++) {
        uint32_t *result = &results[i][0];
        svs_async(strand, write_result, &result, sizeof result);
    }
}

static void check_results(int of_each) {
    for (int i = 0; i < CHILDREN; i++)
        for (int j = 0; j < of_each; j++) {
            explore_read(&results[i][j]);
            EXPLORE_CHECK(results[i][j] == 1);
        }
}

static void clear_results(void) {
    for (int i = 0; i < CHILDREN; i++)
        for (int j = 0; j < 2; j++) {
            explore_wrote(&results[i][j]);
            results[i][j] = 0;
        }
}

static void root(svs_strand *strand, void *argument) {
    svs_finish(strand, flat, argument);
    check_results(1);
}

static void parent(svs_strand *strand, void *argument) {
    uint32_t *mine = *(uint32_t **)argument, *next = mine + 1;
    svs_async(strand, write_result, &next, sizeof next);
    explore_wrote(mine);
    *mine = 1;
}

static void nested(svs_strand *strand, void *argument) {
    (void)argument;
    for (int i = 0; i < CHILDREN; i++) {
        uint32_t *result = &results[i][0];
        svs_async(strand, parent, &result, sizeof result);
    }
}

static void root_nested(svs_strand *strand, void *argument) {
    svs_finish(strand, nested, argument);
    check_results(2);
}

static void run_tree(uint32_t policy, uint32_t threads, svs_async_function *function, int of_each) {
    svs_runtime *runtime = support_runtime(policy, threads);
    clear_results();
    EXPLORE_CHECK(svs_async_run(runtime, function, NULL) == SVS_OK);
    check_results(of_each);
    support_runtime_end(runtime);
}

static void finish(void) { run_tree(SVS_HELP_FIRST, 2, root, 1); }
static void finish_nested(void) { run_tree(SVS_HELP_FIRST, 2, root_nested, 2); }
static void finish_three(void) { run_tree(SVS_HELP_FIRST, 3, root_nested, 2); }
static void workfirst(void) { run_tree(SVS_WORK_FIRST, 2, root_nested, 2); }
static void workfirst_three(void) { run_tree(SVS_WORK_FIRST, 3, root_nested, 2); }

static void nothing(svs_strand *strand, void *argument) {
    (void)strand;
    explore_wrote(argument);
    ++*(uint32_t *)argument;
}

static void runtime(void) {
    svs_runtime *runtime = support_runtime(SVS_HELP_FIRST, 2);
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
