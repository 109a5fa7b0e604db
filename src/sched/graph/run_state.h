/* The state of a run. Private to this folder; other rooms see only the environment
 * (domain/env.h). */
#ifndef SVS_SCHED_GRAPH_RUN_STATE_H
#define SVS_SCHED_GRAPH_RUN_STATE_H

#include "sched/graph/node.h"
#include "worksteal/job.h"
#include "worksteal/parking.h"

/* The program's callback for the end of a run, or NULL. */
typedef struct svs__at_end {
    svs_graph_ended_function *call;
    void *argument;
} svs__at_end;

/* A domain's entry in the list of active domains (active.h). */
typedef struct svs__listed {
    uint32_t at;   /* index in the list */
    uint32_t open; /* number of open tasks of the domain */
} svs__listed;

typedef struct svs__run {
    svs__job job; /* first */
    svs_graph *graph;
    svs__domain_env env;
    /* an array made when the graph is prepared: a domain for each task, then the gate of
     * transforms */
    svs__domain *domains;
    svs__child *children; /* an array with one entry for each task, by position */
    svs__tasks opened;    /* tasks that are about to open; changes under the lock */
    svs__domain *gate;
    /* array of domains; those with open tasks come first (active.h) */
    _Atomic(svs__domain *) *active;
    _Atomic(uint32_t) active_count;
    /* number of domains in the array; changes under the lock, as does `listed` */
    uint32_t active_used;
    svs__listed *listed; /* entry of each domain */
    /* 1 + the largest number of instances at which a waiting sender must be woken; 0: none waits
     * (sched.R3) */
    _Atomic(uint32_t) room_wanted;
    /* number of sources that hold references in this iteration (sched.R1) */
    _Atomic(uint32_t) sources;
    svs__lock lock;
    uint32_t tasks_left;
    uint32_t iterations;
    /* the current iteration, for svs_graph_progress(); changes under the lock, as does `ended` */
    uint32_t iteration;
    /* number of instances of the last run; 0 during a run, whose contexts count them */
    uint64_t ended;
    _Atomic(uint32_t) done;
    svs_report report;
    bool asked_to_end; /* the report describes a cancel by the program; changes under the lock */
    svs__at_end at_end;
    _Atomic(int32_t) priority;
    svs_graph_statistics before; /* the statistics when the run began */
    /* counts that change under the lock, and sums of earlier runs */
    svs_graph_statistics statistics;
    uint32_t pinned;   /* number of pinned tasks of the prepared graph */
    bool told;         /* the line about a narrow run was logged */
    svs__parking room; /* the senders that wait for room */
} svs__run;

#endif
