/* Work and span of an async-finish program: how long it takes on one worker, and how long at least
 * on any number of them.
 *
 *     svs_measure measure;
 *     svs_measure_run(runtime, visit, &root, &measure);
 *     printf("parallelism %.1f\n", (double)measure.work_ns / (double)measure.span_ns);
 *
 * The program is run by one worker, each async at once where it is spawned, and the clock is looked
 * at at each async and each finish; what the looking takes is taken off again, as far as its mean
 * is known. On P workers a program takes at least work / P and at least its span, and a work
 * stealer about work / P + span. `svs trace predict` draws that.
 *
 * Threads: as svs_async_run(). */
#ifndef SVS_MEASURE_H
#define SVS_MEASURE_H

#include <svs/async.h>

SVS_BEGIN_DECLARATIONS

/* Frozen: other structs contain it. */
typedef struct svs_measure {
    uint64_t work_ns;  /* of all asyncs together */
    uint64_t span_ns;  /* of the longest chain of what must follow each other */
    uint64_t asyncs;   /* how many there were */
    uint64_t clock_ns; /* what one look at the clock takes, and was taken off for each */
} svs_measure;

/* Runs `root(strand, argument)` to its end. @return as svs_async_run(), and SVS_E_BUSY when the
 * runtime is replayed or something is retained. */
SVS_NODISCARD SVS_API svs_status svs_measure_run(svs_runtime *runtime, svs_async_function *root,
                                                 void *argument, svs_measure *measure);

SVS_END_DECLARATIONS
#endif
