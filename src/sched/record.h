/* Instances that wait: records, the batches that they live in, and the inbox of a task.
 *
 * A send copies its items into records, which never move: a batch holds as many as fit, and is
 * given back when its last record is retired.
 *
 *   I1  a record is taken from its inbox once (S2);
 *   I2  a batch lives until the inbox has let go of it and each of its records is retired: `live`
 *       counts both;
 *   I3  a send puts in all of its items or none.
 *
 * | operation | caller           | progress          |
 * |-----------|------------------|-------------------|
 * | put, take | any worker       | a spin lock       |
 * | waiting   | any thread       | wait-free, a hint |
 * | retire    | any worker, once | wait-free, but for the last of a batch | */
#ifndef SVS_SCHED_RECORD_H
#define SVS_SCHED_RECORD_H

#include <svs/task.h>

#include "base/atomic.h"
#include "base/lock.h"

typedef struct svs__batch svs__batch;

/* What a queued item costs beside its bytes. */
typedef struct svs__record {
    struct svs__record *next; /* in a bucket of deferred instances */
    svs__batch *batch;
    uint64_t order;       /* names the instance (svs_instance_id) */
    uint32_t blocked_key; /* what it met when it was deferred */
    uint16_t note;        /* its elements, while it waits (note.h); 0: none */
    uint8_t blocked;      /* how it met it (pending.h) */
    uint8_t tries;
    /* the item follows */
} svs__record;

#define SVS__BATCH_FRONT 64u /* in front of the records of a batch */
#define SVS__RECORD_BYTES 32u
_Static_assert(sizeof(svs__record) == SVS__RECORD_BYTES, "the item follows at a 16-byte boundary");

/* The order of the `number`-th thing that an instance of order `of` makes: a 64-bit mix, the same
 * in every run. */
static inline uint64_t svs__order(uint64_t of, uint64_t number) {
    uint64_t x = of * UINT64_C(0x9E3779B97F4A7C15) + number + 1;
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline void *svs__record_item(svs__record *record) { return record + 1; }

struct svs__batch {
    svs_task *task;
    svs__batch *next;
    uint32_t count; /* records put in */
    uint32_t taken; /* records taken out, from the front */
    uint32_t capacity;
    size_t bytes;
    _Atomic(uint32_t) live; /* capacity + 1, less the retired and what the inbox gave up (I2) */
};

_Static_assert(sizeof(svs__batch) <= SVS__BATCH_FRONT, "records begin behind the batch");

typedef struct svs__inbox {
    svs__lock lock;
    _Atomic(uint32_t) waiting; /* records not taken yet */
    svs__batch *first, *last;
    svs__batch *spare; /* one empty batch, kept for the next */
    uint64_t external; /* items sent from outside so far: their order */
} svs__inbox;

/* @param order of the sender and @param from the number of the first item: together they give the
 * records' orders. */
svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from);

/* Up to `limit` records that lie one after the other. @return how many, the first in *record. */
uint32_t svs__inbox_take(svs_task *task, uint32_t limit, svs__record **record);

/* From one record to the next, of those taken together. */
size_t svs__record_bytes(const svs_task *task);

/* `count` records of one batch are done with. */
void svs__batch_retire(svs__batch *batch, uint32_t count);

/* Nobody needs the batch any more (I2). */
void svs__batch_recycle(svs__batch *batch);

/* svs__batch_retire() for who is the only one to retire records of the batch's domain meanwhile. */
static inline void svs__batch_retire_alone(svs__batch *batch, uint32_t count) {
    /* relaxed, and no read-modify-write: who retires before and after is ordered by the domain. */
    uint32_t live = svs__load_relaxed(&batch->live) - count;
    svs__store_relaxed(&batch->live, live);
    if (!live) svs__batch_recycle(batch);
}

/* Frees what is left. */
void svs__inbox_clean_up(svs_task *task);

static inline uint32_t svs__inbox_waiting(svs__inbox *inbox) {
    return svs__load_acquire(&inbox->waiting);
}

#endif
