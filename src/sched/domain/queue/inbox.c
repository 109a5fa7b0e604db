/* Taking items out of an inbox. */
#include "sched/domain/queue/inbox.h"

#include "base/platform.h"
#include "sched/domain/queue/generate.h"

void svs__inbox_count_in(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    uint32_t count = svs__load_relaxed(&inbox->uncounted);
    uint64_t before;
    SVS__ASSERT(svs__lock_is_held(&inbox->lock));
    if (!count) return;
    /* relaxed: the reference of the items' source orders the end of the task. */
    before = svs__fetch_add_relaxed(&task->lead->outstanding, count);
    SVS__ASSERT(before >= SVS__REFERENCE); /* sched.I7 */
    svs__store_relaxed(&inbox->uncounted, 0);
}

/* Under the lock. */
static void note_taken(svs_task *task, uint32_t count) {
    svs__inbox *inbox = &task->inbox;
    svs__inbox_count_in(task);
    /* relaxed: under the lock. */
    svs__store_relaxed(&inbox->waiting, svs__load_relaxed(&inbox->waiting) - count);
}

/* Under the lock: the inbox leaves the first batch when all of its items were taken and no more
 * come. @return that, which is retired without the lock, or NULL. */
static svs__batch *leave(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *batch = inbox->first;
    if (!batch || batch->taken != batch->count) return NULL;
    if (batch->generated)
        return batch->count == batch->capacity ? svs__generated_go_on(task) : NULL;
    if (batch->taken != batch->capacity && !batch->next) return NULL;
    inbox->first = batch->next;
    if (!inbox->first) inbox->last = NULL;
    return batch;
}

uint32_t svs__inbox_take(svs_task *task, uint32_t limit, void **first) {
    svs__inbox *inbox = &task->inbox;
    svs__generated reserved = {.function = NULL};
    svs__batch *batch, *left;
    uint32_t count;
    if (!svs__inbox_waiting(inbox)) return 0;
    svs__lock_acquire(&inbox->lock);
    left = leave(task);
    batch = inbox->first;
    if (batch && SVS__UNLIKELY(batch->generated != NULL))
        reserved = svs__generated_reserve(batch, limit);
    count = batch ? batch->count - batch->taken : 0;
    if (count > limit) count = limit;
    if (count) {
        *first = svs__batch_item(batch, batch->taken);
        batch->taken += count;
        /* sched.I1, sched.S2: items before `taken` are taken, and no others. */
        SVS__ASSERT(batch->taken <= batch->count && svs__inbox_waiting(inbox) >= count);
        note_taken(task, count);
    }
    svs__lock_release(&inbox->lock);
    if (left) svs__batch_retire(left, left->capacity - left->taken + 1);
    if (SVS__UNLIKELY(reserved.function != NULL) && count) svs__generated_make(&reserved, *first);
    return count;
}

/* Drops those of a batch that were put in and not taken, for the task's callback. */
static void drop_left(svs__batch *batch) {
    if (SVS__LIKELY(!batch->task->dropped)) return;
    for (uint32_t i = batch->taken; i < batch->count; i++)
        svs__item_drop(svs__batch_item(batch, i));
}

uint32_t svs__inbox_discard(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *batch, *next;
    uint32_t count;
    svs__lock_acquire(&inbox->lock);
    count = svs__inbox_waiting(inbox);
    batch = inbox->first;
    if (count) inbox->first = inbox->last = NULL;
    note_taken(task, count);
    svs__lock_release(&inbox->lock);
    for (; count && batch; batch = next) {
        next = batch->next;
        if (batch->generated) svs__generated_free(batch);
        drop_left(batch);
        /* Those that were taken are retired by the workers that took them (sched.I2). */
        svs__batch_retire(batch, batch->capacity - batch->taken + 1);
    }
    return count;
}

void svs__inbox_attend(svs__inbox *inbox) {
    svs__lock_acquire(&inbox->lock);
    inbox->attended++;
    svs__lock_release(&inbox->lock);
}

uint32_t svs__inbox_leave(svs__inbox *inbox) {
    uint32_t waiting;
    svs__lock_acquire(&inbox->lock);
    SVS__ASSERT(inbox->attended); /* sched.I8 */
    inbox->attended--;
    waiting = svs__inbox_waiting(inbox);
    svs__lock_release(&inbox->lock);
    return waiting;
}

void svs__inbox_doze(svs__inbox *inbox, uint32_t enough, uint64_t ns) {
    bool dozes;
    svs__lock_acquire(&inbox->lock);
    SVS__ASSERT(inbox->attended); /* sched.I9 */
    /* relaxed, these: under the lock, or the system's look at the word, which the lock orders. */
    dozes = !svs__load_relaxed(&inbox->wake_at) && svs__inbox_waiting(inbox) < enough;
    if (dozes) svs__store_relaxed(&inbox->wake_at, enough);
    svs__lock_release(&inbox->lock);
    if (!dozes) return;
    svs__futex_wait_for(&inbox->wake_at, enough, ns);
    svs__lock_acquire(&inbox->lock);
    svs__store_relaxed(&inbox->wake_at, 0);
    svs__lock_release(&inbox->lock);
}

bool svs__inbox_rouse(svs__inbox *inbox, bool now) {
    uint32_t at = svs__load_relaxed(&inbox->wake_at); /* relaxed, both: under the lock */
    if (SVS__LIKELY(!at) || (!now && svs__inbox_waiting(inbox) < at)) return false;
    svs__store_relaxed(&inbox->wake_at, 0); /* sched.I9 */
    return true;
}

void svs__inbox_wake(svs__inbox *inbox) { svs__futex_wake(&inbox->wake_at, 1); }

void svs__inbox_clean_up(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    for (svs__batch *batch = inbox->first; batch; batch = batch->next) {
        if (batch->generated) svs__generated_free(batch);
        drop_left(batch);
    }
    svs__batches_free(inbox->first);
    svs__batches_free(inbox->spare);
    inbox->first = inbox->last = inbox->spare = NULL;
    inbox->spare_count = inbox->used = 0;
}
