/* The topological order of a graph.
 *
 *   sched.T10  the next task of the order is the one that was added first, among the remaining
 *             tasks that have no remaining predecessor. The tasks of its cycle follow it
 *             (sched.T7). (not asserted: unit_sched_sorted compares the order with one found by
 *             trial)
 *
 * Sorting takes O(log n) for each task and O(1) for each edge. */
#ifndef SVS_SCHED_GRAPH_SORT_H
#define SVS_SCHED_GRAPH_SORT_H

#include "sched/graph/graph.h"

/* Fills graph->ordered and the positions. Called after the cycles of flows were found. @return
 * SVS_OK, SVS_E_CYCLE (report filled in), SVS_E_NO_MEMORY. */
svs_status svs__graph_sort(svs_graph *graph, svs_report *report);

#endif
