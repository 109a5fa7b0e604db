/* The Steal Tree paper's figures 4, 5 and 10. */
#include "common.h"
#include "figures.h"
#include "plot.h"

#include <math.h>
#include <string.h>

static const char *const programs[] = {"allqueens", "cholesky", "fft",   "fib",     "heat",
                                       "lu",        "matmul",   "nbody", "strassen"};
enum { PROGRAMS = sizeof programs / sizeof *programs };
static const char *const policies[] = {"help-first", "work-first"};
static const unsigned policy_colours[] = {1, 2};

static bool stealtree(report *r, FILE *to, const char *more, rows *all) {
    char words[200];
    /* The problems of --quick: a whole evaluation repeats them more often. */
    snprintf(words, sizeof words, "--quick %s", more);
    return figure_bench(r, to, "stealtree", words, all);
}

/* ---- figure 4 ---- */

static void draw_tracing(report *r, FILE *to, const rows *all) {
    plot *p = plot_new(r, "tracing", "CPU time with tracing over time without", "",
                       "ratio (1: tracing is free)");
    plot_set(p, "xrange [0.4:%d.6]", PROGRAMS);
    plot_set(p, "key below center horizontal");
    plot_set(p, "xtics font ',11'");
    for (int i = 0; i < PROGRAMS; i++) plot_tick(p, i + 1, programs[i]);
    plot_level(p, 1, "");
    for (int policy = 0; policy < 2; policy++) {
        plot_series(p, policies[policy], PLOT_POINTS, policy_colours[policy]);
        for (int i = 0; i < PROGRAMS; i++) {
            char pairs[120];
            const row *l;
            double ratio, apart;
            snprintf(pairs, sizeof pairs, "figure=4 program=%s policy=%s", programs[i],
                     policies[policy]);
            l = rows_find(all, pairs);
            ratio = row_number(l, "ratio");
            apart = row_number(l, "ci99");
            plot_point(p, i + 0.9 + 0.2 * policy, ratio, ratio - apart, ratio + apart);
        }
    }
    plot_end(p, to,
             "Ratio of means with the 99% interval of Student's t. The paper, 32 cores of a "
             "POWER 7: within run-to-run variation.");
}

void figure_tracing(report *r) {
    FILE *to =
        report_section(r, RANK_TRACING, "tracing", "Steal Tree, figure 4: what tracing costs");
    rows all = {0};
    char words[80];
    snprintf(words, sizeof words, "--figure 4 --threads %u%s", r->settings->cpus,
             r->settings->scale == SCALE_TINY    ? " --runs 2 --program fib"
             : r->settings->scale == SCALE_WHOLE ? " --runs 15"
                                                 : "");
    if (stealtree(r, to, words, &all)) {
        fputs("<p>Nine programs on async-finish run with and without their steals recorded, in "
              "turns. Where an interval holds 1, tracing cannot be told from noise.</p>\n",
              to);
        draw_tracing(r, to, &all);
        html_table_begin(to, "<program|<policy|ratio of CPU|+-99%|ratio of wall|+-99%|CPU ms|"
                             "steals|<paper, 32 cores");
        for (size_t i = 0; i < all.count; i++) {
            const row *l = &all.of[i];
            html_table_row(to, "<%s|<%s|*%s|%s|%s|%s|%s|%s|<within variation",
                           row_text(l, "program"), row_text(l, "policy"), row_text(l, "ratio"),
                           row_text(l, "ci99"), row_text(l, "wall_ratio"), row_text(l, "wall_ci99"),
                           row_text(l, "cpu_ms"), row_text(l, "steals"));
        }
        html_table_end(to);
    }
    rows_clean_up(&all);
}

/* ---- figure 5 ---- */

static void draw_storage(report *r, FILE *to, const rows *all, int policy) {
    char id[40], title[80];
    plot *p;
    snprintf(id, sizeof id, "storage_%d", policy);
    snprintf(title, sizeof title, "KB of trace for each worker, %s", policies[policy]);
    p = plot_new(r, id, title, "workers", "KB a worker");
    plot_set(p, "logscale xy");
    plot_set(p, "logscale x 2");
    plot_set(p, "xrange [0.9:150]");
    for (int i = 0; i < PROGRAMS; i++) {
        plot_series(p, programs[i], PLOT_LINE, (unsigned)i + (i >= 1));
        for (size_t l = 0; l < all->count; l++) {
            const row *at = &all->of[l];
            double kb = row_number(at, "kb_worker"), apart = row_number(at, "kb_worker_deviation");
            if (!strcmp(row_text(at, "program"), programs[i]) &&
                !strcmp(row_text(at, "policy"), policies[policy]))
                plot_point(p, row_number(at, "workers"), kb, fmax(kb - apart, kb / 10), kb + apart);
        }
    }
    plot_end(p, to,
             "Bars: the standard deviation. Workers beyond the CPUs share them, which makes "
             "steals as more CPUs would, but fewer at a time.");
}

void figure_storage(report *r) {
    FILE *to = report_section(r, RANK_STORAGE, "storage", "Steal Tree, figure 5: storage");
    rows all = {0};
    if (stealtree(r, to,
                  r->settings->scale == SCALE_TINY
                      ? "--figure 5 --workers 1,4 --program fib --storage-runs 1"
                  : r->settings->scale == SCALE_WHOLE
                      ? "--figure 5 --workers 1,2,4,8,16,32,64,120 --storage-runs 3"
                      : "--figure 5 --workers 1,2,8,32,120",
                  &all)) {
        fputs("<p>How large the record of all steals of a run is, shared out among its "
              "workers.</p>\n<div class=\"plots\">\n",
              to);
        for (int policy = 0; policy < 2; policy++) draw_storage(r, to, &all, policy);
        fputs("</div>\n", to);
        html_note(to, "The paper, to 120 threads of a POWER 7: grows slower than the number of "
                      "threads, for six of nine programs at most a few KB a thread. Ours are files "
                      "as written, times of phases included; the JSON has the paper's formula "
                      "beside it.");
    }
    rows_clean_up(&all);
}

/* ---- figure 10 ---- */

typedef struct retain_plot {
    const char *id, *title, *unit;
    const char *keys[2], *names[2];
    const char *caption;
} retain_plot;

static void draw_retain(report *r, FILE *to, const rows *all, const retain_plot *what) {
    plot *p = plot_new(r, what->id, what->title, "iteration", what->unit);
    static const char *const kernels[] = {"heat", "skew"};
    unsigned colour = 1;
    plot_set(p, "logscale y");
    for (int kernel = 0; kernel < 2; kernel++)
        for (int policy = 0; policy < 2; policy++, colour++)
            for (int k = 0; k < 2; k++) {
                char name[80], pairs[120];
                if (!what->keys[k] || (k && policy)) continue;
                snprintf(name, sizeof name, "%s %s%s%s", kernels[kernel], k ? "" : policies[policy],
                         k ? "" : " ", what->names[k]);
                snprintf(pairs, sizeof pairs, "figure=10 program=%s policy=%s", kernels[kernel],
                         policies[policy]);
                plot_series(p, name, k ? PLOT_DASHED : PLOT_LINE, colour);
                for (size_t l = 0; l < all->count; l++)
                    if (row_matches(&all->of[l], pairs))
                        plot_point(p, row_number(&all->of[l], "iteration"),
                                   fmax(row_number(&all->of[l], what->keys[k]), 0.01), NAN, NAN);
            }
    plot_end(p, to, what->caption);
}

/* The first iteration, for which nothing is kept, and the last. */
static void print_retain(FILE *to, const rows *all) {
    html_table_begin(to, "<program|<policy|iteration|steals|without keeping|CPU ms|without keeping|"
                         "KB kept a worker|each task by name|<paper, 2K cores");
    for (size_t i = 0; i < all->count; i++) {
        const row *l = &all->of[i], *next = i + 1 < all->count ? &all->of[i + 1] : NULL;
        bool last = !next || row_number(next, "iteration") < row_number(l, "iteration");
        if (!row_text(l, "iteration") || (row_number(l, "iteration") != 1 && !last)) continue;
        html_table_row(to, "<%s|<%s|%s|*%s|%s|%s|%s|*%s|%s|<20.7 KB by name, 0.34 KB kept (SCF)",
                       row_text(l, "program"), row_text(l, "policy"), row_text(l, "iteration"),
                       row_text(l, "steals"), row_text(l, "plain_steals"), row_text(l, "cpu_ms"),
                       row_text(l, "plain_cpu_ms"), row_text(l, "kb_worker"),
                       row_text(l, "kb_worker_enumerated"));
    }
    html_table_end(to);
}

void figure_retain(report *r) {
    static const retain_plot plots[] = {
        {"retain_steals",
         "Steals of an iteration",
         "steals",
         {"steals", "plain_steals"},
         {"kept", "plain (help-first)"},
         "Solid: each worker begins with what it ran before. Dashed: every iteration begins at the "
         "root. None is drawn as 0.01."},
        {"retain_storage",
         "KB that is kept for each worker",
         "KB a worker",
         {"kb_worker", "kb_worker_enumerated"},
         {"steal tree", "each task by name"},
         "Dashed: an entry of 8 bytes for each task instead. The paper, SCF on 2K cores: 20.7 KB "
         "enumerated, 0.34 KB as a steal tree."},
        {"retain_time",
         "Time of an iteration, CPU",
         "ms",
         {"cpu_ms", "plain_cpu_ms"},
         {"kept", "plain (help-first)"},
         "The paper's gain is on thousands of cores; here 8 workers share this machine's CPUs."}};
    FILE *to =
        report_section(r, RANK_RETAIN, "retain", "Steal Tree, figure 10: retentive stealing");
    rows all = {0};
    if (stealtree(r, to,
                  r->settings->scale == SCALE_TINY
                      ? "--figure 10 --keepers 3 --iterations 3 --leaves 512 --leaf 500"
                  : r->settings->scale == SCALE_WHOLE ? "--figure 10 --storage-runs 3"
                                                      : "--figure 10",
                  &all)) {
        fputs("<p>Programs that repeat an iteration: each worker begins with the tasks that it ran "
              "in the iteration before, and what is kept for that is a steal tree.</p>\n"
              "<div class=\"plots\">\n",
              to);
        for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
            draw_retain(r, to, &all, &plots[i]);
        fputs("</div>\n", to);
        print_retain(to, &all);
    }
    rows_clean_up(&all);
}
