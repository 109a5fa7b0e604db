/* Cycles of dataflow edges (sched.T7). */
#ifndef SVS_SCHED_GRAPH_CYCLES_H
#define SVS_SCHED_GRAPH_CYCLES_H

#include "sched/graph/graph.h"

/* Gives each task its lead, and the references that it begins an iteration with. */
void svs__cycles_find(svs_graph *graph);

#endif
