#include "structures/hash/hash.h"
#include "structures/hash/shapes.h"

/* ---- slots ---- */

static size_t items_bytes(const svs_hash *hash, uint32_t items) {
    return (size_t)items * hash->bins.item_bytes;
}

/* Number of items that fit into the spill, which is also how many are combined at a time. */
static uint32_t spill_most(const svs_hash *hash) {
    uint32_t fit = SVS__COMBINE_SPILL_BYTES / hash->bins.item_bytes;
    return fit == 0 ? 1 : fit;
}

bool svs__combine_init(svs_hash *hash, uint32_t entries) {
    svs__hash_combiner *of = &hash->combiner;
    if (entries == 0) return true;
    of->count = 2;
    while (of->count < entries && of->count < 1u << 31) of->count *= 2;
    of->shift = 64 - (uint32_t)__builtin_ctz(of->count);
    of->items = svs__allocate_zeroed(&hash->allocator, items_bytes(hash, of->count), 64);
    of->spill = svs__allocate(&hash->allocator, items_bytes(hash, spill_most(hash)), 64);
    return of->items != NULL && of->spill != NULL;
}

void svs__combine_clean_up(svs_hash *hash) {
    svs__hash_combiner *of = &hash->combiner;
    svs__release(&hash->allocator, of->items, items_bytes(hash, of->count), 64);
    svs__release(&hash->allocator, of->spill, items_bytes(hash, spill_most(hash)), 64);
}

static inline unsigned char *slot_at(const svs_hash *hash, uint64_t at) {
    return hash->combiner.items + at * hash->bins.item_bytes;
}

static inline bool is_free(const svs_hash *hash, const unsigned char *slot) {
    return svs__key_is_zero(slot, hash->bins.key_bytes);
}

/* Posts the spill. @return as svs_post(). */
static svs_status post_spill(svs_hash *hash) {
    svs__hash_combiner *of = &hash->combiner;
    size_t done = 0;
    svs_status status;
    if (of->spilled == of->posted) return SVS_OK;
    status = svs__hash_give_all(hash, of->spill + items_bytes(hash, of->posted),
                                of->spilled - of->posted, &done);
    of->posted += (uint32_t)done;
    of->waiting -= (uint32_t)done;
    return status;
}

/* Posts the item of a slot that is used, and frees the slot. @param bits hash of its key.
 * @return as svs_post(). */
static svs_status post_slot(svs_hash *hash, unsigned char *slot, uint64_t bits) {
    svs_status status =
        svs__hash_give(hash, svs__hash_rank(bits, hash->count), slot, hash->bins.item_bytes);
    if (status != SVS_OK) return status;
    memset(slot, 0, hash->bins.key_bytes);
    hash->combiner.waiting--;
    return SVS_OK;
}

svs_status svs__combine_post_key(svs_hash *hash, const void *key) {
    svs__hash_combiner *of = &hash->combiner;
    svs_status status;
    unsigned char *slot;
    uint64_t bits;
    bool waits;
    if (of->waiting == 0) return SVS_OK;
    status = post_spill(hash); /* structures.H12: an item of the key may be in the spill, too */
    bits = svs__bins_hash(&hash->bins, key);
    slot = slot_at(hash, bits >> of->shift);
    waits = !is_free(hash, slot) && svs__keys_are_equal(slot, key, hash->bins.key_bytes);
    if (status == SVS_OK && waits) status = post_slot(hash, slot, bits);
    svs__hash_flush(hash); /* structures.H8 */
    return status;
}

/* The target rank of the first item that waits. */
static uint32_t first_target(const svs_hash *hash) {
    const svs__hash_combiner *of = &hash->combiner;
    uint64_t at = 0;
    if (of->posted != of->spilled)
        return svs_hash_owner(hash, of->spill + items_bytes(hash, of->posted));
    while (is_free(hash, slot_at(hash, at))) at++;
    return svs_hash_owner(hash, slot_at(hash, at));
}

svs_status svs__combine_post_all(svs_hash *hash, uint32_t *to) {
    svs__hash_combiner *of = &hash->combiner;
    svs_status status = post_spill(hash);
    for (uint64_t at = 0; of->waiting != 0 && status == SVS_OK; at++) {
        unsigned char *slot = slot_at(hash, at);
        SVS__ASSERT(at < of->count); /* structures.H11 */
        if (is_free(hash, slot)) continue;
        status = post_slot(hash, slot, svs__bins_hash(&hash->bins, slot));
    }
    svs__hash_flush(hash); /* structures.H8 */
    if (status == SVS_WAIT) *to = first_target(hash);
    return status;
}

/* ---- the fiber that posts items that wait (structures.H11) ---- */

static svs_status flush(svs_ranks *ranks, void *state) {
    svs_hash *hash = *(svs_hash **)state;
    svs__hash_combiner *of = &hash->combiner;
    bool idle = of->seen == of->given || svs_mutation_begin(hash->snapshot, 0, NULL) != SVS_OK;
    svs_status status = SVS_OK;
    svs_fiber rest;
    uint32_t to = 0;
    of->seen = of->given;
    if (idle) status = svs__combine_post_all(hash, &to);
    if (status != SVS_OK && status != SVS_WAIT) return status;
    if (of->waiting == 0) {
        of->flusher = false;
        return SVS_OK;
    }
    if (svs_fiber_continue(ranks, flush, &rest) != SVS_OK) return SVS_E_STATE;
    return status == SVS_WAIT ? svs_post_ready(ranks, to, rest) : svs_fiber_enable(ranks, rest);
}

/* Makes the fiber if it does not exist. @return false: there is no memory for it, and no item
 * waits. */
static bool has_flusher(svs_hash *hash) {
    svs__hash_combiner *of = &hash->combiner;
    svs_fiber fiber;
    if (of->flusher) return true;
    SVS__ASSERT(of->waiting == 0); /* structures.H11 */
    of->seen = of->given;
    of->flusher =
        svs_fiber_new(hash->ranks, flush, &hash, sizeof(svs_hash *), NULL, &fiber) == SVS_OK &&
        svs_fiber_enable(hash->ranks, fiber) == SVS_OK;
    return of->flusher;
}

/* ---- new items ---- */

/* Puts an item into a slot that is free or has another key. @return whether it has moved an item to
 * the spill. */
static inline bool replace(unsigned char *slot, const unsigned char *item, unsigned char *spill,
                           svs__shape shape) {
    bool spills = !svs__key_is_zero(slot, shape.key_bytes);
    if (spills) memcpy(spill, slot, shape.item_bytes);
    memcpy(slot, item, shape.item_bytes);
    return spills;
}

/* The same for items whose numbers are added, or merges the item. It has no branch, since no
 * processor could predict which keys are there. @return 1: the item was merged. @param spills
 * receives 1 if the former item of the slot has moved to the spill.
 * */
static inline uint32_t add_or_replace(unsigned char *slot, const unsigned char *item,
                                      unsigned char *spill, uint32_t *spills) {
    uint64_t key = svs__load_8(slot), number = svs__load_8(slot + 8);
    uint64_t new_key = svs__load_8(item), sum = svs__load_8(item + 8);
    uint32_t merges = key == new_key;
    memcpy(spill, &key, 8);
    memcpy(spill + 8, &number, 8);
    sum += number & (0 - (uint64_t)merges);
    memcpy(slot, &new_key, 8);
    memcpy(slot + 8, &sum, 8);
    *spills = (uint32_t)(key != 0) & ~merges;
    return merges;
}

/* Combines at most as many items as fit into the spill. Precondition: the spill is empty. @return
 * the number of items that were merged.
 * */
static inline __attribute__((always_inline)) uint32_t combine_some(svs_hash *hash,
                                                                   const unsigned char *items,
                                                                   size_t count, svs__shape shape) {
    svs__hash_combiner *of = &hash->combiner;
    svs__duplicate_function *const merge =
        hash->bins.duplicate != NULL ? hash->bins.duplicate : svs__bins_keep_entry;
    const uint32_t shift = of->shift, bytes = shape.item_bytes;
    unsigned char *const slots = of->items, *spill = of->spill;
    uint32_t hits = 0;
    for (const unsigned char *item = items, *end = items + count * bytes; item != end;
         item += bytes) {
        unsigned char *slot =
            slots + (svs__bins_hash_of(&hash->bins, item, shape) >> shift) * bytes;
        uint32_t spills = 1;
        if (SVS__UNLIKELY(svs__key_is_zero(item, shape.key_bytes))) {
            memcpy(spill, item, bytes); /* structures.H12: all items of this key keep their order */
        } else if (shape.adds) {
            hits += add_or_replace(slot, item, spill, &spills);
        } else if (svs__keys_are_equal(slot, item, shape.key_bytes)) {
            merge(slot, item, hash->bins.argument);
            hits++;
            spills = 0;
        } else spills = replace(slot, item, spill, shape);
        spill += (size_t)bytes * spills;
    }
    of->spilled = (uint32_t)((size_t)(spill - of->spill) / bytes);
    of->posted = 0;
    return hits;
}

#define DEFINE_COMBINE(name, shape)                                                                \
    static __attribute__((noinline))                                                               \
    uint32_t combine_##name(svs_hash *hash, const unsigned char *items, size_t count) {            \
        svs__bins *bins = &hash->bins;                                                             \
        (void)bins;                                                                                \
        return combine_some(hash, items, count, shape);                                            \
    }
SVS__FOR_SHAPES(DEFINE_COMBINE)

/* Posts the spill, and then combines some items. @return as svs_post(). */
static svs_status combine(svs_hash *hash, const unsigned char *items, size_t count, size_t *done) {
    svs__hash_combiner *of = &hash->combiner;
    svs_status status = post_spill(hash);
    uint32_t most = spill_most(hash), hits;
    if (status != SVS_OK) return status;
    *done = count < most ? count : most;
    hits = SVS__SHAPED(combine, &hash->bins)(hash, items, *done);
    of->waiting += (uint32_t)*done - hits;
    of->hits += hits;
    of->merged += hits;
    of->sampled += (uint32_t)*done;
    svs_mutation_end(hash->snapshot, hits, SVS_NO_EPOCH); /* structures.H11 */
    return SVS_OK;
}

/* Begins a pause when no item waits any more, so that items of a key keep their order. Until then
 * no item is accepted. @return as svs_post(). */
static svs_status begin_pause(svs_hash *hash) {
    svs__hash_combiner *of = &hash->combiner;
    uint32_t to;
    svs_status status = svs__combine_post_all(hash, &to);
    if (status != SVS_OK) return status;
    of->few = false;
    of->pause = SVS__COMBINE_PAUSE;
    return SVS_OK;
}

static void end_sample(svs__hash_combiner *of) {
    of->few = of->hits < of->sampled / 8;
    of->hits = of->sampled = 0;
}

svs_status svs__combine_all(svs_hash *hash, const unsigned char *items, size_t count,
                            size_t *accepted) {
    svs__hash_combiner *of = &hash->combiner;
    svs_status status = SVS_OK;
    while (count != 0 && status == SVS_OK) {
        bool pauses;
        uint32_t most;
        size_t some, done = 0;
        if (of->few) status = begin_pause(hash);
        if (status != SVS_OK) return status;
        pauses = of->pause != 0;
        most = pauses ? of->pause : SVS__COMBINE_SAMPLE - of->sampled;
        some = count < most ? count : most;
        if (!pauses && !has_flusher(hash)) return svs__hash_give_all(hash, items, count, accepted);
        SVS__ASSERT(!pauses || of->waiting == 0); /* structures.H12 */
        status = pauses ? svs__hash_give_all(hash, items, some, &done)
                        : combine(hash, items, some, &done);
        if (pauses) of->pause -= (uint32_t)done;
        if (of->sampled == SVS__COMBINE_SAMPLE) end_sample(of);
        of->given += done;
        *accepted += done;
        items += items_bytes(hash, (uint32_t)done);
        count -= done;
    }
    return status;
}
