/* The nodes, edges and streams of this rank. The target of a stream must be found without a
 * message: each rank goes through all edges in the order of their sources, and numbers the streams
 * that enter each rank. */
#include "structures/event/event.h"
#include <string.h>

uint32_t svs__event_place(const svs_event_graph_options *options, uint32_t node, uint32_t ranks) {
    if (options->place != NULL) return options->place(node, ranks, options->argument);
    return (uint32_t)((uint64_t)node * ranks / options->nodes);
}

static uint32_t capacity_of(const svs_event_graph_options *options, size_t edge) {
    uint32_t own = options->edges[edge].capacity;
    return own != 0 ? own : options->capacity;
}

/* ---- checks of the lists ---- */

static const char *fault_of_edge(const svs_event_graph_options *options, size_t edge, char *why) {
    const svs_event_edge *one = &options->edges[edge];
    uint32_t capacity = capacity_of(options, edge);
    if (one->from >= options->nodes || one->to >= options->nodes)
        (void)snprintf(why, 160, "edge %zu goes from node %u to node %u, and there are %u nodes",
                       edge, one->from, one->to, options->nodes);
    else if (capacity == 0 || capacity > SVS_EVENT_CAPACITY_MAX)
        (void)snprintf(why, 160, "edge %zu has capacity %u, which is not 1 to 2^28: change it",
                       edge, capacity);
    else return NULL;
    return why;
}

const char *svs__event_fault_of_lists(const svs_event_graph_options *options, uint32_t ranks,
                                      char *why) {
    for (uint32_t node = 0; node < options->nodes; node++) {
        uint32_t rank = svs__event_place(options, node, ranks);
        if (rank < ranks) continue;
        (void)snprintf(why, 160,
                       "the partitioner places node %u on rank %u, and there are %u ranks", node,
                       rank, ranks);
        return why;
    }
    for (size_t edge = 0; edge < options->edge_count; edge++)
        if (fault_of_edge(options, edge, why) != NULL) return why;
    return NULL;
}

static uint64_t mix(uint64_t digest, uint64_t more) {
    digest = (digest ^ more) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

uint64_t svs__event_digest_lists(const svs_event_graph_options *options) {
    uint64_t digest = mix(options->nodes, options->edge_count);
    digest = mix(digest, options->cures + 8u * (options->timed != 0));
    for (size_t i = 0; i < options->edge_count; i++) {
        digest = mix(digest, (uint64_t)options->edges[i].from << 32 | options->edges[i].to);
        digest = mix(digest, capacity_of(options, i));
    }
    return digest;
}

uint64_t svs__event_digest_places(const svs_event_graph_options *options, uint32_t ranks) {
    uint64_t digest = ranks;
    for (uint32_t node = 0; node < options->nodes; node++)
        digest = mix(digest, svs__event_place(options, node, ranks));
    return digest;
}

/* ---- making ---- */

/* State that exists while the layout is made. */
typedef struct layout {
    svs_event_graph *graph;
    const svs_event_graph_options *options;
    uint32_t *place; /* for each node its rank */
    /* for each node the position of its first edge in `order`; one more marks the end */
    uint32_t *first_of;
    uint32_t *order;    /* numbers of the edges, sorted by their sources */
    uint32_t *streams;  /* for each rank the number of streams that enter it */
    uint32_t *seen;     /* for each rank the last node from which it has a stream, plus 1 */
    uint32_t *entering; /* for each rank the number of edges that enter it */
    /* for each rank the next out-stream, or the in-stream of the present node */
    uint32_t *at;
    bool differ; /* edges that enter this rank have different capacities */
} layout;

/* Allocates a zeroed array; an empty one has one element. @param keep whether it counts as memory
 * of the graph. */
static void *array(svs_event_graph *graph, size_t count, size_t element, bool keep) {
    size_t bytes = (count == 0 ? 1 : count) * element;
    if (keep) graph->memory += bytes;
    return svs__allocate_zeroed(&graph->allocator, bytes, SVS__ARRAY_ALIGNMENT);
}

static void release(svs_event_graph *graph, void *memory, size_t count, size_t element) {
    svs__release(&graph->allocator, memory, (count == 0 ? 1 : count) * element,
                 SVS__ARRAY_ALIGNMENT);
}

#define ARRAY(graph, count, type) array((graph), (count), sizeof(type), true)
#define SCRATCH(graph, count) array((graph), (count), sizeof(uint32_t), false)

static bool scratch_make(layout *made) {
    svs_event_graph *graph = made->graph;
    size_t nodes = made->options->nodes, edges = made->options->edge_count, ranks = graph->count;
    made->place = SCRATCH(graph, nodes);
    made->first_of = SCRATCH(graph, nodes + 2);
    made->order = SCRATCH(graph, edges);
    made->streams = SCRATCH(graph, ranks);
    made->seen = SCRATCH(graph, ranks);
    made->entering = SCRATCH(graph, ranks);
    made->at = SCRATCH(graph, ranks);
    return made->place != NULL && made->first_of != NULL && made->order != NULL &&
           made->streams != NULL && made->seen != NULL && made->entering != NULL &&
           made->at != NULL;
}

static void scratch_release(layout *made) {
    svs_event_graph *graph = made->graph;
    size_t nodes = made->options->nodes, edges = made->options->edge_count, ranks = graph->count;
    release(graph, made->place, nodes, sizeof(uint32_t));
    release(graph, made->first_of, nodes + 2, sizeof(uint32_t));
    release(graph, made->order, edges, sizeof(uint32_t));
    release(graph, made->streams, ranks, sizeof(uint32_t));
    release(graph, made->seen, ranks, sizeof(uint32_t));
    release(graph, made->entering, ranks, sizeof(uint32_t));
    release(graph, made->at, ranks, sizeof(uint32_t));
}

/* Sorts the edges by their sources, and edges of one source by their numbers. */
static void sort_edges(layout *made) {
    const svs_event_graph_options *options = made->options;
    uint32_t *first = made->first_of + 1; /* shifted by one element while it is filled */
    for (size_t i = 0; i < options->edge_count; i++) first[options->edges[i].from + 1]++;
    for (uint32_t i = 0; i < options->nodes; i++) first[i + 1] += first[i];
    for (size_t i = 0; i < options->edge_count; i++)
        made->order[first[options->edges[i].from]++] = (uint32_t)i;
    /* now made->first_of[n] is where the edges of n begin */
}

/* Function that each_stream() calls for each stream of the graph. */
typedef void stream_function(layout *made, uint32_t node, uint32_t rank, uint32_t number);

static void each_stream(layout *made, stream_function *visit) {
    memset(made->streams, 0, made->graph->count * sizeof(uint32_t));
    memset(made->seen, 0, made->graph->count * sizeof(uint32_t));
    for (uint32_t node = 0; node < made->options->nodes; node++)
        for (uint32_t i = made->first_of[node]; i < made->first_of[node + 1]; i++) {
            uint32_t rank = made->place[made->options->edges[made->order[i]].to];
            if (made->seen[rank] == node + 1) continue;
            made->seen[rank] = node + 1;
            visit(made, node, rank, made->streams[rank]++);
        }
}

static void count_stream(layout *made, uint32_t node, uint32_t rank, uint32_t number) {
    svs_event_graph *graph = made->graph;
    (void)number;
    graph->out_count += made->place[node] == graph->index;
    graph->in_count += rank == graph->index;
}

static bool enters(const layout *made, size_t edge) {
    return made->place[made->options->edges[edge].to] == made->graph->index;
}

static void count_nodes(layout *made) {
    svs_event_graph *graph = made->graph;
    for (uint32_t node = 0; node < made->options->nodes; node++) {
        made->place[node] = svs__event_place(made->options, node, graph->count);
        graph->node_count += made->place[node] == graph->index;
    }
    for (size_t i = 0; i < made->options->edge_count; i++) {
        uint32_t capacity = capacity_of(made->options, i);
        if (!enters(made, i)) continue;
        made->differ |= graph->edge_total++ != 0 && capacity != graph->capacity;
        graph->capacity = capacity;
    }
}

/* Whether the edges of this rank are in the order of their numbers when they are in the order of
 * streams. */
static bool are_sorted(const layout *made) {
    uint32_t last = 0;
    for (size_t i = 0; i < made->options->edge_count; i++) {
        if (!enters(made, made->order[i])) continue;
        if (made->order[i] < last) return false;
        last = made->order[i];
    }
    return true;
}

static bool index_make(svs_event_graph *graph, svs__event_index *index, size_t count) {
    index->count = count;
    if (graph->count == 1) return true;
    index->marks = ARRAY(graph, svs__event_index_words(index), uint64_t);
    index->before = ARRAY(graph, svs__event_index_words(index), uint32_t);
    return index->marks != NULL && index->before != NULL;
}

static bool order_make(svs_event_graph *graph, svs__event_index *index, uint32_t here) {
    index->slots = ARRAY(graph, here, uint32_t);
    index->numbers = ARRAY(graph, here, uint32_t);
    return index->slots != NULL && index->numbers != NULL;
}

bool svs__event_capacities_make(svs_event_graph *graph) {
    if (graph->capacities != NULL) return true;
    graph->capacities = ARRAY(graph, graph->edge_total, uint32_t);
    for (uint32_t i = 0; graph->capacities != NULL && i < graph->edge_total; i++)
        graph->capacities[i] = graph->capacity;
    return graph->capacities != NULL;
}

static bool arrays_make(const layout *made) {
    svs_event_graph *graph = made->graph;
    graph->nodes = ARRAY(graph, graph->node_count + 1, svs__event_node);
    graph->edges = ARRAY(graph, graph->edge_total, svs__event_edge);
    graph->ins = ARRAY(graph, graph->in_count + 1, svs__event_in);
    graph->outs = ARRAY(graph, graph->out_count, svs__event_out);
    graph->inputs = ARRAY(graph, graph->edge_total, uint32_t);
    return graph->nodes != NULL && graph->edges != NULL && graph->ins != NULL &&
           graph->outs != NULL && graph->inputs != NULL &&
           index_make(graph, &graph->node_index, graph->options.nodes) &&
           index_make(graph, &graph->edge_index, graph->options.edge_count) &&
           (are_sorted(made) || order_make(graph, &graph->edge_index, graph->edge_total)) &&
           (!made->differ || svs__event_capacities_make(graph));
}

static void mark(svs__event_index *index, size_t number) {
    if (index->marks != NULL) index->marks[number / 64] |= UINT64_C(1) << number % 64;
}

static void fill_nodes(layout *made) {
    svs_event_graph *graph = made->graph;
    uint32_t local = 0;
    for (uint32_t node = 0; node < made->options->nodes; node++) {
        if (made->place[node] != graph->index) continue;
        graph->nodes[local++].number = node;
        mark(&graph->node_index, node);
    }
    for (size_t i = 0; i < made->options->edge_count; i++)
        if (enters(made, i)) mark(&graph->edge_index, i);
    svs__event_index_count(&graph->node_index);
    svs__event_index_count(&graph->edge_index);
}

/* ---- streams ---- */

static void fill_out(layout *made, uint32_t node, uint32_t rank, uint32_t number) {
    svs_event_graph *graph = made->graph;
    uint32_t local = svs__event_index_at(&graph->node_index, node);
    if (local == SVS__EVENT_NONE) return;
    graph->outs[graph->out_count++] = (svs__event_out){.rank = rank, .in = number, .node = local};
    graph->nodes[local + 1].first_out = graph->out_count;
}

static void fill_edge(layout *made, uint32_t edge, uint32_t stream) {
    svs_event_graph *graph = made->graph;
    svs__event_index *index = &graph->edge_index;
    uint32_t slot = graph->edge_total++, to = made->options->edges[edge].to;
    graph->edges[slot] =
        (svs__event_edge){.stream = stream, .node = svs__event_index_at(&graph->node_index, to)};
    if (graph->capacities != NULL) graph->capacities[slot] = capacity_of(made->options, edge);
    if (index->slots == NULL) return;
    index->slots[svs__event_index_order(index, edge)] = slot;
    index->numbers[slot] = edge;
}

/* Fills in all edges of a node that enter this rank. */
static void fill_edges(layout *made, uint32_t node, svs__event_in *in, uint32_t stream) {
    svs_event_graph *graph = made->graph;
    uint32_t limit = UINT32_MAX, most = 0;
    for (uint32_t i = made->first_of[node]; i < made->first_of[node + 1]; i++) {
        uint32_t edge = made->order[i], capacity = capacity_of(made->options, edge);
        if (!enters(made, edge)) continue;
        fill_edge(made, edge, stream);
        graph->places += capacity;
        if (capacity < limit) limit = capacity;
        if (capacity > most) most = capacity;
    }
    in->at_base = graph->edge_total - in->first_edge;
    in->uneven = limit != most;
    in->told = limit;
}

static void fill_in(layout *made, uint32_t node, uint32_t rank, uint32_t number) {
    svs_event_graph *graph = made->graph;
    svs__event_in *in = &graph->ins[number];
    if (rank != graph->index) return;
    *in = (svs__event_in){
        .source = node, .rank = (uint16_t)made->place[node], .first_edge = graph->edge_total};
    graph->in_count++;
    fill_edges(made, node, in, number);
    graph->ins[number + 1].first_edge = graph->edge_total;
}

/* The first limit of a stream: the smallest capacity of the edges from the node to the rank. */
static uint32_t first_limit(const layout *made, uint32_t node, uint32_t rank) {
    uint32_t limit = UINT32_MAX;
    for (uint32_t i = made->first_of[node]; i < made->first_of[node + 1]; i++) {
        uint32_t edge = made->order[i], capacity = capacity_of(made->options, edge);
        if (made->place[made->options->edges[edge].to] == rank && capacity < limit)
            limit = capacity;
    }
    return limit;
}

/* Sets for each in-stream of this rank the position of the stream on the source's rank. */
static void number_out(layout *made, uint32_t node, uint32_t rank, uint32_t number) {
    uint32_t out = made->at[made->place[node]]++;
    if (rank == made->graph->index) made->graph->ins[number].out = out;
}

static void fill_streams(layout *made) {
    svs_event_graph *graph = made->graph;
    graph->out_count = graph->in_count = graph->edge_total = 0;
    each_stream(made, fill_out);
    for (uint32_t i = 0; i < graph->node_count; i++) /* fills in nodes without an out-stream */
        if (graph->nodes[i + 1].first_out < graph->nodes[i].first_out)
            graph->nodes[i + 1].first_out = graph->nodes[i].first_out;
    each_stream(made, fill_in);
    each_stream(made, number_out);
    for (uint32_t i = 0; i < graph->out_count; i++)
        graph->outs[i].limit =
            first_limit(made, graph->nodes[graph->outs[i].node].number, graph->outs[i].rank);
}

/* ---- inputs of each node ---- */

static void fill_inputs(svs_event_graph *graph) {
    uint32_t *first; /* while inputs are filled in, the first input of node n is in nodes[n + 1] */
    for (uint32_t i = 0; i < graph->edge_total; i++)
        graph->nodes[graph->edges[i].node + 1].first_input++;
    for (uint32_t i = 0; i < graph->node_count; i++)
        graph->nodes[i + 1].first_input += graph->nodes[i].first_input;
    for (size_t edge = graph->options.edge_count; edge-- != 0;) {
        uint32_t slot = svs__event_index_at(&graph->edge_index, edge);
        if (slot == SVS__EVENT_NONE) continue;
        first = &graph->nodes[graph->edges[slot].node + 1].first_input;
        graph->inputs[--*first] = slot;
    }
    /* each value now is the beginning of the node's inputs */
    for (uint32_t i = 0; i < graph->node_count; i++)
        graph->nodes[i].first_input = graph->nodes[i + 1].first_input;
    graph->nodes[graph->node_count].first_input = graph->edge_total;
}

bool svs__event_layout_make(svs_event_graph *graph) {
    layout made = {.graph = graph, .options = &graph->options};
    bool whole = scratch_make(&made);
    if (whole) {
        sort_edges(&made);
        count_nodes(&made);
        each_stream(&made, count_stream);
        whole = arrays_make(&made);
    }
    if (whole) {
        fill_nodes(&made);
        fill_streams(&made);
        fill_inputs(graph);
    }
    scratch_release(&made);
    return whole;
}

static void index_release(svs_event_graph *graph, svs__event_index *index) {
    release(graph, index->marks, svs__event_index_words(index), sizeof(uint64_t));
    release(graph, index->before, svs__event_index_words(index), sizeof(uint32_t));
    release(graph, index->slots, graph->edge_total, sizeof(uint32_t));
    release(graph, index->numbers, graph->edge_total, sizeof(uint32_t));
}

void svs__event_layout_release(svs_event_graph *graph) {
    if (graph->ins != NULL)
        for (uint32_t i = 0; i < graph->in_count; i++)
            svs__event_queue_release(graph, &graph->ins[i]);
    release(graph, graph->nodes, graph->node_count + 1, sizeof(svs__event_node));
    release(graph, graph->edges, graph->edge_total, sizeof(svs__event_edge));
    release(graph, graph->ins, graph->in_count + 1, sizeof(svs__event_in));
    release(graph, graph->outs, graph->out_count, sizeof(svs__event_out));
    release(graph, graph->inputs, graph->edge_total, sizeof(uint32_t));
    release(graph, graph->capacities, graph->edge_total, sizeof(uint32_t));
    index_release(graph, &graph->node_index);
    index_release(graph, &graph->edge_index);
}
