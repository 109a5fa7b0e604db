#include "structures/hash/combine.h"
#include "structures/hash/hash.h"
#include "structures/hash/shapes.h"

/* ---- slots ---- */

static size_t tag_bytes(const svs_hash *hash) {
    return hash->combiner.count * sizeof *hash->combiner.tags;
}

static size_t item_bytes(const svs_hash *hash) {
    return (size_t)hash->combiner.count * hash->bins.item_bytes;
}

bool svs__combine_init(svs_hash *hash, uint32_t entries) {
    svs__hash_combiner *of = &hash->combiner;
    if (entries == 0) return true;
    of->count = 2;
    while (of->count < entries && of->count < 1u << 31) of->count *= 2;
    of->shift = 64 - (uint32_t)__builtin_ctz(of->count);
    of->tags = svs__allocate_zeroed(&hash->allocator, tag_bytes(hash), 64);
    of->items = svs__allocate(&hash->allocator, item_bytes(hash), 64);
    return of->tags != NULL && of->items != NULL;
}

void svs__combine_clean_up(svs_hash *hash) {
    svs__release(&hash->allocator, hash->combiner.tags, tag_bytes(hash), 64);
    svs__release(&hash->allocator, hash->combiner.items, item_bytes(hash), 64);
}

/* Not 0; 0 and 1 name the same rank. */
static inline uint32_t tag_of(uint64_t bits) { return (uint32_t)bits != 0 ? (uint32_t)bits : 1; }

/* Posts the item of a slot that is used, and frees the slot. @return as svs_post(). */
static inline svs_status post_slot(svs_hash *hash, uint64_t at, uint32_t bytes) {
    svs__hash_combiner *of = &hash->combiner;
    svs_status status = svs__hash_give(hash, svs__hash_rank(of->tags[at], hash->count),
                                       of->items + at * bytes, bytes);
    if (status != SVS_OK) return status;
    of->tags[at] = 0;
    of->waiting--;
    return SVS_OK;
}

svs_status svs__combine_post_key(svs_hash *hash, const void *key) {
    svs__hash_combiner *of = &hash->combiner;
    uint64_t bits, at;
    if (of->waiting == 0) return SVS_OK;
    bits = svs__bins_hash(&hash->bins, key);
    at = bits >> of->shift;
    if (of->tags[at] != tag_of(bits)) return SVS_OK;
    return post_slot(hash, at, hash->bins.item_bytes); /* structures.H12 */
}

svs_status svs__combine_post_all(svs_hash *hash, uint32_t *to) {
    svs__hash_combiner *of = &hash->combiner;
    for (uint64_t at = 0; of->waiting != 0; at++) {
        svs_status status = SVS_OK;
        SVS__ASSERT(at < of->count); /* structures.H11 */
        if (of->tags[at] != 0) status = post_slot(hash, at, hash->bins.item_bytes);
        if (status == SVS_OK) continue;
        *to = svs__hash_rank(of->tags[at], hash->count);
        return status;
    }
    return SVS_OK;
}

/* ---- the fiber that posts what waits (structures.H11) ---- */

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

/* @return false: there is no memory for it; nothing waits. */
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

/* ---- items that come ---- */

/* @return as svs__combine_all(), without what follows from the sample. */
static inline __attribute__((always_inline)) svs_status combine_some(svs_hash *hash,
                                                                     const unsigned char *items,
                                                                     size_t count, size_t *accepted,
                                                                     svs__shape shape) {
    svs__hash_combiner *of = &hash->combiner;
    svs__duplicate_function *const merge =
        hash->bins.duplicate != NULL ? hash->bins.duplicate : svs__bins_keep_entry;
    const unsigned char *item = items, *end = items + count * shape.item_bytes;
    svs_status status = SVS_OK;
    uint32_t hits = 0, more = 0;
    for (; item != end; item += shape.item_bytes) {
        uint64_t bits = svs__bins_hash_of(&hash->bins, item, shape), at = bits >> of->shift;
        uint32_t to = svs__hash_rank(bits, hash->count), tag = tag_of(bits);
        unsigned char *slot = of->items + at * shape.item_bytes;
        if (to == hash->index) {
            status = svs__hash_give(hash, to, item, shape.item_bytes);
            continue; /* it is accepted */
        }
        if (of->tags[at] == tag && svs__keys_are_equal(slot, item, shape.key_bytes)) {
            svs__bins_merge_as(slot, item, merge, hash->bins.argument, shape);
            hits++;
            continue;
        }
        if (of->tags[at] != 0)
            status = svs__hash_give(hash, svs__hash_rank(of->tags[at], hash->count), slot,
                                    shape.item_bytes);
        else more++;
        if (status != SVS_OK) break;
        memcpy(slot, item, shape.item_bytes);
        of->tags[at] = tag;
    }
    of->waiting += more;
    of->hits += hits;
    of->merged += hits;
    *accepted += (size_t)(item - items) / shape.item_bytes;
    svs_mutation_end(hash->snapshot, hits, SVS_NO_EPOCH); /* structures.H11 */
    return status;
}

#define DEFINE_COMBINE(name, shape)                                                                \
    static __attribute__((noinline)) svs_status combine_##name(                                    \
        svs_hash *hash, const unsigned char *items, size_t count, size_t *accepted) {              \
        svs__bins *bins = &hash->bins;                                                             \
        (void)bins;                                                                                \
        return combine_some(hash, items, count, accepted, shape);                                  \
    }
SVS__FOR_SHAPES(DEFINE_COMBINE)

/* A sample is complete: few equal keys make a pause, when nothing waits any more, so that the order
 * of the items of a key is kept. */
static svs_status end_sample(svs_hash *hash) {
    svs__hash_combiner *of = &hash->combiner;
    bool few = of->hits < of->sampled / 8;
    svs_status status;
    uint32_t to;
    of->hits = of->sampled = 0;
    if (!few) return SVS_OK;
    status = svs__combine_post_all(hash, &to);
    if (status == SVS_OK) of->pause = SVS__COMBINE_PAUSE;
    return status == SVS_WAIT ? SVS_OK : status;
}

svs_status svs__combine_all(svs_hash *hash, const unsigned char *items, size_t count,
                            size_t *accepted) {
    svs__hash_combiner *of = &hash->combiner;
    uint32_t bytes = hash->bins.item_bytes;
    svs_status status = SVS_OK;
    while (count != 0 && status == SVS_OK) {
        bool pauses = of->pause != 0;
        uint32_t most = pauses ? of->pause : SVS__COMBINE_SAMPLE - of->sampled;
        size_t some = count < most ? count : most, done = 0;
        if (!pauses && !has_flusher(hash)) return svs__hash_give_all(hash, items, count, accepted);
        SVS__ASSERT(!pauses || of->waiting == 0); /* structures.H12 */
        status = pauses ? svs__hash_give_all(hash, items, some, &done)
                        : SVS__SHAPED(combine, &hash->bins)(hash, items, some, &done);
        if (pauses) of->pause -= (uint32_t)done;
        else of->sampled += (uint32_t)done;
        if (of->sampled == SVS__COMBINE_SAMPLE && status == SVS_OK) status = end_sample(hash);
        of->given += done;
        *accepted += done;
        items += done * bytes;
        count -= done;
    }
    return status;
}
