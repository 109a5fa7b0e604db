#include "worksteal/watchdog.h"
#include "base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* glibc has dladdr() in libc itself since 2.34; before, it needed a further library. */
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
#include <dlfcn.h>
#define SVS__HAS_DLADDR 1
#endif
#endif

/* The last sample of a worker, and the time since which its samples have been the same. */
typedef struct sight {
    svs__activity activity;
    uint64_t since_ns;
    uint64_t told_ns; /* duration at the last warning; 0: no warning yet */
} sight;

struct svs__watchdog {
    svs_runtime *runtime;
    svs__thread thread;
    _Atomic(uint32_t) stopping;
    svs__job *inside[SVS__JOBS_MAX];
    sight sights[]; /* sights by worker */
};

#define LINE 256
#define MESSAGE 256

/* A line for the log: composed inside of the jobs, written outside of them (worksteal.B1). */
typedef struct alarm_text {
    uint32_t worker;
    uint64_t ms;
    char what[LINE];
    /* the result of writing the trace; empty: no trace is recorded, or the options ask for no
     * file */
    char trace[MESSAGE];
} alarm_text;

static size_t bytes_of(const svs_runtime *runtime) {
    return sizeof(svs__watchdog) + runtime->options.threads * sizeof(sight);
}

static bool is_same(const svs__activity *a, const svs__activity *b) {
    return a->what == b->what && a->at == b->at;
}

static svs__activity look_at(svs__watchdog *dog, svs__worker *worker) {
    svs__activity activity = {NULL, 0, NULL, NULL};
    for (uint32_t i = 0; i < SVS__JOBS_MAX && activity.what == NULL; i++) {
        svs__job *job = dog->inside[i];
        if (job != NULL && job->tells != NULL) job->tells(job, worker, &activity);
    }
    return activity;
}

void svs__watchdog_asyncs(svs__worker *worker, const void *what, const char *kind, const char *name,
                          svs__activity *activity) {
    /* relaxed is enough: only a value that stays the same for long counts. */
    if (svs__load_relaxed(&worker->stretch) != SVS__IN_ASYNCS) return;
    if (svs__runtime_guided(worker->runtime) != NULL) return;
    *activity = (svs__activity){what, svs__deque_ask(&worker->deque), kind, name};
}

/* Writes a function as file and offset, for addr2line, where the system can tell them. */
static void describe_address(const svs__activity *activity, char *text) {
#if SVS__HAS_DLADDR
    Dl_info found;
    if (dladdr(activity->what, &found) != 0 && found.dli_fname != NULL) {
        (void)snprintf(text, LINE, "%s %s at %s+%#tx", activity->kind,
                       found.dli_sname == NULL ? "a function" : found.dli_sname, found.dli_fname,
                       (const char *)activity->what - (const char *)found.dli_fbase);
        return;
    }
#endif
    (void)snprintf(text, LINE, "%s a function at %p", activity->kind, activity->what);
}

static void describe(const svs__activity *activity, char *text) {
    if (activity->name != NULL) (void)snprintf(text, LINE, "%s %s", activity->kind, activity->name);
    else describe_address(activity, text);
}

/* Writes the trace so far to a file, if a trace is recorded and the options name a file. */
static void write_trace(svs_runtime *runtime, char *text) {
    const char *path = runtime->options.watchdog_trace;
    char why[MESSAGE / 2] = "";
    if (path == NULL || runtime->observer == NULL || runtime->write_trace == NULL) return;
    if (runtime->write_trace(runtime, path, why, sizeof why) == SVS_OK)
        (void)snprintf(text, MESSAGE, "the trace so far is in %s: svs trace info %s", path, path);
    else (void)snprintf(text, MESSAGE, "the trace so far could not be written: %s", why);
}

/* The first warning is due after watchdog_ns, each further one after twice the time. */
static bool is_due(const svs__watchdog *dog, const sight *seen, uint64_t span_ns) {
    uint64_t bound = dog->runtime->options.watchdog_ns;
    return span_ns >= (seen->told_ns == 0 ? bound : 2 * seen->told_ns);
}

/* Samples a worker. The caller is inside of all jobs (worksteal.B1). @return whether a warning is
 * due. */
static bool watch(svs__watchdog *dog, uint32_t index, alarm_text *text) {
    sight *seen = &dog->sights[index];
    svs__activity now = look_at(dog, &dog->runtime->workers[index]);
    uint64_t now_ns = svs__time_ns();
    if (now.what == NULL || !is_same(&now, &seen->activity)) {
        *seen = (sight){now, now_ns, 0};
        return false;
    }
    if (!is_due(dog, seen, now_ns - seen->since_ns)) return false;
    seen->told_ns = now_ns - seen->since_ns;
    text->worker = index;
    text->ms = seen->told_ns / 1000000;
    text->trace[0] = 0;
    describe(&now, text->what);
    write_trace(dog->runtime, text->trace);
    return true;
}

static void tell(const svs__watchdog *dog, const alarm_text *text) {
    const svs__log *log = &dog->runtime->log;
    svs__log_write(log, SVS_LOG_WARNING,
                   "watchdog: worker %u has been in one body for %" PRIu64
                   " ms: %s: does it wait, or loop for ever? gdb -p %ld shows where",
                   text->worker, text->ms, text->what, (long)getpid());
    if (text->trace[0] != 0)
        svs__log_write(log, SVS_LOG_WARNING, "watchdog: worker %u: %s", text->worker, text->trace);
}

/* Samples all workers. Enters the jobs once for all of them, and again after each warning. */
static void look_around(svs__watchdog *dog) {
    uint32_t worker = 0, threads = dog->runtime->options.threads;
    while (worker < threads) {
        alarm_text text;
        bool told = false;
        svs__jobs_enter_all(&dog->runtime->jobs, dog->inside);
        while (worker < threads && !told) told = watch(dog, worker++, &text);
        svs__jobs_leave_all(&dog->runtime->jobs, dog->inside);
        if (told) tell(dog, &text);
    }
}

/* The function of the watchdog's thread. Its period bounds a warning's delay to a quarter of
 * watchdog_ns. */
static void *run(void *argument) {
    svs__watchdog *dog = argument;
    uint64_t period_ns = dog->runtime->options.watchdog_ns / 4;
    /* relaxed is enough: `stopping` publishes nothing that the thread reads. */
    while (svs__load_relaxed(&dog->stopping) == 0) {
        svs__futex_wait_for(&dog->stopping, 0, period_ns);
        look_around(dog);
    }
    return NULL;
}

svs_status svs__watchdog_start(svs_runtime *runtime) {
    const svs_allocator *allocator = svs__runtime_allocator(runtime);
    svs__watchdog *dog;
    svs_status status;
    if (runtime->options.watchdog_ns == 0) return SVS_OK;
    dog = svs__allocate_zeroed(allocator, bytes_of(runtime), alignof(svs__watchdog));
    if (dog == NULL) return SVS_E_NO_MEMORY;
    dog->runtime = runtime;
    status = svs__thread_create(&dog->thread, run, dog, 0);
    if (status == SVS_OK) {
        runtime->watchdog = dog;
        return SVS_OK;
    }
    svs__release(allocator, dog, bytes_of(runtime), alignof(svs__watchdog));
    return svs__refuse(&runtime->log, status,
                       "svs_runtime_start: the watchdog's thread could not be created: ask for "
                       "fewer threads, or raise the system's limit");
}

void svs__watchdog_stop(svs_runtime *runtime) {
    svs__watchdog *dog = runtime->watchdog;
    if (dog == NULL) return;
    svs__store_relaxed(&dog->stopping, 1); /* relaxed: the join orders the rest */
    svs__futex_wake(&dog->stopping, 1);
    svs__thread_join(&dog->thread);
    runtime->watchdog = NULL;
    svs__release(svs__runtime_allocator(runtime), dog, bytes_of(runtime), alignof(svs__watchdog));
}
