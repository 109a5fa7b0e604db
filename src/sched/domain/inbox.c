#include "sched/domain/inbox.h"

#include <string.h>

#include "base/memory.h"

#define BATCH_BYTES 16384u

static svs__record *record_at(svs__batch *batch, uint32_t i) {
    return (svs__record *)(void *)((char *)batch + SVS__BATCH_FRONT +
                                   i * svs__record_bytes(batch->task));
}

static const svs_allocator *allocator_of(const svs_task *task) { return task->world->allocator; }

static void batch_free(svs__batch *batch) {
    svs__release(allocator_of(batch->task), batch, batch->bytes, SVS__CACHE_LINE);
}

static svs__batch *batch_new(svs_task *task) {
    size_t record = svs__record_bytes(task);
    size_t bytes =
        SVS__BATCH_FRONT + record > BATCH_BYTES ? SVS__BATCH_FRONT + record : BATCH_BYTES;
    svs__batch *batch = task->inbox.spare;
    task->inbox.spare = NULL;
    if (!batch) batch = svs__allocate(allocator_of(task), bytes, SVS__CACHE_LINE);
    if (!batch) return NULL;
    memset(batch, 0, sizeof *batch);
    batch->task = task;
    batch->bytes = bytes;
    batch->capacity = (uint32_t)((bytes - SVS__BATCH_FRONT) / record);
    svs__store_relaxed(&batch->live, batch->capacity + 1);
    return batch;
}

/* Batches for all items that the last one has no room for (sched.I3). */
static bool make_room(svs_task *task, size_t count, svs__batch **chain) {
    svs__inbox *inbox = &task->inbox;
    size_t room = inbox->last ? inbox->last->capacity - inbox->last->count : 0;
    svs__batch **end = chain;
    *chain = NULL;
    while (room < count) {
        svs__batch *batch = batch_new(task);
        if (!batch) {
            while (*chain) {
                batch = *chain;
                *chain = batch->next;
                batch_free(batch);
            }
            return false;
        }
        room += batch->capacity;
        *end = batch;
        end = &batch->next;
    }
    return true;
}

/* The commonest items are a pointer or two: moves instead of a call. */
static inline void copy_item(void *to, const void *from, size_t size) {
    if (size == 8) memcpy(to, from, 8);
    else if (size == 16) memcpy(to, from, 16);
    else memcpy(to, from, size);
}

/* @return the items behind those that are put in. */
static const char *fill(svs__batch *batch, const char *items, uint32_t count, uint64_t order,
                        uint64_t from) {
    size_t size = batch->task->type->item_size, bytes = svs__record_bytes(batch->task);
    char *at = (char *)record_at(batch, batch->count);
    for (uint32_t i = 0; i < count; i++, at += bytes, items += size) {
        svs__record *record = (svs__record *)(void *)at;
        record->batch = batch;
        record->order = svs__order(order, from + i);
        record->note = 0;
        record->tries = 0;
        copy_item(svs__record_item(record), items, size);
    }
    batch->count += count;
    return items;
}

static void append(svs_task *task, const char *items, size_t count, uint64_t order, uint64_t from) {
    svs__inbox *inbox = &task->inbox;
    while (count) {
        svs__batch *batch = inbox->last;
        SVS__ASSERT(batch); /* sched.I3: make_room() has made batches for all items */
        uint32_t room = batch->capacity - batch->count,
                 some = count < room ? (uint32_t)count : room;
        items = fill(batch, items, some, order, from);
        from += some;
        count -= some;
        if (count) inbox->last = batch->next;
    }
}

svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *chain;
    if (!count) return SVS_OK;
    svs__lock_acquire(&inbox->lock);
    if (!make_room(task, count, &chain)) {
        svs__lock_release(&inbox->lock);
        return SVS_E_NO_MEMORY;
    }
    if (chain) {
        if (inbox->last) inbox->last->next = chain;
        else inbox->first = inbox->last = chain;
    }
    append(task, items, count, order, from);
    /* release: a worker that sees the count finds work under the lock. */
    (void)svs__fetch_add_release(&inbox->waiting, (uint32_t)count);
    svs__lock_release(&inbox->lock);
    return SVS_OK;
}

void svs__batch_recycle(svs__batch *batch) {
    svs__inbox *inbox = &batch->task->inbox;
    svs__batch *unused = batch;
    svs__lock_acquire(&inbox->lock);
    if (!inbox->spare) {
        inbox->spare = batch;
        unused = NULL;
    }
    svs__lock_release(&inbox->lock);
    if (unused) batch_free(unused);
}

void svs__batch_retire(svs__batch *batch, uint32_t count) {
    /* acq_rel: the worker that takes the last reference sees all retirements of the batch
     * (sched.I2). */
    uint32_t live = svs__fetch_sub_acq_rel(&batch->live, count);
    SVS__ASSERT(live >= count); /* sched.I2 */
    if (live == count) svs__batch_recycle(batch);
}

uint32_t svs__inbox_take(svs_task *task, uint32_t limit, svs__record **record) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *batch, *left = NULL;
    uint32_t count;
    if (!svs__inbox_waiting(inbox)) return 0;
    svs__lock_acquire(&inbox->lock);
    batch = inbox->first;
    if (batch && batch->taken == batch->capacity) {
        left = batch;
        batch = inbox->first = batch->next;
        if (!batch) inbox->last = NULL;
    }
    count = batch ? batch->count - batch->taken : 0;
    if (count > limit) count = limit;
    if (count) {
        *record = record_at(batch, batch->taken);
        batch->taken += count;
        /* sched.I1, sched.S2: records before `taken` are taken, and no others. */
        SVS__ASSERT(batch->taken <= batch->count && svs__inbox_waiting(inbox) >= count);
        /* relaxed: under the lock. */
        (void)svs__fetch_sub_relaxed(&inbox->waiting, count);
    }
    svs__lock_release(&inbox->lock);
    if (left) svs__batch_retire(left, 1);
    return count;
}

void svs__inbox_clean_up(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    while (inbox->first) {
        svs__batch *batch = inbox->first;
        inbox->first = batch->next;
        batch_free(batch);
    }
    if (inbox->spare) batch_free(inbox->spare);
    inbox->last = inbox->spare = NULL;
}
