/* Sums of the counts of all contexts. */
#ifndef SVS_SCHED_GRAPH_STATISTICS_H
#define SVS_SCHED_GRAPH_STATISTICS_H

#include "sched/graph/graph.h"

void svs__statistics_sum(const svs_graph *graph, svs_graph_statistics *statistics);
void svs__statistics_add(svs_graph_statistics *into, const svs_graph_statistics *from);
/* Called at the end of a run: if the run was narrow, logs one line about the cause. */
void svs__statistics_tell_narrow(svs__run *run, const svs_graph_statistics *before,
                                 const svs_graph_statistics *after);

#endif
