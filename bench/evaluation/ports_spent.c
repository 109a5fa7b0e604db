/* What svs spends beyond its best peer, in words and with its own statistics.
 *
 * A ratio of times is one of work and one of waiting: the CPU that all threads use, and how much of
 * the time they use none. What svs works beyond bodies is counted in instructions (profile.c); why
 * it waits, its run's own statistics tell. */
#include "common.h"
#include "ports.h"
#include "predict.h"

#include <math.h>
#include <string.h>

/* The quartiles lie on one side of 1, or nothing can be told. */
static bool is_told(const headline *h) { return h->ratio.low > 1 || h->ratio.high < 1; }

const char *port_verdict(char *text, size_t size, const headline *h) {
    double apart = 100 * (h->ratio.median - 1);
    if (!is_told(h)) snprintf(text, size, "no other time than %s", h->other);
    else if (h->ratio.median >= 2)
        snprintf(text, size, "%.1f times the time of %s", h->ratio.median, h->other);
    else
        snprintf(text, size, "%.0f%% %s time than %s", fabs(apart), apart < 0 ? "less" : "more",
                 h->other);
    return text;
}

static void print_compared(const port_state *s, const port_case *c, const headline *h) {
    double waiting = h->ratio.median / h->ratio_cpu;
    char words[80];
    fprintf(s->after, "<p><b>%s, %s, %u threads: svs takes %s%s.</b> ", s->port->name, c->name,
            s->report->settings->contested, port_verdict(words, sizeof words, h),
            is_told(h) ? "" : " that could be told from noise");
    fprintf(s->after, "CPU time %+.0f%%, waiting %+.0f%%", 100 * (h->ratio_cpu - 1),
            100 * (waiting - 1));
    if (is_told(h) && h->ratio.median > 1)
        fprintf(s->after, ": %s",
                waiting > h->ratio_cpu ? "it loses by threads that have nothing to run"
                                       : "it loses by what it does besides the bodies");
    fputs(". ", s->after);
}

/* Without contention, and without a second thread: what scheduling costs. */
static void print_alone(const port_state *s) {
    summary alone = entrant_ratio(contest_find(s->entrants, s->count, "svs", 1),
                                  contest_find(s->entrants, s->count, "serial", 1), SECONDS);
    const profile *p = s->profile;
    if (alone.count)
        fprintf(s->after, "On one thread it takes %.2f times the serial engine's time. ",
                alone.median);
    if (!p->known) return;
    fprintf(s->after,
            "There %.1f%% of the instructions of the graph's runs are bodies (%.1f%% of all are "
            "sends in them), %.1f%% %s, and %.1f%% the rest: footprints%s, release, retirement, "
            "the workers' loop. ",
            100 * p->bodies, 100 * p->sends, 100 * p->maker,
            p->staged ? "choosing what runs together (the maker of stages)"
                      : "under the progressive domain's lock",
            100 * fmax(0, 1 - p->bodies - p->maker), p->staged ? "" : " and admission");
}

static void print_causes(const port_state *s, const row *line) {
    static const char *const causes[][2] = {
        {"deferrals_true", "true conflicts"},
        {"deferrals_hash", "bits or cells that met by hash alone"},
        {"deferrals_master", "what a shared master reaches"},
        {"deferrals_stale", "stale bits"}};
    double looked_into = 0;
    const char *before = "";
    for (size_t i = 0; i < 4; i++) {
        double count = row_number(line, causes[i][0]);
        if (isfinite(count)) looked_into += count;
    }
    if (!(looked_into > 0)) return;
    fprintf(s->after, ", of the %.0f that were looked into: ", looked_into);
    for (size_t i = 0; i < 4; i++) {
        double count = row_number(line, causes[i][0]);
        if (!(count > 0)) continue;
        fprintf(s->after, "%s%.0f%% %s", before, 100 * count / looked_into, causes[i][1]);
        before = ", ";
    }
}

/* Of the last run at the contested number of threads. */
static void print_statistics(const port_state *s) {
    const entrant *svs = contest_find(s->entrants, s->count, "svs", s->report->settings->contested);
    const row *line = svs ? entrant_last(svs) : NULL;
    double instances = row_number(line, "instances"), deferrals = row_number(line, "deferrals");
    double stages = row_number(line, "stages"), width = row_number(line, "width");
    double refreshes = row_number(line, "refreshes");
    if (!isfinite(width)) width = instances / stages;
    if (instances > 0 && isfinite(deferrals)) {
        fprintf(s->after, "Of its %.0f instances, %.0f times one was put back", instances,
                deferrals);
        print_causes(s, line);
        fputs(". ", s->after);
    }
    if (stages > 0 && isfinite(width))
        fprintf(s->after, "A stage has %.1f instances (%.0f stages). ", width, stages);
    if (refreshes > 0) fprintf(s->after, "Signatures were refreshed %.0f times. ", refreshes);
}

void port_report_spent(port_state *s, const port_case *c, const headline *h) {
    if (!h->other) return;
    print_compared(s, c, h);
    if (c == s->port->cases) print_alone(s);
    print_statistics(s);
    fputs("</p>\n", s->after);
    report_row(s->report,
               "bench=evaluation figure=%s program=%s case=%s part=spent threads=%u other=%s "
               "ratio=%.4f ratio_cpu=%.4f ratio_waiting=%.4f",
               s->port->figure, s->port->name, c->name, s->report->settings->contested, h->other,
               h->ratio.median, h->ratio_cpu, h->ratio.median / h->ratio_cpu);
}
