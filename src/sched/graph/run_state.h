/* The state of a run. Private to this folder: the other rooms know the environment
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
    uint32_t at;   /* in the list */
    uint32_t open; /* open tasks of the domain */
} svs__listed;

typedef struct svs__run {
    svs__job job; /* first */
    svs_graph *graph;
    svs__domain_env env;
    /* one for each task, made when the graph is prepared; the last is the gate of transforms */
    svs__domain *domains;
    svs__child *children; /* one for each task, by position */
    svs__tasks opened;    /* tasks that are about to open; under the lock */
    svs__domain *gate;
    _Atomic(svs__domain *) *active; /* domains with open tasks first (active.h) */
    _Atomic(uint32_t) active_count;
    uint32_t active_used;          /* domains that are in the list; under the lock, as is */
    svs__listed *listed;           /* place of each domain in the list */
    _Atomic(uint32_t) room_wanted; /* sched.R3: 1 + the most instances that a sender waits for */
    _Atomic(uint32_t) sources;     /* sources that hold references in this iteration (sched.R1) */
    svs__lock lock;
    uint32_t tasks_left;
    uint32_t iterations;
    uint32_t iteration; /* the present one, for the progress; under the lock, as is: */
    uint64_t ended;     /* instances of the last run; 0 during a run, as its contexts count */
    _Atomic(uint32_t) done;
    svs_report report;
    bool asked_to_end; /* the report is that of a cancel by the program; under the lock */
    svs__at_end at_end;
    _Atomic(int32_t) priority;
    svs_graph_statistics before;     /* the statistics when it began */
    svs_graph_statistics statistics; /* counts under the lock, and sums of earlier runs */
    uint32_t pinned;                 /* tasks of the prepared graph that are pinned */
    bool told;                       /* the line about a narrow run was written */
    svs__parking room;               /* senders that wait for it */
} svs__run;

#endif
