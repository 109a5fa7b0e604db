/* The steal policy: decides what workers run, instead of random stealing. It replays a trace, or
 * the steals of an earlier iteration (Steal Tree sections 7.2 and 8.2).
 *
 * While a runtime has a guide, each spawn goes the slow way and asks it; an async that it takes is
 * handed over as if it had been stolen, and the guide has it run, by
 *     svs__finish_run_stolen(worker, victim, slot)     help-first: a child
 *     svs__workfirst_resume(worker, victim, stack)     work-first: a continuation
 *
 * hooks.G1. A child is handed over only when all that is older in its deque has gone
 *     (svs__deque_hand): stolen slots are the oldest of a deque (worksteal.F2). (not asserted:
 *     about the order of a deque; checked by each replay)
 *
 * hooks.G2. An async's ordinal counts what its worker came to before; its path does not depend on
 *     which worker ran what. A task's first async has the path svs__path_below(the task's), and
 *     each further one the number after: the steps from the root, folded into one number. Two
 *     asyncs of one run have the same path with a probability of about n * n / 2^65 for n asyncs.
 *     (not asserted: a matter of probability)
 *
 * hooks.G3. While something runs, the guide stays. An idle worker says that it is in it before it
 *     looks whether it is still there, and the thread that takes it away waits until no worker is
 *     in it. (not asserted: about workers at one time; tests/explore/scenarios/guides.c)
 *
 * Threads: called by workers, each about itself, several at once. */
#ifndef SVS_HOOKS_STEAL_POLICY_H
#define SVS_HOOKS_STEAL_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include <svs/detail/async_context.h>

typedef struct svs__stack svs__stack;
typedef struct svs__worker svs__worker;

typedef struct svs__guide svs__guide;
struct svs__guide {
    bool paths; /* are asyncs numbered by their paths? (hooks.G2) */
    /* The worker spawns async `number`: does the guide take the child or continuation of it that
     * thieves may steal? */
    bool (*wants)(svs__guide *guide, svs__worker *worker, uint64_t number);
    /* Then it gets it: `slot` of the child, or `stack` of the continuation. @return false when
     * there is no memory for it: it is the worker's still, which goes on without the guide. */
    bool (*take)(svs__guide *guide, svs__worker *worker, uint64_t number, svs__slot *slot,
                 svs__stack *stack);
    /* Runs something that was handed over, on a worker with nothing to do. @return whether. */
    bool (*run)(svs__guide *guide, svs__worker *worker);
    /* Might run() find something? Called before a worker sleeps. */
    bool (*ready)(svs__guide *guide, svs__worker *worker);
    /* May the worker also steal what it finds? */
    bool (*steals)(svs__guide *guide, svs__worker *worker);
    /* Help-first: run() on a worker that waits for the children in [base, last). */
    bool (*run_waiting)(svs__guide *guide, svs__worker *worker, svs__slot *base, svs__slot *last);
    /* May this worker begin a root? It may find that another has, and ask again. */
    bool (*roots)(svs__guide *guide, svs__worker *worker);
    /* NULL, or: it begins one. */
    void (*begins_root)(svs__guide *guide, svs__worker *worker);
    /* Work-first: NULL, or whether the phase that reaches the end of a finish suspends there, or
     * does it wait in place? */
    bool (*suspends)(svs__guide *guide, svs__worker *worker);
    /* NULL, or: `worker` has waited for its children, and goes on. */
    void (*goes_on)(svs__guide *guide, svs__worker *worker);
    /* Work-first: NULL, or: `worker` has ended the last child that `stack` waited for. @return
     * whether the guide has another worker continue it. */
    bool (*resumes)(svs__guide *guide, svs__worker *worker, svs__stack *stack);
};

#define SVS__ROOT_PATH 1u

static inline uint64_t svs__path_below(uint64_t path) {
    return (path ^ path >> 29) * 0x9E3779B97F4A7C15u;
}

#endif
