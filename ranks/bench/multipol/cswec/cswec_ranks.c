/* CSWEC on the event graph: a node for each signal, and an event for each new line. A node's body
 * is the continuation of its subcircuit: it is called when the clocks of all inputs have come to
 * its next step, and tells the time of the one after. */
#include "../../../examples/multipol/characteristics.h"
#include "cswec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
    cswec_state state;
    const cswec_placing *placing;
    svs_simulation *simulation;
    svs_counter done;
    uint32_t *rank_of;       /* of each signal */
    const cswec_line **news; /* of the step in progress; all NULL between steps */
    cswec_results *out;      /* on rank 0 */
    waves *to;
    cswec_sums *sums;
} part;

/* ---- places ---- */

/* What a step of a signal costs, in transistors. */
static uint64_t size_of(const network *of, uint32_t signal) {
    return of->of[signal].transistors + 1;
}

typedef struct sized {
    uint64_t size;
    uint32_t signal;
} sized;

static int larger_first(const void *one, const void *other) {
    const sized *a = one, *b = other;
    if (a->size != b->size) return a->size > b->size ? -1 : 1;
    return a->signal < b->signal ? -1 : 1;
}

/* By size: the largest first, each to the rank that has least. */
static bool place_by_size(const network *of, uint32_t *rank_of, uint32_t ranks) {
    sized *all = malloc(((size_t)of->count + 1) * sizeof *all);
    uint64_t *load = calloc(ranks, sizeof *load);
    for (uint32_t i = 0; all && load && i < of->count; i++) all[i] = (sized){size_of(of, i), i};
    if (all && load) qsort(all, of->count, sizeof *all, larger_first);
    for (uint32_t i = 0; all && load && i < of->count; i++) {
        uint32_t least = 0;
        for (uint32_t k = 1; k < ranks; k++)
            if (load[k] < load[least]) least = k;
        load[least] += all[i].size;
        rank_of[all[i].signal] = least;
    }
    free(all);
    free(load);
    return all != NULL && load != NULL;
}

/* Signals in the order in which outputs need them: each after all of its inputs. */
static void visit_cone(const network *of, uint32_t *order, uint32_t *next, bool *seen,
                       uint32_t *stack, uint32_t root) {
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth != 0) {
        const subcircuit *one = &of->of[stack[depth - 1]];
        uint32_t k = 0;
        while (k < one->inputs && seen[of->inputs[one->first_input + k]]) k++;
        if (k < one->inputs && !seen[stack[depth - 1]]) {
            stack[depth++] = of->inputs[one->first_input + k];
            continue;
        }
        if (!seen[stack[--depth]]) order[(*next)++] = stack[depth];
        seen[stack[depth]] = true;
    }
}

/* By fan-in cones: blocks of equal size of that order. */
static bool place_by_cones(const network *of, uint32_t *rank_of, uint32_t ranks) {
    uint32_t *order = calloc((size_t)of->count + 1, 4), next = 0;
    uint32_t *stack = calloc((size_t)of->depth + 2, 4);
    bool *seen = calloc((size_t)of->count + 1, 1);
    bool made = order && stack && seen;
    uint64_t sum = of->count, before = 0;
    for (uint32_t i = 0; i < of->count; i++) sum += size_of(of, i) - 1;
    for (uint32_t i = 0; made && i < of->output_count; i++)
        visit_cone(of, order, &next, seen, stack, of->outputs[i]);
    for (uint32_t i = 0; made && i < of->count; i++)
        if (!seen[i]) order[next++] = i;
    for (uint32_t i = 0; made && i < of->count; i++) {
        rank_of[order[i]] = (uint32_t)(before * ranks / sum);
        before += size_of(of, order[i]);
    }
    free(order);
    free(stack);
    free(seen);
    return made;
}

static uint32_t place(uint32_t node, uint32_t ranks, void *argument) {
    const part *me = argument;
    (void)ranks;
    return me->rank_of[node];
}

static void describe(uint32_t node, char *to, size_t bytes, void *argument) {
    const part *me = argument;
    (void)snprintf(to, bytes, "%s", me->state.of->names[node]);
}

/* ---- steps ---- */

static int64_t first_wake(uint32_t node, void *argument) {
    (void)node, (void)argument;
    return 0;
}

static int64_t lookahead(uint32_t node, void *argument) {
    (void)node, (void)argument;
    return CSWEC_DELAY;
}

static svs_status step(svs_simulation *simulation, uint32_t signal, int64_t time, void *argument) {
    part *me = argument;
    const cswec_line *line;
    bool sends;
    int64_t wake;
    svs_status status = SVS_OK;
    for (uint32_t i = 0; (line = svs_simulation_next_input(simulation, &i)) != NULL; i++)
        me->news[i] = line;
    wake = cswec_step(&me->state, signal, time, me->news, &sends);
    for (uint32_t i = 0; svs_simulation_next_input(simulation, &i) != NULL; i++) me->news[i] = NULL;
    if (sends) status = svs_simulation_send(simulation, &me->state.signals[signal].sent);
    return status == SVS_OK ? svs_simulation_wake(simulation, wake) : status;
}

/* ---- the run ---- */

static svs_status gather(svs_ranks *ranks, part *me, svs_distributed *object) {
    cswec_state *state = &me->state;
    uint64_t own[] = {cswec_digest(state), state->steps, state->transistor_steps, state->lines};
    uint64_t all[4] = {0};
    svs_event_statistics events;
    svs_ranks_statistics of_rank;
    svs_status status = gather_bytes(ranks, object, state->settled,
                                     (size_t)state->in->count * state->of->output_count, &me->done);
    if (status == SVS_OK) status = gather_sums(ranks, object, own, all, 4, &me->done);
    if (status == SVS_OK)
        status = svs_event_statistics_get(svs_simulation_graph(me->simulation), &events);
    if (status == SVS_OK)
        status =
            gather_sums(ranks, object, &events, &me->sums->events, sizeof events / 8, &me->done);
    if (status == SVS_OK) status = svs_ranks_statistics_get(ranks, &of_rank);
    if (status == SVS_OK)
        status =
            gather_sums(ranks, object, &of_rank, &me->sums->ranks, sizeof of_rank / 8, &me->done);
    if (status == SVS_OK) status = gather_waves(ranks, &state->waves, &me->done);
    me->out->digest = all[0];
    state->steps = all[1];
    state->transistor_steps = all[2];
    state->lines = all[3];
    return status;
}

static svs_status simulate(svs_ranks *ranks, void *state) {
    part *me = *(part **)state;
    svs_distributed *object;
    svs_status status = svs_distributed_new(ranks, "sums", 0, me, &object, &me->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &me->done, 1);
    if (status == SVS_OK) status = svs_simulation_start(me->simulation, &me->done);
    if (status == SVS_WAIT || status == SVS_OK) status = svs_await(ranks, &me->done, 2);
    return status == SVS_OK ? gather(ranks, me, object) : status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, simulate, &state, sizeof state, NULL);
}

/* A signal's edges in the order of its inputs: what svs_simulation_input() counts. */
static svs_event_edge *edges_of(const network *of) {
    svs_event_edge *edges = malloc(((size_t)of->link_count + 1) * sizeof *edges);
    for (uint32_t i = 0; edges != NULL && i < of->count; i++)
        for (uint32_t k = 0; k < of->of[i].inputs; k++) {
            uint32_t at = of->of[i].first_input + k;
            edges[at] = (svs_event_edge){of->inputs[at], i, 0};
        }
    return edges;
}

static svs_status make_simulation(svs_ranks *ranks, part *me) {
    const network *of = me->state.of;
    svs_simulation_options options;
    svs_event_edge *edges = edges_of(of);
    svs_status status;
    if (edges == NULL) return SVS_E_NO_MEMORY;
    svs_simulation_options_init(&options);
    options.graph.name = "cswec";
    options.graph.nodes = of->count;
    options.graph.edges = edges;
    options.graph.edge_count = of->link_count;
    options.graph.event_bytes = sizeof(cswec_line);
    options.graph.capacity = me->placing->capacity;
    options.graph.cures = me->placing->cures;
    options.graph.dispatch = me->placing->dispatch;
    options.graph.place = place;
    options.graph.describe = describe;
    options.graph.argument = me;
    options.body = step;
    options.argument = me;
    options.first = first_wake;
    options.lookahead = lookahead;
    options.end = (int64_t)me->state.in->count * of->period - 1;
    status = svs_simulation_new(ranks, &options, &me->simulation);
    free(edges);
    return status;
}

static svs_status run(svs_ranks *ranks, part *me, char *text) {
    const network *of = me->state.of;
    uint32_t count = svs_ranks_count(ranks);
    uint64_t begin;
    svs_status status = gather_prepare(ranks);
    bool placed = me->placing->cones ? place_by_cones(of, me->rank_of, count)
                                     : place_by_size(of, me->rank_of, count);
    gather_begin(ranks, &me->state.waves);
    if (status == SVS_OK) status = placed ? make_simulation(ranks, me) : SVS_E_NO_MEMORY;
    if (status != SVS_OK) return status;
    begin = svs_ranks_now(ranks);
    status = svs_ranks_run(ranks, start, me);
    if (status != SVS_OK) (void)snprintf(text, 500, "%.490s", svs_ranks_failure(ranks));
    else if (svs_ranks_index(ranks) == 0) {
        me->out->seconds = (double)(svs_ranks_now(ranks) - begin) * 1e-9;
        me->out->cpu_seconds = (double)me->sums->ranks.cpu_ns * 1e-9;
        me->out->ranks = count;
        cswec_results_fill(me->out, &me->state);
        *me->to = me->state.waves;
        me->state.waves.of = NULL;
    }
    return status;
}

svs_status cswec_ranks(const svs_transport *transport, const network *of, const vectors *in,
                       const cswec_options *options, const cswec_placing *placing,
                       cswec_results *out, waves *to, cswec_sums *sums, char *text) {
    part me = {.placing = placing, .out = out, .to = to, .sums = sums};
    svs_ranks_options of_ranks;
    characteristics observed;
    svs_ranks *ranks;
    svs_status status = SVS_E_NO_MEMORY;
    text[0] = '\0';
    if (cswec_state_make(&me.state, of, in, options)) return status;
    svs_counter_init(&me.done, 0);
    me.rank_of = calloc((size_t)of->count + 1, 4);
    me.news = calloc((size_t)of->inputs_most + 1, sizeof *me.news);
    svs_ranks_options_init(&of_ranks);
    of_ranks.transport = transport;
    of_ranks.aggregate_bytes = placing->aggregate_bytes;
    if (me.rank_of != NULL && me.news != NULL) status = svs_ranks_new(&of_ranks, &ranks);
    if (status == SVS_OK) {
        status = characteristics_begin(&observed, ranks, placing->characteristics);
        if (status == SVS_OK) status = run(ranks, &me, text);
        if (status == SVS_OK) status = characteristics_end(&observed, "cswec");
        if (svs_ranks_free(ranks) != SVS_OK && status == SVS_OK) status = SVS_E_RANK;
    }
    cswec_state_free(&me.state);
    free(me.rank_of);
    free(me.news);
    return status;
}
