/* A run as a job of the workers (worksteal/job.h). */
#ifndef SVS_SCHED_GRAPH_STEP_H
#define SVS_SCHED_GRAPH_STEP_H

#include "sched/graph/graph.h"

void svs__run_make_source(svs__run *run);

/* Is there work for the calling thread alone, as the run's runner? Of a run that it waits for. */
bool svs__run_needs_runner(svs__run *run);

#endif
