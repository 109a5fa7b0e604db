/* Work-first: a spawn runs the child at once on a stack of its own, and what can be stolen is the
 * spawner's continuation (<svs/async.h>; Steal Tree section 2).
 *
 *     spawn:   save the spawner's place; push it; run the child
 *     end:     pop; it is still there: go on in the spawner, for the price of a return
 *              it was stolen: report to the spawner's finish, and leave for the worker's own stack
 *     finish:  nothing was stolen: nothing to do
 *              otherwise: leave for the worker's own stack, unless all children have ended; the
 *              last child's worker resumes the finish. Nobody steals on top of it.
 *
 * operation  caller                     progress
 * begin      the spawner                wait-free, but for the pool's lock when the cache is empty
 * commit     the spawner                as begin; goes on on another worker if stolen
 * drain      who ends a finish          wait-free; goes on on another worker if it must wait
 * resume     the thief                  wait-free
 * (end)      the worker of the child    wait-free: one fetch_sub, if the continuation was stolen
 *
 * J1. A finish counts the continuations that were stolen from it in `stolen`, which belongs to who
 *     runs the finish; each child whose continuation was stolen takes 1 off `left`, which begins at
 *     SVS__JOIN_OPEN. Who ends the finish takes (open - stolen) off: so `left` becomes 0 when both
 *     the finish and all its children are at their ends, and who makes it 0 goes on with it.
 * J2. The finish's part is taken off from the worker's own stack, after the finish's place was
 *     saved: whoever is last may resume it at once.
 * J3. A task is a finish of its own: a child that leaves asyncs behind waits for them before it
 *     reports its own end. It makes no difference to the finish around it, which waits for all.
 * J4. Nothing of the thread may be kept over a spawn or a drain: the worker is read from the async
 *     context again, which whoever resumes the stack has set.
 *
 * Order: taking from `left` is a release for what the child wrote, and an acquire for who makes it
 * 0. */
#ifndef SVS_WORKSTEAL_WORKFIRST_H
#define SVS_WORKSTEAL_WORKFIRST_H

#include "worksteal/worker.h"

/* So many continuations that wait for thieves are enough for a worker: below them, children are
 * called in place, until some are stolen or the stack is full. The oldest are the largest. */
#define SVS__CONTINUATIONS 4u

/* More than there can ever be children. */
#define SVS__JOIN_OPEN ((uint64_t)1 << 62)

/* @return the slot for the child's function and arguments, on the stack that it will have; NULL:
 * call it in place; the worker's
 * `nowhere`: there is no room for it at all. */
svs__slot *svs__workfirst_begin(svs__worker *worker, svs_async_context *async);
svs__slot *svs__workfirst_commit(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                                 svs__slot *base);
void svs__workfirst_drain(svs_async_context *async, svs__slot *base);

/* The finish at `base` has its first child, or the first since it last waited (J1). */
static inline void svs__workfirst_open(svs__slot *base) {
    svs__join *join = (svs__join *)(void *)base->arguments;
    svs__store_relaxed(&join->left, SVS__JOIN_OPEN); /* relaxed: the push comes after */
    join->stolen = 0;
}

/* From the worker's own stack: runs `root(async, argument)` on a stack of its own, and what
 * follows from that, until the worker has nothing of it left. `ended(worker, argument)` is called
 * on whatever worker, from its own stack, when root and all that it has spawned have ended.
 * `*failed` becomes the status for which one of them was not run: SVS_E_LIMIT (no stack is left) or
 * SVS_E_NO_MEMORY.
 * @return SVS_OK; SVS_E_LIMIT when other runs have all stacks, SVS_E_NO_MEMORY: nothing was
 * done. */
svs_status svs__workfirst_start(svs__worker *worker, svs_async_function *root, void *argument,
                                void (*ended)(svs__worker *worker, void *argument),
                                _Atomic(uint32_t) *failed);

/* From the worker's own stack: the same with a continuation that was stolen. */
void svs__workfirst_resume(svs__worker *worker, svs__worker *victim, svs__stack *stack);

/* From the worker's own stack: the same with a finish whose last child has ended. */
void svs__workfirst_go_on(svs__worker *worker, svs__stack *stack);

#endif
