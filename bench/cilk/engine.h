/* A runtime as the settings want it, and measured runs on it. Whatever fails ends the program. */
#ifndef BENCH_CILK_ENGINE_H
#define BENCH_CILK_ENGINE_H

#include "settings.h"

typedef struct engine engine;

/* Fills in what of the settings was not given: as --replay's trace has it, or help-first and a
 * worker for each CPU. They stay the caller's. */
engine *engine_new(settings *s);
void engine_free(engine *e);

/* Of one run. */
typedef struct engine_report {
    double seconds;
    uint64_t steals, trace_bytes;
} engine_report;

engine_report engine_run(engine *e, svs_async_function *root, void *argument);

/* With --measure: a separate run measures work and span for the trace. Of several runs the one with
 * the least work counts: other load on the machine only adds to it. */
void engine_measure(engine *e, svs_async_function *root, void *argument);

/* Writes the trace of the last run, a replay or not, to --trace, when there is one. */
void engine_write_trace(const engine *e);

#endif
