/* The inbox of a task: what waits for it (inbox.h).
 *
 *   sched.I6  `waiting` counts the items that belong to the present iteration, `later` those that
 *       were put in while the task had ended or no iteration was there. They stand behind the
 *       others, and belong to the next one;
 *   sched.I7  `uncounted` of the items that wait are not in the task's `outstanding` yet, so that a
 *       source sends without an atomic addition. Sources that are not shut have sent them, and the
 *       references of these keep the task from ending (sched.R1). They are counted in before one of
 *       them is taken, and before a source gives its reference back;
 *   sched.I8  an item from outside that waits is looked at. `attended` counts workers that are in a
 *       step of the task's domain; each looks at the inbox, and wakes another for what waits, after
 *       it has taken itself off the count. A sender wakes a worker if it has put its items into an
 *       empty inbox that no worker attends. Otherwise a worker attends, or was woken before
 *       (not asserted in full: about a worker's next step; tests/explore/scenarios/sources.c);
 *   sched.I9  `wake_at` is 0, or one worker that attends the inbox sleeps, for a bounded time. The
 *       sender that brings `waiting` up to `wake_at`, or finds no room, sets it to 0 and wakes that
 *       worker, and so does the end of a source. So no sender waits for room that a sleeping worker
 *       would make;
 *   sched.I10 an item that a body sends is looked at. Its sender wakes workers, unless other items
 *       wait there and the domain's instances are light (window/light.h). In that case a worker is
 *       in a step of the domain, or was woken before, and that one looks again before it leaves
 *       (sched.W8). Nor does a sender in a lane of their domain wake any: its own worker is in such
 *       a step
 *       (not asserted: about a worker's next step; tests/explore/scenarios/windows.c);
 *   sched.I11 each item of a generated batch is made once, by the worker that takes it, before it
 *       is looked at. The numbers of what one take gets are reserved under the lock. */
#ifndef SVS_SCHED_DOMAIN_QUEUE_STATE_H
#define SVS_SCHED_DOMAIN_QUEUE_STATE_H

#include "sched/domain/queue/record.h"

typedef struct svs__inbox {
    svs__lock lock;
    _Atomic(uint32_t) waiting; /* items not taken yet; changes under the lock */
    svs__batch *first, *last;
    _Atomic(uint32_t) uncounted; /* sched.I7; changes under the lock */
    uint32_t attended;           /* sched.I8 */
    _Atomic(uint32_t) wake_at;   /* sched.I9; changes under the lock */
    uint64_t external;           /* items sent from outside so far: their order */
    uint32_t later;              /* sched.I6 */
    uint32_t shut;               /* how often the task's sources were shut (sched.R2) */
    svs__batch *spare;           /* empty batches, kept for the next items */
    uint32_t spare_count;
    uint32_t used, used_max;  /* batches that are not spare; the most of them since the last run */
    uint32_t used_max_before; /* in the run before */
    uint32_t made, made_before; /* how often there was no room, in this run and in the one before */
    _Atomic(uint32_t) is_fed_inside;  /* items were sent in this iteration by bodies, */
    _Atomic(uint32_t) is_fed_outside; /* by sources */
} svs__inbox;

#endif
