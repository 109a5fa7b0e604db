#include "ranks/fiber/fiber.h"
#include "ranks/channel/overflow.h"
#include <string.h>

static void put_free(svs__fibers *fibers, svs__fiber *slot) {
    slot->next = fibers->free;
    fibers->free = slot;
}

/* The first generation of a slot. It is far from those of other ranks, so that their handles are
 * stale here (ranks.R2). */
static uint32_t first_generation(const svs_ranks *ranks) { return ranks->number * 0x9E3779B1u; }

static bool add_chunk(svs_ranks *ranks) {
    svs__fibers *fibers = &ranks->fibers;
    svs__slot_chunk *chunk;
    if (!svs__grow(&ranks->options.allocator, (void **)&fibers->chunks, &fibers->chunk_capacity,
                   fibers->chunk_count + 1, sizeof(svs__slot_chunk *)))
        return false;
    chunk =
        svs__allocate_zeroed(&ranks->options.allocator, sizeof *chunk, _Alignof(svs__slot_chunk));
    if (chunk == NULL) return false;
    fibers->chunks[fibers->chunk_count] = chunk;
    for (uint32_t i = 0; i < SVS__SLOTS_IN_CHUNK; i++) {
        chunk->slots[i].index = fibers->chunk_count * SVS__SLOTS_IN_CHUNK + i;
        chunk->slots[i].generation = first_generation(ranks);
    }
    fibers->chunk_count++;
    for (uint32_t i = SVS__SLOTS_IN_CHUNK; i-- != 0;) put_free(fibers, &chunk->slots[i]);
    return true;
}

static void release_heap(svs_ranks *ranks, svs__fiber *slot) {
    svs__release(&ranks->options.allocator, slot->heap, slot->heap_bytes, 16);
    slot->heap = NULL;
    slot->heap_bytes = 0;
}

/* Makes room in the heap for a state that does not fit into the slot. */
static bool make_room(svs_ranks *ranks, svs__fiber *slot, size_t bytes) {
    if (bytes > UINT32_MAX) return false;
    if (slot->heap_bytes < bytes) {
        release_heap(ranks, slot);
        slot->heap = svs__allocate(&ranks->options.allocator, bytes, 16);
        if (slot->heap == NULL) return false;
        slot->heap_bytes = (uint32_t)bytes;
    }
    slot->state = slot->heap;
    return true;
}

svs__fiber *svs__slot_new(svs_ranks *ranks, svs_fiber_function *function,
                          svs_scheduler *scheduler) {
    svs__fibers *fibers = &ranks->fibers;
    svs__fiber *slot;
    if (fibers->free == NULL && !add_chunk(ranks)) return NULL;
    slot = fibers->free;
    fibers->free = slot->next;
    slot->state = slot->in_slot;
    slot->function = function;
    slot->scheduler = scheduler;
    slot->of_handler = slot->threaded = false;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_FREE, SVS__FIBER_CREATED);
    return slot;
}

svs__fiber *svs__fiber_new(svs_ranks *ranks, svs_fiber_function *function, size_t bytes,
                           svs_scheduler *scheduler) {
    svs__fibers *fibers = &ranks->fibers;
    svs__fiber *slot;
    if (fibers->free == NULL && !add_chunk(ranks)) return NULL;
    slot = fibers->free;
    slot->state = slot->in_slot;
    if (bytes > sizeof slot->in_slot && !make_room(ranks, slot, bytes)) return NULL;
    fibers->free = slot->next;
    slot->bytes = (uint32_t)bytes;
    slot->function = function;
    slot->scheduler = scheduler;
    slot->hint = 0;
    slot->group = NULL;
    slot->threaded = slot->of_handler = false;
    SVS__ASSERT(slot->stack == NULL && slot->counter == NULL);
    ranks->statistics.thread_alloc++;
    ranks->statistics.thread_context += bytes;
    svs__fiber_move_from(ranks, slot, SVS__FIBER_FREE, SVS__FIBER_CREATED);
    return slot;
}

/* ranks.F2: the states that may follow each state, as bits. */
const uint8_t svs__fiber_followers[] = {
    [SVS__FIBER_FREE] = 1 << SVS__FIBER_CREATED,
    [SVS__FIBER_CREATED] = 1 << SVS__FIBER_WAITS | 1 << SVS__FIBER_POSTS | 1 << SVS__FIBER_ENABLED |
                           1 << SVS__FIBER_FREE,
    [SVS__FIBER_WAITS] = 1 << SVS__FIBER_ENABLED | 1 << SVS__FIBER_FREE,
    [SVS__FIBER_POSTS] = 1 << SVS__FIBER_ENABLED | 1 << SVS__FIBER_FREE,
    [SVS__FIBER_ENABLED] = 1 << SVS__FIBER_EXECUTES | 1 << SVS__FIBER_FREE,
    [SVS__FIBER_EXECUTES] = 1 << SVS__FIBER_FREE | 1 << SVS__FIBER_CREATED,
};

void svs__fiber_suspends(svs_ranks *ranks, svs__fiber *slot) {
    SVS__ASSERT(slot->counted == 0);
    slot->counted = (uint32_t)sizeof *slot + (slot->state == slot->heap ? slot->bytes : 0);
    svs__overflow_grows(ranks, 0, slot->counted);
}

static void end_of_handler(svs_ranks *ranks, svs__fiber *slot) {
    if (slot->counted != 0) svs__overflow_falls(ranks, 0, slot->counted);
    if (slot->structure != NULL) slot->structure->fibers--;
    slot->counted = 0;
    slot->structure = NULL;
}

static inline void end_generation(svs_ranks *ranks, svs__fiber *slot) {
    if (slot->of_handler) end_of_handler(ranks, slot);
    slot->generation++; /* ranks.F2 */
    slot->counter = NULL;
    if (slot->heap_bytes > SVS__FIBER_KEPT) release_heap(ranks, slot);
    put_free(&ranks->fibers, slot);
}

void svs__fiber_free(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_move(ranks, slot, SVS__FIBER_FREE);
    end_generation(ranks, slot);
}

void svs__fiber_end(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_move_from(ranks, slot, SVS__FIBER_EXECUTES, SVS__FIBER_FREE);
    end_generation(ranks, slot);
}

void svs__fibers_clean_up(svs_ranks *ranks) {
    svs__fibers *fibers = &ranks->fibers;
    for (uint32_t i = 0; i < svs__fiber_count(ranks); i++)
        release_heap(ranks, svs__fiber_at(ranks, i));
    for (uint32_t i = 0; i < fibers->chunk_count; i++)
        svs__release(&ranks->options.allocator, fibers->chunks[i], sizeof **fibers->chunks,
                     _Alignof(svs__slot_chunk));
    svs__array_release(&ranks->options.allocator, fibers->chunks, fibers->chunk_capacity,
                       sizeof(svs__slot_chunk *));
}
