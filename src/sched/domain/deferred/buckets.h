/* The buckets of deferred instances (pending.h), and the changes that a search makes. */
#ifndef SVS_SCHED_DOMAIN_DEFERRED_BUCKETS_H
#define SVS_SCHED_DOMAIN_DEFERRED_BUCKETS_H

#include "sched/domain/deferred/waiting.h"

#define SVS__BUCKET_BITS_MAX 12u
/* bits of a bucket's number while at most SVS__RECORDS_FEW records wait */
#define SVS__BUCKET_BITS_FEW 8u
#define SVS__RECORDS_FEW 16u

typedef struct svs__bucket {
    svs__record *first, *last;
} svs__bucket;

typedef struct svs__pending {
    svs__bucket *buckets;
    uint64_t *nonempty;
    uint64_t *freed;      /* sched.Q5 */
    uintptr_t freed_seen; /* 0: nothing was freed */
    /* memory for the bucket while there is only one; `one_words` is that of `nonempty` and
     * `freed` */
    svs__bucket one;
    uint64_t one_words[2];
    uint32_t bits; /* log2 of the number of buckets */
    uint32_t sets; /* number of records that are not known (sched.Q3) */
    svs__notes notes;
    _Atomic(uint32_t) count;
} svs__pending;

static inline uint32_t svs__pending_bucket(const svs__pending *pending, uint32_t key) {
    /* in 64 bits, because with one bucket the shift is 32 */
    return (uint32_t)((uint64_t)key >> (32 - pending->bits));
}

static inline svs__record *svs__pending_first(const svs__pending *pending, uint32_t bucket) {
    return pending->buckets[bucket].first;
}

/* The first bucket, beginning with number `from`, that has a record; UINT32_MAX: none. */
static inline uint32_t svs__pending_next(const svs__pending *pending, uint32_t from) {
    uint32_t words = ((UINT32_C(1) << pending->bits) + 63) / 64, word = from / 64;
    uint64_t bits;
    if (word >= words) return UINT32_MAX;
    bits = pending->nonempty[word] >> from % 64 << from % 64;
    while (!bits) {
        if (++word == words) return UINT32_MAX;
        bits = pending->nonempty[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* Removes the first `count` records of a bucket. `rest` is the record that becomes its first, or
 * NULL. */
static inline void svs__pending_advance(svs__pending *pending, uint32_t bucket, uint32_t count,
                                        svs__record *rest) {
    pending->buckets[bucket].first = rest;
    if (!rest) pending->nonempty[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    /* relaxed is enough: the domain's lock guards the count; readers without the lock may get an
     * older value. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) - count);
}

/* Whether each bucket stands for exactly one cell. */
static inline bool svs__pending_is_cell(const svs__pending *pending, const svs_world *world) {
    return pending->bits == world->cell_bits;
}

/* Appends a record to the bucket of its conflict. */
static inline void svs__pending_append(svs__pending *pending, svs__record *record, uint32_t key,
                                       uint8_t blocked) {
    uint32_t i = svs__pending_bucket(pending, key);
    svs__bucket *bucket = &pending->buckets[i];
    record->blocked_key = key;
    record->blocked = blocked;
    record->next = NULL;
    if (bucket->first) bucket->last->next = record;
    else bucket->first = record;
    bucket->last = record;
    pending->nonempty[i / 64] |= UINT64_C(1) << i % 64;
}

/* Moves the first record of a bucket to the end of the bucket of another conflict. The record has a
 * note. */
static inline void svs__pending_move(svs__pending *pending, uint32_t bucket,
                                     const svs__conflict *met) {
    svs__record *record = pending->buckets[bucket].first;
    pending->buckets[bucket].first = record->next;
    if (!record->next) pending->nonempty[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    svs__pending_append(pending, record, met->key, svs__record_blocked(met->met, met->mode));
}

/* Appends a single record to the bucket of its element. */
static inline void svs__pending_put_single(svs__pending *pending, svs__record *record,
                                           svs__element e) {
    svs__pending_append(pending, record, e.key,
                        svs__record_blocked(SVS__MET_CELL, e.mode) | SVS__BLOCKED_SINGLE);
    /* relaxed is enough: the domain's lock guards the count; readers without the lock may get an
     * older value. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) + 1);
}

#endif
