/* The watchdog of a runtime: a thread that periodically samples the activity of each worker, and
 * logs a worker with an activity that has lasted too long (svs_runtime_options: watchdog_ns).
 *
 * It adds no work to the workers' paths. The context of an instance shows the instance that its
 * worker runs (sched/domain/instance/instance.c). A spawn of an async leaves no mark, so the
 * watchdog raises a steal request, as a thief does (worksteal.D6): at its next spawn the worker
 * shares children or acknowledges the request. Both change the word of its deque. While there is a
 * guide, or asyncs are measured, the watchdog does not sample asyncs.
 *
 *   worksteal.B1  The watchdog accesses a job, a task's name and the observer only while it is
 *                 inside of all jobs, so that no run ends during the access (worksteal.Q1). It
 *                 writes to the log outside of them. (not asserted: a job does not record which
 *                 threads are inside)
 *   worksteal.B2  A worker that waits for its thieves has no activity (phase.h): the warning names
 *                 the worker that delays it. (not asserted: `stretch` is a hint that other threads
 *                 read without order) */
#ifndef SVS_WORKSTEAL_WATCHDOG_H
#define SVS_WORKSTEAL_WATCHDOG_H

#include "worksteal/runtime.h"

typedef struct svs__watchdog svs__watchdog;

/* Starts the watchdog, if the options ask for one. @return SVS_OK, SVS_E_NO_MEMORY,
 * SVS_E_THREAD. */
svs_status svs__watchdog_start(svs_runtime *runtime);

/* Fills in `activity` for a job's tells(): the worker runs a region of asyncs that belongs to
 * `what`. */
void svs__watchdog_asyncs(svs__worker *worker, const void *what, const char *kind, const char *name,
                          svs__activity *activity);

/* Stops the watchdog, if there is one. */
void svs__watchdog_stop(svs_runtime *runtime);

#endif
