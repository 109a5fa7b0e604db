/* Items, the batches that contain them, and records.
 *
 * A send copies its items into a batch, where they are adjacent and do not move. Nothing is stored
 * with an item. Everything else about an instance is found from the address of its item: its batch,
 * which leads to its task, and its order, which follows from its send (`sent`). An instance that
 * waits has a *record*, in a place that the batch keeps for it. Batches whose instances have all
 * ended are kept for the next run: as many as two successive runs have used at once. Batches left
 * over by a cancelled run are freed at the ends of the next runs.
 *
 *   sched.S2  each item is run once, or its run fails;
 *   sched.I1  an item is taken from its inbox once (sched.S2);
 *   sched.I2  a batch lives until it has left the inbox and each of its items is retired: `live`
 *       counts both;
 *   sched.I3  a send adds all of its items or none;
 *   sched.I4  a batch of an inbox is at a multiple of SVS__BATCH_BYTES, and its items begin in the
 *       first SVS__BATCH_BYTES. The batch of a transform's item is directly before the item, in a
 *       slab of the graph. The slab is aligned in the same way and names no task. So an item leads
 *       to its batch;
 *   sched.I5  `has_record` of an item is 0, or its record is valid. It is valid from the first time
 *       that the instance waits until it is retired. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_RECORD_H
#define SVS_SCHED_DOMAIN_QUEUE_RECORD_H

#include <svs/allocator.h>
#include <svs/task.h>

#include "base/atomic.h"
#include "base/check.h"
#include "base/lock.h"

typedef struct svs__batch svs__batch;
typedef struct svs__generated svs__generated;

/* The record of an instance that waits. */
typedef struct svs__record {
    struct svs__record *next; /* next record in a bucket of deferred instances */
    void *item;               /* the item, which leads to its batch (sched.I4) */
    uint32_t blocked_key;     /* the key of its conflict when it was deferred */
    uint16_t note;            /* number of the note with its elements (waiting.h); 0: none */
    uint8_t blocked;          /* the kind of the conflict (waiting.h) */
    uint8_t tries;
} svs__record;

/* The seed of an order. An order is computed from its seed on demand; most orders are never
 * computed. Things that one instance makes in sequence have successive seeds. */
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

#define SVS__ORDER_OUTSIDE UINT64_MAX /* instead of a sender's order, for items from outside */

static inline void *svs__record_item(svs__record *record) { return record->item; }

/* The items of a send within a batch, by the number and the seed of the first one. */
typedef struct svs__sent {
    _Atomic(uint64_t) seed;
    _Atomic(uint32_t) first;
} svs__sent;

#define SVS__BATCH_BYTES 32768u
#define SVS__BATCH_FRONT 64u /* bytes before the items of a batch */

struct svs__batch {
    svs_task *task; /* NULL: a slab (sched.I4) */
    svs__batch *next;
    uint32_t count; /* number of items that were put in */
    uint32_t taken; /* number of items that were taken, from the front */
    uint32_t capacity;
    uint32_t item_bytes;
    uint32_t at_has_record, at_sent, at_records; /* offsets of these arrays */
    /* capacity + 1, minus the retired items, minus 1 when it has left the inbox (sched.I2) */
    _Atomic(uint32_t) live;
    _Atomic(uint32_t) sent_count;
    svs__generated *generated; /* the items that are made when taken; NULL: they were put in */
};

_Static_assert(sizeof(svs__batch) <= SVS__BATCH_FRONT, "items begin after the batch");

/* ---- from an item ---- */

static inline svs__batch *svs__batch_of(const void *item) {
    uintptr_t at = (uintptr_t)item;
    svs__batch *batch = (svs__batch *)(at & ~(uintptr_t)(SVS__BATCH_BYTES - 1));
    return SVS__LIKELY(batch->task != NULL) ? batch : (svs__batch *)(at - SVS__BATCH_FRONT);
}

static inline char *svs__batch_item(svs__batch *batch, uint32_t number) {
    return (char *)batch + SVS__BATCH_FRONT + (size_t)number * batch->item_bytes;
}

/* The record of an instance that waits. It is made if there is none (sched.I5). Called by the
 * worker that has taken the item. */
svs__record *svs__record_of(void *item);

/* svs__record_of() for the last `count` items taken from an inbox. @return the record of the first;
 * the others follow it. The caller holds the domain's lock, and has taken no more items since. */
svs__record *svs__records_of_taken(void *first, uint32_t count);

/* The seed of the order of an item's instance that has not been retired. Called by the worker that
 * runs it, and by other threads that got the item from this worker or under the domain's lock. */
uint64_t svs__item_seed(const void *item);

/* svs__item_seed(), called by the worker that runs the item. *near is the number of a send of the
 * batch: this send and the next one are tried first. It becomes the number of the item's send. */
uint64_t svs__item_seed_near(const void *item, uint32_t *near);

/* Items of a batch with successive seeds: those of one send. */
typedef struct svs__seeds {
    const char *begin, *end;
    uint64_t seed; /* seed of the first item */
    uint32_t item_bytes;
} svs__seeds;

/* The seeds of the send to which a taken item belongs. Called by a worker that runs the item. */
svs__seeds svs__item_seeds(const void *item);

/* ---- batches ---- */

/* The size of a batch of `capacity` items, in bytes. */
size_t svs__batch_bytes(size_t item_bytes, uint32_t capacity);
/* The number of items of a batch: about as many as fit into SVS__BATCH_BYTES, and at least 1. */
uint32_t svs__batch_capacity(size_t item_bytes);
/* Sets the fields that never change. */
void svs__batch_init(svs__batch *batch, svs_task *task, size_t item_bytes, uint32_t capacity);
/* Empties a batch. */
void svs__batch_clear(svs__batch *batch);
/* Records a send: its items begin with number `at`, and their seeds with `seed`. */
void svs__batch_note_sent(svs__batch *batch, uint32_t at, uint64_t seed);
/* The entry in `sent` of a taken item that was a send of its own, as were all items before it in
 * its batch; NULL for any other item. *end becomes the end of the batch's entries. */
const svs__sent *svs__item_own_sent(const void *item, const svs__sent **end);
/* The entry for the next send of the batch. svs__batch_add_sent() adds `count` sends whose entries
 * were filled in there. */
svs__sent *svs__batch_next_sent(svs__batch *batch);
void svs__batch_add_sent(svs__batch *batch, uint32_t count);

#endif
