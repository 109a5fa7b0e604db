/* Putting items into an inbox. */
#include <string.h>

#include "base/program.h"
#include "sched/domain/queue/generate.h"
#include "sched/domain/queue/inbox.h"

/* @return the items behind those that are put in. */
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

/* Under the lock, after svs__inbox_make_room(). */
static void put(svs_task *task, svs__batch *chain, const void *items, size_t count, uint64_t order,
                uint64_t from) {
    link_behind(&task->inbox, chain);
    append(task, items, count, svs__order_seed(order, from));
}

/* Under the lock. @return whether the inbox was empty. */
static bool let_take(svs__inbox *inbox, uint32_t count) {
    uint32_t before = svs__load_relaxed(&inbox->waiting); /* relaxed: under the lock */
    /* release: a worker that sees the count finds work under the lock. */
    svs__store_release(&inbox->waiting, before + count);
    return !before;
}

static void note_fed(_Atomic(uint32_t) *fed) {
    /* relaxed, both: a hint, in a cache line that is written once. */
    if (!svs__load_relaxed(fed)) svs__store_relaxed(fed, 1);
}

svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from, bool *alone) {
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
    SVS__ASSERT(!inbox->later); /* sched.I6: the sender keeps the task from ending */
    note_fed(&inbox->is_fed_inside);
    put(task, chain, items, count, order, from);
    *alone = let_take(inbox, (uint32_t)count);
    svs__lock_release(&inbox->lock);
    svs__program_enter();
    return SVS_OK;
}

/* Under the lock. *full: the source's limit is reached. @return whether the items belong to the
 * present iteration, and are counted (sched.I6, sched.I7). */
static bool join(svs_task *task, uint32_t count, const svs__outside *by, bool *full) {
    svs__inbox *inbox = &task->inbox;
    uint32_t uncounted = svs__load_relaxed(&inbox->uncounted);
    uint64_t outstanding;
    if (!by->shut || task->shares_lead) return svs__outstanding_join(task, count, by->limit, full);
    /* seq: as in svs__outstanding_join(). */
    outstanding = svs__load_seq(&task->lead->outstanding);
    *full = outstanding &&
            svs__outstanding_instances(outstanding) + (uint64_t)uncounted > by->limit - count;
    if (!outstanding || *full) return false;
    SVS__ASSERT(outstanding >= SVS__REFERENCE); /* sched.I7, sched.R1 */
    svs__store_relaxed(&inbox->uncounted, uncounted + count);
    return true;
}

/* Under the lock. @return false: no memory. */
static bool make_room_outside(svs_task *task, uint32_t count, const svs__outside *by,
                              svs__batch **chain) {
    if (!by->generated) return svs__inbox_make_room(task, count, chain);
    by->generated->seed = svs__order_seed(SVS__ORDER_OUTSIDE, task->inbox.external);
    return svs__generated_new(task, by->generated, chain);
}

/* Under the lock, after the above. */
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

/* Under the lock. */
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
    by->wakes = let_take(inbox, count) && !inbox->attended; /* sched.I8 */
    by->rouses = svs__inbox_rouse(inbox, false);            /* sched.I9 */
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
    /* relaxed: the run's lock, and the inbox's, which each later change from outside holds. */
    (void)svs__fetch_add_relaxed(&task->lead->outstanding,
                                 references * SVS__REFERENCE + inbox->later);
    /* sched.I6, sched.I7: the task had ended */
    SVS__ASSERT(!svs__inbox_waiting(inbox) && !svs__load_relaxed(&inbox->uncounted));
    svs__store_relaxed(&inbox->is_fed_inside, 0); /* relaxed, both: hints */
    svs__store_relaxed(&inbox->is_fed_outside, 0);
    (void)let_take(inbox, inbox->later);
    inbox->later = 0;
    svs__lock_release(&inbox->lock);
}
