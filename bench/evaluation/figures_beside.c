/* Another machine's evaluation beside this one: its JSON has the same rows. */
#include "common.h"
#include "figures.h"
#include "plot.h"
#include "source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of what an engine took, with its samples. */
static bool is_run(const row *r) {
    return row_text(r, "samples") && row_text(r, "program") && row_text(r, "case") &&
           row_text(r, "engine") && row_text(r, "threads");
}

/* What "key":"value" says of the machine, which stands before the rows. */
static void machine_value(const char *text, const char *key, char *value, size_t size) {
    const char *end = strstr(text, "\"rows\":"), *at = strstr(text, key);
    snprintf(value, size, "unknown");
    if (!at || (end && at > end)) return;
    at += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\""), at);
}

void figure_beside_read(const settings *s, another *other) {
    char *text = source_read_file(s->beside);
    size_t runs = 0;
    if (!text) bench_fail("--beside: %s cannot be read", s->beside);
    (void)rows_read_json(&other->rows, text);
    for (size_t i = 0; i < other->rows.count; i++) runs += is_run(&other->rows.of[i]);
    if (!runs)
        bench_fail("--beside: %s has no runs of Fluidanimate, Canneal or QuakeSquad: it is not the "
                   "evaluation.json of an evaluation, or of one without them",
                   s->beside);
    machine_value(text, "\"processor\":\"", other->processor, sizeof other->processor);
    machine_value(text, "\"cpus\":\"", other->cpus, sizeof other->cpus);
    machine_value(text, "\"scale\":\"", other->scale, sizeof other->scale);
    free(text);
}

static void print_both(FILE *to, const row *here, const row *there) {
    char mine[2][24] = {"-", "-"}, others[2][24] = {"-", "-"};
    const char *const keys[] = {"seconds", "ratio_best_other"};
    for (int k = 0; k < 2; k++) {
        double unit = k ? 1 : 1e3, a = row_number(here, keys[k]), b = row_number(there, keys[k]);
        if (isfinite(a)) snprintf(mine[k], sizeof mine[k], "%.2f", unit * a);
        if (isfinite(b)) snprintf(others[k], sizeof others[k], "%.2f", unit * b);
    }
    html_table_row(to, "<%s|<%s|<%s|%s|%s|*%s|%s|*%s", row_text(there, "program"),
                   row_text(there, "case"), row_text(there, "engine"), row_text(there, "threads"),
                   mine[0], others[0], mine[1], others[1]);
}

/* The row of the same run here; NULL: there is none. */
static const row *partner_of(const rows *here, const row *there) {
    char pairs[240];
    snprintf(pairs, sizeof pairs, "program=%s case=%s engine=%s threads=%s",
             row_text(there, "program"), row_text(there, "case"), row_text(there, "engine"),
             row_text(there, "threads"));
    for (size_t i = 0; i < here->count; i++)
        if (row_text(&here->of[i], "samples") && row_matches(&here->of[i], pairs))
            return &here->of[i];
    return NULL;
}

/* Times of svs or, by what stands in its row, of the best other engine. */
static void draw_machine(plot *p, const rows *all, const port *of, bool svs) {
    char pairs[120];
    snprintf(pairs, sizeof pairs, "program=%s case=%s engine=svs", of->name, of->cases->name);
    for (size_t i = 0; i < all->count; i++) {
        const row *l = &all->of[i];
        double ms = 1e3 * row_number(l, "seconds");
        if (!is_run(l) || !row_matches(l, pairs)) continue;
        plot_point(p, row_number(l, "threads"), svs ? ms : ms / row_number(l, "ratio_best_other"),
                   NAN, NAN);
    }
}

static void draw_port(report *r, FILE *to, const another *other, const port *of) {
    char id[60], title[120];
    plot *p;
    snprintf(id, sizeof id, "beside_%s", of->name);
    snprintf(title, sizeof title, "%s, %s", of->name, of->cases->name);
    p = plot_new(r, id, title, "threads", "ms (less is better)");
    plot_set(p, "logscale xy 2");
    plot_series(p, "svs here", PLOT_LINE, 1);
    draw_machine(p, &r->rows, of, true);
    plot_series(p, "best other here", PLOT_LINE, 2);
    draw_machine(p, &r->rows, of, false);
    plot_series(p, "svs there", PLOT_DASHED, 1);
    draw_machine(p, &other->rows, of, true);
    plot_series(p, "best other there", PLOT_DASHED, 2);
    draw_machine(p, &other->rows, of, false);
    plot_end(p, to, "Medians. Solid: this machine; dashed: the other.");
}

void figure_beside(report *r, const another *other) {
    static const port *const ports[] = {&port_fluidanimate, &port_canneal, &port_quakesquad};
    static const char *const scales[] = {"tiny", "quick", "whole"};
    FILE *to = report_section(r, RANK_BESIDE, "beside", "Beside another machine");
    fputs("<p>There: ", to);
    html_text(to, other->processor);
    fprintf(to, ", <b>%s CPUs</b> (", other->cpus);
    html_text(to, r->settings->beside);
    fprintf(to,
            "). Here: <b>%u CPUs</b>. Numbers of threads that only one of them ran have no "
            "partner.</p>\n",
            r->settings->cpus);
    if (strcmp(other->scale, scales[r->settings->scale]) != 0)
        fprintf(to,
                "<p class=\"busy\">That one is a %s evaluation, this one a %s one: their programs "
                "did not run the same number of frames. Ratios can be compared, times "
                "cannot.</p>\n",
                other->scale, scales[r->settings->scale]);
    fputs("<div class=\"plots\">\n", to);
    for (int p = 0; p < 3; p++) draw_port(r, to, other, ports[p]);
    fputs("</div>\n", to);
    html_table_begin(to, "<program|<case|<engine|threads|ms here|ms there|/ best other here|"
                         "/ best other there");
    for (size_t i = 0; i < other->rows.count; i++)
        if (is_run(&other->rows.of[i]))
            print_both(to, partner_of(&r->rows, &other->rows.of[i]), &other->rows.of[i]);
    html_table_end(to);
}
