/* exit() from a body: the process ends with its status, whichever worker calls, whatever the others
 * do; functions of atexit() may look at the runtime; and nothing counts as lost. */
#include "load.h"

#include <sched.h>

#define STATUS 7

typedef enum place { IN_GRAPH, IN_ASYNC, IN_STOLEN } place;

static load l;
static uint32_t chosen; /* the worker that exits; SVS_NO_WORKER: any */
static svs_task *leavers;

static void stop_at_exit(void) {
    if (svs_runtime_stop(l.runtime) != SVS_E_BUSY || svs_runtime_free(l.runtime) != SVS_E_BUSY)
        _exit(99);
}

static svs_status leave_run(svs_context *context, int *unused) {
    if (chosen == SVS_NO_WORKER || svs_worker_index() == chosen) exit(STATUS);
    for (;;) sched_yield(); /* until the other one has ended it all */
}
static void leave_touch(svs_footprint *f, const int *unused) {}
SVS_TASK(leave, int, leave_run, leave_touch)

static void leave_async(svs_async_context *async, void *argument) {
    char *kept = malloc(100); /* reached from this frame alone */
    if (!kept) _exit(98);
    kept[0] = (char)svs_worker_index();
    if (chosen == SVS_NO_WORKER || svs_worker_index() == chosen) exit(STATUS);
    for (;;) {
        kept[1] = kept[0];
        sched_yield();
    }
}
static void leave_below(svs_async_context *async, void *argument) {
    long leaves = SVS_CALL_ON(async, leaves, LOAD_DEPTH);
    (void)leaves;
    leave_async(async, NULL);
}
/* Each worker gets one. */
static void leave_by_all(svs_async_context *async, void *argument) {
    svs_async(async, leave_async, NULL, 0);
    svs_async(async, leave_async, NULL, 0);
    leave_async(async, NULL);
}

/* Never comes back. */
static void be_child(place where, uint32_t policy) {
    int items[2] = {0, 0};
    svs_runtime_options options;
    alarm(LOAD_HANG_SECONDS);
    svs_runtime_options_init(&options);
    options.threads = 2;
    options.policy = policy;
    options.log = NULL;
    load_open_with(&l, &options);
    if (atexit(stop_at_exit)) _exit(97);
    if (where == IN_GRAPH) {
        load_ok(svs_graph_add_itemizer(l.graph, &leave_task, NULL, &leavers));
        load_ok(svs_graph_send(l.graph, leavers, items, 2, sizeof items[0]));
        load_ok(svs_graph_run(l.graph, 1, NULL));
    } else {
        load_ok(svs_async_run(l.runtime, where == IN_ASYNC ? leave_below : leave_by_all, NULL));
    }
    _exit(96);
}

static void exit_from(place where, uint32_t policy, uint32_t worker) {
    pid_t child;
    chosen = worker;
    child = fork();
    if (child == 0) be_child(where, policy);
    assert_int_equal(load_wait(child), STATUS);
}

TEST_CASE(a_body_of_a_graph_exits) {
    exit_from(IN_GRAPH, SVS_POLICY_HELP_FIRST, 0);
    exit_from(IN_GRAPH, SVS_POLICY_HELP_FIRST, 1);
    exit_from(IN_GRAPH, SVS_POLICY_WORK_FIRST, SVS_NO_WORKER);
}

TEST_CASE(an_async_exits) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (int i = 0; i < 5; i++) exit_from(IN_ASYNC, policy, SVS_NO_WORKER);
}

TEST_CASE(an_async_of_either_worker_exits) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (uint32_t worker = 0; worker < 2; worker++) exit_from(IN_STOLEN, policy, worker);
}

int main(void) { return run_cases(NULL, NULL); }
