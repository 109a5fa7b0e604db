/* Taking items out of an inbox, and putting items into it. */
#include "sched/domain/queue/inbox.h"

#include <string.h>

#include "base/platform.h"
#include "base/program.h"
#include "sched/domain/queue/batches.h"

void svs__inbox_count_in(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    uint32_t count = svs__load_relaxed(&inbox->uncounted);
    uint64_t before;
    SVS__ASSERT(svs__lock_is_held(&inbox->lock));
    if (!count) return;
    /* relaxed is enough: the source of the items has a reference to the task, which orders the end
     * of the task. */
    before = svs__fetch_add_relaxed(&task->lead->outstanding, count);
    SVS__ASSERT(before >= SVS__REFERENCE); /* sched.I7 */
    svs__store_relaxed(&inbox->uncounted, 0);
}

/* Counts items as taken. The caller holds the lock. */
static void note_taken(svs_task *task, uint32_t count) {
    svs__inbox *inbox = &task->inbox;
    svs__inbox_count_in(task);
    /* relaxed is enough: the lock is held. */
    svs__store_relaxed(&inbox->waiting, svs__load_relaxed(&inbox->waiting) - count);
}

/* Removes the first batch from the inbox, if all of its items were taken and no more will come. The
 * caller holds the lock. @return the batch, which the caller retires after it has released the
 * lock; NULL: the batch stays. */
static svs__batch *leave(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *batch = inbox->first;
    if (!batch || batch->taken != batch->count || batch == inbox->lent) return NULL;
    if (batch->generated)
        return batch->count == batch->capacity ? svs__generated_go_on(task) : NULL;
    if (batch->taken != batch->capacity && !batch->next) return NULL;
    inbox->first = batch->next;
    if (!inbox->first) inbox->last = NULL;
    return batch;
}

uint32_t svs__inbox_take(svs_task *task, uint32_t limit, void **first, svs__generated *later) {
    svs__inbox *inbox = &task->inbox;
    svs__generated reserved = {.function = NULL};
    svs__batch *batch, *left;
    uint32_t count;
    if (later) later->function = NULL;
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
        /* sched.I1, sched.I11, sched.S2: items before `taken` are taken, and no others. */
        SVS__ASSERT(batch->taken <= batch->count && svs__inbox_waiting(inbox) >= count);
        note_taken(task, count);
    }
    svs__lock_release(&inbox->lock);
    if (left) svs__batch_retire(left, left->capacity - left->taken + 1);
    if (SVS__LIKELY(!reserved.function) || !count) return count;
    if (later) *later = reserved;
    else svs__generated_make(&reserved, *first);
    return count;
}

/* Passes dropped items of a batch to the task's callback, if there is one. */
static void drop(svs__batch *batch, uint32_t from, uint32_t to) {
    if (SVS__LIKELY(!batch->task->dropped)) return;
    for (; from < to; from++) svs__item_drop(svs__batch_item(batch, from));
}

/* Drops the items that were put in and not taken, of the batches that have left the inbox, from
 * `batch` up to `end`. */
static void discard(svs__batch *batch, const svs__batch *end) {
    for (svs__batch *next; batch != end; batch = next) {
        next = batch->next;
        if (batch->generated) svs__generated_free(batch);
        drop(batch, batch->taken, batch->count);
        /* The workers that took items retire these items (sched.I2). */
        svs__batch_retire(batch, batch->capacity - batch->taken + 1);
    }
}

/* Counts all items of the batch `lent`, on which a strip is open, as taken; the batch stays
 * (sched.I14). @return the batches after it. */
static svs__batch *take_all_of(svs__batch *lent) {
    svs__batch *after = lent->next;
    lent->next = NULL;
    lent->taken = lent->count;
    return after;
}

uint32_t svs__inbox_discard(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *first, *lent = NULL, *after = NULL;
    uint32_t count, from = 0, to = 0;
    svs__lock_acquire(&inbox->lock);
    count = svs__inbox_waiting(inbox);
    first = inbox->first;
    if (count) inbox->first = inbox->last = lent = inbox->lent;
    if (lent) {
        from = lent->taken;
        to = lent->count;
        after = take_all_of(lent);
    }
    note_taken(task, count);
    svs__lock_release(&inbox->lock);
    if (!count) return 0;
    discard(first, lent);
    if (from < to) {
        drop(lent, from, to);
        svs__batch_retire(lent, to - from);
    }
    discard(after, NULL);
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
    /* relaxed is enough for all accesses to `wake_at`: they are made under the lock. The system
     * reads the word without the lock, in an order that the lock gives. */
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
    /* relaxed is enough for both: the lock is held */
    uint32_t at = svs__load_relaxed(&inbox->wake_at);
    if (SVS__LIKELY(!at) || (!now && svs__inbox_waiting(inbox) < at)) return false;
    svs__store_relaxed(&inbox->wake_at, 0); /* sched.I9 */
    return true;
}

void svs__inbox_wake(svs__inbox *inbox) { svs__futex_wake(&inbox->wake_at, 1); }

void svs__inbox_clean_up(svs_task *task) {
    svs__inbox *inbox = &task->inbox;
    for (svs__batch *batch = inbox->first; batch; batch = batch->next) {
        if (batch->generated) svs__generated_free(batch);
        drop(batch, batch->taken, batch->count);
    }
    svs__batches_free(inbox->first);
    svs__batches_free(inbox->spare);
    inbox->first = inbox->last = inbox->spare = NULL;
    inbox->spare_count = inbox->used = 0;
}

/* ---- putting ---- */

/* Copies items into a batch. @return the address after the last copied item. */
static const char *fill(svs__batch *batch, const char *items, uint32_t count, uint64_t seed) {
    size_t size = batch->task->type->item_size, stride = batch->item_bytes;
    char *to = svs__batch_item(batch, batch->count);
    if (size == stride) memcpy(to, items, count * size);
    else
        for (uint32_t i = 0; i < count; i++) memcpy(to + i * stride, items + i * size, size);
    svs__batch_note_sent(batch, batch->count, seed);
    batch->count += count;
    return items + count * size;
}

static void append(svs_task *task, const char *items, size_t count, uint64_t seed) {
    svs__inbox *inbox = &task->inbox;
    while (count) {
        svs__batch *batch = inbox->last;
        SVS__ASSERT(batch); /* sched.I3: there are batches for all items */
        uint32_t room = svs__batch_room(batch), some = count < room ? (uint32_t)count : room;
        if (some) items = fill(batch, items, some, seed);
        seed += some;
        count -= some;
        if (count) inbox->last = batch->next;
    }
}

static void link_behind(svs__inbox *inbox, svs__batch *chain) {
    if (!chain) return;
    if (inbox->last) inbox->last->next = chain;
    else inbox->first = inbox->last = chain;
}

/* Puts items into the inbox. The caller holds the lock, and has called svs__inbox_make_room(). */
static void put(svs_task *task, svs__batch *chain, const void *items, size_t count, uint64_t order,
                uint64_t from) {
    link_behind(&task->inbox, chain);
    append(task, items, count, svs__order_seed(order, from));
}

static void note_fed(_Atomic(uint32_t) *fed) {
    /* relaxed is enough for both: a stale value does no harm. The load avoids a write to a cache
     * line that all senders share. */
    if (!svs__load_relaxed(fed)) svs__store_relaxed(fed, 1);
}

svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from, svs__strip *strip, bool *alone) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *chain;
    if (!count) return SVS_OK;
    svs__program_leave();
    svs__lock_acquire(&inbox->lock);
    if (!svs__inbox_make_room(task, count, &chain)) {
        svs__lock_release(&inbox->lock);
        svs__program_enter();
        return SVS_E_NO_MEMORY;
    }
    /* sched.I6: the sender keeps the task from ending, so no item is for later */
    SVS__ASSERT(!inbox->later);
    note_fed(&inbox->is_fed_inside);
    put(task, chain, items, count, order, from);
    *alone = svs__inbox_let_take(inbox, (uint32_t)count);
    if (strip) svs__strip_open(strip, task);
    svs__lock_release(&inbox->lock);
    svs__program_enter();
    return SVS_OK;
}

/* Counts items from outside. The caller holds the lock. Sets *full if the source's limit is
 * reached. @return whether the items belong to the current iteration, and are counted (sched.I6,
 * sched.I7). */
static bool join(svs_task *task, uint32_t count, const svs__outside *by, bool *full) {
    svs__inbox *inbox = &task->inbox;
    uint32_t uncounted = svs__load_relaxed(&inbox->uncounted);
    uint64_t outstanding;
    if (!by->shut || task->shares_lead) return svs__outstanding_join(task, count, by->limit, full);
    /* seq_cst: as in svs__outstanding_join(). */
    outstanding = svs__load_seq(&task->lead->outstanding);
    *full = outstanding &&
            svs__outstanding_instances(outstanding) + (uint64_t)uncounted > by->limit - count;
    if (!outstanding || *full) return false;
    SVS__ASSERT(outstanding >= SVS__REFERENCE); /* sched.I7, sched.R1 */
    svs__store_relaxed(&inbox->uncounted, uncounted + count);
    return true;
}

/* Makes room for items from outside. The caller holds the lock. @return false: no memory. */
static bool make_room_outside(svs_task *task, uint32_t count, const svs__outside *by,
                              svs__batch **chain) {
    if (!by->generated) return svs__inbox_make_room(task, count, chain);
    by->generated->seed = svs__order_seed(SVS__ORDER_OUTSIDE, task->inbox.external);
    return svs__generated_new(task, by->generated, chain);
}

/* Puts all items in, after make_room_outside(). The caller holds the lock. */
static void put_all(svs_task *task, svs__batch *chain, const void *items, uint32_t count,
                    const svs__outside *by) {
    svs__inbox *inbox = &task->inbox;
    if (!by->generated) {
        put(task, chain, items, count, SVS__ORDER_OUTSIDE, inbox->external);
    } else {
        link_behind(inbox, chain);
        inbox->last = chain;
    }
    inbox->external += count;
}

/* Puts items from outside in, if the limit allows. The caller holds the lock. */
static svs_status put_outside(svs_task *task, const void *items, uint32_t count, svs__outside *by) {
    svs__inbox *inbox = &task->inbox;
    svs__batch *chain;
    bool full, joins;
    if (count > by->limit || inbox->later > by->limit - count) return SVS_E_FULL;
    if (!make_room_outside(task, count, by, &chain)) return SVS_E_NO_MEMORY;
    joins = join(task, count, by, &full);
    if (full) {
        svs__inbox_give_back(inbox, chain);
        by->rouses = svs__inbox_rouse(inbox, true); /* sched.I9 */
        return SVS_E_FULL;
    }
    SVS__ASSERT(!joins || !inbox->later); /* sched.I6 */
    put_all(task, chain, items, count, by);
    if (!joins) {
        inbox->later += count;
        return SVS_OK;
    }
    note_fed(&inbox->is_fed_outside);
    by->wakes = svs__inbox_let_take(inbox, count) && !inbox->attended; /* sched.I8 */
    by->rouses = svs__inbox_rouse(inbox, false);                       /* sched.I9 */
    return SVS_OK;
}

svs_status svs__inbox_put_outside(svs_task *task, const void *items, size_t count,
                                  svs__outside *by) {
    svs__inbox *inbox = &task->inbox;
    svs_status status = SVS_OK;
    by->wakes = by->rouses = false;
    svs__program_leave();
    svs__lock_acquire(&inbox->lock);
    if (by->shut && inbox->shut != *by->shut) status = SVS_E_CANCELLED; /* sched.R2 */
    else if (count) status = put_outside(task, items, (uint32_t)count, by);
    svs__lock_release(&inbox->lock);
    if (SVS__UNLIKELY(by->rouses)) svs__inbox_wake(inbox);
    svs__program_enter();
    return status;
}

void svs__inbox_begin(svs_task *task, uint32_t references) {
    svs__inbox *inbox = &task->inbox;
    svs__lock_acquire(&inbox->lock);
    /* relaxed is enough: run.lock is held, and so is the inbox's lock, under which each later
     * change from outside is made. */
    (void)svs__fetch_add_relaxed(&task->lead->outstanding,
                                 references * SVS__REFERENCE + inbox->later);
    /* sched.I6, sched.I7: the task had ended */
    SVS__ASSERT(!svs__inbox_waiting(inbox) && !svs__load_relaxed(&inbox->uncounted));
    /* relaxed is enough for both: stale values do no harm */
    svs__store_relaxed(&inbox->is_fed_inside, 0);
    svs__store_relaxed(&inbox->is_fed_outside, 0);
    (void)svs__inbox_let_take(inbox, inbox->later);
    inbox->later = 0;
    svs__lock_release(&inbox->lock);
}
