#include "engine.h"
#include "common.h"
#include "common/clock.h"

#include <stdlib.h>
#include <svs/trace.h>

struct engine {
    const settings *settings;
    svs_runtime *runtime;
    svs_trace *trace; /* of the last run, with --trace */
};

engine *engine_new(const settings *s) {
    svs_runtime_options options;
    engine *e = bench_allocate(1, sizeof *e);
    svs_runtime_options_init(&options);
    options.threads = s->threads;
    options.policy = (uint32_t)s->policy;
    e->settings = s;
    if (s->replay) bench_fail("--replay: this library cannot replay traces");
    bench_check(svs_runtime_new(&options, &e->runtime), "svs_runtime_new");
    bench_check(svs_runtime_start(e->runtime), "svs_runtime_start");
    return e;
}

void engine_free(engine *e) {
    svs_trace_free(e->trace);
    bench_check(svs_runtime_free(e->runtime), "svs_runtime_free");
    free(e);
}

static uint64_t steals_of(const svs_runtime *runtime) {
    uint64_t steals = 0;
    for (uint32_t worker = 0; worker < svs_runtime_threads(runtime); worker++) {
        svs_worker_statistics statistics;
        bench_check(svs_runtime_statistics(runtime, worker, &statistics), "svs_runtime_statistics");
        steals += statistics.steals;
    }
    return steals;
}

engine_report engine_run(engine *e, svs_async_function *root, void *argument) {
    engine_report report = {0, 0, 0};
    uint64_t steals = steals_of(e->runtime);
    double begin;
    svs_trace_free(e->trace);
    e->trace = NULL;
    if (e->settings->trace) bench_check(svs_trace_start(e->runtime, NULL), "svs_trace_start");
    begin = clock_wall_seconds();
    bench_check(svs_async_run(e->runtime, root, argument), "svs_async_run");
    report.seconds = clock_wall_seconds() - begin;
    if (e->settings->trace) bench_check(svs_trace_stop(e->runtime, &e->trace), "svs_trace_stop");
    report.steals = steals_of(e->runtime) - steals;
    report.trace_bytes = svs_trace_bytes(e->trace);
    return report;
}

void engine_write_trace(const engine *e) {
    char message[SVS_TRACE_MESSAGE];
    if (e->trace && svs_trace_write(e->trace, e->settings->trace, message, sizeof message))
        bench_fail("--trace: %s", message);
}
