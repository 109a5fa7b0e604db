/* Another machine's evaluation beside this one: its JSON has the same rows. */
#include "common.h"
#include "figures.h"
#include "source.h"

#include <math.h>
#include <stdlib.h>

void figure_beside_read(const settings *s, rows *other) {
    char *text = source_read_file(s->beside);
    if (!text) bench_fail("%s cannot be read", s->beside);
    if (!rows_read_json(other, text)) bench_fail("%s has no rows of an evaluation", s->beside);
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

static bool is_run(const row *r) {
    return row_text(r, "samples") && row_text(r, "program") && row_text(r, "case") &&
           row_text(r, "engine") && row_text(r, "threads");
}

void figure_beside(report *r, const rows *other) {
    FILE *to = report_section(r, RANK_BESIDE, "beside", "Beside another machine");
    fputs("<p>There: ", to);
    html_text(to, r->settings->beside);
    fprintf(to,
            ". Here: %u CPUs. Numbers of threads that only one of them ran have no partner.</p>\n",
            r->settings->cpus);
    html_table_begin(to, "<program|<case|<engine|threads|ms here|ms there|/ best other here|"
                         "/ best other there");
    for (size_t i = 0; i < other->count; i++)
        if (is_run(&other->of[i]))
            print_both(to, partner_of(&r->rows, &other->of[i]), &other->of[i]);
    html_table_end(to);
}
