/* The part of an event graph on one rank.
 *
 *     node u --out-stream--> rank 0 --in-stream--> edges u->v, u->w of rank 0
 *            \-out-stream--> rank 1 --in-stream--> edge  u->x    of rank 1
 *
 * Each event of a node goes to all of its edges. So the edges from one node into one rank have the
 * same events, and share a *stream*: one queue, and one record for each event. The events of a
 * stream are numbered, and an edge only counts how many events it has removed. An event is kept
 * until all edges of its stream have removed it. The *limit* of a stream is the number of the first
 * event that may not be sent yet. One new limit returns the places of all edges of the stream.
 *
 * Numbers are of 32 bits and wrap around: differences are below 2^31, as capacities are.
 *
 *   structures.E1  Events of an edge arrive, and are removed, in the order of their sends and each
 *                  once. (not asserted: a statement about contents; ranks/tests/structures/events.c
 *                  numbers them)
 *   structures.E2  An edge has at most as many events as its capacity, those in flight included.
 *   structures.E3  A send reaches all edges that leave the node, or none.
 *   structures.E4  What a node receives depends on what its sources send alone: bitwise equal for
 *                  each number of ranks, capacity and schedule. (not asserted: tests compare runs)
 *   structures.E5  No graph stops for lack of places or of promises while a cure is switched on.
 *                  (not asserted: tests run random graphs with cycles and capacity 1)
 *   structures.E6  The clock of a stream never goes back.
 *   structures.E7  A wait is over once, when what it waits for holds, and never while the graph is
 *                  frozen.
 *   structures.E8  While nodes of this rank wait and a cure may help them, this rank holds up
 *                  quiescence: the run does not end, and the runtime reports no deadlock.
 *
 *   structures.E9  The queues of a rank take at most the sum of its edges' capacities, times the
 *                  kept size of an event.
 *
 *   file          what
 *   graph.c       options, making
 *   calls.c       the other public calls: checks of arguments, and calls that block a thread
 *   layout.c      nodes, edges and streams of this rank, from the lists of the options
 *   index.h       positions on this rank, by the numbers of nodes and edges
 *   queue.c       the queue of a stream
 *   send.c        sends, promises, and records that wait for credit
 *   receive.c     handlers, examination, removal
 *   wait.c        waits of nodes
 *   idle.c        the detection that all ranks are idle, by waves of questions from rank 0
 *   cycle.c       freezes, of the program and of the detection of deadlock, in one order on all
 *                 ranks
 *   deadlock.c    cycles of waits, at rank 0: it chooses the edge that grows, or reports the
 *                 deadlock
 *   simulation.c  the public calls of simulations: options, making, calls of a step
 *   stepper.c     steps of nodes in the order of time
 *   inputs.h      the inputs of a node of a simulation, by their times
 *
 * Mutations: each record is a mutation from its acceptance by the graph to the end of its handler,
 * also returned places and null messages. So the state of a frozen graph is exact: all that was
 * sent has been received, and the limit of a stream is the same at both of its ends. */
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
    uint32_t fresh : 1;          /* an event has arrived that was not examined */
    uint32_t node : 31;          /* the position of its node */
    uint32_t filled : 1;         /* such an event has arrived while the edge was empty */
} svs__event_edge;

typedef struct svs__event_queue { /* a ring of events */
    uint32_t head, size;          /* place of event `base`; number of places */
    _Alignas(max_align_t) unsigned char events[];
} svs__event_queue;

typedef struct svs__event_in { /* stream from one node to this rank */
    svs__event_queue *queue;   /* NULL: no event has come yet, or the queue was released */
    int64_t clock;             /* the next event that arrives is not before this time */
    /* number of events received; number of the first event that is kept */
    uint32_t received, base;
    uint32_t told;       /* the limit that the source knows */
    uint32_t first_edge; /* its edges end where those of the next stream begin */
    uint32_t at_base;    /* number of edges whose next event has the number `base` */
    /* position of the stream among the out-streams of the source's rank */
    uint32_t out;
    uint32_t source; /* the node that sends */
    uint16_t rank;   /* the source's rank; SVS_RANKS_MAX fits */
    uint8_t uneven;  /* its edges differ in capacity */
    /* the stream is listed in the outbox, because its limit is to be returned */
    uint8_t dirty;
} svs__event_in;

typedef struct svs__event_out { /* stream from a node of this rank to one rank */
    /* number of events sent; number of events that may be sent in all */
    uint32_t sent, limit;
    uint32_t rank : 30;  /* rank of the target */
    uint32_t dirty : 1;  /* a null message for it is in the outbox */
    uint32_t behind : 1; /* the target has not been told the last promise of the node */
    uint32_t in, node;   /* positions of the stream on the target, and of the node on this rank */
} svs__event_out;

static_assert(sizeof(svs__event_edge) == 12 && sizeof(svs__event_in) == 48 &&
                  sizeof(svs__event_out) == 20,
              "a large graph is edges and streams");

typedef struct svs__event_node {
    /* counters of the node's waits for events and for places; or NULL */
    svs_counter *reader, *writer;
    int64_t promised; /* the node sends no event before this time */
    uint32_t number;  /* number of the node in the graph */
    /* position of its first input in `inputs`; its inputs end where those of the next node begin */
    uint32_t first_input;
    uint32_t first_out;
    uint32_t fresh, filled; /* how many input edges are fresh, and filled */
    uint8_t awaited;        /* what the reader waits for: an svs_event_awaited */
    uint8_t due;            /* 1: the reader's wait will be over when the graph opens */
    /* 1: a node of a simulation that waits for inputs; the end of the wait is told by user.wake */
    uint8_t hooked;
    uint8_t hooked_space;
} svs__event_node;

/* ---- records ---- */

typedef struct svs__event_record {
    uint32_t stream, reserved; /* position among the in-streams of the target */
    unsigned char event[];
} svs__event_record;

typedef struct svs__event_null {
    uint32_t stream, reserved;
    int64_t clock;
} svs__event_null;

typedef struct svs__event_space {
    uint32_t stream, limit; /* position among the out-streams of the target */
} svs__event_space;

/* Messages for the detection of deadlock, between rank 0 and the others. */
typedef enum svs__event_word {
    SVS__EVENT_NUDGE,  /* to rank 0: nodes of this rank wait, and it is idle */
    SVS__EVENT_ASK,    /* from rank 0: asks for an answer when the rank is idle */
    SVS__EVENT_ANSWER, /* to rank 0: a records were created, b were run, and c nodes wait */
    SVS__EVENT_VOTE,   /* to rank 0: the program of this rank has called freeze */
    /* from rank 0: a freeze begins; a is 1 if it is for the detection of deadlock */
    SVS__EVENT_BEGIN,
    /* to rank 0: node a waits for an event of node b on edge c, which has d events */
    SVS__EVENT_EMPTY,
    SVS__EVENT_FULL, /* to rank 0: edge c from node a to node b is full, and has capacity d */
    /* to rank 0: node a is in state b (svs__event_state); if it waits for places, its next event
     * has time c */
    SVS__EVENT_WAITER,
    SVS__EVENT_LISTED, /* to rank 0: this rank has listed all its waits */
    /* from rank 0: edge a, which enters node b, grows; SVS__EVENT_NONE: no edge grows */
    SVS__EVENT_VERDICT,
    SVS__EVENT_OVER /* to rank 0: the freeze is over on this rank */
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

typedef struct svs__event_list { /* list of positions of streams */
    uint32_t *of, count, capacity, done;
} svs__event_list;

typedef struct svs__event_outbox {
    svs__event_parcel *first, *last;
    svs__event_list nulls, spaces;
    bool posting; /* the fiber that posts the records exists */
} svs__event_outbox;

/* ---- the detection of deadlock ---- */

typedef struct svs__event_idle {
    svs_scheduler *hold, *background;
    svs_fiber holder, prober;
    bool held, probed;  /* `holder`, and `prober`, are deposited in their schedulers */
    bool asked, nudged; /* a wave asks this rank; this rank has sent a nudge to rank 0 */
    /* nothing has changed on this rank since the last freeze that cured nothing */
    bool resigned;
    uint64_t created, run; /* number of records of the graph created and run on this rank */
    uint32_t waiting;      /* number of waits of nodes */
    /* used by rank 0 only: */
    bool wave, wanted; /* `wave`: a wave is in progress; `wanted`: nodes of some rank wait */
    uint32_t answers, skip, pause;
    uint64_t sums[3]; /* sums over the answers: records created, records run, nodes that wait */
} svs__event_idle;

typedef struct svs__event_analysis { /* on rank 0: the waits of all ranks, under a freeze */
    svs__event_message *of;
    uint32_t count, capacity, lists;
} svs__event_analysis;

typedef enum svs__event_phase {
    SVS__EVENT_IS_OPEN,
    SVS__EVENT_FREEZING, /* a freeze has begun here */
    SVS__EVENT_FROZEN    /* the freeze is complete: nothing is in flight on any rank */
} svs__event_phase;

typedef struct svs__event_freezer {
    svs__event_phase phase;
    bool own;                   /* the freeze is for the detection of deadlock */
    bool voted;                 /* the program has called freeze, and that freeze is not over */
    svs_counter *frozen, *done; /* counters of the program's freeze and unfreeze */
    svs_counter steps, released, verdicts;
    /* the verdict of rank 0: the edge that grows, and the node that it enters */
    uint32_t grows, enters;
    /* used by rank 0 only: */
    uint32_t votes, overs;
    bool running;
} svs__event_freezer;

/* A simulation that uses the graph. */
typedef struct svs__event_user {
    void *argument;
    /* used as options.next */
    int64_t (*next)(svs_event_graph *graph, uint32_t node, void *argument);
    /* called when the graph is made; @return false: no memory */
    bool (*fill)(void *argument, svs_event_graph *graph);
    void (*release)(void *argument);
    void (*wake)(void *argument, uint32_t local); /* called when the wait of a node is over */
    void (*open)(void *argument);                 /* called when a freeze is over */
} svs__event_user;

struct svs_event_graph {
    svs_ranks *ranks;
    svs_structure *structure;
    svs_snapshot *snapshot;
    const svs_handler *handlers[SVS__EVENT_HANDLERS];
    svs_allocator allocator;
    svs_event_graph_options options;
    uint32_t index, count; /* this rank; number of ranks */

    svs__event_node *nodes; /* nodes of this rank, and one more, which marks the end */
    svs__event_edge *edges;
    svs__event_in *ins; /* streams to this rank, and one more, which marks the end */
    svs__event_out *outs;
    uint32_t *inputs; /* edges of each node, in the order of their numbers */
    svs__event_index node_index, edge_index;
    uint32_t capacity;    /* capacity of each edge, while all are equal */
    uint32_t *capacities; /* capacity of each edge; NULL: all are equal */
    uint32_t node_count, edge_total, in_count, out_count;
    size_t memory;

    uint64_t places;     /* sum of the capacities of the edges of this rank */
    uint32_t kept_bytes; /* size of an event in a queue and in a record */
    svs__event_record *scratch;
    svs__event_outbox *boxes; /* one outbox for each rank */
    svs__event_idle idle;
    svs__event_freezer freezer;
    svs__event_analysis analysis;
    svs_event_statistics counts;
    svs__event_user user; /* the simulation that uses the graph; zero: there is none */
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

/* As svs_event_graph_new(), for a simulation. The argument of the user belongs to the graph, also
 * if the call fails. */
svs_status svs__event_graph_make(svs_ranks *ranks, const svs_event_graph_options *given,
                                 const svs__event_user *user, svs_event_graph **made);

/* ---- layout.c ---- */

/* @return what is wrong with the lists of nodes and edges, or NULL. @param why room of at least 160
 * bytes for the text. */
const char *svs__event_fault_of_lists(const svs_event_graph_options *options, uint32_t ranks,
                                      char *why);
/* @return false: no memory; what was made is released by svs__event_layout_release(). */
bool svs__event_layout_make(svs_event_graph *graph);
void svs__event_layout_release(svs_event_graph *graph);
/* Gives each edge a capacity of its own, before the first one grows. @return false: no memory. */
bool svs__event_capacities_make(svs_event_graph *graph);
uint32_t svs__event_place(const svs_event_graph_options *options, uint32_t node, uint32_t ranks);
/* Digests of the lists and of the partition, which all ranks compare. */
uint64_t svs__event_digest_lists(const svs_event_graph_options *options);
uint64_t svs__event_digest_places(const svs_event_graph_options *options, uint32_t ranks);

static inline uint32_t svs__event_capacity(const svs_event_graph *graph, uint32_t slot) {
    return graph->capacities == NULL ? graph->capacity : graph->capacities[slot];
}

static inline uint32_t svs__event_edges_end(const svs_event_graph *graph, uint32_t in) {
    return graph->ins[in + 1].first_edge;
}

/* ---- queue.c ---- */

/* Makes room for at least one more event. @return false: no memory. */
bool svs__event_queue_grow(svs_event_graph *graph, svs__event_in *in);
/* Releases an empty queue that has grown. */
void svs__event_queue_shrink(svs_event_graph *graph, svs__event_in *in);
void svs__event_queue_release(svs_event_graph *graph, svs__event_in *in);

static inline void *svs__event_queue_at(const svs_event_graph *graph, const svs__event_in *in,
                                        uint32_t number) {
    uint32_t place = in->queue->head + (number - in->base);
    if (place >= in->queue->size) place -= in->queue->size;
    return in->queue->events + (size_t)place * graph->kept_bytes;
}

/* Copies an event; usual sizes are copied without a call. */
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

/* Drops the events before number `base`. */
static inline void svs__event_queue_drop(svs_event_graph *graph, svs__event_in *in, uint32_t base) {
    svs__event_queue *queue = in->queue;
    uint32_t head = queue->head + (base - in->base);
    SVS__ASSERT(base - in->base <= in->received - in->base); /* structures.E1 */
    queue->head = head >= queue->size ? head - queue->size : head;
    in->base = base;
    if (base == in->received) svs__event_queue_shrink(graph, in);
}

/* ---- send.c ---- */

/* Whether each stream of the node has a place. */
bool svs__event_has_space(const svs_event_graph *graph, const svs__event_node *node);
/* Sends an event. Precondition: the arguments are right, the graph is open, and all streams have
 * places. */
svs_status svs__event_send(svs_event_graph *graph, uint32_t local, const void *event);
/* As svs_event_promise(). Precondition: the graph is open. */
svs_status svs__event_promise(svs_event_graph *graph, uint32_t local, int64_t time);
/* Posts a record now or later. Precondition: its mutation has begun. */
svs_status svs__event_post(svs_event_graph *graph, uint32_t to, uint32_t handler,
                           const void *record, uint32_t bytes);
/* Called when the limit of a stream has changed: returns the limit if the source may need it. */
void svs__event_return(svs_event_graph *graph, uint32_t in);
/* Posts the limits that are listed for a rank, as far as there is credit. Not called in a
 * handler. */
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
/* Ends the run, because a record of another rank is malformed. */
SVS__COLD void svs__event_malformed(svs_event_graph *graph, const char *why);

static inline uint32_t svs__event_held(const svs_event_graph *graph, const svs__event_edge *edge) {
    return graph->ins[edge->stream].received - edge->removed;
}
/* The time with which an event of a timed graph begins. */
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

/* The longer parts of svs__event_tell_reader() and svs__event_tell_writer(). */
void svs__event_wake_reader(svs_event_graph *graph, svs__event_edge *edge, bool was_empty);
void svs__event_wake_writer(svs_event_graph *graph, uint32_t local);

/* Called when an event has come to an edge, or the clock of an empty edge was raised. A node of a
 * simulation looks at all its edges before it waits, so it need not be told of earlier events. */
static inline void svs__event_tell_reader(svs_event_graph *graph, svs__event_edge *edge,
                                          bool was_empty) {
    const svs__event_node *node = &graph->nodes[edge->node];
    if (graph->user.wake == NULL || node->hooked) svs__event_wake_reader(graph, edge, was_empty);
}

/* Called when a stream of the node has got a place. */
static inline void svs__event_tell_writer(svs_event_graph *graph, uint32_t local) {
    const svs__event_node *node = &graph->nodes[local];
    if (node->writer != NULL || node->hooked_space) svs__event_wake_writer(graph, local);
}
/* Called when the graph is open again: ends the waits that became due during the freeze. */
void svs__event_tell_all(svs_event_graph *graph);
/* Notes that events of an edge were examined. @param all also the last one, so that the edge has no
 * news any more. */
void svs__event_forget_news(svs_event_graph *graph, svs__event_edge *edge, bool all);
/* Lets a node of a simulation wait for its inputs, or for space. */
void svs__event_hook(svs_event_graph *graph, uint32_t local, bool space);
bool svs__event_is_waiting(const svs__event_node *node);
/* As svs_event_wait(), with arguments that were checked. */
svs_status svs__event_wait(svs_event_graph *graph, svs__event_node *node, svs_event_awaited what,
                           svs_counter *done);
/* Withdraws the wait of a thread that returns with a failure, because its counter ceases to
 * exist. */
void svs__event_withdraw(svs_event_graph *graph, svs__event_node *node, const svs_counter *done);

/* ---- send.c and receive.c ---- */

/* Appends an event that has come to a stream, and tells the nodes of its edges. */
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
/* Called when something has changed on this rank: the detection of deadlock begins anew. */
void svs__event_stir(svs_event_graph *graph);
void svs__event_hear_idle(svs_event_graph *graph, const svs__event_message *message);
/* Called when a freeze for the detection of deadlock is over. */
void svs__event_judged(svs_event_graph *graph, bool fruitful);

/* ---- cycle.c ---- */

void svs__event_take_messages(svs_ranks *ranks, void *part, const void *records, uint32_t count);
svs_status svs__event_say(svs_event_graph *graph, uint32_t to, svs__event_message message);
void svs__event_hear_cycle(svs_event_graph *graph, const svs__event_message *message);
/* Called on rank 0: begins a freeze on all ranks, if none is in progress. */
void svs__event_begin_freeze(svs_event_graph *graph, bool background);

/* ---- deadlock.c ---- */

/* Called on rank 0: keeps a message about a wait. */
void svs__event_hear_wait(svs_event_graph *graph, const svs__event_message *message);
/* Called on rank 0 when the waits of all ranks have come: chooses a cure. A proven deadlock without
 * a cure ends the run. @return the edge that grows, and in `enters` its node; SVS__EVENT_NONE: no
 * edge grows. */
uint32_t svs__event_judge_waits(svs_event_graph *graph, uint32_t *enters);
/* As svs_structure_options.describe_waits: describes the waits of up to two nodes, and counts the
 * others. */
void svs__event_describe_waits(const void *part, char *text, size_t bytes);

#endif
