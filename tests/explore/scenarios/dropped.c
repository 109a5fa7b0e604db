/* Cancelled runs of asyncs (worksteal/cancel.h): each async runs as a whole or not at all, what it
 * owns is released once, none runs that was spawned after its spawner saw the cancel, and the run
 * ends with the status of the cancel. */
#include "explore/scenarios/support.h"
#include "memobj/world.h"
#include <string.h>

#define CHILDREN 4u
#define STATUS 7

typedef struct item {
    uint32_t unused;
} item;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;        /* NULL: a run of asyncs alone */
    uint32_t canceller;      /* a child; CHILDREN: another thread */
    bool owns;               /* children are spawned with what they own */
    _Atomic(uint64_t) run;   /* its number */
    _Atomic(uint32_t) ready; /* 1: it has begun */
    _Atomic(uint32_t) over;  /* 1: the cancel has returned */
    _Atomic(uint32_t) on;    /* the worker that has cancelled it, from 1 */
    _Atomic(uint32_t) begun[CHILDREN], ended[CHILDREN], dropped[CHILDREN];
} shared;

typedef struct child {
    uint32_t number;
    uint32_t late; /* its spawner had seen the cancel */
} child;

static bool has_seen(const svs_async_context *async) {
    return explore_below(2) == 0 ? svs__load_acquire(&shared.over) != 0
                                 : svs_async_cancelled(async) != 0;
}

static void cancel_it(svs_async_context *async) {
    uint64_t run = svs__load_relaxed(&shared.run);
    svs_status status;
    if (async != NULL) status = svs_async_cancel(async, STATUS);
    else if (shared.graph != NULL) status = svs_graph_cancel(shared.graph, STATUS);
    else status = svs_async_run_cancel(shared.runtime, run, STATUS);
    EXPLORE_CHECK(status == SVS_OK || (async == NULL && status == SVS_E_STATE));
    if (status == SVS_OK) svs__store_release(&shared.over, 1);
}

static void run_grandchild(svs_async_context *async, void *argument) {
    (void)async;
    EXPLORE_CHECK(!((const child *)argument)->late);
}

static void run_child(svs_async_context *async, void *argument) {
    child c = *(const child *)argument;
    EXPLORE_CHECK(!c.late);
    /* relaxed: nothing begins on the canceller's worker, which knows its own store. */
    EXPLORE_CHECK(svs__load_relaxed(&shared.on) != svs_worker_index() + 1);
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.begun[c.number], 1) == 0);
    if (c.number == shared.canceller) {
        cancel_it(async);
        svs__store_relaxed(&shared.on, svs_worker_index() + 1);
        EXPLORE_CHECK(svs_async_cancelled(async));
    }
    c.late = has_seen(async);
    svs_async(async, run_grandchild, &c, sizeof c);
    (void)svs__fetch_add_relaxed(&shared.ended[c.number], 1);
}

static void drop_child(void *argument) {
    const child *c = argument;
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.dropped[c->number], 1) == 0);
}

static void spawn_children(svs_async_context *async, void *argument) {
    child *all = argument;
    for (uint32_t i = 0; i < CHILDREN; i++) {
        all[i] = (child){i, has_seen(async)};
        if (shared.owns) svs_async_owned(async, run_child, &all[i], drop_child);
        else svs_async(async, run_child, &all[i], sizeof all[i]);
    }
}

static void run_root(svs_async_context *async, void *argument) {
    child all[CHILDREN];
    (void)argument;
    svs__store_relaxed(&shared.run, svs_async_run_id(async));
    svs__store_release(&shared.ready, 1);
    svs__futex_wake(&shared.ready, 1);
    svs_finish(async, spawn_children, all);
    for (uint32_t i = 0; i < CHILDREN; i++) /* relaxed: the finish has ended */
        EXPLORE_CHECK(svs__load_relaxed(&shared.begun[i]) == svs__load_relaxed(&shared.ended[i]));
}

static void item_touch(svs_footprint *f, const item *i) {
    (void)f;
    (void)i;
}
static svs_status item_run(svs_context *context, item *i) {
    run_root(svs_context_async(context), i);
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static void *cancel_from_outside(void *unused) {
    (void)unused;
    while (!svs__load_acquire(&shared.ready)) svs__futex_wait(&shared.ready, 0);
    cancel_it(NULL);
    return NULL;
}

static void check_end(svs_status status) {
    bool cancelled = svs__load_relaxed(&shared.over) != 0;
    EXPLORE_CHECK(status == (cancelled ? STATUS : SVS_OK));
    for (uint32_t i = 0; i < CHILDREN; i++) {
        uint32_t ran = svs__load_relaxed(&shared.ended[i]);
        EXPLORE_CHECK(ran == svs__load_relaxed(&shared.begun[i]));
        EXPLORE_CHECK(cancelled || ran == 1);
        if (shared.owns) EXPLORE_CHECK(ran + svs__load_relaxed(&shared.dropped[i]) == 1);
    }
}

static void open_all(uint32_t policy) {
    memset(&shared, 0, sizeof shared);
    shared.canceller = explore_below(CHILDREN + 1);
    shared.owns = explore_below(2) == 0;
    shared.runtime = support_runtime(policy, 2);
}

static svs_status run_asyncs(void) { return svs_async_run(shared.runtime, run_root, NULL); }

static svs_status run_graph(void) {
    svs_task *task;
    item one = {0};
    shared.world = support_world(shared.runtime, SVS_REFRESH_MANUAL);
    shared.graph = support_graph(shared.world, support_any_algorithm());
    EXPLORE_CHECK(svs_graph_add_itemizer(shared.graph, &item_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(shared.graph, task, &one, 1, sizeof one) == SVS_OK);
    return svs_graph_run(shared.graph, 1, NULL);
}

static void with_canceller(svs_status (*run)(void)) {
    svs__thread thread;
    bool outside = shared.canceller == CHILDREN;
    svs_status status;
    if (outside) EXPLORE_CHECK(svs__thread_create(&thread, cancel_from_outside, NULL, 0) == SVS_OK);
    status = run();
    if (outside) svs__thread_join(&thread);
    check_end(status);
}

static void dropped(void) {
    open_all(support_any_policy());
    with_canceller(run_asyncs);
    support_runtime_end(shared.runtime);
}

static void dropped_of_body(void) {
    open_all(SVS_POLICY_HELP_FIRST);
    with_canceller(run_graph);
    support_end(shared.runtime, shared.world, NULL, shared.graph);
}

const explore_scenario explore_dropped = {
    "dropped", dropped, 1, 10000,
    "an async that runs in part or after a cancel, or a finish that does not end"};
const explore_scenario explore_dropped_of_body = {"dropped_of_body", dropped_of_body, 0, 10000,
                                                  "the same with the asyncs of a graph's body"};
