/* Deferred instances, by what blocked them.
 *
 * The thesis puts a deferred instance back into the input queue and compares it again with every
 * stage. Here it waits in the bucket of the cell or bit that it met, and is looked at again when
 * that may be free: an instance is compared a few times, not once a stage. When it then meets
 * something else it moves to the bucket of that.
 *
 * Of most records it is known here what they come to, and stays so: an instance of one element is
 * *single*, and waits with it; others may have a note of theirs (note.h). They are *known*: to look
 * at them again needs neither the user's code nor their sets.
 *
 *   Q1  every deferred record is in exactly one bucket; `nonempty` has the bits of those that hold
 *       any; `count` is their number;
 *   Q2  a bucket is first in, first out;
 *   Q3  `sets` counts those that are not known;
 *   Q4  a record has a note only while it is in a bucket, or on its way into one;
 *   Q5  `freed` has the bucket of each object of the world that was freed up to `freed_seen`, which
 *       is an element of the world's quarantine and stays one for as long as the iteration lasts. A
 *       known record that names such a bucket is known no longer when it is looked at: its set may
 *       name an object that was freed, and the lookup says so.
 *
 * There are as many buckets as what waits is worth: one, in the domain itself, until something
 * waits when a domain is looked at, and 2^SVS__BUCKET_BITS_MAX for many. When there is no memory
 * for more, more records share a bucket.
 *
 * Threads: guarded by the domain. */
#ifndef SVS_SCHED_PENDING_H
#define SVS_SCHED_PENDING_H

#include "sched/admission.h"
#include "sched/note.h"
#include "sched/record.h"

#define SVS__BUCKET_BITS_MAX 12u
#define SVS__BUCKET_BITS_FEW 8u /* for up to SVS__RECORDS_FEW */
#define SVS__RECORDS_FEW 16u

/* How often an instance is refused before it may reserve (S4). */
#define SVS__TRIES_BEFORE_RESERVING 64u

typedef struct svs__bucket {
    svs__record *first, *last;
} svs__bucket;

typedef struct svs__pending {
    svs__bucket *buckets;
    uint64_t *nonempty;
    uint64_t *freed;      /* Q5 */
    uintptr_t freed_seen; /* 0: nothing was freed */
    svs__bucket one;      /* when there is one bucket: what the three above point to */
    uint64_t one_words[2];
    uint32_t bits; /* log2 of the number of buckets */
    uint32_t sets; /* records that are not known: their sets have to be made again (Q3) */
    svs__notes notes;
    _Atomic(uint32_t) count;
} svs__pending;

void svs__pending_init(svs__pending *pending);
void svs__pending_clean_up(svs__pending *pending, const svs_world *world);

/* As many buckets as the records that wait are worth, if there is memory. */
void svs__pending_fit(svs__pending *pending, const svs_world *world);

/* Another iteration: what was freed in the one before is gone from the quarantine (Q5). */
void svs__pending_forget_freed(svs__pending *pending);

/* The last object of the world that was freed and is still there; 0: none. It changes with each
 * object that is freed. */
static inline uintptr_t svs__freed_last(const svs_world *world) {
    /* acquire: the objects freed before are reached from it; pairs with svs_object_free(). */
    return svs__load_acquire(&((svs_world *)(uintptr_t)world)->quarantine);
}

/* Q5: catches up with what was freed. An object whose last holder has released it is among that for
 * a caller that has admission's lock. */
SVS__COLD void svs__pending_see_freed_since(svs__pending *pending, uintptr_t last);
static inline void svs__pending_see_freed(svs__pending *pending, const svs_world *world) {
    uintptr_t last = svs__freed_last(world);
    if (SVS__UNLIKELY(last != pending->freed_seen)) svs__pending_see_freed_since(pending, last);
}

/* Whether a known record may name an object that was freed (Q5). */
SVS__COLD bool svs__pending_names_freed(const svs__pending *pending, const svs__record *record);

/* Puts a record to the end of the bucket of what it met, or to the front (where it came from). Its
 * note, if it has one, is kept. */
void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front);

/* Takes the first record of a bucket, or NULL. Its note is dropped. */
svs__record *svs__pending_take(svs__pending *pending, uint32_t bucket);

/* Takes a record out of its bucket, wherever it stands. */
void svs__pending_take_out(svs__pending *pending, svs__record *record);

/* A record in a bucket is known no longer: who looks at it next makes its set. */
void svs__pending_forget(svs__pending *pending, svs__record *record);

/* A known record in a bucket was refused once more; after too often, when it may reserve, it is
 * known no longer, as what its set comes to is made for that. */
void svs__pending_tire(svs__pending *pending, svs__record *record, bool may_reserve);

/* Q1 to Q4. Walks every bucket. */
bool svs__pending_is_valid(const svs__pending *pending);

static inline uint32_t svs__pending_bucket(const svs__pending *pending, uint32_t key) {
    return (uint32_t)((uint64_t)key >> (32 - pending->bits)); /* by 32, for one bucket */
}

static inline svs__record *svs__pending_first(const svs__pending *pending, uint32_t bucket) {
    return pending->buckets[bucket].first;
}

/* The first bucket at or behind `from` that holds any, or UINT32_MAX. */
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

/* `blocked` of a record: svs__met in the low bits, the mode, and whether it is single. */
#define SVS__BLOCKED_MET 0x0fu
#define SVS__BLOCKED_WRITE 0x10u
#define SVS__BLOCKED_SINGLE 0x80u

static inline uint8_t svs__record_blocked(svs__met met, uint32_t mode) {
    return (uint8_t)((uint32_t)met | (mode == SVS_MODE_WRITE ? SVS__BLOCKED_WRITE : 0));
}

static inline bool svs__record_is_single(const svs__record *record) {
    return record->blocked & SVS__BLOCKED_SINGLE;
}

static inline bool svs__record_is_known(const svs__record *record) {
    return svs__record_is_single(record) || record->note;
}

/* What it met. */
static inline svs__element svs__record_element(const svs__record *record) {
    return (svs__element){record->blocked_key,
                          record->blocked & SVS__BLOCKED_WRITE ? SVS_MODE_WRITE : SVS_MODE_READ};
}

static inline svs__conflict svs__record_conflict(const svs__record *record) {
    svs__element e = svs__record_element(record);
    return (svs__conflict){e.key, e.mode, (svs__met)(record->blocked & SVS__BLOCKED_MET),
                           svs__record_is_single(record)};
}

static inline void svs__record_tire(svs__record *record) {
    if (record->tries < UINT8_MAX) record->tries++;
}

/* Links a record to the end of the bucket of what it met. */
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

/* The first record of a bucket, which has a note, met something else: moves it to the end of that's
 * bucket. */
static inline void svs__pending_move(svs__pending *pending, uint32_t bucket,
                                     const svs__conflict *met) {
    svs__record *record = pending->buckets[bucket].first;
    pending->buckets[bucket].first = record->next;
    if (!record->next) pending->nonempty[bucket / 64] &= ~(UINT64_C(1) << bucket % 64);
    svs__pending_append(pending, record, met->key, svs__record_blocked(met->met, met->mode));
}

/* Puts a record that is single to the end of its element's bucket. */
static inline void svs__pending_put_single(svs__pending *pending, svs__record *record,
                                           svs__element e) {
    svs__pending_append(pending, record, e.key,
                        svs__record_blocked(SVS__MET_CELL, e.mode) | SVS__BLOCKED_SINGLE);
    /* relaxed: guarded; others read a hint. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) + 1);
}

#endif
