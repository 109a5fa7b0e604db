/* The domains that have open tasks: a worker's step visits these.
 *
 * A long chain of tasks has as many domains, but few of them have an open task at any time. So a
 * domain leaves the list when the last of its open tasks has ended.
 *
 *   sched.N1  the first `active_count` domains of the array have open tasks, or are the gate, which
 *       is always the first. The following domains, up to `active_used`, had open tasks earlier in
 *       this iteration. Each domain is in the array once, at the index `at` of its entry in
 *       `listed`;
 *   sched.N2  a worker reads the array without a lock, and may miss a domain that moves at the same
 *       time. Each thread that changes the array notifies the workers afterwards, so that a worker
 *       without work searches again before it sleeps (not asserted: about a worker's next look;
 *       tests/explore/scenarios/graph.c).
 *
 * Threads: a caller of begin, open and end holds run.lock. Any worker reads the array. */
#ifndef SVS_SCHED_GRAPH_ACTIVE_H
#define SVS_SCHED_GRAPH_ACTIVE_H

#include "sched/graph/run_state.h"

/* Allocates the array, and makes the gate its first domain. @return false: no memory. */
bool svs__active_new(svs__run *run, uint32_t domains);
void svs__active_free(svs__run *run, uint32_t domains);

/* Begins an iteration: empties the domains that the last one has used, and leaves only the gate in
 * the array. */
void svs__active_begin(svs__run *run);

/* Called when a task of the domain opens, and when one has ended. */
void svs__active_open(svs__run *run, svs__domain *domain);
void svs__active_end(svs__run *run, svs__domain *domain);

/* Checks sched.N1. */
bool svs__active_is_valid(const svs__run *run);

#endif
