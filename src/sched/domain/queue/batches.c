#include "sched/domain/queue/batches.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/program.h"
#include "sched/domain/instance/contexts.h"

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

/* Makes a small batch for a single item, unless the task has needed more batches in this run or the
 * last one. The caller holds the lock. */
static svs__batch *small_for(svs_task *task, size_t count) {
    svs__inbox *inbox = &task->inbox;
    bool alone = count == 1 && !svs__load_relaxed(&inbox->waiting) && !inbox->later && !inbox->lent;
    return alone && !inbox->made && inbox->made_before <= 1 ? svs__small_new(task) : NULL;
}

/* Replaces the waiting small batch by an ordinary one. @return false: no memory. */
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

/* number of batches freed after a cancelled run: half a megabyte, which takes some tenths of a
 * millisecond */
#define TRIM_FEW 16u

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

/* ---- small batches ---- */

#define SMALL_BYTES 512u /* bytes of a small batch with its item */
_Static_assert(sizeof(svs__slab) <= SMALL_BYTES, "the head has the first place");

/* Divides a new slab into small batches. The head of the slab names no task (sched.I4). @return
 * false: no memory. */
static bool add_slab(svs__common *common) {
    const svs_allocator *allocator = common->world->allocator;
    svs__slab *slab = svs__allocate(allocator, SVS__BATCH_BYTES, SVS__BATCH_BYTES);
    if (!slab) return false;
    memset(slab, 0, sizeof *slab);
    slab->bytes = SVS__BATCH_BYTES;
    for (uint32_t at = SMALL_BYTES; at < SVS__BATCH_BYTES; at += SMALL_BYTES)
        svs__common_give(common, &common->small, (svs__block *)(void *)((char *)slab + at));
    svs__common_give_slab(common, slab);
    return true;
}

svs__batch *svs__small_new(svs_task *task) {
    size_t stride = svs__task_stride(task->type);
    svs__common *common;
    svs__block *block;
    if (svs__batch_bytes(stride, 1) > SMALL_BYTES) return NULL;
    common = svs__common_of(task->world);
    if (!common) return NULL;
    while ((block = svs__common_take(common, &common->small)) == NULL)
        if (!add_slab(common)) return NULL;
    svs__batch_init((svs__batch *)(void *)block, task, stride, 1);
    return (svs__batch *)(void *)block;
}

void svs__small_free(svs__batch *batch) {
    svs__common *common = svs__common_of(batch->task->world);
    SVS__ASSERT(common && svs__batch_is_small(batch));
    svs__common_give(common, &common->small, (svs__block *)(void *)batch);
}

static void put_in_place(svs__inbox *inbox, const svs__batch *batch, svs__batch *by) {
    svs__batch **at = &inbox->first;
    while (*at != batch) at = &(*at)->next;
    *at = by;
    inbox->last = by;
}

void svs__small_replace(svs__inbox *inbox, svs__batch *by) {
    svs__batch *small = svs__small_waiting(inbox);
    SVS__ASSERT(small && !small->next && small->count == 1); /* sched.I12 */
    memcpy(svs__batch_item(by, 0), svs__batch_item(small, 0), small->item_bytes);
    svs__batch_note_sent(by, 0, svs__item_seed(svs__batch_item(small, 0)));
    by->count = 1;
    put_in_place(inbox, small, by);
    svs__small_free(small);
}

/* ---- generated batches ---- */

bool svs__generated_new(svs_task *task, const svs__generated *what, svs__batch **batch) {
    const svs_allocator *allocator = task->world->allocator;
    svs__generated *generated;
    *batch = NULL;
    generated = svs__allocate(allocator, sizeof *what, _Alignof(svs__generated));
    if (!generated || !svs__inbox_add_room(task, 0, 1, batch)) {
        svs__release(allocator, generated, sizeof *what, _Alignof(svs__generated));
        return false;
    }
    *generated = *what;
    (*batch)->generated = generated;
    return true;
}

void svs__generated_free(svs__batch *batch) {
    svs__release(batch->task->world->allocator, batch->generated, sizeof *batch->generated,
                 _Alignof(svs__generated));
    batch->generated = NULL;
}

/* Called when there is no memory for another batch: reuses the batch if all of its instances have
 * ended. So the run proceeds, one batch at a time. */
static void start_again(svs__batch *batch) {
    svs__generated *generated = batch->generated;
    svs__batch *next = batch->next;
    /* acquire: pairs with the releases by which instances are retired (sched.I2). */
    if (svs__load_acquire(&batch->live) != 1) return;
    svs__batch_clear(batch);
    batch->generated = generated;
    batch->next = next;
}

svs__batch *svs__generated_go_on(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *full = inbox->first, *next = NULL;
    if (!svs__inbox_add_room(task, 0, 1, &next)) {
        start_again(full);
        return NULL;
    }
    next->generated = full->generated;
    full->generated = NULL;
    next->next = full->next;
    inbox->first = next;
    if (inbox->last == full) inbox->last = next;
    return full;
}

svs__generated svs__generated_reserve(svs__batch *batch, uint32_t limit) {
    svs__generated *all = batch->generated, some = *all;
    uint32_t room = batch->capacity - batch->count, left = all->count - all->next;
    /* sched.I11: a batch whose items are all reserved is no longer a generated one */
    SVS__ASSERT(left);
    if (left > room) left = room;
    if (left > limit) left = limit;
    if (left) svs__batch_note_sent(batch, batch->count, all->seed + all->next);
    batch->count += left;
    all->next += left;
    some.count = all->next;
    if (all->next == all->count) svs__generated_free(batch);
    return some;
}

static void call(const svs__generated *g, void *at, uint32_t from, uint32_t count) {
    SVS__PROGRAM_CALL((void), g->function(at, from, count, g->argument));
}

void svs__generated_make(const svs__generated *reserved, void *first) {
    const svs__batch *batch = svs__batch_of(first);
    size_t stride = batch->item_bytes;
    if (batch->task->type->item_size == stride) {
        call(reserved, first, reserved->next, reserved->count - reserved->next);
        return;
    }
    for (uint32_t i = reserved->next; i < reserved->count; i++)
        call(reserved, (char *)first + (i - reserved->next) * stride, i, 1);
}
