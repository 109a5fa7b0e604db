/* The slots of fibers.
 *
 *   free -> created -> (waits | posts) -> enabled -> executes -> free, or created: its continuation
 *
 *   ranks.F1  A fiber has exclusive access to its rank from its start to its end, except in
 *             svs_poll() and the calls that enable an in-place fiber.
 *   ranks.F2  A fiber is created, enabled once, executed once; then it is freed or continues as
 *             another. Stale handles are refused: a generation ends with its fiber.
 *   ranks.F4  An in-place fiber or handler does not wait, continue, poll or modify its argument.
 *
 * Slots do not move, so that counters can be in the states of fibers. A state that does not fit
 * into its slot is in memory that the slot keeps for later fibers. */
#ifndef SVS__RANKS_FIBER_FIBER_H
#define SVS__RANKS_FIBER_FIBER_H

#include "ranks/failure.h"

/* Largest memory for a state that a slot keeps, in bytes. */
#define SVS__FIBER_KEPT 4096u

/* Creates a fiber with room for its state. @return NULL: no memory. */
svs__fiber *svs__fiber_new(svs_ranks *ranks, svs_fiber_function *function, size_t bytes,
                           svs_scheduler *scheduler);
/* Makes a slot in state created for another use than a fiber, with SVS__FIBER_INLINE bytes of
 * state. It is not counted as a fiber. @return NULL: no memory. */
svs__fiber *svs__slot_new(svs_ranks *ranks, svs_fiber_function *function, svs_scheduler *scheduler);
/* Called when a handler's fiber has continued: its memory counts as overflow of its rank until it
 * ends (ranks.B4). */
void svs__fiber_suspends(svs_ranks *ranks, svs__fiber *slot);
/* Frees a fiber, whose generation ends. The slot is the next one that is used. */
void svs__fiber_free(svs_ranks *ranks, svs__fiber *slot);
/* The same for a fiber that executes. */
void svs__fiber_end(svs_ranks *ranks, svs__fiber *slot);
void svs__fibers_clean_up(svs_ranks *ranks);

/* The states that may follow each state, as bits. */
extern const uint8_t svs__fiber_followers[];

static inline uint32_t svs__is_suspended(svs__fiber_state state) {
    return state == SVS__FIBER_CREATED || state == SVS__FIBER_WAITS;
}

/* Moves a fiber from one state to another, and updates the counts. With constant states little of
 * it is left after compilation. */
static inline void svs__fiber_move_from(svs_ranks *ranks, svs__fiber *fiber,
                                        svs__fiber_state before, svs__fiber_state state) {
    SVS__ASSERT(fiber->status == before);                          /* ranks.F2 */
    SVS__ASSERT((svs__fiber_followers[before] >> state & 1) != 0); /* ranks.F2 */
    fiber->status = state;
    ranks->fibers.suspended += svs__is_suspended(state) - svs__is_suspended(before);
    ranks->fibers.posting +=
        (uint32_t)(state == SVS__FIBER_POSTS) - (uint32_t)(before == SVS__FIBER_POSTS);
}

static inline void svs__fiber_move(svs_ranks *ranks, svs__fiber *fiber, svs__fiber_state state) {
    svs__fiber_move_from(ranks, fiber, fiber->status, state);
}

static inline svs__fiber *svs__fiber_at(svs_ranks *ranks, uint32_t index) {
    return &ranks->fibers.chunks[index / SVS__SLOTS_IN_CHUNK]->slots[index % SVS__SLOTS_IN_CHUNK];
}

static inline svs__waiter *svs__waiter_at(svs_ranks *ranks, uint32_t index) {
    return &ranks->fibers.chunks[index / SVS__SLOTS_IN_CHUNK]->waiters[index % SVS__SLOTS_IN_CHUNK];
}

static inline svs_fiber svs__handle_of(const svs__fiber *slot) {
    svs_fiber fiber = {slot->index, slot->generation};
    return fiber;
}

static inline uint32_t svs__fiber_count(const svs_ranks *ranks) {
    return ranks->fibers.chunk_count * SVS__SLOTS_IN_CHUNK;
}

/* The fiber of a handle. @return NULL: the fiber has ended. */
static inline svs__fiber *svs__fiber_of(svs_ranks *ranks, svs_fiber fiber) {
    svs__fiber *slot;
    if (fiber.slot >= svs__fiber_count(ranks)) return NULL;
    slot = svs__fiber_at(ranks, fiber.slot);
    return slot->generation == fiber.generation && slot->status != SVS__FIBER_FREE ? slot : NULL;
}

static inline void svs__queue_put(svs__queue *queue, svs__fiber *slot) {
    slot->next = NULL;
    if (queue->first == NULL) queue->first = slot;
    else queue->last->next = slot;
    queue->last = slot;
}

/* Takes the first fiber of a queue. @return NULL: it is empty. */
static inline svs__fiber *svs__queue_take(svs__queue *queue) {
    svs__fiber *slot = queue->first;
    if (slot != NULL) queue->first = slot->next;
    return slot;
}

#endif
