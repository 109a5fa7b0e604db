#include "structures/hash/cache.h"
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
    cache->count = 2;
    while (cache->count < entries && cache->count < 1u << 31) cache->count *= 2;
    cache->shift = 64 - (uint32_t)__builtin_ctz(cache->count);
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

bool svs__cache_get(svs_hash *hash, const void *key, uint64_t bits, const void **entry) {
    svs__hash_cache *cache = &hash->cache;
    uint64_t at = bits >> cache->shift;
    const svs__cache_slot *slot = &cache->slots[at];
    uint32_t epoch;
    /* structures.H10 */
    if (slot->epoch == 0 || !epoch_of(hash, &epoch) || slot->epoch != epoch + 1 ||
        !svs__keys_are_equal(item_at(hash, at), key, hash->bins.key_bytes)) {
        cache->misses++;
        return false;
    }
    cache->hits++;
    *entry = slot->found != 0 ? item_at(hash, at) : NULL;
    return true;
}

void svs__cache_put(svs_hash *hash, const void *item, bool found, uint64_t stamp) {
    svs__hash_cache *cache = &hash->cache;
    uint64_t at;
    if (stamp == SVS__CACHE_NO_STAMP || stamp != svs__cache_stamp(hash))
        return; /* structures.H10 */
    at = svs__bins_hash(&hash->bins, item) >> cache->shift;
    cache->slots[at] = (svs__cache_slot){(uint32_t)(stamp >> 32) + 1, found};
    memcpy(item_at(hash, at), item, found ? hash->bins.item_bytes : hash->bins.key_bytes);
}

void svs__cache_forget(svs_hash *hash, const void *items, size_t count, uint32_t stride) {
    svs__hash_cache *cache = &hash->cache;
    const unsigned char *item = items;
    if (cache->slots == NULL) return;
    cache->changes++;
    for (; count != 0; count--, item += stride) {
        uint64_t at = svs__bins_hash(&hash->bins, item) >> cache->shift;
        if (cache->slots[at].epoch != 0 &&
            svs__keys_are_equal(item_at(hash, at), item, hash->bins.key_bytes))
            cache->slots[at].epoch = 0;
    }
}
