/* The state of a rank: what the units of this room share.
 *
 * Terms. A *fiber* is a function with its state, in a slot. A *record* is the argument of a
 * handler; consecutive records of one handler form a *run*. A *packet* is what one transport buffer
 * holds: its header, and runs or one control message. A *channel* is the way to one rank: the
 * buffer in which records for it are gathered, and the credits of both directions. A *phase* is one
 * collective call (new, handlers_add, run); packets of a later phase are held until it begins.
 *
 * A rank is used by one thread at a time, so that nothing here is atomic but the flag by which a
 * thread enters its run (loop.c). */
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
    SVS__FIBER_WAITS, /* for a counter */
    SVS__FIBER_POSTS, /* for credit */
    SVS__FIBER_ENABLED,
    SVS__FIBER_EXECUTES
} svs__fiber_state;

#define SVS__FIBER_INLINE 64u /* bytes of state in the slot itself */

/* What is done when the last of some fibers has run: a buffer that arrived gives its credit back
 * (credit.h), and fibers that waited for credit make way for the next ones (channel.h). */
typedef struct svs__fiber_group svs__fiber_group;
struct svs__fiber_group {
    svs__fiber_group *next; /* free */
    void (*done)(svs_ranks *ranks, svs__fiber_group *group);
    uint32_t from, left;
};

typedef struct svs__fiber {
    svs_fiber_function *function;
    void *state; /* `bytes` of them: in_slot, heap, or the program's (the first fiber) */
    void *heap;  /* kept for the next fiber */
    svs_scheduler *scheduler;
    svs_counter *counter; /* SVS__FIBER_WAITS */
    int64_t hint;
    svs__fiber_group *group;
    svs__stack *stack; /* of a thread that has begun */
    uint32_t index, generation;
    struct svs__fiber *next; /* in a queue, or free */
    uint32_t bytes, heap_bytes;
    uint32_t counted; /* bytes in `suspended_bytes`: of a handler that has continued */
    svs__fiber_state status;
    svs_structure *structure; /* of its handler; NULL: none */
    uint32_t from;            /* of a handler: the rank of its record */
    uint16_t category;        /* on an observed rank; else 0 (observe.h) */
    bool threaded;            /* runs on a stack */
    bool of_handler;          /* a record has caused it */
    uint16_t enabler;         /* on an observed rank: the category of what has enabled it */
    bool replies;             /* of a handler: its record has had no reply (ranks.D4) */
    _Alignas(16) unsigned char in_slot[SVS__FIBER_INLINE];
} svs__fiber;

/* A fiber in state SVS__FIBER_WAITS, in the heap of its counter (counter.h). It is apart from the
 * slot, so that a search of the heap touches few lines of memory. */
typedef struct svs__waiter {
    int64_t at_least;
    uint32_t child, sibling; /* indices of fibers, and 1 more; 0: none */
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
    uint32_t suspended;      /* created, or waiting for a counter */
    uint32_t posting;        /* waiting for credit */
    svs__fiber *running;     /* NULL: none */
    svs__fiber_group *group; /* of the fiber that was executed last; NULL: none */
    bool continued;          /* the running fiber has continued as another */
    bool in_place;           /* in an in-place fiber or handler */
    uint32_t request_from;   /* in a handler: the rank of its records */
    uint32_t request_left;   /* ... and those without a reply (ranks.D4) */
    bool thread_ended;       /* the thread with a stack that ran last, and its status */
    svs_status thread_status;
} svs__fibers;

/* ---- schedulers (scheduler.h) ---- */

typedef enum svs__scheduler_kind {
    SVS__SCHEDULER_FIFO,
    SVS__SCHEDULER_URGENT,
    SVS__SCHEDULER_IN_PLACE,
    SVS__SCHEDULER_CUSTOM,
    SVS__SCHEDULER_BACKLOG /* of slots that are none of a fiber (backlog.h) */
} svs__scheduler_kind;

struct svs_scheduler {
    svs__scheduler_kind kind;
    bool plain, watched;            /* FIFO or urgent: of a rank that is not or is observed */
    const svs_scheduler_type *type; /* custom */
    void *self;
    uint64_t held;       /* fibers of a custom one */
    svs__queue queue;    /* of the built-in ones */
    svs_scheduler *next; /* custom: in a ring, with FIFO */
    svs_ranks *ranks;
};

typedef struct svs__schedulers {
    svs_scheduler fifo, urgent, in_place, backlog;
    svs_scheduler *turn; /* of the ring; asked next */
    uint64_t enabled;    /* fibers held by schedulers that are not background ones */
    uint32_t urgent_row; /* urgent fibers since another one ran */
} svs__schedulers;

/* ---- what is found by a number (named.h) ---- */

typedef struct svs__named {
    struct svs__named *next; /* of its bucket */
    uint64_t number;
} svs__named;

typedef struct svs__named_table {
    svs__named **buckets;
    uint32_t size, count; /* number of buckets, a power of two or 0; number of entries */
    uint32_t swept;       /* at the end of a rank: empty buckets */
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
    svs_snapshot *snapshot;       /* its own, or that of `shares` */
    struct svs_structure *shares; /* NULL: none */
    uint32_t sharers;
    svs__structure_state state;
    void *part;
    void (*release)(svs_ranks *ranks, void *part);
    void (*describe_waits)(const void *part, char *text, size_t bytes); /* or NULL */
    uint32_t first, count; /* numbers of its handlers */
    uint32_t fibers;       /* of its handlers */
    uint64_t *agreed;      /* while it is made in a run: what the ranks compare */
    char name[SVS_STRUCTURE_NAME];
    svs_handler handlers[];
};

/* ---- observers (observe.h) ---- */

typedef struct svs__rank_observer {
    struct svs__rank_observer *next;
    const svs_ranks_observer *given;
    svs_ranks_observer told; /* a copy */
} svs__rank_observer;

#define SVS__HERE UINT32_MAX /* records that the running code posts to its own rank */

/* ---- handlers (handler.h) ---- */

typedef struct svs__handler_entry {
    const svs_handler *handler; /* NULL: the number is free, or of a structure that is not made */
    /* of a handler in place: its own, or svs__observe_call() (ranks.V1) */
    void (*call)(svs_ranks *ranks, void *part, const void *records, uint32_t count);
    svs_scheduler *scheduler; /* of its fibers; NULL: custom, and not set */
    int64_t (*hint)(const void *record);
    void *part;               /* of a handler in place; NULL: the program's data */
    svs_structure *structure; /* to which the number belongs (ranks.D3); NULL: none */
} svs__handler_entry;

typedef struct svs__handlers {
    svs__handler_entry *entries;
    uint32_t count, capacity;
    uint32_t *index; /* by address: entry + 1, open addressing */
    uint32_t index_size;
} svs__handlers;

/* The numbers of the library's own handlers (tree.h, bulk.h). */
#define SVS__SYSTEM_HANDLER 0
#define SVS__BULK_HANDLER 1

/* ---- packets and channels (send.h, channel.h) ---- */

typedef enum svs__packet_kind {
    SVS__PACKET_RECORDS,
    SVS__PACKET_CREDIT, /* nothing but the header's credits */
    SVS__PACKET_AGREE,  /* to the parent: what must be the same; a vote (ending.h) */
    SVS__PACKET_WAVE,
    SVS__PACKET_ANSWER,
    SVS__PACKET_REPORT, /* asks for the waits, and tells them */
    SVS__PACKET_END,    /* a step of the ending */
    SVS__PACKET_KINDS
} svs__packet_kind;

typedef struct svs__packet {
    uint32_t bytes; /* with this header */
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
    svs__fiber_group group;  /* first: counts them (credit.h) */
    svs__buffer *kept;       /* the buffer, while it is read or has backlogs; NULL: released */
    svs__fiber *backlogs[2]; /* FIFO, urgent (backlog.h); NULL: none */
    bool copied;             /* `kept` is a buffer of this rank */
} svs__arrived;

/* What has arrived from a rank. */
typedef struct svs__arrivals {
    svs__buffers stalled;   /* packets whose next record is for a rank without credit */
    uint32_t at;            /* how far the first of them has been read */
    uint32_t done;          /* records of the run there that were relayed */
    svs__arrived *reads;    /* the first */
    svs__fiber_group *free; /* of these: */
    svs__arrived all[];     /* for a whole window */
} svs__arrivals;

/* The lists that a channel may be in (listed.h). */
typedef enum svs__list_kind {
    SVS__LISTED_READY,   /* has buffers that the transport has refused */
    SVS__LISTED_DUE,     /* has credits to give back */
    SVS__LISTED_STALLED, /* has packets that wait for another hop */
    SVS__LISTED_HELD,    /* has fibers that wait, or its rank was told that this one is full */
    SVS__LISTS
} svs__list_kind;

typedef struct svs__channel_list {
    uint32_t first, last, count;
} svs__channel_list;

typedef struct svs__channel {
    svs__buffer *open;    /* being filled; never empty */
    svs__record_run *run; /* its last run */
    svs__buffers queued;  /* full, and without credit yet: the overflow */
    svs__buffers ready;   /* refused by the transport: sent next */
    uint32_t free;        /* credits */
    uint32_t in_flight;   /* credits of buffers that were sent and not yet given back */
    uint32_t unreturned;  /* credits of the other direction that are to be given back */
    uint32_t held;        /* ... of buffers that have not run */
    bool full;            /* the rank's overflow is above its mark: no record of a fiber for it */
    bool told;            /* ... this rank's, as the other was told */
    bool dirty;           /* is in the list of channels with an open buffer */
    bool wanted;          /* the open buffer is to be sent when there is credit */
    bool gone;            /* the rank has left */
    bool mixes;           /* is one hop of several targets: its records have mixed runs */
    bool mixed;           /* the open run is a mixed one (mixed.h) */
    const svs_handler *mixing; /* handler of the mixing lane; NULL: the lane is closed */
    bool inner;                /* is in the list of lanes that the running handler has opened */
    svs__queue waiters;        /* fibers that wait for credit */
    svs__queue handlers;       /* ... those of handlers */
    svs__fiber_group woken;    /* fibers that have waited, and not run since */
    uint32_t refused;          /* bytes of the last record that was not accepted */
    svs__arrivals *arrivals;   /* NULL: no record has arrived yet */
    uint32_t next[SVS__LISTS];
    uint8_t listed; /* bits */
} svs__channel;

/* Records for the own rank that run in place (lane.h). */
typedef struct svs__own_lane {
    svs__channel *channel;
    svs__lane *lane;
    const svs_handler *handler; /* of the last one that a fiber has posted; NULL: look for it */
    const svs__handler_entry *entry;
    uint64_t ran;             /* of them, and not yet counted */
    const svs_handler *armed; /* of the own lane; NULL: closed */
    const svs__handler_entry *armed_entry;
    unsigned char *begin; /* ... and its first record that has not run */
    uint64_t read_runs;   /* of those that have, and are not yet counted */
    uint64_t read_more;   /* ... and their records beyond the first of each run */
    bool alone;           /* ... and all that was posted: it is read where it stands */
    svs__buffer *read;    /* of which records run now; NULL: none */
    svs__buffer *spare;   /* for the records after them, if the lane is closed; NULL: none yet */
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
    uint32_t step;  /* svs__end_step */
    uint32_t round; /* of SVS__END_TELL */
    svs__verdict verdict;
} svs__end;

typedef struct svs__sums {
    uint64_t wave, created, run, suspended;
} svs__sums;

typedef struct svs__waves {
    svs__sums mine;    /* this rank's and its children's */
    svs__sums last;    /* rank 0: of the wave before */
    uint32_t answers;  /* of children */
    bool asked;        /* the wave is to be answered */
    bool reporting;    /* quiescence with suspended fibers */
    uint64_t pause;    /* rank 0: nanoseconds between this wave and the next one */
    uint64_t next_at;  /* ... which does not begin before */
    uint64_t begun_at; /* rank 0 */
    uint32_t reports;  /* of children */
    struct svs__deadlock_report *report;
} svs__waves;

/* The comparison of what must be the same on all ranks (agree.h). */
typedef const char *svs__compare(svs_ranks *ranks, const void *other, uint32_t bytes);

typedef struct svs__agreement {
    const void *mine; /* NULL: a run */
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
    uint32_t voted, prepared; /* bits of children */
    svs__verdict verdict;
    /* telling.h */
    uint32_t round;   /* 0: this rank does not tell */
    bool uncertain;   /* this rank was, when it began, or one that it has heard */
    uint32_t dead;    /* the lowest rank that has died */
    uint32_t tell_at; /* the next rank to be told; the number of ranks: none */
    uint32_t missing; /* ranks that have neither been heard in this round nor left */
    uint32_t silent;  /* ranks that had not been heard when the round before ended */
    uint8_t *heard;   /* the last round of each rank */
} svs__ending;

struct svs_ranks {
    svs__lanes lanes; /* first: svs/ranks/post.h */
    const svs__transport_type *type;
    void *endpoint;
    svs_ranks_options options;
    svs__log log;
    uint32_t index, count;
    uint32_t number;  /* of the ranks that this process has made (ranks.R2) */
    void *data;       /* the program's */
    uint32_t columns; /* of the grid; 0: direct */
    svs__topology topology;
    uint32_t phase;
    bool in_phase, in_run, over; /* over: after a failure */
    bool dead;                   /* the transport says so */
    bool stopping;               /* threads are to return */
    _Atomic(uint32_t) entered;   /* a thread is in the run (ranks.R1) */
    uint64_t idle_ns_max;        /* how long it may sleep at a time */
    svs__cpu_clock cpu_clock;
    uint64_t idle_pending; /* nanoseconds of sleep since the last work */
    uint64_t idle_done;    /* fibers and records that had run then */

    svs__rank_observer *observers; /* NULL: none */
    svs_ranks_observer told;       /* what is called at each event (ranks.V4) */
    bool observed;                 /* an observer has a function (ranks.V1) */
    bool in_handler;               /* the running code is a handler in place; if observed */
    uint16_t category;             /* category of the running code; 0: also if not observed */
    uint32_t arrived; /* the category of the records that run next; SVS__HERE: `category` */

    svs__fibers fibers;
    svs__schedulers schedulers;
    svs__handlers handlers;
    svs__named_table objects; /* by their ids */
    struct svs_snapshot *snapshots;
    struct svs_segment *segments;
    svs__named_table transfers; /* by their numbers */
    uint64_t transfer_count;    /* since the rank was made */
    struct svs__move *moves;    /* parts of transfers that are given or taken, the newest first */
    svs_structure *structures;

    svs__channel *channels;
    uint16_t *hops; /* on a grid: to each rank (route.h) */
    svs__own_lane own;
    svs__channel_list listed[SVS__LISTS];
    uint32_t *dirty; /* channels with an open buffer */
    uint32_t *inner; /* channels whose lane is closed after the running handler */
    uint32_t dirty_count, inner_count, rotation;
    uint64_t dirty_since; /* when they were first seen by svs__flush_old(); 0: not yet */
    uint32_t queued_count, ready_count;    /* buffers */
    bool overflow_fell;                    /* below its mark: posts are accepted again */
    uint64_t overflow_bytes;               /* of queued buffers */
    uint64_t suspended_bytes;              /* of fibers of handlers that have continued */
    svs__buffers pool;                     /* free, of the standard capacity */
    uint32_t capacity;                     /* the standard */
    svs__buffers reserve, tells;           /* of the ending: of its steps, and of its tells */
    svs__buffers credits;                  /* packets that give back credits, and nothing else */
    uint32_t lent;                         /* buffers that belong to the transport */
    uint32_t credits_due;                  /* channels with half a window to give back */
    svs__buffers held;                     /* arrived for a later phase */
    uint64_t records_created, records_run; /* ranks.Q1 */
    uint32_t since_flush;

    svs__agreement agreement;
    svs__waves waves;
    svs__ending ending;
    char text[SVS__TEXT]; /* svs_ranks_failure() */
    svs__verdict failed;  /* this rank's first failure; status SVS_OK: none */

    struct svs__offload *offload; /* offload.h; NULL: nothing was offloaded */
    uint32_t offloaded;           /* jobs that are not finished, or not taken */

    svs__stacks stacks;
    svs__stack_cache stack_cache;
    svs__place place; /* of the caller of run, while a thread runs */
    svs_ranks_statistics statistics;
};

#endif
