/* Jobs alongside the fibers: a helper thread runs one at a time on the rank's workers.
 *
 *   rank    put ----> queued ----> helper: runs ----> finished ----> rank: counter + 1, freed
 *
 *   ranks.O1  A job belongs to the rank before it is queued and after it is taken from the list of
 *             finished jobs, and to the helper in between. It changes its owner under the lock.
 *   ranks.O2  No finished job is overlooked: the helper lists it before it wakes the rank, and
 *             before the rank sleeps, it looks for finished jobs after it has received. (not
 *             asserted: transport.L2, by which the wake-up is not lost)
 *
 * A job that is not finished keeps the run from ending (ranks.Q1). The transport `sim` has no
 * wake-up: a rank that is otherwise idle waits for the next job to finish, so that a seed gives the
 * same run. */
#ifndef SVS__RANKS_OFFLOAD_H
#define SVS__RANKS_OFFLOAD_H

#include "ranks/failure.h"

/* Takes the finished jobs, and adds 1 to their counters. @return whether there was one. */
bool svs__offload_serve(svs_ranks *ranks);
/* Called by an idle rank: over `sim`, waits until a job has finished. @return whether there was
 * one. */
bool svs__offload_wait(svs_ranks *ranks);
/* Called at the end of a run: waits for the running job, and drops the queued ones. */
void svs__offload_end_run(svs_ranks *ranks);
void svs__offload_clean_up(svs_ranks *ranks);

#endif
