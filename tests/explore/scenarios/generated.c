/* Items that are made when they are taken (sched.I11): each is made once, by the worker that takes
 * it, before it runs, and runs once, with items that were sent before and after it. If footprints
 * follow links, workers make the items of chunks (sched.W15). A few fill a batch (sched.I2), and
 * there may be no memory for more of these. A body may fail: then what is not made does not run. */
#include "base/memory.h"
#include "explore/scenarios/support.h"
#include "memobj/world.h"
#include "sched/admission/memory.h"
#include <string.h>

#define BEFORE 4u /* fill the first window, which is not a walked one */
#define ITEMS 13u /* odd: the last window has a row that is in none of its chunks */
#define CELLS 2u
#define STATUS 7
#define BATCH_ALIGNMENT 32768u

typedef struct thing {
    svs_object svs;
    struct thing *next;
} thing;
SVS_TYPE(thing, svs, next)

static struct {
    svs_space *space;
    thing *things[CELLS];        /* NULL: the footprints follow no links */
    uint32_t cells[CELLS], used; /* number of cells in use: with one, windows end early */
    uint32_t generated;          /* number of generated items */
    uint32_t made[ITEMS];
    _Atomic(uint32_t) ran[ITEMS];
    uint32_t fails_at;        /* ITEMS: none */
    _Atomic(uint32_t) scarce; /* there is no memory for batches */
} shared;

typedef struct item {
    uint32_t number;
    char bytes[10000]; /* three to a batch */
} item;

static void item_touch(svs_footprint *f, const item *i) {
    uint32_t cell = i->number % shared.used;
    if (shared.things[cell]) svs_writes_hops(f, &shared.things[cell]->svs, 1);
    else svs_writes_at(f, shared.space, cell);
}
static svs_status item_run(svs_context *x, item *i) {
    explore_read(&shared.made[i->number]);
    EXPLORE_CHECK(shared.made[i->number] == 1);
    /* relaxed: a count. */
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.ran[i->number], 1) == 0);
    explore_wrote(&shared.cells[i->number % shared.used]);
    shared.cells[i->number % shared.used]++;
    return i->number == shared.fails_at ? (svs_status)STATUS : SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static void make_items(void *items, uint32_t first, uint32_t count, void *argument) {
    item *made = items;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = BEFORE + first + i;
        EXPLORE_CHECK(number < BEFORE + shared.generated);
        explore_wrote(&shared.made[number]);
        shared.made[number]++;
        made[i].number = number;
    }
}

static void send(svs_graph *graph, svs_task *task, uint32_t from, uint32_t to) {
    static item one;
    for (one.number = from; one.number < to; one.number++) {
        shared.made[one.number] = 1;
        EXPLORE_CHECK(svs_graph_send(graph, task, &one, 1, sizeof one) == SVS_OK);
    }
}

static void *allocate(size_t size, size_t alignment, uint32_t worker, void *argument) {
    /* relaxed: set before the run. */
    if (alignment == BATCH_ALIGNMENT && svs__load_relaxed(&shared.scarce)) return NULL;
    return svs__allocate(&svs__allocator_libc, size, alignment);
}

static void release(void *memory, size_t size, size_t alignment, uint32_t worker, void *argument) {
    svs__release(&svs__allocator_libc, memory, size, alignment);
}

static void check_run(svs_status status) {
    bool failed =
        svs__load_relaxed(&shared.ran[shared.fails_at % ITEMS]) != 0 && shared.fails_at < ITEMS;
    EXPLORE_CHECK(status == (failed ? (svs_status)STATUS : SVS_OK));
    for (uint32_t i = 0; i < ITEMS && !failed; i++)
        EXPLORE_CHECK(svs__load_relaxed(&shared.ran[i]) == 1); /* relaxed: the run has ended */
}

static void make_things(svs_world *world) {
    for (uint32_t i = 0; i < CELLS; i++) {
        thing *next;
        EXPLORE_CHECK(SVS_NEW(world, thing, &shared.things[i]) == SVS_OK);
        EXPLORE_CHECK(SVS_NEW(world, thing, &next) == SVS_OK);
        EXPLORE_CHECK(svs_link(shared.things[i], next, next) == SVS_OK);
    }
}

static void generated(void) {
    svs_runtime_options options = support_runtime_options(support_any_policy(), 2);
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    memset(&shared, 0, sizeof shared);
    shared.generated = explore_below(2) ? 6 : ITEMS - BEFORE;
    shared.used = 1 + explore_below(CELLS);
    shared.fails_at = explore_below(2) ? ITEMS : explore_below(ITEMS);
    options.allocator = (svs_allocator){allocate, release, NULL};
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    world = support_world(runtime, SVS_REFRESH_MANUAL);
    EXPLORE_CHECK(svs_space_new(world, "cells", CELLS, &shared.space) == SVS_OK);
    if (explore_below(2)) make_things(world);
    graph = support_graph(world, support_any_algorithm());
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &item_task, NULL, &task) == SVS_OK);
    send(graph, task, 0, BEFORE);
    EXPLORE_CHECK(svs_graph_generate(graph, task, make_items, NULL, shared.generated,
                                     sizeof(item)) == SVS_OK);
    send(graph, task, BEFORE + shared.generated, ITEMS);
    svs__store_relaxed(&shared.scarce, explore_below(3) == 0);
    check_run(svs_graph_run(graph, 1, NULL));
    support_end(runtime, world, shared.space, graph);
}

const explore_scenario explore_generated = {
    "generated", generated, 0, 6000, "items that are made twice, not at all, or after they run"};
