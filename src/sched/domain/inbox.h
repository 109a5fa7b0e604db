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

/* Up to `limit` records that lie one after the other. @return how many, the first in *record. */
uint32_t svs__inbox_take(svs_task *task, uint32_t limit, svs__record **record);

/* From one record to the next, of those taken together. */
size_t svs__record_bytes(const svs_task *task);

/* `count` records of one batch are done with. */
void svs__batch_retire(svs__batch *batch, uint32_t count);

/* The batch is not needed any more (I2). */
void svs__batch_recycle(svs__batch *batch);

/* svs__batch_retire() for the only worker that retires records of the batch's domain meanwhile. */
static inline void svs__batch_retire_alone(svs__batch *batch, uint32_t count) {
    /* relaxed, and no read-modify-write: the domain orders what others retire before and after. */
    uint32_t live = svs__load_relaxed(&batch->live) - count;
    svs__store_relaxed(&batch->live, live);
    if (!live) svs__batch_recycle(batch);
}

/* Frees what is left. */
void svs__inbox_clean_up(svs_task *task);

static inline uint32_t svs__inbox_waiting(svs__inbox *inbox) {
    return svs__load_acquire(&inbox->waiting);
}

#endif
