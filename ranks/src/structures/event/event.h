/* The part of an event graph on one rank.
 *
 *     node u --out-stream--> rank 0 --in-stream--> edges u->v, u->w of rank 0
 *            \-out-stream--> rank 1 --in-stream--> edge  u->x    of rank 1
 *
 * Each event of a node goes to all of its edges. So the edges from one node into one rank have the
 * same events, and share a *stream*: one queue, and one record for each event. The events of a
 * stream are numbered, and an edge only counts how many events it has removed. An event is kept
 * until all edges of its stream have removed it. The *limit* of a stream is the number of the event
 * that may not be sent yet. One limit returns the places of all edges.
 *
 * Numbers are of 32 bits and wrap around: differences are below 2^31, as capacities are.
 *
 *   structures.E1  Events of an edge arrive and are removed in the order of their sends, each once.
 *                  (not asserted: a statement about contents; ranks/tests/ranks/events.c numbers
 *                  them)
 *   structures.E2  An edge has at most as many events as its capacity, in flight or there.
 *   structures.E3  A send reaches all edges that leave the node, or none.
 *   structures.E4  What a node receives depends on what its sources send alone: bitwise equal for
 *                  each number of ranks, capacity and schedule. (not asserted: tests compare runs)
 *   structures.E5  No graph stops for lack of places or of information while a cure is on. (not
 *                  asserted: tests run random graphs with cycles and capacity 1)
 *   structures.E6  The clock of a stream never goes back.
 *   structures.E7  A wait is over once, when what it waits for is there, and never while the graph
 *                  is frozen.
 *   structures.E8  While waits are registered that may be cured, this rank is held: the run does
 *                  not end, and no deadlock is reported by others.
 *
 *   structures.E9  The queues of a rank take at most the capacity of its edges times the kept size
 *                  of an event.
 *
 *   file          what
 *   graph.c       options, making
 *   calls.c       the other calls of the face: checks of arguments, and what blocks a thread
 *   layout.c      nodes, edges and streams of this rank, from the lists of the options
 *   index.h       positions on this rank, by the numbers of nodes and edges
 *   queue.c       the queue of a stream
 *   send.c        sends, promises, and records that wait for credit
 *   receive.c     handlers, examination, removal
 *   wait.c        waits of nodes
 *   idle.c        are all ranks idle? (waves of questions by rank 0)
 *   cycle.c       freezes, of the program and of the background, in one order on all ranks
 *   deadlock.c    cycles of waits at rank 0: which edge grows, or the report
 *   simulation.c  the face of simulations: options, making, calls of a step
 *   stepper.c     steps of nodes in the order of time
 *   inputs.h      the inputs of a node of a simulation, by their times
 *
 * Mutations: each record is one from its acceptance by the graph to its handler's end, also
 * returned places and null messages. So a frozen graph is exact: what was sent has been received,
 * and limits are the same on both sides. */
#ifndef SVS_STRUCTURES_EVENT_EVENT_H
#define SVS_STRUCTURES_EVENT_EVENT_H

#include "base/check.h"
#include "base/memory.h"
#include "structures/event/index.h"
#include <assert.h>
#include <stdio.h>
#include <svs/ranks/event_graph.h>
#include <svs/ranks/thread.h>

/* ---- layout ---- */

typedef struct svs__event_edge { /* an edge that enters a node of this rank */
    uint32_t removed;            /* how many events of the stream it has removed */
    uint32_t stream : 31;        /* the position of its stream */
    uint32_t fresh : 1;          /* an event has come that was not examined */
    uint32_t node : 31;          /* the position of its node */
    uint32_t filled : 1;         /* such an event has come while the edge was empty */
} svs__event_edge;

typedef struct svs__event_queue { /* a ring */
    uint32_t head, size;          /* the place of event `base`; places */
    _Alignas(max_align_t) unsigned char events[];
} svs__event_queue;

typedef struct svs__event_in { /* stream from one node to this rank */
    svs__event_queue *queue;   /* NULL: none yet */
    int64_t clock;             /* the next event that comes is not before this time */
    uint32_t received, base;   /* events received; the number of the first that is kept */
    uint32_t told;             /* the limit that the source knows */
    uint32_t first_edge;       /* its edges end where those of the next stream begin */
    uint32_t at_base;          /* edges that have removed no more than all have */
    uint32_t out;              /* position of the stream on the source's rank */
    uint32_t source;           /* the node that sends */
    uint16_t rank;             /* the source's rank; SVS_RANKS_MAX fits */
    uint8_t uneven;            /* its edges differ in capacity */
    uint8_t dirty;             /* in the outbox: its limit is to be returned */
} svs__event_in;

typedef struct svs__event_out { /* stream from a node of this rank to one rank */
    uint32_t sent, limit;       /* events sent; events that may be sent */
    uint32_t rank : 30;         /* target */
    uint32_t dirty : 1;         /* a null message for it is in the outbox */
    uint32_t behind : 1;        /* a promise of the node is later than what it was told */
    uint32_t in, node; /* positions of the stream on the target, and of the node on this rank */
} svs__event_out;

static_assert(sizeof(svs__event_edge) == 12 && sizeof(svs__event_in) == 48 &&
                  sizeof(svs__event_out) == 20,
              "a large graph is edges and streams");

typedef struct svs__event_node {
    svs_counter *reader, *writer; /* waits for events and for places, or NULL */
    int64_t promised;             /* the node sends no event before this time */
    uint32_t number;              /* in the graph */
    uint32_t first_input;         /* in `inputs`; those of a node end where the next's begin */
    uint32_t first_out;
    uint32_t fresh, filled; /* how many input edges are fresh, and filled */
    uint8_t awaited;        /* svs_event_awaited of the reader */
    uint8_t due;            /* the reader's wait is over when the graph opens */
    uint8_t hooked;         /* 1: waits, and is told by graph->wake */
    uint8_t hooked_space;
} svs__event_node;

/* ---- records ---- */

typedef struct svs__event_record {
    uint32_t stream, reserved; /* in-stream of the target */
    unsigned char event[];
} svs__event_record;

typedef struct svs__event_null {
    uint32_t stream, reserved;
    int64_t clock;
} svs__event_null;

typedef struct svs__event_space {
    uint32_t stream, limit; /* out-stream of the target */
} svs__event_space;

/* Of the background, between rank 0 and the others. */
typedef enum svs__event_word {
    SVS__EVENT_NUDGE,   /* to 0: nodes wait, and this rank is idle */
    SVS__EVENT_ASK,     /* from 0: answer when you are idle */
    SVS__EVENT_ANSWER,  /* to 0: a = records created, b = run, c = nodes that wait */
    SVS__EVENT_VOTE,    /* to 0: the program freezes */
    SVS__EVENT_BEGIN,   /* from 0: a freeze; a: 1 of the background */
    SVS__EVENT_EMPTY,   /* to 0: node a waits for an event of node b on edge c; d are there */
    SVS__EVENT_FULL,    /* to 0: edge c from node a to node b is full, and has capacity d */
    SVS__EVENT_WAITER,  /* to 0: node a is in state b; its next event has time c, if it waits for
                           places */
    SVS__EVENT_LISTED,  /* to 0: that was all of this rank */
    SVS__EVENT_VERDICT, /* from 0: edge a grows, which enters node b; or SVS__EVENT_NONE */
    SVS__EVENT_OVER     /* to 0: the freeze is over on this rank */
} svs__event_word;

typedef enum svs__event_state {
    SVS__EVENT_WAITS_FOR_EVENTS,
    SVS__EVENT_WAITS_FOR_PLACES,
    SVS__EVENT_HAS_ENDED
} svs__event_state;

typedef struct svs__event_message {
    uint32_t word, from;
    int64_t a, b, c, d;
} svs__event_message;

enum {
    SVS__EVENT_HANDLE_EVENT,
    SVS__EVENT_HANDLE_NULL,
    SVS__EVENT_HANDLE_SPACE,
    SVS__EVENT_HANDLE_MESSAGE,
    SVS__EVENT_HANDLERS
};

/* ---- outbox: the records for one rank that could not be posted yet ---- */

typedef struct svs__event_parcel {
    struct svs__event_parcel *next;
    uint32_t handler, bytes;
    unsigned char record[];
} svs__event_parcel;

typedef struct svs__event_list { /* positions of streams */
    uint32_t *of, count, capacity, done;
} svs__event_list;

typedef struct svs__event_outbox {
    svs__event_parcel *first, *last;
    svs__event_list nulls, spaces;
    bool posting; /* a fiber that posts them exists */
} svs__event_outbox;

/* ---- background ---- */

typedef struct svs__event_idle {
    svs_scheduler *hold, *background;
    svs_fiber holder, prober;
    bool held, probed;     /* the fibers are deposited */
    bool asked, nudged;    /* a wave asks this rank; it has told rank 0 */
    bool resigned;         /* nothing has changed since the last fruitless freeze */
    uint64_t created, run; /* records */
    uint32_t waiting;      /* waits of nodes */
    /* rank 0 */
    bool wave, wanted; /* in progress; some rank waits */
    uint32_t answers, skip, pause;
    uint64_t sums[3]; /* records created and run, nodes that wait */
} svs__event_idle;

typedef struct svs__event_analysis { /* rank 0: waits of all ranks, under a freeze */
    svs__event_message *of;
    uint32_t count, capacity, lists;
} svs__event_analysis;

typedef enum svs__event_phase {
    SVS__EVENT_IS_OPEN,
    SVS__EVENT_FREEZING, /* a freeze has begun here */
    SVS__EVENT_FROZEN    /* ... and is proven */
} svs__event_phase;

typedef struct svs__event_freezer {
    svs__event_phase phase;
    bool own;                   /* it is a freeze of the background */
    bool voted;                 /* the program's freeze is called, and not yet over */
    svs_counter *frozen, *done; /* the program's counters */
    svs_counter steps, released, verdicts;
    uint32_t grows, enters; /* the verdict: an edge, and its node */
    /* rank 0 */
    uint32_t votes, overs;
    bool running;
} svs__event_freezer;

/* A simulation that uses the graph. */
typedef struct svs__event_user {
    void *argument;
    int64_t (*next)(svs_event_graph *graph, uint32_t node, void *argument); /* as options.next */
    bool (*fill)(void *argument, svs_event_graph *graph);                   /* false: no memory */
    void (*release)(void *argument);
    void (*wake)(void *argument, uint32_t local); /* the wait of a node is over */
    void (*open)(void *argument);                 /* the graph is not frozen any more */
} svs__event_user;

struct svs_event_graph {
    svs_ranks *ranks;
    svs_structure *structure;
    svs_snapshot *snapshot;
    const svs_handler *handlers[SVS__EVENT_HANDLERS];
    svs_allocator allocator;
    svs_event_graph_options options;
    uint32_t index, count; /* this rank; number of ranks */

    svs__event_node *nodes; /* nodes of this rank; one more ends the list */
    svs__event_edge *edges;
    svs__event_in *ins; /* as `nodes`, with one more */
    svs__event_out *outs;
    uint32_t *inputs; /* edges of each node, in the order of their numbers */
    svs__event_index node_index, edge_index;
    uint32_t capacity;    /* of each edge, while they are equal */
    uint32_t *capacities; /* NULL: they are equal */
    uint32_t node_count, edge_total, in_count, out_count;
    size_t memory;

    uint64_t places;     /* sum of the capacities of the edges of this rank */
    uint32_t kept_bytes; /* size of an event in a queue and in a record */
    svs__event_record *scratch;
    svs__event_outbox *boxes; /* one for each rank */
    svs__event_idle idle;
    svs__event_freezer freezer;
    svs__event_analysis analysis;
    svs_event_statistics counts;
    svs__event_user user; /* zero: there is none */
    char name[SVS_EVENT_GRAPH_NAME];
    char names[SVS__EVENT_HANDLERS + 1][64];
};

static inline bool svs__event_is_open(const svs_event_graph *graph) {
    return graph->freezer.phase == SVS__EVENT_IS_OPEN;
}

static inline bool svs__event_recovers(const svs_event_graph *graph) {
    return graph->options.timed && (graph->options.cures & SVS_EVENT_RECOVERY) != 0;
}

/* ---- graph.c ---- */

/* As svs_event_graph_new(), for a simulation. It owns the user's argument, also when it fails. */
svs_status svs__event_graph_make(svs_ranks *ranks, const svs_event_graph_options *given,
                                 const svs__event_user *user, svs_event_graph **made);

/* ---- layout.c ---- */

/* Why the lists make no graph, or NULL. @param why at least 160 bytes, which it may use. */
const char *svs__event_fault_of_lists(const svs_event_graph_options *options, uint32_t ranks,
                                      char *why);
/* @return false: no memory; what was made is released by svs__event_layout_release(). */
bool svs__event_layout_make(svs_event_graph *graph);
void svs__event_layout_release(svs_event_graph *graph);
/* Each edge has a capacity of its own from now on. @return false: no memory. */
bool svs__event_capacities_make(svs_event_graph *graph);
uint32_t svs__event_place(const svs_event_graph_options *options, uint32_t node, uint32_t ranks);
/* Digests, which all ranks compare: of the lists, and of the partition. */
uint64_t svs__event_digest_lists(const svs_event_graph_options *options);
uint64_t svs__event_digest_places(const svs_event_graph_options *options, uint32_t ranks);

static inline uint32_t svs__event_capacity(const svs_event_graph *graph, uint32_t slot) {
    return graph->capacities == NULL ? graph->capacity : graph->capacities[slot];
}

static inline uint32_t svs__event_edges_end(const svs_event_graph *graph, uint32_t in) {
    return graph->ins[in + 1].first_edge;
}

/* ---- queue.c ---- */

/* Room for one more event. @return false: no memory. */
bool svs__event_queue_grow(svs_event_graph *graph, svs__event_in *in);
/* An empty queue that has grown is released. */
void svs__event_queue_shrink(svs_event_graph *graph, svs__event_in *in);
void svs__event_queue_release(svs_event_graph *graph, svs__event_in *in);

static inline void *svs__event_queue_at(const svs_event_graph *graph, const svs__event_in *in,
                                        uint32_t number) {
    uint32_t place = in->queue->head + (number - in->base);
    if (place >= in->queue->size) place -= in->queue->size;
    return in->queue->events + (size_t)place * graph->kept_bytes;
}

/* Usual sizes are copied without a call. */
static inline void svs__event_copy(void *to, const void *from, size_t bytes) {
    if (bytes == 16) memcpy(to, from, 16);
    else if (bytes == 24) memcpy(to, from, 24);
    else memcpy(to, from, bytes);
}

/* Appends an event. @return false: no memory. */
static inline bool svs__event_queue_put(svs_event_graph *graph, svs__event_in *in,
                                        const void *event) {
    bool full = in->queue == NULL || in->received - in->base == in->queue->size;
    if (full && !svs__event_queue_grow(graph, in)) return false;
    svs__event_copy(svs__event_queue_at(graph, in, in->received), event,
                    graph->options.event_bytes);
    in->received++;
    return true;
}

/* Events below `base` are not needed any more. */
static inline void svs__event_queue_drop(svs_event_graph *graph, svs__event_in *in, uint32_t base) {
    svs__event_queue *queue = in->queue;
    uint32_t head = queue->head + (base - in->base);
    SVS__ASSERT(base - in->base <= in->received - in->base); /* structures.E1 */
    queue->head = head >= queue->size ? head - queue->size : head;
    in->base = base;
    if (base == in->received) svs__event_queue_shrink(graph, in);
}

/* ---- send.c ---- */

/* Has each stream of the node a place? */
bool svs__event_has_space(const svs_event_graph *graph, const svs__event_node *node);
/* Sends; the arguments are right, the graph is open, and there is space. */
svs_status svs__event_send(svs_event_graph *graph, uint32_t local, const void *event);
/* As svs_event_promise(); the graph is open. */
svs_status svs__event_promise(svs_event_graph *graph, uint32_t local, int64_t time);
/* Posts a record now or later. Its mutation has begun. */
svs_status svs__event_post(svs_event_graph *graph, uint32_t to, uint32_t handler,
                           const void *record, uint32_t bytes);
/* The limit of a stream has changed. Returns it if the source may need it. */
void svs__event_return(svs_event_graph *graph, uint32_t in);
/* Posts the places that are listed for a rank, as far as there is credit. In no handler. */
void svs__event_tell_places(svs_event_graph *graph, uint32_t to);
void svs__event_outbox_release(svs_event_graph *graph);
SVS__COLD void svs__event_no_memory(svs_event_graph *graph);

/* ---- receive.c ---- */

void svs__event_raise(svs_event_graph *graph, uint32_t in, int64_t clock);
void svs__event_remove(svs_event_graph *graph, uint32_t slot, uint32_t count);
void svs__event_grow(svs_event_graph *graph, uint32_t slot);
void svs__event_take_events(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__event_take_nulls(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__event_take_spaces(svs_ranks *ranks, void *part, const void *records, uint32_t count);
svs_status svs__event_run_event(svs_ranks *ranks, void *record);
svs_status svs__event_run_null(svs_ranks *ranks, void *record);
svs_status svs__event_run_space(svs_ranks *ranks, void *record);
/* A record of another rank that names what is not here. */
SVS__COLD void svs__event_malformed(svs_event_graph *graph, const char *why);

static inline uint32_t svs__event_held(const svs_event_graph *graph, const svs__event_edge *edge) {
    return graph->ins[edge->stream].received - edge->removed;
}
/* The time of an event, or 0. */
static inline int64_t svs__event_time(const void *event) {
    int64_t time;
    memcpy(&time, event, sizeof time);
    return time;
}
/* The clock of an edge: the time of its first event, or, without events, its stream's clock. */
static inline int64_t svs__event_edge_clock(const svs_event_graph *graph,
                                            const svs__event_edge *edge) {
    const svs__event_in *in = &graph->ins[edge->stream];
    return edge->removed == in->received
               ? in->clock
               : svs__event_time(svs__event_queue_at(graph, in, edge->removed));
}

/* ---- wait.c ---- */

/* As svs__event_tell_reader() and svs__event_tell_writer(), of which they are the longer parts. */
void svs__event_wake_reader(svs_event_graph *graph, svs__event_edge *edge, bool was_empty);
void svs__event_wake_writer(svs_event_graph *graph, uint32_t local);

/* An event has come to an edge, or the clock of an empty one was raised. A node of a simulation
 * looks at all of its edges before it waits: what came before is no news to it. */
static inline void svs__event_tell_reader(svs_event_graph *graph, svs__event_edge *edge,
                                          bool was_empty) {
    const svs__event_node *node = &graph->nodes[edge->node];
    if (graph->user.wake == NULL || node->hooked) svs__event_wake_reader(graph, edge, was_empty);
}

/* A stream of the node has a place. */
static inline void svs__event_tell_writer(svs_event_graph *graph, uint32_t local) {
    const svs__event_node *node = &graph->nodes[local];
    if (node->writer != NULL || node->hooked_space) svs__event_wake_writer(graph, local);
}
/* The graph is open again: waits that were due are over. */
void svs__event_tell_all(svs_event_graph *graph);
/* The events of the edge have been examined. */
void svs__event_forget_news(svs_event_graph *graph, svs__event_edge *edge, bool all);
/* A node of a simulation waits, for its inputs or for space. */
void svs__event_hook(svs_event_graph *graph, uint32_t local, bool space);
bool svs__event_is_waiting(const svs__event_node *node);
/* svs_event_wait(); the arguments are right. */
svs_status svs__event_wait(svs_event_graph *graph, svs__event_node *node, svs_event_awaited what,
                           svs_counter *done);
/* The thread that waits will not go on: its counter is no longer there. */
void svs__event_withdraw(svs_event_graph *graph, svs__event_node *node, const svs_counter *done);

/* ---- send.c and receive.c ---- */

/* An event has come to a stream. */
static inline void svs__event_arrive(svs_event_graph *graph, uint32_t stream, const void *event) {
    svs__event_in *in = &graph->ins[stream];
    uint32_t before = in->received, end = svs__event_edges_end(graph, stream);
    if (graph->options.timed) {
        SVS__ASSERT(svs__event_time(event) >= in->clock); /* structures.E6 */
        in->clock = svs__event_time(event) + 1;
    }
    if (!svs__event_queue_put(graph, in, event)) {
        svs__event_no_memory(graph);
        return;
    }
    graph->counts.events += end - in->first_edge;
    if (in->rank == graph->index) graph->counts.local += end - in->first_edge;
    for (uint32_t i = in->first_edge; i < end; i++)
        svs__event_tell_reader(graph, &graph->edges[i], graph->edges[i].removed == before);
}

/* ---- idle.c ---- */

svs_status svs__event_idle_init(svs_event_graph *graph);
/* The rank was not idle: looks for deadlock again. */
void svs__event_stir(svs_event_graph *graph);
void svs__event_hear_idle(svs_event_graph *graph, const svs__event_message *message);
/* A freeze of the background is over. */
void svs__event_judged(svs_event_graph *graph, bool fruitful);

/* ---- cycle.c ---- */

void svs__event_take_messages(svs_ranks *ranks, void *part, const void *records, uint32_t count);
svs_status svs__event_say(svs_event_graph *graph, uint32_t to, svs__event_message message);
void svs__event_hear_cycle(svs_event_graph *graph, const svs__event_message *message);
/* Rank 0: begins a freeze on all ranks, if none is in progress. */
void svs__event_begin_freeze(svs_event_graph *graph, bool background);

/* ---- deadlock.c ---- */

/* Rank 0: keeps a message of a wait. */
void svs__event_hear_wait(svs_event_graph *graph, const svs__event_message *message);
/* Rank 0, when the waits of all ranks have come: decides what to do. A proven deadlock without a
 * cure ends the run. @return the edge that grows, with the node that it enters; SVS__EVENT_NONE:
 * none grows. */
uint32_t svs__event_judge_waits(svs_event_graph *graph, uint32_t *enters);
/* As svs_structure_options.describe_waits: of a node or two, and how many others. */
void svs__event_describe_waits(const void *part, char *text, size_t bytes);

#endif
