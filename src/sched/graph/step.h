/* A run as a job of the workers (worksteal/job.h). */
#ifndef SVS_SCHED_GRAPH_STEP_H
#define SVS_SCHED_GRAPH_STEP_H

#include "sched/graph/graph.h"

void svs__run_make_source(svs__run *run);

/* Whether there is work that only the calling thread may do, as the runner. Called for a run for
 * which the thread waits. */
bool svs__run_needs_runner(svs__run *run);

#endif
