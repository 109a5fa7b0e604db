/* Instances that wait: records, the batches that contain them, and the inbox of a task.
 *
 * A send copies its items into records, which never move. A batch contains as many as fit, and is
 * recycled when its last record is retired.
 *
 *   sched.S2  each item is run once, or its run fails;
 *   sched.I1  a record is taken from its inbox once (sched.S2);
 *   sched.I2  a batch lives until the inbox has left it and each of its records is retired: `live`
 *       counts both;
 *   sched.I3  a send adds all of its items or none. */
#ifndef SVS_SCHED_DOMAIN_RECORD_H
#define SVS_SCHED_DOMAIN_RECORD_H

#include <svs/task.h>

#include "base/atomic.h"
#include "base/lock.h"

typedef struct svs__batch svs__batch;

/* The bytes of a queued item beside its own. */
typedef struct svs__record {
    struct svs__record *next; /* in a bucket of deferred instances */
    svs__batch *batch;
    uint64_t order;       /* names the instance (svs_instance_id) */
    uint32_t blocked_key; /* the key of its conflict when it was deferred */
    uint16_t note;        /* names its elements while it waits (saved_elements.h); 0: none */
    uint8_t blocked;      /* the kind of the conflict (waiting.h) */
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
    _Atomic(uint32_t)
        live; /* capacity + 1, less the retired ones, less 1 when the inbox leaves it (sched.I2) */
};

_Static_assert(sizeof(svs__batch) <= SVS__BATCH_FRONT, "records begin behind the batch");

typedef struct svs__inbox {
    svs__lock lock;
    _Atomic(uint32_t) waiting; /* records not taken yet */
    svs__batch *first, *last;
    svs__batch *spare; /* one empty batch, kept for the next */
    uint64_t external; /* items sent from outside so far: their order */
} svs__inbox;

#endif
