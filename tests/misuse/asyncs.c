#include "misuse.h"

static void nothing(svs_async_context *async, void *argument) {}

static svs_status cancel_nothing(setting *s) { return svs_async_cancel(NULL, SVS_OK); }
static svs_status run_it(setting *s) { return svs_async_run(s->runtime, nothing, NULL); }
static svs_status run_in_async(setting *s) { return stage_in_async(s, run_it); }
static svs_status run_inside(setting *s, svs_context *context) {
    svs_measure measure;
    return svs_measure_run(s->runtime, nothing, NULL, &measure);
}
static svs_status measure_in_body(setting *s) { return stage_act(s, run_inside); }

static void hear(int level, const char *text, void *argument) { stage_hear(argument, text); }

/* A runtime of its own, new or stopped, or of few stacks. */
static svs_status open_with(setting *s, uint32_t policy, uint32_t threads, uint32_t external,
                            svs_runtime **runtime) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.external_threads = external;
    options.policy = policy;
    options.task_stacks = 16;
    options.log = hear;
    options.log_argument = s;
    return svs_runtime_new(&options, runtime);
}

static svs_status open_another(setting *s, uint32_t policy, svs_runtime **runtime) {
    return open_with(s, policy, 1, 0, runtime);
}

/* An async of the setting's runtime waits for another runtime, whose body calls the first one. */
typedef struct detour {
    setting *s;
    svs_runtime *other;
    svs_status (*call)(setting *s);
    svs_status status;
} detour;

static void come_back(svs_async_context *async, void *argument) {
    detour *d = argument;
    d->status = d->call(d->s);
}

static void go_away(svs_async_context *async, void *argument) {
    detour *d = argument;
    if (svs_async_run(d->other, come_back, d)) d->status = SVS_OK;
}

svs_status stage_by_detour(setting *s, svs_status (*call)(setting *s)) {
    detour d = {s, NULL, call, SVS_OK};
    svs_status status = open_another(s, SVS_POLICY_HELP_FIRST, &d.other);
    if (!status) status = svs_runtime_start(d.other);
    if (!status) status = svs_async_run(s->runtime, go_away, &d);
    svs_ignore(svs_runtime_free(d.other));
    return status ? status : d.status;
}
static svs_status run_by_detour(setting *s) { return stage_by_detour(s, run_it); }

static svs_status run_unstarted(setting *s) {
    svs_runtime *runtime;
    svs_status status = open_another(s, SVS_POLICY_HELP_FIRST, &runtime);
    if (!status) status = svs_async_run(runtime, nothing, NULL);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}
static svs_status run_stopped(setting *s) {
    svs_runtime *runtime;
    svs_status status = open_another(s, SVS_POLICY_HELP_FIRST, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_runtime_stop(runtime);
    if (!status) status = svs_async_run(runtime, nothing, NULL);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}

static void dive(svs_async_context *async, void *argument) {
    uint32_t depth = *(uint32_t *)argument;
    volatile char frame[2048]; /* so that a stack has room for few of them */
    frame[depth % sizeof frame] = 1;
    if (depth-- != 0) svs_async(async, dive, &depth, sizeof depth);
}
static svs_status run_too_deep(setting *s) {
    svs_runtime *runtime;
    uint32_t depth = 100000;
    svs_status status = open_another(s, SVS_POLICY_WORK_FIRST, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_async_run(runtime, dive, &depth);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}

static svs_status async_of_no_context(setting *s) {
    return svs_context_async(NULL) == NULL ? SVS_OK : SVS_E_OUTSIDE;
}

/* ---- observers ---- */

static svs_status observer_nowhere(setting *s) {
    svs_observer_init(NULL);
    return SVS_OK;
}
static svs_status observer_unfilled(setting *s) {
    svs_observer observer = {1, NULL, NULL, NULL, NULL};
    return svs_observer_set(s->runtime, &observer);
}
static svs_status observe(setting *s) { return svs_observer_set(s->runtime, NULL); }
static svs_status observe_beside(setting *s) { return stage_beside(s, observe); }

/* ---- traces ---- */

static svs_status trace_unfilled(setting *s) {
    svs_trace_options options = {1, 0};
    return svs_trace_start(s->runtime, &options);
}
static svs_status trace_options_nowhere(setting *s) {
    svs_trace_options_init(NULL);
    return SVS_OK;
}
static svs_status replay_options_nowhere(setting *s) {
    svs_replay_options_init(NULL);
    return SVS_OK;
}
static svs_status trace_twice(setting *s) {
    svs_status status = svs_trace_start(s->runtime, NULL);
    if (!status) status = svs_trace_start(s->runtime, NULL);
    svs_ignore(svs_trace_stop(s->runtime, NULL));
    return status;
}
static svs_status trace_it(setting *s) { return svs_trace_start(s->runtime, NULL); }
static svs_status trace_beside(setting *s) { return stage_beside(s, trace_it); }
static svs_status stop_trace(setting *s) { return svs_trace_stop(s->runtime, NULL); }
static svs_status stop_trace_beside(setting *s) {
    svs_status status = svs_trace_start(s->runtime, NULL);
    if (!status) status = stage_beside(s, stop_trace);
    svs_ignore(svs_trace_stop(s->runtime, NULL));
    return status;
}
static svs_status snapshot_untraced(setting *s) {
    svs_trace *trace;
    return svs_trace_snapshot(s->runtime, &trace);
}
static svs_status read_nothing(setting *s) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    svs_status status = svs_trace_read("/no/such/file.svstrace", &trace, message, sizeof message);
    stage_hear(s, message);
    return status;
}
static svs_status read_no_trace(setting *s) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_trace *trace;
    svs_status status = svs_trace_read("/proc/self/maps", &trace, message, sizeof message);
    stage_hear(s, message);
    return status;
}
static svs_status replay_on(setting *s, uint32_t threads, uint32_t external) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_runtime *runtime = NULL;
    svs_trace *trace = NULL;
    svs_status status = svs_trace_start(s->runtime, NULL);
    if (!status) status = svs_async_run(s->runtime, nothing, NULL);
    if (!status) status = svs_trace_stop(s->runtime, &trace);
    if (!status) status = open_with(s, SVS_POLICY_HELP_FIRST, threads, external, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_replay_start(runtime, trace, NULL, message, sizeof message);
    stage_hear(s, message);
    svs_trace_free(trace);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}
static svs_status replay_on_another(setting *s) { return replay_on(s, 1, 0); }
static svs_status replay_on_external(setting *s) { return replay_on(s, 2, 1); }
static svs_status retain_on_external(setting *s) {
    svs_runtime *runtime = NULL;
    svs_retained *retained = NULL;
    svs_status status = open_with(s, SVS_POLICY_HELP_FIRST, 2, 1, &runtime);
    if (!status) status = svs_runtime_start(runtime);
    if (!status) status = svs_retained_new(runtime, &retained);
    if (!status) status = svs_retained_run(retained, nothing, NULL);
    svs_ignore(svs_retained_free(retained));
    svs_ignore(svs_runtime_free(runtime));
    return status;
}
static svs_status retain_traced(setting *s) {
    svs_retained *retained = NULL;
    svs_status status = svs_retained_new(s->runtime, &retained);
    if (!status) status = svs_trace_start(s->runtime, NULL);
    if (!status) status = svs_retained_run(retained, nothing, NULL);
    svs_ignore(svs_trace_stop(s->runtime, NULL));
    svs_ignore(svs_retained_free(retained));
    return status;
}

const misuse misuses_of_asyncs[] = {
    {"svs_async_run: before the start", SVS_E_NOT_STARTED,
     "svs_async_run: The runtime has not been started; call svs_runtime_start() first",
     run_unstarted, false},
    {"svs_async_run: after the stop", SVS_E_STOPPED,
     "svs_async_run: The runtime was stopped, which is final", run_stopped, false},
    {"svs_async_run: from an async of the same runtime", SVS_E_NESTED,
     "svs_async_run: called from a body of the same runtime: use svs_async() or svs_finish() there",
     run_in_async, false},
    {"svs_async_run: from an async of another runtime that an async of the same runtime waits for",
     SVS_E_NESTED,
     "svs_async_run: called from a body that a body of the same runtime waits for: run it from "
     "outside of "
     "both",
     run_by_detour, false},
    {"svs_async_cancel(NULL)", SVS_E_NULL, "svs_async_cancel: no async context: pass one",
     cancel_nothing, true},
    {"svs_measure_run: from a body of a graph", SVS_E_NESTED,
     "svs_measure_run: called from a body of the same runtime", measure_in_body, false},
    {"svs_async: recursion that is too deep for the stacks", SVS_E_LIMIT,
     "the recursion is too deep for the stacks of tasks, 16 of them", run_too_deep, false},
    {"svs_context_async(NULL)", SVS_OK, "svs_context_async: no context", async_of_no_context, true},
    {"svs_observer_init: no observer", SVS_OK,
     "svs_observer_init: no observer: pass the address of a struct", observer_nowhere, true},
    {"svs_observer_set: a struct that svs_observer_init() has not filled", SVS_E_VERSION,
     "fill it with svs_observer_init()", observer_unfilled, false},
    {"svs_observer_set: while something runs", SVS_E_BUSY,
     "svs_observer_set: something runs: set it between runs", observe_beside, false},
    {"svs_trace_options_init(NULL)", SVS_OK, "svs_trace_options_init: no options: pass",
     trace_options_nowhere, true},
    {"svs_replay_options_init(NULL)", SVS_OK, "svs_replay_options_init: no options: pass",
     replay_options_nowhere, true},
    {"svs_trace_start: options that svs_trace_options_init() has not filled", SVS_E_VERSION,
     "fill them with svs_trace_options_init()", trace_unfilled, false},
    {"svs_trace_start: twice", SVS_E_BUSY,
     "the runtime is traced or replayed, or retains steals: end that first", trace_twice, false},
    {"svs_trace_start: while something runs", SVS_E_BUSY,
     "svs_trace_start: something runs: trace from before a run to after it", trace_beside, false},
    {"svs_trace_stop: while something runs", SVS_E_BUSY,
     "svs_trace_stop: something runs: trace from before a run to after it", stop_trace_beside,
     false},
    {"svs_trace_stop: it is not traced", SVS_E_STATE,
     "svs_trace_stop: the runtime is not traced: call svs_trace_start() first", stop_trace, false},
    {"svs_trace_snapshot: it is not traced", SVS_E_STATE,
     "svs_trace_snapshot: the runtime is not traced: call svs_trace_start() first",
     snapshot_untraced, false},
    {"svs_trace_read: a file that is not there", SVS_E_FILE,
     "/no/such/file.svstrace cannot be opened", read_nothing, false},
    {"svs_trace_read: a file that is no trace", SVS_E_TRACE,
     "this is no trace: it does not begin with", read_no_trace, false},
    {"svs_replay_start: a runtime of another number of workers", SVS_E_INVALID,
     "the trace is of 2 workers, and the runtime has 1", replay_on_another, false},
    {"svs_replay_start: a runtime with external threads", SVS_E_INVALID,
     "a replay needs all workers: make a runtime without external_threads", replay_on_external,
     false},
    {"svs_retained_run: a runtime with external threads", SVS_E_INVALID,
     "svs_retained_run: retention needs all workers: make a runtime without external_threads",
     retain_on_external, false},
    {"svs_retained_run: the runtime is traced", SVS_E_BUSY,
     "svs_retained_run: the runtime is traced or replayed", retain_traced, false},
    {NULL, 0, NULL, NULL, false}};
