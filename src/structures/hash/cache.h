/* What lookups have found on other ranks: a cache of sets of four.
 *
 *     stamp = svs__cache_stamp(hash);                    // when a key is asked for
 *     svs__cache_put(hash, item, found, stamp);          // when the answer comes
 *     if (svs__cache_get(hash, key, bits, &entry)) ...   // entry NULL: the key is not there
 *     svs__cache_forget(hash, key, bits);                // this rank changes the key
 *
 *   structures.H10  An entry is used in the epoch of the snapshot in which it was asked for, and
 *                   not after this rank has changed its key. So it is never older than the last
 *                   sync, and operations of one rank on one key keep their order. (not asserted:
 *                   the age of an entry; tests/ranks/hash.c compares)
 *
 * An epoch ends when a sync or an unfreeze does, before their counters. While the snapshot is not
 * open, nothing is read from the cache. A stamp is the epoch, and the number of this rank's changes
 * so far: an answer that was asked for under another stamp is not kept, since it may be older than a
 * sync, or than a change of this rank that was made meanwhile. */
#ifndef SVS_STRUCTURES_HASH_CACHE_H
#define SVS_STRUCTURES_HASH_CACHE_H

#include "base/memory.h"
#include <svs/ranks/hash.h>

typedef struct svs__cache_slot {
    uint32_t epoch; /* of the entry, and 1 more; 0: the slot is free */
    uint32_t tag;   /* lower half of the key's hash; its last bit: the key is in the table */
} svs__cache_slot;

#define SVS__CACHE_WAYS 4u /* slots of a set */

typedef struct svs__hash_cache {
    svs__cache_slot *slots; /* NULL: there is no cache */
    unsigned char *items;   /* of each slot: the entry, or its key */
    uint32_t count, shift;  /* slots, a power of two; of a hash, to its set */
    uint32_t turn;          /* of the slot that is replaced next in its set */
    uint32_t changes;       /* of keys, by this rank */
    uint64_t hits, misses;
} svs__hash_cache;

/* The stamp of an answer that is not kept. */
#define SVS__CACHE_NO_STAMP UINT64_MAX

/* @param entries 0: no cache. @return false: no memory. */
bool svs__cache_init(svs_hash *hash, uint32_t entries);
void svs__cache_clean_up(svs_hash *hash);

uint64_t svs__cache_stamp(const svs_hash *hash);
/* @param bits hash of the key. @param entry set to the entry, or to NULL: the key is not there.
 * @return whether the cache knows. */
bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry);
void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp);
void svs__cache_empty(svs_hash *hash);
/* This rank changes the keys of items, each `stride` bytes after the one before. */
void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride);

#endif
