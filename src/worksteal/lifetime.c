#include "base/program.h"
#include "base/sized.h"
#include "worksteal/runtime.h"
#include "worksteal/search.h"
#include "worksteal/watchdog.h"
#include <inttypes.h>
#include <string.h>

#define WATCHDOG_NS_LEAST 1000000u /* the watchdog samples four times in watchdog_ns */

static svs_runtime_options default_options(void) {
    return (svs_runtime_options){.size = sizeof(svs_runtime_options),
                                 .spin_ns = 20000,
                                 .policy = SVS_POLICY_HELP_FIRST,
                                 .task_stacks = 4096,
                                 .task_stack_bytes = 262144,
                                 .allocator = svs__allocator_libc,
                                 .log = svs__log_stderr};
}

void svs_runtime_options_init_sized(svs_runtime_options *options, size_t size) {
    svs_runtime_options defaults = default_options();
    if (options != NULL) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_runtime_options_init: no options: pass the address of a struct");
}

/* The smallest pool has a stack for the root of each worker and some more. The smallest stack has
 * room beyond what is in use when it begins. */
#define SVS__TASK_STACKS_MIN 16u
#define SVS__TASK_STACK_BYTES_MIN 65536u
/* Far more than a task needs, and far less than the address space. */
#define SVS__TASK_STACK_BYTES_MAX ((uint64_t)1 << 36)

/* Writes a message if the options are invalid. */
static svs_status check_options(const svs_runtime_options *options) {
    svs__log log = {options->log, options->log_argument};
    if (options->threads > SVS_THREADS_MAX) {
        svs__log_write(
            &log, SVS_LOG_ERROR,
            "svs_runtime_new: %u threads are too many: ask for at most %u, or for 0, which "
            "means one for each CPU",
            options->threads, SVS_THREADS_MAX);
        return SVS_E_INVALID;
    }
    if (options->external_threads && options->watchdog_ns) {
        svs__log_write(&log, SVS_LOG_ERROR,
                       "svs_runtime_new: a watchdog is a thread, and with external_threads the "
                       "runtime creates none: set watchdog_ns to 0");
        return SVS_E_INVALID;
    }
    if (options->watchdog_ns && options->watchdog_ns < WATCHDOG_NS_LEAST) {
        svs__log_write(&log, SVS_LOG_ERROR,
                       "svs_runtime_new: a watchdog of %" PRIu64
                       " ns is too quick: pass 0 for none, or at least a millisecond, 1000000",
                       options->watchdog_ns);
        return SVS_E_INVALID;
    }
    if (!options->external_threads && options->help_wanted != NULL) {
        svs__log_write(
            &log, SVS_LOG_ERROR,
            "svs_runtime_new: help_wanted without external_threads: set both, or neither");
        return SVS_E_INVALID;
    }
    if (options->policy > SVS_POLICY_WORK_FIRST) {
        svs__log_write(&log, SVS_LOG_ERROR,
                       "svs_runtime_new: unknown policy %u: choose SVS_POLICY_HELP_FIRST or "
                       "SVS_POLICY_WORK_FIRST",
                       options->policy);
        return SVS_E_INVALID;
    }
    if (options->task_stacks < SVS__TASK_STACKS_MIN ||
        options->task_stack_bytes < SVS__TASK_STACK_BYTES_MIN) {
        svs__log_write(
            &log, SVS_LOG_ERROR,
            "svs_runtime_new: %u stacks of tasks of %zu bytes are too few or too small: ask for "
            "at least %u of %u bytes",
            options->task_stacks, options->task_stack_bytes, SVS__TASK_STACKS_MIN,
            SVS__TASK_STACK_BYTES_MIN);
        return SVS_E_INVALID;
    }
    if (options->task_stack_bytes > SVS__TASK_STACK_BYTES_MAX) {
        svs__log_write(
            &log, SVS_LOG_ERROR,
            "svs_runtime_new: stacks of tasks of %zu bytes are too large: ask for at most %" PRIu64,
            options->task_stack_bytes, SVS__TASK_STACK_BYTES_MAX);
        return SVS_E_INVALID;
    }
    if ((options->allocator.allocate == NULL) != (options->allocator.release == NULL)) {
        svs__log_write(&log, SVS_LOG_ERROR,
                       "svs_runtime_new: the allocator has no function to %s: set both or neither",
                       options->allocator.allocate == NULL ? "allocate" : "release");
        return SVS_E_INVALID;
    }
    return SVS_OK;
}

static void resolve_options(svs_runtime_options *options) {
    if (options->threads == 0) options->threads = svs__cpu_count();
    if (options->threads > SVS_THREADS_MAX) options->threads = SVS_THREADS_MAX;
    if (options->allocator.allocate == NULL) options->allocator = svs__allocator_libc;
}

/* The maximal number of spinning workers: half of the workers, but at least two, and at most one
 * for each CPU. */
static uint32_t most_spinners(uint32_t threads) {
    uint32_t cpus = svs__cpu_count();
    uint32_t most = threads / 2 > 2 ? threads / 2 : 2;
    return most < cpus ? most : cpus;
}

/* Called in the child of a fork(): its thread is not a worker. */
static void forget_worker(void) { svs__worker_become(NULL); }

static void init_worker(svs_runtime *runtime, uint32_t index) {
    svs__worker *worker = &runtime->workers[index];
    worker->index = index;
    worker->runtime = runtime;
    worker->victim = (index + 1) % runtime->options.threads;
    worker->next_job = index % SVS__JOBS_MAX;
    worker->deque.async.worker = worker;
    worker->phase = SVS__NO_PHASE;
    svs__random_seed(&worker->random, index);
}

svs_status svs_runtime_new(const svs_runtime_options *options, svs_runtime **runtime) {
    svs_runtime_options chosen;
    svs_runtime *made;
    svs_status status;
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_runtime_new: no place for the runtime: pass a pointer's address");
    *runtime = NULL;
    chosen = default_options();
    if (options != NULL && svs__options_take(&chosen, sizeof chosen, options))
        return svs__refuse(NULL, SVS_E_VERSION,
                           "svs_runtime_new: options of another version: fill them with "
                           "svs_runtime_options_init()");
    status = check_options(&chosen);
    if (status) return status;
    resolve_options(&chosen);
    made = svs__allocate_zeroed(&chosen.allocator, sizeof *made, alignof(svs_runtime));
    if (made == NULL) return SVS_E_NO_MEMORY;
    made->workers = svs__allocate_zeroed(&chosen.allocator, chosen.threads * sizeof(svs__worker),
                                         alignof(svs__worker));
    if (made->workers == NULL) {
        svs__release(&chosen.allocator, made, sizeof *made, alignof(svs_runtime));
        return SVS_E_NO_MEMORY;
    }
    svs__process_on_fork(forget_worker);
    made->process = svs__process_forks;
    made->options = chosen;
    made->log = (svs__log){chosen.log, chosen.log_argument};
    svs__stacks_init(&made->stacks, chosen.task_stack_bytes, chosen.task_stacks, chosen.threads);
    made->spinners_max = most_spinners(chosen.threads);
    /* relaxed: no other thread has it */
    svs__store_relaxed(&made->particular, chosen.help_wanted != NULL);
    made->seats = chosen.external_threads ? chosen.threads : 1;
    for (uint32_t i = 0; i < chosen.threads; i++) init_worker(made, i);
    *runtime = made;
    return SVS_OK;
}

static void *work(void *argument) {
    static const svs__until never = {NULL, NULL, false, SVS__NO_DEADLINE, NULL};
    svs__worker *worker = argument;
    const svs_runtime_options *options = &worker->runtime->options;
    svs__thread_name("svs", worker->index);
    if (options->worker_begins != NULL)
        options->worker_begins(worker->index, options->worker_argument);
    svs__worker_become(worker);
    svs__place_of_thread(&worker->home);
    svs__program_leave();
    (void)svs__worker_run(worker, &never);
    svs__program_enter();
    svs__worker_become(NULL);
    if (options->worker_ends != NULL) options->worker_ends(worker->index, options->worker_argument);
    return NULL;
}

/* Ends the workers with threads of their own whose number is below `count`. */
static void join_workers(svs_runtime *runtime, uint32_t count) {
    svs__store_release(&runtime->stopping, 1);
    svs__parking_wake(&runtime->parking, UINT32_MAX);
    for (uint32_t i = runtime->seats; i < count; i++) svs__thread_join(&runtime->workers[i].thread);
}

static void release_deques(svs_runtime *runtime) {
    for (uint32_t i = 0; i < runtime->options.threads; i++)
        svs__deque_clean_up(&runtime->workers[i].deque, &runtime->options.allocator);
}

static svs_status allocate_deques(svs_runtime *runtime) {
    for (uint32_t i = 0; i < runtime->options.threads; i++) {
        if (!svs__deque_init(&runtime->workers[i].deque, &runtime->options.allocator,
                             SVS__DEQUE_CAPACITY)) {
            release_deques(runtime);
            return SVS_E_NO_MEMORY;
        }
    }
    svs__runtime_set_deques(runtime); /* a watcher or guide may have been attached before */
    return SVS_OK;
}

/* Starts the threads of all workers, or none. */
static svs_status start_workers(svs_runtime *runtime) {
    uint32_t threads = runtime->options.threads;
    svs_status status = allocate_deques(runtime);
    if (status) return status;
    svs__store_relaxed(&runtime->stopping, 0); /* relaxed: the workers' threads are created later */
    for (uint32_t i = runtime->seats; i < threads; i++) {
        svs__worker *worker = &runtime->workers[i];
        status = svs__thread_create(&worker->thread, work, worker, runtime->options.stack_bytes);
        if (status == SVS_OK) continue;
        svs__log_write(&runtime->log, SVS_LOG_ERROR,
                       "svs_runtime_start: thread %u of %u could not be created: ask for fewer "
                       "threads or smaller stacks, or raise the system's limit",
                       i, threads - 1);
        join_workers(runtime, i);
        release_deques(runtime);
        return status;
    }
    status = svs__watchdog_start(runtime);
    if (status == SVS_OK) return SVS_OK;
    join_workers(runtime, threads);
    release_deques(runtime);
    return status;
}

/* Warns when the workers may use only a part of the CPUs of the system and outnumber them. More
 * workers than CPUs may be what the program wants, but hardly if the system has more CPUs. */
static void tell_affinity(const svs_runtime *runtime) {
    uint32_t cpus = svs__cpu_count(), online = svs__cpus_online();
    if (runtime->options.external_threads || runtime->options.threads <= cpus || cpus >= online)
        return;
    svs__log_write(&runtime->log, SVS_LOG_WARNING,
                   "svs_runtime_start: %u workers, and the calling thread may use %u of %u CPUs, "
                   "which the workers inherit: start the runtime before the thread is bound, or "
                   "set the affinity of each worker in worker_begins",
                   runtime->options.threads, cpus, online);
}

/* Writes why a runtime cannot be started. @return `status`. */
static svs_status refuse_start(const svs_runtime *runtime, svs_status status) {
    return svs__refuse(&runtime->log, status, "svs_runtime_start: %s",
                       status == SVS_E_BUSY ? "the runtime was started before: start it once"
                                            : svs_status_text(status));
}

svs_status svs_runtime_start(svs_runtime *runtime) {
    svs_status status;
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_runtime_start: the runtime is NULL: did svs_runtime_new() fail?");
    if (svs__runtime_is_forked(runtime)) return refuse_start(runtime, SVS_E_FORKED);
    svs__lock_acquire(&runtime->lock);
    if (runtime->state == SVS__STARTED) status = refuse_start(runtime, SVS_E_BUSY);
    else if (runtime->state == SVS__STOPPED) status = refuse_start(runtime, SVS_E_STOPPED);
    else status = start_workers(runtime);
    if (status == SVS_OK) runtime->state = SVS__STARTED;
    svs__lock_release(&runtime->lock);
    if (status == SVS_OK) tell_affinity(runtime);
    if (status == SVS_OK && svs__runtime_started != NULL) svs__runtime_started(runtime);
    return status;
}

/* Does something run? relaxed is enough: a participant without a job of its own is a misuse, which
 * this detects when it can (worksteal.R1). */
static bool runs(svs_runtime *runtime) {
    return runtime->taken != 0 || svs__load_relaxed(&runtime->seated) != 0;
}

/* Stops the runtime. @return SVS_OK, SVS_E_NOT_STARTED, SVS_E_BUSY. */
static svs_status stop(svs_runtime *runtime) {
    svs__runtime_state before;
    svs_status status = SVS_OK;
    svs__lock_acquire(&runtime->lock);
    before = runtime->state;
    if (before == SVS__NEW) status = SVS_E_NOT_STARTED;
    else if (before == SVS__STARTED && runs(runtime)) status = SVS_E_BUSY;
    else runtime->state = SVS__STOPPED;
    SVS__ASSERT(status != SVS_OK || runtime->taken == 0); /* worksteal.R1 */
    svs__lock_release(&runtime->lock);
    if (status == SVS_OK && before == SVS__STARTED) {
        svs__watchdog_stop(runtime);
        join_workers(runtime, runtime->options.threads);
        for (uint32_t i = 0; i < runtime->options.threads; i++) {
            svs__place_detach(&runtime->workers[i].home);
            svs__stack_return_all(&runtime->stacks, &runtime->workers[i].stacks);
        }
        svs__stacks_clean_up(&runtime->stacks);
        release_deques(runtime);
    }
    return status;
}

/* Is there a watcher that ends with the runtime? */
static bool watch_ends(const svs_runtime *runtime) {
    return runtime->watcher != NULL && svs__runtime_ended != NULL;
}

/* Writes why `call` cannot end the runtime. @return `status`. */
static svs_status refuse_end(const svs_runtime *runtime, const char *call, svs_status status) {
    const svs__worker *self = svs__worker_self();
    const char *why = svs_status_text(status);
    if (status == SVS_E_BUSY) {
        why = self != NULL && self->runtime == runtime
                  ? "called from a body that runs on the runtime: call it after the run, from "
                    "outside"
                  : "something runs on the runtime: wait for the end of all runs";
    }
    return svs__refuse(&runtime->log, status, "%s: %s", call, why);
}

svs_status svs_runtime_stop(svs_runtime *runtime) {
    svs_status status;
    if (runtime == NULL)
        return svs__refuse(NULL, SVS_E_NULL,
                           "svs_runtime_stop: the runtime is NULL: did svs_runtime_new() fail?");
    status = svs__runtime_is_forked(runtime) ? SVS_E_FORKED : stop(runtime);
    if (status == SVS_OK && watch_ends(runtime)) svs__runtime_ended(runtime);
    return status ? refuse_end(runtime, "svs_runtime_stop", status) : SVS_OK;
}

svs_status svs_runtime_free(svs_runtime *runtime) {
    svs_allocator allocator;
    svs_status status;
    uint32_t users;
    if (runtime == NULL) return SVS_OK;
    if (svs__runtime_is_forked(runtime))
        return refuse_end(runtime, "svs_runtime_free", SVS_E_FORKED);
    /* acquire: sees the holders' accesses; pairs with svs__runtime_unhold(). */
    users = svs__load_acquire(&runtime->users) - watch_ends(runtime);
    if (users != 0)
        return svs__refuse(
            &runtime->log, SVS_E_BUSY,
            "svs_runtime_free: %u worlds, traces or retained trees of the runtime are left: "
            "free or stop them first",
            users);
    status = stop(runtime);
    if (status == SVS_E_BUSY) return refuse_end(runtime, "svs_runtime_free", status);
    if (watch_ends(runtime)) svs__runtime_ended(runtime);
    allocator = runtime->options.allocator;
    svs__release(&allocator, runtime->workers, runtime->options.threads * sizeof(svs__worker),
                 alignof(svs__worker));
    svs__release(&allocator, runtime, sizeof *runtime, alignof(svs_runtime));
    return SVS_OK;
}

uint32_t svs_runtime_threads(const svs_runtime *runtime) {
    return runtime == NULL ? 0 : runtime->options.threads;
}

uint32_t svs_worker_index(void) { return svs__thread_index(); }

svs_status svs_runtime_statistics_get_sized(const svs_runtime *runtime, uint32_t worker,
                                            svs_worker_statistics *statistics, size_t size) {
    const svs__worker *of;
    svs_worker_statistics counted;
    if (runtime == NULL || statistics == NULL)
        return svs__refuse(runtime == NULL ? NULL : &runtime->log, SVS_E_NULL,
                           "svs_runtime_statistics_get: the %s missing: pass one",
                           runtime == NULL ? "runtime is" : "place for the statistics is");
    if (worker >= runtime->options.threads)
        return svs__refuse(
            &runtime->log, SVS_E_INVALID,
            "svs_runtime_statistics_get: there is no worker %u: the workers are 0 to %u", worker,
            runtime->options.threads - 1);
    of = &runtime->workers[worker];
    /* relaxed: the numbers are independent. */
    counted.instances = svs__load_relaxed(&of->instances);
    counted.steals = svs__load_relaxed(&of->steals);
    counted.sleeps = svs__load_relaxed(&of->sleeps);
    svs__output_put(statistics, size, &counted, sizeof counted);
    return SVS_OK;
}
