/* Work and span of an async-finish program: its time on one worker, and its minimal time on any
 * number of workers.
 *
 *     svs_measure measure;
 *     svs_measure_run(runtime, visit, &root, &measure);
 *     printf("parallelism %.1f\n", (double)measure.work_ns / (double)measure.span_ns);
 *
 * One worker runs the program and calls each async at its spawn. It reads the clock at each async
 * and each finish; the mean cost of these reads is subtracted. On P workers a program takes at
 * least work / P and at least its span; a work-stealing scheduler takes about work / P + span. `svs
 * trace predict` computes this.
 *
 * Threads: as svs_async_run(). */
#ifndef SVS_MEASURE_H
#define SVS_MEASURE_H

#include <svs/async.h>

SVS_BEGIN_DECLARATIONS

/* Its layout is frozen, because other structs contain it. */
typedef struct svs_measure {
    uint64_t work_ns;  /* total time of all asyncs */
    uint64_t span_ns;  /* time of the longest chain of dependent parts (the critical path) */
    uint64_t asyncs;   /* number of asyncs */
    uint64_t clock_ns; /* cost of one clock read, subtracted for each read */
} svs_measure;

/* Runs `root(async, argument)` and returns when it has ended. @return as svs_async_run(), and
 * SVS_E_BUSY during a replay or a retained run. */
SVS_NODISCARD SVS_API svs_status svs_measure_run(svs_runtime *runtime, svs_async_function *root,
                                                 void *argument, svs_measure *measure);

SVS_END_DECLARATIONS
#endif
