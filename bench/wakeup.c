/* How long sleeping workers take to start, and what they cost while they sleep: SvS beside oneTBB.
 *
 *     bench_wakeup [--quick] [--tries 20] [--idle 10] [--threads 2]
 *
 * After one idle second, from the call that starts the work: until the first body starts in any
 * thread (the caller works, too), and until the first starts in another thread, which had to be
 * woken. Then the CPU seconds of an engine of 8 threads that has worked once and is idle. */
#include "wakeup.h"

#include "common/pause.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { TRIES_MAX = 1000, IDLE_THREADS = 8, ENGINES_MAX = 2, PAUSES_BEFORE_YIELD = 256 };
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
    uint64_t tries, idle_s, threads;
} settings;

typedef struct contender {
    const wakeup_engine *engine;
    void *state;
    double any_us[TRIES_MAX], other_us[TRIES_MAX];
    size_t others; /* attempts in which another thread took part */
    double idle_cpu_s;
} contender;

static void attempt(contender *c, size_t number) {
    wakeup_probe probe = {.caller = pthread_self()};
    c->engine->attempt(c->state, &probe, begin);
    c->any_us[number] = (double)(probe.first_any - probe.begin) / 1000;
    if (probe.first_other)
        c->other_us[c->others++] = (double)(probe.first_other - probe.begin) / 1000;
}

static void measure_idle(contender *c, uint64_t seconds) {
    uint64_t cpu;
    c->state = c->engine->make(IDLE_THREADS);
    attempt(c, 0);
    c->others = 0;
    bench_sleep_ns(SECOND_NS / 5);
    cpu = bench_cpu_ns();
    bench_sleep_ns(seconds * SECOND_NS);
    c->idle_cpu_s = (double)(bench_cpu_ns() - cpu) / (double)SECOND_NS;
    c->engine->free(c->state);
}

/* Both engines are idle for the same second; the engine that starts first alternates. */
static void measure_wakeups(contender *contenders, size_t count, const settings *s) {
    for (size_t i = 0; i < count; i++)
        contenders[i].state = contenders[i].engine->make((uint32_t)s->threads);
    for (size_t try = 0; try < s->tries; try++) {
        bench_sleep_ns(SECOND_NS);
        for (size_t i = 0; i < count; i++) {
            attempt(&contenders[(i + try) % count], try);
            bench_sleep_ns(SECOND_NS / 100);
        }
    }
    for (size_t i = 0; i < count; i++) contenders[i].engine->free(contenders[i].state);
}

static void report(contender *c, const settings *s) {
    double any = bench_median(c->any_us, s->tries),
           any_99 = bench_percentile(c->any_us, s->tries, 99);
    double other = c->others ? bench_median(c->other_us, c->others) : -1;
    double other_99 = c->others ? bench_percentile(c->other_us, c->others, 99) : -1;
    bench_table_line("%-6s %7llu %9.1f %9.1f %9.1f %9.1f %7zu/%-4llu %12.4f", c->engine->name,
                     (unsigned long long)s->threads, other, other_99, any, any_99, c->others,
                     (unsigned long long)s->tries, c->idle_cpu_s);
    bench_row("bench=wakeup engine=%s threads=%llu tries=%llu woken=%zu median_us=%.1f p99_us=%.1f "
              "first_median_us=%.1f "
              "first_p99_us=%.1f idle_threads=%d idle_s=%llu idle_cpu_s=%.4f",
              c->engine->name, (unsigned long long)s->threads, (unsigned long long)s->tries,
              c->others, other, other_99, any, any_99, IDLE_THREADS, (unsigned long long)s->idle_s,
              c->idle_cpu_s);
}

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->tries = 5;
    s->idle_s = 2;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "5 tries, 2 idle seconds", 0, OPTION_OWN(take_quick)},
    {"tries", 'n', "N", "Wake-ups (20)", 0, OPTION_NUMBER(settings, tries, 1, TRIES_MAX)},
    {"idle", 'i', "S", "Seconds over which idle CPU is measured (10)", 0,
     OPTION_NUMBER(settings, idle_s, 1, 3600)},
    {"threads", 't', "N", "Threads of the woken engines (all CPUs, at least 2)", 0,
     OPTION_NUMBER(settings, threads, 2, SVS_THREADS_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows, .text = "Wake-up times and idle CPU."};
    static contender contenders[ENGINES_MAX];
    size_t count = 0;
    settings s = {20, 10, bench_cpus() > 2 ? bench_cpus() : 2};
    options_read(&program, argc, argv, &s);
    contenders[count++].engine = &wakeup_svs;
#if defined(BENCH_TBB)
    contenders[count++].engine = &wakeup_tbb;
#endif
    for (size_t i = 0; i < count; i++) measure_idle(&contenders[i], s.idle_s);
    measure_wakeups(contenders, count, &s);
    bench_table_line("%-6s %7s %9s %9s %9s %9s %12s %12s", "engine", "threads", "woken us", "p99",
                     "any us", "p99", "woken/tries", "idle CPU s");
    for (size_t i = 0; i < count; i++) report(&contenders[i], &s);
    bench_rows_print();
    return EXIT_SUCCESS;
}
