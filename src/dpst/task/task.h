/* A checked task, from its first event to its last (hooks/task_hooks.h), and the state of the
 * thread that runs it (svs__check_self, tree/thread.h).
 *
 *     task = svs__task_make(...);                     the task begins
 *     svs__task_take_up(worker, task);                a thread runs it
 *     svs__task_put_down();                           the thread leaves it; another may run it
 *     svs__task_end(self);                            it has ended
 *     svs__task_release(worker, task);
 *
 * The open finishes of a task are a list, innermost first; the last entry is the task itself. Only
 * the thread that runs the task appends to its scopes (node.h, dpst.B2).
 *
 * Threads: the one that runs the task; between two such threads, the one that passes the task
 * on. */
#ifndef SVS_DPST_TASK_TASK_H
#define SVS_DPST_TASK_TASK_H

#include "dpst/tree/checker.h"

/* ---- the calling thread's task ---- */

/* Saves the state of the calling thread in its task; afterwards the thread has no task. This
 * function and svs__task_take_up() may change svs__check_self (thread.h, dpst.C6). */
void svs__task_put_down(void);
/* Makes `task` the task of the calling thread, and restores its state; nothing if it is NULL.
 * Another step begins, or the one of before continues. */
void svs__task_take_up(svs__check_worker *worker, svs__check_task *task);
/* Called when the thread has no task any more: gives back a block that it has from its worker
 * (access.h, dpst.C6). */
void svs__task_home(const svs__check_thread *self);
void svs__check_ignore(svs__check_thread *self, bool begins);

/* Begins another step of the calling thread's task. */
void svs__check_next_step(svs__check_thread *self);

/* Begins a new life of these bytes. `worker` is the calling thread's; NULL: it runs no checked
 * task. */
void svs__task_clear(svs__check_worker *worker, uintptr_t address, size_t bytes);
/* Clears the part of a stack between the two addresses, which no task uses any more. The calling
 * thread is `worker`. */
void svs__task_clear_stack(svs__check_worker *worker, const char *low, const char *top);

/* ---- what a worker keeps ---- */

/* @return NULL when there is no memory. */
svs__check_task *svs__task_make(const svs_allocator *allocator, svs__check_worker *worker);
/* Ends the calling thread's task, with the finishes that are still open. */
void svs__task_end(svs__check_thread *self);
/* Called after the end of the task, when no thread runs it. */
void svs__task_release(svs__check_worker *worker, svs__check_task *task);
/* Opens a finish inside of the innermost one. @return NULL when there is no memory. */
svs__open *svs__task_open(const svs_allocator *allocator, svs__check_worker *worker,
                          svs__check_task *task, const svs__slot *base, uint32_t node);
/* Closes the innermost finish of the task, which is not the task itself, after all asyncs spawned
 * in the finish have ended. */
void svs__task_close(svs__check_worker *worker, svs__check_task *task);

/* ---- the tree (build.c) ---- */

/* Fills in what a check's watcher calls. */
void svs__watcher_init(svs__watcher *watcher);
/* Releases what a worker has kept for reuse. */
void svs__check_worker_clean_up(const svs_allocator *allocator, svs__check_worker *worker);

/* ---- roots (root.c) ---- */

/* The functions of svs__watcher for runs. */
void svs__root_begins(svs__watcher *watcher, svs__watched_run *run);
void svs__root_ends(svs__watcher *watcher, svs__watched_run *run);
/* Called when a root task has drained a finish and has no other child (dpst.X2). */
void svs__root_drained(svs__check_task *task);
/* Called when an iteration of a graph has ended and the graph's run is the only one, so that the
 * past may be forgotten (dpst.X2). The caller holds the checker's lock. @return whether the run has
 * another root from now on, without children. */
bool svs__root_iterated(svs__watched_run *run);

#endif
