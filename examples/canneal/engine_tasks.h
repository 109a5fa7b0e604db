/* The tasks of the engines svs and scanned: the same swaps without a lock. An item is one swap. Its
 * instance declares writes of its two elements, so swaps with a common element never run in
 * parallel.
 *
 * The engine defines ENGINE, and TASK(name, item), which makes a task type of the body name_run;
 * after this header it defines the two functions that are declared here. */
#include <stdlib.h>
#include <svs/check.h>
#include <svs/scan.h>

#include "annealing.h"
#include "common/scheduled.h"

/* For svs scan. */
SVS_PARTS(netlist, first, neighbours)
SVS_PER_WORKER(tally)

typedef struct swap_item {
    annealing *anneal;
    const svs_space *elements;
    swap_pair pair;
    uint32_t index;
} swap_item;

typedef struct anneal_tasks {
    scheduled all; /* its space: the elements */
    svs_task *swaps;
} anneal_tasks;

static svs_status swap_run(svs_context *context, swap_item *it) {
    (void)context;
    annealing_swap(it->anneal, it->pair, it->index, &it->anneal->tallies[svs_worker_index()]);
    return SVS_OK;
}
TASK(swap, swap_item)

/* The task type that the options ask for. */
static const svs_task_type *type_for(const annealing_options *options);

/* For the race check: what is identified by its index, or belongs to a worker. */
static svs_status tell_check(const annealing *anneal, const svs_space *elements);

static const char *start(annealing *anneal) {
    const annealing_options *options = &anneal->options;
    anneal_tasks *e = calloc(1, sizeof *e);
    scheduled_options with;
    anneal->engine_state = e;
    if (!e) return "out of memory";
    scheduled_options_init(&with, "canneal", options->threads, options->algorithm);
    if (options->signature_bits) with.world.signature_bits = options->signature_bits;
    if (options->cell_bits >= 0) with.world.cell_bits = (uint32_t)options->cell_bits;
    with.space = "elements";
    with.indices = anneal->place.nets->locations;
    svs_status status = scheduled_open(&e->all, &with);
    if (!status) status = svs_graph_add_itemizer(e->all.graph, type_for(options), NULL, &e->swaps);
    if (!status) status = tell_check(anneal, e->all.space);
    return scheduled_error(&e->all, status);
}

static void make_swaps(void *items, uint32_t first, uint32_t count, void *argument) {
    annealing *anneal = argument;
    const svs_space *elements = ((anneal_tasks *)anneal->engine_state)->all.space;
    swap_item *swaps = items;
    for (uint32_t i = 0; i < count; i++)
        swaps[i] = (swap_item){anneal, elements, annealing_pair(anneal, first + i), first + i};
}

static const char *step(annealing *anneal) {
    anneal_tasks *e = anneal->engine_state;
    svs_status status = svs_graph_generate(e->all.graph, e->swaps, make_swaps, anneal,
                                           anneal->options.swaps, sizeof(swap_item));
    return status ? scheduled_error(&e->all, status) : scheduled_run(&e->all);
}

static void describe(annealing *anneal, char *text, size_t size) {
    scheduled_describe(anneal->engine_state, text, size); /* its first member */
}

static void stop(annealing *anneal) {
    anneal_tasks *e = anneal->engine_state;
    if (e) scheduled_close(&e->all);
    free(e);
}

const annealing_engine ENGINE = {0, start, step, describe, stop};
