/* The inbox of a task: items are put in as records (record.h), and records are taken out.
 *
 * | operation | caller           | progress          |
 * |-----------|------------------|-------------------|
 * | put, take | any worker       | a spin lock       |
 * | waiting   | any thread       | wait-free, a hint |
 * | retire    | any worker, once | wait-free, but for the last of a batch | */
#ifndef SVS_SCHED_DOMAIN_INBOX_H
#define SVS_SCHED_DOMAIN_INBOX_H

#include "sched/domain/task.h"

/* @param order of the sender and @param from the number of the first item: together they give the
 * records' orders. */
svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from);

/* Takes up to `limit` records that lie one after the other. @return how many; *record becomes the
 * first. */
uint32_t svs__inbox_take(svs_task *task, uint32_t limit, svs__record **record);

/* Ends `count` records of one batch. */
void svs__batch_retire(svs__batch *batch, uint32_t count);

/* Ends the batch (sched.I2). */
void svs__batch_recycle(svs__batch *batch);

/* svs__batch_retire() while no other worker retires records of the batch's domain. */
static inline void svs__batch_retire_alone(svs__batch *batch, uint32_t count) {
    /* relaxed, and no read-modify-write: the domain orders the retirements before and after. */
    uint32_t live = svs__load_relaxed(&batch->live) - count;
    SVS__ASSERT(live <= UINT32_MAX - count); /* sched.I2: it was not less than `count` */
    svs__store_relaxed(&batch->live, live);
    if (!live) svs__batch_recycle(batch);
}

/* Frees the batches that are left. */
void svs__inbox_clean_up(svs_task *task);

static inline uint32_t svs__inbox_waiting(svs__inbox *inbox) {
    return svs__load_acquire(&inbox->waiting);
}

#endif
