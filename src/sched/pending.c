#include "sched/pending.h"

#include "base/memory.h"

static size_t buckets_of(const svs__pending *pending) { return (size_t)1 << pending->bits; }

static size_t pending_bytes(const svs__pending *pending) {
    return buckets_of(pending) * sizeof(svs__bucket) + buckets_of(pending) / 8;
}

svs_status svs__pending_init(svs__pending *pending, const svs_world *world) {
    uint32_t bits = world->options.cell_bits;
    pending->bits = bits < SVS__BUCKET_BITS_MAX ? bits : SVS__BUCKET_BITS_MAX;
    pending->buckets = svs__allocate_zeroed(world->allocator, pending_bytes(pending), 64);
    if (!pending->buckets) return SVS_E_NO_MEMORY;
    pending->nonempty = (uint64_t *)(void *)(pending->buckets + buckets_of(pending));
    svs__store_relaxed(&pending->count, 0);
    return SVS_OK;
}

void svs__pending_clean_up(svs__pending *pending, const svs_world *world) {
    svs__release(world->allocator, pending->buckets, pending_bytes(pending), 64);
    pending->buckets = NULL;
}

void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front) {
    uint32_t i = svs__pending_bucket(pending, met->key);
    svs__bucket *bucket = &pending->buckets[i];
    record->blocked_key = met->key;
    record->blocked_mode = (uint8_t)met->mode;
    record->blocked_met = (uint8_t)met->met;
    record->next = NULL;
    if (!bucket->first) {
        bucket->first = bucket->last = record;
        pending->nonempty[i / 64] |= UINT64_C(1) << i % 64;
    } else if (front) {
        record->next = bucket->first;
        bucket->first = record;
    } else {
        bucket->last->next = record;
        bucket->last = record;
    }
    /* relaxed: guarded; others read a hint. */
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) + 1);
}

svs__record *svs__pending_take(svs__pending *pending, uint32_t i) {
    svs__bucket *bucket = &pending->buckets[i];
    svs__record *record = bucket->first;
    if (!record) return NULL;
    bucket->first = record->next;
    if (!bucket->first) {
        bucket->last = NULL;
        pending->nonempty[i / 64] &= ~(UINT64_C(1) << i % 64);
    }
    svs__store_relaxed(&pending->count, svs__load_relaxed(&pending->count) - 1);
    return record;
}

uint32_t svs__pending_next(const svs__pending *pending, uint32_t from) {
    uint32_t words = (uint32_t)(buckets_of(pending) / 64);
    uint32_t word = from / 64;
    if (word >= words) return UINT32_MAX;
    uint64_t bits = pending->nonempty[word] & ~UINT64_C(0) << from % 64;
    while (!bits) {
        if (++word == words) return UINT32_MAX;
        bits = pending->nonempty[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

bool svs__pending_is_valid(const svs__pending *pending) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < buckets_of(pending); i++) {
        const svs__bucket *bucket = &pending->buckets[i];
        const svs__record *last = NULL;
        if (svs__signature_has(pending->nonempty, i) != (bucket->first != NULL)) return false;
        for (const svs__record *r = bucket->first; r; r = r->next, count++) {
            if (svs__pending_bucket(pending, r->blocked_key) != i) return false;
            last = r;
        }
        if (last != bucket->last) return false;
    }
    return count == svs__load_relaxed(&((svs__pending *)(uintptr_t)pending)->count);
}
