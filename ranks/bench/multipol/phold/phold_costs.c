/* What events are compared with: FIFO fibers that do nothing, a thousand at a time. And fibers that
 * wait each for a node of a frozen graph, and that its unfreeze wakes. */
#include "multipol/program.h"
#include "phold.h"
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 1000 };

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

static svs_status create(svs_ranks *ranks, void *state) {
    uint32_t *left = state;
    svs_fiber fiber;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < BATCH && *left != 0 && status == SVS_OK; i++, --*left) {
        status = svs_fiber_new(ranks, nothing, &i, sizeof i, NULL, &fiber);
        if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    }
    if (*left == 0 || status != SVS_OK) return status;
    status = svs_fiber_continue(ranks, create, &fiber);
    return status == SVS_OK ? svs_fiber_enable(ranks, fiber) : status;
}

static svs_status run_fibers(svs_ranks *ranks, uint32_t count) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, create, &count, sizeof count, NULL, &fiber);
    if (status == SVS_OK) status = svs_fiber_enable(ranks, fiber);
    return status == SVS_OK ? svs_ranks_run(ranks, nothing, NULL) : status;
}

/* ---- nodes that wait ---- */

typedef struct sleepers {
    svs_event_graph *graph;
    svs_counter *opened; /* of each node */
    uint32_t count;
} sleepers;

static svs_status sleep_all(svs_ranks *ranks, sleepers *me) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < me->count && status == SVS_OK; i++) {
        svs_fiber fiber;
        status = svs_fiber_new(ranks, nothing, &i, sizeof i, NULL, &fiber);
        if (status == SVS_OK) status = svs_counter_wait(ranks, &me->opened[i], 1, fiber);
        if (status == SVS_OK) status = svs_event_wait(me->graph, i, SVS_EVENT_OPEN, &me->opened[i]);
        if (status == SVS_WAIT) status = SVS_OK;
    }
    return status;
}

static svs_status wake_all(svs_ranks *ranks, void *state) {
    sleepers *me = *(sleepers **)state;
    svs_counter steps;
    svs_status status;
    svs_counter_init(&steps, 0);
    status = svs_event_freeze(me->graph, &steps);
    if (status == SVS_WAIT) status = svs_await(ranks, &steps, 1);
    if (status == SVS_OK) status = sleep_all(ranks, me);
    if (status == SVS_OK) status = svs_event_unfreeze(me->graph, &steps);
    return status == SVS_WAIT ? svs_await(ranks, &steps, 2) : status;
}

static svs_status start_waking(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, wake_all, &state, sizeof state, NULL);
}

static svs_status run_woken(svs_ranks *ranks, uint32_t count) {
    sleepers me = {.count = count, .opened = calloc(count, sizeof *me.opened)};
    svs_event_graph_options options;
    svs_status status;
    if (me.opened == NULL) return SVS_E_NO_MEMORY;
    svs_event_graph_options_init(&options);
    options.name = "sleepers";
    options.nodes = count;
    options.event_bytes = 8;
    status = svs_event_graph_new(ranks, &options, &me.graph);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start_waking, &me);
    free(me.opened);
    return status;
}

static svs_status run(svs_ranks *ranks, void *argument) {
    const phold_options *of = argument;
    uint32_t count = of->fibers != 0 ? of->fibers : of->woken;
    svs_status status = of->fibers != 0 ? run_fibers(ranks, count) : run_woken(ranks, count);
    if (status == SVS_OK && svs_ranks_index(ranks) == 0)
        printf("bench=multipol program=phold way=%s ranks=%u count=%u\n",
               of->fibers != 0 ? "fibers" : "woken", svs_ranks_count(ranks), count);
    return status;
}

int phold_costs(const svs_transport *transport, const phold_options *options) {
    phold_options asked = *options;
    return program_rank(transport, "phold", options->aggregate_bytes, run, &asked);
}
