/* The cost of running 128,000 instances without races: SvS against the serial loop, a pthread
 * mutex an object, and oneTBB with a spin mutex an object.
 *
 *     bench_dispatch [--quick] [--repeat 7] [--objects 1,2] [--keys 100,10000,1000000]
 *                    [--work 0,200,2000] [--threads 1,2]
 *                    [--engine svs] [--algorithm staged] [--cells 9,16] [--ways] [--instructions]
 *
 * Figures are medians of CPU and wall nanoseconds an instance, of interleaved repetitions. SvS'
 * sends, footprints and waits are inside the timing; every object's count is checked at the end.
 * Cells: 9 is the thesis (sets compared on the signature's 512 bits), 16 the library's default. */
#include "dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINES_MAX = 64, REPEAT_MAX = 1000, WARM_BELOW_NS = 1000, SETTLE_NS = 200000 };

typedef struct settings {
    bench_list objects, keys, work, threads, cells;
    uint64_t repeat;
    int engine, algorithm; /* indices of names; -1: all */
    bool instructions, ways;
    const char *count;
} settings;

/* An engine at one number of threads, and its measurements in the case. */
typedef struct contender {
    dispatch_engine engine;
    void *state;
    uint64_t runs;
    double *cpu, *wall; /* ns an instance, of each repetition */
    double cpu_ns, wall_ns, cpu_spread, wall_spread;
} contender;

typedef struct field {
    contender contenders[ENGINES_MAX];
    size_t count;
} field;

static const char *const engine_names[] = {"serial", "mutex", "tbb", "svs", NULL};
static const char *const algorithm_names[] = {"default", "staged", "progressive", NULL};

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->repeat = 3;
    s->keys = bench_list_of(2, (uint64_t[]){100, 10000});
    s->work = bench_list_of(2, (uint64_t[]){0, 200});
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "3 repetitions, without K = 1e6 and 2 us", 0, OPTION_OWN(take_quick)},
    {"repeat", 'r', "N", "Repetitions (7)", 0, OPTION_NUMBER(settings, repeat, 1, REPEAT_MAX)},
    {"objects", 'o', "LIST", "Objects that an instance writes (1,2)", 0,
     BENCH_OPTION_LIST(settings, objects, 1, 2)},
    {"keys", 'k', "LIST", "K, the number of objects (100,10000,1000000)", 0,
     BENCH_OPTION_LIST(settings, keys, 2, 10000000)},
    {"work", 'w', "LIST", "Work of an instance, ns (0,200,2000)", 0,
     BENCH_OPTION_LIST(settings, work, 0, 1000000)},
    {"threads", 't', "LIST", "Threads (1 and all)", 0,
     BENCH_OPTION_LIST(settings, threads, 1, SVS_THREADS_MAX)},
    {"engine", 'e', "NAME", "Only serial and this one: mutex, tbb or svs", 0,
     OPTION_CHOICE(settings, engine, engine_names)},
    {"algorithm", 'a', "NAME", "Only this algorithm of svs: default, staged or progressive", 0,
     OPTION_CHOICE(settings, algorithm, algorithm_names)},
    {"cells", 'c', "LIST", "log2 of the cells in which svs compares sets (9,16)", 0,
     BENCH_OPTION_LIST(settings, cells, 9, 20)},
    {"ways", 'y', NULL, "Also svs traced, and with threads of the program (lent)", 0,
     OPTION_FLAG(settings, ways)},
    {"instructions", 'i', NULL, "Also count instructions, by callgrind", 0,
     OPTION_FLAG(settings, instructions)},
    {"count", 0, "WHAT", NULL, 0, OPTION_TEXT(settings, count)},
    OPTION_END,
};

static void add(field *f, const settings *s, const dispatch_engine *engine, uint64_t threads,
                uint64_t cells) {
    contender *c = &f->contenders[f->count];
    if (strcmp(engine->name, "serial") && s->engine >= 0 &&
        strcmp(engine->name, engine_names[s->engine]))
        return;
    if (f->count == ENGINES_MAX) bench_fail("more than %d engines in one run", ENGINES_MAX);
    memset(c, 0, sizeof *c);
    c->engine = *engine;
    c->engine.threads = (uint32_t)threads;
    c->engine.cells = (uint32_t)cells;
    c->cpu = bench_allocate(s->repeat, sizeof *c->cpu);
    c->wall = bench_allocate(s->repeat, sizeof *c->wall);
    f->count++;
}

static void enlist(field *f, const settings *s) {
    const dispatch_engine *algorithms[] = {&dispatch_svs_default, &dispatch_svs_staged,
                                           &dispatch_svs_progressive};
    f->count = 0;
    add(f, s, &dispatch_serial, 1, 0);
    for (size_t t = 0; t < s->threads.count; t++) {
        uint64_t threads = s->threads.values[t];
        add(f, s, &dispatch_mutex, threads, 0);
#if defined(BENCH_TBB)
        add(f, s, &dispatch_tbb, threads, 0);
#endif
        for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
            for (size_t c = 0; c < s->cells.count; c++)
                if (s->algorithm < 0 || s->algorithm == (int)a)
                    add(f, s, algorithms[a], threads, s->cells.values[c]);
        for (size_t c = 0; c < s->cells.count && s->ways; c++) {
            add(f, s, &dispatch_svs_traced, threads, s->cells.values[c]);
            add(f, s, &dispatch_svs_lent, threads, s->cells.values[c]);
        }
    }
}

static void run_once(contender *c, const dispatch_case *d, size_t repetition) {
    uint64_t cpu, wall;
    if (d->work_ns <
        WARM_BELOW_NS) { /* the engines before have filled the caches with objects of their own */
        c->engine.run(c->state);
        c->runs++;
    }
    bench_sleep_ns(SETTLE_NS); /* idle threads that still look for work go to sleep */
    wall = bench_wall_ns();
    cpu = bench_cpu_ns();
    c->engine.run(c->state);
    cpu = bench_cpu_ns() - cpu;
    wall = bench_wall_ns() - wall;
    c->runs++;
    c->cpu[repetition] = (double)cpu / (double)d->count;
    c->wall[repetition] = (double)wall / (double)d->count;
}

static void verify(const contender *c, const dispatch_case *d) {
    for (size_t key = 0; key < d->keys; key++) {
        uint64_t expected = (uint64_t)d->expected[key] * c->runs,
                 seen = c->engine.writes(c->state, key);
        if (seen != expected)
            bench_fail(
                "%s (%s, %u threads): object %zu was written %llu times in %llu runs, not %llu",
                c->engine.name, c->engine.algorithm, c->engine.threads, key,
                (unsigned long long)seen, (unsigned long long)c->runs,
                (unsigned long long)expected);
    }
}

static const contender *one_thread(const field *f, const contender *c) {
    for (size_t i = 0; i < f->count; i++) {
        const contender *o = &f->contenders[i];
        if (o->engine.run == c->engine.run && o->engine.cells == c->engine.cells &&
            o->engine.threads == 1 && !strcmp(o->engine.algorithm, c->engine.algorithm))
            return o;
    }
    return NULL;
}

/* Figures of some engines only: columns of the table, and the end of the row. */
typedef struct more {
    char alone[16], share[16], width[16], row[256];
} more;

static more more_of(const field *f, const contender *c) {
    const contender *alone = one_thread(f, c);
    more m = {"-", "-", "-", ""};
    dispatch_details d;
    size_t length = 0;
    if (alone) {
        double ratio = c->wall_ns / alone->wall_ns;
        snprintf(m.alone, sizeof m.alone, "%.2f", ratio);
        length = (size_t)snprintf(m.row, sizeof m.row, " wall_of_one_thread=%.3f", ratio);
    }
    if (c->engine.details && c->engine.details(c->state, &d)) {
        snprintf(m.share, sizeof m.share, "%.2f", d.share_min);
        snprintf(m.width, sizeof m.width, "%.1f", d.width);
        snprintf(m.row + length, sizeof m.row - length,
                 " share_min=%.3f stages=%llu width_mean=%.1f deferrals=%llu", d.share_min,
                 (unsigned long long)(d.stages / c->runs), d.width,
                 (unsigned long long)(d.deferrals / c->runs));
    }
    return m;
}

static void report(const field *f, const contender *c, const dispatch_case *d) {
    const contender *serial = &f->contenders[0];
    more m = more_of(f, c);
    double above = c->cpu_ns - serial->cpu_ns, ratio = c->cpu_ns / serial->cpu_ns;
    bench_table_line("%-6s %-11s %5u %7u %9.1f %3.0f%% %9.1f %3.0f%% %9.1f %8.2f %8s %6s %8s",
                     c->engine.name, c->engine.algorithm, c->engine.cells, c->engine.threads,
                     c->cpu_ns, c->cpu_spread, c->wall_ns, c->wall_spread, above, ratio, m.alone,
                     m.share, m.width);
    bench_row("bench=dispatch engine=%s algorithm=%s cells=%u objects=%u K=%zu work_ns=%u "
              "threads=%u cpu_ns=%.2f wall_ns=%.2f above_serial_cpu_ns=%.2f ratio_serial=%.3f "
              "cpu_spread_pct=%.1f wall_spread_pct=%.1f%s",
              c->engine.name, c->engine.algorithm, c->engine.cells, d->objects, d->keys, d->work_ns,
              c->engine.threads, c->cpu_ns, c->wall_ns, above, ratio, c->cpu_spread, c->wall_spread,
              m.row);
}

static void measure(const settings *s, const dispatch_case *d) {
    static field f;
    enlist(&f, s);
    for (size_t i = 0; i < f.count; i++)
        f.contenders[i].state = f.contenders[i].engine.make(&f.contenders[i].engine, d);
    for (size_t r = 0; r < s->repeat; r++)
        for (size_t i = 0; i < f.count; i++) run_once(&f.contenders[i], d, r);
    bench_table_line("\n%u object%s an instance, K = %zu, work %u ns\n%-6s %-11s %5s %7s %9s %4s "
                     "%9s %4s %9s %8s %8s %6s %8s",
                     d->objects, d->objects == 1 ? "" : "s", d->keys, d->work_ns, "engine",
                     "algorithm", "cells", "threads", "cpu ns", "+-", "wall ns", "+-", "above ser",
                     "x serial", "wall/1th", "share", "width");
    for (size_t i = 0; i < f.count; i++) {
        contender *c = &f.contenders[i];
        verify(c, d);
        c->cpu_spread = bench_spread(c->cpu, s->repeat);
        c->wall_spread = bench_spread(c->wall, s->repeat);
        c->cpu_ns = bench_median(c->cpu, s->repeat);
        c->wall_ns = bench_median(c->wall, s->repeat);
    }
    for (size_t i = 0; i < f.count; i++) report(&f, &f.contenders[i], d);
    for (size_t i = 0; i < f.count; i++) {
        f.contenders[i].engine.free(f.contenders[i].state);
        free(f.contenders[i].cpu);
        free(f.contenders[i].wall);
    }
}

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "Cost of dispatching instances that must not overlap."};
    settings s = {bench_list_of(2, (uint64_t[]){1, 2}),
                  bench_list_of(3, (uint64_t[]){100, 10000, 1000000}),
                  bench_list_of(3, (uint64_t[]){0, 200, 2000}),
                  bench_threads_default(),
                  bench_list_of(2, (uint64_t[]){9, 16}),
                  7,
                  -1,
                  -1,
                  false,
                  false,
                  NULL};
    options_read(&program, argc, argv, &s);
    if (s.count) return dispatch_instructions_run(s.count) ? EXIT_SUCCESS : EXIT_FAILURE;
#if !defined(BENCH_TBB)
    fprintf(stderr, "oneTBB was not found when this was built: its rows are left out\n");
#endif
    if (s.instructions) dispatch_instructions();
    for (size_t k = 0; k < s.keys.count; k++)
        for (size_t w = 0; w < s.work.count; w++)
            for (size_t o = 0; o < s.objects.count; o++) {
                dispatch_case d;
                dispatch_case_init(&d, (uint32_t)s.objects.values[o], s.keys.values[k],
                                   (uint32_t)s.work.values[w]);
                measure(&s, &d);
                dispatch_case_clean_up(&d);
            }
    bench_rows_print();
    return EXIT_SUCCESS;
}
