/* The inbox of a task: putting items in, and taking them out (record.h).
 *
 * | operation | caller           | progress          |
 * |-----------|------------------|-------------------|
 * | put, take | any worker       | a spin lock       |
 * | attend    | a worker         | a spin lock       |
 * | doze      | a worker         | sleeps, bounded   |
 * | waiting   | any thread       | wait-free, a hint |
 * | retire    | any worker, once | wait-free, but for the last of a batch |
 *
 *   sched.I6  `waiting` counts the items that belong to the current iteration. `later` counts the
 *       items that were put in after the task had ended, or between iterations: they come after the
 *       others, and belong to the next iteration;
 *   sched.I7  `uncounted` is the number of waiting items that are not in the task's `outstanding`
 *       yet, so that a source sends without an atomic addition. They were sent by sources that are
 *       not shut, whose references keep the task from ending (sched.R1). They are counted in before
 *       one of them is taken, and before a source gives its reference back;
 *   sched.I8  an item from outside does not wait unnoticed. `attended` counts workers that are in a
 *       step of the task's domain. After a worker has subtracted itself from the count, it checks
 *       the inbox, and wakes another worker if items wait. A sender wakes a worker if it has put
 *       its items into an empty inbox that no worker attends. Otherwise a worker attends the inbox,
 *       or was woken before (not asserted in full: about a worker's next step;
 *       tests/explore/scenarios/sources.c);
 *   sched.I9  `wake_at` is 0, or one worker that attends the inbox sleeps, for a bounded time. The
 *       sender that brings `waiting` up to `wake_at`, or finds no room, sets it to 0 and wakes that
 *       worker, and so does the end of a source. So no sender waits for room that a sleeping worker
 *       would make;
 *   sched.I10 an item from a body does not wait unnoticed. Its sender wakes workers when it can be
 *       taken, which is later for an item of a strip (sched.I15), unless other items wait in the
 *       inbox and the domain's instances are light (window/serial.h). In that case a worker is in a
 *       step of the domain, or was woken before, and that worker checks again before it leaves
 *       (sched.W8). A sender in a serial run of the items' domain wakes no worker either: its own
 *       worker is in such a step (not asserted: about a worker's next step;
 *       tests/explore/scenarios/windows.c);
 *   sched.I11 each item of a generated batch is made once, by the worker that takes it, before
 *       anything reads it. A take reserves the numbers of its items under the lock. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_INBOX_H
#define SVS_SCHED_DOMAIN_QUEUE_INBOX_H

#include "sched/domain/queue/batches.h"
#include "sched/domain/queue/strip.h"

/* Puts items of a body in. @param order the order of the sender. @param from the number of the
 * first item. Together they give the orders of the instances. Sets *alone to whether no other items
 * wait (sched.I10). `strip`: a closed strip, which the call opens after the items; or NULL. */
svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from, svs__strip *strip, bool *alone);

/* A send from outside of bodies. */
typedef struct svs__outside {
    /* the maximum number of instances of the task that have not ended, including the new ones */
    uint32_t limit;
    /* the value of the inbox's `shut` when the source was made; NULL: the sender is no source */
    const uint32_t *shut;
    /* describes items that are made when they are taken; NULL: the items exist */
    svs__generated *generated;
    bool wakes;  /* result: the caller must wake a worker for the items (sched.I8) */
    bool rouses; /* result: the caller must wake the dozing worker (sched.I9) */
} svs__outside;

/* Puts items from outside of bodies in. @return SVS_OK; SVS_E_FULL; SVS_E_CANCELLED (the source was
 * shut); SVS_E_NO_MEMORY. */
svs_status svs__inbox_put_outside(svs_task *task, const void *items, size_t count,
                                  svs__outside *by);

/* Counts the uncounted items in `outstanding` (sched.I7). The caller holds the lock. */
void svs__inbox_count_in(svs_task *task);

/* The caller, a worker in a step of the task's domain, begins to attend the inbox, or leaves it
 * (sched.I8). @return the number of waiting items: if it is not 0, the caller wakes another
 * worker. */
void svs__inbox_attend(svs__inbox *inbox);
uint32_t svs__inbox_leave(svs__inbox *inbox);

/* Called by a worker that attends the inbox: it sleeps until `enough` items wait, a sender finds no
 * room, or a source is freed, but for at most about `ns` nanoseconds (sched.I9). */
void svs__inbox_doze(svs__inbox *inbox, uint32_t enough, uint64_t ns);

/* Whether the caller must wake a dozing worker: with `now` in any case, otherwise if enough items
 * wait. The caller holds the lock, and calls svs__inbox_wake() after it has released the lock. */
bool svs__inbox_rouse(svs__inbox *inbox, bool now);
void svs__inbox_wake(svs__inbox *inbox);

/* Begins an iteration: the items that were put in for it may now be taken. Adds their number and
 * `references` to `outstanding` (sched.T2). */
void svs__inbox_begin(svs_task *task, uint32_t references);

/* Drops all waiting items. @return their number; the caller reports their end. */
uint32_t svs__inbox_discard(svs_task *task);

/* Takes up to `limit` items that are adjacent in memory. @return their number. *first becomes the
 * first one. Generated items are made by this call, or, if `later` is not NULL, by the caller
 * (svs__generated_make): then *later says which, and has no function if there are none. */
uint32_t svs__inbox_take(svs_task *task, uint32_t limit, void **first, svs__generated *later);

/* Frees the remaining batches. */
void svs__inbox_clean_up(svs_task *task);

static inline uint32_t svs__inbox_waiting(svs__inbox *inbox) {
    return svs__load_acquire(&inbox->waiting);
}

#endif
