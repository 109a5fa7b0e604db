/* The steal policy: decides what workers run, instead of random stealing. It replays a trace, or
 * the steals of an earlier iteration (Steal Tree sections 7.2 and 8.2).
 *
 * While a runtime has a guide, each spawn takes the slow path and asks the guide. An async that the
 * guide takes is handed over as if it had been stolen, and the guide runs it by
 *     svs__finish_run_stolen(worker, victim, slot)     help-first: a child
 *     svs__workfirst_resume(worker, victim, stack)     work-first: a continuation
 *
 * hooks.G1. A child is handed over only when its deque has no older slots (svs__deque_hand): stolen
 *     slots are the oldest of a deque (worksteal.F2). (not asserted: about the order of a deque;
 *     checked by each replay)
 *
 * hooks.G2. An async's ordinal counts the asyncs that its worker reached before it. Its path is
 *     independent of which worker runs which task: the steps from the root, folded into one number.
 *     A task's first async has the path svs__path_below(the task's path); each further async has
 *     the next number. Two asyncs of one run have the same path with a probability of about n * n /
 *     2^65 for n asyncs. (not asserted: a matter of probability)
 *
 * hooks.G3. A guide is not removed while a run is in progress. An idle worker marks itself as
 *     inside of the guide before it checks that the guide is still installed; the thread that
 *     removes the guide waits until no worker is inside. (not asserted: about workers at one time;
 *     tests/explore/scenarios/guides.c)
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
    /* The worker spawns async `number`: does the guide take its stealable part, the child
     * (help-first) or the continuation (work-first)? */
    bool (*wants)(svs__guide *guide, svs__worker *worker, uint64_t number);
    /* Passes that part to the guide: `slot` of the child, or `stack` of the continuation. @return
     * false when there is no memory: the worker keeps it and continues without the guide. */
    bool (*take)(svs__guide *guide, svs__worker *worker, uint64_t number, svs__slot *slot,
                 svs__stack *stack);
    /* Runs work that was handed over, on an idle worker. @return whether it ran any. */
    bool (*run)(svs__guide *guide, svs__worker *worker);
    /* Might run() find something? Called before a worker sleeps. */
    bool (*ready)(svs__guide *guide, svs__worker *worker);
    /* May the worker also steal from other workers? */
    bool (*steals)(svs__guide *guide, svs__worker *worker);
    /* Help-first: run() on a worker that waits for the children in [base, last). */
    bool (*run_waiting)(svs__guide *guide, svs__worker *worker, svs__slot *base, svs__slot *last);
    /* May this worker begin a root? Another worker may begin the root first; this one then asks
     * again. */
    bool (*roots)(svs__guide *guide, svs__worker *worker);
    /* Called when the worker begins a root. May be NULL. */
    void (*begins_root)(svs__guide *guide, svs__worker *worker);
    /* Work-first: does the phase that reaches the end of a finish suspend there? Otherwise it waits
     * in place. May be NULL. */
    bool (*suspends)(svs__guide *guide, svs__worker *worker);
    /* Called when `worker` continues after a wait for its children. May be NULL. */
    void (*goes_on)(svs__guide *guide, svs__worker *worker);
    /* Work-first: called when `worker` has ended the last child that `stack` waited for. @return
     * whether the guide lets another worker continue the stack. May be NULL. */
    bool (*resumes)(svs__guide *guide, svs__worker *worker, svs__stack *stack);
};

#define SVS__ROOT_PATH 1u

static inline uint64_t svs__path_below(uint64_t path) {
    return (path ^ path >> 29) * 0x9E3779B97F4A7C15u;
}

#endif
