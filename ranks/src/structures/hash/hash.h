/* A hash table over all ranks: this rank's bins, and the operations that are in flight or delayed.
 *
 *     insert_all --own key--> pending items --> bins
 *          \------other key--> record "NAME.insert" --> bins there
 *     operation with a counter, or as a fiber: record "NAME.request" --> bins there
 *          ^--- delayed, while another waits      \--> record "NAME.reply" --> counter
 *     lookup_all --other ranks--> queries: record "NAME.keys" --> record "NAME.entries" --> counter
 *
 * Lookups may be answered by a cache, and inserts be merged before they are posted; see below.
 *
 *   structures.H6  Operations of one rank on one key take effect in the order of their calls: they
 *                  take one path and have one dispatch (ranks.P1), and none is issued while another
 *                  one is delayed. Delayed operations are issued in their order.
 *   structures.H7  A ticket stands for one operation with a counter, from its call to its
 *                  completion, which adds 1 to the counter.
 *
 *   structures.H8  Items of this rank are pending between their acceptance and their insertion, in
 *                  their order. All other calls of this rank on its bins take effect after them.
 *                  While there are pending items, a fiber is enabled that inserts them.
 *
 * Pending items are in a lane of the table, as records for another rank are in the lane of its
 * channel (ranks.B6). So an item is put the same way for all ranks, without a branch that no
 * processor could predict, and one function inserts all items from where they are.
 *
 * Each operation that changes the table is a mutation of its snapshot, from its acceptance to its
 * effect. So a sync waits for all of them, and none is accepted while the snapshot is frozen.
 * Records carry no epoch (ranks/snapshot.h). A delayed operation has not begun. */
#ifndef SVS_STRUCTURES_HASH_HASH_H
#define SVS_STRUCTURES_HASH_HASH_H

#include "base/check.h"
#include "structures/hash/bins.h"
#include <assert.h>
#include <svs/ranks/hash.h>
#include <svs/ranks/structure.h>

typedef enum svs__hash_operation {
    SVS__HASH_INSERT,
    SVS__HASH_DELETE,
    SVS__HASH_LOOKUP
} svs__hash_operation;

/* A request or a reply. They have the same form, so that a fiber can turn its request into the
 * reply. */
typedef struct svs__hash_record {
    uint32_t ticket; /* 0: without acknowledgement */
    uint16_t operation, found;
    unsigned char item[]; /* the item, or the key; in the reply to a lookup, the entry */
} svs__hash_record;

static_assert(sizeof(svs__hash_record) == 8, "items are aligned");

typedef struct svs__hash_ticket {
    svs_counter *done; /* NULL: the ticket is free */
    void *entry;       /* where a lookup puts the entry; or NULL */
    bool *found;       /* where a lookup says whether there is an entry; NULL: another operation */
    uint64_t stamp;    /* stamp of the cache at the call (cache.c) */
    uint32_t next;     /* number of the next free ticket; 0: none */
} svs__hash_ticket;

typedef struct svs__hash_bulk svs__hash_bulk;   /* lookup_all.c */
typedef struct svs__hash_query svs__hash_query; /* lookup_all.c */

typedef struct svs__hash_delayed {
    struct svs__hash_delayed *next;
    /* the bulk lookup that is delayed; NULL: the operation in the record after this struct */
    svs__hash_bulk *bulk;
} svs__hash_delayed;

/* ---- cache.c ---- */

/* The cache of what lookups have found on other ranks. It has sets of three entries.
 *
 *     stamp = svs__cache_stamp(hash);                    // when a key is asked for
 *     svs__cache_put(hash, item, found, stamp);          // when the answer comes
 *     if (svs__cache_get(hash, key, bits, &entry)) ...   // entry NULL: the key is not there
 *     svs__cache_forget(hash, items, count, stride);     // this rank changes their keys
 *
 *   structures.H10  An entry is used only in the epoch of the snapshot in which it was asked for,
 *                   and only until this rank changes its key. So it is never older than the last
 *                   sync, and operations of one rank on one key keep their order. (not asserted:
 *                   the age of an entry; ranks/tests/structures/hash.c compares)
 *   structures.H14  In its set, a key has at most one entry of each age.
 *
 * An epoch ends when a sync or an unfreeze does, before their counters. While the snapshot is not
 * open, nothing is read from the cache. A stamp is the epoch, and the number of this rank's changes
 * so far: an answer that was asked for under another stamp is not kept, since it may be older than
 * a sync, or than a change of this rank that was made meanwhile.
 *
 * A set of items of 16 bytes is one cache line, so a lookup that hits costs one miss of the
 * processor's cache. The keys themselves are compared, without tags, and all three without a
 * branch, since no processor could predict which entry has the key.
 *
 *     | age | age | age | found, turn | item          | item          | item          |
 *     0     4     8     12            16              32              48              64 */

#define SVS__CACHE_WAYS 3u /* number of entries in a set */

typedef struct svs__cache_set {
    uint32_t ages[SVS__CACHE_WAYS]; /* for each entry its epoch plus 1; 0: the entry is free */
    uint16_t found;                 /* one bit for each entry: its key is in the table */
    uint16_t turn;                  /* chooses the entry that is replaced next */
    /* for each entry the item, or only the key if the key is not in the table */
    unsigned char items[];
} svs__cache_set;

static_assert(sizeof(svs__cache_set) == 16, "a set of items of 16 bytes is one line");

typedef struct svs__hash_cache {
    unsigned char *sets; /* the sets; NULL: there is no cache */
    uint32_t count;      /* number of sets */
    uint32_t changes;    /* number of changes of keys by this rank */
    size_t set_bytes;    /* size of a set, a multiple of a cache line */
    uint64_t hits, misses;
} svs__hash_cache;

/* ---- combine.c ---- */

/* Inserts of equal keys are merged before they are posted. Items wait in the slots of a
 * direct-mapped array. A new item is merged with the item of its key in its slot, or it replaces
 * the item there, which goes to the *spill* and is posted together with all items of the spill.
 *
 *     svs__combine_all(hash, items, count, &accepted);    // as svs_hash_insert_all()
 *     svs__combine_post_key(hash, key)                    // before another operation on it
 *     svs__combine_post_all(hash, &to)                    // before a sync
 *
 * Items for this rank are combined, too, which costs less than to tell them apart. Items with the
 * key zero are not combined: they go to the spill.
 *
 *   structures.H11  An item that waits is a mutation that has begun; one that is merged has ended.
 *                   While some wait, a fiber exists that posts them.
 *   structures.H12  Before another operation of this rank on a key is issued, the item of the key
 *                   that waits is posted.
 *
 * The fiber is enabled again as long as inserts come between two of its executions and the snapshot
 * is open; otherwise it posts all items. So items wait while their rank is busy with inserts, and
 * neither a freeze nor the end of a run waits for more than the fibers that are enabled.
 *
 * If less than one in eight of SVS__COMBINE_SAMPLE items was merged, all items that wait are
 * posted, and the next SVS__COMBINE_PAUSE items are not combined. So combining costs little if all
 * keys are different. */

#define SVS__COMBINE_SAMPLE 4096u
#define SVS__COMBINE_PAUSE 131072u
#define SVS__COMBINE_SPILL_BYTES 4096u

typedef struct svs__hash_combiner {
    unsigned char *items; /* the slots, with one item each; a slot with the key zero is free */
    /* number of slots, a power of two, or 0 if nothing is combined; shift of a hash to its slot */
    uint32_t count, shift;
    unsigned char *spill;     /* items that were replaced; they are older than those in the slots */
    uint32_t spilled, posted; /* number of items in the spill; how many of them are posted */
    uint32_t waiting;         /* number of items in slots and in the spill that are not posted */
    /* number of items that are still not combined before the next sample */
    uint32_t pause;
    /* number of items of this sample so far; how many of them were merged */
    uint32_t sampled, hits;
    /* few items of the last sample were merged: a pause begins when no item waits any more */
    bool few;
    bool flusher; /* the fiber that posts items exists */
    /* number of items so far; the same at the last execution of the fiber */
    uint64_t given, seen;
    uint64_t merged; /* number of items that were merged */
} svs__hash_combiner;

/* ---- the table ---- */

/* Bytes of pending items; a single item may be larger. */
#define SVS__HASH_PENDING_BYTES 4096u

#define SVS__HASH_HANDLER_NAME (SVS_HASH_NAME + 8)

enum {
    SVS__HASH_INSERTS,
    SVS__HASH_REQUESTS,
    SVS__HASH_REPLIES,
    SVS__HASH_KEYS,
    SVS__HASH_ENTRIES,
    SVS__HASH_HANDLERS
};

struct svs_hash {
    svs_ranks *ranks;
    svs_structure *structure;
    svs_snapshot *snapshot;
    const svs_handler *insert, *request, *reply, *keys, *entries; /* handlers of the structure */
    svs_allocator allocator;                                      /* the rank's allocator */
    /* index of this rank; number of ranks */
    uint32_t index, count;
    /* SVS_OK, or the status with which the run ends after a lack of memory for an entry */
    svs_status failed;
    svs_dispatch dispatch;
    svs__bins bins;

    /* names of the handlers, and last of the structure */
    char names[SVS__HASH_HANDLERS + 1][SVS__HASH_HANDLER_NAME];
    /* room for the request that is being made */
    svs__hash_record *scratch;

    svs__hash_ticket *tickets;
    uint32_t ticket_count, ticket_capacity, ticket_free; /* tickets have numbers from 1 */
    svs__hash_delayed *first, *last;                     /* list of the delayed operations */
    /* goes up by 1 each time that no operation is delayed any more */
    svs_counter drained;

    /* for each rank the lane for its items: that of its channel, or `pending` for this rank */
    svs__lane **ways;
    svs__lane pending; /* the room after the pending items */
    unsigned char *pending_items;
    bool flusher; /* a fiber that inserts the pending items is enabled */
    uint64_t delayed;

    svs__hash_cache cache;
    svs__hash_combiner combiner;

    svs__hash_query **queries; /* all queries, each at the position of its number - 1 */
    uint32_t query_count, query_capacity;
    svs__hash_query *query_free;
    svs__hash_bulk *bulks; /* list of the bulk lookups in progress */
    unsigned char *answer; /* room for the record of entries that is being made */
};

static inline uint32_t svs__hash_record_bytes(const svs_hash *hash) {
    return (uint32_t)sizeof(svs__hash_record) + ((hash->bins.item_bytes + 7) & ~7u);
}

/* The lower half of a hash determines the rank; the upper bits are the home in its table. */
static inline uint32_t svs__hash_rank(uint64_t hash, uint32_t ranks) {
    return (uint32_t)((hash & UINT32_MAX) * ranks >> 32);
}

/* ---- cache.c ---- */

static inline svs__cache_set *svs__cache_set_of(const svs__hash_cache *cache, uint64_t bits) {
    return (svs__cache_set *)(void *)(cache->sets +
                                      ((bits >> 32) * cache->count >> 32) * cache->set_bytes);
}

/* Looks in a set for an entry of a key with a given age. @return its bit; 0: there is none. */
static inline __attribute__((always_inline)) unsigned svs__cache_bit(const svs__cache_set *set,
                                                                     const void *key, uint32_t age,
                                                                     svs__shape shape) {
    unsigned bits = 0;
#pragma GCC unroll 3
    for (uint32_t i = 0; i < SVS__CACHE_WAYS; i++) {
        const unsigned char *item = set->items + (size_t)i * shape.item_bytes;
        unsigned same = svs__keys_are_equal(item, key, shape.key_bytes);
        bits |= (same & (unsigned)(set->ages[i] == age)) << i;
    }
    return bits;
}

/* Makes the cache. @param entries 0: no cache. @return false: no memory. */
bool svs__cache_init(svs_hash *hash, uint32_t entries);
void svs__cache_clean_up(svs_hash *hash);

/* Stamp of an answer that is not put into the cache. */
#define SVS__CACHE_NO_STAMP UINT64_MAX

uint64_t svs__cache_stamp(const svs_hash *hash);
/* Looks a key up in the cache. @param bits hash of the key. @param entry receives the entry, or
 * NULL if the table lacks the key. @return whether the cache knows the answer. */
bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry);
void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp);
void svs__cache_empty(svs_hash *hash);
/* Forgets keys that this rank changes. @param items begin with the keys, and are `stride` bytes
 * apart. */
void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride);

/* ---- combine.c ---- */

/* Makes the combiner. @param entries 0: nothing is combined. @return false: no memory. */
bool svs__combine_init(svs_hash *hash, uint32_t entries);
void svs__combine_clean_up(svs_hash *hash);

/* Combines items of an array in their order; the caller has begun the mutation of each item.
 * @param accepted is increased by the number of items that are accepted.
 * @return as svs_post(); SVS_WAIT: the first item that is not accepted has ended the call. */
svs_status svs__combine_all(svs_hash *hash, const unsigned char *items, size_t count,
                            size_t *accepted);

/* Posts the item of a key, if it waits. @return as svs_post(). */
svs_status svs__combine_post_key(svs_hash *hash, const void *key);
/* Posts all items that wait. @param to receives the rank without credit, if it returns SVS_WAIT.
 * @return as svs_post(). */
svs_status svs__combine_post_all(svs_hash *hash, uint32_t *to);

/* ---- hash.c ---- */

/* As svs_hash_lookup(), for a key that the cache does not know. */
svs_status svs__hash_look_up(svs_hash *hash, const void *key, void *entry, bool *found,
                             svs_counter *done);

/* ---- insert.c ---- */

/* Ends the run because there is no memory for an entry. */
void svs__hash_fail(svs_hash *hash);
void svs__hash_take_inserts(svs_ranks *ranks, void *part, const void *items, uint32_t count);
void svs__hash_flush_pending(svs_hash *hash);

static inline bool svs__hash_is_pending(const svs_hash *hash) {
    return hash->pending.at != hash->pending_items;
}

/* Inserts all pending items. */
static inline void svs__hash_flush(svs_hash *hash) {
    if (svs__hash_is_pending(hash)) svs__hash_flush_pending(hash);
}

/* Puts an item for rank `to` when the fast path fails: its lane has no room, or is open for another
 * handler. The mutation has begun. @return as svs_post(); SVS_OK for an item of this rank. */
svs_status svs__hash_give_slowly(svs_hash *hash, uint32_t to, const void *item,
                                 uint32_t item_bytes);
static inline svs_status svs__hash_give(svs_hash *hash, uint32_t to, const void *item,
                                        uint32_t item_bytes) {
    svs__lane *way = hash->ways[to];
    if (way->handler != hash->insert || (size_t)(way->end - way->at) < item_bytes)
        return svs__hash_give_slowly(hash, to, item, item_bytes);
    memcpy(way->at, item, item_bytes);
    way->at += item_bytes;
    return SVS_OK;
}
/* Puts the first items of an array, without combining. @return as svs_post(). */
svs_status svs__hash_give_all(svs_hash *hash, const unsigned char *items, size_t count,
                              size_t *accepted);

/* ---- request.c ---- */

void svs__hash_take_requests(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__hash_take_replies(svs_ranks *ranks, void *part, const void *records, uint32_t count);
svs_status svs__hash_run_request(svs_ranks *ranks, void *record);

/* Carries out an operation that the program calls on this rank. @param item the item or the key, of
 * `bytes`. @param answer the ticket's counter, and for a lookup where to put the result. */
svs_status svs__hash_operate(svs_hash *hash, svs__hash_operation operation, const void *item,
                             uint32_t bytes, const svs__hash_ticket *answer);

void svs__hash_forget_delayed(svs_hash *hash);

/* Issues a bulk lookup, now or after the delayed operations. @return SVS_OK (all keys are answered
 * or sent), SVS_WAIT (it is delayed), SVS_E_NO_MEMORY. */
svs_status svs__hash_issue_bulk(svs_hash *hash, svs__hash_bulk *bulk);

/* ---- lookup_all.c ---- */

/* Continues a bulk lookup. @return SVS_OK: all keys are answered or sent; SVS_WAIT: `*to` has no
 * credit; or a failure. */
svs_status svs__hash_bulk_step(svs_hash *hash, svs__hash_bulk *bulk, uint32_t *to);
/* If all keys are answered, ends a bulk lookup: adds 1 to its counter. */
void svs__hash_bulk_end(svs_hash *hash, svs__hash_bulk *bulk);
uint32_t svs__hash_answer_bytes(const svs_hash *hash);
void svs__hash_take_keys(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);
svs_status svs__hash_run_keys(svs_ranks *ranks, void *record);
void svs__hash_take_entries(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);
void svs__hash_bulk_clean_up(svs_hash *hash);

#endif
