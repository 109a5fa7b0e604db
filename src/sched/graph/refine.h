/* Algorithm 2 and strict propagation. The caller holds run.lock. */
#ifndef SVS_SCHED_GRAPH_REFINE_H
#define SVS_SCHED_GRAPH_REFINE_H

#include "sched/graph/graph.h"

/* Called for a task that opens: removes those implicit dependencies of its children that refinement
 * may remove, and appends the children that have no dependency left to `opened`. */
void svs__refine(svs__run *run, svs_task *parent,
                 svs__tasks *opened); /* `opened` has room for every task */
/* The domain in which the task's instances are scheduled: the task's own, unless a parent has
 * passed its domain on. */
svs__domain *svs__task_domain(svs__run *run, svs_task *task);

#endif
