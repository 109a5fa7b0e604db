/* The state of a rank: what the units of this room share.
 *
 * Terms. A *fiber* is a function with its state, in a slot. A *record* is the argument of a
 * handler; consecutive records of one handler form a *run*. A *packet* is what one transport buffer
 * holds: its header, and runs or one control message. A *channel* is the way to one rank: the
 * buffer in which records for it are gathered, and the credits of both directions. A *phase* is one
 * collective call (new, handlers_add, run); packets of a later phase are held until it begins.
 *
 * One thread at a time uses a rank, so nothing here is atomic except `entered`, the flag by which a
 * thread enters the rank's run (loop.c). */
#ifndef SVS__RANKS_STATE_H
#define SVS__RANKS_STATE_H

#include "base/log.h"
#include "ranks/collective/topology.h"
#include "ranks/cpu_clock.h"
#include "transport/transport.h"
#include "worksteal/stack.h"
#include <assert.h>
#include <stdio.h>
#include <svs/ranks.h>

/* ---- fibers (fiber.h) ---- */

typedef enum svs__fiber_state {
    SVS__FIBER_FREE,
    SVS__FIBER_CREATED,
    SVS__FIBER_WAITS, /* waits for a counter */
    SVS__FIBER_POSTS, /* waits for credit, to post */
    SVS__FIBER_ENABLED,
    SVS__FIBER_EXECUTES
} svs__fiber_state;

#define SVS__FIBER_INLINE 64u /* bytes of state in the slot itself */

/* Calls `done` after the last fiber of a group has run: a buffer that has arrived then gives its
 * credit back (credit.h), and fibers that waited for credit let the next ones be enabled
 * (channel.h). */
typedef struct svs__fiber_group svs__fiber_group;
struct svs__fiber_group {
    svs__fiber_group *next; /* next group in a list of free ones */
    void (*done)(svs_ranks *ranks, svs__fiber_group *group);
    uint32_t from, left;
};

typedef struct svs__fiber {
    svs_fiber_function *function;
    /* `bytes` of state, at `in_slot` or `heap`, or in memory of the program (the first fiber) */
    void *state;
    void *heap; /* memory for states larger than `in_slot`; kept for the next fiber in this slot */
    svs_scheduler *scheduler;
    svs_counter *counter; /* in state SVS__FIBER_WAITS: the counter that it waits for */
    int64_t hint;
    svs__fiber_group *group;
    svs__stack *stack; /* stack of a thread that has begun; NULL: none */
    uint32_t index, generation;
    struct svs__fiber *next; /* next fiber in a queue, or in the list of free slots */
    uint32_t bytes, heap_bytes;
    /* bytes that the fiber contributes to `suspended_bytes`, if it is of a handler and has
     * continued */
    uint32_t counted;
    svs__fiber_state status;
    svs_structure *structure; /* structure to which its handler belongs; NULL: none */
    uint32_t from;            /* if it is of a handler: the rank that has posted its record */
    uint16_t category;        /* its category on an observed rank; 0 on others (observe.h) */
    bool threaded;            /* it is a thread with a stack */
    bool of_handler;          /* it was created for a record */
    uint16_t enabler;         /* on an observed rank: category of the code that has enabled it */
    /* if it is of a handler: its record has had no reply yet (ranks.D4) */
    bool replies;
    _Alignas(16) unsigned char in_slot[SVS__FIBER_INLINE];
} svs__fiber;

/* A fiber in state SVS__FIBER_WAITS, in the heap of its counter (counter.h). Waiters are stored
 * apart from the slots, so that a search of the heap touches few cache lines. */
typedef struct svs__waiter {
    int64_t at_least;
    uint32_t child, sibling; /* index of a fiber, plus 1; 0: none */
    uint32_t last;           /* at the root of the heap: the last fiber of the root's queue */
} svs__waiter;

#define SVS__SLOTS_IN_CHUNK 256u

typedef struct svs__slot_chunk {
    svs__fiber slots[SVS__SLOTS_IN_CHUNK];
    svs__waiter waiters[SVS__SLOTS_IN_CHUNK];
} svs__slot_chunk;

typedef struct svs__queue {
    svs__fiber *first, *last; /* NULL: none */
} svs__queue;

typedef struct svs__fibers {
    svs__slot_chunk **chunks;
    uint32_t chunk_count, chunk_capacity;
    svs__fiber *free;
    uint32_t suspended;      /* number of fibers that are created, or that wait for a counter */
    uint32_t posting;        /* number of fibers that wait for credit */
    svs__fiber *running;     /* NULL: none */
    svs__fiber_group *group; /* group of the fiber that was executed last; NULL: none */
    bool continued;          /* the running fiber has continued as another */
    bool in_place;           /* an in-place fiber or handler is running */
    uint32_t request_from;   /* in an in-place handler: the rank that has posted its records */
    /* in an in-place handler: how many of its records have no reply yet (ranks.D4) */
    uint32_t request_left;
    /* the thread with a stack that ran last has ended, with status `thread_status` */
    bool thread_ended;
    svs_status thread_status;
} svs__fibers;

/* ---- schedulers (scheduler.h) ---- */

typedef enum svs__scheduler_kind {
    SVS__SCHEDULER_FIFO,
    SVS__SCHEDULER_URGENT,
    SVS__SCHEDULER_IN_PLACE,
    SVS__SCHEDULER_CUSTOM,
    SVS__SCHEDULER_BACKLOG /* scheduler of backlogs, which use slots of fibers (backlog.h) */
} svs__scheduler_kind;

struct svs_scheduler {
    svs__scheduler_kind kind;
    /* FIFO or urgent: `plain` on a rank that is not observed, `watched` on one that is */
    bool plain, watched;
    const svs_scheduler_type *type; /* functions of a custom scheduler */
    void *self;
    uint64_t held;       /* number of fibers that a custom scheduler holds */
    svs__queue queue;    /* queue of a built-in scheduler */
    svs_scheduler *next; /* next scheduler in the ring of FIFO and the custom ones */
    svs_ranks *ranks;
};

typedef struct svs__schedulers {
    svs_scheduler fifo, urgent, in_place, backlog;
    svs_scheduler *turn; /* scheduler of the ring from which the next fiber is selected */
    uint64_t enabled;    /* number of enabled fibers in all schedulers but background ones */
    uint32_t urgent_row; /* number of urgent fibers that ran since another fiber ran */
} svs__schedulers;

/* ---- tables that find a struct by a number (named.h) ---- */

typedef struct svs__named {
    struct svs__named *next; /* next entry in the same bucket */
    uint64_t number;
} svs__named;

typedef struct svs__named_table {
    svs__named **buckets;
    uint32_t size, count; /* number of buckets, a power of two or 0; number of entries */
    uint32_t swept;       /* when a rank is freed: buckets that are empty already */
} svs__named_table;

/* ---- structures (structure.h) ---- */

typedef enum svs__structure_state {
    SVS__STRUCTURE_MAKING,
    SVS__STRUCTURE_MADE,
    SVS__STRUCTURE_FREEING,
    SVS__STRUCTURE_FREED
} svs__structure_state;

struct svs_structure {
    svs_ranks *ranks;
    struct svs_structure *next;
    svs_distributed *object;
    svs_snapshot *snapshot;       /* its own snapshot, or that of the structure `shares` */
    struct svs_structure *shares; /* structure whose snapshot it uses; NULL: none */
    uint32_t sharers;
    svs__structure_state state;
    void *part;
    void (*release)(svs_ranks *ranks, void *part);
    /* as in the options of the structure; or NULL */
    void (*describe_waits)(const void *part, char *text, size_t bytes);
    /* number of its first handler in the table of handlers, and how many it has */
    uint32_t first, count;
    uint32_t fibers;  /* number of fibers of its handlers that have not ended */
    uint64_t *agreed; /* while it is made in a run: the words that the ranks compare */
    char name[SVS_STRUCTURE_NAME];
    svs_handler handlers[];
};

/* ---- observers (observe.h) ---- */

typedef struct svs__rank_observer {
    struct svs__rank_observer *next;
    const svs_ranks_observer *given;
    svs_ranks_observer told; /* copy of the observer as it was attached */
} svs__rank_observer;

/* value of `arrived` for records that the running code posts to its own rank */
#define SVS__HERE UINT32_MAX

/* ---- handlers (handler.h) ---- */

typedef struct svs__handler_entry {
    /* NULL: the number is free, or belongs to a structure that is not made yet */
    const svs_handler *handler;
    /* in-place handlers: the handler's run_in_place, or a function that tells observers
     * (ranks.V1) */
    void (*call)(svs_ranks *ranks, void *part, const void *records, uint32_t count);
    /* scheduler of its fibers; NULL: the handler is custom and has no scheduler yet */
    svs_scheduler *scheduler;
    int64_t (*hint)(const void *record);
    /* passed to an in-place handler; NULL: it is passed the program's data */
    void *part;
    svs_structure *structure; /* structure to which the number belongs (ranks.D3); NULL: none */
} svs__handler_entry;

typedef struct svs__handlers {
    svs__handler_entry *entries;
    uint32_t count, capacity;
    uint32_t *index; /* hash table from a handler's address to its number plus 1; open addressing */
    uint32_t index_size;
} svs__handlers;

/* The numbers of the library's own handlers (tree.h, bulk.h). */
#define SVS__SYSTEM_HANDLER 0
#define SVS__BULK_HANDLER 1

/* ---- packets and channels (send.h, channel.h) ---- */

typedef enum svs__packet_kind {
    SVS__PACKET_RECORDS,
    SVS__PACKET_CREDIT, /* has credits in its header, and nothing else */
    /* to the parent: a vote, with what must be the same on all ranks (ending.h) */
    SVS__PACKET_AGREE,
    SVS__PACKET_WAVE,
    SVS__PACKET_ANSWER,
    SVS__PACKET_REPORT, /* down the tree: asks for waits; up the tree: lists them (deadlock.h) */
    SVS__PACKET_END,    /* a step at the end of a collective call (ending.h) */
    SVS__PACKET_KINDS
} svs__packet_kind;

typedef struct svs__packet {
    uint32_t bytes; /* size of the packet, this header included */
    uint16_t kind, credits;
    uint32_t phase;
    uint32_t full; /* the sender's overflow is above its mark */
} svs__packet;

typedef struct svs__record_run {
    uint32_t count;             /* number of records, or of bytes if their size is variable */
    uint16_t handler, category; /* the handler; category of the code that has posted them */
    uint32_t to, from;
} svs__record_run;

#define SVS__PACKET_ALIGNMENT 8u
static_assert(sizeof(svs__packet) == 16 && sizeof(svs__record_run) == 16, "records are aligned");

/* A buffer of records that has arrived, until the fibers of its records have been executed. */
typedef struct svs__arrived {
    /* first member; counts fibers of the buffer that have not ended (credit.h) */
    svs__fiber_group group;
    /* the buffer, while it is being read or has backlogs; NULL: it was released */
    svs__buffer *kept;
    svs__fiber *backlogs[2]; /* slots of its FIFO and its urgent backlog (backlog.h); NULL: none */
    bool copied;             /* `kept` is a copy in a buffer of this rank */
} svs__arrived;

/* The packets of records that have arrived from one rank. */
typedef struct svs__arrivals {
    svs__buffers stalled;   /* packets whose next record is for a rank without credit */
    uint32_t at;            /* offset up to which the first stalled packet has been read */
    uint32_t done;          /* how many records of the run at this offset were relayed */
    svs__arrived *reads;    /* the buffer that is the first stalled packet */
    svs__fiber_group *free; /* list of the groups in `all` that are free */
    svs__arrived all[];     /* one for each credit */
} svs__arrivals;

/* The lists in which a channel may be (listed.h). */
typedef enum svs__list_kind {
    SVS__LISTED_READY,   /* channels with buffers that the transport has refused */
    SVS__LISTED_DUE,     /* channels with credits to give back */
    SVS__LISTED_STALLED, /* channels with packets that wait for credit of another hop */
    /* channels with fibers that wait, or whose rank was told that this one is full */
    SVS__LISTED_HELD,
    SVS__LISTS
} svs__list_kind;

typedef struct svs__channel_list {
    uint32_t first, last, count;
} svs__channel_list;

typedef struct svs__channel {
    svs__buffer *open;    /* the buffer that is being filled, which has a record; NULL: none */
    svs__record_run *run; /* last run in the open buffer */
    svs__buffers queued;  /* full buffers that wait for credit: the overflow */
    svs__buffers ready;   /* buffers that the transport has refused; they are sent next */
    uint32_t free;        /* credits to send buffers to the rank */
    uint32_t in_flight;   /* credits of buffers that were sent, which have not come back yet */
    uint32_t unreturned;  /* credits that this rank is to give back to the other one */
    /* number of buffers from the rank that have arrived and not run completely */
    uint32_t held;
    /* the overflow of the channel's rank is above its mark: records of fibers for it are not
     * accepted */
    bool full;
    /* the other rank was told that the overflow of this rank is above its mark */
    bool told;
    bool dirty;  /* the channel is in the list `dirty` of channels with an open buffer */
    bool wanted; /* the open buffer is to be sent as soon as there is credit */
    bool gone;   /* the rank has left */
    /* the rank is the first hop to several targets: records for it are gathered in mixed runs */
    bool mixes;
    bool mixed;                /* the open run is a mixed one (mixed.h) */
    const svs_handler *mixing; /* handler of the mixing lane; NULL: the lane is closed */
    /* the channel is in the list `inner`: the running handler has opened its lane */
    bool inner;
    svs__queue waiters;  /* fibers that wait to post to this rank and are not of handlers */
    svs__queue handlers; /* fibers of handlers that wait to post to this rank */
    /* counts the fibers that were enabled after their wait and have not run yet */
    svs__fiber_group woken;
    uint32_t refused;        /* bytes of the last record that was not accepted */
    svs__arrivals *arrivals; /* NULL: no record has arrived yet */
    uint32_t next[SVS__LISTS];
    uint8_t listed; /* one bit for each svs__list_kind: the channel is in this list */
} svs__channel;

/* The lane for in-place records that the rank posts to itself (lane.h). */
typedef struct svs__own_lane {
    svs__channel *channel;
    svs__lane *lane;
    /* handler of the last record that a fiber posted to its own rank; NULL: it must be searched
     * for */
    const svs_handler *handler;
    const svs__handler_entry *entry;
    uint64_t ran;             /* records of `handler` that have run and are not counted yet */
    const svs_handler *armed; /* handler that the lane is armed for; NULL: it is closed */
    const svs__handler_entry *armed_entry;
    unsigned char *begin; /* first record of the lane that has not run yet */
    /* calls of the handler for records of the lane that are not counted yet */
    uint64_t read_runs;
    uint64_t read_more; /* records of these calls beyond the first of each */
    /* the records of the lane are the only ones for this rank, so they run in the buffer that they
     * are in */
    bool alone;
    svs__buffer *read; /* buffer with the records that are running now; NULL: none */
    /* buffer to which records that have not run move when the lane is closed; NULL: not allocated
     * yet */
    svs__buffer *spare;
} svs__own_lane;

/* ---- the end of a run (wave.h, ending.h) ---- */

#define SVS__TEXT 480u

typedef enum svs__verdict_kind {
    SVS__VERDICT_LEFT,
    SVS__VERDICT_FAILED,
    SVS__VERDICT_OK
} svs__verdict_kind;

typedef struct svs__verdict {
    uint32_t kind, rank;
    int32_t status;
    uint32_t reserved;
    char text[SVS__TEXT];
} svs__verdict;

/* A step of the ending (ending.h), up to the end of its text. */
typedef struct svs__end {
    uint32_t step;  /* an svs__end_step */
    uint32_t round; /* number of the round, in SVS__END_TELL */
    svs__verdict verdict;
} svs__end;

typedef struct svs__sums {
    uint64_t wave, created, run, suspended;
} svs__sums;

typedef struct svs__waves {
    svs__sums mine;   /* sums over this rank and the subtrees of its children that have answered */
    svs__sums last;   /* rank 0 only: sums of the previous wave */
    uint32_t answers; /* number of children that have answered the wave */
    bool asked;       /* a wave has reached this rank, which has not answered it yet */
    /* quiescence with suspended fibers was proven: a report of the deadlock is being made */
    bool reporting;
    uint64_t pause;    /* rank 0 only: nanoseconds from the end of this wave to the next one */
    uint64_t next_at;  /* rank 0 only: time before which the next wave does not begin */
    uint64_t begun_at; /* rank 0 only: time at which the wave began */
    uint32_t reports;  /* number of children that have reported their waits */
    struct svs__deadlock_report *report;
} svs__waves;

/* The comparison of what must be the same on all ranks (agree.h). */
typedef const char *svs__compare(svs_ranks *ranks, const void *other, uint32_t bytes);

typedef struct svs__agreement {
    const void *mine; /* contribution of this rank to the comparison; NULL: the call is a run */
    uint32_t bytes;
    svs__compare *compare;
} svs__agreement;

typedef enum svs__ending_state {
    SVS__ENDING_RUNS,
    SVS__ENDING_FAILING, /* a failure was passed on towards rank 0 */
    SVS__ENDING_STOPPED, /* waits for the votes of its children */
    SVS__ENDING_VOTED,
    SVS__ENDING_PREPARED, /* waits for the acknowledgements of its children */
    SVS__ENDING_ACKNOWLEDGED,
    SVS__ENDING_DECIDED
} svs__ending_state;

typedef struct svs__ending {
    svs__ending_state state;
    /* one bit for each child: it has voted; it has acknowledged the verdict */
    uint32_t voted, prepared;
    svs__verdict verdict;
    /* used by telling.h: */
    uint32_t round; /* 0: this rank does not tell */
    /* this rank was uncertain when it began to tell, or a rank that it has heard was */
    bool uncertain;
    uint32_t dead; /* the lowest rank that has died */
    /* the next rank to be told in this round; the number of ranks: all were told */
    uint32_t tell_at;
    uint32_t missing; /* number of ranks that have neither been heard in this round nor left */
    uint32_t silent;  /* number of ranks that had not been heard when the previous round ended */
    uint8_t *heard;   /* for each rank the last round in which it was heard */
} svs__ending;

struct svs_ranks {
    svs__lanes lanes; /* first member: the public header finds the lanes here (svs/ranks/post.h) */
    const svs__transport_type *type;
    void *endpoint;
    svs_ranks_options options;
    svs__log log;
    uint32_t index, count;
    uint32_t number;  /* ordinal of this rank among those that the process has made (ranks.R2) */
    void *data;       /* pointer of the program, from svs_ranks_set_data() */
    uint32_t columns; /* number of columns of the grid; 0: records go directly */
    svs__topology topology;
    uint32_t phase;
    bool in_phase, in_run, over; /* over: a call has failed, and the rank can only be freed */
    bool dead;                   /* the transport has reported that this rank is dead */
    /* a run has failed: threads with stacks are resumed so that they return */
    bool stopping;
    _Atomic(uint32_t) entered; /* 1: a thread is in the run (ranks.R1) */
    /* limit of one sleep in nanoseconds, set by the step in progress */
    uint64_t idle_ns_max;
    svs__cpu_clock cpu_clock;
    uint64_t idle_pending; /* nanoseconds of sleep since a fiber or record last ran */
    uint64_t idle_done;    /* number of fibers and records that had run when `idle_pending` began */

    svs__rank_observer *observers; /* NULL: none */
    svs_ranks_observer told;       /* for each event the function that is called (ranks.V4) */
    bool observed;                 /* an observer has a function (ranks.V1) */
    bool in_handler;               /* on an observed rank: an in-place handler is running */
    /* category of the running code; 0 on a rank that is not observed */
    uint16_t category;
    uint32_t arrived; /* category of the records that run next; SVS__HERE: it is in `category` */

    svs__fibers fibers;
    svs__schedulers schedulers;
    svs__handlers handlers;
    svs__named_table objects; /* distributed objects, by their ids */
    struct svs_snapshot *snapshots;
    struct svs_segment *segments;
    svs__named_table transfers; /* bulk transfers in progress, by their numbers */
    uint64_t transfer_count;    /* number of transfers that were begun since the rank was made */
    struct svs__move *moves;    /* list of the halves of moves in progress, the newest first */
    svs_structure *structures;

    svs__channel *channels;
    uint16_t *hops; /* on a grid: the first hop to each rank (route.h) */
    svs__own_lane own;
    svs__channel_list listed[SVS__LISTS];
    uint32_t *dirty; /* list of the channels with an open buffer */
    uint32_t *inner; /* channels with a lane that must be closed after the running handler */
    uint32_t dirty_count, inner_count, rotation;
    uint64_t dirty_since; /* time at which svs__flush_old() first saw these buffers; 0: not yet */
    /* buffers of all channels that wait for credit, and that the transport has refused */
    uint32_t queued_count, ready_count;
    /* the overflow has fallen below its mark, and the fibers that wait to post are still to be
     * enabled */
    bool overflow_fell;
    uint64_t overflow_bytes;  /* bytes in queued buffers */
    uint64_t suspended_bytes; /* bytes of the fibers of handlers that have continued */
    svs__buffers pool;        /* free buffers of the standard capacity */
    uint32_t capacity;        /* standard capacity of a buffer, in bytes */
    /* buffers reserved for the ending: for its steps, and for its tells */
    svs__buffers reserve, tells;
    svs__buffers credits; /* buffers reserved for packets that give back credits */
    uint32_t lent;        /* buffers that belong to the transport */
    /* number of channels with at least half of their credits to give back */
    uint32_t credits_due;
    /* packets of later phases, which are held until those begin */
    svs__buffers held;
    uint64_t records_created, records_run; /* ranks.Q1 */
    uint32_t since_flush;

    svs__agreement agreement;
    svs__waves waves;
    svs__ending ending;
    char text[SVS__TEXT]; /* text of the failure, for svs_ranks_failure() */
    svs__verdict failed;  /* first failure of this rank; its status is SVS_OK if there was none */

    struct svs__offload *offload; /* helper and jobs (offload.h); NULL: nothing was offloaded */
    uint32_t offloaded;           /* number of jobs that were put and whose end was not taken yet */

    svs__stacks stacks;
    svs__stack_cache stack_cache;
    svs__place place; /* place of the rank's loop while a thread with a stack runs */
    svs_ranks_statistics statistics;
};

#endif
