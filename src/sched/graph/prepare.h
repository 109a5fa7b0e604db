/* Prepares a graph for its runs: orders the tasks, adds implicit dependencies, and makes domains
 * and contexts. */
#ifndef SVS_SCHED_GRAPH_PREPARE_H
#define SVS_SCHED_GRAPH_PREPARE_H

#include "sched/graph/graph.h"

/* Orders the tasks, makes the implicit dependencies, the domains and contexts. @return SVS_OK,
 * SVS_E_CYCLE (report filled in), SVS_E_NO_MEMORY. */
svs_status svs__graph_prepare(svs_graph *graph, svs_report *report);
void svs__graph_unprepare(svs_graph *graph);

/* Called before a change of the graph: refuses it while the graph runs, and makes the next run
 * prepare the graph again. */
svs_status svs__graph_begin_change(svs_graph *graph, const char *call);

static inline bool svs__is_algorithm(svs_algorithm algorithm) {
    return svs__algorithm_of(algorithm) != NULL;
}

#endif
