/* The run of a graph: its begin and its end. In between, the workers step it.
 *
 *   sched.T5  `running` is IDLE, or one thread has changed it from IDLE and alone changes it back:
 *             in svs_graph_run() (RUNS), or from svs_graph_begin() to the svs_graph_wait() that
 *             finds the run done (BEGUN). svs__run_end() is called only when the run is done.
 *
 * Threads: the thread that has changed `running` calls begin and end. */
#ifndef SVS_SCHED_GRAPH_RUN_H
#define SVS_SCHED_GRAPH_RUN_H

#include "sched/graph/graph.h"

/* Begins a run of a prepared graph. A run without iterations is done at once. @return SVS_OK, or
 * the reason why it was not attached to the runtime. */
svs_status svs__run_begin(svs_graph *graph, uint32_t iterations, svs__at_end at_end);

/* Ends a run that is done. When it returns, no worker is inside of the run. */
void svs__run_end(svs_graph *graph);

#endif
