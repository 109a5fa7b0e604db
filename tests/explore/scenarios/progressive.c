/* The progressive algorithm beside another one in a world. Sets have two elements in orders that
 * cross, and one set is everything. */
#include "explore/scenarios/support.h"
#include <string.h>

#define CELLS 3u
#define ITEMS 4u
#define WRITER 16u

typedef struct item {
    uint8_t number, first, second;
    bool reads, all;
} item;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    uint32_t cells[CELLS], ran[2 * ITEMS];
    _Atomic(uint32_t) inside[CELLS]; /* readers + WRITER * writers */
} shared;

static void enter(uint32_t cell, bool reads) {
    uint32_t met = svs__fetch_add_relaxed(&shared.inside[cell], reads ? 1 : WRITER);
    EXPLORE_CHECK(reads ? met < WRITER : met == 0);
    if (reads) {
        explore_read(&shared.cells[cell]);
    } else {
        explore_wrote(&shared.cells[cell]);
        shared.cells[cell]++;
    }
}
static void leave(uint32_t cell, bool reads) {
    (void)svs__fetch_sub_relaxed(&shared.inside[cell], reads ? 1 : WRITER);
}

static void item_touch(svs_footprint *f, const item *i) {
    if (i->all) {
        svs_writes_everything(f);
        return;
    }
    if (i->reads) svs_reads_at(f, shared.space, i->first);
    else svs_writes_at(f, shared.space, i->first);
    svs_writes_at(f, shared.space, i->second);
}
static svs_status item_run(svs_context *x, item *i) {
    (void)x;
    enter(i->first, i->reads);
    enter(i->second, false);
    explore_wrote(&shared.ran[i->number]);
    EXPLORE_CHECK(shared.ran[i->number]++ == 0);
    leave(i->second, false);
    leave(i->first, i->reads);
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static svs_task *add(svs_graph *graph, svs_algorithm algorithm, uint32_t first, bool all) {
    item items[ITEMS];
    svs_task *task;
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &item_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, algorithm) == SVS_OK);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t one = (first + i) % CELLS, other = (one + 1 + i % 2) % CELLS;
        items[i] = (item){(uint8_t)(first + i), (uint8_t)one, (uint8_t)other, i % 3 == 0,
                          all && i == ITEMS - 1};
    }
    EXPLORE_CHECK(svs_graph_send(graph, task, items, ITEMS, sizeof *items) == SVS_OK);
    return task;
}

static void beside(svs_algorithm other, uint32_t threads) {
    svs_graph *graph;
    svs_task *first, *second;
    bool all = explore_below(3) == 0;
    memset(&shared, 0, sizeof shared);
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    shared.world = support_world(shared.runtime, SVS_REFRESH_AUTO);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.space) == SVS_OK);
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    first = add(graph, SVS_ALGORITHM_PROGRESSIVE, 0, false);
    second = add(graph, other, ITEMS, all);
    EXPLORE_CHECK(svs_graph_set_independent(graph, first, second) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < 2 * ITEMS; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(shared.runtime, shared.world, shared.space, graph);
}

static void progressive_staged(void) { beside(SVS_ALGORITHM_STAGED, 2); }
static void progressive_windowed(void) { beside(SVS_ALGORITHM_WINDOWED, 2); }
static void progressive_two(void) { beside(SVS_ALGORITHM_PROGRESSIVE, 2); }
static void progressive_three(void) { beside(SVS_ALGORITHM_PROGRESSIVE, 3); }

const explore_scenario explore_progressive_staged = {
    "progressive_staged", progressive_staged, 1, 5000,
    "a cell that is taken twice or never free, between the lock and those without"};
const explore_scenario explore_progressive_windowed = {"progressive_windowed", progressive_windowed,
                                                       1, 5000, "the same beside windows"};
const explore_scenario explore_progressive_two = {
    "progressive_two", progressive_two, 1, 5000,
    "a part of a set that one gives back while the other searches"};
const explore_scenario explore_progressive_three = {
    "progressive_three", progressive_three, 0, 5000,
    "a mark that one sets and another removes, while a third holds the cell"};
