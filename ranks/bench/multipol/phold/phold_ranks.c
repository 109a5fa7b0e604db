/* PHOLD as a simulation on the event graph. A node sends each event to all of its targets. The one
 * that the event names takes it, and passes it on; the others learn that no earlier one will
 * come. */
#include "multipol/program.h"
#include "phold.h"
#include <stdlib.h>

typedef struct part {
    const phold_options *of;
    svs_simulation *simulation;
    svs_distributed *object;
    phold_node *nodes;
    svs_counter done;
    uint64_t sums[3 + sizeof(svs_event_statistics) / 8]; /* events, digest, CPU, statistics */
    phold_result *result;
} part;

static int64_t wake_of(const part *me, uint32_t node, int64_t which) {
    return which < me->of->population ? which * me->of->nodes + node : SVS_EVENT_TIME_MAX;
}

static int64_t first_wake(uint32_t node, void *argument) { return wake_of(argument, node, 0); }

static int64_t lookahead(uint32_t node, void *argument) {
    (void)node;
    return phold_lookahead(((const part *)argument)->of);
}

static int takes(uint32_t node, const void *event, void *argument) {
    (void)argument;
    return ((const phold_event *)event)->to == node;
}

static uint32_t place(uint32_t node, uint32_t ranks, void *argument) {
    return phold_place(((const part *)argument)->of, node, ranks);
}

/* The event of this step; NULL: there is none, as the node has woken. */
static const phold_event *event_of(const svs_simulation *simulation) {
    uint32_t inputs = svs_simulation_inputs(simulation);
    const phold_event *found = NULL;
    for (uint32_t i = 0; i < inputs && found == NULL; i++)
        found = svs_simulation_input(simulation, i);
    return found;
}

static svs_status step(svs_simulation *simulation, uint32_t node, int64_t time, void *argument) {
    part *me = argument;
    const phold_event *in = event_of(simulation);
    phold_event first, out;
    if (in == NULL) {
        int64_t which = time / me->of->nodes;
        svs_status status = svs_simulation_wake(simulation, wake_of(me, node, which + 1));
        if (status != SVS_OK) return status;
        first = phold_first(me->of, node, (uint32_t)which);
        in = &first;
    }
    out = phold_pass(me->of, node, &me->nodes[node], in);
    return svs_simulation_send(simulation, &out);
}

/* ---- the run ---- */

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status sum_up(svs_ranks *ranks, part *me) {
    svs_event_statistics own;
    svs_ranks_statistics of_rank;
    svs_status status = svs_event_statistics_get(svs_simulation_graph(me->simulation), &own);
    if (status == SVS_OK) status = svs_ranks_statistics_get(ranks, &of_rank);
    if (status != SVS_OK) return status;
    for (uint32_t i = 0; i < me->of->nodes; i++) {
        if (svs_event_rank(svs_simulation_graph(me->simulation), i) != svs_ranks_index(ranks))
            continue;
        me->sums[0] += me->nodes[i].count;
        me->sums[1] += phold_share(i, &me->nodes[i]);
    }
    me->sums[2] = of_rank.cpu_ns;
    memcpy(me->sums + 3, &own, sizeof own);
    return svs_reduce(me->object, add, me->sums, me->sums, 8, sizeof me->sums / 8, &me->done);
}

static svs_status simulate(svs_ranks *ranks, void *state) {
    part *me = *(part **)state;
    uint64_t begin;
    svs_status status = svs_distributed_new(ranks, "sums", 0, me, &me->object, &me->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &me->done, 1);
    begin = svs_ranks_now(ranks);
    if (status == SVS_OK) status = svs_simulation_start(me->simulation, &me->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &me->done, 2);
    if (status == SVS_OK) status = sum_up(ranks, me);
    if (status == SVS_WAIT) status = svs_await(ranks, &me->done, 3);
    me->result->seconds = (double)(svs_ranks_now(ranks) - begin) * 1e-9;
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, simulate, &state, sizeof state, NULL);
}

static svs_event_edge *edges_of(const phold_options *of) {
    svs_event_edge *edges = malloc((size_t)of->nodes * of->fan * sizeof *edges);
    for (uint32_t i = 0; edges != NULL && i < of->nodes * of->fan; i++)
        edges[i] = (svs_event_edge){i / of->fan, of->targets[i], 0};
    return edges;
}

static svs_status make_simulation(svs_ranks *ranks, part *me) {
    svs_simulation_options options;
    svs_event_edge *edges = edges_of(me->of);
    svs_status status;
    if (edges == NULL) return SVS_E_NO_MEMORY;
    svs_simulation_options_init(&options);
    options.graph.name = "phold";
    options.graph.nodes = me->of->nodes;
    options.graph.edges = edges;
    options.graph.edge_count = (size_t)me->of->nodes * me->of->fan;
    options.graph.event_bytes = sizeof(phold_event);
    options.graph.capacity = me->of->capacity;
    options.graph.cures = me->of->cures;
    options.graph.place = place;
    options.graph.argument = me;
    options.body = step;
    options.argument = me;
    options.first = first_wake;
    options.lookahead = lookahead;
    options.takes = takes;
    options.end = phold_end(me->of);
    status = svs_simulation_new(ranks, &options, &me->simulation);
    free(edges);
    return status;
}

static svs_status run(svs_ranks *ranks, void *argument) {
    part me = *(const part *)argument;
    svs_status status = SVS_E_NO_MEMORY;
    me.nodes = calloc(me.of->nodes, sizeof *me.nodes);
    if (me.nodes != NULL) status = make_simulation(ranks, &me);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &me);
    me.result->events = me.sums[0];
    me.result->digest = me.sums[1];
    me.result->cpu_ns = me.sums[2];
    memcpy(&me.result->sums, me.sums + 3, sizeof me.result->sums);
    me.result->nulls = me.result->sums.nulls;
    me.result->ranks = svs_ranks_count(ranks);
    me.result->first = svs_ranks_index(ranks) == 0;
    free(me.nodes);
    return status;
}

int phold_ranks(const svs_transport *transport, const phold_options *options,
                phold_result *result) {
    part asked = {.of = options, .result = result};
    return program_rank(transport, "phold", options->aggregate_bytes, run, &asked);
}
