/* Inserts of many items at a time. */
#include "structures/hash/hash.h"
#include "structures/hash/shapes.h"

SVS__COLD void svs__hash_fail(svs_hash *hash) {
    hash->failed = svs_structure_fail(hash->structure, SVS_E_NO_MEMORY,
                                      "there is no memory for an entry: expect fewer, or use more "
                                      "ranks");
}

/* ---- items for this rank: from other ranks, or pending ---- */

#define DEFINE_TAKE(name, shape)                                                                   \
    static __attribute__((noinline))                                                               \
    svs_status take_##name(svs__bins *bins, const unsigned char *items, uint32_t count) {          \
        return svs__bins_put_all(bins, items, count, shape);                                       \
    }
SVS__FOR_SHAPES(DEFINE_TAKE)

void svs__hash_take_inserts(svs_ranks *ranks, void *part, const void *items, uint32_t count) {
    svs_hash *hash = part;
    (void)ranks;
    if (SVS__SHAPED(take, &hash->bins)(&hash->bins, items, count) != SVS_OK) svs__hash_fail(hash);
    svs_mutation_end(hash->snapshot, count, SVS_NO_EPOCH);
}

/* structures.H8 */
void svs__hash_flush_pending(svs_hash *hash) {
    size_t bytes = (size_t)(hash->pending.at - hash->pending_items);
    hash->pending.at = hash->pending_items;
    svs__hash_take_inserts(hash->ranks, hash, hash->pending_items,
                           (uint32_t)(bytes / hash->bins.item_bytes));
}

static svs_status flush(svs_ranks *ranks, void *state) {
    svs_hash *hash = *(svs_hash **)state;
    (void)ranks;
    hash->flusher = false;
    svs__hash_flush(hash);
    return SVS_OK;
}

/* Makes a fiber that inserts the pending items after the running fiber. Without memory for the
 * fiber, inserts them at once. */
static void flush_soon(svs_hash *hash) {
    svs_fiber fiber;
    if (hash->flusher || !svs__hash_is_pending(hash)) return;
    if (svs_fiber_new(hash->ranks, flush, &hash, sizeof(svs_hash *),
                      svs_scheduler_urgent(hash->ranks), &fiber) == SVS_OK &&
        svs_fiber_enable(hash->ranks, fiber) == SVS_OK)
        hash->flusher = true;
    else svs__hash_flush(hash);
}

/* ---- items for all ranks ---- */

/* Posts an item as a request, for a table whose operations run as fibers. */
static svs_status post_request(svs_hash *hash, uint32_t to, const void *item, uint32_t item_bytes) {
    svs__hash_record *request = hash->scratch;
    *request = (svs__hash_record){.operation = SVS__HASH_INSERT};
    memcpy(request->item, item, item_bytes);
    return svs_post(hash->ranks, to, hash->request, request, svs__hash_record_bytes(hash));
}

/* The lane of `to` has no room, or is open for another handler. The mutation has begun. @return as
 * svs_post(). */
svs_status svs__hash_give_slowly(svs_hash *hash, uint32_t to, const void *item,
                                 uint32_t item_bytes) {
    if (to == hash->index) {
        svs__hash_flush(hash);
        memcpy(hash->pending.at, item, item_bytes);
        hash->pending.at += item_bytes;
        return SVS_OK;
    }
    return hash->dispatch == SVS_DISPATCH_IN_PLACE
               ? svs_post(hash->ranks, to, hash->insert, item, item_bytes)
               : post_request(hash, to, item, item_bytes);
}

/* Puts items until one is not accepted. @return as svs_post(). */
static inline __attribute__((always_inline)) svs_status give_some(svs_hash *hash,
                                                                  const unsigned char *items,
                                                                  size_t count, size_t *accepted,
                                                                  svs__shape shape) {
    svs__lane *const *ways = hash->ways;
    const svs_handler *handler = hash->insert;
    const uint32_t ranks = hash->count;
    const unsigned char *item = items, *end = items + count * shape.item_bytes;
    svs_status status = SVS_OK;
    for (; item != end; item += shape.item_bytes) {
        uint32_t to = svs__hash_rank(svs__bins_hash_of(&hash->bins, item, shape), ranks);
        svs__lane *way = ways[to];
        if (SVS__LIKELY(way->handler == handler &&
                        (size_t)(way->end - way->at) >= shape.item_bytes)) {
            memcpy(way->at, item, shape.item_bytes);
            way->at += shape.item_bytes;
            continue;
        }
        status = svs__hash_give_slowly(hash, to, item, shape.item_bytes);
        if (status != SVS_OK) break;
    }
    *accepted += (size_t)(item - items) / shape.item_bytes;
    return status;
}

/* ---- two ranks ---- */

/* Number of items that are put at a time, if both lanes have room for all of them. */
#define AT_ONCE ((size_t)128)

/* Whether there are two ranks, and each lane has room for `bytes`. Makes room in the lane of
 * pending items. */
static bool are_two_with_room(svs_hash *hash, size_t bytes) {
    svs__lane *const *ways = hash->ways;
    if (hash->count != 2) return false;
    if ((size_t)(hash->pending.end - hash->pending.at) < bytes) svs__hash_flush(hash);
    for (uint32_t i = 0; i < 2; i++)
        if (ways[i]->handler != hash->insert || (size_t)(ways[i]->end - ways[i]->at) < bytes)
            return false;
    return true;
}

/* Puts items into the lanes of two ranks. It keeps the ends of both lanes in registers: in memory,
 * each item would wait for the last addition to its lane, and a processor cannot predict which item
 * that was. Each item is copied to both lanes, and only the end of its own lane advances. */
static inline __attribute__((always_inline)) svs_status give_to_two(svs_hash *hash,
                                                                    const unsigned char *items,
                                                                    size_t count, size_t *accepted,
                                                                    svs__shape shape) {
    svs__lane *const *ways = hash->ways;
    unsigned char *first = ways[0]->at, *second = ways[1]->at;
    const unsigned char *end = items + count * shape.item_bytes;
    for (const unsigned char *item = items; item != end; item += shape.item_bytes) {
        uint32_t to = svs__hash_rank(svs__bins_hash_of(&hash->bins, item, shape), 2);
        size_t by = (size_t)to * shape.item_bytes;
        memcpy(first, item, shape.item_bytes);
        memcpy(second, item, shape.item_bytes);
        first += shape.item_bytes - by;
        second += by;
    }
    SVS__ASSERT(first <= ways[0]->end && second <= ways[1]->end); /* ranks.B6 */
    ways[0]->at = first;
    ways[1]->at = second;
    *accepted += count;
    return SVS_OK;
}

/* @return as svs_post(). */
static inline __attribute__((always_inline)) svs_status give(svs_hash *hash,
                                                             const unsigned char *items,
                                                             size_t count, size_t *accepted,
                                                             svs__shape shape) {
    svs_status status = SVS_OK;
    while (count != 0 && status == SVS_OK) {
        size_t some = count < 2 * AT_ONCE ? count : AT_ONCE, bytes = some * shape.item_bytes;
        status = shape.item_bytes <= 16 && are_two_with_room(hash, bytes)
                     ? give_to_two(hash, items, some, accepted, shape)
                     : give_some(hash, items, some, accepted, shape);
        items += bytes;
        count -= some;
    }
    return status;
}

#define DEFINE_GIVE(name, shape)                                                                   \
    static __attribute__((noinline)) svs_status give_##name(                                       \
        svs_hash *hash, const unsigned char *items, size_t count, size_t *accepted) {              \
        svs__bins *bins = &hash->bins;                                                             \
        (void)bins;                                                                                \
        return give(hash, items, count, accepted, shape);                                          \
    }
SVS__FOR_SHAPES(DEFINE_GIVE)

svs_status svs__hash_give_all(svs_hash *hash, const unsigned char *items, size_t count,
                              size_t *accepted) {
    return SVS__SHAPED(give, &hash->bins)(hash, items, count, accepted);
}

svs_status svs_hash_insert_all(svs_hash *hash, const void *items, size_t count, size_t *accepted) {
    svs_status status;
    if (hash == NULL || (items == NULL && count != 0) || accepted == NULL)
        return svs_ranks_refuse(hash == NULL ? NULL : hash->ranks, SVS_E_NULL,
                                "svs_hash_insert_all: hash, items or accepted is NULL: pass all");
    *accepted = 0;
    if (!svs_ranks_in_run(hash->ranks))
        return svs_ranks_refuse(hash->ranks, SVS_E_OUTSIDE,
                                "svs_hash_insert_all: there is no run: insert in a fiber");
    if (hash->first != NULL) return SVS_WAIT; /* structures.H6 */
    status = svs_mutation_begin(hash->snapshot, count, NULL);
    if (status != SVS_OK) return status;
    svs__cache_forget(hash, items, count, hash->bins.item_bytes); /* structures.H10 */
    status = hash->combiner.count != 0 ? svs__combine_all(hash, items, count, accepted)
                                       : svs__hash_give_all(hash, items, count, accepted);
    if (*accepted != count)
        svs_mutation_end(hash->snapshot, count - *accepted, SVS_NO_EPOCH); /* not carried out */
    flush_soon(hash);
    return status != SVS_OK ? status : hash->failed;
}
