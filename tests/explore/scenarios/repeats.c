/* Windows with items that are not plain or that walk links, which bodies change: the instances of
 * each cell and each node run in the order that one worker gives them (sched.W9), whoever makes the
 * windows, and whether they are made ahead or not. */
#include "explore/scenarios/support.h"
#include "explore/scenarios/visited.h"
#include <string.h>

#define ITEMS 28u /* of a long run: six windows are full */
#define FEW 21u   /* four windows are full, and two halves follow (sched.W19) */
#define CELLS 4u
#define NODES 5u

typedef struct item {
    uint32_t number, cells[2], count;
    bool odd;          /* it may write everything, and waits among the deferred */
    node *from, *next; /* or NULL: it walks from a node, and links it to the other */
} item;

typedef struct outcome {
    uint64_t of_cell[CELLS], of_node[NODES]; /* of the numbers of its items, in their order */
} outcome;

static struct {
    svs_space *cells;
    node *nodes[NODES];
    outcome digest;
    uint32_t ran[ITEMS];
} shared;

static uint32_t item_count; /* of a run */

static void item_touch(svs_footprint *f, const item *i) {
    for (uint32_t k = 0; k < i->count; k++) svs_writes_at(f, shared.cells, i->cells[k]);
    if (i->odd) svs_writes_everything(f);
    if (i->from) svs_writes_hops(f, &i->from->svs, 1);
}

static void add(uint64_t *digest, const item *i) {
    explore_wrote(digest);
    *digest = *digest * 31 + i->number + 1;
}

static svs_status item_run(svs_context *context, item *i) {
    (void)context;
    for (uint32_t k = 0; k < i->count; k++) add(&shared.digest.of_cell[i->cells[k]], i);
    for (uint32_t k = 0; k < NODES && i->from; k++)
        if (shared.nodes[k] == i->from || shared.nodes[k] == i->from->next)
            add(&shared.digest.of_node[k], i);
    shared.ran[i->number]++;
    return i->from ? svs_link(i->from, next, i->next) : SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

/* Of four items in a row that are of one cell, two are left over, since there are two colours.
 * `hot`: a bit for each four. */
static void draft(item *items, uint32_t hot, uint32_t odd, uint32_t walk) {
    for (uint32_t i = 0; i < item_count; i++) {
        uint32_t cell = hot >> i / 4 & 1 ? i / 4 % 3 : i % CELLS;
        items[i] = (item){.number = i, .cells = {cell, CELLS - 1}, .odd = odd >> i & 1};
        items[i].count = i % 5 ? 1 : 2;
        if (!(walk >> i & 1)) continue;
        items[i].count = i % 2;
        items[i].from = shared.nodes[i % 3];
        items[i].next = i % 4 ? shared.nodes[3 + i % 2] : NULL;
    }
}

static outcome run_items(uint32_t threads, uint32_t hot, uint32_t odd, uint32_t walk) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    svs_world *world = support_world(runtime, SVS_REFRESH_AUTO);
    svs_graph *graph = support_graph(world, SVS_ALGORITHM_WINDOWED);
    svs_task *task;
    item items[ITEMS];
    memset(&shared, 0, sizeof shared);
    EXPLORE_CHECK(svs_space_new(world, "cells", CELLS, &shared.cells) == SVS_OK);
    make_chains(world, shared.nodes, NODES);
    draft(items, hot, odd, walk);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &item_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, item_count, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < item_count; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(runtime, world, shared.cells, graph);
    return shared.digest;
}

/* Up to `most` of the items, or all of the first or second window. */
static uint32_t draw(uint32_t most) {
    uint32_t drawn = 0;
    if (explore_below(4) == 0) return 0xfu << 4 * explore_below(2);
    for (uint32_t i = explore_below(most + 1); i-- != 0;) drawn |= 1u << explore_below(item_count);
    return drawn;
}

static void repeats_on(uint32_t threads, uint32_t items) {
    uint32_t hot, odd, walk;
    item_count = items;
    hot = explore_below(1u << ITEMS / 4);
    odd = draw(3);
    walk = explore_below(2) ? draw(7) : 0;
    outcome one = run_items(1, hot, odd, walk), several = run_items(threads, hot, odd, walk);
    EXPLORE_CHECK(memcmp(&one, &several, sizeof one) == 0);
}

static void repeats(void) { repeats_on(2, FEW); }
static void repeats_three(void) { repeats_on(3, FEW); }
static void repeats_long(void) { repeats_on(2, ITEMS); }

const explore_scenario explore_repeats = {
    "repeats", repeats, 1, 16000, "an order of instances that depends on when a window is made"};
const explore_scenario explore_repeats_three = {"repeats_three", repeats_three, 1, 4000,
                                                "the same with three workers"};
const explore_scenario explore_repeats_long = {
    "repeats_long", repeats_long, 1, 1000,
    "the same with windows that follow others in their chain"};
