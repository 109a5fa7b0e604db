/* What checks cost: time and memory of each program without a check, with ours, and with the
 * compilers' own, in turn. */
#include "racecheck.h"

#include <math.h>
#include <stdio.h>

typedef struct subject {
    bool there;
    uint64_t failed;
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
        if (!racecheck_run_once(s, &order, &run)) one->failed++;
        one->seconds[round] = run.seconds;
        one->mb[round] = run.peak_mb;
    }
}

typedef struct medians {
    double seconds, mb; /* NaN: there are none */
} medians;

static medians medians_of(subject *one, uint64_t runs) {
    if (!one->there || one->failed) return (medians){NAN, NAN};
    return (medians){bench_median(one->seconds, runs), bench_median(one->mb, runs)};
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

static void report(const racecheck_settings *s, const racecheck_program *program,
                   medians m[RACECHECK_COMPILERS][RACECHECK_WAYS], int compiler) {
    medians plain = m[compiler][RACECHECK_PLAIN], ours = m[compiler][RACECHECK_OURS];
    medians gcc = m[RACECHECK_GCC][RACECHECK_TSAN], clang = m[RACECHECK_CLANG][RACECHECK_TSAN];
    if (isnan(plain.seconds) && isnan(ours.seconds)) return;
    bench_table_line("%-12s %-6s %9s %9s %9s %9s %8s %8s %8s %8s %8s", program->name,
                     racecheck_compilers[compiler], SECONDS(plain.seconds), SECONDS(ours.seconds),
                     SECONDS(gcc.seconds), SECONDS(clang.seconds),
                     RATIO(ours.seconds / plain.seconds), RATIO(ours.seconds / clang.seconds),
                     RATIO(ours.mb), RATIO(gcc.mb), RATIO(clang.mb));
    bench_row("bench=racecheck program=%s compiler=%s policy=%s threads=%llu runs=%llu plain_s=%s "
              "ours_s=%s gcc_tsan_s=%s clang_tsan_s=%s plain_mb=%s ours_mb=%s gcc_tsan_mb=%s "
              "clang_tsan_mb=%s slowdown=%s ours_over_gcc_tsan=%s ours_over_clang_tsan=%s",
              program->name, racecheck_compilers[compiler],
              racecheck_policies[s->policy < 0 ? 0 : s->policy], (unsigned long long)s->threads,
              (unsigned long long)s->runs, SECONDS(plain.seconds), SECONDS(ours.seconds),
              SECONDS(gcc.seconds), SECONDS(clang.seconds), RATIO(plain.mb), RATIO(ours.mb),
              RATIO(gcc.mb), RATIO(clang.mb), RATIO(ours.seconds / plain.seconds),
              RATIO(ours.seconds / gcc.seconds), RATIO(ours.seconds / clang.seconds));
}

void racecheck_slowdown(const racecheck_settings *s) {
    static subjects all;
    bench_table_line("What a check costs: %s, %llu workers, medians of %llu runs in turn; ours "
                     "compiled by gcc and by clang, each beside both compilers' own",
                     racecheck_policies[s->policy < 0 ? 0 : s->policy],
                     (unsigned long long)s->threads, (unsigned long long)s->runs);
    find(s, all);
    bench_table_line("%-12s %-6s %9s %9s %9s %9s %8s %8s %8s %8s %8s", "program", "by", "plain s",
                     "ours s", "gcc tsan", "clang tsan", "/ plain", "/ clang", "ours MB", "gcc MB",
                     "clang MB");
    for (int p = 0; p < RACECHECK_PROGRAMS; p++) {
        medians m[RACECHECK_COMPILERS][RACECHECK_WAYS];
        if (s->program >= 0 && s->program != p) continue;
        for (int c = 0; c < RACECHECK_COMPILERS; c++)
            for (int w = 0; w < RACECHECK_WAYS; w++) all[c][w].failed = 0;
        for (uint64_t round = 0; round < s->runs; round++)
            run_round(s, &racecheck_programs[p], all, round);
        for (int c = 0; c < RACECHECK_COMPILERS; c++)
            for (int w = 0; w < RACECHECK_WAYS; w++) m[c][w] = medians_of(&all[c][w], s->runs);
        for (int c = 0; c < RACECHECK_COMPILERS; c++) report(s, &racecheck_programs[p], m, c);
    }
}
