/* The public calls of bipartite graphs: making them, and the subgraph of this rank. */
#include "structures/bipartite/bipartite.h"
#include "base/sized.h"
#include "structures/refuse.h"
#include <stdio.h>
#include <string.h>

#define REFUSE(status, why) svs_ranks_refuse(ranks, (status), (why))

#define NODE_BYTES_MAX (1u << 16)

static const svs_bipartite_options defaults = {.size = sizeof defaults};

void svs_bipartite_options_init_sized(svs_bipartite_options *options, size_t size) {
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
}

static const char *fault_of(svs_ranks *ranks, const svs_bipartite_options *options) {
    char name[SVS_BIPARTITE_NAME + 8];
    if (options->name == NULL || options->name[0] == '\0' ||
        strlen(options->name) >= SVS_BIPARTITE_NAME)
        return "its name is missing, or longer than 23 bytes: choose another one";
    (void)snprintf(name, sizeof name, "%s.graph", options->name);
    if (svs_distributed_find(ranks, name, 0) != NULL)
        return "its name is taken by another graph: choose another one";
    if (options->node_bytes == 0 || options->node_bytes > NODE_BYTES_MAX)
        return "node_bytes is not 1 to 2^16: set it to the size of a node's state";
    return NULL;
}

static svs_status take_options(svs_ranks *ranks, const svs_bipartite_options *given,
                               svs_bipartite_options *options) {
    const char *fault;
    svs_status status;
    *options = defaults;
    status = svs__structure_options_take(ranks, "svs_bipartite", options, sizeof *options, given);
    if (status != SVS_OK) return status;
    fault = fault_of(ranks, options);
    return fault == NULL ? SVS_OK
                         : svs__refuse_call(ranks, SVS_E_INVALID, "svs_bipartite_new", fault);
}

/* ---- memory ---- */

static void release_side(const svs_bipartite *graph, svs__bipartite_side *side) {
    const svs_allocator *allocator = &graph->allocator;
    for (uint32_t i = 0; i < side->peer_count; i++)
        svs__release(allocator, side->peers[i].sent,
                     side->peers[i].sent_count * sizeof *side->peers[i].sent, 16);
    svs__array_release(allocator, side->states, side->states_capacity, graph->node_bytes);
    svs__array_release(allocator, side->links, side->links_capacity, sizeof *side->links);
    svs__array_release(allocator, side->ghosts, side->ghosts_capacity, sizeof *side->ghosts);
    svs__array_release(allocator, side->peers, side->peers_capacity, sizeof *side->peers);
    svs__release(allocator, side->edges, side->link_count * sizeof *side->edges, 16);
    svs__release(allocator, side->edges_first, (side->count + 1) * sizeof *side->edges_first, 16);
    svs__release(allocator, side->early, (size_t)side->ghost_count * graph->node_bytes, 16);
}

static void release(svs_ranks *ranks, void *part) {
    svs_bipartite *graph = part;
    svs_allocator allocator = graph->allocator;
    (void)ranks;
    for (int i = 0; i < SVS__BIPARTITE_COLOURS; i++) release_side(graph, &graph->sides[i]);
    svs__outbox_clear(&graph->outbox);
    svs__release(&allocator, graph->scratch, graph->scratch_bytes, 16);
    svs__release(&allocator, graph, sizeof *graph, _Alignof(svs_bipartite));
}

/* ---- making ---- */

static void nothing_emptied(void *self) { (void)self; }

static svs_status make_structure(svs_bipartite *graph, const svs_bipartite_options *given) {
    svs_handler handlers[] = {{graph->names[SVS__BIPARTITE_WANT], SVS_DISPATCH_IN_PLACE, 0, NULL,
                               svs__bipartite_take_wants},
                              {graph->names[SVS__BIPARTITE_STATES], SVS_DISPATCH_IN_PLACE, 0, NULL,
                               svs__bipartite_take_states}};
    svs_structure_options options;
    svs_status status;
    (void)snprintf(graph->names[0], sizeof graph->names[0], "%s.want", given->name);
    (void)snprintf(graph->names[1], sizeof graph->names[1], "%s.states.%u", given->name,
                   (unsigned)given->node_bytes);
    (void)snprintf(graph->names[2], sizeof graph->names[2], "%s.graph", given->name);
    svs_structure_options_init(&options);
    options.name = graph->names[2];
    options.part = graph;
    options.release = release;
    options.handlers = handlers;
    options.handler_count = SVS__BIPARTITE_HANDLERS;
    status = svs_structure_new(graph->ranks, &options, &graph->structure, NULL);
    if (status == SVS_OK) graph->outbox.snapshot = svs_structure_snapshot(graph->structure);
    return status;
}

svs_status svs_bipartite_new(svs_ranks *ranks, const svs_bipartite_options *given,
                             svs_bipartite **made) {
    svs_bipartite_options options;
    svs_bipartite *graph = NULL;
    svs_status status;
    if (ranks == NULL || made == NULL)
        return REFUSE(SVS_E_NULL, "svs_bipartite_new: ranks or graph is NULL: pass both");
    if (svs_ranks_in_run(ranks))
        return REFUSE(SVS_E_STATE, "svs_bipartite_new: called in a run: make graphs before it");
    status = take_options(ranks, given, &options);
    if (status == SVS_OK)
        graph = svs__allocate_zeroed(svs_ranks_allocator(ranks), sizeof *graph,
                                     _Alignof(svs_bipartite));
    if (graph == NULL) {
        svs_structure_decline(ranks);
        return status != SVS_OK ? status : SVS_E_NO_MEMORY;
    }
    graph->ranks = ranks;
    graph->allocator = *svs_ranks_allocator(ranks);
    graph->index = svs_ranks_index(ranks);
    graph->count = svs_ranks_count(ranks);
    graph->node_bytes = options.node_bytes;
    graph->outbox = (svs__outbox){
        .ranks = ranks, .allocator = graph->allocator, .emptied = nothing_emptied, .self = graph};
    status = make_structure(graph, &options);
    if (status == SVS_OK) *made = graph;
    else release(ranks, graph);
    return status;
}

/* ---- the subgraph ---- */

static svs_status check_built(const svs_bipartite *graph, unsigned colour, const char *call) {
    if (graph == NULL) return svs__refuse_call(NULL, SVS_E_NULL, call, "graph is NULL: pass one");
    if (graph->state != SVS__BIPARTITE_BUILT)
        return svs__refuse_call(graph->ranks, SVS_E_STATE, call,
                                "the graph is connected already: add nodes and edges before that");
    return colour < SVS__BIPARTITE_COLOURS
               ? SVS_OK
               : svs__refuse_call(
                     graph->ranks, SVS_E_INVALID, call,
                     "the colour is neither red nor black: pass one of svs_bipartite_colour");
}

svs_status svs_bipartite_add_node(svs_bipartite *graph, svs_bipartite_colour colour,
                                  const void *state, svs_bipartite_node *node) {
    svs_status status = check_built(graph, (unsigned)colour, "svs_bipartite_add_node");
    svs__bipartite_side *side;
    unsigned char *to;
    if (status != SVS_OK) return status;
    side = &graph->sides[colour];
    if (!svs__grow(&graph->allocator, (void **)&side->states, &side->states_capacity,
                   side->count + 1, graph->node_bytes))
        return SVS_E_NO_MEMORY;
    to = side->states + (size_t)side->count * graph->node_bytes;
    if (state != NULL) memcpy(to, state, graph->node_bytes);
    else memset(to, 0, graph->node_bytes);
    if (node != NULL) *node = (svs_bipartite_node){graph->index, side->count, colour};
    side->count++;
    graph->statistics.nodes++;
    return SVS_OK;
}

svs_status svs_bipartite_add_edge(svs_bipartite *graph, svs_bipartite_node from,
                                  svs_bipartite_node to, double weight) {
    svs_status status = check_built(graph, (unsigned)to.colour, "svs_bipartite_add_edge");
    svs__bipartite_side *side;
    if (status != SVS_OK) return status;
    side = &graph->sides[to.colour];
    if ((unsigned)from.colour >= SVS__BIPARTITE_COLOURS || from.colour == to.colour)
        return svs__refuse_call(
            graph->ranks, SVS_E_INVALID, "svs_bipartite_add_edge",
            "both nodes have one colour: an edge leads from red to black, or back");
    if (from.rank >= graph->count || to.rank != graph->index || to.index >= side->count)
        return svs__refuse_call(graph->ranks, SVS_E_INVALID, "svs_bipartite_add_edge",
                                "it leads to no node of this rank, or its source names no rank: "
                                "add the node first, and an edge on the rank of its target");
    if (!svs__grow(&graph->allocator, (void **)&side->links, &side->links_capacity,
                   side->link_count + 1, sizeof *side->links))
        return SVS_E_NO_MEMORY;
    side->links[side->link_count++] = (svs__bipartite_link){from, to.index, weight};
    graph->statistics.edges++;
    return SVS_OK;
}

/* ---- queries ---- */

svs_bipartite_rows svs_bipartite_rows_get(const svs_bipartite *graph, svs_bipartite_colour colour) {
    const svs__bipartite_side *side;
    if (graph == NULL || (unsigned)colour >= SVS__BIPARTITE_COLOURS ||
        graph->state != SVS__BIPARTITE_CONNECTED || graph->sides[colour].count == 0)
        return (svs_bipartite_rows){.count = 0};
    side = &graph->sides[colour];
    return (svs_bipartite_rows){side->states, side->edges, side->edges_first, side->count};
}

uint32_t svs_bipartite_ghosts(const svs_bipartite *graph, svs_bipartite_colour colour) {
    return graph == NULL || (unsigned)colour >= SVS__BIPARTITE_COLOURS
               ? 0
               : graph->sides[colour].ghost_count;
}

svs_status svs_bipartite_statistics_get_sized(const svs_bipartite *graph,
                                              svs_bipartite_statistics *statistics, size_t size) {
    if (graph == NULL || statistics == NULL)
        return svs_ranks_refuse(NULL, SVS_E_NULL,
                                "svs_bipartite_statistics_get: graph or statistics is NULL: pass "
                                "both");
    svs__output_put(statistics, size, &graph->statistics, sizeof graph->statistics);
    return SVS_OK;
}
