/* Deferred instances, by what blocked them.
 *
 * The thesis puts a deferred instance back into the input queue and compares it again with every
 * stage. Here it waits in the bucket of the cell or bit that it met, and is looked at again when
 * that may be free: an instance is compared a few times, not once a stage.
 *
 *   Q1  every deferred record is in exactly one bucket; `nonempty` has the bits of those that hold
 *       any; `count` is their number;
 *   Q2  a bucket is first in, first out;
 *   Q3  `sets` counts those that are not single.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_PENDING_H
#define SVS_SCHED_PENDING_H

#include "sched/admission.h"
#include "sched/record.h"

#define SVS__BUCKET_BITS_MAX 12u

/* How often an instance is refused before it may reserve (S4). */
#define SVS__TRIES_BEFORE_RESERVING 64u

typedef struct svs__bucket {
    svs__record *first, *last;
} svs__bucket;

typedef struct svs__pending {
    svs__bucket *buckets;
    uint64_t *nonempty;
    uint32_t bits; /* log2 of the number of buckets */
    uint32_t sets; /* records that are not single: their sets have to be made again (Q3) */
    _Atomic(uint32_t) count;
} svs__pending;

svs_status svs__pending_init(svs__pending *pending, const svs_world *world);
void svs__pending_clean_up(svs__pending *pending, const svs_world *world);

/* Puts a record to the end of the bucket of what it met, or to the front (where it came from). */
void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front);

/* Takes the first record of a bucket, or NULL. */
svs__record *svs__pending_take(svs__pending *pending, uint32_t bucket);

/* Takes a record out of its bucket, wherever it stands. */
void svs__pending_take_out(svs__pending *pending, svs__record *record);

/* A single record in a bucket was refused once more; after too often it is single no longer, as it
 * has to reserve what its set comes to. */
void svs__pending_tire(svs__pending *pending, svs__record *record);

/* Q1 to Q3. Walks every bucket. */
bool svs__pending_is_valid(const svs__pending *pending);

static inline uint32_t svs__pending_bucket(const svs__pending *pending, uint32_t key) {
    return key >> (32 - pending->bits);
}

static inline svs__record *svs__pending_first(const svs__pending *pending, uint32_t bucket) {
    return pending->buckets[bucket].first;
}

/* The first bucket at or behind `from` that holds any, or UINT32_MAX. */
static inline uint32_t svs__pending_next(const svs__pending *pending, uint32_t from) {
    uint32_t words = (UINT32_C(1) << pending->bits) / 64, word = from / 64;
    uint64_t bits;
    if (word >= words) return UINT32_MAX;
    bits = pending->nonempty[word] >> from % 64 << from % 64;
    while (!bits) {
        if (++word == words) return UINT32_MAX;
        bits = pending->nonempty[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* `count` records left the front of a bucket: `rest` is its first now, or NULL. */
static inline void svs__pending_advance(svs__pending *pending, uint32_t bucket, uint32_t count,
                                        svs__record *rest) {
    pending->buckets[bucket].first = rest;
    if (!rest) pending->nonempty[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    /* relaxed: guarded; others read a hint. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) - count);
}

/* Whether a bucket is one cell. */
static inline bool svs__pending_is_cell(const svs__pending *pending, const svs_world *world) {
    return pending->bits == world->options.cell_bits;
}

/* In blocked_met: the record is single (svs__conflict). */
#define SVS__BLOCKED_SINGLE 0x80u

static inline bool svs__record_is_single(const svs__record *record) {
    return record->blocked_met & SVS__BLOCKED_SINGLE;
}

static inline svs__conflict svs__record_conflict(const svs__record *record) {
    return (svs__conflict){record->blocked_key, record->blocked_mode,
                           (svs__met)(record->blocked_met & ~SVS__BLOCKED_SINGLE),
                           svs__record_is_single(record)};
}

static inline svs__element svs__record_element(const svs__record *record) {
    return (svs__element){record->blocked_key, record->blocked_mode};
}

static inline void svs__record_tire(svs__record *record) {
    if (record->tries < UINT16_MAX) record->tries++;
}

/* Puts a record that is single to the end of its element's bucket. */
static inline void svs__pending_put_single(svs__pending *pending, svs__record *record,
                                           svs__element e) {
    uint32_t i = svs__pending_bucket(pending, e.key);
    svs__bucket *bucket = &pending->buckets[i];
    record->blocked_key = e.key;
    record->blocked_mode = (uint8_t)e.mode;
    record->blocked_met = SVS__MET_CELL | SVS__BLOCKED_SINGLE;
    record->next = NULL;
    if (bucket->first) bucket->last->next = record;
    else bucket->first = record;
    bucket->last = record;
    pending->nonempty[i / 64] |= UINT64_C(1) << i % 64;
    /* relaxed: guarded; others read a hint. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) + 1);
}

#endif
