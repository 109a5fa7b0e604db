/* Cycles of dataflow edges (sched.T7). */
#ifndef SVS_SCHED_GRAPH_CYCLES_H
#define SVS_SCHED_GRAPH_CYCLES_H

#include "sched/graph/graph.h"

/* Sets the lead of each task, and the number of references that it has at the start of an
 * iteration. */
void svs__cycles_find(svs_graph *graph);

#endif
