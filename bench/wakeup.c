/* The time that sleeping workers take to start, and the CPU time that they take while they sleep:
 * SvS and oneTBB.
 *
 *     bench_wakeup [--idle 10] [--threads 2] [--benchmark_repetitions=20]
 *
 * After one idle second, from the call that starts the work: until the first body starts in any
 * thread (the caller also works), and until the first starts in another thread, which had to be
 * woken. Then the CPU seconds of an engine of 8 threads that has worked once and is idle. */
#include "wakeup.h"

#include "common/pause.h"
#include "shim.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { IDLE_THREADS = 8, PAUSES_BEFORE_YIELD = 256 };
#define SECOND_NS UINT64_C(1000000000)

struct wakeup_probe {
    pthread_t caller;
    uint64_t begin;
    _Atomic uint64_t first_any, first_other; /* 0: not yet */
};

static void note(_Atomic uint64_t *when, uint64_t now) {
    uint64_t never = 0;
    atomic_compare_exchange_strong(when, &never, now);
}

void wakeup_body(wakeup_probe *probe) {
    uint64_t now = bench_wall_ns();
    note(&probe->first_any, now);
    if (!pthread_equal(pthread_self(), probe->caller)) {
        note(&probe->first_other, now);
        return;
    }
    for (unsigned i = 1;
         !atomic_load(&probe->first_other) && bench_wall_ns() - now < SECOND_NS / 10; i++) {
        if (i % PAUSES_BEFORE_YIELD) cpu_pause();
        else sched_yield();
    }
}

static void begin(wakeup_probe *probe) { probe->begin = bench_wall_ns(); }

typedef struct settings {
    uint64_t idle_s, threads;
} settings;
static settings s;

typedef struct contender {
    const wakeup_engine *engine;
    bench_case *wakes, *idles;
} contender;
static contender contenders[] = {
    {&wakeup_svs, NULL, NULL},
#if defined(BENCH_TBB)
    {&wakeup_tbb, NULL, NULL},
#endif
};
#define CONTENDERS (sizeof contenders / sizeof *contenders)

static wakeup_probe attempt(const wakeup_engine *engine, void *of_engine) {
    wakeup_probe probe = {.caller = pthread_self()};
    engine->attempt(of_engine, &probe, begin);
    return probe;
}

/* Times the first body of any thread. */
static void wake(bench_state *state, const void *engine_) {
    const wakeup_engine *engine = engine_;
    void *of_engine = engine->make((uint32_t)s.threads);
    uint64_t woken = 0;
    attempt(engine, of_engine);
    while (bench_loop(state)) {
        wakeup_probe probe;
        bench_sleep_ns(SECOND_NS);
        probe = attempt(engine, of_engine);
        bench_time(state, probe.first_any - probe.begin);
        if (!probe.first_other) continue;
        woken++;
        bench_counter(state, "other_us", (double)(probe.first_other - probe.begin) / 1000);
    }
    bench_counter(state, "woken", (double)woken);
    engine->free(of_engine);
}

static void idle(bench_state *state, const void *engine_) {
    const wakeup_engine *engine = engine_;
    void *of_engine = engine->make(IDLE_THREADS);
    attempt(engine, of_engine);
    bench_sleep_ns(SECOND_NS / 5);
    while (bench_loop(state)) bench_sleep_ns(s.idle_s * SECOND_NS);
    engine->free(of_engine);
}

static void report_one(const contender *c) {
    bench_figure any = bench_figure_of(c->wakes, BENCH_WALL);
    bench_figure other = bench_figure_of(c->wakes, "other_us");
    bench_figure woken = bench_figure_of(c->wakes, "woken");
    double tries = bench_figure_of(c->wakes, BENCH_REPETITIONS).median;
    bench_case_row(c->wakes,
                   "tries=%.0f woken=%.0f median_us=%.1f p99_us=%.1f first_median_us=%.1f "
                   "first_p99_us=%.1f idle_threads=%d idle_s=%llu idle_cpu_s=%.4f",
                   tries, woken.mean * tries, other.median, other.p99, any.median / 1000,
                   any.p99 / 1000, IDLE_THREADS, (unsigned long long)s.idle_s,
                   bench_figure_of(c->idles, BENCH_CPU).median / (double)SECOND_NS);
}

static void report(void) {
    for (size_t i = 0; i < CONTENDERS; i++) report_one(&contenders[i]);
}

static void add(contender *c) {
    c->wakes = bench_case_new(wake, c->engine, 1, "wakeup engine=%s threads=%llu", c->engine->name,
                              (unsigned long long)s.threads);
    c->wakes->timed = true;
    c->wakes->iterations = 1;
    c->idles = bench_case_new(idle, c->engine, 1, "wakeup/idle engine=%s threads=%d",
                              c->engine->name, IDLE_THREADS);
    c->idles->iterations = c->idles->repetitions = 1;
}

static const option_row rows[] = {
    {"idle", 'i', "S", "Seconds over which idle CPU is measured (10)", 0,
     OPTION_NUMBER(settings, idle_s, 1, 3600)},
    {"threads", 't', "N", "Threads of the woken engines (all CPUs, at least 2)", 0,
     OPTION_NUMBER(settings, threads, 2, SVS_THREADS_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows, .text = "Wake-up times and idle CPU."};
    s = (settings){10, bench_cpus() > 2 ? bench_cpus() : 2};
    bench_default("--benchmark_repetitions=20");
    bench_options(&program, argc, argv, &s);
    for (size_t i = 0; i < CONTENDERS; i++) add(&contenders[i]);
    return bench_run(report);
}
