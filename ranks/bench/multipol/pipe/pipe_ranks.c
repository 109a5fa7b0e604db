/* PIPE on an event graph. Each node has a thread that consumes and computes, and, if it is software
 * pipelined, another one that produces. */
#include "multipol/program.h"
#include "pipe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct node {
    const pipe_options *options;
    svs_event_graph *graph;
    uint32_t index, nodes;
    svs_counter produced; /* batches that were sent */
    svs_counter given;    /* ... and that are to be sent, by the other thread */
    unsigned char *batch, *sending;
    uint64_t digest;
} node;

static pipe_item *item_at(const node *me, unsigned char *batch, uint32_t which) {
    return (pipe_item *)(void *)(batch + (size_t)which * me->options->item_bytes);
}

/* Takes a batch; the first node makes it. */
static svs_status consume(node *me, uint64_t first) {
    if (me->index != 0)
        return svs_event_take(me->graph, me->index - 1, me->batch, me->options->at_once);
    for (uint32_t i = 0; i < me->options->at_once; i++)
        *item_at(me, me->batch, i) = (pipe_item){first + i, first + i + 1};
    return SVS_OK;
}

static void compute(svs_ranks *ranks, node *me) {
    if (me->options->step == PIPE_FLUSHED) svs_flush(ranks, SVS_ALL_RANKS);
    for (uint32_t i = 0; i < me->options->at_once; i++) {
        pipe_item *item = item_at(me, me->batch, i);
        item->value = pipe_compute(item->value, me->options->units);
        if (me->index + 1 == me->nodes) me->digest = pipe_digest(me->digest, item);
    }
}

static svs_status produce(node *me, const unsigned char *batch) {
    if (me->index + 1 == me->nodes) return SVS_OK;
    return svs_event_put(me->graph, me->index, batch, me->options->at_once);
}

static uint64_t batches(const node *me) { return me->options->items / me->options->at_once; }

static svs_status produce_all(svs_ranks *ranks, void *state) {
    node *me = *(node **)state;
    for (uint64_t i = 0; i < batches(me); i++) {
        svs_status status = svs_await(ranks, &me->given, (int64_t)i + 1);
        if (status == SVS_OK) status = produce(me, me->sending);
        if (status != SVS_OK) return status;
        svs_counter_add(ranks, &me->produced, 1);
    }
    return SVS_OK;
}

/* The batch is handed over when the one before was sent. */
static svs_status hand_over(svs_ranks *ranks, node *me, uint64_t before) {
    unsigned char *batch = me->batch;
    svs_status status = svs_await(ranks, &me->produced, (int64_t)before);
    if (status != SVS_OK) return status;
    me->batch = me->sending;
    me->sending = batch;
    svs_counter_add(ranks, &me->given, 1);
    return SVS_OK;
}

static svs_status work(svs_ranks *ranks, void *state) {
    node *me = *(node **)state;
    bool pipelined = me->options->step != PIPE_PLAIN;
    for (uint64_t i = 0; i < batches(me); i++) {
        svs_status status = consume(me, i * me->options->at_once);
        if (status != SVS_OK) return status;
        compute(ranks, me);
        status = pipelined ? hand_over(ranks, me, i) : produce(me, me->batch);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static svs_status start(svs_ranks *ranks, void *state) {
    const node *me = state;
    svs_status status = svs_thread_spawn(ranks, work, &state, sizeof state, NULL);
    if (status != SVS_OK || me->options->step == PIPE_PLAIN) return status;
    return svs_thread_spawn(ranks, produce_all, &state, sizeof state, NULL);
}

static uint32_t place(uint32_t number, uint32_t ranks, void *argument) {
    (void)argument;
    return number % ranks;
}

static svs_status make_graph(svs_ranks *ranks, node *me) {
    svs_event_graph_options options;
    svs_event_edge *edges = calloc(me->nodes, sizeof *edges);
    svs_status status;
    if (edges == NULL) return SVS_E_NO_MEMORY;
    for (uint32_t i = 0; i + 1 < me->nodes; i++) edges[i] = (svs_event_edge){i, i + 1, 0};
    svs_event_graph_options_init(&options);
    options.name = "pipe";
    options.nodes = me->nodes;
    options.edges = edges;
    options.edge_count = me->nodes - 1;
    options.event_bytes = me->options->item_bytes;
    options.capacity = me->options->capacity;
    options.place = place;
    status = svs_event_graph_new(ranks, &options, &me->graph);
    free(edges);
    return status;
}

static void add(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

typedef struct summing {
    svs_counter done;
    svs_distributed *object;
    pipe_sums of;
} summing;

static svs_status sum_up(svs_ranks *ranks, void *state) {
    summing *me = *(summing **)state;
    svs_status status = svs_distributed_new(ranks, "sums", 0, me, &me->object, &me->done);
    if (status == SVS_WAIT) status = svs_await(ranks, &me->done, 1);
    if (status == SVS_OK)
        status = svs_reduce(me->object, add, &me->of, &me->of, 8, sizeof me->of / 8, &me->done);
    return status == SVS_WAIT ? svs_await(ranks, &me->done, 2) : status;
}

static svs_status start_sum(svs_ranks *ranks, void *state) {
    return svs_thread_spawn(ranks, sum_up, &state, sizeof state, NULL);
}

/* A second run. */
static svs_status sum_counts(svs_ranks *ranks, const node *me, pipe_result *result) {
    summing sums = {.object = NULL};
    svs_ranks_statistics of_rank;
    svs_event_statistics of_graph;
    svs_status status = svs_ranks_statistics_get(ranks, &of_rank);
    if (status == SVS_OK) status = svs_event_statistics_get(me->graph, &of_graph);
    if (status != SVS_OK) return status;
    svs_counter_init(&sums.done, 0);
    sums.of = (pipe_sums){.cpu_ns = of_rank.cpu_ns,
                          .idle_ns = of_rank.idle_work_ns,
                          .messages = of_rank.msg_sent,
                          .events = of_graph.events,
                          .records = of_graph.records,
                          .nulls = of_graph.nulls,
                          .waits_space = of_graph.waits_space,
                          .waits_data = of_graph.waits_data,
                          .spaces = of_graph.spaces};
    status = svs_ranks_run(ranks, start_sum, &sums);
    result->sums = sums.of;
    return status;
}

typedef struct asked {
    const pipe_options *options;
    pipe_result *result;
} asked;

static svs_status run(svs_ranks *ranks, void *argument) {
    const pipe_options *options = ((asked *)argument)->options;
    pipe_result *result = ((asked *)argument)->result;
    node me = {
        .options = options, .index = svs_ranks_index(ranks), .nodes = svs_ranks_count(ranks)};
    size_t bytes = (size_t)options->at_once * options->item_bytes;
    uint64_t begin;
    svs_status status = SVS_E_NO_MEMORY;
    svs_counter_init(&me.produced, 0);
    svs_counter_init(&me.given, 0);
    me.batch = calloc(bytes, 1);
    me.sending = calloc(bytes, 1);
    if (me.batch != NULL && me.sending != NULL) status = make_graph(ranks, &me);
    begin = svs_ranks_now(ranks);
    if (status == SVS_OK) status = svs_ranks_run(ranks, start, &me);
    result->seconds = (double)(svs_ranks_now(ranks) - begin) * 1e-9;
    result->digest = me.digest;
    result->ranks = me.nodes;
    result->last = me.index + 1 == me.nodes;
    if (status == SVS_OK) status = sum_counts(ranks, &me, result);
    free(me.batch);
    free(me.sending);
    return status;
}

int pipe_ranks(const svs_transport *transport, const pipe_options *options, pipe_result *result) {
    asked given = {options, result};
    return program_rank(transport, "pipe", options->aggregate_bytes, run, &given);
}
