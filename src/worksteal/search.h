/* An idle worker's search for work. It repeats: steal; step the sources; spin and search for
 * either; sleep.
 *
 *   worksteal.W2  A worker sleeps only after it has announced itself as a sleeper and has then
 *                 found no slot to steal, no source that is ready, and no reason to leave
 *                 (worksteal.P2). (not asserted: the order of three steps of park();
 *                 tests/explore/scenarios/runtime.c explores it) */
#ifndef SVS_WORKSTEAL_SEARCH_H
#define SVS_WORKSTEAL_SEARCH_H

#include "worksteal/worker.h"

/* Runs work until `until`, or until the runtime stops. The caller is the worker. @return whether
 * anything was run. */
bool svs__worker_run(svs__worker *worker, const svs__until *until);

/* The same by a thread that has taken the seat (seat.h): it is the worker during the call. */
bool svs__worker_run_in(svs__worker *seat, const svs__until *until);

#endif
