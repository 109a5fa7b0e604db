/* The domains that have open tasks: a worker's step visits these.
 *
 * A long chain of tasks has as many domains, but few of them have an open task at any time. So a
 * domain leaves the list when the last of its open tasks has ended.
 *
 *   sched.N1  the domains before `active_count` have open tasks, or are the gate, which is there
 *       always; those from there to `active_used` had some in this iteration. Each is in the array
 *       once, at its `at`;
 *   sched.N2  a worker reads the array without a lock, and may miss a domain that moves meanwhile.
 *       Each thread that changes the array notifies the workers afterwards, so that a worker
 *       without work searches again before it sleeps
 *       (not asserted: about a worker's next look; tests/explore/scenarios/graph.c).
 *
 * Threads: begin, add and leave under run.lock; any worker reads. */
#ifndef SVS_SCHED_GRAPH_ACTIVE_H
#define SVS_SCHED_GRAPH_ACTIVE_H

#include "sched/graph/run_state.h"

/* The memory, and the gate as the first. @return false: no memory. */
bool svs__active_new(svs__run *run, uint32_t domains);
void svs__active_free(svs__run *run, uint32_t domains);

/* Begins an iteration: the domains of the last one forget it, and only the gate is there. */
void svs__active_begin(svs__run *run);

/* A task of the domain opens, or has ended. */
void svs__active_open(svs__run *run, svs__domain *domain);
void svs__active_end(svs__run *run, svs__domain *domain);

/* Checks sched.N1. */
bool svs__active_is_valid(const svs__run *run);

#endif
