/* The same passes without a lock. An index of a space identifies each block with its cells and
 * particles, and an instance of a pass declares the blocks that it writes.
 *
 *   number --sends--> gather ==> densities ==> finish ==> forces ==> advance
 *
 * ==> is an explicit dependency. There may be many more blocks than threads. In the pair passes,
 * adjacent blocks never run in parallel, and the other passes need no exclusion. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <svs/svs.h>

#include "simulation.h"

enum { PASS_GATHER, PASS_DENSITIES, PASS_FINISH, PASS_FORCES, PASS_ADVANCE, PASSES };

typedef struct svs_engine svs_engine;

/* The item of an instance. */
typedef struct {
    svs_engine *engine;
    uint32_t block;
} block_item;

struct svs_engine {
    fluid *what;
    svs_runtime *runtime;
    svs_world *world;
    svs_space *blocks;
    svs_graph *graph;
    svs_task *number, *pass[PASSES];
    block_item *items; /* the items of each pass */
};

static void own_touch(svs_footprint *f, const block_item *item) {
    svs_writes_at(f, item->engine->blocks, item->block);
}

static void pairs_touch(svs_footprint *f, const block_item *item) {
    uint32_t reach[FLUID_REACH_MAX];
    uint32_t count = fluid_block_reach(item->engine->what, item->block, reach);
    for (uint32_t i = 0; i < count; i++) svs_writes_at(f, item->engine->blocks, reach[i]);
}

#define PASS(name_, touch_)                                                                        \
    static svs_status name_##_run(svs_context *context, block_item *item) {                        \
        (void)context;                                                                             \
        fluid_##name_(item->engine->what, item->block);                                            \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK_NAMED(name_, block_item, name_##_run, touch_)
PASS(gather, own_touch)
PASS(densities, pairs_touch)
PASS(finish, own_touch)
PASS(forces, pairs_touch)
PASS(advance, own_touch)

typedef struct {
    svs_engine *engine;
} number_item;

static svs_status number_run(svs_context *context, number_item *item) {
    svs_engine *e = item->engine;
    svs_status status = SVS_OK;
    fluid_number(e->what);
    for (int p = 0; p < PASSES && !status; p++)
        status = svs_send(context, e->pass[p], e->items, e->what->blocks, sizeof *e->items);
    return status;
}

/* It gives each cell its place, for all blocks at once. */
SVS_TASK_ALONE(number, number_item, number_run)

static svs_status make_world(const simulation *sim, svs_engine *e) {
    svs_runtime_options runtime;
    svs_runtime_options_init(&runtime);
    runtime.threads = sim->options.threads;
    svs_status status = svs_runtime_new(&runtime, &e->runtime);
    if (!status) status = svs_runtime_start(e->runtime);
    if (!status) status = svs_world_new(e->runtime, NULL, &e->world);
    if (!status) status = svs_space_new(e->world, "blocks", e->what->blocks, &e->blocks);
    return status;
}

static svs_status add_passes(svs_engine *e) {
    static const svs_task_type *const types[PASSES] = {&gather_task, &densities_task, &finish_task,
                                                       &forces_task, &advance_task};
    svs_status status = SVS_OK;
    for (int p = 0; p < PASSES && !status; p++) {
        status = svs_graph_add_itemizer(e->graph, types[p], NULL, &e->pass[p]);
        if (!status) status = svs_graph_add_flow(e->graph, e->number, e->pass[p]);
        if (!status && p > 0) status = svs_graph_add_order(e->graph, e->pass[p - 1], e->pass[p]);
    }
    return status;
}

static svs_status make_graph(const simulation *sim, svs_engine *e) {
    const number_item item = {e};
    svs_graph_options graph;
    svs_graph_options_init(&graph);
    graph.name = "fluidanimate";
    graph.algorithm = sim->options.progressive ? SVS_ALGORITHM_PROGRESSIVE : SVS_ALGORITHM_STAGED;
    svs_status status = svs_graph_new(e->world, &graph, &e->graph);
    if (!status) status = svs_graph_add_transform(e->graph, &number_task, &item, NULL, &e->number);
    if (!status) status = add_passes(e);
    return status;
}

static const char *explain(simulation *sim, svs_status status, const char *text) {
    if (!status) return NULL;
    snprintf(sim->error, sizeof sim->error, "%s: %s", svs_status_name(status), text);
    return sim->error;
}

/* Several blocks a worker: of those that touch, one runs at a time. */
static void choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z) {
    uint32_t threads = sim->options.threads;
    *x = 1 + threads / 16;
    *z = threads > 4 ? 4 * threads : 16;
}

static const char *start(simulation *sim) {
    svs_engine *e = calloc(1, sizeof *e);
    sim->engine_state = e;
    if (!e) return "out of memory";
    e->what = sim->what;
    e->items = calloc(e->what->blocks, sizeof *e->items);
    if (!e->items) return "out of memory";
    for (uint32_t b = 0; b < e->what->blocks; b++) e->items[b] = (block_item){e, b};
    svs_status status = make_world(sim, e);
    if (!status) status = make_graph(sim, e);
    return explain(sim, status, svs_status_text(status));
}

static const char *frame(simulation *sim) {
    svs_engine *e = sim->engine_state;
    svs_report report;
    svs_status status = svs_graph_run(e->graph, 1, &report);
    return status ? explain(sim, status, report.text) : NULL;
}

static void describe(simulation *sim, char *text, size_t size) {
    const svs_engine *e = sim->engine_state;
    svs_graph_statistics s;
    svs_world_statistics world;
    if (svs_graph_statistics_get(e->graph, &s) || svs_world_statistics_get(e->world, &world))
        return;
    snprintf(text, size,
             " algorithm=%s instances=%" PRIu64 " stages=%" PRIu64 " width=%.1f deferrals=%" PRIu64
             " deferrals_true=%" PRIu64 " deferrals_hash=%" PRIu64 " deferrals_master=%" PRIu64
             " deferrals_stale=%" PRIu64 " running_max=%" PRIu64 " refreshes=%" PRIu64,
             sim->options.progressive ? "progressive" : "staged", s.instances, s.stages,
             s.stages ? (double)s.staged_instances / (double)s.stages : 0.0, s.deferrals,
             s.deferrals_true, s.deferrals_hash, s.deferrals_master, s.deferrals_stale,
             s.running_max, world.refreshes);
}

static void stop(simulation *sim) {
    svs_engine *e = sim->engine_state;
    if (!e) return;
    if (svs_graph_free(e->graph) || svs_space_free(e->blocks) || svs_world_free(e->world) ||
        svs_runtime_free(e->runtime))
        fputs("fluidanimate: the engine could not free its graph, world and runtime\n", stderr);
    free(e->items);
    free(e);
}

const simulation_engine engine_svs = {choose_blocks, start, frame, describe, stop};
