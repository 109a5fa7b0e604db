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
    svs__notes_clean_up(&pending->notes, world);
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
    if (met->single) return;
    record->blocked = svs__record_blocked(met->met, met->mode);
    if (!record->note) pending->sets++;
}

/* It leaves its bucket. */
static void let_go(svs__pending *pending, svs__record *record) {
    if (!svs__record_is_known(record)) pending->sets--;
    if (record->note) svs__note_drop(&pending->notes, record->note);
    record->note = 0;
}

svs__record *svs__pending_take(svs__pending *pending, uint32_t i) {
    svs__record *record = pending->buckets[i].first;
    if (!record) return NULL;
    let_go(pending, record);
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
    let_go(pending, record);
    svs__pending_advance(pending, i, 1, bucket->first);
}

void svs__pending_forget(svs__pending *pending, svs__record *record) {
    if (record->note) svs__note_drop(&pending->notes, record->note);
    record->note = 0;
    record->blocked &= (uint8_t)~SVS__BLOCKED_SINGLE;
    pending->sets++;
}

void svs__pending_tire(svs__pending *pending, svs__record *record, bool may_reserve) {
    svs__record_tire(record);
    if (may_reserve && record->tries > SVS__TRIES_BEFORE_RESERVING)
        svs__pending_forget(pending, record);
}

static uint32_t free_notes(const svs__notes *notes) {
    uint32_t count = 0;
    for (uint32_t n = notes->free; n; n = notes->notes[n - 1].next_free) count++;
    return count;
}

bool svs__pending_is_valid(const svs__pending *pending) {
    uint32_t count = 0, sets = 0, noted = 0;
    for (uint32_t i = 0; i < buckets_of(pending); i++) {
        const svs__bucket *bucket = &pending->buckets[i];
        const svs__record *last = NULL;
        if (svs__signature_has(pending->nonempty, i) != (bucket->first != NULL)) return false;
        for (const svs__record *r = bucket->first; r; r = r->next, count++) {
            if (svs__pending_bucket(pending, r->blocked_key) != i) return false;
            if (r->note && svs__record_is_single(r)) return false;
            sets += !svs__record_is_known(r);
            noted += r->note != 0;
            last = r;
        }
        if (last && last != bucket->last) return false;
    }
    return sets == pending->sets && noted + free_notes(&pending->notes) == pending->notes.made &&
           count == svs__load_relaxed(&((svs__pending *)(uintptr_t)pending)->count);
}
