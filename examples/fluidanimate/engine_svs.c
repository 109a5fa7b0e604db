/* The same passes without a lock. An item is one block. An index of a space identifies it with its
 * cells and particles, and an instance of a pass declares the blocks that it writes.
 *
 *   gather ==> densities ==> finish ==> forces ==> advance
 *
 * ==> is an explicit dependency. There may be many more blocks than threads. In the pair passes,
 * adjacent blocks never run in parallel, and the other passes need no exclusion. */
#include <stdlib.h>

#include "common/scheduled.h"
#include "simulation.h"

enum { PASS_GATHER, PASS_DENSITIES, PASS_FINISH, PASS_FORCES, PASS_ADVANCE, PASSES };

typedef struct block_item {
    fluid *of;
    const svs_space *blocks;
    uint32_t block;
} block_item;

typedef struct fluid_tasks {
    scheduled all; /* its space: the blocks */
    svs_task *pass[PASSES];
    block_item items[]; /* items of each pass */
} fluid_tasks;

static void own_touch(svs_footprint *f, const block_item *item) {
    svs_writes_at(f, item->blocks, item->block);
}

static void pairs_touch(svs_footprint *f, const block_item *item) {
    uint32_t reach[FLUID_REACH_MAX];
    uint32_t count = fluid_block_reach(item->of, item->block, reach);
    for (uint32_t i = 0; i < count; i++) svs_writes_at(f, item->blocks, reach[i]);
}

#define PASS(name_, touch_)                                                                        \
    static svs_status name_##_run(svs_context *context, block_item *item) {                        \
        (void)context;                                                                             \
        fluid_##name_(item->of, item->block);                                                      \
        return SVS_OK;                                                                             \
    }                                                                                              \
    SVS_TASK(name_, block_item, name_##_run, touch_)
PASS(gather, own_touch)
PASS(densities, pairs_touch)
PASS(finish, own_touch)
PASS(forces, pairs_touch)
PASS(advance, own_touch)

static svs_status add_passes(fluid_tasks *e) {
    static const svs_task_type *const types[PASSES] = {&gather_task, &densities_task, &finish_task,
                                                       &forces_task, &advance_task};
    svs_status status = SVS_OK;
    for (int p = 0; p < PASSES && !status; p++) {
        status = svs_graph_add_itemizer(e->all.graph, types[p], NULL, &e->pass[p]);
        if (!status && p) status = svs_graph_add_order(e->all.graph, e->pass[p - 1], e->pass[p]);
    }
    return status;
}

/* Several blocks a worker, because adjacent blocks do not run at the same time. */
static void choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z) {
    uint32_t threads = sim->options.threads;
    *x = 1 + threads / 16;
    *z = threads > 4 ? 4 * threads : 16;
}

static const char *start(simulation *sim) {
    uint32_t count = sim->what->blocks;
    fluid_tasks *e = sim->engine_state = calloc(1, sizeof *e + count * sizeof *e->items);
    scheduled_options with;
    if (!e) return "out of memory";
    scheduled_options_init(&with, "fluidanimate", sim->options.threads, sim->options.algorithm);
    with.space = "blocks";
    with.indices = count;
    svs_status status = scheduled_open(&e->all, &with);
    if (!status) status = add_passes(e);
    for (uint32_t b = 0; b < count; b++) e->items[b] = (block_item){sim->what, e->all.space, b};
    return scheduled_error(&e->all, status);
}

static const char *frame(simulation *sim) {
    fluid_tasks *e = sim->engine_state;
    svs_status status = SVS_OK;
    fluid_number(sim->what);
    for (int p = 0; p < PASSES && !status; p++)
        status =
            svs_graph_send(e->all.graph, e->pass[p], e->items, sim->what->blocks, sizeof *e->items);
    return status ? scheduled_error(&e->all, status) : scheduled_run(&e->all);
}

static void describe(simulation *sim, char *text, size_t size) {
    scheduled_describe(sim->engine_state, text, size); /* its first member */
}

static void stop(simulation *sim) {
    fluid_tasks *e = sim->engine_state;
    if (e) scheduled_close(&e->all);
    free(e);
}

const simulation_engine engine_svs = {choose_blocks, start, frame, describe, stop};
