/* Threads that are no workers send while a graph runs, and tasks that send to themselves: each item
 * runs once (sched.S2), a task ends when nothing can come any more and not before (sched.R1,
 * sched.T7), a sender that waits for room is woken (sched.R3), and a cancelled run leaves nothing
 * (sched.R2). */
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include <string.h>

#define ITEMS 3u
#define RUSH 8u
#define CELLS 2u

typedef struct item {
    uint32_t number;
} item;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    svs_graph *graph;
    svs_task *task, *other;
    svs_source *source;
    svs_status sent;
    uint32_t items; /* that the thread sends */
    bool pauses;    /* before each */
    uint32_t ran[RUSH], seen;
} shared;

static void item_touch(svs_footprint *f, const item *i) {
    svs_writes_at(f, shared.space, i->number % CELLS);
}
static svs_status item_run(svs_context *x, item *i) {
    (void)x;
    explore_wrote(&shared.ran[i->number]);
    EXPLORE_CHECK(shared.ran[i->number]++ == 0);
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

/* What opens after the task: it has ended. */
static void count_touch(svs_footprint *f, const item *i) { (void)f, (void)i; }
static svs_status count_run(svs_context *x, item *i) {
    (void)x, (void)i;
    shared.seen = 0;
    for (uint32_t n = 0; n < RUSH; n++) {
        explore_read(&shared.ran[n]);
        shared.seen += shared.ran[n];
    }
    return SVS_OK;
}
SVS_TASK(count, item, count_run, count_touch)

static void open_with(const svs_task_type *type, const svs_task_type *other,
                      svs_algorithm algorithm, uint32_t threads) {
    svs_task *last;
    memset(&shared, 0, sizeof shared);
    shared.items = ITEMS;
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    shared.world = support_world(shared.runtime, SVS_REFRESH_MANUAL);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.space) == SVS_OK);
    shared.graph = support_graph(shared.world, algorithm);
    EXPLORE_CHECK(svs_graph_add_itemizer(shared.graph, type, NULL, &shared.task) == SVS_OK);
    if (other)
        EXPLORE_CHECK(svs_graph_add_itemizer(shared.graph, other, NULL, &shared.other) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(shared.graph, &count_task, NULL, NULL, &last) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_order(shared.graph, shared.task, last) == SVS_OK);
}

static void open_all(const svs_task_type *type, const svs_task_type *other) {
    svs_algorithm algorithm = support_any_algorithm();
    open_with(type, other, algorithm, 1 + explore_below(2));
}

static void close_all(void) {
    support_end(shared.runtime, shared.world, shared.space, shared.graph);
}

/* ---- a thread sends, and waits for room ---- */

/* So that workers run what has come. */
static void pause_some(void) {
    for (uint32_t turns = 8 * explore_below(4); turns; turns--) svs__yield();
}

static void *send_all(void *unused) {
    (void)unused;
    for (uint32_t i = 0; i < shared.items && !shared.sent; i++) {
        item one = {i};
        if (shared.pauses) pause_some();
        shared.sent = svs_source_send(shared.source, &one, 1, sizeof one, UINT64_MAX);
    }
    return NULL;
}
static void *send_and_free(void *unused) {
    (void)send_all(unused);
    EXPLORE_CHECK(svs_source_free(shared.source) == SVS_OK);
    return NULL;
}

static void sources(void) {
    svs__thread thread;
    open_all(&item_task, NULL);
    EXPLORE_CHECK(svs_source_new(shared.task, 1 + explore_below(2), &shared.source) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&thread, send_and_free, NULL, 0) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(shared.graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.seen == ITEMS);
    if (explore_below(2)) { /* the thread may still be on its way out of svs_source_free() */
        close_all();
        svs__thread_join(&thread);
    } else {
        svs__thread_join(&thread);
        close_all();
    }
}

/* ---- a thread sends one item after the other, with room for all; a worker that attends may doze
 * ---- */

static void arrivals(void) {
    svs__thread thread;
    svs_algorithm any = support_any_algorithm();
    open_with(&item_task, NULL, explore_below(4) ? SVS_ALGORITHM_WINDOWED : any, 2);
    shared.items = RUSH;
    shared.pauses = true;
    EXPLORE_CHECK(svs_source_new(shared.task, 0, &shared.source) == SVS_OK);
    EXPLORE_CHECK(svs_graph_begin(shared.graph, 1, NULL, NULL) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&thread, send_and_free, NULL, 0) == SVS_OK);
    EXPLORE_CHECK(svs_graph_wait(shared.graph, UINT64_MAX, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.seen == RUSH);
    svs__thread_join(&thread);
    close_all();
}

/* ---- a run with a source is cancelled ---- */

static void sources_cancelled(void) {
    svs__thread thread;
    uint32_t ran = 0;
    open_all(&item_task, NULL);
    EXPLORE_CHECK(svs_source_new(shared.task, 1, &shared.source) == SVS_OK);
    EXPLORE_CHECK(svs_graph_begin(shared.graph, 1, NULL, NULL) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&thread, send_all, NULL, 0) == SVS_OK);
    EXPLORE_CHECK(svs_graph_cancel(shared.graph, 5) == SVS_OK); /* the source keeps the run */
    EXPLORE_CHECK(svs_graph_wait(shared.graph, UINT64_MAX, NULL) == 5);
    svs__thread_join(&thread);
    EXPLORE_CHECK(svs_source_free(shared.source) == SVS_OK);
    EXPLORE_CHECK(shared.sent == SVS_OK || shared.sent == SVS_E_CANCELLED);
    for (uint32_t i = 0; i < ITEMS; i++) {
        explore_read(&shared.ran[i]);
        ran += shared.ran[i];
    }
    EXPLORE_CHECK(svs_graph_run(shared.graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.seen == ran); /* no item was left for that run */
    close_all();
}

/* ---- two tasks that send to each other: an item n sends 2n and 2n + 1, up to 7 ---- */

static svs_status grow_run(svs_context *x, item *i) {
    item next[2] = {{2 * i->number}, {2 * i->number + 1}};
    svs_status status;
    explore_wrote(&shared.ran[i->number]);
    EXPLORE_CHECK(shared.ran[i->number]++ == 0);
    if (next[0].number > 7) return SVS_OK;
    status = svs_send(x, shared.other, &next[0], 1, sizeof *next);
    return status ? status : svs_send(x, shared.task, &next[1], 1, sizeof *next);
}
SVS_TASK(grow, item, grow_run, item_touch)

static void cycle(void) {
    item one = {1};
    open_all(&grow_task, &grow_task);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, shared.task, shared.task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, shared.task, shared.other) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, shared.other, shared.task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(shared.graph, shared.other, shared.other) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(shared.graph, shared.task, &one, 1, sizeof one) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(shared.graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.seen == 7);
    close_all();
}

const explore_scenario explore_sources = {
    "sources", sources, 0, 4000,
    "an item from outside that is lost, or a sender that is not woken"};
const explore_scenario explore_arrivals = {
    "arrivals", arrivals, 0, 4000,
    "an item from outside that wakes no worker, or is not counted when its task may end"};
const explore_scenario explore_sources_cancelled = {
    "sources_cancelled", sources_cancelled, 0, 4000,
    "a source that keeps a cancelled run, or an item that is left of one"};
const explore_scenario explore_cycle = {"cycle", cycle, 0, 4000,
                                        "a cycle of tasks that ends early, or never"};
