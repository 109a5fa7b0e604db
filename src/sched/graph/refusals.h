/* Refusals of calls on a graph. */
#ifndef SVS_SCHED_GRAPH_REFUSALS_H
#define SVS_SCHED_GRAPH_REFUSALS_H

#include "sched/graph/graph.h"

svs_status svs__graph_refuse(const svs_graph *graph, const char *call, svs_status status,
                             const char *why);
svs_status svs__graph_refuse_missing(const char *call);
/* @return SVS_OK, or the refusal of a call while the graph runs or in a forked process. */
svs_status svs__graph_check_idle(svs_graph *graph, const char *call);

#endif
