/* The inbox of a task: items are put in and taken out (record.h).
 *
 * | operation | caller           | progress          |
 * |-----------|------------------|-------------------|
 * | put, take | any worker       | a spin lock       |
 * | attend    | a worker         | a spin lock       |
 * | doze      | a worker         | sleeps, bounded   |
 * | waiting   | any thread       | wait-free, a hint |
 * | retire    | any worker, once | wait-free, but for the last of a batch |
 *
 *   sched.I6  `waiting` counts the items that belong to the present iteration, `later` those that
 *       were put in while the task had ended or no iteration was there. They come after the others,
 *       and belong to the next iteration;
 *   sched.I7  `uncounted` of the items that wait are not in the task's `outstanding` yet, so that a
 *       source sends without an atomic addition. Sources that are not shut have sent them, and the
 *       references of these keep the task from ending (sched.R1). They are counted in before one of
 *       them is taken, and before a source gives its reference back;
 *   sched.I8  an item from outside does not wait unnoticed. `attended` counts workers that are in a
 *       step of the task's domain. After each has taken itself off the count, it checks the inbox,
 *       and wakes another worker if items wait. A sender wakes a worker if it has put its items
 *       into an empty inbox that no worker attends. Otherwise a worker attends, or was woken before
 *       (not asserted in full: about a worker's next step; tests/explore/scenarios/sources.c);
 *   sched.I9  `wake_at` is 0, or one worker that attends the inbox sleeps, for a bounded time. The
 *       sender that brings `waiting` up to `wake_at`, or finds no room, sets it to 0 and wakes that
 *       worker, and so does the end of a source. So no sender waits for room that a sleeping worker
 *       would make;
 *   sched.I10 an item from a body does not wait unnoticed. Its sender wakes workers, unless other
 *       items wait there and the domain's instances are light (window/serial.h). In that case a
 *       worker is in a step of the domain, or was woken before, and that worker checks again before
 *       it leaves (sched.W8). A sender in a serial run of the items' domain wakes no worker either:
 *       its own worker is in such a step (not asserted: about a worker's next step;
 *       tests/explore/scenarios/windows.c);
 *   sched.I11 each item of a generated batch is made once, by the worker that takes it, before
 *       anything reads it. A take reserves the numbers of its items under the lock. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_INBOX_H
#define SVS_SCHED_DOMAIN_QUEUE_INBOX_H

#include "sched/domain/queue/batches.h"
#include "sched/domain/queue/strip.h"

/* @param order of the sender and @param from the number of the first item: together they give the
 * instances' orders. *alone becomes whether no other items wait (sched.I10).
 * `strip`: a strip that is closed, and is to be opened after the items; or NULL. */
svs_status svs__inbox_put(svs_task *task, const void *items, size_t count, uint64_t order,
                          uint64_t from, svs__strip *strip, bool *alone);

/* A send from outside of bodies. */
typedef struct svs__outside {
    /* most instances of the task that may be unended, including the new ones */
    uint32_t limit;
    const uint32_t *shut; /* the inbox's `shut` when the source was made; NULL: not by a source */
    svs__generated *generated; /* the items are made when they are taken; NULL: they are there */
    bool wakes;                /* result: a worker is to be woken for the items (sched.I8) */
    bool rouses;               /* result: the worker that dozes is to be woken (sched.I9) */
} svs__outside;

/* @return SVS_OK; SVS_E_FULL; SVS_E_CANCELLED (the source was shut); SVS_E_NO_MEMORY. */
svs_status svs__inbox_put_outside(svs_task *task, const void *items, size_t count,
                                  svs__outside *by);

/* Counts what is uncounted (sched.I7). Under the lock. */
void svs__inbox_count_in(svs_task *task);

/* The caller, a worker in a step of the task's domain, attends the inbox, or does so no longer
 * (sched.I8). @return how many items wait: if there are any, the caller wakes another worker. */
void svs__inbox_attend(svs__inbox *inbox);
uint32_t svs__inbox_leave(svs__inbox *inbox);

/* The caller attends the inbox. It sleeps until `enough` items wait, a sender finds no room, a
 * source is freed, or for about `ns` (sched.I9). */
void svs__inbox_doze(svs__inbox *inbox, uint32_t enough, uint64_t ns);

/* Whether to wake a worker that dozes: always with `now`, else when enough items wait. The caller
 * wakes it by svs__inbox_wake(), after it has released the lock. Called under the lock. */
bool svs__inbox_rouse(svs__inbox *inbox, bool now);
void svs__inbox_wake(svs__inbox *inbox);

/* Begins an iteration: what was put in for it may be taken. @return how many these are. The caller
 * has counted nothing for them; `references` are added to `outstanding` with them (sched.T2). */
void svs__inbox_begin(svs_task *task, uint32_t references);

/* Drops all items that wait. @return how many: the caller reports their end. */
uint32_t svs__inbox_discard(svs_task *task);

/* Takes up to `limit` items that are adjacent in memory. @return how many; *first becomes the
 * first. */
uint32_t svs__inbox_take(svs_task *task, uint32_t limit, void **first);

/* Frees the batches that are left. */
void svs__inbox_clean_up(svs_task *task);

static inline uint32_t svs__inbox_waiting(svs__inbox *inbox) {
    return svs__load_acquire(&inbox->waiting);
}

#endif
