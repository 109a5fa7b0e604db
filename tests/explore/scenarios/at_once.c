/* Several windows that are made at once (sched.W2, sched.W16), while the run is cancelled, or while
 * another domain wants the lease under which they run (sched.L1, sched.L2). */
#include "explore/scenarios/support.h"
#include <string.h>

#define ITEMS 24u /* five windows are full, and more items wait */
#define CELLS 5u
#define GUESTS 2u
#define FAILED 77

typedef struct item {
    uint32_t number, cell;
    bool ends; /* its body ends the run */
} item;

static struct {
    svs_space *cells;
    _Atomic(uint32_t) inside[CELLS];
    uint32_t written[CELLS], ran[ITEMS + GUESTS];
} shared;

static void item_touch(svs_footprint *f, const item *i) { svs_writes_at(f, shared.cells, i->cell); }

static svs_status item_run(svs_context *context, item *i) {
    (void)context;
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.inside[i->cell], 1) == 0);
    explore_wrote(&shared.written[i->cell]);
    shared.written[i->cell]++;
    (void)svs__fetch_sub_relaxed(&shared.inside[i->cell], 1);
    explore_wrote(&shared.ran[i->number]);
    EXPLORE_CHECK(shared.ran[i->number]++ == 0);
    return i->ends ? FAILED : SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static svs_task *add(svs_graph *graph, svs_algorithm algorithm, const item *items, uint32_t count) {
    svs_task *task;
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &item_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, algorithm) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, count, sizeof *items) == SVS_OK);
    return task;
}

/* With a few items of one cell, which are left over. */
static void draft(item *items, uint32_t count) {
    uint32_t hot = explore_below(1u << count / 4);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (item){.number = i, .cell = hot >> i / 4 & 1 ? 0 : i % CELLS};
}

static uint32_t ran(uint32_t count) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++) all += shared.ran[i];
    return all;
}

/* After the failure nothing is left: the next run has its own items only. */
static void cancelled(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_world *world = support_world(runtime, SVS_REFRESH_AUTO);
    svs_graph *graph = support_graph(world, SVS_ALGORITHM_WINDOWED);
    item items[ITEMS];
    svs_task *task;
    memset(&shared, 0, sizeof shared);
    EXPLORE_CHECK(svs_space_new(world, "cells", CELLS, &shared.cells) == SVS_OK);
    draft(items, ITEMS);
    items[explore_below(ITEMS)].ends = true;
    task = add(graph, SVS_ALGORITHM_WINDOWED, items, ITEMS);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == FAILED);
    EXPLORE_CHECK(ran(ITEMS) <= ITEMS);
    memset(shared.ran, 0, sizeof shared.ran);
    draft(items, ITEMS);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, ITEMS, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(ran(ITEMS) == ITEMS);
    support_end(runtime, world, shared.cells, graph);
}

/* The guests conflict with some of the items. */
static void wanted(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_world *world = support_world(runtime, SVS_REFRESH_AUTO);
    svs_graph *graph = support_graph(world, SVS_ALGORITHM_WINDOWED);
    item items[ITEMS], guests[GUESTS];
    svs_task *first, *second;
    memset(&shared, 0, sizeof shared);
    EXPLORE_CHECK(svs_space_new(world, "cells", CELLS, &shared.cells) == SVS_OK);
    draft(items, ITEMS);
    for (uint32_t i = 0; i < GUESTS; i++) guests[i] = (item){.number = ITEMS + i, .cell = i};
    first = add(graph, SVS_ALGORITHM_WINDOWED, items, ITEMS);
    second = add(graph, explore_below(2) ? SVS_ALGORITHM_PROGRESSIVE : SVS_ALGORITHM_WINDOWED,
                 guests, GUESTS);
    EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(ran(ITEMS + GUESTS) == ITEMS + GUESTS);
    support_end(runtime, world, shared.cells, graph);
}

const explore_scenario explore_at_once_cancelled = {
    "at_once_cancelled", cancelled, 1, 4000, "an item that a window keeps after a cancelled run"};
const explore_scenario explore_at_once_wanted = {
    "at_once_wanted", wanted, 1, 4000,
    "an instance beside a lease, or one that waits for ever, while windows are made at once"};
