/* Items, the batches that contain them, and records.
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
 *       instance until it is retired.
 */
#ifndef SVS_SCHED_DOMAIN_QUEUE_RECORD_H
#define SVS_SCHED_DOMAIN_QUEUE_RECORD_H

#include <svs/allocator.h>
#include <svs/task.h>

#include "base/atomic.h"
#include "base/check.h"
#include "base/lock.h"

typedef struct svs__batch svs__batch;
typedef struct svs__generated svs__generated;

/* An instance that waits. */
typedef struct svs__record {
    struct svs__record *next; /* in a bucket of deferred instances */
    void *item;               /* which leads to its batch (sched.I4) */
    uint32_t blocked_key;     /* the key of its conflict when it was deferred */
    uint16_t note;            /* names its elements while it waits (waiting.h); 0: none */
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
    uint32_t at_has_record, at_sent, at_records; /* where these arrays begin */
    _Atomic(uint32_t)
        live; /* capacity + 1, less the retired ones, less 1 when the inbox leaves it (sched.I2) */
    _Atomic(uint32_t) sent_count;
    uint16_t part[2]; /* its place in the parts of each window, if it is there (window.h) */
    svs__generated *generated; /* makes its items when they are taken; NULL: they were put in */
};

_Static_assert(sizeof(svs__batch) <= SVS__BATCH_FRONT, "items begin behind the batch");

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

/* The seed of the order of an item's instance that has not been retired: by the worker that runs
 * it, and by others that this worker or the domain's lock has told of the item. */
uint64_t svs__item_seed(const void *item);

/* The same by the worker that runs it. *near: the number of a send of the batch, which is looked at
 * first, with the one behind it; it becomes that of the item's. */
uint64_t svs__item_seed_near(const void *item, uint32_t *near);

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

#endif
