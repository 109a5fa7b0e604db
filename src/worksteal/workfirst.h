/* Work-first: a spawn runs the child at once on a stack of its own, and thieves steal the spawner's
 * continuation (<svs/async.h>; Steal Tree section 2).
 *
 *     spawn:   save the spawner's stack; push its continuation; run the child
 *     end:     pop. Not stolen: continue the spawner, at the cost of a return.
 *              Stolen: report to the spawner's finish, and switch to the worker's own stack.
 *     finish:  nothing stolen: no wait.
 *              Otherwise, unless all children have completed: switch to the worker's own stack; the
 *              worker of the last child resumes the finish. No stolen work runs on the stack of a
 *              waiting finish.
 *
 * operation  caller                 progress                              order
 * begin      spawner                wait-free; the pool's lock when the   none
 *                                   cache is empty
 * commit     spawner                as begin; if the continuation is      that of the deque
 *                                   stolen, returns on the thief
 * drain      worker of the async context   wait-free; may return on another      acquire
 *                                   worker
 * resume     thief                  wait-free                             that of the deque
 * (end)      worker of the child    wait-free: one fetch_sub if the       acquire and release
 *                                   continuation was stolen
 *
 *   worksteal.J1  A finish counts its stolen continuations in `stolen`, which is private to the
 *                 worker that runs the finish. The counter `left` begins at SVS__JOIN_OPEN. A child
 *                 that completes after the theft of its continuation subtracts 1; the end of the
 *                 finish subtracts SVS__JOIN_OPEN - stolen. So `left` becomes 0 when the finish has
 *                 reached its end and all these children have completed, and the worker that makes
 *                 it 0 resumes the finish.
 *   worksteal.J2  The subtraction for the end of the finish is done on the worker's own stack,
 *                 after the stack of the finish was saved: another worker may resume that at once.
 *   worksteal.J3  A task is a finish of its own: it waits for its children before it reports its
 *                 completion. This is equivalent for the enclosing finish, which waits for all
 *                 descendants.
 *   worksteal.J4  A spawn and a drain may return on another thread. No thread-specific value is
 *                 used across them: the worker is read from the async context again, where the
 *                 resuming worker has stored it.
 *
 * Order: the subtraction from `left` is a release of the child's writes, and an acquire for the
 * worker that resumes the finish. */
#ifndef SVS_WORKSTEAL_WORKFIRST_H
#define SVS_WORKSTEAL_WORKFIRST_H

#include "worksteal/worker.h"

/* Number of stealable continuations that suffice for a worker. A worker that has them calls further
 * children in place, until some are stolen or the stack is full. The oldest continuations have the
 * most work. */
#define SVS__CONTINUATIONS 4u

/* Greater than any possible number of children. */
#define SVS__JOIN_OPEN ((uint64_t)1 << 62)

/* @return the slot for the child's function and arguments, on its future stack; NULL: call the
 * child in place; the worker's `nowhere`: there is no room for it at all, or it is dropped
 * (worksteal.C3). */
svs__slot *svs__workfirst_begin(svs__worker *worker, svs_async_context *async);
svs__slot *svs__workfirst_commit(svs__worker *worker, svs_async_context *async, svs__slot *slot,
                                 svs__slot *base);
void svs__workfirst_drain(svs_async_context *async, svs__slot *base);

/* Opens the join of the finish at `base`: called at the first child of the finish, and at the first
 * one after each wait (worksteal.J1). */
static inline void svs__workfirst_open(svs__slot *base) {
    svs__join *join = (svs__join *)(void *)base->arguments;
    /* relaxed is enough: a later share publishes it */
    svs__store_relaxed(&join->left, SVS__JOIN_OPEN);
    join->stolen = 0;
}

/* From the worker's own stack: runs `root(async, argument)` on another stack, and then the
 * finishes that it resumes, until it has none left. `ended(worker, argument)` is called by any
 * worker, on its own stack, when the root and all its descendants have completed. `*failed` becomes
 * the status for which a descendant was not run: SVS_E_LIMIT (no stack is left) or SVS_E_NO_MEMORY.
 * @return SVS_OK; SVS_E_LIMIT when other runs use all stacks, SVS_E_NO_MEMORY: nothing was done. */
svs_status svs__workfirst_start(svs__worker *worker, svs_async_function *root, void *argument,
                                void (*ended)(svs__worker *worker, void *argument),
                                _Atomic(uint32_t) *failed);

/* Called on the worker's own stack: runs a stolen continuation, and then the finishes that it
 * resumes. */
void svs__workfirst_resume(svs__worker *worker, svs__worker *victim, svs__stack *stack);

/* Called on the worker's own stack: runs a finish whose last child has completed, and then the
 * finishes that it resumes. */
void svs__workfirst_go_on(svs__worker *worker, svs__stack *stack);

#endif
