/* Instances that complete later, by another thread: nothing that conflicts runs before
 * (sched.A9, sched.S1), and the run does not end before (sched.T2). Two items fill a batch, so that
 * a batch which is retired by the end of a stage and by svs_completed() at once, and is lost, is
 * memory that is left (sched.I2). */
#include "explore/scenarios/support.h"
#include "memobj/world.h"
#include "sched/admission/memory.h"
#include "sched/domain/queue/record.h"
#include <string.h>

#define ITEMS 6u
#define CELLS 2u

typedef struct thing {
    svs_object svs;
    struct thing *next;
} thing;
SVS_TYPE(thing, svs, next)

typedef struct item {
    uint32_t number;
    char rest[SVS__BATCH_BYTES / 2 - 256];
} item;

static struct {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *space;
    thing *things[CELLS];
    bool reaches; /* held as signatures */
    uint32_t cells[CELLS], ran;
    uint32_t cell_of_later;
    _Atomic(svs_later *) later;
    _Atomic(uint32_t) started;
} shared;

static void write_cell(uint32_t cell) {
    explore_wrote(&shared.cells[cell]);
    shared.cells[cell]++;
}

static void item_touch(svs_footprint *f, const item *i) {
    if (shared.reaches) svs_writes_reach(f, &shared.things[i->number % CELLS]->svs);
    else svs_writes_at(f, shared.space, i->number % CELLS);
}
static svs_status item_run(svs_context *x, item *i) {
    write_cell(i->number % CELLS);
    if (i->number == 1) {
        svs_later *later;
        svs_status status = svs_complete_later(x, i, &later);
        if (status) return status;
        svs__store_release(&shared.later, later);
        svs__store_release(&shared.started, 1);
        svs__futex_wake(&shared.started, 1);
    }
    return SVS_OK;
}
SVS_TASK(item, item_run, item_touch)

static void *complete(void *unused) {
    (void)unused;
    while (!svs__load_acquire(&shared.started)) svs__futex_wait(&shared.started, 0);
    write_cell(1);
    EXPLORE_CHECK(svs_completed(svs__load_acquire(&shared.later), SVS_OK) == SVS_OK);
    return NULL;
}

static void open_all(void) {
    svs_world_options options = support_world_options(64, 6);
    options.refresh = SVS_REFRESH_MANUAL;
    options.examine_budget = 0;
    memset(&shared, 0, sizeof shared);
    shared.reaches = explore_below(4) == 0;
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 1 + explore_below(2));
    shared.world = support_world_with(shared.runtime, &options);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.space) == SVS_OK);
    for (uint32_t i = 0; i < CELLS && shared.reaches; i++) {
        shared.things[i] = support_object(shared.world, &thing_type);
        shared.things[i]->next = NULL;
        EXPLORE_CHECK(svs_link(shared.things[i], next,
                               (thing *)support_object(shared.world, &thing_type)) == SVS_OK);
    }
}

static void later(void) {
    static item items[ITEMS];
    svs_graph *graph;
    svs_task *task;
    svs__thread thread;
    open_all();
    for (uint32_t i = 0; i < ITEMS; i++) items[i].number = i;
    graph = support_graph(shared.world, support_any_algorithm());
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &item_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, ITEMS, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&thread, complete, NULL, 0) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    EXPLORE_CHECK(shared.cells[0] + shared.cells[1] == ITEMS + 1);
    EXPLORE_CHECK(svs__admission_is_empty(shared.world->admission));
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    svs__thread_join(&thread);
    support_end(shared.runtime, shared.world, shared.space, NULL);
}

const explore_scenario explore_later = {"later", later, 0, 4000,
                                        "an instance beside one that has not been completed"};
