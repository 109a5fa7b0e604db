/* The state of a run. Private to this folder: the other rooms know the environment
 * (domain/env.h). */
#ifndef SVS_SCHED_GRAPH_RUN_STATE_H
#define SVS_SCHED_GRAPH_RUN_STATE_H

#include "sched/graph/node.h"
#include "worksteal/source.h"

typedef struct svs__run {
    svs__source source; /* first */
    svs_graph *graph;
    svs__domain_env env;
    /* one for each task, made when the graph is prepared; the last is the gate of transforms */
    svs__domain *domains;
    svs__child *children; /* one for each task, by position */
    svs__tasks opened;    /* tasks that are about to open; under the lock */
    svs__domain *gate;
    _Atomic(svs__domain *) *active; /* domains with open tasks */
    _Atomic(uint32_t) active_count;
    svs__lock lock;
    uint32_t tasks_left;
    uint32_t iterations;
    _Atomic(uint32_t) done;
    svs_report report;
    svs_graph_statistics statistics; /* counts under the lock, and sums of earlier runs */
    bool told;                       /* the line about a narrow run was written */
} svs__run;

#endif
