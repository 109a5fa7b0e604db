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
    svs_runtime *runtime;
    svs_world *world;
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

/* With a few items of one cell, which are left over. */
static void draft(item *items, uint32_t count) {
    uint32_t hot = explore_below(1u << count / 4);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (item){.number = i, .cell = hot >> i / 4 & 1 ? 0 : i % CELLS};
}

static svs_graph *open_graph(void) {
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.cells) == SVS_OK);
    return support_graph(shared.world, SVS_ALGORITHM_WINDOWED);
}

static void run_all(svs_graph *graph, uint32_t count) {
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < count; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(shared.runtime, shared.world, shared.cells, graph);
}

/* After the failure nothing is left: the next run has its own items only. */
static void cancelled(void) {
    svs_graph *graph = open_graph();
    uint32_t last = explore_below(ITEMS);
    item items[ITEMS];
    svs_task *task;
    draft(items, ITEMS);
    items[last].ends = true;
    task = support_task(graph, &item_task, SVS_ALGORITHM_WINDOWED, items, ITEMS, sizeof *items);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == FAILED);
    EXPLORE_CHECK(shared.ran[last] == 1);
    memset(shared.ran, 0, sizeof shared.ran);
    draft(items, ITEMS);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, ITEMS, sizeof *items) == SVS_OK);
    run_all(graph, ITEMS);
}

/* The guests conflict with some of the items. */
static void wanted(void) {
    svs_graph *graph = open_graph();
    svs_algorithm other = explore_below(2) ? SVS_ALGORITHM_PROGRESSIVE : SVS_ALGORITHM_WINDOWED;
    item items[ITEMS], guests[GUESTS];
    svs_task *first, *second;
    draft(items, ITEMS);
    for (uint32_t i = 0; i < GUESTS; i++) guests[i] = (item){.number = ITEMS + i, .cell = i};
    first = support_task(graph, &item_task, SVS_ALGORITHM_WINDOWED, items, ITEMS, sizeof *items);
    second = support_task(graph, &item_task, other, guests, GUESTS, sizeof *guests);
    EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    run_all(graph, ITEMS + GUESTS);
}

const explore_scenario explore_at_once_cancelled = {
    "at_once_cancelled", cancelled, 1, 4000, "an item that a window keeps after a cancelled run"};
const explore_scenario explore_at_once_wanted = {
    "at_once_wanted", wanted, 1, 4000,
    "an instance alongside a lease, or one that waits for ever, while windows are made"};
