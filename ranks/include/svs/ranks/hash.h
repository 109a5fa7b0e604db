/* A hash table over all ranks: a set of entries with distinct keys, each on the rank that its key's
 * hash names (section 2.2.2 of Wen's thesis).
 *
 *     typedef struct word { uint64_t key, count; } word;   // an item begins with its key
 *     static void add(void *entry, const void *item, void *argument) {
 *         ((word *)entry)->count += ((const word *)item)->count;
 *     }
 *
 *     // on each rank, outside of a run
 *     svs_hash_options_init(&options);
 *     options.name = "words";
 *     options.item_bytes = sizeof(word);
 *     options.key_bytes = sizeof(uint64_t);
 *     options.duplicate = add;
 *     svs_hash_new(ranks, &options, &hash);
 *     // in a fiber
 *     status = svs_hash_insert(hash, &item, NULL);         // some time
 *     status = svs_hash_insert(hash, &item, &mine->done);  // `done` goes up by 1 when it is there
 *     status = svs_hash_sync(hash, &mine->done);           // ... when all are, of all ranks
 *     while ((entry = svs_hash_next(hash, &cursor)) != NULL) ...   // the entries of this rank
 *
 * Inserts and deletes may be acknowledged, by a counter. An operation without a counter is refused
 * with SVS_WAIT while its rank must not post more (post.h), or while the table is frozen. The fiber
 * then continues, and passes its continuation to svs_hash_ready(). An operation with a counter is
 * always accepted, and waits in the table; like all split-phase calls it returns SVS_WAIT unless it
 * is complete. Operations on keys of this rank are complete at once.
 *
 * Consistency: operations of one rank on one key take effect in the order of their calls. An
 * operation with a counter has taken effect when that is reached. After a sync, all operations that
 * any rank issued before it have taken effect. Nothing else is ordered.
 *
 * Cache: with `cache_entries` a rank keeps what its lookups have found on other ranks, and that a
 * key is not there. Such a lookup is complete at once. It may miss what other ranks have done since
 * the last sync or freeze, but nothing from before, and nothing that its own rank has done. Each
 * sync and freeze empties the cache, also one of another table that shares the snapshot.
 *
 * Combining: with `combine_entries` a rank merges its own inserts of equal keys by the duplicate
 * handler before it posts them, so that the handler must be associative: (a + b) + c = a + (b + c).
 * A fiber of the table posts what was merged, when its turn comes, and so does a sync. Where few
 * keys are equal, the table does not look for them for a while. It pays where a record costs more
 * than the search for its key, some 10 ns: over a network, and little in shared memory.
 *
 * Growth: a table grows a few slots with each new entry, so that no call takes long.
 *
 * Failures: a lack of memory for an entry ends the run. Each refused call writes its reason to the
 * log. */
#ifndef SVS_RANKS_HASH_H
#define SVS_RANKS_HASH_H

#include <svs/ranks/post.h>
#include <svs/ranks/snapshot.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_hash svs_hash;

/* Called when an item's key is in the table: changes the entry, but not the key. It must not call
 * the library. */
typedef void svs_hash_duplicate(void *entry, const void *item, void *argument);

/* The usual function: an item is a key of 8 bytes and a number of 64 bits, which is added to the
 * entry's number. Faster than a function of the program that does the same. */
SVS_API void svs_hash_add(void *entry, const void *item, void *argument);

#define SVS_HASH_NAME 32u /* bytes of a name, with the terminating zero */

typedef struct svs_hash_options {
    size_t size;      /* size of this struct, filled by svs_hash_options_init() */
    const char *name; /* name of the table, distinct from those of other tables */
    /* bytes of an item, at most 2^20; a multiple of its alignment, which is at most 8 */
    uint32_t item_bytes;
    uint32_t key_bytes; /* an item begins with its key; keys are compared byte by byte */
    /* Computes the hash of a key; equal keys have equal hashes. The table mixes the bits of the
     * hash once more. NULL: a hash of the key's bytes. */
    uint64_t (*hash)(const void *key, void *argument);
    /* changes the entry of an item with an equal key; NULL: the entry stays as it is */
    svs_hash_duplicate *duplicate;
    void *argument; /* passed to `hash` and `duplicate`; may differ between ranks */
    /* number of entries on one rank for which the table has room at first */
    uint64_t expected;
    /* How inserts, deletes and lookups run on the key's rank: SVS_DISPATCH_IN_PLACE (default),
     * many in one call; or SVS_DISPATCH_FIFO or SVS_DISPATCH_URGENT, each as a fiber. */
    svs_dispatch dispatch;
    /* Size of the cache: how many entries of other ranks this rank keeps from its lookups, rounded
     * up to a multiple of three; 0: no cache. Three entries and 16 bytes together take a multiple
     * of 64 bytes. */
    uint32_t cache_entries;
    svs_hash *snapshot_of; /* a table that shares its snapshot with this one, or NULL */
    /* How many items for other ranks are held back so that inserts of equal keys can be merged into
     * them, rounded up to a power of two; 0: no merging. It takes the memory of that many items. */
    uint32_t combine_entries;
    uint32_t reserved; /* 0 */
} svs_hash_options;

SVS_API void svs_hash_options_init_sized(svs_hash_options *options, size_t size);
static inline void svs_hash_options_init(svs_hash_options *svs_options_) {
    svs_hash_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a table. Collective, outside of a run. The options are the same on all ranks, except
 * `argument`, `expected`, `cache_entries` and `combine_entries`. The table is freed with the rank.
 * It adds handlers, and an object NAME.hash.
 * @return as svs_handlers_add(). */
SVS_NODISCARD SVS_API svs_status svs_hash_new(svs_ranks *ranks, const svs_hash_options *options,
                                              svs_hash **hash);

/* ---- operations, in a run ----
 *
 * Without a counter: @return SVS_OK (accepted), SVS_WAIT (not accepted).
 * With a counter: @return SVS_OK (complete), SVS_WAIT; both add 1 to it, now or later.
 * Both: SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_hash_insert(svs_hash *hash, const void *item,
                                                 svs_counter *done);
SVS_NODISCARD SVS_API svs_status svs_hash_delete(svs_hash *hash, const void *key,
                                                 svs_counter *done);

/* Inserts an array of items without acknowledgement: much faster than one at a time.
 * @param accepted receives how many of the first items were accepted; all of them if it returns
 * SVS_OK. */
SVS_NODISCARD SVS_API svs_status svs_hash_insert_all(svs_hash *hash, const void *items,
                                                     size_t count, size_t *accepted);

/* If the key has an entry, copies it to `entry` and sets `found`; else clears `found`. It works
 * also while the table is frozen. @param entry room for item_bytes, or NULL. */
SVS_NODISCARD SVS_API svs_status svs_hash_lookup(svs_hash *hash, const void *key, void *entry,
                                                 bool *found, svs_counter *done);

/* Looks up an array of keys: much faster than one at a time. Each item begins with its key, and is
 * replaced by the entry if there is one; its element of `found` says whether. Both arrays must stay
 * valid until the call is complete. It works also while the table is frozen. At most 2^32 - 1
 * items. A lack of memory ends the run.
 * @return as an operation with a counter; SVS_E_INVALID (more items). */
SVS_NODISCARD SVS_API svs_status svs_hash_lookup_all(svs_hash *hash, void *items, size_t count,
                                                     bool *found, svs_counter *done);

/* Enables the fiber when an operation on this key (or item) may be accepted.
 * @return as svs_fiber_enable(). */
SVS_NODISCARD SVS_API svs_status svs_hash_ready(svs_hash *hash, const void *key, svs_fiber fiber);

/* Collective: complete when all operations that were issued before it, by any rank, have taken
 * effect. @return as svs_snapshot_sync(). */
SVS_NODISCARD SVS_API svs_status svs_hash_sync(svs_hash *hash, svs_counter *done);

/* The snapshot of the table, for svs_snapshot_freeze() and svs_snapshot_unfreeze(): while it is
 * frozen, no entry changes. NULL before the first run. */
SVS_API svs_snapshot *svs_hash_snapshot(const svs_hash *hash);

/* ---- this rank's entries ---- */

/* Visits the entries of this rank; `*cursor` begins with 0. @return the next entry, or NULL. The
 * caller may change the entry, but not its key. No insert or delete may take effect between the
 * calls: freeze or sync the table. */
SVS_API void *svs_hash_next(svs_hash *hash, uint64_t *cursor);

/* Deletes all entries and makes room for `expected`; 0 frees the memory. @return SVS_OK,
 * SVS_E_NULL, SVS_E_NO_MEMORY (all entries are still there). */
SVS_NODISCARD SVS_API svs_status svs_hash_clear(svs_hash *hash, uint64_t expected);

/* The rank that has the entry of this key, if there is one. */
SVS_API uint32_t svs_hash_owner(const svs_hash *hash, const void *key);

/* Counts of this rank's part, since it was made. */
typedef struct svs_hash_statistics {
    uint64_t entries, slots;
    /* entries created, entries deleted, calls of the duplicate handler */
    uint64_t created, deleted, duplicates;
    /* growths of the table, and the most slots that one call has moved */
    uint64_t growths, moved_most;
    uint64_t delayed; /* operations with counters that had to wait in the table */
    uint64_t unmoved; /* slots that a growth in progress has yet to move */
    /* lookups of other ranks' keys that the cache answered, and that it did not */
    uint64_t cache_hits, cache_misses;
    uint64_t combined; /* inserts that were merged into others before they were posted */
} svs_hash_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_hash_statistics_get_sized(svs_hash *hash,
                                                               svs_hash_statistics *statistics,
                                                               size_t size);
SVS_NODISCARD static inline svs_status svs_hash_statistics_get(
    svs_hash *svs_hash_, svs_hash_statistics *svs_statistics_) {
    return svs_hash_statistics_get_sized(svs_hash_, svs_statistics_, sizeof *svs_statistics_);
}

/* How entries are distributed over ranks and slots. With a weak hash function, numbers of entries
 * differ between ranks, or searches are long. */
typedef struct svs_hash_load {
    uint64_t entries, slots;              /* sums over all ranks */
    uint64_t entries_least, entries_most; /* fewest and most entries on one rank */
    uint64_t probe_most;                  /* number of slots in the longest search on any rank */
} svs_hash_load;

/* Collective, in a run: fills in `load`, which must stay valid until the call is complete. It walks
 * this rank's slots, and makes a reduction. @return SVS_OK, SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE,
 * SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_hash_load_get(svs_hash *hash, svs_hash_load *load,
                                                   svs_counter *done);

SVS_END_DECLARATIONS
#endif
