/* The entries of one rank: a table with open addressing that grows while it is used.
 *
 *     svs__bins_init(&bins, &allocator, sizeof(word), sizeof(uint64_t), merge, NULL);
 *     uint64_t hash = svs__bins_hash(&bins, &item);
 *     if (svs__bins_put(&bins, &item, hash) != SVS_OK) ...            // no memory
 *     entry = svs__bins_find(&bins, &key, hash);
 *
 * An item begins with its key. A slot is one item, and is free if its key is zero; the entry of the
 * key zero stands apart. The upper bits of an entry's hash are the number of its home slot. The
 * entry is in the first slot, beginning with its home, that was free when it was created. A
 * deletion moves later entries back, so that deleted slots need no marks.
 *
 * Growth: when 5 in 8 slots are used, an array of twice the size is allocated, and its memory is
 * not touched. Each creation of an entry then moves some slots of the old array, beginning after an
 * empty slot:
 *
 *     old   | moved, free  | not yet moved             |      a home lies in one part or the other
 *     now   | ready, zeroed               | unknown    |      twice as many slots
 *
 *   structures.H1  There is one entry for each key: in the old array if its home there has not been
 *                  moved, and in the new one otherwise.
 *   structures.H2  The duplicate handler runs once for each item whose key has an entry: entries =
 *                  created - deleted.
 *   structures.H3  Iteration visits each entry once, also during growth. (not asserted: a statement
 *                  about many calls; ranks/tests/unit/structures/hash/bins.c compares)
 *   structures.H4  The moved part ends after a free slot, so that no entry of the other part was
 *                  displaced across its end.
 *   structures.H5  All slots of the new array up to the one after each entry are ready, and a
 *                  growth ends before the next one begins. So a call moves and zeroes a bounded
 *                  number of slots, and the rest of one cluster.
 *   structures.H9  At least one slot is free, so that each search ends: if there is no memory to
 *                  grow, the last free slot is not used.
 *
 * Threads: one at a time, as for all data of a rank. */
#ifndef SVS_STRUCTURES_HASH_BINS_H
#define SVS_STRUCTURES_HASH_BINS_H

#include "base/check.h"
#include "base/memory.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t svs__hash_function(const void *key, void *argument);
typedef void svs__duplicate_function(void *entry, const void *item, void *argument);

typedef struct svs__bin_slots {
    unsigned char *at; /* the slots; NULL: no array */
    uint64_t mask;     /* number of slots - 1 */
    uint64_t room;     /* number of slots that are allocated, at least mask + 1 */
    uint32_t shift;    /* shift of a hash to the right, which gives the number of its home */
} svs__bin_slots;

typedef struct svs__bins {
    svs__bin_slots now, old; /* `old` exists only while the table grows */
    uint64_t used;           /* number of used slots, without the entry of the key zero */
    uint64_t limit;          /* value of `used` at which the table grows */
    uint64_t begin;          /* where the moved part of the old array begins */
    uint64_t moved;          /* number of slots in the moved part */
    /* number of ready slots of the new array, beginning with slot 2 * begin */
    uint64_t ready;
    uint32_t item_bytes, key_bytes;
    svs__hash_function *hash; /* NULL: the hash of the key's bytes is used */
    /* changes the entry of an equal key; NULL: the entry stays as it is */
    svs__duplicate_function *duplicate;
    void *argument;
    unsigned char *zero; /* the entry of the key zero */
    bool has_zero;
    svs_allocator allocator;
    uint64_t created, deleted, duplicates, growths, moved_most;
} svs__bins;

#define SVS__BINS_SLOTS_MIN 16u

/* `hash` and `duplicate` are set by the caller. @return SVS_OK, SVS_E_NO_MEMORY. */
svs_status svs__bins_init(svs__bins *bins, const svs_allocator *allocator, uint32_t item_bytes,
                          uint32_t key_bytes, uint64_t expected);
void svs__bins_clean_up(svs__bins *bins);

/* Deletes all entries, and makes room for `expected` ones. It keeps the memory if that suffices and
 * `expected` is not 0. @return SVS_OK, or SVS_E_NO_MEMORY: no entry was deleted. */
svs_status svs__bins_clear(svs__bins *bins, uint64_t expected);

/* The unusual paths of svs__bins_put(): growth and the key zero. */
svs_status svs__bins_put_slow(svs__bins *bins, const void *item, uint64_t hash);
svs_status svs__bins_grow(svs__bins *bins);

/* @return the entry of a key, valid until the next change; NULL: there is none. */
void *svs__bins_find(svs__bins *bins, const void *key, uint64_t hash);
/* Deletes the entry of a key. @return whether there was one. */
bool svs__bins_delete(svs__bins *bins, const void *key, uint64_t hash);
/* Visits all entries; `*cursor` begins with 0. @return the next entry; NULL: there are no more. The
 * table must not change meanwhile. */
void *svs__bins_next(const svs__bins *bins, uint64_t *cursor);

bool svs__bins_is_valid(const svs__bins *bins);

/* The number of slots in the longest search, from the home of an entry to the entry. Walks all
 * slots. */
uint64_t svs__bins_longest_probe(const svs__bins *bins);

/* Slots that a growth in progress has yet to move. */
static inline uint64_t svs__bins_unmoved(const svs__bins *bins) {
    if (bins->old.at == NULL || bins->moved > bins->old.mask) return 0;
    return bins->old.mask + 1 - bins->moved;
}

static inline uint64_t svs__bins_entries(const svs__bins *bins) {
    return bins->used + bins->has_zero;
}

/* ---- hashes ---- */

/* Mixes the bits of a number, so that a weak hash function of the program does no harm. All bits
 * influence the upper bits of both halves, which are those that are used. */
static inline uint64_t svs__hash_mix(uint64_t bits) {
    bits *= 0xff51afd7ed558ccdu;
    bits ^= bits >> 32;
    return bits * 0xc4ceb9fe1a85ec53u;
}

static inline uint64_t svs__load_8(const void *bytes) {
    uint64_t number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

uint64_t svs__hash_bytes(const void *key, uint32_t bytes);

/* The shape of a table's items: read from the table, or constants that a caller knows at compile
 * time. */
typedef struct svs__shape {
    uint32_t item_bytes, key_bytes;
    bool hashed; /* keys are hashed by a function of the program */
    /* the numbers after equal keys are added, instead of calling the duplicate handler */
    bool adds;
} svs__shape;

static inline svs__shape svs__bins_shape(const svs__bins *bins) {
    return (svs__shape){bins->item_bytes, bins->key_bytes, bins->hash != NULL, false};
}

static inline uint64_t svs__bins_hash_of(const svs__bins *bins, const void *key, svs__shape shape) {
    if (shape.hashed) return svs__hash_mix(bins->hash(key, bins->argument));
    return shape.key_bytes == 8 ? svs__hash_mix(svs__load_8(key))
                                : svs__hash_bytes(key, shape.key_bytes);
}

static inline uint64_t svs__bins_hash(const svs__bins *bins, const void *key) {
    return svs__bins_hash_of(bins, key, svs__bins_shape(bins));
}

/* ---- slots ---- */

bool svs__is_zero(const void *key, uint32_t bytes);

static inline bool svs__key_is_zero(const void *key, uint32_t bytes) {
    return bytes == 8 ? svs__load_8(key) == 0 : svs__is_zero(key, bytes);
}

static inline bool svs__keys_are_equal(const void *one, const void *two, uint32_t bytes) {
    return bytes == 8 ? svs__load_8(one) == svs__load_8(two) : memcmp(one, two, bytes) == 0;
}

static inline uint64_t svs__home(const svs__bin_slots *slots, uint64_t hash) {
    return hash >> slots->shift;
}

static inline unsigned char *svs__bin_at(const svs__bin_slots *slots, uint64_t index,
                                         uint32_t item_bytes) {
    return slots->at + index * item_bytes;
}

/* @return the index of the slot that has a key, or of the free slot into which it would be put. */
static inline uint64_t svs__probe(const svs__bin_slots *slots, const void *key, uint64_t hash,
                                  uint32_t item_bytes, uint32_t key_bytes) {
    uint64_t at = svs__home(slots, hash);
    for (;; at = (at + 1) & slots->mask) {
        const unsigned char *slot = svs__bin_at(slots, at, item_bytes);
        if (svs__keys_are_equal(slot, key, key_bytes) || svs__key_is_zero(slot, key_bytes))
            return at;
    }
}

/* ---- put ---- */

static inline void svs__bins_merge(svs__bins *bins, void *entry, const void *item) {
    bins->duplicates++;
    if (bins->duplicate != NULL) bins->duplicate(entry, item, bins->argument);
}

/* Inserts an item, or merges it with the entry of its key. @return SVS_OK; SVS_E_NO_MEMORY: the
 * table could not grow; the item is inserted, unless that would take the last free slot. */
static inline svs_status svs__bins_put(svs__bins *bins, const void *item, uint64_t hash) {
    unsigned char *slot;
    if (SVS__UNLIKELY(bins->old.at != NULL) || svs__key_is_zero(item, bins->key_bytes))
        return svs__bins_put_slow(bins, item, hash);
    slot = svs__bin_at(&bins->now,
                       svs__probe(&bins->now, item, hash, bins->item_bytes, bins->key_bytes),
                       bins->item_bytes);
    if (!svs__key_is_zero(slot, bins->key_bytes)) {
        svs__bins_merge(bins, slot, item);
        return SVS_OK;
    }
    if (SVS__UNLIKELY(bins->used == bins->now.mask)) return SVS_E_NO_MEMORY;
    SVS__ASSERT(bins->used < bins->now.mask); /* structures.H9 */
    memcpy(slot, item, bins->item_bytes);
    bins->created++;
    return ++bins->used < bins->limit ? SVS_OK : svs__bins_grow(bins);
}

/* Number of items by which the prefetch of slots is ahead. It is more than the cache misses that an
 * older core can have in flight (16 to 24), since a miss takes about 100 ns and an item some 4
 * ns. */
#define SVS__BINS_AHEAD 32u

void svs__bins_keep_entry(void *entry, const void *item, void *argument);

/* @return the slot where the search of an item begins. */
static inline __attribute__((always_inline)) unsigned char *svs__bins_prefetch(
    const svs__bins *bins, const svs__bin_slots *now, const unsigned char *item, svs__shape shape) {
    uint64_t home = svs__home(now, svs__bins_hash_of(bins, item, shape));
    unsigned char *slot = svs__bin_at(now, home, shape.item_bytes);
    __builtin_prefetch(slot, 1);
    return slot;
}

static inline __attribute__((always_inline)) void svs__bins_merge_as(void *entry,
                                                                     const unsigned char *item,
                                                                     svs__duplicate_function *merge,
                                                                     void *argument,
                                                                     svs__shape shape) {
    uint64_t sum;
    if (!shape.adds) {
        merge(entry, item, argument);
        return;
    }
    sum = svs__load_8((unsigned char *)entry + 8) + svs__load_8(item + 8);
    memcpy((unsigned char *)entry + 8, &sum, sizeof sum);
}

/* Puts an item whose search begins at `slot`. @param end the end of the last slot. @param room
 * number of entries that may still be created.
 * @return false: it is not put, because its key is zero or the table must grow. */
static inline __attribute__((always_inline)) bool svs__bins_put_usual(
    const svs__bin_slots *now, const unsigned char *end, unsigned char *slot,
    const unsigned char *item, uint64_t *room, svs__duplicate_function *merge, void *argument,
    svs__shape shape) {
    if (svs__key_is_zero(item, shape.key_bytes)) return false;
    while (!svs__keys_are_equal(slot, item, shape.key_bytes)) {
        if (!svs__key_is_zero(slot, shape.key_bytes)) {
            slot += shape.item_bytes;
            if (SVS__UNLIKELY(slot == end)) slot = now->at;
            continue;
        }
        if (*room == 0) return false;
        memcpy(slot, item, shape.item_bytes);
        --*room;
        return true;
    }
    svs__bins_merge_as(slot, item, merge, argument, shape);
    return true;
}

/* The number of entries that can be created before the table must grow; 0 also if it could not
 * grow. */
static inline uint64_t svs__bins_room(const svs__bins *bins) {
    return bins->used + 1 < bins->limit ? bins->limit - bins->used - 1 : 0;
}

/* Puts items as long as the usual path suffices, so that the array stays the same. @return their
 * number. */
static inline __attribute__((always_inline)) uint32_t svs__bins_put_some(svs__bins *bins,
                                                                         const unsigned char *items,
                                                                         uint32_t count,
                                                                         svs__shape shape) {
    svs__duplicate_function *const merge =
        bins->duplicate != NULL ? bins->duplicate : svs__bins_keep_entry;
    void *const argument = bins->argument;
    const svs__bin_slots now = bins->now; /* a copy, which no put can change */
    const unsigned char *const end = svs__bin_at(&now, now.mask + 1, shape.item_bytes);
    const uint64_t before = svs__bins_room(bins);
    uint64_t room = before;
    unsigned char *homes[SVS__BINS_AHEAD];
    uint32_t done = 0;
    if (bins->old.at != NULL) return 0;
    for (uint32_t i = 0; i < count && i < SVS__BINS_AHEAD; i++)
        homes[i] = svs__bins_prefetch(bins, &now, items + (size_t)i * shape.item_bytes, shape);
    while (count - done >= 2 * SVS__BINS_AHEAD) {
        const unsigned char *each = items + (size_t)done * shape.item_bytes;
        for (uint32_t i = 0; i < SVS__BINS_AHEAD; i++, each += shape.item_bytes) {
            if (!svs__bins_put_usual(&now, end, homes[i], each, &room, merge, argument, shape)) {
                done += i;
                goto end;
            }
            homes[i] = svs__bins_prefetch(bins, &now,
                                          each + (size_t)SVS__BINS_AHEAD * shape.item_bytes, shape);
        }
        done += SVS__BINS_AHEAD;
    }
    for (uint32_t first = done; done != count; done++) {
        const unsigned char *each = items + (size_t)done * shape.item_bytes;
        unsigned char **home = &homes[(done - first) % SVS__BINS_AHEAD];
        if (!svs__bins_put_usual(&now, end, *home, each, &room, merge, argument, shape)) break;
        if (count - done > SVS__BINS_AHEAD)
            *home = svs__bins_prefetch(bins, &now,
                                       each + (size_t)SVS__BINS_AHEAD * shape.item_bytes, shape);
    }
end:
    bins->used += before - room;
    bins->created += before - room;
    bins->duplicates += done - (before - room);
    return done;
}

/* Puts some items one by one. @return SVS_OK, SVS_E_NO_MEMORY as svs__bins_put(). */
svs_status svs__bins_put_each(svs__bins *bins, const unsigned char *items, uint32_t count);

/* Puts an array of items: the slots of some are prefetched while others are put. */
static inline __attribute__((always_inline)) svs_status svs__bins_put_all(
    svs__bins *bins, const unsigned char *items, uint32_t count, svs__shape shape) {
    svs_status status = SVS_OK;
    for (;;) {
        uint32_t done = svs__bins_put_some(bins, items, count, shape), more;
        count -= done;
        if (SVS__LIKELY(count == 0)) return status;
        items += (size_t)done * shape.item_bytes;
        more = count < SVS__BINS_AHEAD ? count : SVS__BINS_AHEAD;
        if (svs__bins_put_each(bins, items, more) != SVS_OK) status = SVS_E_NO_MEMORY;
        items += (size_t)more * shape.item_bytes;
        count -= more;
    }
}

#endif
