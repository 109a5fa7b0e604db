/* The cost of a spawn: fib and nqueens on async-finish, by both calls under both policies, against
 * their serial elision, OpenMP's tasks and oneTBB's task groups.
 *
 *     bench_spawn [--quick] [--fib 35] [--queens 13] [--peer-fib 27] [--peer-queens 10] [--many 8]
 *                 [--benchmark_filter=program:fib/.*engine:(serial|svs)]
 *
 *     ns_spawn   (T1 - Ts) / (calls - 1), CPU time; Ts is the elision's time, T1 that of 1 worker
 *     ns_async   the same for each async: in fib every second call is one
 *     t1_ts      CPU time; t1_t2: wall time; cores2: how many cores the 2 workers had
 *     cpu2_cpu1  CPU time of 2 workers over that of 1; cpu8_cpu1: of `many`, on fib
 *
 * An iteration is a whole run. Peers have problems of their own size, with elisions of that
 * size. */
#include "spawn.h"

#include "shim.h"
#include "spawn_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENDERS_MAX = 32, TEAMS = 3 };

static const char *const program_names[] = {"fib", "nqueens"};
static const char *const team_names[TEAMS] = {"one", "two", "many"};

typedef struct settings {
    uint64_t many;
    uint64_t sizes[SPAWN_PROGRAMS], peer_sizes[SPAWN_PROGRAMS];
} settings;

/* An engine with one program and one team of threads. */
typedef struct contender {
    const spawn_engine *engine;
    int program, n;
    uint32_t threads;
    bench_case *measured;
} contender;

/* Those with teams of 1, 2 and `many`; and the elision of the same size. */
typedef struct rival {
    contender teams[TEAMS];
    const contender *elision; /* NULL: it is the elision */
} rival;

static rival rivals[CONTENDERS_MAX];
static size_t rival_count;

/* ---- the programs, known by other means ---- */

static uint64_t fib_value(int n) {
    uint64_t value = 0, next = 1;
    for (int i = 0; i < n; i++) {
        uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    return value;
}

/* Counts boards with up to as many queens as rows. Each bit is a column that is attacked. */
static void count_boards(uint32_t all, uint32_t straight, uint32_t left, uint32_t right,
                         uint64_t *whole, uint64_t *parts) {
    if (straight == all) {
        ++*whole;
        return;
    }
    ++*parts;
    for (uint32_t open = all & ~(straight | left | right); open; open &= open - 1) {
        uint32_t column = open & -open;
        count_boards(all, straight | column, (left | column) << 1, (right | column) >> 1, whole,
                     parts);
    }
}

typedef struct counts {
    uint64_t value, calls, asyncs;
} counts;

static counts counts_of(int program, int n) {
    counts c = {0, 0, 0};
    if (program == SPAWN_FIB) {
        c.value = fib_value(n);
        c.calls = 2 * fib_value(n + 1) - 1;
        c.asyncs = c.calls / 2;
    } else {
        count_boards((UINT32_C(1) << n) - 1, 0, 0, 0, &c.value, &c.calls);
        c.calls *= (uint64_t)n; /* a call for each column of the next row */
        c.asyncs = c.calls - (uint64_t)n;
    }
    return c;
}

/* ---- runs ---- */

static void run(bench_state *state, const void *argument) {
    const contender *c = argument;
    uint64_t expected = counts_of(c->program, c->n).value;
    void *team = c->engine->make(c->engine, c->threads);
    (void)spawn_cpu_rested_ns();
    while (bench_loop(state)) {
        uint64_t begin = bench_wall_ns(), value = c->engine->run(team, c->program, c->n);
        bench_time(state, bench_wall_ns() - begin);
        (void)spawn_cpu_rested_ns(); /* belongs to the CPU time of this run */
        if (value != expected)
            bench_fail("%s: %llu, not %llu", c->measured->name, (unsigned long long)value,
                       (unsigned long long)expected);
    }
    c->engine->free(team);
}

static void add_team(contender *c, const spawn_engine *engine, int program, uint64_t n,
                     const char *team, uint64_t threads) {
    char how[64] = "";
    *c = (contender){engine, program, (int)n, (uint32_t)threads, NULL};
    if (engine != &spawn_serial)
        snprintf(how, sizeof how, "policy=%s call=%s ", engine->policy, engine->call);
    c->measured = bench_case_new(run, c, 1, "spawn/%s program=%s %sengine=%s n=%d", team,
                                 program_names[program], how, engine->name, c->n);
    c->measured->timed = true;
}

static const contender *add(const settings *s, const spawn_engine *engine, int program, uint64_t n,
                            const contender *elision) {
    uint64_t threads[TEAMS] = {1, 2, s->many};
    rival *r = &rivals[rival_count++];
    if (rival_count == CONTENDERS_MAX) bench_fail("more than %d engines", CONTENDERS_MAX);
    *r = (rival){.elision = elision};
    for (int t = 0; t < (!elision ? 1 : program == SPAWN_FIB ? 3 : 2); t++)
        add_team(&r->teams[t], engine, program, n, team_names[t], threads[t]);
    return &r->teams[0];
}

static void enlist(const settings *s, int program) {
    uint64_t n = s->sizes[program], peer_n = s->peer_sizes[program];
    const contender *elision = add(s, &spawn_serial, program, n, NULL);
    for (size_t i = 0; i < spawn_svs_count; i++) (void)add(s, &spawn_svs[i], program, n, elision);
    elision = peer_n == n ? elision : add(s, &spawn_serial, program, peer_n, NULL);
#if defined(BENCH_OPENMP)
    (void)add(s, &spawn_openmp, program, peer_n, elision);
#endif
#if defined(BENCH_TBB)
    (void)add(s, &spawn_tbb, program, peer_n, elision);
#endif
}

/* ---- figures ---- */

static bench_figure cpu_of(const contender *c) { return bench_figure_of(c->measured, BENCH_CPU); }
static bench_figure wall_of(const contender *c) { return bench_figure_of(c->measured, BENCH_WALL); }

static void report_elision(const contender *c) {
    double calls = (double)counts_of(c->program, c->n).calls;
    bench_figure cpu = cpu_of(c);
    bench_case_row(c->measured, "calls=%.0f ns_call=%.3f spread_pct=%.1f", calls,
                   cpu.median / calls, cpu.spread_pct);
}

static void report_engine(const rival *r) {
    const contender *one = &r->teams[0], *two = &r->teams[1], *many = &r->teams[2];
    counts count = counts_of(one->program, one->n);
    bench_figure above = bench_difference(cpu_of(one), cpu_of(r->elision));
    bench_figure ratio = bench_ratio(cpu_of(one), cpu_of(r->elision));
    bench_figure more = bench_ratio(cpu_of(two), cpu_of(one));
    bench_figure repetitions = bench_figure_of(one->measured, BENCH_REPETITIONS);
    char keys[96] = "";
    if (many->measured) {
        bench_figure much = bench_ratio(cpu_of(many), cpu_of(one));
        snprintf(keys, sizeof keys, " cpu%u_cpu1=%.3f cpu%u_spread_pct=%.1f", many->threads,
                 much.median, many->threads, much.spread_pct);
    }
    bench_case_row(one->measured,
                   "ns_spawn=%.3f ns_async=%.3f ns_spread_pct=%.1f t1_ts=%.3f "
                   "t1_ts_spread_pct=%.1f t1_t2=%.3f cores2=%.2f cpu2_cpu1=%.3f "
                   "cpu2_spread_pct=%.1f%s rounds=%.0f",
                   above.median / (double)(count.calls - 1), above.median / (double)count.asyncs,
                   above.spread_pct, ratio.median, ratio.spread_pct,
                   wall_of(one).median / wall_of(two).median,
                   cpu_of(two).median / wall_of(two).median, more.median, more.spread_pct, keys,
                   repetitions.median);
}

static void report(void) {
    for (const rival *r = rivals; r < rivals + rival_count; r++)
        if (r->elision) report_engine(r);
        else report_elision(&r->teams[0]);
}

/* ---- options ---- */

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    bench_default("--benchmark_repetitions=3");
    s->sizes[SPAWN_FIB] = 32;
    s->sizes[SPAWN_QUEENS] = 11;
    s->peer_sizes[SPAWN_FIB] = 23;
    s->peer_sizes[SPAWN_QUEENS] = 9;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "3 repetitions of smaller problems", 0, OPTION_OWN(take_quick)},
    {"fib", 'f', "N", "Size of fib (35)", 0, OPTION_NUMBER(settings, sizes[SPAWN_FIB], 5, 50)},
    {"queens", 'n', "N", "Size of nqueens (13)", 0,
     OPTION_NUMBER(settings, sizes[SPAWN_QUEENS], 4, SPAWN_QUEENS_MAX)},
    {"peer-fib", 0, "N", "Size of the peers' fib (27)", 0,
     OPTION_NUMBER(settings, peer_sizes[SPAWN_FIB], 5, 50)},
    {"peer-queens", 0, "N", "Size of the peers' nqueens (10)", 0,
     OPTION_NUMBER(settings, peer_sizes[SPAWN_QUEENS], 4, SPAWN_QUEENS_MAX)},
    {"many", 'm', "N", "Workers of the largest team, on fib (8)", 0,
     OPTION_NUMBER(settings, many, 3, 256)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows, .text = "The cost of spawns."};
    settings s = {8, {35, 13}, {27, 10}};
    bench_options(&command, argc, argv, &s);
#if !defined(BENCH_OPENMP)
    fprintf(stderr, "OpenMP was not found when this was built: its rows are left out\n");
#endif
#if !defined(BENCH_TBB)
    fprintf(stderr, "oneTBB was not found when this was built: its rows are left out\n");
#endif
    for (int program = 0; program < SPAWN_PROGRAMS; program++) enlist(&s, program);
    return bench_run(report);
}
