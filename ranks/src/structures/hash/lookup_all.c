/* Bulk lookups: many lookups with one counter. Keys for one rank are sent in one record, and their
 * entries come back in another one. */
#include "structures/hash/hash.h"
#include <string.h>

/* Most keys of a record; it has fewer if keys or entries are large. */
#define KEYS_MAX 64u
#define BYTES_MAX 2048u /* most bytes of keys or entries in a record, unless it has only one */

/* ---- records ---- */

/* A record of keys or of entries. Keys: the struct is followed by `count` keys, each padded to 8
 * bytes. Entries: by `count` bytes, padded to a multiple of 8, in which 1 says that there is an
 * entry, and by `count` entries without their keys. */
typedef struct record {
    uint32_t query; /* number of the query, from 1 */
    uint32_t count;
} record;

static unsigned char *data_of(const record *of) { return (unsigned char *)(uintptr_t)(of + 1); }

static uint32_t key_stride(const svs_hash *hash) { return (hash->bins.key_bytes + 7) & ~7u; }

static uint32_t rest_bytes(const svs_hash *hash) {
    return hash->bins.item_bytes - hash->bins.key_bytes;
}

static uint32_t keys_most(const svs_hash *hash) {
    uint32_t fit = BYTES_MAX / ((hash->bins.item_bytes + 7) & ~7u);
    return fit == 0 ? 1 : fit < KEYS_MAX ? fit : KEYS_MAX;
}

static uint32_t keys_bytes(const svs_hash *hash, uint32_t count) {
    return (uint32_t)sizeof(record) + count * key_stride(hash);
}

static uint32_t entries_bytes(const svs_hash *hash, uint32_t count) {
    return (uint32_t)sizeof(record) + ((count + 7) & ~7u) + count * rest_bytes(hash);
}

uint32_t svs__hash_answer_bytes(const svs_hash *hash) {
    return entries_bytes(hash, keys_most(hash));
}

/* ---- queries and bulks ----
 *
 *   structures.H13  A query stands for one record of keys, from its first key to its answer. Each
 *                   key of a bulk is answered once: by this rank's bins, by the cache, or by the
 *                   answer to its query; `left` counts those that are not. */

struct svs__hash_query {
    svs__hash_bulk *bulk; /* bulk lookup of the query; NULL: the query is free */
    svs__hash_query *next;
    uint32_t number, count;
    uint32_t positions[KEYS_MAX]; /* for each key the position of its item in the bulk */
    record *keys;                 /* record of the keys, after this struct */
};

struct svs__hash_bulk {
    svs__hash_bulk *next, *before;
    unsigned char *items; /* memory of the program, as `found` is */
    bool *found;
    /* number of items; of those looked at so far; of those without an answer */
    size_t count, at, left;
    uint64_t stamp; /* stamp of the cache at the call */
    svs_counter *done;
    svs__hash_query *open[]; /* for each rank the query of keys that are not posted yet, or NULL */
};

static size_t bulk_bytes(const svs_hash *hash) {
    return sizeof(svs__hash_bulk) + hash->count * sizeof(svs__hash_query *);
}

static size_t query_bytes(const svs_hash *hash) {
    return sizeof(svs__hash_query) + keys_bytes(hash, keys_most(hash));
}

/* @return NULL: no memory. */
static svs__hash_query *new_query(svs_hash *hash) {
    svs__hash_query *made = NULL;
    if (svs__grow(&hash->allocator, (void **)&hash->queries, &hash->query_capacity,
                  hash->query_count + 1, sizeof(svs__hash_query *)))
        made = svs__allocate_zeroed(&hash->allocator, query_bytes(hash), 8);
    if (made == NULL) return NULL;
    hash->queries[hash->query_count] = made;
    made->number = ++hash->query_count;
    made->keys = (record *)(void *)(made + 1);
    return made;
}

static svs__hash_query *take_query(svs_hash *hash, svs__hash_bulk *bulk) {
    svs__hash_query *query = hash->query_free;
    if (query != NULL) hash->query_free = query->next;
    else query = new_query(hash);
    if (query == NULL) return NULL;
    query->bulk = bulk;
    query->count = 0;
    return query;
}

static void free_query(svs_hash *hash, svs__hash_query *query) {
    query->bulk = NULL;
    query->next = hash->query_free;
    hash->query_free = query;
}

static void free_bulk(svs_hash *hash, svs__hash_bulk *bulk) {
    if (bulk->before != NULL) bulk->before->next = bulk->next;
    else hash->bulks = bulk->next;
    if (bulk->next != NULL) bulk->next->before = bulk->before;
    svs__release(&hash->allocator, bulk, bulk_bytes(hash), 8);
}

void svs__hash_bulk_clean_up(svs_hash *hash) {
    while (hash->bulks != NULL) free_bulk(hash, hash->bulks);
    for (uint32_t i = 0; i < hash->query_count; i++)
        svs__release(&hash->allocator, hash->queries[i], query_bytes(hash), 8);
    svs__array_release(&hash->allocator, hash->queries, hash->query_capacity,
                       sizeof(svs__hash_query *));
}

void svs__hash_bulk_end(svs_hash *hash, svs__hash_bulk *bulk) {
    svs_counter *done = bulk->done;
    if (bulk->left != 0) return;
    free_bulk(hash, bulk);
    svs_counter_add(hash->ranks, done, 1);
}

/* ---- the rank that looks up ---- */

static void answer_key(svs_hash *hash, svs__hash_bulk *bulk, size_t at, const void *entry) {
    uint32_t bytes = hash->bins.item_bytes;
    if (entry != NULL) memcpy(bulk->items + at * bytes, entry, bytes);
    bulk->found[at] = entry != NULL;
    SVS__ASSERT(bulk->left != 0); /* structures.H13 */
    bulk->left--;
}

static svs_status post_query(svs_hash *hash, svs__hash_bulk *bulk, uint32_t to) {
    svs__hash_query *query = bulk->open[to];
    svs_status status;
    *query->keys = (record){query->number, query->count};
    status = svs_post(hash->ranks, to, hash->keys, query->keys, keys_bytes(hash, query->count));
    if (status == SVS_OK) bulk->open[to] = NULL;
    return status;
}

/* Adds a key of another rank to the query for that rank. @return as svs_post(). */
static svs_status ask(svs_hash *hash, svs__hash_bulk *bulk, uint32_t to, const void *key) {
    svs__hash_query *query = bulk->open[to];
    svs_status status = svs__combine_post_key(hash, key); /* structures.H12 */
    if (status == SVS_OK && query != NULL && query->count == keys_most(hash)) {
        status = post_query(hash, bulk, to);
        query = NULL;
    }
    if (status != SVS_OK) return status;
    if (query == NULL) query = bulk->open[to] = take_query(hash, bulk);
    if (query == NULL) return SVS_E_NO_MEMORY;
    memcpy(data_of(query->keys) + (size_t)query->count * key_stride(hash), key,
           hash->bins.key_bytes);
    query->positions[query->count++] = (uint32_t)bulk->at;
    return SVS_OK;
}

static svs_status look_at(svs_hash *hash, svs__hash_bulk *bulk, uint64_t bits, uint32_t *to) {
    const unsigned char *key = bulk->items + bulk->at * hash->bins.item_bytes;
    const void *entry;
    svs_status status;
    *to = svs__hash_rank(bits, hash->count);
    if (*to == hash->index) {
        status = svs__combine_post_key(hash, key); /* structures.H12 */
        if (status != SVS_OK) return status;
        answer_key(hash, bulk, bulk->at, svs__bins_find(&hash->bins, key, bits));
        return SVS_OK;
    }
    if (hash->cache.sets == NULL || !svs__cache_get(hash, key, bits, &entry))
        return ask(hash, bulk, *to, key);
    answer_key(hash, bulk, bulk->at, entry);
    return SVS_OK;
}

/* Posts the queries that are not full. */
static svs_status post_rest(svs_hash *hash, svs__hash_bulk *bulk, uint32_t *to) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < hash->count && status == SVS_OK; i++) {
        *to = i;
        if (bulk->open[i] != NULL) status = post_query(hash, bulk, i);
    }
    return status;
}

/* Computes the hashes of the first items, and prefetches their slots. @return their number. */
static uint32_t prepare(svs_hash *hash, const unsigned char *items, size_t count, uint32_t stride,
                        uint64_t *hashes) {
    uint32_t some = count < SVS__BINS_AHEAD ? (uint32_t)count : SVS__BINS_AHEAD;
    const svs__bin_slots *now = &hash->bins.now;
    for (uint32_t i = 0; i < some; i++) {
        hashes[i] = svs__bins_hash(&hash->bins, items + (size_t)i * stride);
        __builtin_prefetch(svs__bin_at(now, svs__home(now, hashes[i]), hash->bins.item_bytes));
    }
    return some;
}

svs_status svs__hash_bulk_step(svs_hash *hash, svs__hash_bulk *bulk, uint32_t *to) {
    uint32_t bytes = hash->bins.item_bytes;
    svs__hash_flush(hash); /* structures.H8 */
    while (bulk->at != bulk->count) {
        uint64_t hashes[SVS__BINS_AHEAD];
        uint32_t some =
            prepare(hash, bulk->items + bulk->at * bytes, bulk->count - bulk->at, bytes, hashes);
        for (uint32_t i = 0; i < some; i++, bulk->at++) {
            svs_status status = look_at(hash, bulk, hashes[i], to);
            if (status != SVS_OK) return status;
        }
    }
    return post_rest(hash, bulk, to);
}

svs_status svs_hash_lookup_all(svs_hash *hash, void *items, size_t count, bool *found,
                               svs_counter *done) {
    svs__hash_bulk *bulk;
    svs_status status;
    if (hash == NULL || done == NULL || (count != 0 && (items == NULL || found == NULL)))
        return svs_ranks_refuse(hash == NULL ? NULL : hash->ranks, SVS_E_NULL,
                                "svs_hash_lookup_all: hash, items, found or done is NULL: pass "
                                "all");
    if (!svs_ranks_in_run(hash->ranks))
        return svs_ranks_refuse(hash->ranks, SVS_E_OUTSIDE,
                                "svs_hash_lookup_all: there is no run: look up in a fiber");
    if (count > UINT32_MAX)
        return svs_ranks_refuse(
            hash->ranks, SVS_E_INVALID,
            "svs_hash_lookup_all: there are more than 2^32 - 1 items: look up fewer at a "
            "time");
    bulk = svs__allocate_zeroed(&hash->allocator, bulk_bytes(hash), 8);
    if (bulk == NULL) return SVS_E_NO_MEMORY;
    bulk->items = items;
    bulk->found = found;
    bulk->count = bulk->left = count;
    bulk->done = done;
    bulk->stamp = svs__cache_stamp(hash); /* structures.H10 */
    bulk->next = hash->bulks;
    if (bulk->next != NULL) bulk->next->before = bulk;
    hash->bulks = bulk;
    status = svs__hash_issue_bulk(hash, bulk);
    if (status == SVS_E_NO_MEMORY) svs__hash_fail(hash); /* keys may have been posted */
    if (status != SVS_OK) return status;
    if (bulk->left != 0) return SVS_WAIT;
    svs__hash_bulk_end(hash, bulk);
    return SVS_OK;
}

/* ---- the rank that has the keys ---- */

static svs_status fail_record(svs_hash *hash, const char *why) {
    return svs_structure_fail(hash->structure, SVS_E_RECORD, why);
}

/* Makes the answer to a record of keys, in the room for it in the table. @return its bytes; 0: the
 * record is malformed. */
static uint32_t answer_keys(svs_hash *hash, const record *keys) {
    record *answer = (record *)(void *)hash->answer;
    uint32_t stride = key_stride(hash), rest = rest_bytes(hash);
    unsigned char *to;
    if (keys->count == 0 || keys->count > keys_most(hash)) return 0;
    svs__hash_flush(hash); /* structures.H8 */
    *answer = (record){keys->query, keys->count};
    to = data_of(answer) + ((keys->count + 7) & ~7u);
    for (uint32_t first = 0, some; first < keys->count; first += some) {
        uint64_t hashes[SVS__BINS_AHEAD];
        const unsigned char *key = data_of(keys) + (size_t)first * stride;
        some = prepare(hash, key, keys->count - first, stride, hashes);
        for (uint32_t i = 0; i < some; i++, key += stride, to += rest) {
            const unsigned char *entry = svs__bins_find(&hash->bins, key, hashes[i]);
            data_of(answer)[first + i] = entry != NULL;
            if (entry != NULL) memcpy(to, entry + hash->bins.key_bytes, rest);
            else memset(to, 0, rest);
        }
    }
    return entries_bytes(hash, keys->count);
}

/* Two handlers of records of keys: one runs as a fiber, the next one in place. */
svs_status svs__hash_run_keys(svs_ranks *ranks, void *state) {
    svs_hash *hash = svs_structure_part(ranks);
    uint32_t bytes = answer_keys(hash, state);
    if (bytes == 0) return fail_record(hash, "a record of keys is malformed");
    return svs_reply(ranks, hash->entries, hash->answer, bytes);
}

void svs__hash_take_keys(svs_ranks *ranks, void *part, const void *data, uint32_t bytes) {
    svs_hash *hash = part;
    const record *keys = data;
    uint32_t answered = 0;
    if (bytes >= sizeof(record) && bytes == keys_bytes(hash, keys->count))
        answered = answer_keys(hash, keys);
    if (answered == 0) (void)fail_record(hash, "a record of keys is malformed");
    else svs_ignore(svs_reply(ranks, hash->entries, hash->answer, answered)); /* it ends the run */
}

/* ---- the answer arrives ---- */

/* The query that an answer is for. @return NULL: the answer is malformed. */
static svs__hash_query *query_of(const svs_hash *hash, const record *answer, uint32_t bytes) {
    svs__hash_query *query;
    if (bytes < sizeof(record) || answer->query == 0 || answer->query > hash->query_count)
        return NULL;
    query = hash->queries[answer->query - 1];
    return query->bulk == NULL || answer->count != query->count ||
                   bytes != entries_bytes(hash, query->count)
               ? NULL
               : query;
}

void svs__hash_take_entries(svs_ranks *ranks, void *part, const void *data, uint32_t bytes) {
    svs_hash *hash = part;
    const record *answer = data;
    svs__hash_query *query = query_of(hash, answer, bytes);
    svs__hash_bulk *bulk;
    const unsigned char *from;
    uint32_t rest = rest_bytes(hash);
    (void)ranks;
    if (query == NULL) {
        (void)fail_record(hash, "a record of entries is malformed");
        return;
    }
    bulk = query->bulk;
    from = data_of(answer) + ((query->count + 7) & ~7u);
    for (uint32_t i = 0; i < query->count; i++, from += rest) {
        size_t at = query->positions[i];
        unsigned char *item = bulk->items + at * hash->bins.item_bytes;
        bool found = data_of(answer)[i] != 0;
        if (found) memcpy(item + hash->bins.key_bytes, from, rest);
        bulk->found[at] = found;
        if (hash->cache.sets != NULL) svs__cache_put(hash, item, found, bulk->stamp);
    }
    SVS__ASSERT(bulk->left >= query->count); /* structures.H13 */
    bulk->left -= query->count;
    free_query(hash, query);
    svs__hash_bulk_end(hash, bulk); /* the last step, because the counter may run fibers */
}
