/* Help-first: the finish scopes of a worker, on its own deque (<svs/async.h>; Steal Tree section
 * 2).
 *
 * A finish is identified by its base: the head of the deque at its begin. At its end, the waiter
 * runs its own children, newest first. For each stolen child it steals back from that child's thief
 * (leapfrogging), only descendants of its own, and then sleeps. Any other steal could run a task on
 * top of one that the waiter waits for.
 *
 * A child on its spawner's worker leaves its own children to the enclosing finish. On a thief, the
 * child is a finish of its own. Both are equivalent: a wait for the child includes a wait for its
 * descendants.
 *
 * operation  caller                       progress                                      order
 * drain      worker of the async context  blocks; wait-free once no thief runs a child  acquire
 * begin      thief of a child             wait-free: one store                          release
 * end        thief of a child             wait-free: one exchange; a system call when   release
 *                                         the spawner sleeps
 *
 *   worksteal.F1  The slots of a finish are those from its base to head; all of them are its
 *                 descendants.
 *   worksteal.F2  Steals take the oldest slot: when the newest slot of a finish is stolen, all of
 *                 them are.
 *   worksteal.F3  The state of a stolen child's slot is the tagged context (worksteal.F5), then its
 *                 thief, then ENDED. Bit 0 of the thief's address says that the spawner sleeps on
 *                 its own `wake`. A thief that finds the bit at its exchange changes `wake` and
 *                 wakes the spawner; after the exchange it does not access the slot.
 *   worksteal.F4  A wait for stolen children takes an ordinal, like an async, so that the phases
 *                 that the worker runs during the wait have a place in its order (hooks.O2). (not
 *                 asserted: it defines the numbering; tests/unit/async/phases.c compares histories
 *                 with it)
 *   worksteal.F5  A child runs in the context of its spawner, on any worker. All private slots of a
 *                 deque were pushed in its owner's present context, so a share or a hand stores
 *                 that context, tagged, in the slot's state. The thief has it as its own context
 *                 until the child has completed. So the context belongs to the running code, not to
 *                 the worker.
 *
 * Order: the thief's exchange is a release, and the spawner's load of the state an acquire: the
 * spawner sees the writes of its children. */
#ifndef SVS_WORKSTEAL_FINISH_H
#define SVS_WORKSTEAL_FINISH_H

#include "worksteal/worker.h"

/* Runs the children in the slots from `base` to head, and waits for those that were stolen. */
void svs__finish_drain(svs__worker *worker, svs__slot *base);

/* Runs a child that was stolen from `victim`, and reports its completion. */
void svs__finish_run_stolen(svs__worker *worker, svs__worker *victim, svs__slot *slot);

/* Offers the newest child, which is in `slot`, to the runtime's guide. */
void svs__finish_guide(svs__worker *worker, svs__slot *slot);

/* Calls `body` in parallel for disjoint ranges that cover 0 .. count-1, each of at most `grain` (0
 * means 1) indices; returns when all calls have completed. With a NULL worker, serially in the
 * calling thread. Not called from a body, only from code that a worker runs between bodies. */
void svs__parallel_for(svs__worker *worker, size_t count, size_t grain,
                       void (*body)(size_t begin, size_t end, void *argument), void *argument);

#endif
