/* What can be watched of asyncs one by one, at the price of the slow way for each: what a race
 * check draws its tree from . Steals are observed without this price through trace_hooks.h.
 *
 *     spawns                 a task has a child from here on; what follows runs beside it
 *     begins ... ends        a task's own code runs, on this async context
 *     leaves ... arrives     in between, the thread runs something else than the task; the task may
 *                            arrive on another thread
 *     drained                a finish of the running task is over
 *     run_begins, run_ends   a root of asyncs is waited for, in the thread that waits for it
 *
 * hooks.V1. While a runtime is watched, each finish in which a task has spawned is drained, also if
 *     all its children were called in place: head is above its base from the first spawn on. (not
 *     asserted: about the callers; unit_dpst_check)
 * hooks.V2. `base` tells finishes of a task apart: of two that are open at once, the inner one's is
 *     higher. NULL stands for the task itself: its children escape to a finish further out. (not
 *     asserted: about the callers; unit_dpst_check)
 * hooks.V3. A child for which there is neither a slot nor a stack, and not even room to remember
 *     that its finish is to be drained, is called as a part of its spawner: `merged`. (not
 *     asserted: about the callers; unit_dpst_edges)
 *
 * Threads: called in the thread of `worker`, about what it runs; several at once. */
#ifndef SVS_HOOKS_TASK_HOOKS_H
#define SVS_HOOKS_TASK_HOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include <svs/async.h>

typedef struct svs__worker svs__worker;

/* A root that is waited for. */
typedef struct svs__watched_run {
    uint32_t root; /* what its begins() gets */
    void *outer;   /* what was running in the thread that waits */
} svs__watched_run;

typedef struct svs__watcher svs__watcher;
struct svs__watcher {
    /* The running task spawns what `slot` says, in the finish at `base`. @return what begins()
     * gets; 0: the child is not watched. */
    uint32_t (*spawns)(svs__watcher *watcher, svs__worker *worker, svs__slot *base,
                       const svs__slot *slot);
    void (*merged)(svs__watcher *watcher, svs__worker *worker);
    /* Here and now `child` begins, on a stack that is free below `top`. `stolen`: its spawner is on
     * another worker. @return what was running, for ends(). */
    void *(*begins)(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                    uint32_t child, bool stolen, void *top);
    void (*ends)(svs__watcher *watcher, svs__worker *worker, svs_async_context *async, void *outer);
    /* @return what arrives(): NULL when nothing is watched. */
    void *(*leaves)(svs__watcher *watcher, svs__worker *worker);
    /* `stolen`: as a continuation whose child may still run. */
    void (*arrives)(svs__watcher *watcher, svs__worker *worker, void *task, bool stolen);
    void (*drained)(svs__watcher *watcher, svs__worker *worker, svs__slot *base);
    void (*run_begins)(svs__watcher *watcher, svs__watched_run *run);
    void (*run_ends)(svs__watcher *watcher, svs__watched_run *run);
};

/* NULL, or: called for each runtime that has started, by the thread that starts it, before anything
 * runs. */
SVS_API extern void (*svs__runtime_started)(svs_runtime *runtime);
/* NULL, or: called for each runtime that is watched and was stopped, by the thread that stops or
 * frees it. It ends what watches, which is no obstacle to the runtime's end. */
SVS_API extern void (*svs__runtime_ended)(svs_runtime *runtime);

#endif
