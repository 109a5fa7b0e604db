/* The topological order of a graph. */
#ifndef SVS_SCHED_GRAPH_SORT_H
#define SVS_SCHED_GRAPH_SORT_H

#include "sched/graph/graph.h"

/* Fills graph->ordered and the positions, after the cycles of flows were found. @return SVS_OK,
 * SVS_E_CYCLE (report filled in), SVS_E_NO_MEMORY. */
svs_status svs__graph_sort(svs_graph *graph, svs_report *report);

#endif
