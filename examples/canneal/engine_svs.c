/* The same swaps without a lock: one task draws the pairs of a step and sends them, the other
 * performs the swaps. An instance performs a few swaps in sequence and declares writes of their
 * elements, so instances with a common element never run in parallel. With --exact it also declares
 * reads of the elements at the other ends of the wires: then no neighbour moves during a swap, and
 * the result is serializable. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <svs/check.h>
#include <svs/svs.h>

#include "annealing.h"

#define SENT_AT_ONCE 8u
#define CHUNK_MIN 8u
#define CHUNK_MAX 32u
#define SWAPS_AT_ONCE 64u /* of all threads, with few conflicts */

typedef struct svs_engine {
    svs_runtime *runtime;
    svs_world *world;
    svs_space *elements;
    svs_graph *graph;
    svs_task *draw, *swap;
    swap_pair *pairs; /* of a step */
} svs_engine;

/* The item of an instance: swaps first .. first + count - 1 of the step, and their pairs. */
typedef struct {
    annealing *anneal;
    const swap_pair *pairs;
    uint32_t first, count;
} swap_item;

static void swap_touch(svs_footprint *f, const swap_item *item) {
    const svs_engine *state = item->anneal->engine_state;
    for (uint32_t i = 0; i < item->count; i++) {
        svs_writes_at(f, state->elements, item->pairs[i].a);
        svs_writes_at(f, state->elements, item->pairs[i].b);
    }
}

static void read_neighbours(svs_footprint *f, const annealing *anneal, uint32_t element) {
    const netlist *nets = anneal->place.nets;
    const svs_engine *state = anneal->engine_state;
    for (uint32_t i = nets->first[element]; i < nets->first[element + 1]; i++)
        svs_reads_at(f, state->elements, nets->neighbours[i]);
}

static void exact_swap_touch(svs_footprint *f, const swap_item *item) {
    swap_touch(f, item);
    for (uint32_t i = 0; i < item->count; i++) {
        read_neighbours(f, item->anneal, item->pairs[i].a);
        read_neighbours(f, item->anneal, item->pairs[i].b);
    }
}

static svs_status swap_run(svs_context *context, swap_item *item) {
    tally *mine = &item->anneal->tallies[svs_context_worker(context)];
    for (uint32_t i = 0; i < item->count; i++)
        annealing_swap(item->anneal, item->pairs[i], item->first + i, mine);
    return SVS_OK;
}

SVS_TASK_NAMED(swap, swap_item, swap_run, swap_touch)
SVS_TASK_NAMED(exact_swap, swap_item, swap_run, exact_swap_touch)

typedef struct {
    annealing *anneal;
} draw_item;

/* It declares nothing: it writes only the pairs that it sends, which no other instance has before.
 */
static void draw_touch(svs_footprint *f, const draw_item *item) {
    (void)f;
    (void)item;
}

/* Draws the pairs of a few swaps. */
static swap_item draw_some(annealing *anneal, uint32_t first) {
    const svs_engine *state = anneal->engine_state;
    uint32_t left = anneal->options.swaps - first, chunk = anneal->options.chunk;
    swap_item item = {anneal, state->pairs + first, first, left < chunk ? left : chunk};
    for (uint32_t i = first; i < first + item.count; i++)
        state->pairs[i] = annealing_pair(anneal, i);
    return item;
}

static svs_status draw_run(svs_context *context, draw_item *item) {
    annealing *anneal = item->anneal;
    const svs_engine *state = anneal->engine_state;
    swap_item items[SENT_AT_ONCE];
    svs_status status = SVS_OK;
    for (uint32_t first = 0; first < anneal->options.swaps && !status;) {
        uint32_t count = 0;
        for (; count < SENT_AT_ONCE && first < anneal->options.swaps; count++) {
            items[count] = draw_some(anneal, first);
            first += items[count].count;
        }
        status = swap_send(context, state->swap, items, count);
    }
    return status;
}

SVS_TASK_NAMED(draw, draw_item, draw_run, draw_touch)

/* For the race check: registers the locations of elements and the counters of each worker. */
static svs_status tell_check(const annealing *anneal, const svs_engine *state) {
    svs_status status =
        svs_check_index_range(state->elements, 0, anneal->place.at, sizeof *anneal->place.at,
                              anneal->place.nets->locations, "location");
    if (status) return status;
    return svs_check_worker_range(anneal->tallies, sizeof *anneal->tallies, anneal->options.threads,
                                  "tally");
}

static svs_status make_world(annealing *anneal, svs_engine *state) {
    const annealing_options *options = &anneal->options;
    svs_runtime_options runtime;
    svs_runtime_options_init(&runtime);
    runtime.threads = options->threads;
    svs_status status = svs_runtime_new(&runtime, &state->runtime);
    if (!status) status = svs_runtime_start(state->runtime);
    if (status) return status;
    svs_world_options world;
    svs_world_options_init(&world);
    if (options->signature_bits) world.signature_bits = options->signature_bits;
    if (options->cell_bits >= 0) world.cell_bits = (uint32_t)options->cell_bits;
    status = svs_world_new(state->runtime, &world, &state->world);
    if (status) return status;
    status =
        svs_space_new(state->world, "elements", anneal->place.nets->locations, &state->elements);
    return status ? status : tell_check(anneal, state);
}

static svs_status make_graph(annealing *anneal, svs_engine *state) {
    const annealing_options *options = &anneal->options;
    svs_graph_options graph;
    svs_graph_options_init(&graph);
    graph.name = "canneal";
    graph.algorithm = options->progressive ? SVS_ALGORITHM_PROGRESSIVE : SVS_ALGORITHM_STAGED;
    svs_status status = svs_graph_new(state->world, &graph, &state->graph);
    const draw_item all = {anneal};
    if (!status)
        status = svs_graph_add_transform(state->graph, &draw_task, &all, NULL, &state->draw);
    const svs_task_type *swap = options->exact ? &exact_swap_task : &swap_task;
    if (!status) status = svs_graph_add_itemizer(state->graph, swap, NULL, &state->swap);
    if (!status) status = svs_graph_add_flow(state->graph, state->draw, state->swap);
    return status;
}

static const char *explain(annealing *anneal, svs_status status, const char *text) {
    if (!status) return NULL;
    snprintf(anneal->error, sizeof anneal->error, "%s: %s", svs_status_name(status), text);
    return anneal->error;
}

/* A larger chunk has less overhead per swap, but locks out more elements for other instances. */
static uint32_t best_chunk(uint32_t threads) {
    uint32_t chunk = SWAPS_AT_ONCE / threads;
    return chunk < CHUNK_MIN ? CHUNK_MIN : chunk > CHUNK_MAX ? CHUNK_MAX : chunk;
}

static const char *start(annealing *anneal) {
    svs_engine *state = calloc(1, sizeof *state);
    anneal->engine_state = state;
    if (!state) return "out of memory";
    if (!anneal->options.chunk) anneal->options.chunk = best_chunk(anneal->options.threads);
    state->pairs = malloc(anneal->options.swaps * sizeof *state->pairs);
    if (!state->pairs) return "out of memory";
    svs_status status = make_world(anneal, state);
    if (!status) status = make_graph(anneal, state);
    return explain(anneal, status, svs_status_text(status));
}

static const char *step(annealing *anneal) {
    svs_engine *state = anneal->engine_state;
    svs_report report;
    svs_status status = svs_graph_run(state->graph, 1, &report);
    return status ? explain(anneal, status, report.text) : NULL;
}

static void describe(annealing *anneal, char *text, size_t size) {
    const svs_engine *state = anneal->engine_state;
    svs_graph_statistics s;
    svs_world_statistics world;
    if (svs_graph_statistics_get(state->graph, &s) ||
        svs_world_statistics_get(state->world, &world))
        return;
    snprintf(text, size,
             " algorithm=%s chunk=%" PRIu32 " exact=%d instances=%" PRIu64 " stages=%" PRIu64
             " width=%.1f deferrals=%" PRIu64 " deferrals_true=%" PRIu64 " deferrals_hash=%" PRIu64
             " deferrals_master=%" PRIu64 " deferrals_stale=%" PRIu64 " running_max=%" PRIu64
             " refreshes=%" PRIu64,
             anneal->options.progressive ? "progressive" : "staged", anneal->options.chunk,
             anneal->options.exact, s.instances, s.stages,
             s.stages ? (double)s.staged_instances / (double)s.stages : 0.0, s.deferrals,
             s.deferrals_true, s.deferrals_hash, s.deferrals_master, s.deferrals_stale,
             s.running_max, world.refreshes);
}

static void stop(annealing *anneal) {
    svs_engine *state = anneal->engine_state;
    if (!state) return;
    if (svs_graph_free(state->graph) || svs_space_free(state->elements) ||
        svs_world_free(state->world) || svs_runtime_free(state->runtime))
        fputs("canneal: the engine could not free its graph, world and runtime\n", stderr);
    free(state->pairs);
    free(state);
}

const annealing_engine engine_svs = {0, start, step, describe, stop};
