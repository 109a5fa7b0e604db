/* Deferred instances, by what blocked them.
 *
 * The thesis puts a deferred instance back into the input queue and compares it again with every
 * stage. Here it waits in the bucket of the cell or bit that it met, and is looked at again when
 * that may be free: an instance is compared a few times, not once a stage.
 *
 *   Q1  every deferred record is in exactly one bucket; `nonempty` has the bits of those that hold
 *       any; `count` is their number;
 *   Q2  a bucket is first in, first out.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_PENDING_H
#define SVS_SCHED_PENDING_H

#include "sched/admission.h"
#include "sched/record.h"

#define SVS__BUCKET_BITS_MAX 12u

typedef struct svs__bucket {
    svs__record *first, *last;
} svs__bucket;

typedef struct svs__pending {
    svs__bucket *buckets;
    uint64_t *nonempty;
    uint32_t bits; /* log2 of the number of buckets */
    _Atomic(uint32_t) count;
} svs__pending;

svs_status svs__pending_init(svs__pending *pending, const svs_world *world);
void svs__pending_clean_up(svs__pending *pending, const svs_world *world);

/* Puts a record to the end of the bucket of what it met, or to the front (where it came from). */
void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front);

/* Takes the first record of a bucket, or NULL. */
svs__record *svs__pending_take(svs__pending *pending, uint32_t bucket);

/* The first bucket at or behind `from` that holds any, or UINT32_MAX. */
uint32_t svs__pending_next(const svs__pending *pending, uint32_t from);

/* Q1. Walks every bucket. */
bool svs__pending_is_valid(const svs__pending *pending);

static inline uint32_t svs__pending_bucket(const svs__pending *pending, uint32_t key) {
    return key >> (32 - pending->bits);
}

/* In blocked_met: the record's set is the one element that is blocked, and stays so. */
#define SVS__BLOCKED_SINGLE 0x80u

static inline svs__conflict svs__record_conflict(const svs__record *record) {
    return (svs__conflict){record->blocked_key, record->blocked_mode,
                           (svs__met)(record->blocked_met & ~SVS__BLOCKED_SINGLE)};
}

static inline bool svs__record_is_single(const svs__record *record) {
    return record->blocked_met & SVS__BLOCKED_SINGLE;
}

#endif
