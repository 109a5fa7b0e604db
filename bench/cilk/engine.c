#include "engine.h"
#include "common.h"
#include "common/clock.h"

#include <stdlib.h>
#include <svs/trace.h>

struct engine {
    const settings *settings;
    svs_runtime *runtime;
    svs_trace *model;    /* of --replay */
    svs_trace *trace;    /* of the last run, with --trace or --replay */
    svs_measure measure; /* with --measure */
};

static svs_trace *read_model(const char *path) {
    char message[SVS_TRACE_MESSAGE];
    svs_trace *model;
    if (svs_trace_read(path, &model, message, sizeof message)) bench_fail("--replay: %s", message);
    return model;
}

static void fill_in(settings *s, const svs_trace *model) {
    svs_trace_statistics recorded = {.policy = SVS_POLICY_HELP_FIRST, .workers = bench_cpus()};
    if (model) BENCH_OK(svs_trace_statistics_get(model, &recorded));
    if (s->policy == SETTINGS_OPEN) s->policy = recorded.policy;
    if (!s->threads) s->threads = recorded.workers;
}

engine *engine_new(settings *s) {
    engine *e = bench_allocate(1, sizeof *e);
    e->settings = s;
    if (s->replay) e->model = read_model(s->replay);
    fill_in(s, e->model);
    e->runtime = bench_runtime_new(s->policy, s->threads);
    return e;
}

void engine_free(engine *e) {
    svs_trace_free(e->trace);
    svs_trace_free(e->model);
    BENCH_OK(svs_runtime_free(e->runtime));
    free(e);
}

/* Before and after a run: installs and removes its tracer or replay. A replay traces itself. */
static void watch(engine *e) {
    char message[SVS_TRACE_MESSAGE];
    svs_replay_options options;
    svs_trace_free(e->trace);
    e->trace = NULL;
    svs_replay_options_init(&options);
    options.timed = e->settings->timed;
    if (e->model) {
        if (svs_replay_start(e->runtime, e->model, &options, message, sizeof message))
            bench_fail("--replay: %s", message);
    } else if (e->settings->trace) {
        BENCH_OK(svs_trace_start(e->runtime, NULL));
    }
}

static void watch_no_more(engine *e) {
    char message[SVS_TRACE_MESSAGE];
    if (e->model) {
        if (svs_replay_stop(e->runtime, &e->trace, message, sizeof message))
            bench_fail("--replay: %s", message);
    } else if (e->settings->trace) {
        BENCH_OK(svs_trace_stop(e->runtime, &e->trace));
    }
}

/* Of a replay: what workers are handed, they do not take. */
static uint64_t steals_again(const engine *e) {
    svs_trace_statistics statistics;
    BENCH_OK(svs_trace_statistics_get(e->trace, &statistics));
    return statistics.steals;
}

engine_report engine_run(engine *e, svs_async_function *root, void *argument) {
    engine_report report = {0, 0, 0};
    uint64_t steals = bench_steals(e->runtime);
    double begin;
    watch(e);
    begin = clock_wall_seconds();
    BENCH_OK(svs_async_run(e->runtime, root, argument));
    report.seconds = clock_wall_seconds() - begin;
    watch_no_more(e);
    report.steals = e->model ? steals_again(e) : bench_steals(e->runtime) - steals;
    report.trace_bytes = svs_trace_bytes(e->trace);
    return report;
}

void engine_measure(engine *e, svs_async_function *root, void *argument) {
    svs_measure measure;
    BENCH_OK(svs_measure_run(e->runtime, root, argument, &measure));
    if (e->measure.work_ns == 0 || measure.work_ns < e->measure.work_ns) e->measure = measure;
}

void engine_write_trace(const engine *e) {
    char message[SVS_TRACE_MESSAGE];
    if (e->settings->measure) BENCH_OK(svs_trace_measure_set(e->trace, &e->measure));
    if (e->settings->trace &&
        svs_trace_write(e->trace, e->settings->trace, message, sizeof message))
        bench_fail("--trace: %s", message);
}
