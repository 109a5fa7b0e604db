/* The Steal Tree paper's figure 9: shorter walks for race detection. */
#include "common.h"
#include "figures.h"
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct paper_saves {
    const char *program, *saves;
} paper_saves;
static const paper_saves paper[] = {{"heat", "over 70%"},
                                    {"matmul", "50 to 60%"},
                                    {"lu", "40 to 50%"},
                                    {"nbody", "over 30%"},
                                    {"allqueens", "20 to 30%"}};
enum { PROGRAMS = sizeof paper / sizeof *paper };

static const char *const policies[] = {"help-first", "work-first"};

static double reduction_pct(const row *l) { return row_number(l, "reduction_pct"); }

static void draw_lca(report *r, FILE *to, const rows *nine, const char *policy) {
    char id[40], title[80];
    plot *p;
    snprintf(id, sizeof id, "lca_%.4s", policy);
    snprintf(title, sizeof title, "Edges that the steal tree saves, %s", policy);
    p = plot_new(r, id, title, "workers", "% fewer edges walked");
    plot_set(p, "logscale x 2");
    plot_set(p, "xrange [0.9:40]");
    for (unsigned i = 0; i < PROGRAMS; i++) {
        char pairs[80];
        snprintf(pairs, sizeof pairs, "program=%s policy=%s", paper[i].program, policy);
        plot_series(p, paper[i].program, PLOT_LINE, i + 1);
        for (size_t l = 0; l < nine->count; l++)
            if (row_matches(&nine->of[l], pairs))
                plot_point(p, row_number(&nine->of[l], "workers"), reduction_pct(&nine->of[l]), NAN,
                           NAN);
    }
    plot_end(p, to,
             "Of the same queries, in one run: walks that jump over whole working phases, against "
             "walks edge by edge. More is better; below 0 the jumps cost more than they save.");
}

static void print_lca(FILE *to, const rows *nine) {
    html_table_begin(to, "<program|<policy|workers|edges of a walk|with the steal tree|fewer|"
                         "fewer with labels|<paper, to 32 cores");
    for (size_t i = 0; i < PROGRAMS; i++)
        for (size_t l = 0; l < nine->count; l++) {
            const row *at = &nine->of[l];
            /* On one worker nothing is stolen. */
            if (strcmp(row_text(at, "program"), paper[i].program) || row_number(at, "workers") < 2)
                continue;
            html_table_row(to, "<%s|<%s|%s|%s|%s|*%.1f%%|%.1f%%|<%s", paper[i].program,
                           row_text(at, "policy"), row_text(at, "workers"),
                           row_text(at, "walk_edges"), row_text(at, "stealtree_edges"),
                           reduction_pct(at), row_number(at, "label_reduction_pct"),
                           paper[i].saves);
        }
    html_table_end(to);
}

static void print_missing(FILE *to, const char *why) {
    fprintf(
        to,
        "<p class=\"wait\">Not measured: %s. The paper, to 32 cores of POWER 7: traversals fall "
        "by",
        why);
    for (size_t i = 0; i < PROGRAMS; i++)
        fprintf(to, "%s %s for %s", i ? "," : "", paper[i].saves, paper[i].program);
    fputs(".</p>\n", to);
}

static void print_figure(report *r, FILE *to, const rows *nine) {
    fputs("<p>A race check asks for the lowest common ancestor of two steps in the tree of what "
          "the program spawned (DPST). Knowing what was stolen, a walk jumps over whole working "
          "phases. Labels are a third way, which the library has besides: they answer most "
          "queries without a walk. Workers give their CPU away at each spawn, so that two CPUs "
          "have the steals of many; phases are the longer the larger the problem, and a quick "
          "evaluation's are small.</p>\n<div class=\"plots\">\n",
          to);
    for (int policy = 0; policy < 2; policy++) draw_lca(r, to, nine, policies[policy]);
    fputs("</div>\n", to);
    print_lca(to, nine);
}

void figure_lca(report *r) {
    FILE *to = report_section(r, RANK_LCA, "lca",
                              "Steal Tree, figure 9: shorter walks for race detection");
    rows all = {0}, nine = {0};
    char *path;
    bool there;
    if (asprintf(&path, "%s/bench_racecheck", r->settings->programs) < 0) bench_fail("no memory");
    there = !access(path, X_OK);
    free(path);
    if (!there) {
        print_missing(to, "this build has no race checker and so no <i>bench_racecheck</i>");
        return;
    }
    if (figure_bench(r, to, "racecheck",
                     r->settings->scale == SCALE_WHOLE   ? "--figure 9 --workers 1,2,8,32"
                     : r->settings->scale == SCALE_QUICK ? "--figure 9 --quick"
                                                         : "--figure 9 --quick --program heat",
                     &all)) {
        nine.of = bench_allocate(all.count + 1, sizeof *nine.of);
        for (size_t i = 0; i < all.count; i++)
            if (row_matches(&all.of[i], "figure=9") && isfinite(reduction_pct(&all.of[i])))
                nine.of[nine.count++] = all.of[i];
        if (nine.count) print_figure(r, to, &nine);
        else
            print_missing(to, "<i>bench_racecheck</i> has no program that was built to be checked");
    }
    free(nine.of); /* its rows are those of `all` */
    rows_clean_up(&all);
}
