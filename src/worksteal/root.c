/* svs_async_run() and svs_measure_run(): a root of asyncs, as a job of one step. */
#include "base/program.h"
#include "worksteal/cancel.h"
#include "worksteal/finish.h"
#include "worksteal/meter.h"
#include "worksteal/phase.h"
#include "worksteal/watchdog.h"
#include "worksteal/workfirst.h"
#include <svs/async.h>

typedef struct root {
    svs__job job;
    svs_runtime *runtime;
    svs_async_function *function;
    void *argument;
    /* WAITING, TAKEN or ENDED; the worker that changes WAITING to TAKEN runs the root */
    _Atomic(uint32_t) state;
    _Atomic(uint32_t) failed; /* the svs_status for which a descendant was not run; 0: none */
    svs__meter *meter;        /* NULL: the root is not measured */
    svs__watched_run watched; /* the watcher's record of the run (events.h) */
} root;

enum { WAITING, TAKEN, ENDED };

static bool has_ended(void *argument) {
    /* acquire: sees the run's writes; pairs with end(). */
    return svs__load_acquire(&((root *)argument)->state) == ENDED;
}

static void end(svs__worker *worker, void *argument) {
    root *r = argument;
    svs_runtime *runtime = worker->runtime;
    svs__store_release(&r->state, ENDED); /* after this, the waiter may release the root */
    svs__runtime_complete(runtime);
}

SVS__COLD static void run_watched(svs__watcher *watcher, svs_async_context *async, root *r) {
    svs__worker *worker = async->worker;
    bool own = async == &worker->deque.async; /* false: the root runs on a stack of its own */
    void *top = own ? __builtin_frame_address(0) : (char *)async + sizeof(svs__stack);
    void *outer = watcher->begins(watcher, worker, async, r->watched.root, false, top);
    r->function(async, r->argument);
    watcher->ends(watcher, async->worker, async, outer);
}

static void run(svs_async_context *async, void *argument) {
    root *r = argument;
    svs__watcher *watcher = r->runtime->watcher;
    if (SVS__UNLIKELY(watcher != NULL) && r->meter == NULL) run_watched(watcher, async, r);
    else r->function(async, r->argument);
}

static bool is_ready(svs__job *job) {
    /* relaxed is enough: the answer may be stale, and the step decides. */
    return svs__load_relaxed(&((root *)(void *)job)->state) == WAITING;
}

static void run_here(svs__worker *worker, root *r) {
    svs_async_context *async = &worker->deque.async;
    uint64_t number = async->ordinal;
    const svs__guide *guide = svs__runtime_guided(worker->runtime);
    bool paths = guide != NULL && guide->paths;
    (void)svs__phase_begin_root(worker);
    if (paths) async->ordinal = SVS__ROOT_PATH;
    svs__program_enter();
    svs_finish(async, run, r);
    svs__program_leave();
    if (paths) async->ordinal = number;
    svs__phase_end(worker, SVS__NO_PHASE, false);
}

static void run_metered(svs__worker *worker, root *r) {
    svs__deque_always_slow(&worker->deque, true, false);
    worker->meter = r->meter;
    svs__meter_begin(r->meter);
    run_here(worker, r);
    svs__meter_end(r->meter);
    worker->meter = NULL;
    svs__deque_always_slow(&worker->deque, r->runtime->watcher != NULL, true);
}

/* Writes why `call` is refused. @return `status`. */
static svs_status refuse(const svs_runtime *runtime, const char *call, svs_status status) {
    const char *why = svs_status_text(status);
    if (status == SVS_E_NESTED)
        why = svs__worker_self()->runtime == runtime
                  ? "called from a body of the same runtime: use svs_async() or svs_finish() there"
                  : "called from a body that a body of the same runtime waits for: run it from "
                    "outside of "
                    "both";
    if (status == SVS_E_LIMIT) why = "64 runs are in progress: wait for the end of one of them";
    if (status == SVS_E_NO_MEMORY)
        why = "no memory for a stack of a task: ask for smaller ones (svs_runtime_options: "
              "task_stack_bytes)";
    return svs__refuse(&runtime->log, status, "%s: %s", call, why);
}

/* Starts the root under work-first. @return whether the run has begun; it may have completed. */
static bool start_workfirst(svs__worker *worker, root *r) {
    svs_status status = svs__workfirst_start(worker, run, r, end, &r->failed);
    /* a wait would not help: the end of other runs releases no memory */
    if (status == SVS_E_NO_MEMORY) {
        (void)refuse(worker->runtime, "svs_async_run", status);
        svs__store_relaxed(&r->failed, (uint32_t)status); /* relaxed: end() publishes it */
        end(worker, r);
    } else if (status == SVS_E_LIMIT) {
        /* Other runs have all stacks (worksteal.T3): the root waits. relaxed is enough: the attach
         * has published the root. */
        svs__store_relaxed(&r->state, WAITING);
    }
    return status != SVS_E_LIMIT;
}

static bool step(svs__job *job, svs__worker *worker) {
    root *r = (root *)(void *)job;
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    uint32_t expected = WAITING;
    if (guide != NULL && !guide->roots(guide, worker)) return false;
    /* relaxed: the attach published the root. */
    if (!is_ready(job) || !svs__cas_strong_relaxed(&r->state, &expected, TAKEN)) return false;
    if (worker->runtime->options.policy == SVS_POLICY_HELP_FIRST || r->meter != NULL) {
        if (r->meter != NULL) run_metered(worker, r);
        else run_here(worker, r);
        end(worker, r);
        return true;
    }
    return start_workfirst(worker, r);
}

static svs_status cancel(svs__job *job, svs_status status) {
    root *r = (root *)(void *)job;
    uint32_t none = 0;
    if (has_ended(r)) return SVS_E_STATE;
    /* relaxed is enough: `failed` is read after the detach, which waits for this thread. */
    (void)svs__cas_strong_relaxed(&r->failed, &none, (uint32_t)status);
    svs__runtime_cancel(r->runtime, job);
    return SVS_OK;
}

static void tells(svs__job *job, svs__worker *worker, svs__activity *activity) {
    root *r = (root *)(void *)job;
    union {
        svs_async_function *function;
        const void *address;
    } of = {r->function};
    if (r->meter == NULL) svs__watchdog_asyncs(worker, of.address, "asyncs of", NULL, activity);
}

static svs_status refuse_missing(const svs_runtime *runtime, const char *call) {
    return svs__refuse(runtime == NULL ? NULL : &runtime->log, SVS_E_NULL,
                       "%s: the %s missing: pass one", call,
                       runtime == NULL ? "runtime is" : "function, or where the result goes, is");
}

static svs_status run_root(svs_runtime *runtime, svs_async_function *function, void *argument,
                           svs__meter *meter, const char *call) {
    root r = {{step, is_ready, tells, NULL, cancel},
              runtime,
              function,
              argument,
              WAITING,
              0,
              meter,
              {0, NULL}};
    svs__watcher *watcher;
    svs_status status;
    if (runtime == NULL || function == NULL) return refuse_missing(runtime, call);
    if (svs__worker_is_within(runtime)) return refuse(runtime, call, SVS_E_NESTED);
    watcher = meter == NULL ? runtime->watcher : NULL;
    if (SVS__UNLIKELY(watcher != NULL)) watcher->run_begins(watcher, &r.watched);
    status = svs__runtime_attach(runtime, &r.job);
    if (status) {
        if (watcher != NULL) watcher->run_ends(watcher, &r.watched);
        return refuse(runtime, call, status);
    }
    /* All workers are notified when there is a guide, which may permit only certain ones to begin
     * the root. */
    svs__runtime_notify(runtime, svs__runtime_guided(runtime) == NULL ? 1 : UINT32_MAX);
    svs__runtime_participate(runtime, has_ended, &r);
    if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
    svs__runtime_detach(runtime, &r.job);
    if (SVS__UNLIKELY(watcher != NULL)) watcher->run_ends(watcher, &r.watched);
    /* relaxed: this thread has already seen the end of the run. */
    return (svs_status)svs__load_relaxed(&r.failed);
}

svs_status svs_async_run(svs_runtime *runtime, svs_async_function *function, void *argument) {
    return run_root(runtime, function, argument, NULL, "svs_async_run");
}

svs_status svs_measure_run(svs_runtime *runtime, svs_async_function *function, void *argument,
                           svs_measure *measure) {
    svs__meter meter;
    svs_status status;
    static const char call[] = "svs_measure_run";
    if (runtime == NULL || measure == NULL) return refuse_missing(runtime, call);
    if (svs__runtime_guided(runtime) != NULL)
        return svs__refuse(&runtime->log, SVS_E_BUSY,
                           "%s: the runtime is replayed, or retains steals: end that first", call);
    status = run_root(runtime, function, argument, &meter, call);
    if (status == SVS_OK) *measure = meter.sum;
    return status;
}
