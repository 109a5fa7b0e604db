/* A stage that is run while it is made: what is offered early runs once, together with nothing that
 * it conflicts with, and the stage ends after the last (sched.P2 to sched.P4). */
#include "explore/scenarios/support.h"
#include <string.h>

#define FIRST 18u /* more than what is worth offering, in one batch */
#define MORE 4u
#define ITEMS (FIRST + MORE)
#define CELLS 20u /* so that the last ones conflict with the first */

static struct {
    svs_world *world;
    svs_space *space;
    svs_task *first, *second;
    uint32_t ran[ITEMS], cells[CELLS];
    _Atomic(uint32_t) inside[CELLS];
} shared;

typedef struct step {
    uint32_t number;
} step;

static void step_touch(svs_footprint *f, const step *s) {
    svs_writes_at(f, shared.space, s->number % CELLS);
}
static svs_status step_run(svs_context *x, step *s) {
    uint32_t cell = s->number % CELLS;
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.inside[cell], 1) == 0);
    explore_wrote(&shared.cells[cell]);
    shared.cells[cell]++;
    explore_wrote(&shared.ran[s->number]);
    EXPLORE_CHECK(shared.ran[s->number]++ == 0);
    EXPLORE_CHECK(svs__fetch_sub_relaxed(&shared.inside[cell], 1) == 1);
    return SVS_OK;
}
SVS_TASK(step, step_run, step_touch)

/* Two tasks in one domain, so that their items come in two batches. */
static svs_graph *build(void) {
    step items[ITEMS];
    svs_graph *graph = support_graph(shared.world, SVS_ALGORITHM_STAGED);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &step_task, NULL, &shared.first) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &step_task, NULL, &shared.second) == SVS_OK);
    for (uint32_t i = 0; i < ITEMS; i++) items[i].number = i;
    EXPLORE_CHECK(svs_graph_send(graph, shared.first, items, FIRST, sizeof *items) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, shared.second, items + FIRST, MORE, sizeof *items) ==
                  SVS_OK);
    return graph;
}

static void make_world(svs_runtime *runtime) {
    svs_world_options options = support_world_options(64, 12); /* so that no cells collide */
    shared.world = support_world_with(runtime, &options);
    EXPLORE_CHECK(svs_space_new(shared.world, "cells", CELLS, &shared.space) == SVS_OK);
}

static void offered(void) {
    svs_runtime *runtime;
    svs_graph *graph;
    memset(&shared, 0, sizeof shared);
    runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    make_world(runtime);
    graph = build();
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < ITEMS; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    support_end(runtime, shared.world, shared.space, graph);
}

const explore_scenario explore_offered = {
    "offered", offered, 1, 2000,
    "an instance of a stage that is lost or run twice while it is made"};
