/* Jobs alongside the fibers: a helper thread runs one at a time on the rank's workers.
 *
 *   rank    put ----> queued ----> helper: runs ----> finished ----> rank: counter + 1, freed
 *
 *   ranks.O1  A job belongs to the rank before it is put and after it is taken from the finished
 *             ones, and to the helper in between; the lock hands it over.
 *   ranks.O2  No finished job is overlooked: the helper puts it before it wakes the rank, and the
 *             rank looks for finished jobs after it has received, before it sleeps. (not asserted:
 *             transport.L2, by which the wake-up is not lost)
 *
 * A job that is not finished keeps the run from ending (ranks.Q1). The transport `sim` has no
 * wake-up: a rank that is otherwise idle waits for the next job to finish, so that a seed gives the
 * same run. */
#ifndef SVS__RANKS_OFFLOAD_H
#define SVS__RANKS_OFFLOAD_H

#include "ranks/failure.h"

/* Takes what is finished. @return whether there was anything. */
bool svs__offload_serve(svs_ranks *ranks);
/* The rank is idle: over `sim`, waits for a job. @return whether there was one. */
bool svs__offload_wait(svs_ranks *ranks);
/* The run has ended: waits for the job that runs, and drops the others. */
void svs__offload_end_run(svs_ranks *ranks);
void svs__offload_clean_up(svs_ranks *ranks);

#endif
