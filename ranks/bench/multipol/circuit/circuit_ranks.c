/* A circuit on the event graph: a node for each signal. An input wakes before each vector that
 * changes it; a gate steps when an input has changed, and sends its new value one unit later. */
#include "../../../examples/multipol/characteristics.h"
#include "circuit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct event { /* a signal has this value from `time` on, and had that one before */
    int64_t time;
    uint32_t value, before;
} event;

typedef struct shared { /* of the circuit; the same on all ranks, and not changed */
    const circuit *of;
    const vectors *in;
    uint32_t *rank_order;                /* of each signal: its position for the partition */
    uint32_t *output_head, *output_next; /* positions of outputs that a signal is, plus 1 */
} shared;

typedef struct part {
    const shared *all;
    const circuit_options *options;
    svs_simulation *simulation;
    svs_counter done;
    unsigned char *value;     /* of signals */
    uint32_t *ones, *unknown; /* inputs of each gate that are 1, and not known yet */
    unsigned char *outputs;   /* value + 1 of each output that a vector has changed; 0 */
    int32_t *settle;
    int64_t changes, steps, cpu_ns; /* CPU time: since the rank was made, then of the run */
    waves waves;
    results *out; /* on rank 0, or NULL */
    waves *to;
    svs_event_statistics *sums;
} part;

/* ---- places ---- */

static void visit_cone(const circuit *of, uint32_t *position, uint32_t *next, uint32_t *stack,
                       uint32_t root) {
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth != 0) { /* a signal is placed after all of its inputs */
        uint32_t signal = stack[depth - 1], k = 0;
        const gate *one = &of->gates[signal];
        while (k < one->inputs && position[of->inputs[one->first_input + k]] != UINT32_MAX) k++;
        if (k < one->inputs && position[signal] == UINT32_MAX) {
            stack[depth++] = of->inputs[one->first_input + k];
            continue;
        }
        if (position[signal] == UINT32_MAX) position[signal] = (*next)++;
        depth--;
    }
}

static bool make_order(shared *all, bool cones) {
    const circuit *of = all->of;
    uint32_t next = 0, *stack = calloc((size_t)of->depth + 2, sizeof *stack);
    all->rank_order = malloc(((size_t)of->count + 1) * sizeof(uint32_t));
    if (stack == NULL || all->rank_order == NULL) {
        free(stack);
        return false;
    }
    memset(all->rank_order, 0xff, of->count * sizeof(uint32_t));
    if (cones)
        for (uint32_t i = 0; i < of->output_count; i++)
            visit_cone(of, all->rank_order, &next, stack, of->outputs[i]);
    for (uint32_t i = 0; i < of->count; i++)
        if (all->rank_order[i] == UINT32_MAX) all->rank_order[i] = next++;
    free(stack);
    return true;
}

/* By size: all gates are equal, and go around. By cones: blocks of their order. */
static uint32_t place(uint32_t node, uint32_t ranks, void *argument) {
    const part *me = argument;
    uint32_t at = me->all->rank_order[node];
    if (!me->options->cones) return at % ranks;
    return (uint32_t)((uint64_t)at * ranks / me->all->of->count);
}

static void describe(uint32_t node, char *to, size_t bytes, void *argument) {
    const part *me = argument;
    (void)snprintf(to, bytes, "%s", me->all->of->gates[node].name);
}

/* ---- steps ---- */

/* The next vector, from `which` on, in which an input has another value than `value`. */
static uint32_t next_change(const part *me, uint32_t input, uint32_t which, unsigned value) {
    const vectors *in = me->all->in;
    while (which < in->count && in->bits[(size_t)which * me->all->of->input_count + input] == value)
        which++;
    return which;
}

static int64_t wake_of(const part *me, uint32_t which) {
    return which < me->all->in->count ? (int64_t)which * me->all->in->period : SVS_EVENT_TIME_MAX;
}

static int64_t first_wake(uint32_t node, void *argument) {
    const part *me = argument;
    if (node >= me->all->of->input_count) return SVS_EVENT_TIME_MAX;
    return wake_of(me, next_change(me, node, 0, 2));
}

/* The outputs that the signal is have a new value in this vector. */
static void keep_output(part *me, uint32_t signal, uint32_t which) {
    uint32_t at = me->all->output_head[signal];
    for (; at != 0; at = me->all->output_next[at - 1])
        me->outputs[(size_t)which * me->all->of->output_count + at - 1] =
            (unsigned char)(me->value[signal] + 1);
}

static svs_status change_signal(part *me, uint32_t signal, uint32_t which, int64_t time,
                                unsigned value) {
    event one = {time + 1, value, me->value[signal]};
    me->value[signal] = (unsigned char)value;
    keep_output(me, signal, which);
    if (me->waves.kept) waves_add(&me->waves, time, signal, value);
    return svs_simulation_send(me->simulation, &one);
}

static svs_status step_input(part *me, uint32_t signal, int64_t time) {
    uint32_t which = (uint32_t)(time / me->all->in->period);
    unsigned value = me->all->in->bits[(size_t)which * me->all->of->input_count + signal];
    svs_status status = change_signal(me, signal, which, time, value);
    int64_t wake = wake_of(me, next_change(me, signal, which + 1, value));
    return status == SVS_OK ? svs_simulation_wake(me->simulation, wake) : status;
}

/* Events carry the time after the step; so the gate's own time is one less than that of its
 * inputs' events, and a change counts from the vector to here. */
static svs_status step_gate(part *me, uint32_t signal, int64_t time) {
    const gate *one = &me->all->of->gates[signal];
    uint32_t which = (uint32_t)(time / me->all->in->period);
    unsigned value;
    for (uint32_t i = 0; i < one->inputs; i++) {
        const event *in = svs_simulation_input(me->simulation, i);
        if (in == NULL) continue;
        me->ones[signal] += in->value - (in->before == 1);
        me->unknown[signal] -= in->before == 2;
    }
    me->steps++;
    value = gate_three(one->type, me->ones[signal], me->unknown[signal], one->inputs);
    if (value == me->value[signal]) return SVS_OK;
    if (me->value[signal] != 2) { /* from not known is no change */
        int32_t since = (int32_t)(time - which * me->all->in->period);
        me->changes++;
        if (since > me->settle[which]) me->settle[which] = since;
    }
    return change_signal(me, signal, which, time, value);
}

static svs_status step(svs_simulation *simulation, uint32_t node, int64_t time, void *argument) {
    part *me = argument;
    (void)simulation;
    return node < me->all->of->input_count ? step_input(me, node, time) : step_gate(me, node, time);
}

/* ---- the run ---- */

static void most_times(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (((const int32_t *)from)[i] > ((int32_t *)into)[i])
            ((int32_t *)into)[i] = ((const int32_t *)from)[i];
}

#define AWAIT_CALL(call)                                                                           \
    do {                                                                                           \
        int64_t before_ = me->done.value;                                                          \
        status = (call);                                                                           \
        if (status == SVS_WAIT) status = svs_await(ranks, &me->done, before_ + 1);                 \
        if (status != SVS_OK) return status;                                                       \
    } while (0)

static svs_status gather(svs_ranks *ranks, part *me, svs_distributed *sums) {
    const size_t most = SVS_REDUCE_MAX;
    size_t outputs = (size_t)me->all->in->count * me->all->of->output_count;
    int64_t counts[3] = {me->changes, me->steps}, total[3];
    svs_ranks_statistics of_rank;
    svs_event_statistics own;
    svs_status status;
    status = gather_bytes(ranks, sums, me->outputs, outputs, &me->done);
    if (status != SVS_OK) return status;
    for (size_t at = 0; at < me->all->in->count; at += most / 4)
        AWAIT_CALL(svs_reduce(
            sums, most_times, me->settle + at, me->settle + at, 4,
            me->all->in->count - at < most / 4 ? me->all->in->count - at : most / 4, &me->done));
    status = svs_ranks_statistics_get(ranks, &of_rank);
    if (status != SVS_OK) return status;
    counts[2] = (int64_t)of_rank.cpu_ns - me->cpu_ns;
    status = gather_sums(ranks, sums, counts, total, 3, &me->done);
    if (status != SVS_OK) return status;
    me->changes = total[0];
    me->steps = total[1];
    me->cpu_ns = total[2];
    status = svs_event_statistics_get(svs_simulation_graph(me->simulation), &own);
    if (status == SVS_OK)
        status = gather_sums(ranks, sums, &own, me->sums, sizeof own / 8, &me->done);
    return status == SVS_OK ? gather_waves(ranks, &me->waves, &me->done) : status;
}

static svs_status simulate(svs_ranks *ranks, void *state) {
    part *me = *(part **)state;
    svs_distributed *sums;
    svs_status status;
    AWAIT_CALL(svs_distributed_new(ranks, me->options->name, 0, me, &sums, &me->done));
    AWAIT_CALL(svs_simulation_start(me->simulation, &me->done));
    return gather(ranks, me, sums);
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, simulate, &state, sizeof state, NULL);
}

/* ---- results on rank 0 ---- */

static void fill_results(const part *me, results *out) {
    uint32_t outputs = me->all->of->output_count;
    for (uint32_t i = 0; i < me->all->in->count; i++) {
        for (uint32_t k = 0; k < outputs; k++) {
            size_t at = (size_t)i * outputs + k;
            if (me->outputs[at] != 0) out->outputs[at] = (unsigned char)(me->outputs[at] - 1);
            else out->outputs[at] = i == 0 ? 2 : out->outputs[at - outputs];
        }
        out->settle[i] = me->settle[i];
    }
    out->changes = (uint64_t)me->changes;
    out->steps = (uint64_t)me->steps;
}

static bool part_make(part *me) {
    const circuit *of = me->all->of;
    me->value = malloc((size_t)of->count + 1);
    me->ones = calloc((size_t)of->count + 1, sizeof *me->ones);
    me->unknown = calloc((size_t)of->count + 1, sizeof *me->unknown);
    me->outputs = calloc((size_t)me->all->in->count * of->output_count + 1, 1);
    me->settle = calloc((size_t)me->all->in->count + 1, sizeof *me->settle);
    if (!me->value || !me->ones || !me->unknown || !me->outputs || !me->settle) return false;
    memset(me->value, 2, of->count);
    for (uint32_t i = 0; i < of->count; i++) me->unknown[i] = of->gates[i].inputs;
    return true;
}

static void part_free(part *me) {
    free(me->value);
    free(me->ones);
    free(me->unknown);
    free(me->outputs);
    free(me->settle);
    free(me->waves.of);
}

static bool shared_make(shared *all, bool cones) {
    const circuit *of = all->of;
    all->output_head = calloc((size_t)of->count + 1, 4);
    all->output_next = calloc((size_t)of->output_count + 1, 4);
    if (!all->output_head || !all->output_next || !make_order(all, cones)) return false;
    for (uint32_t i = 0; i < of->output_count; i++) {
        all->output_next[i] = all->output_head[of->outputs[i]];
        all->output_head[of->outputs[i]] = i + 1;
    }
    return true;
}

static void shared_free(shared *all) {
    free(all->rank_order);
    free(all->output_head);
    free(all->output_next);
}

/* A gate's edges in the order of its inputs: what svs_simulation_input() counts. */
static svs_event_edge *edges_of(const circuit *of) {
    svs_event_edge *edges = malloc(((size_t)of->link_count + 1) * sizeof *edges);
    for (uint32_t i = 0; edges != NULL && i < of->count; i++)
        for (uint32_t k = 0; k < of->gates[i].inputs; k++) {
            uint32_t at = of->gates[i].first_input + k;
            edges[at] = (svs_event_edge){of->inputs[at], i, 0};
        }
    return edges;
}

static svs_status make_simulation(svs_ranks *ranks, part *me) {
    const circuit *of = me->all->of;
    svs_simulation_options options;
    svs_event_edge *edges = edges_of(of);
    svs_status status;
    if (edges == NULL) return SVS_E_NO_MEMORY;
    svs_simulation_options_init(&options);
    options.graph.name = me->options->name;
    options.graph.nodes = of->count;
    options.graph.edges = edges;
    options.graph.edge_count = of->link_count;
    options.graph.event_bytes = sizeof(event);
    options.graph.capacity = me->options->capacity;
    options.graph.cures = me->options->cures;
    options.graph.dispatch = me->options->dispatch;
    options.graph.place = place;
    options.graph.describe = describe;
    options.graph.argument = me;
    options.body = step;
    options.argument = me;
    options.first = first_wake;
    options.end = (int64_t)me->all->in->count * me->all->in->period;
    status = svs_simulation_new(ranks, &options, &me->simulation);
    free(edges);
    return status;
}

static svs_status run(svs_ranks *ranks, part *me, char *text) {
    svs_ranks_statistics of_rank;
    uint64_t begin;
    svs_status status;
    gather_begin(ranks, &me->waves);
    status = make_simulation(ranks, me);
    if (status == SVS_OK) status = svs_ranks_statistics_get(ranks, &of_rank);
    if (status != SVS_OK) return status;
    me->cpu_ns = (int64_t)of_rank.cpu_ns;
    begin = svs_ranks_now(ranks);
    status = svs_ranks_run(ranks, start, me);
    if (status != SVS_OK) (void)snprintf(text, 500, "%.490s", svs_ranks_failure(ranks));
    else if (svs_ranks_index(ranks) == 0) {
        me->out->seconds = (double)(svs_ranks_now(ranks) - begin) * 1e-9;
        me->out->cpu_seconds = (double)me->cpu_ns * 1e-9;
        me->out->ranks = svs_ranks_count(ranks);
        fill_results(me, me->out);
        *me->to = me->waves;
        me->waves.of = NULL;
    }
    return status;
}

svs_status circuit_rank_new(const svs_transport *transport, size_t aggregate_bytes,
                            svs_ranks **ranks) {
    svs_ranks_options options;
    svs_status status;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.aggregate_bytes = aggregate_bytes;
    status = svs_ranks_new(&options, ranks);
    if (status != SVS_OK) return status;
    status = gather_prepare(*ranks);
    if (status != SVS_OK && svs_ranks_free(*ranks) != SVS_OK) *ranks = NULL;
    return status;
}

svs_status circuit_ranks(svs_ranks *ranks, const circuit *of, const vectors *in,
                         const circuit_options *options, results *out, waves *to,
                         svs_event_statistics *sums, char *text) {
    shared all = {.of = of, .in = in};
    part mine = {.all = &all, .options = options, .out = out, .to = to, .sums = sums};
    characteristics observed;
    svs_status status = SVS_E_NO_MEMORY;
    svs_counter_init(&mine.done, 0);
    mine.waves.kept = to->kept;
    text[0] = '\0';
    if (shared_make(&all, options->cones) && part_make(&mine)) {
        status = characteristics_begin(&observed, ranks, options->characteristics);
        if (status == SVS_OK) status = run(ranks, &mine, text);
        if (status == SVS_OK) status = characteristics_end(&observed, "circuit");
    }
    part_free(&mine);
    shared_free(&all);
    return status;
}
