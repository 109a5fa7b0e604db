#include "base/pages.h"
#include "structures/hash/hash.h"

/* ---- the memory ---- */

/* Size of a huge page. A cache of at least this size is aligned to it, and asks for huge pages. */
#define HUGE_BYTES ((size_t)1 << 21)

static size_t sets_bytes(const svs__hash_cache *cache) {
    return (size_t)cache->count * cache->set_bytes;
}

static size_t alignment_of(const svs__hash_cache *cache) {
    return sets_bytes(cache) >= HUGE_BYTES ? HUGE_BYTES : 64;
}

bool svs__cache_init(svs_hash *hash, uint32_t entries) {
    svs__hash_cache *cache = &hash->cache;
    size_t bytes = sizeof(svs__cache_set) + (size_t)SVS__CACHE_WAYS * hash->bins.item_bytes;
    if (entries == 0) return true;
    cache->count = entries / SVS__CACHE_WAYS + (entries % SVS__CACHE_WAYS != 0);
    cache->set_bytes = (bytes + 63) & ~(size_t)63;
    cache->sets = svs__allocate(&hash->allocator, sets_bytes(cache), alignment_of(cache));
    if (cache->sets == NULL) return false;
    if (alignment_of(cache) == HUGE_BYTES) svs__pages_prefer_huge(cache->sets, sets_bytes(cache));
    memset(cache->sets, 0, sets_bytes(cache));
    return true;
}

void svs__cache_empty(svs_hash *hash) {
    if (hash->cache.sets == NULL) return;
    hash->cache.changes++;
    memset(hash->cache.sets, 0, sets_bytes(&hash->cache));
}

void svs__cache_clean_up(svs_hash *hash) {
    svs__release(&hash->allocator, hash->cache.sets, sets_bytes(&hash->cache),
                 alignment_of(&hash->cache));
}

/* ---- the epoch ---- */

/* The age of entries of the present epoch. @return false: the snapshot is not open. */
static inline bool age_of(const svs_hash *hash, uint32_t *age) {
    uint32_t epoch;
    if (svs_mutation_begin(hash->snapshot, 0, &epoch) != SVS_OK) return false;
    *age = epoch + 1;
    return true;
}

uint64_t svs__cache_stamp(const svs_hash *hash) {
    uint32_t age;
    if (hash->cache.sets == NULL || !age_of(hash, &age)) return SVS__CACHE_NO_STAMP;
    return (uint64_t)age << 32 | hash->cache.changes;
}

/* ---- entries ---- */

/* As svs__cache_get(). */
static inline __attribute__((always_inline)) bool get(svs_hash *hash, const void *key,
                                                      uint64_t bits, const void **entry,
                                                      svs__shape shape) {
    svs__hash_cache *cache = &hash->cache;
    const svs__cache_set *set = svs__cache_set_of(cache, bits);
    uint32_t age;
    unsigned bit = 0;
    if (age_of(hash, &age)) bit = svs__cache_bit(set, key, age, shape); /* structures.H10 */
    cache->hits += bit != 0;
    cache->misses += bit == 0;
    if (bit == 0) return false;
    SVS__ASSERT((bit & (bit - 1)) == 0); /* structures.H14 */
    /* The bits 1, 2 and 4 stand for the entries 0, 1 and 2. */
    *entry = (set->found & bit) != 0 ? set->items + (size_t)(bit >> 1) * shape.item_bytes : NULL;
    return true;
}

static bool get_any(svs_hash *hash, const void *key, uint64_t bits, const void **entry) {
    return get(hash, key, bits, entry, svs__bins_shape(&hash->bins));
}

/* The usual shape: a constant, for which the functions are compiled separately. */
static const svs__shape pairs = {16, 8, false, false};

static inline bool has_pairs(const svs_hash *hash) {
    return hash->bins.item_bytes == 16 && hash->bins.key_bytes == 8 && hash->bins.hash == NULL;
}

bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry) {
    return has_pairs(hash) ? get(hash, key, bits, entry, pairs) : get_any(hash, key, bits, entry);
}

/* The entry of a key, of any age. @return SVS__CACHE_WAYS: there is none. */
static uint32_t way_of(const svs__cache_set *set, const void *key, svs__shape shape) {
    uint32_t way = 0;
    while (way < SVS__CACHE_WAYS &&
           (set->ages[way] == 0 || !svs__keys_are_equal(set->items + (size_t)way * shape.item_bytes,
                                                        key, shape.key_bytes)))
        way++;
    return way;
}

/* The entry to be overwritten for a key: its own, else one that is free or of an older epoch, else
 * the next in turn. */
static uint32_t way_for(svs__cache_set *set, const void *key, uint32_t age, svs__shape shape) {
    uint32_t way = way_of(set, key, shape); /* structures.H14 */
    if (way != SVS__CACHE_WAYS) return way;
    for (way = 0; way < SVS__CACHE_WAYS; way++)
        if (set->ages[way] != age) return way;
    return set->turn++ % SVS__CACHE_WAYS;
}

void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp) {
    const svs__shape shape = svs__bins_shape(&hash->bins);
    uint32_t age = (uint32_t)(stamp >> 32), way;
    svs__cache_set *set;
    if (stamp == SVS__CACHE_NO_STAMP || stamp != svs__cache_stamp(hash))
        return; /* structures.H10 */
    set = svs__cache_set_of(&hash->cache, svs__bins_hash(&hash->bins, item));
    way = way_for(set, item, age, shape);
    set->ages[way] = age;
    set->found = (uint16_t)((set->found & ~(1u << way)) | (unsigned)found << way);
    memcpy(set->items + (size_t)way * shape.item_bytes, item,
           found ? shape.item_bytes : shape.key_bytes);
}

void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride) {
    const svs__shape shape = svs__bins_shape(&hash->bins);
    const unsigned char *item = items;
    if (hash->cache.sets == NULL) return;
    hash->cache.changes++;
    for (; count != 0; count--, item += stride) {
        svs__cache_set *set = svs__cache_set_of(&hash->cache, svs__bins_hash(&hash->bins, item));
        uint32_t way = way_of(set, item, shape);
        if (way != SVS__CACHE_WAYS) set->ages[way] = 0;
    }
}

/* ---- a lookup ---- */

/* Answers a lookup from the cache. @return false: the cache does not know the key. */
static inline __attribute__((always_inline)) bool answer(svs_hash *hash, const void *key,
                                                         void *entry, bool *found,
                                                         svs__shape shape) {
    uint64_t bits = svs__bins_hash_of(&hash->bins, key, shape);
    const void *item;
    if (svs__hash_rank(bits, hash->count) == hash->index) return false;
    if (!get(hash, key, bits, &item, shape)) return false;
    *found = item != NULL;
    if (item != NULL && entry != NULL) memcpy(entry, item, shape.item_bytes);
    return true;
}

static __attribute__((noinline)) bool answer_any(svs_hash *hash, const void *key, void *entry,
                                                 bool *found) {
    return answer(hash, key, entry, found, svs__bins_shape(&hash->bins));
}

/* The path on which the cache answers is short, so that a processor can have the cache misses of
 * several lookups in flight. */
svs_status svs_hash_lookup(svs_hash *hash, const void *key, void *entry, bool *found,
                           svs_counter *done) {
    if (SVS__LIKELY(hash != NULL && hash->cache.sets != NULL && key != NULL && found != NULL &&
                    done != NULL && svs_ranks_in_run(hash->ranks)) &&
        SVS__LIKELY(has_pairs(hash) ? answer(hash, key, entry, found, pairs)
                                    : answer_any(hash, key, entry, found))) {
        svs_counter_add(hash->ranks, done, 1);
        return SVS_OK;
    }
    return svs__hash_look_up(hash, key, entry, found, done);
}
