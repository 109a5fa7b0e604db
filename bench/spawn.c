/* The cost of a spawn: fib and nqueens on async-finish, by both calls under both policies, against
 * their serial elision and beside OpenMP's tasks and oneTBB's task groups.
 *
 *     bench_spawn [--quick] [--rounds 7] [--fib 35] [--queens 13] [--peer-fib 27]
 *                 [--peer-queens 10] [--many 8] [--program fib] [--engine svs]
 *
 *     ns a spawn   (T1 - Ts) / (calls - 1), CPU time; Ts is the elision's time, T1 that of 1 worker
 *     ns an async  the same for each async: in fib every second call is one
 *     T1/Ts        CPU time; T1/T2: wall time, beside it how many cores the 2 workers had
 *     CPU 2/1      CPU time of 2 workers over that of 1; CPU 8/1: of `many`, on fib
 *
 * In each round every engine runs once with each number of threads, in turn; figures are medians of
 * each round's own. Peers have problems of their own size, with elisions of that size. */
#include "spawn.h"

#include "spawn_clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTENDERS_MAX = 16, ROUNDS_MAX = 1000, TEAMS = 3 };

static const char *const program_names[] = {"fib", "nqueens", NULL};
static const char *const engine_names[] = {"svs", "openmp", "tbb", NULL};

typedef struct settings {
    uint64_t rounds, many;
    uint64_t sizes[SPAWN_PROGRAMS], peer_sizes[SPAWN_PROGRAMS];
    int program, engine; /* -1: all */
} settings;

typedef struct sample {
    double cpu, wall; /* ns */
} sample;

/* One engine with one program; teams of 1, 2 and `many`. */
typedef struct contender {
    const spawn_engine *engine;
    size_t elision; /* of the same size; for the elision itself, itself */
    int program, n;
    uint64_t expected;
    uint32_t threads[TEAMS];
    void *states[TEAMS];
    size_t teams;
    sample *samples[TEAMS];
} contender;

typedef struct field {
    contender of[CONTENDERS_MAX];
    size_t count, rounds;
} field;

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

/* Boards with as many queens as rows, or fewer; each bit is a column that is attacked. */
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

static sample run_once(const contender *c, size_t team) {
    uint64_t wall, cpu, value;
    cpu = spawn_cpu_rested_ns();
    wall = bench_wall_ns();
    value = c->engine->run(c->states[team], c->program, c->n);
    wall = bench_wall_ns() - wall;
    cpu = spawn_cpu_rested_ns() - cpu;
    if (value != c->expected)
        bench_fail("%s (%s, %s, %u threads): %s %d is %llu, not %llu", c->engine->name,
                   c->engine->policy, c->engine->call, c->threads[team], program_names[c->program],
                   c->n, (unsigned long long)value, (unsigned long long)c->expected);
    return (sample){(double)cpu, (double)wall};
}

static size_t add(field *f, const settings *s, const spawn_engine *engine, int program, uint64_t n,
                  size_t elision) {
    contender *c = &f->of[f->count];
    uint32_t threads[TEAMS] = {1, 2, (uint32_t)s->many};
    if (f->count == CONTENDERS_MAX) bench_fail("more than %d engines", CONTENDERS_MAX);
    memset(c, 0, sizeof *c);
    c->engine = engine;
    c->program = program;
    c->n = (int)n;
    c->elision = elision;
    c->expected = counts_of(program, (int)n).value;
    c->teams = engine->threads_max == 1 ? 1 : program == SPAWN_FIB ? 3 : 2;
    for (size_t t = 0; t < c->teams; t++) {
        c->threads[t] = threads[t];
        c->states[t] = engine->make(engine, threads[t]);
        c->samples[t] = bench_allocate(s->rounds, sizeof *c->samples[t]);
    }
    return f->count++;
}

static bool wanted(const settings *s, int engine) { return s->engine < 0 || s->engine == engine; }

static void enlist(field *f, const settings *s, int program) {
    size_t elision;
    f->count = 0;
    f->rounds = s->rounds;
    if (wanted(s, 0)) {
        elision = add(f, s, &spawn_serial, program, s->sizes[program], 0);
        for (size_t i = 0; i < spawn_svs_count; i++)
            (void)add(f, s, &spawn_svs[i], program, s->sizes[program], elision);
    }
    if (s->engine == 0) return;
    elision = add(f, s, &spawn_serial, program, s->peer_sizes[program], f->count);
#if defined(BENCH_OPENMP)
    if (wanted(s, 1)) (void)add(f, s, &spawn_openmp, program, s->peer_sizes[program], elision);
#endif
#if defined(BENCH_TBB)
    if (wanted(s, 2)) (void)add(f, s, &spawn_tbb, program, s->peer_sizes[program], elision);
#endif
    (void)elision;
}

static void release(field *f) {
    for (size_t i = 0; i < f->count; i++)
        for (size_t t = 0; t < f->of[i].teams; t++) {
            f->of[i].engine->free(f->of[i].states[t]);
            free(f->of[i].samples[t]);
        }
}

/* ---- figures ---- */

typedef struct figure {
    double median, spread;
} figure;

static figure figure_of(double *values, size_t count) {
    figure f;
    f.spread = bench_spread(values, count);
    f.median = bench_median(values, count);
    return f;
}

/* A figure of one round: from these samples, by this function. */
typedef double quotient(const sample *a, const sample *b);
static double cpu_ratio(const sample *a, const sample *b) { return a->cpu / b->cpu; }
static double wall_ratio(const sample *a, const sample *b) { return a->wall / b->wall; }
static double cpu_above(const sample *a, const sample *b) { return a->cpu - b->cpu; }
static double cores(const sample *a, const sample *b) {
    (void)b;
    return a->cpu / a->wall;
}

static figure compare(const sample *a, const sample *b, size_t rounds, quotient *how) {
    double values[ROUNDS_MAX];
    for (size_t r = 0; r < rounds; r++) values[r] = how(&a[r], &b[r]);
    return figure_of(values, rounds);
}

static void report_elision(const field *f, const contender *c) {
    double calls = (double)counts_of(c->program, c->n).calls, values[ROUNDS_MAX];
    figure cpu;
    for (size_t r = 0; r < f->rounds; r++) values[r] = c->samples[0][r].cpu / calls;
    cpu = figure_of(values, f->rounds);
    bench_table_line("%-7s %-10s %-8s %4d %8s (%.2f ns a call, +-%.0f%%)", c->engine->name,
                     c->engine->policy, c->engine->call, c->n, "", cpu.median, cpu.spread);
    bench_row("bench=spawn program=%s engine=serial n=%d calls=%.0f ns_call=%.3f spread_pct=%.1f",
              program_names[c->program], c->n, calls, cpu.median, cpu.spread);
}

static void report(const field *f, const contender *c) {
    const sample *serial = f->of[c->elision].samples[0], *one = c->samples[0], *two = c->samples[1];
    counts count = counts_of(c->program, c->n);
    figure above = compare(one, serial, f->rounds, cpu_above);
    double ns = above.median / (double)(count.calls - 1);
    double each = above.median / (double)count.asyncs;
    figure ratio = compare(one, serial, f->rounds, cpu_ratio);
    figure faster = compare(one, two, f->rounds, wall_ratio);
    figure had = compare(two, two, f->rounds, cores);
    figure more = compare(two, one, f->rounds, cpu_ratio);
    char many[32] = "", many_key[64] = "";
    if (c->teams == TEAMS) {
        figure much = compare(c->samples[2], one, f->rounds, cpu_ratio);
        snprintf(many, sizeof many, "%8.2f", much.median);
        snprintf(many_key, sizeof many_key, " cpu%u_cpu1=%.3f cpu%u_spread_pct=%.1f", c->threads[2],
                 much.median, c->threads[2], much.spread);
    }
    bench_table_line("%-7s %-10s %-8s %4d %8.2f %8.2f %4.0f%% %8.2f %4.0f%% %7.2f %6.2f %8.2f %s",
                     c->engine->name, c->engine->policy, c->engine->call, c->n, ns, each,
                     above.spread, ratio.median, ratio.spread, faster.median, had.median,
                     more.median, many);
    bench_row("bench=spawn program=%s policy=%s call=%s engine=%s n=%d ns_spawn=%.3f ns_async=%.3f "
              "ns_spread_pct=%.1f t1_ts=%.3f t1_ts_spread_pct=%.1f t1_t2=%.3f cores2=%.2f "
              "cpu2_cpu1=%.3f cpu2_spread_pct=%.1f%s rounds=%zu",
              program_names[c->program], c->engine->policy, c->engine->call, c->engine->name, c->n,
              ns, each, above.spread, ratio.median, ratio.spread, faster.median, had.median,
              more.median, more.spread, many_key, f->rounds);
}

static void measure(const settings *s, int program) {
    static field f;
    enlist(&f, s, program);
    for (size_t r = 0; r < s->rounds; r++)
        for (size_t i = 0; i < f.count; i++) {
            contender *c = &f.of[(i + r) % f.count];
            for (size_t t = 0; t < c->teams; t++) c->samples[t][r] = run_once(c, t);
        }
    bench_table_line("\n%s\n%-7s %-10s %-8s %4s %8s %8s %5s %8s %5s %7s %6s %8s %8s",
                     program_names[program], "engine", "policy", "call", "n", "ns/spawn",
                     "ns/async", "+-", "T1/Ts", "+-", "T1/T2", "cores", "CPU 2/1",
                     program == SPAWN_FIB ? "many/1" : "");
    for (size_t i = 0; i < f.count; i++)
        if (f.of[i].engine == &spawn_serial) report_elision(&f, &f.of[i]);
        else report(&f, &f.of[i]);
    release(&f);
}

/* ---- options ---- */

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->rounds = 3;
    s->sizes[SPAWN_FIB] = 32;
    s->sizes[SPAWN_QUEENS] = 11;
    s->peer_sizes[SPAWN_FIB] = 23;
    s->peer_sizes[SPAWN_QUEENS] = 9;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "3 rounds of smaller problems", 0, OPTION_OWN(take_quick)},
    {"rounds", 'r', "N", "How often each engine runs (7)", 0,
     OPTION_NUMBER(settings, rounds, 1, ROUNDS_MAX)},
    {"fib", 'f', "N", "Size of fib (35)", 0, OPTION_NUMBER(settings, sizes[SPAWN_FIB], 5, 50)},
    {"queens", 'n', "N", "Size of nqueens (13)", 0,
     OPTION_NUMBER(settings, sizes[SPAWN_QUEENS], 4, SPAWN_QUEENS_MAX)},
    {"peer-fib", 0, "N", "Size of the peers' fib (27)", 0,
     OPTION_NUMBER(settings, peer_sizes[SPAWN_FIB], 5, 50)},
    {"peer-queens", 0, "N", "Size of the peers' nqueens (10)", 0,
     OPTION_NUMBER(settings, peer_sizes[SPAWN_QUEENS], 4, SPAWN_QUEENS_MAX)},
    {"many", 'm', "N", "Workers of the largest team, on fib (8)", 0,
     OPTION_NUMBER(settings, many, 3, 256)},
    {"program", 'p', "NAME", "Only fib, or only nqueens", 0,
     OPTION_CHOICE(settings, program, program_names)},
    {"engine", 'e', "NAME", "Only the elision and svs, openmp or tbb", 0,
     OPTION_CHOICE(settings, engine, engine_names)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program command = {.rows = rows, .text = "The cost of spawns."};
    settings s = {7, 8, {35, 13}, {27, 10}, -1, -1};
    options_read(&command, argc, argv, &s);
#if !defined(BENCH_OPENMP)
    fprintf(stderr, "OpenMP was not found when this was built: its rows are left out\n");
#endif
#if !defined(BENCH_TBB)
    fprintf(stderr, "oneTBB was not found when this was built: its rows are left out\n");
#endif
    for (int program = 0; program < SPAWN_PROGRAMS; program++)
        if (s.program < 0 || s.program == program) measure(&s, program);
    bench_rows_print();
    return EXIT_SUCCESS;
}
