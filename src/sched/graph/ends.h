/* The begin and the end of a task in an iteration. The caller holds run.lock, unless the function
 * says otherwise. */
#ifndef SVS_SCHED_GRAPH_ENDS_H
#define SVS_SCHED_GRAPH_ENDS_H

#include "sched/graph/graph.h"

/* Opens the tasks of run->opened. An itemizer that receives nothing ends at once, and may open
 * others. */
void svs__tasks_open(svs__run *run);

/* Subtracts `amount`, a number of instances or references, from the task's `outstanding`. Any
 * thread may call it, also without the lock. @return whether the task has ended: the caller then
 * calls svs__tasks_end(). */
bool svs__task_drop(svs_task *task, uint64_t amount);

/* Called when the task has ended, and with it all tasks of its cycle (sched.T7). */
void svs__tasks_end(svs__run *run, svs_task *task);

/* Wakes the senders that wait for room. Called when there may be room, or after the sources were
 * shut. Any thread. */
void svs__run_tell_room(svs__run *run);

#endif
