/* Measuring work and span (<svs/measure.h>): a worker that is metered calls each async where it is
 * spawned.
 *
 * `span` is the longest chain that leads to where the program is now. An async's chain goes on from
 * where it was spawned; so does what follows the async; and a finish goes on with the longest of
 * those that end in it, which is kept in the slot at its base while it is open.
 *
 * Threads: the worker's own. */
#ifndef SVS_WORKSTEAL_METER_H
#define SVS_WORKSTEAL_METER_H

#include "worksteal/worker.h"
#include <svs/measure.h>

typedef struct svs__meter {
    svs_measure sum;
    uint64_t span;
    uint64_t then;  /* when the clock was looked at last */
    svs__slot slot; /* of the async that is being spawned */
} svs__meter;

void svs__meter_begin(svs__meter *meter);
void svs__meter_end(svs__meter *meter);

/* @return the async context's head after the async. */
svs__slot *svs__meter_spawn(svs__meter *meter, svs_async_context *async, svs__slot *base);
void svs__meter_drain(svs__meter *meter, svs_async_context *async, svs__slot *base);

#endif
