/* An idle worker's search for work. It repeats: steal; step the jobs; spin and search for
 * either; sleep.
 *
 *   worksteal.W2  A worker sleeps only after it has announced itself as a sleeper and has then
 *                 found no slot to steal, no job that is ready, and no reason to leave
 *                 (worksteal.P2). (not asserted: the order of three steps of park();
 *                 tests/explore/scenarios/participants.c explores it)
 *   worksteal.W3  An idle worker spins for spin_ns before it sleeps. If its last sleep ended within
 *                 SVS__BRIEF times spin_ns, it spins for that long while some worker works. So it
 *                 is awake when the next stage or phase begins: a sleep and a wake-up take longer
 *                 than what one worker does alone in between. After a long sleep, and while nothing
 *                 works, no worker spins for longer than spin_ns. (not asserted: about times;
 *                 tests/unit/worksteal/pauses.c) */
#ifndef SVS_WORKSTEAL_SEARCH_H
#define SVS_WORKSTEAL_SEARCH_H

#include "worksteal/worker.h"

/* factor of spin_ns: a pause shorter than the product is brief (worksteal.W3) */
#define SVS__BRIEF 10u

/* Runs work until `until` holds, or until the runtime stops. The calling thread is `worker`.
 * @return whether any work was run. */
bool svs__worker_run(svs__worker *worker, const svs__until *until);

/* svs__worker_run() by a thread that has taken the seat (seat.h) and is the worker during the
 * call. */
bool svs__worker_run_in(svs__worker *seat, const svs__until *until);

#endif
