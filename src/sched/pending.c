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
    svs__bucket *bucket = &pending->buckets[svs__pending_bucket(pending, met->key)];
    svs__record *first = bucket->first;
    svs__element e = {met->key, met->mode};
    if (front && first) { /* as if the bucket were empty, and the rest behind */
        svs__record *last = bucket->last;
        bucket->first = NULL;
        svs__pending_put_single(pending, record, e);
        record->next = first;
        bucket->last = last;
    } else {
        svs__pending_put_single(pending, record, e);
    }
    record->blocked_met = (uint8_t)(met->met | (met->single ? SVS__BLOCKED_SINGLE : 0));
    if (!met->single) pending->sets++;
}

svs__record *svs__pending_take(svs__pending *pending, uint32_t i) {
    svs__record *record = pending->buckets[i].first;
    if (!record) return NULL;
    if (!svs__record_is_single(record)) pending->sets--;
    svs__pending_advance(pending, i, 1, record->next);
    return record;
}

void svs__pending_take_out(svs__pending *pending, svs__record *record) {
    uint32_t i = svs__pending_bucket(pending, record->blocked_key);
    svs__bucket *bucket = &pending->buckets[i];
    svs__record *before = bucket->first;
    if (before == record) {
        (void)svs__pending_take(pending, i);
        return;
    }
    while (before->next != record) before = before->next;
    before->next = record->next;
    if (bucket->last == record) bucket->last = before;
    if (!svs__record_is_single(record)) pending->sets--;
    svs__pending_advance(pending, i, 1, bucket->first);
}

void svs__pending_tire(svs__pending *pending, svs__record *record) {
    svs__record_tire(record);
    if (record->tries <= SVS__TRIES_BEFORE_RESERVING) return;
    record->blocked_met &= (uint8_t)~SVS__BLOCKED_SINGLE;
    pending->sets++;
}

bool svs__pending_is_valid(const svs__pending *pending) {
    uint32_t count = 0, sets = 0;
    for (uint32_t i = 0; i < buckets_of(pending); i++) {
        const svs__bucket *bucket = &pending->buckets[i];
        const svs__record *last = NULL;
        if (svs__signature_has(pending->nonempty, i) != (bucket->first != NULL)) return false;
        for (const svs__record *r = bucket->first; r; r = r->next, count++) {
            if (svs__pending_bucket(pending, r->blocked_key) != i) return false;
            sets += !svs__record_is_single(r);
            last = r;
        }
        if (last && last != bucket->last) return false;
    }
    return sets == pending->sets &&
           count == svs__load_relaxed(&((svs__pending *)(uintptr_t)pending)->count);
}
