/* A bipartite graph over all ranks: nodes of two colours, each with a state, and weighted edges
 * between nodes of different colours (section 2.2.1 of Wen's thesis). An edge leads from its source
 * to a node. A rank computes the state of each of its nodes from the states of the sources of the
 * node's edges. If a source is on another rank, this rank has a copy of its state, a *ghost*.
 *
 *     // on each rank, outside of a run
 *     svs_bipartite_options_init(&options);
 *     options.name = "field";
 *     options.node_bytes = sizeof(double);
 *     svs_bipartite_new(ranks, &options, &graph);
 *     svs_bipartite_add_node(graph, SVS_BIPARTITE_RED, &value, &node);  // 0, 1, ... of each colour
 *     svs_bipartite_add_edge(graph, from, node, weight);                // `from` of any rank
 *     // in a fiber
 *     svs_bipartite_connect(graph, &mine->done);                        // once
 *     // ... and when that is done, in each step
 *     rows = svs_bipartite_rows_get(graph, colour);
 *     for (i = 0; i < rows.count; i++)
 *         for (k = rows.first[i]; k < rows.first[i + 1]; k++)
 *             ... the state of node i, by rows.edges[k] ...
 *     svs_bipartite_validate(graph, colour, &mine->done);
 *
 * A validate of a colour is collective and split-phase. When it is complete, each ghost of that
 * colour has the state that its source had when the source's rank called. Each pair of ranks
 * exchanges at most one message in each direction, and its layout is computed once. There is no
 * barrier: ranks may be one validate of a colour apart. Between the call and its end, the states of
 * that colour must not change, and its ghosts must not be read.
 *
 * Threads: as <svs/ranks/rank.h> says. Each call that is refused says why in the log. */
#ifndef SVS_RANKS_BIPARTITE_H
#define SVS_RANKS_BIPARTITE_H

#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_bipartite svs_bipartite;

#define SVS_BIPARTITE_NAME 24u /* bytes of a name, with the terminating zero */

typedef enum svs_bipartite_colour { SVS_BIPARTITE_RED, SVS_BIPARTITE_BLACK } svs_bipartite_colour;

/* Nodes of a colour are numbered from 0 on each rank, in the order in which they were added. */
typedef struct svs_bipartite_node {
    uint32_t rank, index;
    svs_bipartite_colour colour;
} svs_bipartite_node;

/* An edge that leads to a node of this rank. */
typedef struct svs_bipartite_edge {
    double weight;
    const void *source; /* the state of the source, or its ghost */
} svs_bipartite_edge;

typedef struct svs_bipartite_options {
    size_t size;         /* size of this struct, filled by svs_bipartite_options_init() */
    const char *name;    /* name of the graph, distinct from those of other graphs */
    uint32_t node_bytes; /* size of a state, at most 2^16; a multiple of 16 aligns states to 16 */
    uint32_t reserved;   /* 0 */
} svs_bipartite_options;

SVS_API void svs_bipartite_options_init_sized(svs_bipartite_options *options, size_t size);
static inline void svs_bipartite_options_init(svs_bipartite_options *svs_options_) {
    svs_bipartite_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a graph. Collective, outside of a run, with the same options on all ranks. It is freed with
 * the rank.
 * @return as svs_structure_new(). */
SVS_NODISCARD SVS_API svs_status svs_bipartite_new(svs_ranks *ranks,
                                                   const svs_bipartite_options *options,
                                                   svs_bipartite **graph);

/* ---- the subgraph of this rank, before it is connected ---- */

/* Adds a node. @param state node_bytes, which are copied; NULL: zeros. @param node receives its
 * name; or NULL.
 * @return SVS_OK; SVS_E_NULL, SVS_E_STATE (connected), SVS_E_INVALID (colour), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_bipartite_add_node(svs_bipartite *graph,
                                                        svs_bipartite_colour colour,
                                                        const void *state,
                                                        svs_bipartite_node *node);

/* Adds an edge to a node of this rank, from a node of any rank, which need not exist yet. Edges
 * keep the order in which they were added. @return SVS_OK; SVS_E_NULL, SVS_E_STATE (connected),
 * SVS_E_INVALID (within one colour, or to no node of this rank), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_bipartite_add_edge(svs_bipartite *graph,
                                                        svs_bipartite_node from,
                                                        svs_bipartite_node to, double weight);

/* Connects the graph: makes the ghosts, whose states are undefined until a validate, and the layout
 * of messages. Collective, in a run, once. An edge from a node that does not exist ends the run
 * with SVS_E_INVALID.
 * @return SVS_WAIT; SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_STATE (called before),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_bipartite_connect(svs_bipartite *graph, svs_counter *done);

/* ---- after the graph is connected ---- */

/* This rank's nodes of a colour and the edges to them, valid as long as the graph. */
typedef struct svs_bipartite_rows {
    void *states; /* array of the nodes' states */
    const svs_bipartite_edge *edges;
    /* for each node, where its edges begin in `edges`; first[count]: their number */
    const uint32_t *first;
    uint32_t count; /* number of nodes */
} svs_bipartite_rows;

/* @return the nodes and edges of a colour; a count of 0: the graph is not connected, or there are
 * no nodes. */
SVS_API svs_bipartite_rows svs_bipartite_rows_get(const svs_bipartite *graph,
                                                  svs_bipartite_colour colour);

/* The number of this rank's ghosts of a colour. */
SVS_API uint32_t svs_bipartite_ghosts(const svs_bipartite *graph, svs_bipartite_colour colour);

/* Updates the ghosts of a colour (see above). @return SVS_OK (complete), SVS_WAIT; both add 1 to
 * `done`; SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_STATE (not connected), SVS_E_BUSY (a validate of this
 * colour is not complete), SVS_E_INVALID (colour), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_bipartite_validate(svs_bipartite *graph,
                                                        svs_bipartite_colour colour,
                                                        svs_counter *done);

/* Counts of this rank. */
typedef struct svs_bipartite_statistics {
    /* `peers`: ranks that exchange messages with this one, counted for each colour */
    uint64_t nodes, edges, ghosts, peers;
    uint64_t validates, messages, bytes; /* messages of validates, and bytes of states in them */
    /* messages that arrived before this rank had called validate */
    uint64_t early;
} svs_bipartite_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_bipartite_statistics_get_sized(
    const svs_bipartite *graph, svs_bipartite_statistics *statistics, size_t size);
SVS_NODISCARD static inline svs_status svs_bipartite_statistics_get(
    const svs_bipartite *svs_graph_, svs_bipartite_statistics *svs_statistics_) {
    return svs_bipartite_statistics_get_sized(svs_graph_, svs_statistics_, sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
