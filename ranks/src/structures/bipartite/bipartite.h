/* A bipartite graph: this rank's nodes with their edges, ghosts, and the layout of its messages.
 *
 *     add_node, add_edge --> lists of what was added
 *     connect --record "NAME.want": what is a ghost there--> its rank  (connect.c)
 *     validate --record "NAME.states", to each peer--> ghosts there    (validate.c)
 *
 *   structures.G1  When a validate is complete, each ghost of its colour equals its source, as of
 *                  the call on the source's rank. (not asserted: a statement about two ranks;
 *                  ranks/tests/structures/bipartite.c compares)
 *   structures.G2  A validate sends one message to each peer, and to no other rank. The peers for a
 *                  colour are the ranks that have ghosts of this rank's nodes, and the ranks of
 *                  whose nodes this rank has ghosts; so the relation is symmetric. (not asserted:
 *                  holds by construction, as the call visits each peer once;
 *                  ranks/tests/structures/bipartite.c counts)
 *   structures.G3  A peer is at most one validate of a colour ahead of this rank, because its own
 *                  validate waits for this rank's message.
 *   structures.G4  A ghost is written only during a validate of its colour. A state that arrives
 *                  earlier is kept in the second copy of the ghost.
 *
 * Each record is a mutation of the structure's snapshot (structures.K7). */
#ifndef SVS_STRUCTURES_BIPARTITE_BIPARTITE_H
#define SVS_STRUCTURES_BIPARTITE_BIPARTITE_H

#include "structures/outbox.h"
#include <svs/ranks/bipartite.h>

enum { SVS__BIPARTITE_WANT, SVS__BIPARTITE_STATES, SVS__BIPARTITE_HANDLERS };
enum { SVS__BIPARTITE_COLOURS = 2 };

/* An edge as it was added, until it is connected. */
typedef struct svs__bipartite_link {
    svs_bipartite_node from;
    uint32_t to;
    double weight;
} svs__bipartite_link;

/* `data` has the states of `count` nodes, or the numbers of `count` nodes whose states are wanted.
 * */
typedef struct svs__bipartite_record {
    uint32_t from, colour, number, count; /* `number`: that of the validate, mod 2^32 */
    unsigned char data[];
} svs__bipartite_record;

/* A rank that exchanges states of a colour with this one. */
typedef struct svs__bipartite_peer {
    uint32_t rank;
    uint32_t sent_count; /* number of nodes of this rank that have ghosts at the peer */
    uint32_t *sent;      /* numbers of these nodes */
    uint32_t ghosts_first, ghosts_count;
    /* the peer's message of the next validate has arrived, and is in the second copies */
    bool early;
} svs__bipartite_peer;

typedef struct svs__bipartite_side {
    /* states of the nodes; after the connection followed by the ghosts */
    unsigned char *states;
    uint32_t states_capacity, count;
    svs__bipartite_link *links; /* edges to nodes of this colour, as they were added */
    uint32_t links_capacity, link_count;
    /* set when the graph is connected: */
    svs_bipartite_edge *edges;
    uint32_t *edges_first; /* first edge of each node, and the end of the last node's edges */
    unsigned char *early;  /* second copies of the ghosts, for states that arrive early */
    svs_bipartite_node *ghosts;
    uint32_t ghosts_capacity, ghost_count;
    svs__bipartite_peer *peers; /* peers in the order of ranks */
    uint32_t peers_capacity, peer_count;
    /* number of validates begun; number of messages of the last one that have arrived */
    uint32_t number, arrived;
    svs_counter *done; /* counter of the validate in progress, or NULL */
} svs__bipartite_side;

typedef enum svs__bipartite_state {
    SVS__BIPARTITE_BUILT,
    SVS__BIPARTITE_CONNECTING,
    SVS__BIPARTITE_CONNECTED
} svs__bipartite_state;

struct svs_bipartite {
    svs_ranks *ranks;
    svs_structure *structure;
    svs_allocator allocator;
    svs__outbox outbox;
    svs__bipartite_side sides[SVS__BIPARTITE_COLOURS];
    svs__bipartite_record *scratch; /* room for the record that is being packed */
    size_t scratch_bytes;
    uint32_t index, count, node_bytes;
    svs__bipartite_state state;
    svs_bipartite_statistics statistics;
    char names[SVS__BIPARTITE_HANDLERS + 1][SVS_BIPARTITE_NAME + 24];
};

static inline uint32_t svs__bipartite_bytes(const svs_bipartite *graph, uint32_t nodes) {
    return (uint32_t)sizeof(svs__bipartite_record) + ((nodes * graph->node_bytes + 7) & ~7u);
}

/* The peer for a rank, which is added if there is none. NULL: no memory. */
svs__bipartite_peer *svs__bipartite_peer_of(svs_bipartite *graph, svs_bipartite_colour colour,
                                            uint32_t rank);

/* The in-place handlers. */
void svs__bipartite_take_wants(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);
void svs__bipartite_take_states(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);

#endif
