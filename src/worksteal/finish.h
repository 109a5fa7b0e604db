/* Help-first: the children that a worker has spawned and waits for, on its own deque
 * (<svs/async.h>; Steal Tree section 2).
 *
 * A finish is where head was when it began (its base). Who waits runs its own children, newest
 * first; for those that were stolen it takes children of the thief, its own descendants, and
 * nothing else; then sleeps. Stealing anything else while waiting could put a task on top of one
 * that it waits for.
 *
 * A child that runs on its spawner's worker leaves what it spawns to the finish around it; on a
 * thief, it is a finish of its own, which is no difference to anybody: who waits for the child
 * waits for what the child has spawned.
 *
 * operation  caller                   progress
 * drain      who runs on the async context   blocks; wait-free when no thief has a child any more
 * (take)     the thief of a child     wait-free: one store
 * (end)      the thief of a child     wait-free: one exchange; a system call when the waiter sleeps
 *
 * F1. The slots of a finish are those from its base to head, and all of them are descendants of it.
 * F2. Steals begin at the oldest: when the newest of a finish's slots is stolen, all are.
 * F3. The state of a stolen child's slot is what waits (F5), then its thief, then ENDED; bit 0
 *     beside the thief says that the spawner sleeps on its own `wake`. The thief that finds the bit
 *     at its exchange changes `wake` and wakes; after the exchange it touches the slot no more.
 * F4. A wait for stolen children takes an ordinal, like an async: what a worker does meanwhile has
 *     its place in the order of what it does (O2).
 * F5. A child runs in the context of its spawner, on whatever worker: the context is the deque
 *     owner's when the slot is shared or handed over, since all slots that are not shared yet were
 *     pushed in it; it goes into the slot's state, tagged, and is the thief's own until the child
 *     has ended. So the context belongs to what runs, not to the worker.
 *
 * Order: the exchange is a release, and the spawner's look at the state an acquire: the spawner
 * sees what its children wrote. */
#ifndef SVS_WORKSTEAL_FINISH_H
#define SVS_WORKSTEAL_FINISH_H

#include "worksteal/worker.h"

/* Runs and awaits the children from `base` on. */
void svs__finish_drain(svs__worker *worker, svs__slot *base);

/* Runs a child that was stolen from `victim`, and reports its end. */
void svs__finish_run_stolen(svs__worker *worker, svs__worker *victim, svs__slot *slot);

/* Offers the child that was pushed last to the runtime's guide. */
void svs__finish_guide(svs__worker *worker, svs__slot *slot);

/* Calls `body` for ranges that cover 0 .. count-1 once, each of at most `grain` (0 means 1)
 * indices, in parallel; returns when all have ended. With a NULL worker, in the calling thread
 * alone. Not from a body's async context: from what a worker does between bodies. */
void svs__parallel_for(svs__worker *worker, size_t count, size_t grain,
                       void (*body)(size_t begin, size_t end, void *argument), void *argument);

#endif
