/* The cost of checks: time and memory of each program without a check, with ours, and with the
 * compilers' own, in turn. */
#include "racecheck.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct subject {
    bool there, failed;
    double seconds[RACECHECK_RUNS_MAX], mb[RACECHECK_RUNS_MAX];
} subject;

typedef subject subjects[RACECHECK_COMPILERS][RACECHECK_WAYS];

static void find(const racecheck_settings *s, subjects all) {
    for (int c = 0; c < RACECHECK_COMPILERS; c++)
        for (int w = 0; w < RACECHECK_WAYS; w++) {
            all[c][w].there = racecheck_is_there(s, c, w);
            if (!all[c][w].there)
                bench_table_line("left out: %s %s was not built (target racecheck_subjects; the "
                                 "compiler or its runtime may be missing)",
                                 racecheck_compilers[c], racecheck_ways[w]);
        }
}

/* One round: each subject once, begun with another one each time. */
static void run_round(const racecheck_settings *s, const racecheck_program *program, subjects all,
                      uint64_t round) {
    enum { SUBJECTS = RACECHECK_COMPILERS * RACECHECK_WAYS };
    for (uint64_t i = 0; i < SUBJECTS; i++) {
        int index = (int)((i + round) % SUBJECTS);
        int compiler = index / RACECHECK_WAYS, way = index % RACECHECK_WAYS;
        subject *one = &all[compiler][way];
        racecheck_order order = {.compiler = compiler,
                                 .way = way,
                                 .policy = s->policy < 0 ? 0 : s->policy,
                                 .program = program,
                                 .size = program->sizes[s->scale],
                                 .threads = s->threads};
        racecheck_run run;
        if (!one->there || one->failed) continue;
        one->failed = !racecheck_run_once(s, &order, &run);
        one->seconds[round] = run.seconds;
        one->mb[round] = run.peak_mb;
    }
}

static bool is_measured(const subject *one) { return one->there && !one->failed; }

/* NaN: there is none. */
static double median_of(const subject *one, const double *values, uint64_t runs) {
    double copy[RACECHECK_RUNS_MAX];
    if (!is_measured(one)) return NAN;
    memcpy(copy, values, runs * sizeof *copy);
    return bench_median(copy, runs);
}
static double seconds_of(const subject *one, uint64_t runs) {
    return median_of(one, one->seconds, runs);
}
static double mb_of(const subject *one, uint64_t runs) { return median_of(one, one->mb, runs); }

/* The ratio of two subjects' times, taken within each round, as the machine's load changes. */
typedef struct ratio {
    double median, spread_pct;
} ratio;

static ratio ratio_of(const subject *one, const subject *other, uint64_t runs) {
    double ratios[RACECHECK_RUNS_MAX];
    ratio r = {NAN, NAN};
    if (!is_measured(one) || !is_measured(other)) return r;
    for (uint64_t i = 0; i < runs; i++) ratios[i] = one->seconds[i] / other->seconds[i];
    r.median = bench_median(ratios, runs);
    r.spread_pct = bench_spread(ratios, runs);
    return r;
}

/* A number as text, or that there is none. */
typedef struct word {
    char text[24];
} word;

static word word_of(int digits, double value) {
    word w = {"-"};
    if (isfinite(value)) snprintf(w.text, sizeof w.text, "%.*f", digits, value);
    return w;
}
#define SECONDS(value) word_of(4, value).text
#define RATIO(value) word_of(2, value).text

static void report(const racecheck_settings *s, const racecheck_program *program, subjects all,
                   int compiler) {
    const subject *plain = &all[compiler][RACECHECK_PLAIN], *ours = &all[compiler][RACECHECK_OURS];
    const subject *gcc = &all[RACECHECK_GCC][RACECHECK_TSAN];
    const subject *clang = &all[RACECHECK_CLANG][RACECHECK_TSAN];
    uint64_t n = s->runs;
    ratio to_plain = ratio_of(ours, plain, n), to_gcc = ratio_of(ours, gcc, n);
    ratio to_clang = ratio_of(ours, clang, n);
    if (!is_measured(plain) && !is_measured(ours)) return;
    bench_table_line("%-12s %-6s %9s %9s %9s %9s %8s %8s %7s%% %8s %8s %8s", program->name,
                     racecheck_compilers[compiler], SECONDS(seconds_of(plain, n)),
                     SECONDS(seconds_of(ours, n)), SECONDS(seconds_of(gcc, n)),
                     SECONDS(seconds_of(clang, n)), RATIO(to_plain.median), RATIO(to_clang.median),
                     RATIO(to_clang.spread_pct), RATIO(mb_of(ours, n)), RATIO(mb_of(gcc, n)),
                     RATIO(mb_of(clang, n)));
    bench_row("bench=racecheck program=%s compiler=%s policy=%s threads=%llu runs=%llu plain_s=%s "
              "ours_s=%s gcc_tsan_s=%s clang_tsan_s=%s plain_mb=%s ours_mb=%s gcc_tsan_mb=%s "
              "clang_tsan_mb=%s slowdown=%s slowdown_spread_pct=%s ours_over_gcc_tsan=%s "
              "gcc_spread_pct=%s ours_over_clang_tsan=%s clang_spread_pct=%s",
              program->name, racecheck_compilers[compiler],
              racecheck_policies[s->policy < 0 ? 0 : s->policy], (unsigned long long)s->threads,
              (unsigned long long)n, SECONDS(seconds_of(plain, n)), SECONDS(seconds_of(ours, n)),
              SECONDS(seconds_of(gcc, n)), SECONDS(seconds_of(clang, n)), RATIO(mb_of(plain, n)),
              RATIO(mb_of(ours, n)), RATIO(mb_of(gcc, n)), RATIO(mb_of(clang, n)),
              RATIO(to_plain.median), RATIO(to_plain.spread_pct), RATIO(to_gcc.median),
              RATIO(to_gcc.spread_pct), RATIO(to_clang.median), RATIO(to_clang.spread_pct));
}

/* @return whether each run went well. */
static bool measure(const racecheck_settings *s, const racecheck_program *program, subjects all) {
    bool good = true;
    for (int c = 0; c < RACECHECK_COMPILERS; c++)
        for (int w = 0; w < RACECHECK_WAYS; w++) all[c][w].failed = false;
    for (uint64_t round = 0; round < s->runs; round++) run_round(s, program, all, round);
    for (int c = 0; c < RACECHECK_COMPILERS; c++) {
        for (int w = 0; w < RACECHECK_WAYS; w++) good = good && !all[c][w].failed;
        report(s, program, all, c);
    }
    return good;
}

bool racecheck_slowdown(const racecheck_settings *s) {
    static subjects all;
    bool good = true;
    bench_table_line("The cost of a check: %s, %llu workers, medians of %llu runs in turn; ours "
                     "compiled by gcc and by clang, each beside both compilers' own",
                     racecheck_policies[s->policy < 0 ? 0 : s->policy],
                     (unsigned long long)s->threads, (unsigned long long)s->runs);
    find(s, all);
    bench_table_line("%-12s %-6s %9s %9s %9s %9s %8s %8s %8s %8s %8s %8s", "program", "by",
                     "plain s", "ours s", "gcc tsan", "clang tsan", "/ plain", "/ clang", "spread",
                     "ours MB", "gcc MB", "clang MB");
    for (int p = 0; p < RACECHECK_PROGRAMS; p++)
        if (s->program < 0 || s->program == p)
            good = measure(s, &racecheck_programs[p], all) && good;
    return good;
}
