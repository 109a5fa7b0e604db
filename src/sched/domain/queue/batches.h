/* The batches of an inbox: from where they come, and where they go (record.h, sched.I2). */
#ifndef SVS_SCHED_DOMAIN_QUEUE_BATCHES_H
#define SVS_SCHED_DOMAIN_QUEUE_BATCHES_H

#include "sched/domain/task.h"

/* Batches for all items that the last one has no room for (sched.I3), in a chain that was empty.
 * Under the inbox's lock. @return false: no memory. */
bool svs__inbox_add_room(svs_task *task, size_t room, size_t count, svs__batch **chain);
/* The same for items that are there, of which one alone gets a small batch (queue/small.h). */
bool svs__inbox_make_more_room(svs_task *task, size_t room, size_t count, svs__batch **chain);
/* For how many items that are put in a batch has room. */
static inline uint32_t svs__batch_room(const svs__batch *batch) {
    return batch->generated ? 0 : batch->capacity - batch->count;
}

static inline bool svs__inbox_make_room(svs_task *task, size_t count, svs__batch **chain) {
    const svs__batch *last = task->inbox.last;
    size_t room = last ? svs__batch_room(last) : 0;
    *chain = NULL;
    return SVS__LIKELY(room >= count) || svs__inbox_make_more_room(task, room, count, chain);
}

/* Batches that were made for nothing. Under the lock. */
void svs__inbox_give_back(svs__inbox *inbox, svs__batch *chain);

/* Frees a chain of them. */
void svs__batches_free(svs__batch *batch);

/* Ends the batch (sched.I2). */
void svs__batch_recycle(svs__batch *batch);

/* Ends `count` instances of one batch. By any thread: svs_finished() may end one of a batch while a
 * stage that has others of it ends. */
static inline void svs__batch_retire(svs__batch *batch, uint32_t count) {
    /* acq_rel: the worker that takes the last reference sees all retirements of the batch
     * (sched.I2). */
    uint32_t live = svs__fetch_sub_acq_rel(&batch->live, count);
    SVS__ASSERT(live >= count); /* sched.I2 */
    if (SVS__UNLIKELY(live == count)) svs__batch_recycle(batch);
}

/* After a run: frees spare batches that the next run is not likely to use, about as many as this
 * one has used, because the system takes 10 us or more for each. One that was cancelled frees a
 * few, so that its end does not wait; the next ones free the others. */
void svs__inbox_trim(svs_task *task, bool cancelled);

#endif
