#include "structures/hash/hash.h"

static size_t slot_bytes(const svs__hash_cache *cache) {
    return cache->count * sizeof *cache->slots;
}

static size_t item_bytes(const svs_hash *hash) {
    return (size_t)hash->cache.count * hash->bins.item_bytes;
}

bool svs__cache_init(svs_hash *hash, uint32_t entries) {
    svs__hash_cache *cache = &hash->cache;
    if (entries == 0) return true;
    cache->count = 2 * SVS__CACHE_WAYS;
    while (cache->count < entries && cache->count < 1u << 31) cache->count *= 2;
    cache->shift = 64 - (uint32_t)__builtin_ctz(cache->count / SVS__CACHE_WAYS);
    cache->slots = svs__allocate_zeroed(&hash->allocator, slot_bytes(cache), 64);
    cache->items = svs__allocate(&hash->allocator, item_bytes(hash), 64);
    return cache->slots != NULL && cache->items != NULL;
}

void svs__cache_empty(svs_hash *hash) {
    if (hash->cache.slots == NULL) return;
    hash->cache.changes++;
    memset(hash->cache.slots, 0, slot_bytes(&hash->cache));
}

void svs__cache_clean_up(svs_hash *hash) {
    svs__release(&hash->allocator, hash->cache.slots, slot_bytes(&hash->cache), 64);
    svs__release(&hash->allocator, hash->cache.items, item_bytes(hash), 64);
}

/* The epoch of the snapshot. @return false: it is not open. */
static inline bool epoch_of(const svs_hash *hash, uint32_t *epoch) {
    return svs_mutation_begin(hash->snapshot, 0, epoch) == SVS_OK;
}

uint64_t svs__cache_stamp(const svs_hash *hash) {
    uint32_t epoch;
    if (hash->cache.slots == NULL || !epoch_of(hash, &epoch)) return SVS__CACHE_NO_STAMP;
    return (uint64_t)epoch << 32 | hash->cache.changes;
}

static inline unsigned char *item_at(const svs_hash *hash, uint64_t at) {
    return hash->cache.items + at * hash->bins.item_bytes;
}

static inline bool holds(const svs_hash *hash, uint64_t at, const void *key, uint64_t bits) {
    const svs__cache_slot *slot = &hash->cache.slots[at];
    return slot->epoch != 0 && (slot->tag | 1) == ((uint32_t)bits | 1) &&
           svs__keys_are_equal(item_at(hash, at), key, hash->bins.key_bytes);
}

/* The slot of a key. @return false: it is in none. */
static inline bool find(const svs_hash *hash, const void *key, uint64_t bits, uint64_t *at) {
    uint64_t first = (bits >> hash->cache.shift) * SVS__CACHE_WAYS;
    for (*at = first; *at != first + SVS__CACHE_WAYS; ++*at)
        if (holds(hash, *at, key, bits)) return true;
    return false;
}

bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry) {
    svs__hash_cache *cache = &hash->cache;
    uint32_t epoch;
    uint64_t at;
    bool knows = find(hash, key, bits, &at) && epoch_of(hash, &epoch);
    if (knows) knows = cache->slots[at].epoch == epoch + 1; /* structures.H10 */
    cache->hits += knows;
    cache->misses += !knows;
    if (knows) *entry = (cache->slots[at].tag & 1) != 0 ? item_at(hash, at) : NULL;
    return knows;
}

/* The slot of a key, or one of its set that is free or of an older epoch, or the next in turn. */
static uint64_t slot_for(svs_hash *hash, const void *key, uint64_t bits, uint32_t epoch) {
    svs__hash_cache *cache = &hash->cache;
    uint64_t at;
    if (find(hash, key, bits, &at)) return at;
    at = (bits >> cache->shift) * SVS__CACHE_WAYS;
    for (uint32_t i = 0; i < SVS__CACHE_WAYS; i++)
        if (cache->slots[at + i].epoch != epoch) return at + i;
    return at + cache->turn++ % SVS__CACHE_WAYS;
}

void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp) {
    uint32_t epoch = (uint32_t)(stamp >> 32) + 1;
    uint64_t bits, at;
    if (stamp == SVS__CACHE_NO_STAMP || stamp != svs__cache_stamp(hash))
        return; /* structures.H10 */
    bits = svs__bins_hash(&hash->bins, item);
    at = slot_for(hash, item, bits, epoch);
    hash->cache.slots[at] = (svs__cache_slot){epoch, ((uint32_t)bits & ~1u) | found};
    memcpy(item_at(hash, at), item, found ? hash->bins.item_bytes : hash->bins.key_bytes);
}

void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride) {
    const unsigned char *item = items;
    if (hash->cache.slots == NULL) return;
    hash->cache.changes++;
    for (; count != 0; count--, item += stride) {
        uint64_t at;
        if (find(hash, item, svs__bins_hash(&hash->bins, item), &at))
            hash->cache.slots[at].epoch = 0;
    }
}
