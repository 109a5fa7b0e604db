/* Callbacks for each single async, from which the race check builds its tree. With them each spawn
 * takes the slow path. Steals are observed without this cost through trace_hooks.h.
 *
 *     spawns                 a task has a child from now on, parallel to the code that follows
 *     begins ... ends        a task's own code runs, on this async context
 *     leaves ... arrives     in between, the thread runs other code; the task may arrive on
 *                            another thread
 *     drained                a finish of the running task is over
 *     run_begins, run_ends   a thread begins, or ends, its wait for a root of asyncs
 *
 * hooks.V1. While a runtime is watched, each finish in which a task has spawned is drained, also if
 *     all its children were called in place: after the first spawn, head is above the base. (not
 *     asserted: about the callers; unit_dpst_check)
 * hooks.V2. `base` tells finishes of a task apart: of two finishes that are open at once, the inner
 *     one has the higher base. NULL means the task itself: its children escape to an enclosing
 *     finish. (not asserted: about the callers; unit_dpst_check)
 * hooks.V3. A child is called as a part of its spawner (`merged`) when there is no slot, no stack,
 *     and no room to remember that its finish must be drained. (not asserted: about the callers;
 *     unit_dpst_edges)
 *
 * Threads: called in the thread of `worker`, for the code that it runs; several threads call at
 * once. */
#ifndef SVS_HOOKS_TASK_HOOKS_H
#define SVS_HOOKS_TASK_HOOKS_H

#include <stdbool.h>
#include <stdint.h>
#include <svs/async.h>

typedef struct svs__worker svs__worker;

/* The root of asyncs that a thread waits for. */
typedef struct svs__watched_run {
    uint32_t root; /* the value of `child` for the root's begins() */
    void *outer;   /* the watcher's record of the code that the thread ran before the wait */
} svs__watched_run;

typedef struct svs__watcher svs__watcher;
struct svs__watcher {
    /* Called when the running task spawns the child in `slot`, in the finish at `base`. @return the
     * value of `child` for begins(); 0: the child is not watched. */
    uint32_t (*spawns)(svs__watcher *watcher, svs__worker *worker, svs__slot *base,
                       const svs__slot *slot);
    void (*merged)(svs__watcher *watcher, svs__worker *worker);
    /* Called when `child` begins in the calling thread, on a stack that is free below `top`.
     * `stolen`: its spawner is on another worker. @return the record of the code that was running,
     * for ends(). */
    void *(*begins)(svs__watcher *watcher, svs__worker *worker, svs_async_context *async,
                    uint32_t child, bool stolen, void *top);
    void (*ends)(svs__watcher *watcher, svs__worker *worker, svs_async_context *async, void *outer);
    /* @return the watcher's record of the task, for arrives(); NULL when the task is not
     * watched. */
    void *(*leaves)(svs__watcher *watcher, svs__worker *worker);
    /* `stolen`: the task arrives as a stolen continuation, whose child may still run. */
    void (*arrives)(svs__watcher *watcher, svs__worker *worker, void *task, bool stolen);
    void (*drained)(svs__watcher *watcher, svs__worker *worker, svs__slot *base);
    void (*run_begins)(svs__watcher *watcher, svs__watched_run *run);
    void (*run_ends)(svs__watcher *watcher, svs__watched_run *run);
};

/* Called for each runtime that has started, by the thread that starts it, before anything runs. May
 * be NULL. */
SVS_API extern void (*svs__runtime_started)(svs_runtime *runtime);
/* Called for each watched runtime that was stopped, by the thread that stops or frees it. It ends
 * the watch, so a watch does not keep the runtime from ending. May be NULL. */
SVS_API extern void (*svs__runtime_ended)(svs_runtime *runtime);

#endif
