/* Cancellation of a run (svs_graph_cancel(), svs_async_cancel(), a failed body): the asyncs of the
 * run that have not begun are dropped.
 *
 * The fast path of a spawn does not test for it. A cancel sets the flag of the run's slot, and then
 * requests a steal from each worker: the next spawn of each takes the slow path, which tests the
 * flag (worksteal.D6).
 *
 * operation  caller                                     progress
 * cancel     any thread, while the job is attached   wait-free: one exchange for each worker
 * drop       worker that pops or has stolen the async   wait-free
 *
 *   worksteal.C2  After a cancel, the steal request of each worker that runs code of the run stays
 *                 raised. The canceller sets the flag before it raises the requests; a worker that
 *                 answers one reads the flag afterwards, and raises its own again. The request is
 *                 raised and answered by read-modify-writes. So an answer that comes after the
 *                 canceller's request sees the flag, and one that comes before is undone by it. A
 *                 worker that begins code of a run reads the flag after its last answer. With a
 *                 guide there are no requests, and each spawn and each child reads the flag.
 *   worksteal.C3  An async of a cancelled run is dropped: at its spawn, when its owner pops it at
 *                 the end of a finish, or when a thief has stolen it. Its function is not called,
 *                 and the memory of its argument is released (arguments.h). For finishes, phases
 *                 and steals it counts as an async that does nothing. An async that is dropped at
 *                 its spawn takes no ordinal. An async runs as a whole or not at all. Before its
 *                 next spawn or drain, a worker may still run the newest child of each finish that
 *                 it is in, as the inline pop reads no flag. The pieces of a loop of the library
 *                 (svs__parallel_for) are never dropped: they run in no run. (not asserted: about
 *                 calls that are not made; tests/unit/async/cancel.c and
 *                 tests/explore/scenarios/dropped.c count them) */
#ifndef SVS_WORKSTEAL_CANCEL_H
#define SVS_WORKSTEAL_CANCEL_H

#include "worksteal/runtime.h"

/* Drops the asyncs of the run of `job` that have not begun, if the job is attached. The job itself
 * records the status of the cancel. */
void svs__runtime_cancel(svs_runtime *runtime, const svs__job *job);

#endif
