/* The public calls on event graphs: they check arguments, and some block a thread. */
#include "base/sized.h"
#include "structures/event/event.h"
#include "structures/refuse.h"
#include <inttypes.h>
#include <string.h>

/* ---- nodes and edges ---- */

uint32_t svs_event_rank(const svs_event_graph *graph, uint32_t node) {
    if (graph == NULL || node >= graph->options.nodes) return SVS_ALL_RANKS;
    return svs__event_place(&graph->options, node, graph->count);
}

bool svs_event_next_node(const svs_event_graph *graph, uint32_t *cursor, uint32_t *node) {
    if (graph == NULL || cursor == NULL || node == NULL || *cursor >= graph->node_count)
        return false;
    *node = graph->nodes[(*cursor)++].number;
    return true;
}

/* @return NULL: it is not a node of this rank. */
static svs__event_node *node_of(const svs_event_graph *graph, uint32_t node) {
    if (node >= graph->options.nodes || !svs__event_index_has(&graph->node_index, node))
        return NULL;
    return &graph->nodes[svs__event_index_at(&graph->node_index, node)];
}

static svs__event_edge *edge_of(const svs_event_graph *graph, uint32_t edge) {
    if (edge >= graph->options.edge_count || !svs__event_index_has(&graph->edge_index, edge))
        return NULL;
    return &graph->edges[svs__event_index_at(&graph->edge_index, edge)];
}

uint32_t svs_event_inputs(const svs_event_graph *graph, uint32_t number) {
    const svs__event_node *node = graph == NULL ? NULL : node_of(graph, number);
    return node == NULL ? 0 : node[1].first_input - node->first_input;
}

uint32_t svs_event_input(const svs_event_graph *graph, uint32_t number, uint32_t which) {
    const svs__event_node *node = graph == NULL ? NULL : node_of(graph, number);
    if (node == NULL || which >= node[1].first_input - node->first_input) return UINT32_MAX;
    return svs__event_index_number(&graph->edge_index, graph->inputs[node->first_input + which]);
}

/* ---- checks of calls ---- */

static svs_status check(const svs_event_graph *graph, const void *other, const char *call) {
    if (graph == NULL || other == NULL)
        return svs__refuse_call(graph == NULL ? NULL : graph->ranks, SVS_E_NULL, call,
                                "graph, event or counter is NULL: none of them may be NULL");
    if (!svs_ranks_in_run(graph->ranks))
        return svs__refuse_call(graph->ranks, SVS_E_OUTSIDE, call,
                                "there is no run: call it in a fiber");
    return SVS_OK;
}

static svs_status refuse_node(const svs_event_graph *graph, const char *call, uint32_t node) {
    char why[160];
    if (node >= graph->options.nodes)
        (void)snprintf(why, sizeof why, "there is no node %u: the graph has %u nodes", node,
                       graph->options.nodes);
    else
        (void)snprintf(why, sizeof why, "node %u is on rank %u, and this is rank %u: call it there",
                       node, svs_event_rank(graph, node), graph->index);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

static svs_status refuse_edge(const svs_event_graph *graph, const char *call, uint32_t edge) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "edge %u leads to no node of rank %u: call it on the rank of its target", edge,
                   graph->index);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

/* Checks a call on a node of this rank, and finds it. */
static svs_status find_node(const svs_event_graph *graph, const void *other, const char *call,
                            uint32_t number, svs__event_node **node) {
    svs_status status = check(graph, other, call);
    if (status != SVS_OK) return status;
    *node = node_of(graph, number);
    return *node == NULL ? refuse_node(graph, call, number) : SVS_OK;
}

/* The same for an edge that enters a node of this rank. */
static svs_status find_edge(const svs_event_graph *graph, const void *other, const char *call,
                            uint32_t number, svs__event_edge **edge) {
    svs_status status = check(graph, other, call);
    if (status != SVS_OK) return status;
    *edge = edge_of(graph, number);
    return *edge == NULL ? refuse_edge(graph, call, number) : SVS_OK;
}

static svs_status refuse_count(const svs_event_graph *graph, const char *call, uint32_t edge,
                               uint32_t wanted, uint32_t there) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "there is no event %u on edge %u, which has %u: call svs_event_count() first",
                   wanted, edge, there);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

static svs_status refuse_time(const svs_event_graph *graph, const char *call, uint32_t node,
                              int64_t time, int64_t promised) {
    char why[160];
    (void)snprintf(why, sizeof why,
                   "node %u sends an event of time %" PRId64 ", and has promised none before "
                   "%" PRId64 ": send a later one",
                   node, time, promised);
    return svs__refuse_call(graph->ranks, SVS_E_INVALID, call, why);
}

/* ---- events ---- */

static svs_status send_from(svs_event_graph *graph, const svs__event_node *node, const void *event,
                            const char *call) {
    if (graph->options.timed && svs__event_time(event) < node->promised)
        return refuse_time(graph, call, node->number, svs__event_time(event), node->promised);
    if (!svs__event_is_open(graph) || !svs__event_has_space(graph, node)) return SVS_WAIT;
    return svs__event_send(graph, (uint32_t)(node - graph->nodes), event);
}

svs_status svs_event_send(svs_event_graph *graph, uint32_t number, const void *event) {
    svs__event_node *node;
    svs_status status = find_node(graph, event, "svs_event_send", number, &node);
    if (status != SVS_OK) return status;
    return send_from(graph, node, event, "svs_event_send");
}

uint32_t svs_event_count(svs_event_graph *graph, uint32_t number) {
    svs__event_edge *edge = graph == NULL ? NULL : edge_of(graph, number);
    if (edge == NULL) return 0;
    svs__event_forget_news(graph, edge, true);
    return svs__event_held(graph, edge);
}

svs_status svs_event_peek(svs_event_graph *graph, uint32_t number, uint32_t nth,
                          const void **event) {
    svs__event_edge *edge;
    uint32_t held;
    svs_status status = find_edge(graph, event, "svs_event_peek", number, &edge);
    if (status != SVS_OK) return status;
    held = svs__event_held(graph, edge);
    if (nth >= held) return refuse_count(graph, "svs_event_peek", number, nth, held);
    svs__event_forget_news(graph, edge, nth + 1 == held);
    *event = svs__event_queue_at(graph, &graph->ins[edge->stream], edge->removed + nth);
    return SVS_OK;
}

svs_status svs_event_remove(svs_event_graph *graph, uint32_t number, uint32_t count) {
    svs__event_edge *edge;
    uint32_t held;
    svs_status status = find_edge(graph, graph, "svs_event_remove", number, &edge);
    if (status != SVS_OK) return status;
    held = svs__event_held(graph, edge);
    if (count > held) return refuse_count(graph, "svs_event_remove", number, count - 1, held);
    if (!svs__event_is_open(graph)) return SVS_WAIT;
    svs__event_remove(graph, (uint32_t)(edge - graph->edges), count);
    return SVS_OK;
}

svs_status svs_event_wait(svs_event_graph *graph, uint32_t number, svs_event_awaited what,
                          svs_counter *done) {
    svs__event_node *node;
    svs_status status = find_node(graph, done, "svs_event_wait", number, &node);
    if (status != SVS_OK) return status;
    if ((unsigned)what > SVS_EVENT_SPACE)
        return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_event_wait",
                                "`what` is unknown: pass one of svs_event_awaited");
    if (node->hooked || node->hooked_space ||
        (what == SVS_EVENT_SPACE ? node->writer : node->reader) != NULL)
        return svs__refuse_call(graph->ranks, SVS_E_BUSY, "svs_event_wait",
                                "the node waits already: let that wait end first");
    return svs__event_wait(graph, node, what, done);
}

/* ---- threads with a stack ---- */

svs_status svs_event_await(svs_event_graph *graph, uint32_t number, svs_event_awaited what) {
    svs_counter done;
    svs_status status;
    svs_counter_init(&done, 0);
    status = svs_event_wait(graph, number, what, &done);
    if (status != SVS_WAIT) return status;
    status = svs_await(graph->ranks, &done, 1);
    if (status != SVS_OK) svs__event_withdraw(graph, node_of(graph, number), &done);
    return status;
}

static const void *event_at(const svs_event_graph *graph, const void *events, uint32_t which) {
    return (const char *)events + (size_t)which * graph->options.event_bytes;
}

svs_status svs_event_put(svs_event_graph *graph, uint32_t number, const void *events,
                         uint32_t count) {
    svs__event_node *node;
    svs_status status = find_node(graph, events, "svs_event_put", number, &node);
    if (status != SVS_OK) return status;
    for (uint32_t sent = 0; status == SVS_OK && sent < count;) {
        status = send_from(graph, node, event_at(graph, events, sent), "svs_event_put");
        if (status == SVS_WAIT) status = svs_event_await(graph, number, SVS_EVENT_SPACE);
        else sent++;
    }
    return status;
}

/* Takes at most `count` of the events that are there. Their places are returned at once, because
 * the thread may compute for a long time afterwards. @return how many were taken. */
static uint32_t take_some(svs_event_graph *graph, svs__event_edge *edge, void *events,
                          uint32_t count) {
    uint32_t held = svs__event_held(graph, edge), taken = held < count ? held : count;
    const svs__event_in *in = &graph->ins[edge->stream];
    for (uint32_t i = 0; i < taken; i++)
        svs__event_copy((char *)events + (size_t)i * graph->options.event_bytes,
                        svs__event_queue_at(graph, in, edge->removed + i),
                        graph->options.event_bytes);
    svs__event_remove(graph, (uint32_t)(edge - graph->edges), taken);
    svs__event_tell_places(graph, in->rank);
    return taken;
}

svs_status svs_event_take(svs_event_graph *graph, uint32_t number, void *events, uint32_t count) {
    char *to = events;
    svs__event_edge *edge;
    uint32_t node;
    svs_status status = find_edge(graph, events, "svs_event_take", number, &edge);
    if (status != SVS_OK) return status;
    node = graph->nodes[edge->node].number;
    while (status == SVS_OK && count != 0) {
        uint32_t taken = 0;
        if (svs__event_held(graph, edge) == 0)
            status = svs_event_await(graph, node, SVS_EVENT_EMPTY_EDGE);
        else if (!svs__event_is_open(graph)) status = svs_event_await(graph, node, SVS_EVENT_OPEN);
        else taken = take_some(graph, edge, to, count);
        to += (size_t)taken * graph->options.event_bytes;
        count -= taken;
    }
    return status;
}

/* ---- time ---- */

int64_t svs_event_clock(const svs_event_graph *graph, uint32_t number) {
    const svs__event_edge *edge = graph == NULL ? NULL : edge_of(graph, number);
    if (edge == NULL || !graph->options.timed) return SVS_EVENT_TIME_MAX;
    return svs__event_edge_clock(graph, edge);
}

svs_status svs_event_promise(svs_event_graph *graph, uint32_t number, int64_t time) {
    svs__event_node *node;
    svs_status status = find_node(graph, graph, "svs_event_promise", number, &node);
    if (status != SVS_OK) return status;
    if (!graph->options.timed)
        return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_event_promise",
                                "the graph is not timed: set options.timed");
    if (!svs__event_is_open(graph)) return SVS_WAIT;
    return svs__event_promise(graph, (uint32_t)(node - graph->nodes), time);
}

/* ---- snapshots ---- */

svs_status svs_event_freeze(svs_event_graph *graph, svs_counter *frozen) {
    svs_status status = check(graph, frozen, "svs_event_freeze");
    if (status != SVS_OK) return status;
    if (graph->freezer.voted)
        return svs__refuse_call(
            graph->ranks, SVS_E_BUSY, "svs_event_freeze",
            "this rank has called freeze already: unfreeze, and wait for the end of that");
    graph->freezer.voted = true;
    graph->freezer.frozen = frozen;
    status = svs__event_say(graph, 0, (svs__event_message){.word = SVS__EVENT_VOTE});
    return status == SVS_OK ? SVS_WAIT : status;
}

svs_status svs_event_unfreeze(svs_event_graph *graph, svs_counter *done) {
    svs_status status = check(graph, done, "svs_event_unfreeze");
    if (status != SVS_OK) return status;
    if (graph->freezer.phase != SVS__EVENT_FROZEN || graph->freezer.own ||
        graph->freezer.done != NULL)
        return svs__refuse_call(graph->ranks, SVS_E_STATE, "svs_event_unfreeze",
                                "the graph is not frozen: freeze it, and wait for the counter");
    graph->freezer.done = done;
    svs_counter_add(graph->ranks, &graph->freezer.released, 1);
    return SVS_WAIT;
}

svs_status svs_event_statistics_get_sized(const svs_event_graph *graph,
                                          svs_event_statistics *statistics, size_t size) {
    svs_event_statistics counts;
    if (graph == NULL || statistics == NULL)
        return svs__refuse_call(NULL, SVS_E_NULL, "svs_event_statistics_get",
                                "graph or statistics is NULL: pass both");
    counts = graph->counts;
    counts.memory = graph->memory;
    svs__output_put(statistics, size, &counts, sizeof counts);
    return SVS_OK;
}
