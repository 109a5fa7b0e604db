#include "sched/domain/queue/batches.h"

#include "base/memory.h"
#include "sched/domain/queue/small.h"

static const svs_allocator *allocator_of(const svs_task *task) { return task->world->allocator; }

static void batch_free(svs__batch *batch) {
    if (svs__batch_is_small(batch)) {
        svs__small_free(batch);
        return;
    }
    svs__release(allocator_of(batch->task), batch,
                 svs__batch_bytes(batch->item_bytes, batch->capacity), SVS__BATCH_BYTES);
}

static svs__batch *take_spare(svs__inbox *inbox) {
    svs__batch *batch = inbox->spare;
    if (!batch) return NULL;
    inbox->spare = batch->next;
    inbox->spare_count--;
    return batch;
}

static void keep_spare(svs__inbox *inbox, svs__batch *batch) {
    if (svs__batch_is_small(batch)) {
        svs__small_free(batch);
        return;
    }
    batch->next = inbox->spare;
    inbox->spare = batch;
    inbox->spare_count++;
    inbox->used--;
}

static svs__batch *batch_allocate(svs_task *task) {
    size_t stride = svs__task_stride(task->type);
    uint32_t capacity = svs__batch_capacity(stride);
    svs__batch *batch =
        svs__allocate(allocator_of(task), svs__batch_bytes(stride, capacity), SVS__BATCH_BYTES);
    if (batch) svs__batch_init(batch, task, stride, capacity);
    return batch;
}

static svs__batch *batch_new(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *batch = take_spare(inbox);
    if (batch) svs__batch_clear(batch);
    else batch = batch_allocate(task);
    if (batch && ++inbox->used > inbox->used_max) inbox->used_max = inbox->used;
    return batch;
}

void svs__inbox_give_back(svs__inbox *inbox, svs__batch *chain) {
    while (chain) {
        svs__batch *batch = chain;
        chain = batch->next;
        keep_spare(inbox, batch);
    }
}

/* Under the lock. A small one, for an item that is alone, unless the task has needed more in this
 * run, or in the last one. */
static svs__batch *small_for(svs_task *task, size_t count) {
    svs__inbox *inbox = &task->inbox;
    bool alone = count == 1 && !svs__load_relaxed(&inbox->waiting) && !inbox->later;
    return alone && !inbox->made && inbox->made_before <= 1 ? svs__small_new(task) : NULL;
}

/* @return false: no memory. */
static bool replace_small(svs_task *task, size_t *room) {
    svs__batch *by = batch_new(task);
    if (!by) return false;
    svs__small_replace(&task->inbox, by); /* sched.I12 */
    *room = by->capacity - 1;
    return true;
}

bool svs__inbox_make_more_room(svs_task *task, size_t room, size_t count, svs__batch **chain) {
    svs__inbox *inbox = &task->inbox;
    if (svs__small_waiting(inbox) && !replace_small(task, &room)) return false;
    *chain = small_for(task, count);
    inbox->made++;
    return *chain || svs__inbox_add_room(task, room, count, chain);
}

bool svs__inbox_add_room(svs_task *task, size_t room, size_t count, svs__batch **chain) {
    svs__inbox *inbox = &task->inbox;
    svs__batch **end = chain;
    while (room < count) {
        svs__batch *batch = batch_new(task);
        if (!batch) {
            svs__inbox_give_back(inbox, *chain);
            return false;
        }
        room += batch->capacity;
        *end = batch;
        end = &batch->next;
    }
    return true;
}

void svs__batch_recycle(svs__batch *batch) {
    svs__inbox *inbox = &batch->task->inbox;
    svs__lock_acquire(&inbox->lock);
    keep_spare(inbox, batch);
    svs__lock_release(&inbox->lock);
}

#define TRIM_FEW 16u /* half a megabyte, or a few 0.1 ms */

void svs__inbox_trim(svs_task *task, bool cancelled) {
    svs__inbox *inbox = &task->inbox;
    uint32_t before, kept, most;
    svs__lock_acquire(&inbox->lock);
    before = inbox->used_max_before;
    kept = inbox->used_max;
    most = TRIM_FEW + (cancelled ? 0 : kept);
    inbox->used_max_before = kept;
    inbox->used_max = inbox->used;
    inbox->made_before = inbox->made;
    inbox->made = 0;
    if (before < kept) kept = before;
    for (; most && inbox->spare && inbox->used + inbox->spare_count > kept; most--)
        batch_free(take_spare(inbox));
    svs__lock_release(&inbox->lock);
}

void svs__batches_free(svs__batch *batch) {
    while (batch) {
        svs__batch *next = batch->next;
        batch_free(batch);
        batch = next;
    }
}
