/* Algorithm 2 and strict propagation; under run.lock. */
#ifndef SVS_SCHED_GRAPH_REFINE_H
#define SVS_SCHED_GRAPH_REFINE_H

#include "sched/graph/graph.h"

/* For a task that opens: removes the implicit dependencies of its children that may go, and adds
 * children without a dependency to `opened`. */
void svs__refine(svs__run *run, svs_task *parent,
                 svs__tasks *opened); /* `opened` has room for every task */
/* The domain that the task's instances are scheduled in, its own unless a parent's was propagated.
 */
svs__domain *svs__task_domain(svs__run *run, svs_task *task);

#endif
