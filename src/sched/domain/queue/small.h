/* Small batches, of one item each: a graph that waits with one item, or runs with one, needs no
 * batch of SVS__BATCH_BYTES. They lie in slabs that all graphs of a world share (common.h), as the
 * items of transforms lie in those of their graph (sched.I4).
 *
 *   sched.I12 an inbox has at most one small batch whose item was not taken, and nothing waits
 *       beside it: the item moves into an ordinary batch with the next send. So what lies one
 *       behind the other is the same as without small batches. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_SMALL_H
#define SVS_SCHED_DOMAIN_QUEUE_SMALL_H

#include "sched/domain/task.h"

/* @return NULL: the item is too large, or there is no memory. */
svs__batch *svs__small_new(svs_task *task);
void svs__small_free(svs__batch *batch);

static inline bool svs__batch_is_small(const svs__batch *batch) {
    return (uintptr_t)batch % SVS__BATCH_BYTES != 0;
}

/* [sched.I12] The small batch of the inbox, if its item was not taken, or NULL. Under the lock. */
static inline svs__batch *svs__small_waiting(const svs__inbox *inbox) {
    svs__batch *last = inbox->last;
    return last && svs__batch_is_small(last) && !last->taken ? last : NULL;
}

/* Puts an empty ordinary batch in the place of the small one that waits, with its item. Under the
 * lock. */
void svs__small_replace(svs__inbox *inbox, svs__batch *by);

#endif
