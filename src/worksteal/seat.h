/* Seats: workers without a thread of the runtime. Threads of the program take them while they wait
 * for a run (svs__runtime_participate) or help (svs_help). Worker 0 is one; with the option
 * external_threads, all workers are.
 *
 * A worker may have claimed instances of a run and have left the run, because its turn was over
 * (worksteal.Q4). The run cannot end before the worker continues. So a thread that leaves such a
 * seat marks it, and any thread that finds no other work takes it.
 *
 * operation  caller        progress
 * take       no worker     lock-free
 * leave      in the seat   wait-free; system calls for sleepers
 *
 *   worksteal.K1  A worker with a seat is used by the thread alone that has changed `seated` from
 *                 FREE or KEEPS to TAKEN, until that thread changes it back.
 *   worksteal.K2  A seat is left as KEEPS while its worker keeps something of a run, and counted in
 *                 the runtime's `kept`. A thread counts it before it wakes the others, and each
 *                 worker looks at the count before it sleeps (worksteal.P2), so that a worker or a
 *                 participant that is awake continues it. (not asserted: a promise of progress;
 *                 tests/explore/scenarios/turns.c explores it)
 *   worksteal.K3  `wanted` counts the threads that help_wanted has asked for and that have not
 *                 taken a seat yet. It is impossible that a thread makes work and asks for fewer
 *                 threads than there are free seats, while no thread that takes or leaves a seat
 *                 sees that work. Of (make work, load `seated` and `wanted`) and (change them, look
 *                 for work), both with a fence in between, one comes first. (not asserted: as
 *                 worksteal.K2; tests/unit/worksteal/help.c)
 *   worksteal.K4  `needed` counts the participants without a seat that have work for their thread
 *                 alone. While it is not 0, each thread in a seat leaves it after a turn, and only
 *                 those participants take one. So such work waits for one turn of each of them, and
 *                 not for the ends of their runs. (not asserted: as worksteal.K2;
 *                 tests/explore/scenarios/pinned.c) */
#ifndef SVS_WORKSTEAL_SEAT_H
#define SVS_WORKSTEAL_SEAT_H

#include "worksteal/runtime.h"

/* Makes the caller the worker of a free seat, preferably one that keeps something of a run. @return
 * NULL when no seat is free. */
svs__worker *svs__seat_take(svs_runtime *runtime);

/* svs__seat_take() for a seat that keeps something of a run; called by a thread that already works
 * on the runtime. The thread returns the seat by svs__seat_put_back(). It is not counted in
 * `seated`, so a worker that puts a seat back late does not prevent a stop of the runtime
 * (worksteal.R1). */
svs__worker *svs__seat_take_kept(svs_runtime *runtime);
void svs__seat_put_back(svs__worker *seat);

/* @return whether a seat is free. Called by a participant between prepare and commit. */
bool svs__seat_is_free(svs_runtime *runtime);

void svs__seat_leave(svs__worker *seat); /* leaves a seat that svs__seat_take() has returned */

/* Does a participant without a seat need one (worksteal.K4)? */
static inline bool svs__seat_is_needed(svs_runtime *runtime) {
    /* relaxed is enough: a sleeper has executed a fence before; for other callers the value is a
     * hint. */
    return SVS__UNLIKELY(svs__load_relaxed(&runtime->needed) != 0);
}

#endif
