#include "misuse.h"

static void hear(int level, const char *text, void *argument) { stage_hear(argument, text); }

static svs_runtime_options options_of(setting *s) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = 2;
    options.log = hear;
    options.log_argument = s;
    return options;
}

static svs_status try_options(const svs_runtime_options *options) {
    svs_runtime *runtime;
    svs_status status = svs_runtime_new(options, &runtime);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}

/* Options with one wrong member. */
#define WRONG_OPTIONS(name, wrong)                                                                 \
    static svs_status name(setting *s) {                                                           \
        svs_runtime_options options = options_of(s);                                               \
        options.wrong;                                                                             \
        return try_options(&options);                                                              \
    }
WRONG_OPTIONS(options_unfilled, size = 3)
static svs_status options_nowhere(setting *s) {
    svs_runtime_options_init(NULL);
    return SVS_OK;
}
WRONG_OPTIONS(too_many_threads, threads = SVS_THREADS_MAX + 1)
WRONG_OPTIONS(unknown_policy, policy = 7)
WRONG_OPTIONS(few_stacks, task_stacks = 1)
WRONG_OPTIONS(small_stacks, task_stack_bytes = 100)
WRONG_OPTIONS(large_stacks, task_stack_bytes = (size_t)1 << 47)
WRONG_OPTIONS(no_allocate, allocator.allocate = NULL)
WRONG_OPTIONS(no_release, allocator.release = NULL)
static svs_status watched_external(setting *s) {
    svs_runtime_options options = options_of(s);
    options.external_threads = true;
    options.watchdog_ns = 1000000000;
    return try_options(&options);
}
WRONG_OPTIONS(watched_for_thousands, watchdog_ns = 5000)
static void want(uint32_t count, void *argument) {}
WRONG_OPTIONS(wanted_without, help_wanted = want)

static svs_status help_inside(setting *s, svs_context *context) {
    return svs_help(s->runtime, 1, NULL);
}
static svs_status help_in_body(setting *s) { return stage_act(s, help_inside); }

static svs_status start_twice(setting *s) { return svs_runtime_start(s->runtime); }

/* A runtime of its own, on which `call` is tried, before the start or after the stop. */
static svs_status on_another(setting *s, bool stopped, svs_status (*call)(svs_runtime *runtime)) {
    svs_runtime_options options = options_of(s);
    svs_runtime *runtime;
    svs_status status = svs_runtime_new(&options, &runtime);
    if (!status && stopped) status = svs_runtime_start(runtime);
    if (!status && stopped) status = svs_runtime_stop(runtime);
    if (!status) status = call(runtime);
    svs_ignore(svs_runtime_free(runtime));
    return status;
}

static svs_status start_it(svs_runtime *runtime) { return svs_runtime_start(runtime); }
static svs_status stop_it(svs_runtime *runtime) { return svs_runtime_stop(runtime); }
static svs_status help_it(svs_runtime *runtime) { return svs_help(runtime, 1, NULL); }
static svs_status help_unstarted(setting *s) { return on_another(s, false, help_it); }
static svs_status help_stopped(setting *s) { return on_another(s, true, help_it); }
static svs_status start_stopped(setting *s) { return on_another(s, true, start_it); }
static svs_status stop_unstarted(setting *s) { return on_another(s, false, stop_it); }
static svs_status stop(setting *s) { return svs_runtime_stop(s->runtime); }
static svs_status stop_beside(setting *s) { return stage_beside(s, stop); }
static svs_status stop_inside(setting *s, svs_context *context) { return stop(s); }
static svs_status stop_in_body(setting *s) { return stage_act(s, stop_inside); }
static svs_status free_used(setting *s) { return svs_runtime_free(s->runtime); }

static void free_own(svs_async_context *async, void *argument) {
    svs_runtime **runtime = argument;
    if (svs_runtime_free(*runtime) == SVS_E_BUSY) *runtime = NULL;
}
static svs_status free_from_async(svs_runtime *runtime) {
    svs_runtime *given = runtime;
    svs_status status = svs_runtime_start(runtime);
    if (!status) status = svs_async_run(runtime, free_own, &given);
    return status ? status : given == NULL ? SVS_E_BUSY : SVS_OK;
}
static svs_status free_in_body(setting *s, svs_context *context) { return free_used(s); }
static svs_status free_inside(setting *s) {
    svs_status status = stage_act(s, free_in_body);
    return status == SVS_E_BUSY ? on_another(s, false, free_from_async) : STAGE_WRONG;
}

static svs_status statistics_of_no_worker(setting *s) {
    svs_worker_statistics statistics;
    return svs_runtime_statistics_get(s->runtime, 7, &statistics);
}

const misuse misuses_of_runtimes[] = {
    {"svs_runtime_options_init(NULL)", SVS_OK, "svs_runtime_options_init: no options: pass",
     options_nowhere, true},
    {"svs_runtime_new: options that svs_runtime_options_init() has not filled", SVS_E_VERSION,
     "svs_runtime_new: options of another version: fill them with", options_unfilled, true},
    {"svs_runtime_new: more threads than SVS_THREADS_MAX", SVS_E_INVALID,
     "1025 threads are too many: ask for at most 1024", too_many_threads, false},
    {"svs_runtime_new: an unknown policy", SVS_E_INVALID,
     "unknown policy 7: choose SVS_POLICY_HELP_FIRST or SVS_POLICY_WORK_FIRST", unknown_policy,
     false},
    {"svs_runtime_new: too few stacks", SVS_E_INVALID, "1 stacks of tasks", few_stacks, false},
    {"svs_runtime_new: stacks that are too small", SVS_E_INVALID,
     "stacks of tasks of 100 bytes are too few or too small: ask for at least 16 of 65536 bytes",
     small_stacks, false},
    {"svs_runtime_new: stacks that are too large", SVS_E_INVALID,
     "stacks of tasks of 140737488355328 bytes are too large: ask for at most", large_stacks,
     false},
    {"svs_runtime_new: an allocator that cannot allocate", SVS_E_INVALID,
     "the allocator has no function to allocate: set both or neither", no_allocate, false},
    {"svs_runtime_new: an allocator that cannot release", SVS_E_INVALID,
     "the allocator has no function to release: set both or neither", no_release, false},
    {"svs_runtime_new: a watchdog of 5,000 ns", SVS_E_INVALID,
     "a watchdog of 5000 ns is too quick: pass 0 for none, or at least a millisecond",
     watched_for_thousands, false},
    {"svs_runtime_new: a watchdog beside external threads", SVS_E_INVALID,
     "a watchdog is a thread, and with external_threads the runtime creates none", watched_external,
     false},
    {"svs_runtime_new: help_wanted without external threads", SVS_E_INVALID,
     "help_wanted without external_threads: set both, or neither", wanted_without, false},
    {"svs_help: before the start", SVS_E_NOT_STARTED, "svs_help: The runtime has not been started",
     help_unstarted, false},
    {"svs_help: after the stop", SVS_E_STOPPED, "svs_help: The runtime was stopped", help_stopped,
     false},
    {"svs_help: from a body that runs on it", SVS_E_NESTED,
     "svs_help: called from a body that runs on the runtime: return from the body", help_in_body,
     false},
    {"svs_runtime_start: twice", SVS_E_BUSY, "the runtime was started before: start it once",
     start_twice, false},
    {"svs_runtime_start: after the stop", SVS_E_STOPPED,
     "svs_runtime_start: The runtime was stopped, which is final; make a new one", start_stopped,
     false},
    {"svs_runtime_stop: before the start", SVS_E_NOT_STARTED,
     "svs_runtime_stop: The runtime has not been started", stop_unstarted, false},
    {"svs_runtime_stop: while something runs", SVS_E_BUSY,
     "svs_runtime_stop: something runs on the runtime: wait for the end of all runs", stop_beside,
     false},
    {"svs_runtime_stop: from a body that runs on it", SVS_E_BUSY,
     "svs_runtime_stop: called from a body that runs on the runtime: call it after the run",
     stop_in_body, false},
    {"svs_runtime_free: worlds of it are left", SVS_E_BUSY,
     "2 worlds, traces or retained trees of the runtime are left: free or stop them first",
     free_used, false},
    {"svs_runtime_free: from a body that runs on it", SVS_E_BUSY,
     "svs_runtime_free: called from a body that runs on the runtime: call it after the run",
     free_inside, false},
    {"svs_runtime_statistics_get: of a worker that is not there", SVS_E_INVALID,
     "there is no worker 7: the workers are 0 to 1", statistics_of_no_worker, false},
    {NULL, 0, NULL, NULL, false}};
