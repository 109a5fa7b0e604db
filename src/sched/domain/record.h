/* Items, the batches that contain them, records, and the inbox of a task.
 *
 * A send copies its items into a batch, where they lie one behind the other, do not move, and have
 * no bytes beside their own. What an instance has otherwise is found from the place of its item:
 * its batch, and so its task, and its order, which is that of its send (`sent`). An instance that
 * waits has a *record*, in a place that the batch keeps for it. Batches of which all instances have
 * ended are kept for the next run, as many as two runs in a row have used at once; what a cancelled
 * run leaves over is freed at the ends of the next ones.
 *
 *   sched.S2  each item is run once, or its run fails;
 *   sched.I1  an item is taken from its inbox once (sched.S2);
 *   sched.I2  a batch lives until the inbox has left it and each of its items is retired: `live`
 *       counts both;
 *   sched.I3  a send adds all of its items or none;
 *   sched.I4  a batch of an inbox lies at a multiple of SVS__BATCH_BYTES, and its items begin in
 *       the first SVS__BATCH_BYTES. The batch of a transform's item lies right in front of the
 *       item, in a slab of the graph that is placed in the same way and names no task. So an item
 *       leads to its batch;
 *   sched.I5  `has_record` of an item is 0, or its record is valid: from the first wait of the
 *       instance until it is retired;
 *   sched.I6  `waiting` counts the items that belong to the present iteration, `later` those that
 *       were put in while the task had ended or no iteration was there. They stand behind the
 *       others, and belong to the next one;
 *   sched.I7  `uncounted` of the items that wait are not in the task's `outstanding` yet, so that a
 *       source sends without an atomic addition. Sources that are not shut have sent them, and the
 *       references of these keep the task from ending (sched.R1). They are counted in before one of
 *       them is taken, and before a source gives its reference back;
 *   sched.I8  an item from outside that waits is looked at. `attended` counts workers that are in a
 *       step of the task's domain; each looks at the inbox, and wakes another for what waits, after
 *       it has taken itself off the count. A sender wakes a worker if it has put its items into an
 *       empty inbox that no worker attends. Otherwise a worker attends, or was woken before
 *       (not asserted in full: about a worker's next step; tests/explore/scenarios/sources.c);
 *   sched.I9  `wake_at` is 0, or one worker that attends the inbox sleeps, for a bounded time. The
 *       sender that brings `waiting` up to `wake_at`, or finds no room, sets it to 0 and wakes that
 *       worker, and so does the end of a source. So no sender waits for room that a sleeping worker
 *       would make;
 *   sched.I10 an item that a body sends is looked at. Its sender wakes workers, unless other items
 *       wait there and the domain's instances are light (window_light.h). In that case a worker is
 *       in a step of the domain, or was woken before, and that one looks again before it leaves
 *       (sched.W8)
 *       (not asserted: about a worker's next step; tests/explore/scenarios/windows.c).
 *
 * While a run lasts, no batch is freed, and `task` and the places of a batch do not change, so that
 * a watchdog may read the order of an item that has ended meanwhile. */
#ifndef SVS_SCHED_DOMAIN_RECORD_H
#define SVS_SCHED_DOMAIN_RECORD_H

#include <svs/allocator.h>
#include <svs/task.h>

#include "base/atomic.h"
#include "base/check.h"
#include "base/lock.h"

typedef struct svs__batch svs__batch;

/* An instance that waits. */
typedef struct svs__record {
    struct svs__record *next; /* in a bucket of deferred instances */
    void *item;               /* which leads to its batch (sched.I4) */
    uint32_t blocked_key;     /* the key of its conflict when it was deferred */
    uint16_t note;            /* names its elements while it waits (saved_elements.h); 0: none */
    uint8_t blocked;          /* the kind of the conflict (waiting.h) */
    uint8_t tries;
} svs__record;

/* An order is computed from its seed when it is asked for: most never are. Seeds of things that an
 * instance makes one after the other follow each other. */
static inline uint64_t svs__order_seed(uint64_t of, uint64_t number) {
    return of * UINT64_C(0x9E3779B97F4A7C15) + number + 1;
}
static inline uint64_t svs__order_of(uint64_t seed) {
    uint64_t x = seed;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The order of the `number`-th thing that an instance of order `of` makes: a 64-bit mix, the same
 * in every run. */
static inline uint64_t svs__order(uint64_t of, uint64_t number) {
    return svs__order_of(svs__order_seed(of, number));
}

#define SVS__ORDER_OUTSIDE UINT64_MAX /* in place of the order of a sender */

static inline void *svs__record_item(svs__record *record) { return record->item; }

/* The items of a send within a batch: from number `first` on, with seeds that follow `seed`. */
typedef struct svs__sent {
    _Atomic(uint64_t) seed;
    _Atomic(uint32_t) first;
} svs__sent;

#define SVS__BATCH_BYTES 32768u
#define SVS__BATCH_FRONT 64u /* in front of the items of a batch */

struct svs__batch {
    svs_task *task; /* NULL: a slab (sched.I4) */
    svs__batch *next;
    uint32_t count; /* items put in */
    uint32_t taken; /* items taken out, from the front */
    uint32_t capacity;
    uint32_t item_bytes;
    uint32_t bytes;
    uint32_t at_has_record, at_sent, at_records; /* where these arrays begin */
    _Atomic(uint32_t)
        live; /* capacity + 1, less the retired ones, less 1 when the inbox leaves it (sched.I2) */
    _Atomic(uint32_t) sent_count;
    uint16_t part[2]; /* its place in the parts of each window, if it is there (window.h) */
};

_Static_assert(sizeof(svs__batch) <= SVS__BATCH_FRONT, "items begin behind the batch");

typedef struct svs__inbox {
    svs__lock lock;
    _Atomic(uint32_t) waiting; /* items not taken yet; changes under the lock */
    svs__batch *first, *last;
    _Atomic(uint32_t) uncounted; /* sched.I7; changes under the lock */
    uint32_t attended;           /* sched.I8 */
    _Atomic(uint32_t) wake_at;   /* sched.I9; changes under the lock */
    uint64_t external;           /* items sent from outside so far: their order */
    uint32_t later;              /* sched.I6 */
    uint32_t shut;               /* how often the task's sources were shut (sched.R2) */
    svs__batch *spare;           /* empty batches, kept for the next items */
    uint32_t spare_count;
    uint32_t used, used_max;  /* batches that are not spare; the most of them since the last run */
    uint32_t used_max_before; /* in the run before */
    _Atomic(uint32_t) is_fed_inside;  /* items were sent in this iteration by bodies, */
    _Atomic(uint32_t) is_fed_outside; /* by sources */
} svs__inbox;

/* Batches of one item each, behind each other. */
typedef struct svs__slab {
    svs__batch head; /* names no task */
    struct svs__slab *next;
    size_t bytes, used;
} svs__slab;

/* ---- from an item ---- */

static inline svs__batch *svs__batch_of(const void *item) {
    uintptr_t at = (uintptr_t)item;
    svs__batch *batch = (svs__batch *)(at & ~(uintptr_t)(SVS__BATCH_BYTES - 1));
    return SVS__LIKELY(batch->task != NULL) ? batch : (svs__batch *)(at - SVS__BATCH_FRONT);
}

static inline char *svs__batch_item(svs__batch *batch, uint32_t number) {
    return (char *)batch + SVS__BATCH_FRONT + (size_t)number * batch->item_bytes;
}

/* The record of an instance that waits; it is made if there is none (sched.I5). By the worker that
 * has taken the item. */
svs__record *svs__record_of(void *item);

/* The same for the last `count` items that were taken from an inbox. @return the record of the
 * first; the others follow it. Before more are taken: under the lock of the domain. */
svs__record *svs__records_of_taken(void *first, uint32_t count);

/* The seed of the order of an item's instance, by any thread while the run lasts. */
uint64_t svs__item_seed(const void *item);

/* Items of a batch with seeds that follow each other: those of one send. */
typedef struct svs__seeds {
    const char *begin, *end;
    uint64_t seed; /* of the first */
    uint32_t item_bytes;
} svs__seeds;

/* Those around an item that was taken. By a worker that runs it. */
svs__seeds svs__item_seeds(const void *item);

/* ---- batches ---- */

/* The bytes of a batch of `capacity` items. */
size_t svs__batch_bytes(size_t item_bytes, uint32_t capacity);
/* About as many as fit into SVS__BATCH_BYTES, at least 1. */
uint32_t svs__batch_capacity(size_t item_bytes);
/* Sets the fields that stay as they are. */
void svs__batch_init(svs__batch *batch, svs_task *task, size_t item_bytes, uint32_t capacity);
/* Makes a batch an empty one. */
void svs__batch_clear(svs__batch *batch);
/* The items from number `at` on are of a send with these seeds. */
void svs__batch_note_sent(svs__batch *batch, uint32_t at, uint64_t seed);

/* ---- slabs (sched.I4) ---- */

/* A place for the item of a transform, with a batch of its own in front; or NULL: no memory. */
void *svs__slabs_item(svs__slab **slabs, const svs_allocator *allocator, svs_task *task,
                      size_t item_bytes);
void svs__slabs_free(svs__slab *slabs, const svs_allocator *allocator);

#endif
