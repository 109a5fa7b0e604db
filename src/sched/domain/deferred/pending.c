#include "sched/domain/deferred/pending.h"

#include <string.h>

#include "base/memory.h"
#include "memobj/core/header.h"

static size_t buckets_of(const svs__pending *pending) { return (size_t)1 << pending->bits; }

static size_t words_of(uint32_t bits) { return (((size_t)1 << bits) + 63) / 64; }

/* The size of a block with the buckets, `nonempty` and `freed`, in bytes. */
static size_t block_bytes(uint32_t bits) {
    return ((size_t)1 << bits) * sizeof(svs__bucket) + 2 * words_of(bits) * sizeof(uint64_t);
}

static void use(svs__pending *pending, svs__bucket *buckets, uint64_t *words, uint32_t bits) {
    pending->buckets = buckets;
    pending->nonempty = words;
    pending->freed = words + words_of(bits);
    pending->freed_seen = 0; /* `freed` is empty */
    pending->bits = bits;
}

static void release_buckets(const svs__pending *pending, const svs_world *world,
                            svs__bucket *buckets) {
    if (buckets != &pending->one)
        svs__release(world->allocator, buckets, block_bytes(pending->bits), 64);
}

void svs__pending_init(svs__pending *pending) {
    memset(pending, 0, sizeof *pending);
    use(pending, &pending->one, pending->one_words, 0);
}

void svs__pending_clean_up(svs__pending *pending, const svs_world *world) {
    release_buckets(pending, world, pending->buckets);
    pending->buckets = NULL;
    svs__notes_clean_up(&pending->notes, world);
}

static uint32_t bits_worth(const svs__pending *pending, const svs_world *world) {
    /* relaxed is enough: the domain's lock is held */
    uint32_t count = svs__load_relaxed(&pending->count);
    uint32_t bits = !count                      ? 0
                    : count <= SVS__RECORDS_FEW ? SVS__BUCKET_BITS_FEW
                                                : SVS__BUCKET_BITS_MAX;
    return bits < world->cell_bits ? bits : world->cell_bits;
}

/* Moves the records of the old buckets, in order, to the new buckets. The records of a new bucket
 * all come from one old bucket, so they keep their order (sched.Q2). */
static void spread(svs__pending *pending, const svs__bucket *old, size_t count) {
    for (size_t i = 0; i < count; i++) {
        svs__record *record = old[i].first, *next;
        for (; record; record = next) {
            next = record->next;
            svs__pending_append(pending, record, record->blocked_key, record->blocked);
        }
    }
}

void svs__pending_fit(svs__pending *pending, const svs_world *world) {
    svs__pending was = *pending;
    uint32_t bits = bits_worth(pending, world);
    svs__bucket *buckets;
    if (bits <= was.bits) return;
    buckets = svs__allocate_zeroed(world->allocator, block_bytes(bits), 64);
    if (!buckets) return;
    use(pending, buckets, (uint64_t *)(void *)(buckets + ((size_t)1 << bits)), bits);
    spread(pending, was.bits ? was.buckets : &pending->one, buckets_of(&was));
    if (was.bits) svs__release(world->allocator, was.buckets, block_bytes(was.bits), 64);
}

/* ---- freed objects ---- */

void svs__pending_forget_freed(svs__pending *pending) {
    if (!pending->freed_seen) return;
    memset(pending->freed, 0, words_of(pending->bits) * sizeof(uint64_t));
    pending->freed_seen = 0;
}

void svs__pending_see_freed_since(svs__pending *pending, uintptr_t last) {
    uintptr_t at = last, next;
    for (; at != pending->freed_seen; at = next) { /* newest first */
        svs_object *object = (svs_object *)at;
        svs__signature_set(pending->freed, svs__pending_bucket(pending, object->key));
        /* relaxed is enough: the word has not changed since the object was freed, and the load of
         * `last` has acquired it. */
        next = svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_NEXT;
    }
    pending->freed_seen = last;
}

bool svs__pending_names_freed(const svs__pending *pending, const svs__record *record) {
    const svs__note *note = record->note ? svs__note_of(&pending->notes, record->note) : NULL;
    if (!note)
        return svs__signature_has(pending->freed,
                                  svs__pending_bucket(pending, record->blocked_key));
    for (uint32_t i = 0; i < note->count; i++)
        if (svs__signature_has(pending->freed, svs__pending_bucket(pending, note->elements[i].key)))
            return true;
    return false;
}

/* ---- adding and removing ---- */

void svs__pending_put(svs__pending *pending, svs__record *record, const svs__conflict *met,
                      bool front) {
    svs__bucket *bucket = &pending->buckets[svs__pending_bucket(pending, met->key)];
    svs__record *first = bucket->first;
    svs__element e = {met->key, met->mode};
    /* empties the bucket, so that the record becomes the first; the others follow below */
    if (front && first) {
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

/* Updates the counts for a record that has left its bucket. */
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

/* sched.Q5. Checked only while records wait: otherwise the iteration may have ended, and another
 * worker may be releasing the freed objects. */
static bool freed_is_valid(const svs__pending *pending, uint32_t count) {
    uintptr_t at = count ? pending->freed_seen : 0;
    while (at) {
        svs_object *object = (svs_object *)at;
        if (!svs__signature_has(pending->freed, svs__pending_bucket(pending, object->key)))
            return false;
        /* relaxed is enough: as in svs__pending_see_freed_since(). */
        at = svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_NEXT;
    }
    return true;
}

bool svs__pending_is_valid(const svs__pending *pending) {
    uint32_t count = 0, sets = 0, noted = 0;
    for (uint32_t i = 0; i < buckets_of(pending); i++) {
        const svs__bucket *bucket = &pending->buckets[i];
        const svs__record *last = NULL;
        /* sched.Q1 */
        if (svs__signature_has(pending->nonempty, i) != (bucket->first != NULL)) return false;
        for (const svs__record *r = bucket->first; r; r = r->next, count++) {
            if (svs__pending_bucket(pending, r->blocked_key) != i) return false; /* sched.Q1 */
            if (r->note && svs__record_is_single(r)) return false;               /* sched.Q4 */
            sets += !svs__record_is_known(r);
            noted += r->note != 0;
            last = r;
        }
        if (last && last != bucket->last) return false; /* sched.Q2 */
    }
    return sets == pending->sets &&                                      /* sched.Q3 */
           noted + free_notes(&pending->notes) == pending->notes.made && /* sched.U1 */
           freed_is_valid(pending, count) &&
           count == svs__load_relaxed(&((svs__pending *)(uintptr_t)pending)->count);
}
