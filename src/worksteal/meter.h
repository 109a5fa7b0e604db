/* Work/span profiler (<svs/measure.h>): a metered worker calls each async at its spawn.
 *
 * `span` is the length of the longest chain that leads to the present point of the program. The
 * chain of an async and that of its continuation both begin at the spawn. A finish continues with
 * the longest chain that ends in it; while it is open, the slot at its base holds the longest chain
 * that has ended in it so far.
 *
 * Threads: called by the metered worker alone. */
#ifndef SVS_WORKSTEAL_METER_H
#define SVS_WORKSTEAL_METER_H

#include "worksteal/worker.h"
#include <svs/measure.h>

typedef struct svs__meter {
    svs_measure sum;
    uint64_t span;
    uint64_t then;  /* the last reading of the clock */
    svs__slot slot; /* the slot of the async that is being spawned */
} svs__meter;

void svs__meter_begin(svs__meter *meter);
void svs__meter_end(svs__meter *meter);

/* @return the async context's head after the async. */
svs__slot *svs__meter_spawn(svs__meter *meter, svs_async_context *async, svs__slot *base);
void svs__meter_drain(svs__meter *meter, svs_async_context *async, svs__slot *base);

#endif
