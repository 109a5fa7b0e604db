/* A hash table over all ranks: this rank's bins, and the operations that are on their way.
 *
 *     insert_all --own key--> pending items --> bins
 *          \------other key--> record "NAME.insert" --> bins there
 *     operation with a counter, or as a fiber: record "NAME.request" --> bins there
 *          ^--- delayed, while another waits      \--> record "NAME.reply" --> counter
 *     lookup_all --other ranks--> batches: record "NAME.keys" --> record "NAME.entries" --> counter
 *
 * Lookups may be answered by a cache, and inserts be merged before they are posted; see below.
 *
 *   structures.H6  Operations of one rank on one key take effect in the order of their calls: they
 *                  have one way and one dispatch (ranks.P1), and none is issued while another one
 *                  is delayed. Delayed operations are issued in their order.
 *   structures.H7  A ticket stands for one operation with a counter, from its call to its
 *                  completion, which adds 1 to the counter.
 *
 *   structures.H8  Items of this rank are pending between their acceptance and their insertion, in
 *                  their order. All other calls of this rank on its bins come behind them; and
 *                  while there are some, a fiber is enabled that inserts them.
 *
 * Pending items stand in a lane of the table, as the records for another rank do in that of its
 * channel (ranks.B6): so an item goes the same way to all ranks, without a branch that no processor
 * could predict, and all items are inserted by the same function, from where they stand.
 *
 * Each operation that changes the table is a mutation of its snapshot, from its acceptance to its
 * effect. So a sync waits for all of them, and none is accepted while it is frozen. Records carry
 * no epoch (ranks/snapshot.h). A delayed operation has not begun. */
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

/* The same form for requests and replies, so that a fiber turns one into the other. */
typedef struct svs__hash_record {
    uint32_t ticket; /* 0: without acknowledgement */
    uint16_t operation, found;
    unsigned char item[]; /* or the key; of a reply to a lookup, the entry */
} svs__hash_record;

static_assert(sizeof(svs__hash_record) == 8, "items are aligned");

typedef struct svs__hash_ticket {
    svs_counter *done; /* NULL: free */
    void *entry;       /* of a lookup, or NULL */
    bool *found;       /* of a lookup */
    uint64_t stamp;    /* of the cache, when it was asked */
    uint32_t next;     /* free; number, 0: none */
} svs__hash_ticket;

typedef struct svs__hash_bulk svs__hash_bulk;   /* lookup_all.c */
typedef struct svs__hash_batch svs__hash_batch; /* lookup_all.c */

typedef struct svs__hash_delayed {
    struct svs__hash_delayed *next;
    svs__hash_bulk *bulk; /* many lookups; NULL: the record after this struct */
} svs__hash_delayed;

/* ---- cache.c ---- */

/* What lookups have found on other ranks: a cache of sets of three entries.
 *
 *     stamp = svs__cache_stamp(hash);                    // when a key is asked for
 *     svs__cache_put(hash, item, found, stamp);          // when the answer comes
 *     if (svs__cache_get(hash, key, bits, &entry)) ...   // entry NULL: the key is not there
 *     svs__cache_forget(hash, items, count, stride);     // this rank changes their keys
 *
 *   structures.H10  An entry is used in the epoch of the snapshot in which it was asked for, and
 *                   not after this rank has changed its key. So it is never older than the last
 *                   sync, and operations of one rank on one key keep their order. (not asserted:
 *                   the age of an entry; ranks/tests/ranks/hash.c compares)
 *   structures.H14  A key has at most one entry of an age in its set.
 *
 * An epoch ends when a sync or an unfreeze does, before their counters. While the snapshot is not
 * open, nothing is read from the cache. A stamp is the epoch, and the number of this rank's changes
 * so far: an answer that was asked for under another stamp is not kept, since it may be older than
 * a sync, or than a change of this rank that was made meanwhile.
 *
 * A set of items of 16 bytes is one line: a lookup that hits costs one cache miss. So keys are
 * compared themselves, without tags, and all three of them without a branch: which entry of a set
 * has the key, no processor could predict.
 *
 *     | age | age | age | found, turn | item          | item          | item          |
 *     0     4     8     12            16              32              48              64 */

#define SVS__CACHE_WAYS 3u /* entries of a set */

typedef struct svs__cache_set {
    uint32_t ages[SVS__CACHE_WAYS]; /* of each entry: its epoch, and 1 more; 0: it is free */
    uint16_t found;                 /* bits: the key of the entry is in the table */
    uint16_t turn;                  /* of the entry that is replaced next */
    unsigned char items[];          /* of each entry: the item, or its key */
} svs__cache_set;

static_assert(sizeof(svs__cache_set) == 16, "a set of items of 16 bytes is one line");

typedef struct svs__hash_cache {
    unsigned char *sets; /* NULL: there is no cache */
    uint32_t count;      /* sets */
    uint32_t changes;    /* of keys, by this rank */
    size_t set_bytes;    /* a multiple of a line */
    uint64_t hits, misses;
} svs__hash_cache;

/* ---- combine.c ---- */

/* Inserts of equal keys are merged before they are posted: items wait in a direct-mapped array. One
 * that comes is merged with that of its key, or takes the place of another one, which goes to the
 * spill, and is posted with all of that.
 *
 *     svs__combine_all(hash, items, count, &accepted);    // as svs_hash_insert_all()
 *     svs__combine_post_key(hash, key)                    // before another operation on it
 *     svs__combine_post_all(hash, &to)                    // before a sync
 *
 * Items for this rank are combined, too: it costs less than to tell them apart. Those of the key
 * zero are not: they go to the spill.
 *
 *   structures.H11  An item that waits is a mutation that has begun; one that is merged has ended.
 *                   While some wait, a fiber exists that posts them.
 *   structures.H12  Before another operation of this rank on a key is issued, the item of the key
 *                   that waits is posted.
 *
 * The fiber is enabled again as long as inserts come between two of its executions, or until the
 * snapshot is not open; then it posts all. So items wait while their rank is busy with inserts, and
 * neither a freeze nor the end of a run waits for more than the fibers that are enabled.
 *
 * If less than one in eight of SVS__COMBINE_SAMPLE items has been merged, all that waits is posted,
 * and the next SVS__COMBINE_PAUSE items are not combined: with keys that are all different,
 * combining costs little. */

#define SVS__COMBINE_SAMPLE 4096u
#define SVS__COMBINE_PAUSE 131072u
#define SVS__COMBINE_SPILL_BYTES 4096u

typedef struct svs__hash_combiner {
    unsigned char *items; /* of each slot; its key is zero: it is free */
    uint32_t count,
        shift; /* slots, a power of two; 0: nothing is combined. Of a hash, to its slot */
    unsigned char *spill;     /* items that were replaced, older than those of the slots */
    uint32_t spilled, posted; /* items of the spill; those of them that are posted */
    uint32_t waiting;         /* items in slots, and in the spill */
    uint32_t pause;           /* items that are not looked at before the next sample */
    uint32_t sampled, hits;   /* items of this sample so far; those that were merged */
    bool few;                 /* of the last sample: a pause begins when nothing waits any more */
    bool flusher;             /* the fiber exists */
    uint64_t given, seen;     /* items so far; when the fiber was executed last */
    uint64_t merged;          /* items */
} svs__hash_combiner;

/* ---- the table ---- */

/* Of pending items, or one if that is larger. */
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
    const svs_handler *insert, *request, *reply, *keys, *entries; /* of the structure */
    svs_allocator allocator;                                      /* of the rank */
    uint32_t index, count;                                        /* of the rank, and of all */
    svs_status failed; /* there was no memory for an entry: the run ends */
    svs_dispatch dispatch;
    svs__bins bins;

    char names[SVS__HASH_HANDLERS + 1][SVS__HASH_HANDLER_NAME]; /* of handlers; the structure's */
    svs__hash_record *scratch;                                  /* the request that is being made */

    svs__hash_ticket *tickets;
    uint32_t ticket_count, ticket_capacity, ticket_free; /* numbers from 1 */
    svs__hash_delayed *first, *last;                     /* operations */
    svs_counter drained;                                 /* times that none is delayed any more */

    svs__lane **ways;  /* of items for each rank: of the channels, or `pending` */
    svs__lane pending; /* behind the pending items */
    unsigned char *pending_items;
    bool flusher; /* a fiber that inserts them is enabled */
    uint64_t delayed;

    svs__hash_cache cache;
    svs__hash_combiner combiner;

    svs__hash_batch **batches; /* by their number - 1 */
    uint32_t batch_count, batch_capacity;
    svs__hash_batch *batch_free;
    svs__hash_bulk *bulks; /* that are in progress */
    unsigned char *answer; /* room for a record of entries */
};

static inline uint32_t svs__hash_record_bytes(const svs_hash *hash) {
    return (uint32_t)sizeof(svs__hash_record) + ((hash->bins.item_bytes + 7) & ~7u);
}

/* The lower half of a hash names its rank; the upper bits are its home there. */
static inline uint32_t svs__hash_rank(uint64_t hash, uint32_t ranks) {
    return (uint32_t)((hash & UINT32_MAX) * ranks >> 32);
}

/* ---- cache.c ---- */

static inline svs__cache_set *svs__cache_set_of(const svs__hash_cache *cache, uint64_t bits) {
    return (svs__cache_set *)(void *)(cache->sets +
                                      ((bits >> 32) * cache->count >> 32) * cache->set_bytes);
}

/* The entry of a key among those of one age, as a bit. @return 0: there is none. */
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

/* @param entries 0: no cache. @return false: no memory. */
bool svs__cache_init(svs_hash *hash, uint32_t entries);
void svs__cache_clean_up(svs_hash *hash);

/* The stamp of an answer that is not kept. */
#define SVS__CACHE_NO_STAMP UINT64_MAX

uint64_t svs__cache_stamp(const svs_hash *hash);
/* @param bits hash of the key. @param entry set to the entry, or to NULL: the key is not there.
 * @return whether the cache knows. */
bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry);
void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp);
void svs__cache_empty(svs_hash *hash);
/* This rank changes the keys of items, each `stride` bytes after the one before. */
void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride);

/* ---- combine.c ---- */

/* @param entries 0: nothing is combined. @return false: no memory. */
bool svs__combine_init(svs_hash *hash, uint32_t entries);
void svs__combine_clean_up(svs_hash *hash);

/* Takes the first items of an array. Their mutations have begun. @param accepted is added to.
 * @return as svs_post(): SVS_WAIT stops at the first item that is not accepted. */
svs_status svs__combine_all(svs_hash *hash, const unsigned char *items, size_t count,
                            size_t *accepted);

/* Posts the item of a key, if it waits. @return as svs_post(). */
svs_status svs__combine_post_key(svs_hash *hash, const void *key);
/* Posts all that waits. @param to the rank without credit, if it returns SVS_WAIT.
 * @return as svs_post(). */
svs_status svs__combine_post_all(svs_hash *hash, uint32_t *to);

/* ---- hash.c ---- */

/* As svs_hash_lookup(), of a key that the cache does not know. */
svs_status svs__hash_look_up(svs_hash *hash, const void *key, void *entry, bool *found,
                             svs_counter *done);

/* ---- insert.c ---- */

/* There is no memory for an entry. */
void svs__hash_fail(svs_hash *hash);
void svs__hash_take_inserts(svs_ranks *ranks, void *part, const void *items, uint32_t count);
void svs__hash_flush_pending(svs_hash *hash);

static inline bool svs__hash_is_pending(const svs_hash *hash) {
    return hash->pending.at != hash->pending_items;
}

/* Inserts all that is pending. */
static inline void svs__hash_flush(svs_hash *hash) {
    if (svs__hash_is_pending(hash)) svs__hash_flush_pending(hash);
}

/* Gives an item to its way, slowly: there is no room in the lane, or it is another handler's. The
 * mutation has begun. @return as svs_post(); SVS_OK, if it is this rank's own. */
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
/* Gives the first items of an array, which are not combined. @return as svs_post(). */
svs_status svs__hash_give_all(svs_hash *hash, const unsigned char *items, size_t count,
                              size_t *accepted);

/* ---- request.c ---- */

void svs__hash_take_requests(svs_ranks *ranks, void *part, const void *records, uint32_t count);
void svs__hash_take_replies(svs_ranks *ranks, void *part, const void *records, uint32_t count);
svs_status svs__hash_run_request(svs_ranks *ranks, void *record);

/* An operation of this rank, as the face has it. `item` or key: `bytes` of it are taken.
 * @param entry, found of a lookup. */
svs_status svs__hash_operate(svs_hash *hash, svs__hash_operation operation, const void *item,
                             uint32_t bytes, const svs__hash_ticket *answer);

void svs__hash_forget_delayed(svs_hash *hash);

/* Carries a bulk lookup out, now or after what is delayed. @return SVS_OK (it has answered all keys
 * or sent them), SVS_WAIT (it is delayed), SVS_E_NO_MEMORY. */
svs_status svs__hash_issue_bulk(svs_hash *hash, svs__hash_bulk *bulk);

/* ---- lookup_all.c ---- */

/* Goes on with a bulk lookup. @return SVS_OK: all keys are answered or sent; SVS_WAIT: `*to` has no
 * credit; or a failure. */
svs_status svs__hash_bulk_step(svs_hash *hash, svs__hash_bulk *bulk, uint32_t *to);
/* Ends it if all keys are answered: adds 1 to its counter. */
void svs__hash_bulk_end(svs_hash *hash, svs__hash_bulk *bulk);
uint32_t svs__hash_answer_bytes(const svs_hash *hash);
void svs__hash_take_keys(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);
svs_status svs__hash_run_keys(svs_ranks *ranks, void *record);
void svs__hash_take_entries(svs_ranks *ranks, void *part, const void *record, uint32_t bytes);
void svs__hash_bulk_clean_up(svs_hash *hash);

#endif
