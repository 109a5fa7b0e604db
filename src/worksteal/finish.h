/* Child tasks of a task (help-first): spawn them, then wait for all of them.
 *
 *     static void fib(svs__worker *w, void *argument) {
 *         struct fib *f = argument, left = {f->n - 1, 0}, right = {f->n - 2, 0};
 *         svs__finish finish;
 *         if (f->n < 2) { f->value = f->n; return; }
 *         svs__finish_init(&finish, w);
 *         svs__spawn(w, &finish, fib, &left);
 *         fib(w, &right);
 *         svs__finish_wait(w, &finish);
 *         f->value = left.value + right.value;
 *     }
 *
 * A finish scope lives in the frame that waits for it, and scopes nest as frames do. Who waits runs
 * its own children, newest first; for those that were stolen it takes children of the thief, its
 * own descendants, and nothing else; then sleeps.
 *
 * A child may spawn into the scope that it was spawned into, on whatever worker it runs. On a
 * thief, such a child's child goes to a scope of the thief's own, which ends with the stolen child.
 *
 * operation  caller                         progress
 * init       a task, with its worker        wait-free
 * spawn      a task, with its worker        wait-free; runs the child when the deque is full
 * wait       the task that made the scope   blocks; wait-free when no thief has a child any more
 * (end)      the thief of a child           wait-free; a system call when the waiter sleeps
 *
 * F1. A spawn goes to the innermost open scope of its worker. (So the slots of a scope are those
 *     from its `base` to head, and all of them are descendants of the scope.)
 * F2. Steals begin at the oldest: when the newest of a scope's slots is stolen, all are. The owner
 *     then adds their number to the count, from which each thief takes one off at its end, before
 *     or after: the count is 0 when all have ended, and the thief that makes it 0 after the
 *     addition finds 1 before.
 * F3. Bit 0 of the word says that the owner sleeps on it; the thief that ends last wakes it, and
 *     touches the scope no more after its fetch_sub.
 *
 * Order: the fetch_sub is a release, and the owner's look at the word an acquire: the owner sees
 * what its children wrote. */
#ifndef SVS_WORKSTEAL_FINISH_H
#define SVS_WORKSTEAL_FINISH_H

#include "worksteal/worker.h"

struct svs__finish {
    _Atomic(uint32_t) word; /* twice the stolen children that have not ended, plus F3's bit */
    uint32_t base;          /* the deque's head when it was made */
    svs__finish *parent;    /* the scope around it, on the same worker */
};

/* Waits for what was stolen from the scope; svs__finish_wait() is the way in. */
void svs__finish_drain(svs__worker *worker, svs__finish *finish);

/* A thief's report that a child of `finish` has ended. */
void svs__finish_child_ended(svs__finish *finish);

static inline void svs__finish_init(svs__finish *finish, svs__worker *worker) {
    /* relaxed: thieves learn of the scope from children that are shared later. */
    svs__store_relaxed(&finish->word, 0);
    finish->base = worker->deque.head;
    finish->parent = worker->scope;
    worker->scope = finish;
}

/* `run(worker, argument)` will have run when `finish` has been waited for; `worker` is the one that
 * runs it. `argument` lives until then.
 * @param finish the innermost scope that the caller made, or, when it has made none, the scope that
 * it was spawned into. */
static inline void svs__spawn(svs__worker *worker, svs__finish *finish, svs__child_function *run,
                              void *argument) {
    SVS_ASSERT(finish != NULL && worker->scope != NULL);
    (void)finish;
    if (SVS__UNLIKELY(!svs__deque_push(&worker->deque, run, argument, worker->scope))) {
        run(worker, argument);
        return;
    }
    if (svs__deque_wanted(&worker->deque)) svs__worker_share(worker);
}

/* Returns when all that was spawned into the scope has ended; the scope is closed then. */
static inline void svs__finish_wait(svs__worker *worker, svs__finish *finish) {
    SVS_ASSERT(worker->scope == finish);
    if (worker->deque.head != finish->base) svs__finish_drain(worker, finish);
    worker->scope = finish->parent;
}

/* Calls `body` for ranges that cover 0 .. count-1 once, each of at most `grain` (0 means 1)
 * indices, in parallel; returns when all have ended. With a NULL worker, in the calling thread
 * alone. */
void svs__parallel_for(svs__worker *worker, size_t count, size_t grain,
                       void (*body)(size_t begin, size_t end, void *argument), void *argument);

#endif
