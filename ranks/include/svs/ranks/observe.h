/* Observers: functions of the program that are told what a rank does, as it happens. Profilers are
 * made with them.
 *
 *     static void begins(const svs_observed_fiber *fiber, void *argument) {
 *         svs_fiber_facts facts;
 *         svs_observed_fiber_get(fiber, &facts);
 *         ...
 *     }
 *
 *     svs_ranks_observer observer;
 *     svs_ranks_observer_init(&observer);
 *     observer.fiber_begins = begins;
 *     observer.argument = &mine;
 *     status = svs_ranks_observer_attach(ranks, &observer);   // before a run
 *
 * There is a function for each event. Several observers may be attached, and are told in the order
 * in which they were attached. A rank is observed if one of them has a function. Another rank pays
 * one test for each fiber that it creates, and nothing where fibers are enabled or executed, or
 * where handlers are called.
 *
 * On an observed rank, an empty FIFO fiber takes 320 instructions in place of 278, and a third more
 * time: a call for each of its four events, of functions that do nothing, and its categories
 * (below). With several observers, their functions are called through a list.
 *
 *   fiber    created -> enabled -> begins -> ends, and again enabled ... if it has continued
 *   records  handler_begins -> handler_ends: around the call of an in-place handler; for other
 *            handlers, around the creation of each fiber
 *
 * Fibers and in-place handlers nest: an in-place one begins and ends in the fiber that it
 * interrupts.
 *
 * Categories: the running code has a category, a number of the program, 0 at first. A fiber is
 * created with the category of the code that creates it, and an in-place handler runs with that of
 * the code that has posted its records, on any rank. svs_category_set() changes it until the fiber
 * or handler ends. A continuation, or a thread that waits, keeps it. A fiber also knows the
 * category of the code that has enabled it: `enabler`. The loop of a rank has category 0. Only
 * observed ranks keep categories. On other ranks all categories are 0, and so are those of the
 * records that they post.
 *
 * An observer's functions may call svs_ranks_now() and the queries of a rank. They change nothing:
 * they must not post, make fibers, poll, or end the run.
 *
 * Threads: as <svs/ranks/rank.h> says. The functions are called by the thread that runs the
 * rank. */
#ifndef SVS_RANKS_OBSERVE_H
#define SVS_RANKS_OBSERVE_H

#include <svs/ranks/post.h>

SVS_BEGIN_DECLARATIONS

/* Slot of `by` in fiber_enabled, if code outside of fibers has enabled the fiber. */
#define SVS_NO_FIBER UINT32_MAX

/* The fiber of an event; valid during the call of the observer's function. */
typedef struct svs__fiber svs_observed_fiber;

/* Facts about an observed fiber. */
typedef struct svs_fiber_facts {
    svs_fiber fiber; /* a continuation has the slot of its fiber, and a new generation */
    svs_fiber_function *function; /* the function that it executes next, or has executed */
    uint64_t bytes;               /* size of its state; for a handler's fiber, size of the record */
    uint32_t from;                /* for a handler's fiber, the rank that has posted the record */
    uint16_t category;            /* its own category */
    uint16_t enabler;             /* category of the code that has enabled it last */
    bool of_handler;              /* it was created for a record */
    bool has_stack;               /* it is a thread of svs_thread_spawn() */
    uint8_t reserved[6];
} svs_fiber_facts;

SVS_API void svs_observed_fiber_get_sized(const svs_observed_fiber *fiber, svs_fiber_facts *facts,
                                          size_t size);
static inline void svs_observed_fiber_get(const svs_observed_fiber *svs_fiber_,
                                          svs_fiber_facts *svs_facts_) {
    svs_observed_fiber_get_sized(svs_fiber_, svs_facts_, sizeof *svs_facts_);
}

typedef struct svs_observed_records {
    const svs_handler *handler;
    uint32_t from;         /* the rank that has posted them */
    uint32_t count, bytes; /* number of records; size of each */
    uint16_t category;     /* category of the code that has posted them */
} svs_observed_records;

typedef enum svs_wait_kind {
    SVS_WAIT_COUNTER,
    SVS_WAIT_CREDIT,  /* waits until a post may be accepted */
    SVS_WAIT_UNFREEZE /* waits until mutations may begin */
} svs_wait_kind;

/* Why a packet was sent: a buffer of records by one of the rules of flushing (rank.h), or a packet
 * without records. */
typedef enum svs_packet_rule {
    SVS_PACKET_FULL,
    SVS_PACKET_IDLE,
    SVS_PACKET_FIBERS,
    SVS_PACKET_AGE,
    SVS_PACKET_ASKED,
    SVS_PACKET_CONTROL /* credits, waves, ends of runs */
} svs_packet_rule;

typedef enum svs_collective_kind {
    /* a run: it begins when this rank calls it, and ends when all ranks have agreed on its end */
    SVS_COLLECTIVE_RUN,
    SVS_COLLECTIVE_AGREE,    /* an agreement outside of a run, to add handlers or structures */
    SVS_COLLECTIVE_OPERATION /* barriers, reductions, broadcasts; several may be in progress */
} svs_collective_kind;

typedef enum svs_snapshot_step {
    SVS_SNAPSHOT_FREEZES, /* a freeze or a sync begins: mutations wait */
    SVS_SNAPSHOT_FROZEN,
    SVS_SNAPSHOT_OPENS /* mutations may begin again */
} svs_snapshot_step;

typedef struct svs_ranks_observer {
    size_t size; /* size of this struct, filled by svs_ranks_observer_init() */
    void (*fiber_created)(const svs_observed_fiber *fiber, void *argument);
    /* @param by the running fiber, which has enabled it; its slot is SVS_NO_FIBER if a handler, the
     * loop, or code outside of a run has. */
    void (*fiber_enabled)(const svs_observed_fiber *fiber, svs_fiber by, void *argument);
    void (*fiber_begins)(const svs_observed_fiber *fiber, void *argument);
    /* @param continues 1: a continuation, or a thread that waits, goes on later */
    void (*fiber_ends)(const svs_observed_fiber *fiber, bool continues, void *argument);
    void (*handler_begins)(const svs_observed_records *records, void *argument);
    void (*handler_ends)(const svs_observed_records *records, void *argument);
    /* The running code has changed its category, by svs_category_set(). */
    void (*category_changed)(uint16_t before, uint16_t now, void *argument);
    /* In a run: the rank sleeps or spins, because it has no enabled fiber. */
    void (*idle_begins)(void *argument);
    void (*idle_ends)(void *argument);
    /* The fiber begins to wait. It is the running fiber, or one that was created and not
     * enabled. */
    void (*waits)(const svs_observed_fiber *fiber, svs_wait_kind kind, void *argument);
    /* `records` records, 0 in a control packet; `bytes` with all headers. A record that takes two
     * hops is in two packets. */
    void (*packet_sent)(uint32_t to, svs_packet_rule rule, uint32_t records, size_t bytes,
                        void *argument);
    void (*packet_received)(uint32_t from, uint32_t records, size_t bytes, void *argument);
    /* @param name the name of the object; "" for a run, and for handlers */
    void (*collective_begins)(svs_collective_kind kind, const char *name, void *argument);
    void (*collective_ends)(svs_collective_kind kind, const char *name, void *argument);
    void (*snapshot)(svs_snapshot_step step, const char *name, void *argument);
    void *argument;
} svs_ranks_observer;

/* Fills in the defaults: an observer without a function, which is told of no event. */
SVS_API void svs_ranks_observer_init_sized(svs_ranks_observer *observer, size_t size);
static inline void svs_ranks_observer_init(svs_ranks_observer *svs_observer_) {
    svs_ranks_observer_init_sized(svs_observer_, sizeof *svs_observer_);
}

/* Attaches an observer, outside of a run, until it is detached or the rank is freed. The struct is
 * copied; its address identifies it when it is detached. Not collective: other ranks may have other
 * observers, or none.
 * @return SVS_OK, SVS_E_NULL, SVS_E_VERSION (of the struct), SVS_E_INVALID (one of this address is
 * attached), SVS_E_BUSY (in a run), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_ranks_observer_attach(svs_ranks *ranks,
                                                           const svs_ranks_observer *observer);
/* Detaches an observer, outside of a run. @return SVS_OK, SVS_E_NULL, SVS_E_INVALID (it is not
 * attached), SVS_E_BUSY (in a run). */
SVS_NODISCARD SVS_API svs_status svs_ranks_observer_detach(svs_ranks *ranks,
                                                           const svs_ranks_observer *observer);

/* The category of the running code; 0 on a rank that is not observed. */
SVS_API uint16_t svs_category(const svs_ranks *ranks);
/* Sets the category of the running fiber or handler of an observed rank. Elsewhere it has no
 * effect. */
SVS_API void svs_category_set(svs_ranks *ranks, uint16_t category);

/* The time in nanoseconds, by the clock of the rank's transport; its zero is arbitrary. Under
 * `sim`, all ranks share a virtual clock, which does not depend on the machine. */
SVS_API uint64_t svs_ranks_now(const svs_ranks *ranks);

SVS_END_DECLARATIONS
#endif
