/* Where SvS loses: its time against the best of three locks, by what a body takes, how many objects
 * it writes, and how often instances meet.
 *
 *     bench_breakeven [--quick] [--repeat 7] [--threads 2] [--work 0,100,...] [--objects 1,2,4,8]
 *
 * Contention: `none`: no two instances write one object; then each writes objects drawn from 4096,
 * 256 or 32. Runs of the engines alternate; ratios are those of one round. */
#include "breakeven.h"
#include "common/random.h"

#include <math.h>
#include <stdlib.h>

enum { REPEAT_MAX = 1000, ENGINES = 4, CONTENTIONS = 4, DETAILS = 160 };

typedef struct settings {
    bench_list work, objects;
    uint64_t repeat, threads, run_us;
} settings;

typedef struct contention {
    const char *name;
    uint32_t keys; /* 0: each instance has its own */
} contention;
static const contention contentions[CONTENTIONS] = {
    {"none", 0}, {"low", 4096}, {"middle", 256}, {"high", 32}};

static const breakeven_engine *const engines[ENGINES] = {&breakeven_svs, &breakeven_mutex,
                                                         &breakeven_spin, &breakeven_padded};

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    settings *s = member;
    (void)state, (void)row, (void)text;
    s->repeat = 5;
    s->run_us = 2000;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "5 repetitions of shorter runs", 0, OPTION_OWN(take_quick)},
    {"repeat", 'r', "N", "Repetitions (7)", 0, OPTION_NUMBER(settings, repeat, 1, REPEAT_MAX)},
    {"threads", 't', "N", "Threads (all CPUs)", 0,
     OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    {"work", 'w', "LIST", "Work of a body, ns (0,100,300,1000,3000,10000)", 0,
     BENCH_OPTION_LIST(settings, work, 0, 1000000)},
    {"objects", 'o', "LIST", "Objects that an instance writes, 1 to 8 (1,2,4,8)", 0,
     BENCH_OPTION_LIST(settings, objects, 1, 8)},
    {"run", 'u', "US", "About the time of a run on one CPU, us (6000)", 0,
     OPTION_NUMBER(settings, run_us, 1, 1000000)},
    OPTION_END,
};

/* Different keys in ascending order: drawn again when one is there already. */
static void draw(random_source *random, uint32_t *chosen, const breakeven_case *c) {
    for (uint32_t o = 0; o < c->objects; o++) {
        uint32_t key = (uint32_t)random_below(random, c->keys), at = o;
        while (at > 0 && chosen[at - 1] > key) at--;
        if (at > 0 && chosen[at - 1] == key) {
            o--;
            continue;
        }
        for (uint32_t i = o; i > at; i--) chosen[i] = chosen[i - 1];
        chosen[at] = key;
    }
}

static void case_init(breakeven_case *c, const settings *s, uint32_t keys) {
    random_source random = {BENCH_SEED};
    double each_ns = c->work_ns + 60.0 + 20.0 * c->objects;
    c->rounds = bench_rounds(c->work_ns);
    c->threads = (uint32_t)s->threads;
    c->count = (uint32_t)fmin(20000, fmax(64, 1e3 * (double)s->run_us / each_ns));
    c->keys = keys ? keys : c->count * c->objects;
    c->chosen = bench_allocate((size_t)c->count * c->objects, sizeof *c->chosen);
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t *chosen = c->chosen + (size_t)i * c->objects;
        if (keys) draw(&random, chosen, c);
        else
            for (uint32_t o = 0; o < c->objects; o++) chosen[o] = i * c->objects + o;
    }
}

static void verify(const breakeven_case *c, const breakeven_engine *e, const void *state,
                   uint64_t runs) {
    uint64_t *expected = bench_allocate(c->keys, sizeof *expected);
    for (size_t i = 0; i < (size_t)c->count * c->objects; i++) expected[c->chosen[i]] += runs;
    for (uint32_t key = 0; key < c->keys; key++)
        if (e->writes(state, key) != expected[key])
            bench_fail("%s: object %u was written %llu times, not %llu", e->name, key,
                       (unsigned long long)e->writes(state, key),
                       (unsigned long long)expected[key]);
    free(expected);
}

static double run_ns(const breakeven_engine *e, void *state, const breakeven_case *c) {
    uint64_t begin = bench_wall_ns();
    e->run(state);
    return (double)(bench_wall_ns() - begin) / c->count;
}

/* Nanoseconds an instance, [engine][repetition]. */
static void run_all(const settings *s, const breakeven_case *c, double (*ns)[REPEAT_MAX],
                    char details[DETAILS]) {
    void *states[ENGINES];
    for (int e = 0; e < ENGINES; e++) {
        states[e] = engines[e]->make(c);
        engines[e]->run(states[e]); /* touches the memory, wakes the threads */
    }
    for (size_t r = 0; r < s->repeat; r++)
        for (size_t i = 0; i < ENGINES; i++) {
            size_t e = (i + r) % ENGINES;
            ns[e][r] = run_ns(engines[e], states[e], c);
        }
    if (engines[0]->describe) engines[0]->describe(states[0], details, DETAILS);
    for (int e = 0; e < ENGINES; e++) {
        verify(c, engines[e], states[e], s->repeat + 1);
        engines[e]->free(states[e]);
    }
}

static void measure(const settings *s, const contention *how, uint32_t objects, uint32_t work_ns) {
    static double ns[ENGINES][REPEAT_MAX], ratios[REPEAT_MAX];
    breakeven_case c = {.objects = objects, .work_ns = work_ns};
    double medians[ENGINES], ratio;
    char details[DETAILS] = "";
    int best = 1;
    case_init(&c, s, how->keys);
    run_all(s, &c, ns, details);
    /* A median would sort what belongs together: of copies. */
    for (int e = 0; e < ENGINES; e++) {
        for (size_t r = 0; r < s->repeat; r++) ratios[r] = ns[e][r];
        medians[e] = bench_median(ratios, s->repeat);
    }
    for (int e = 2; e < ENGINES; e++)
        if (medians[e] < medians[best]) best = e;
    for (size_t r = 0; r < s->repeat; r++) ratios[r] = ns[0][r] / ns[best][r];
    ratio = bench_median(ratios, s->repeat);
    bench_table_line("%-7s %7u %8u %10.1f %10.1f %10.1f %10.1f %8.2f", how->name, objects, work_ns,
                     medians[0], medians[1], medians[2], medians[3], ratio);
    bench_row("bench=breakeven contention=%s keys=%u objects=%u work_ns=%u threads=%u "
              "instances=%u svs_ns=%.1f mutex_ns=%.1f spin_ns=%.1f padded_ns=%.1f best_lock=%s "
              "ratio=%.4f "
              "ratio_q1=%.4f ratio_q3=%.4f runs=%llu%s",
              how->name, how->keys, objects, work_ns, c.threads, c.count, medians[0], medians[1],
              medians[2], medians[3], engines[best]->name, ratio,
              bench_percentile(ratios, s->repeat, 25), bench_percentile(ratios, s->repeat, 75),
              (unsigned long long)s->repeat, details);
    free(c.chosen);
}

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Where SvS costs more than locks."};
    settings s = {bench_list_of(6, (uint64_t[]){0, 100, 300, 1000, 3000, 10000}),
                  bench_list_of(4, (uint64_t[]){1, 2, 4, 8}), 7, bench_cpus(), 6000};
    options_read(&program, argc, argv, &s);
    bench_table_line("%-7s %7s %8s %10s %10s %10s %10s %8s", "meeting", "objects", "work ns",
                     "svs ns", "mutex ns", "spin ns", "padded ns", "ratio");
    for (int k = 0; k < CONTENTIONS; k++)
        for (size_t o = 0; o < s.objects.count; o++)
            for (size_t w = 0; w < s.work.count; w++)
                measure(&s, &contentions[k], (uint32_t)s.objects.values[o],
                        (uint32_t)s.work.values[w]);
    bench_rows_print();
    return EXIT_SUCCESS;
}
