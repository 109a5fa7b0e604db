/* An event graph over all ranks: nodes, each on one rank, and edges, each a queue of events with a
 * bounded number of places (section 2.2.4 of Wen's thesis).
 *
 *     static const svs_event_edge edges[] = {{0, 1, 0}, {1, 2, 4}};   // from, to, capacity
 *     svs_event_graph_options_init(&options);
 *     options.name = "pipe";
 *     options.nodes = 3;
 *     options.edges = edges;
 *     options.edge_count = 2;
 *     options.event_bytes = sizeof(item);
 *     svs_event_graph_new(ranks, &options, &graph);      // on each rank, outside of a run
 *     // a thread of node 1, on its rank
 *     status = svs_event_take(graph, 0, items, 4);        // 4 events, from edge 0
 *     status = svs_event_put(graph, 1, items, 4);         // to edge 1, when it has places
 *
 * A send goes to all edges that leave the node, or to none: it returns SVS_WAIT, and has done
 * nothing, if one of them has no place, or if the graph is frozen. Events arrive on each edge in
 * the order of their sends. They can be examined in any order, and are removed in the order of
 * arrival.
 *
 * A thread with a stack calls svs_event_take() and svs_event_put(), which wait. All else is
 * split-phase (fiber.h): svs_event_wait() adds 1 to a counter, so that a continuation, or a thread
 * of either kind, can wait; and a send or a removal that returned SVS_WAIT is called again after
 * it. A node can have two waits at the same time: one on its inputs, and one for SVS_EVENT_SPACE.
 *
 *   SVS_EVENT_ANY_EDGE    until there is a new event: one that came to an edge which was not
 *                         examined since (by a count, or a look at its last event), and that ended
 *                         no earlier wait of the node
 *   SVS_EVENT_EMPTY_EDGE  the same, but only of an event that came to an empty edge
 *   SVS_EVENT_SPACE       until each edge that leaves the node has a place, and none is frozen
 *   SVS_EVENT_OPEN        until the graph is not frozen: after SVS_WAIT of a removal
 *
 * Edges whose nodes are on one rank need no records. Edges from one node to several nodes of
 * another rank share one record for each event, and one for the places that are free again.
 *
 * Freezing: while the graph is frozen, no event is sent, removed or in flight on any rank.
 *
 * Time: in a timed graph an event begins with its time, an int64_t from 0; the times of a node's
 * events rise. An edge has a clock: no event before it will come. svs_event_promise() raises the
 * clocks of a node's edges without an event, by null messages. <svs/ranks/simulation.h> does that.
 *
 * Deadlock. The graph detects in the background that all ranks are idle while nodes wait. Each of
 * its cures can be switched off, and is counted:
 *
 *   SVS_EVENT_NULLS     promises are sent to other nodes; a promise replaces an older one that was
 *                       not sent yet
 *   SVS_EVENT_RECOVERY  timed: all clocks are raised, under a freeze, to the earliest time of an
 *                       event that any node may still send (options.next)
 *   SVS_EVENT_GROWTH    the smallest full edge of a cycle of waits gets twice the capacity, if
 *                       nothing else helps; with recovery, if there is no such edge, the one that
 *                       the node with the earliest event waits for
 *
 * A cycle of waits that none of them cures ends the run with SVS_E_DEADLOCK. The failure names the
 * nodes, and so does the DOT file. Waits that form no cycle, such as for a node that has ended, end
 * the run as other waits do (rank.h).
 *
 * Failures: a lack of memory for events ends the run. When a rank dies, the text of the failure on
 * each other one ends with what its nodes waited for. Each call that is refused says why in the
 * log. `ranks/docs/event-graph.md` has a worked example.
 * Threads: as <svs/ranks/rank.h> says. */
#ifndef SVS_RANKS_EVENT_GRAPH_H
#define SVS_RANKS_EVENT_GRAPH_H

#include <svs/ranks/structure.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_event_graph svs_event_graph;

typedef struct svs_event_edge {
    uint32_t from, to; /* numbers of nodes */
    uint32_t capacity; /* places for events; 0: `capacity` of the options */
} svs_event_edge;

enum { SVS_EVENT_NULLS = 1, SVS_EVENT_RECOVERY = 2, SVS_EVENT_GROWTH = 4 };

#define SVS_EVENT_GRAPH_NAME 24u          /* bytes of a name, with the terminating zero */
#define SVS_EVENT_BYTES_MAX 65536u        /* most bytes of an event */
#define SVS_EVENT_CAPACITY_MAX (1u << 28) /* most places of an edge */
#define SVS_EVENT_TIME_MAX INT64_MAX      /* a time that no event reaches */

typedef struct svs_event_graph_options {
    size_t size;      /* size of this struct, filled by svs_event_graph_options_init() */
    const char *name; /* name of the graph, distinct from those of other structures */
    uint32_t nodes;   /* number of nodes; they are numbered from 0 */
    uint32_t event_bytes;
    /* all edges of the graph, the same on all ranks; an edge's number is its position. The array is
     * not used after the call */
    const svs_event_edge *edges;
    size_t edge_count;
    uint32_t capacity; /* places of the edges that name no capacity (default 64) */
    uint32_t cures;    /* a sum of SVS_EVENT_... (default: all three) */
    /* Returns the rank on which a node is, below `ranks` and the same on all ranks. NULL: each rank
     * has a block of nodes, of equal size. */
    uint32_t (*place)(uint32_t node, uint32_t ranks, void *argument);
    /* Writes a node's name for messages. NULL: messages have its number. */
    void (*describe)(uint32_t node, char *to, size_t bytes, void *argument);
    /* Needed by timed graphs with recovery: returns the earliest time of an event that this node
     * may send in its present state, if no further event reaches it; SVS_EVENT_TIME_MAX: none.
     * Called while the graph is frozen, for the nodes of this rank. */
    int64_t (*next)(svs_event_graph *graph, uint32_t node, void *argument);
    /* passed to `place`, `describe` and `next`; may differ between ranks */
    void *argument;
    svs_dispatch dispatch;     /* how events from other ranks are handled: SVS_DISPATCH_IN_PLACE
                              (default); SVS_DISPATCH_FIFO or SVS_DISPATCH_URGENT: as fibers */
    bool timed;                /* an event begins with its time */
    const char *deadlock_file; /* DOT file of a cycle of waits (default "svs-event-deadlock.dot"),
                                  or NULL; written by rank 0. The string must live as long as the
                                  graph */
} svs_event_graph_options;

SVS_API void svs_event_graph_options_init_sized(svs_event_graph_options *options, size_t size);
static inline void svs_event_graph_options_init(svs_event_graph_options *svs_options_) {
    svs_event_graph_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes an event graph. Collective, outside of a run. The options are the same on all ranks, except
 * `argument`. The graph is freed with the rank. @return SVS_OK or SVS_E_DIFFERS, SVS_E_RANK on all
 * ranks; or on one rank SVS_E_NULL, SVS_E_VERSION, SVS_E_INVALID (name, an edge of no node, no
 * capacity, an event that is too large, a partitioner that names no rank), SVS_E_STATE (in a run),
 * SVS_E_NO_MEMORY, upon which the others return SVS_E_DIFFERS. */
SVS_NODISCARD SVS_API svs_status svs_event_graph_new(svs_ranks *ranks,
                                                     const svs_event_graph_options *options,
                                                     svs_event_graph **graph);

/* ---- nodes and edges of this rank ---- */

/* The rank of a node; SVS_ALL_RANKS: there is no such node. */
SVS_API uint32_t svs_event_rank(const svs_event_graph *graph, uint32_t node);
/* Visits the nodes of this rank, in the order of their numbers; `*cursor` begins with 0. @return
 * false: there are no more. */
SVS_API bool svs_event_next_node(const svs_event_graph *graph, uint32_t *cursor, uint32_t *node);
/* How many edges enter a node of this rank; and the number of the edge at position `which` among
 * them, UINT32_MAX if there is none. They are in the order of the options. */
SVS_API uint32_t svs_event_inputs(const svs_event_graph *graph, uint32_t node);
SVS_API uint32_t svs_event_input(const svs_event_graph *graph, uint32_t node, uint32_t which);

/* ---- events, in a run. `node` is on this rank, and `edge` enters such a node ---- */

/* Sends `event_bytes` to all edges that leave the node. @return SVS_OK, SVS_WAIT (nothing was
 * done), SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (a node of another rank; a time that is
 * not after the node's last event, or before its promise), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_event_send(svs_event_graph *graph, uint32_t node,
                                                const void *event);

/* The number of events on an edge; 0 also for an edge that does not enter this rank. */
SVS_API uint32_t svs_event_count(svs_event_graph *graph, uint32_t edge);
/* The event at position `nth`, 0 being the first. It is valid until the fiber ends, removes it, or
 * polls. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (an edge of another rank, or fewer events). */
SVS_NODISCARD SVS_API svs_status svs_event_peek(svs_event_graph *graph, uint32_t edge, uint32_t nth,
                                                const void **event);
/* Removes the first `count` events. @return SVS_OK, SVS_WAIT (frozen), SVS_E_NULL, SVS_E_OUTSIDE,
 * SVS_E_INVALID (an edge of another rank, or fewer events: none is removed). */
SVS_NODISCARD SVS_API svs_status svs_event_remove(svs_event_graph *graph, uint32_t edge,
                                                  uint32_t count);

typedef enum svs_event_awaited {
    SVS_EVENT_EMPTY_EDGE,
    SVS_EVENT_ANY_EDGE,
    SVS_EVENT_OPEN,
    SVS_EVENT_SPACE
} svs_event_awaited;

/* Adds 1 to `done` when what the node waits for holds (see above): at once (SVS_OK) or later
 * (SVS_WAIT). @return also SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_INVALID (a node of another rank),
 * SVS_E_BUSY (a second wait of one node), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_event_wait(svs_event_graph *graph, uint32_t node,
                                                svs_event_awaited what, svs_counter *done);
/* The same for a thread with a stack: it returns when the wait is over. @return SVS_OK, as above,
 * and as svs_await(). */
SVS_NODISCARD SVS_API svs_status svs_event_await(svs_event_graph *graph, uint32_t node,
                                                 svs_event_awaited what);

/* ---- events, in a thread with a stack, which waits until all of them have passed ---- */

/* Sends `count` events, one after the other: an array of `event_bytes` each. @return as
 * svs_event_send() and svs_event_await(), but not SVS_WAIT. Upon a failure some may have been
 * sent. */
SVS_NODISCARD SVS_API svs_status svs_event_put(svs_event_graph *graph, uint32_t node,
                                               const void *events, uint32_t count);
/* Copies the first `count` events of an edge into an array, and removes each as it comes. Their
 * places are posted at once: svs_flush() before a long computation sends them. @return as
 * svs_event_remove() and svs_event_await(), but not SVS_WAIT. Upon a failure some may have been
 * removed. */
SVS_NODISCARD SVS_API svs_status svs_event_take(svs_event_graph *graph, uint32_t edge, void *events,
                                                uint32_t count);

/* ---- time ---- */

/* The clock of an edge: the time of its first event, or if it has none, a time before which no
 * event will come. SVS_EVENT_TIME_MAX: no event will come, or the edge enters no node of this
 * rank. */
SVS_API int64_t svs_event_clock(const svs_event_graph *graph, uint32_t edge);
/* Promises that the node will send no event before `time`. A time before that of its last promise
 * or event changes nothing. @return SVS_OK, SVS_WAIT (frozen: promise again when it is open),
 * SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_INVALID (a node of another rank, or no timed graph),
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_event_promise(svs_event_graph *graph, uint32_t node,
                                                   int64_t time);

/* ---- snapshots ---- */

/* Freezes and unfreezes the graph. Collective and split-phase, as svs_snapshot_freeze() and
 * svs_snapshot_unfreeze(). Each rank waits for the end of its unfreeze before it freezes again.
 * @return SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE, SVS_E_NO_MEMORY, SVS_E_BUSY (freeze: called before,
 * and not ended), SVS_E_STATE (unfreeze: not frozen). */
SVS_NODISCARD SVS_API svs_status svs_event_freeze(svs_event_graph *graph, svs_counter *frozen);
SVS_NODISCARD SVS_API svs_status svs_event_unfreeze(svs_event_graph *graph, svs_counter *done);

/* Counts of this rank, since the graph was made. */
typedef struct svs_event_statistics {
    uint64_t sends; /* sends of events, each to all edges that leave its node */
    /* events that have come to edges of this rank: an event counts once for each edge */
    uint64_t events;
    uint64_t local; /* how many of `events` were on edges between nodes of this rank */
    /* records of events sent to other ranks: one for all edges from a node to a rank */
    uint64_t records;
    uint64_t nulls;    /* null messages that were sent to other ranks */
    uint64_t replaced; /* null messages that a newer promise or an event made needless */
    uint64_t spaces;   /* records that returned places to other ranks */
    /* waits that were not over at once, by what they waited for */
    uint64_t waits_space, waits_data, waits_frozen;
    uint64_t recoveries; /* times that clocks were raised under a freeze */
    uint64_t growths;    /* edges of this rank whose capacity was doubled */
    uint64_t alarms;     /* freezes for the detection of deadlock that found nothing to cure */
    uint64_t freezes;    /* freezes that the program has called */
    uint64_t bytes;      /* bytes that events on edges take now */
    uint64_t bytes_most; /* most bytes that events on edges have taken at one time */
    uint64_t memory;     /* bytes of the graph itself, without events */
} svs_event_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_event_statistics_get_sized(const svs_event_graph *graph,
                                                                svs_event_statistics *statistics,
                                                                size_t size);
SVS_NODISCARD static inline svs_status svs_event_statistics_get(
    const svs_event_graph *svs_graph_, svs_event_statistics *svs_statistics_) {
    return svs_event_statistics_get_sized(svs_graph_, svs_statistics_, sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
