/* The batches of an inbox: how they are made, reused and freed (record.h, sched.I2). */
#ifndef SVS_SCHED_DOMAIN_QUEUE_BATCHES_H
#define SVS_SCHED_DOMAIN_QUEUE_BATCHES_H

#include "sched/domain/task.h"

/* Adds batches to an empty chain, for all items for which the last batch has no room (sched.I3).
 * `room` is the number of items for which it has room. The caller holds the inbox's lock. @return
 * false: no memory. */
bool svs__inbox_add_room(svs_task *task, size_t room, size_t count, svs__batch **chain);
/* Does what svs__inbox_add_room() does for items that exist already: a single item gets a small
 * batch. */
bool svs__inbox_make_more_room(svs_task *task, size_t room, size_t count, svs__batch **chain);
/* The number of items that can be put into the batch. */
static inline uint32_t svs__batch_room(const svs__batch *batch) {
    return batch->generated || batch->task->inbox.lent == batch ? 0
                                                                : batch->capacity - batch->count;
}

static inline bool svs__inbox_make_room(svs_task *task, size_t count, svs__batch **chain) {
    const svs__batch *last = task->inbox.last;
    size_t room = last ? svs__batch_room(last) : 0;
    *chain = NULL;
    return SVS__LIKELY(room >= count) || svs__inbox_make_more_room(task, room, count, chain);
}

/* Returns batches that were not needed to the inbox. The caller holds the lock. */
void svs__inbox_give_back(svs__inbox *inbox, svs__batch *chain);

/* Frees a chain of batches. */
void svs__batches_free(svs__batch *batch);

/* Ends the batch (sched.I2). */
void svs__batch_recycle(svs__batch *batch);

/* Ends `count` instances of one batch. Any thread may call it: svs_completed() may end an instance
 * while a stage with other instances of the batch ends. */
static inline void svs__batch_retire(svs__batch *batch, uint32_t count) {
    /* acq_rel: the worker that takes the last reference sees all retirements of the batch
     * (sched.I2). */
    uint32_t live = svs__fetch_sub_acq_rel(&batch->live, count);
    SVS__ASSERT(live >= count); /* sched.I2 */
    if (SVS__UNLIKELY(live == count)) svs__batch_recycle(batch);
}

/* Called after a run: frees the spare batches that the next run is not likely to use. The next run
 * probably uses about as many as this one; freeing one takes the system 10 us or more. After a
 * cancelled run only a few are freed, so that its end does not wait; the next runs free the
 * others. */
void svs__inbox_trim(svs_task *task, bool cancelled);

/* Small batches have one item each, so that a graph with a single item needs no batch of
 * SVS__BATCH_BYTES. They are in slabs that all graphs of a world share (contexts.h). Items of
 * transforms are in slabs of their graph (sched.I4).
 *
 *   sched.I12 an inbox has at most one small batch whose item was not taken, and then it has no
 *       other batch: at the next send the item moves into an ordinary batch. So the same items are
 *       adjacent as without small batches. */

/* @return NULL: the item is too large, or there is no memory. */
svs__batch *svs__small_new(svs_task *task);
void svs__small_free(svs__batch *batch);

static inline bool svs__batch_is_small(const svs__batch *batch) {
    return (uintptr_t)batch % SVS__BATCH_BYTES != 0;
}

/* [sched.I12] The small batch of the inbox whose item was not taken, or NULL. The caller holds the
 * lock. */
static inline svs__batch *svs__small_waiting(const svs__inbox *inbox) {
    svs__batch *last = inbox->last;
    return last && svs__batch_is_small(last) && !last->taken ? last : NULL;
}

/* Replaces the waiting small batch by `by`, an empty ordinary one, and moves its item there. The
 * caller holds the lock. */
void svs__small_replace(svs__inbox *inbox, svs__batch *by);

/* Items that are made when they are taken (svs_graph_generate).
 *
 * They are in a generated batch of the inbox, which counts an item as put in when it is taken. When
 * the batch is full, another one replaces it, until all items are made. So a long loop reuses the
 * batches of a few windows.
 *
 * | operation | caller                 | progress     |
 * |-----------|------------------------|--------------|
 * | reserve   | a worker with the lock | a spin lock  |
 * | make      | that worker            | the program's function | */

struct svs__generated {
    svs_generate_function *function;
    void *argument;
    uint64_t seed;        /* the seed of the first item's order */
    uint32_t next, count; /* the numbers from `next` to `count` - 1 are not reserved */
};

/* Makes an empty batch for the items of `what`, which is copied. The caller holds the lock. @return
 * false: no memory. */
bool svs__generated_new(svs_task *task, const svs__generated *what, svs__batch **batch);

/* Replaces the first batch of the inbox, which is full, by one that continues it. The caller holds
 * the lock. @return the batch that has left the inbox. NULL: the batch stays, either emptied for
 * further items, or full because there is no memory. */
svs__batch *svs__generated_go_on(svs_task *task);

/* Counts up to `limit` items as put in. The caller holds the lock. @return these items; none if the
 * batch is full. */
svs__generated svs__generated_reserve(svs__batch *batch, uint32_t limit);

/* Makes the reserved items, in the places that begin at `first`. */
void svs__generated_make(const svs__generated *reserved, void *first);

/* Makes a generated batch an ordinary one. The caller holds the lock, or is the only owner of the
 * batch. */
void svs__generated_free(svs__batch *batch);

#endif
