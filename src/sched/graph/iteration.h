/* Iterations of a run, and its end after the last one. */
#ifndef SVS_SCHED_GRAPH_ITERATION_H
#define SVS_SCHED_GRAPH_ITERATION_H

#include "sched/graph/graph.h"

/* Begins the first iteration. The run may be done when the call returns. */
void svs__run_first(svs__run *run);

/* Called by any worker when `count` instances of the task have ended. The run's memory may be freed
 * when the call returns. */
void svs__run_ended(svs_task *task, uint32_t count, svs__worker *worker);

/* Called after a task has ended, under run.lock, which it releases. Opens the tasks that no
 * dependency keeps closed, and begins the next iteration if all tasks have ended. @param worker the
 * calling worker, or NULL. */
void svs__run_go_on(svs__run *run, svs__worker *worker);

/* Calls the program's callback, and wakes the waiting thread, after which the run's memory may be
 * freed. */
void svs__run_done(svs__run *run);

#endif
