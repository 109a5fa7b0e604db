/* The thesis' micro-benchmarks: figures 7.1 to 7.4 and table 7.1. */
#include "common.h"
#include "figures.h"
#include "plot.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

bool figure_bench(report *r, FILE *to, const char *name, const char *words, rows *all) {
    arguments a = {0};
    child c;
    char why[WHY_MAX];
    bool good;
    arguments_add(&a, "%s/bench_%s", r->settings->programs, name);
    if (access(a.of[0], X_OK)) {
        report_problem(r, to, "bench_%s is not among the programs in %s (./dev build makes them)",
                       name, r->settings->programs);
        arguments_clean_up(&a);
        return false;
    }
    arguments_add_words(&a, words);
    report_progress(r, "bench %s %s", name, words);
    child_run(&c, &a, r->settings->scale == SCALE_QUICK ? 120 : 600);
    good = !c.failed;
    child_complaint(&c, why, sizeof why);
    if (!good) report_problem(r, to, "bench_%s: %s", name, why);
    rows_parse(all, c.output);
    report_rows(r, c.output);
    child_clean_up(&c);
    arguments_clean_up(&a);
    return good;
}

/* ---- figure 7.1 ---- */

static void draw_width(report *r, FILE *to, const rows *all) {
    plot *p = plot_new(r, "width", "Parallel width, 128,000 instances, one object each",
                       "bits of a signature", "instances a stage (more is better)");
    plot_set(p, "logscale xy 2");
    plot_set(p, "xrange [50:5200]");
    plot_series(p, "svs", PLOT_LINE, 1);
    for (size_t i = 0; i < all->count; i++)
        plot_point(p, row_number(&all->of[i], "bits"), row_number(&all->of[i], "width"), NAN, NAN);
    plot_series(p, "best possible", PLOT_DASHED, 0);
    for (size_t i = 0; i < all->count; i++)
        plot_point(p, row_number(&all->of[i], "bits"), row_number(&all->of[i], "best_width"), NAN,
                   NAN);
    plot_series(p, "thesis: about one instance a bit", PLOT_DASHED, 2);
    for (int bits = 64; bits <= 4096; bits *= 2) plot_point(p, bits, bits, NAN, NAN);
    plot_end(p, to,
             "Instances whose objects share a bit are never in one stage; the fullest bit "
             "gives the best possible number of stages.");
}

void figure_width(report *r) {
    FILE *to =
        report_section(r, RANK_WIDTH, "width", "Figure 7.1: parallel width against signature size");
    rows all = {0};
    char words[80];
    snprintf(words, sizeof words, "--threads %u%s", r->settings->cpus,
             r->settings->scale == SCALE_TINY ? " --objects 2000" : "");
    if (figure_bench(r, to, "width", words, &all)) {
        draw_width(r, to, &all);
        html_table_begin(to, "bits|threads|stages|best possible|width|best width|thesis");
        for (size_t i = 0; i < all.count; i++) {
            const row *w = &all.of[i];
            html_table_row(to, "%s|%s|%s|%s|*%s|%s|about %s", row_text(w, "bits"),
                           row_text(w, "threads"), row_text(w, "stages"), row_text(w, "best"),
                           row_text(w, "width"), row_text(w, "best_width"), row_text(w, "bits"));
            report_row(r, "bench=evaluation figure=7.1 bits=%s threads=%s width=%s best_width=%s",
                       row_text(w, "bits"), row_text(w, "threads"), row_text(w, "width"),
                       row_text(w, "best_width"));
        }
        html_table_end(to);
        html_note(to, "Sets are compared on the signature's bits, as the thesis does; by default "
                      "the library compares exactly known sets in 2^16 cells. Thesis: 8 cores; a "
                      "straight line through the signature's size.");
    }
    rows_clean_up(&all);
}

/* ---- figures 7.2 to 7.4, table 7.1 ---- */

static const char *const trees[] = {"20k", "40k"};
static const int neighbourhoods[] = {2, 4, 8};

static const row *find(const rows *all, const char *tree, int k, const char *more) {
    char pairs[160];
    snprintf(pairs, sizeof pairs, "bench=links tree=%s K=%d set=leaf %s", tree, k, more);
    return rows_find(all, pairs);
}

typedef struct links_plot {
    const char *id, *title, *unit, *key, *spread_key, *thesis_key, *caption;
    double scale;
    const char *extra; /* a second setting of ours to show; NULL: none */
} links_plot;

/* With a bar as long as the distance between the quartiles, which the row gives in hundredths. */
static void draw_link(plot *p, const row *l, int k, const links_plot *what) {
    double value = what->scale * row_number(l, what->key);
    double apart = what->spread_key ? row_number(l, what->spread_key) / 200 : 0;
    plot_point(p, k, value, value * fmax(0.1, 1 - apart), value * (1 + apart));
}

static void draw_links(report *r, FILE *to, const rows *all, const links_plot *what) {
    plot *p = plot_new(r, what->id, what->title, "neighbourhood size K", what->unit);
    static const char *const examiners[] = {"examine=0", "examine=64"};
    plot_set(p, "xrange [1.6:8.6]");
    plot_set(p, "logscale xy");
    plot_set(p, "xtics (2, 4, 8)");
    for (unsigned s = 0; s < (what->extra ? 2u : 1u); s++)
        for (unsigned t = 0; t < 2; t++) {
            char name[60];
            snprintf(name, sizeof name, "%s %s", trees[t], s ? what->extra : "svs");
            plot_series(p, name, PLOT_LINE, s ? (t ? 4 : 5) : (t ? 2 : 1));
            for (int k = 0; k < 3; k++)
                draw_link(p, find(all, trees[t], neighbourhoods[k], examiners[s]),
                          neighbourhoods[k], what);
        }
    for (unsigned t = 0; t < 2; t++) {
        char name[60];
        snprintf(name, sizeof name, "%s thesis", trees[t]);
        plot_series(p, name, PLOT_DASHED, t ? 2 : 1);
        for (int k = 0; k < 3; k++) {
            double value =
                row_number(find(all, trees[t], neighbourhoods[k], "examine=0"), what->thesis_key);
            if (value > 0) plot_point(p, neighbourhoods[k], what->scale * value, NAN, NAN);
        }
    }
    if (!strcmp(what->id, "links_width")) {
        plot_series(p, "40k thesis (K = 2)", PLOT_POINTS, 6);
        plot_point(p, 2, 18, NAN, NAN);
        plot_series(p, "20k thesis (K = 2)", PLOT_POINTS, 3);
        plot_point(p, 2, 140, NAN, NAN);
    }
    plot_end(p, to, what->caption);
}

/* Link assignment, scheduling and false positives come apart: T is ZeroSig less the assignment, F
 * is SvSEnabled less ZeroSig. */
static void print_breakdown(report *r, FILE *to, const rows *all, const char *examine) {
    html_table_begin(to, "K|tree|link assign, us|spread|thesis|scheduling, us|thesis|"
                         "false positives, us|thesis|total, us|spread|thesis|width|thesis");
    for (int k = 0; k < 3; k++)
        for (unsigned t = 0; t < 2; t++) {
            const row *l = find(all, trees[t], neighbourhoods[k], examine);
            double assign = row_number(l, "assign_ns"), zerosig = row_number(l, "zerosig_ns");
            double wrong = row_number(l, "false_positives_ns"),
                   all_ns = row_number(l, "overhead_ns");
            double width = row_number(l, "thesis_width");
            char thesis_width[16] = "-";
            if (width > 0) snprintf(thesis_width, sizeof thesis_width, "%.0f", width);
            html_table_row(
                to, "%d|%s|*%.3f|%.0f%%|%.2f|*%.3f|%.2f|*%.3f|%.2f|*%.3f|%.0f%%|%.2f|%.1f|%s",
                neighbourhoods[k], trees[t], assign / 1e3, row_number(l, "assign_spread_pct"),
                row_number(l, "thesis_assign_ns") / 1e3, (zerosig - assign) / 1e3,
                row_number(l, "thesis_scheduling_ns") / 1e3, wrong / 1e3,
                row_number(l, "thesis_false_positives_ns") / 1e3, all_ns / 1e3,
                row_number(l, "overhead_spread_pct"), row_number(l, "thesis_overhead_ns") / 1e3,
                row_number(l, "width"), thesis_width);
            report_row(r,
                       "bench=evaluation figure=table-7.1 tree=%s K=%d %s threads=%s "
                       "assign_us=%.4f scheduling_us=%.4f false_positives_us=%.4f total_us=%.4f "
                       "width=%.1f",
                       trees[t], neighbourhoods[k], examine, row_text(l, "threads"), assign / 1e3,
                       (zerosig - assign) / 1e3, wrong / 1e3, all_ns / 1e3, row_number(l, "width"));
        }
    html_table_end(to);
}

void figure_links(report *r) {
    static const links_plot plots[] = {
        {"links_assign", "Figure 7.2: cost of a link assignment", "us (less is better)",
         "assign_ns", "assign_spread_pct", "thesis_assign_ns",
         "One thread assigns entities to leaves, outside of any graph. Dashed: the thesis.", 1e-3,
         NULL},
        {"links_width", "Figure 7.3: parallel width", "instances a stage (more is better)", "width",
         NULL, "none",
         "svs: signatures alone are compared, as in the thesis. Examined: reaches of up to 64 "
         "objects are walked, and then compared exactly. The thesis gives numbers for K = 2 only.",
         1, "examined"},
        {"links_overhead", "Figure 7.4: overhead of an instance", "us (less is better)",
         "overhead_ns", "overhead_spread_pct", "thesis_overhead_ns",
         "SvSEnabled less SvSDisabled, times threads, over instances: as the thesis defines it, "
         "here with all CPUs of this machine, in the thesis (dashed) with 8 threads.",
         1e-3, "examined"}};
    FILE *to = report_section(r, RANK_LINKS, "links",
                              "Figures 7.2 to 7.4 and table 7.1: dynamic reachability");
    rows all = {0};
    char words[80];
    snprintf(words, sizeof words, "--threads %u%s", r->settings->cpus,
             r->settings->scale == SCALE_TINY    ? " --repeat 1"
             : r->settings->scale == SCALE_QUICK ? " --repeat 5"
                                                 : "");
    if (figure_bench(r, to, "links", words, &all)) {
        fputs("<p>Binary space partitions of 20,000 and 40,000 objects: each instance links an "
              "entity to a leaf of its own, so every conflict is a false one. SvSDisabled has no "
              "upkeep and no sets; ZeroSig has upkeep and empty sets; SvSEnabled has both.</p>\n"
              "<div class=\"plots\">\n",
              to);
        for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
            draw_links(r, to, &all, &plots[i]);
        fprintf(to,
                "</div>\n<h3>Table 7.1, sets compared by signature as in the thesis; %u "
                "threads, the thesis 8</h3>\n",
                r->settings->cpus);
        print_breakdown(r, to, &all, "examine=0");
        fputs("<h3>The same with the library's exact examiner (its default)</h3>\n", to);
        print_breakdown(r, to, &all, "examine=64");
        html_note(to, "Medians; spread: the distance between the quartiles. A negative scheduling "
                      "share is noise: it is a difference of three times. "
                      "What the signature alone cannot tell apart, the examiner does.");
    }
    rows_clean_up(&all);
}
