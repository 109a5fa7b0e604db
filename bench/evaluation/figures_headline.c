/* The head of the page: ratios at the contested number of threads, and what was measured how. */
#include "figures.h"
#include "machine.h"

#include <math.h>

static const char *figure_or_dash(char *text, size_t size, double value) {
    if (isfinite(value)) snprintf(text, size, "%.2f", value);
    else snprintf(text, size, "-");
    return text;
}

static void print_ratio(report *r, FILE *to, const headline *h) {
    char serial[16], stm[16], mutex[16];
    html_table_row(to, "<%s|<%s|<%s|%.1f|*%.2f|%.2f to %.2f|%.2f|<%s|%s|%s|%s", h->port->figure,
                   h->port->name, h->case_name, 1e3 * h->svs_seconds, h->ratio, h->ratio_low,
                   h->ratio_high, h->ratio_cpu, h->other,
                   figure_or_dash(mutex, sizeof mutex, h->ratio_mutex),
                   figure_or_dash(stm, sizeof stm, h->ratio_stm),
                   figure_or_dash(serial, sizeof serial, h->ratio_serial));
    report_row(r,
               "bench=evaluation figure=headline program=%s case=%s threads=%u seconds=%.6f "
               "ratio_best_other=%.4f ratio_q1=%.4f ratio_q3=%.4f ratio_cpu=%.4f best_other=%s "
               "ratio_mutex=%s "
               "ratio_stm=%s ratio_serial=%s",
               h->port->name, h->case_name, r->settings->contested, h->svs_seconds, h->ratio,
               h->ratio_low, h->ratio_high, h->ratio_cpu, h->other, mutex, stm, serial);
}

void figure_headline(report *r, const headline *of, size_t count) {
    FILE *to = report_section(r, RANK_HEADLINE, "ratios", "SvS against the best other engine");
    fprintf(to,
            "<p>Times of SvS over those of the fastest other parallel engine, both with <b>%u "
            "threads on %u CPUs</b>: medians of the quotients of runs of one round, and their "
            "quartiles. Below 1 SvS is faster. All are measured here; no prediction enters.</p>\n",
            r->settings->contested, r->settings->cpus);
    if (r->load > 0.5 * r->settings->cpus)
        fprintf(to,
                "<p class=\"busy\">The machine was not quiet: when this began, %.1f processes "
                "wanted its %u CPUs. Times of several threads say little then; CPU times and "
                "quartiles say more.</p>\n",
                r->load, r->settings->cpus);
    html_table_begin(
        to, "<figure|<program|<case|svs, ms|svs / best other|quartiles|CPU / its CPU|<best other|"
            "svs / mutex|svs / stm|svs / serial");
    for (size_t i = 0; i < count; i++) print_ratio(r, to, &of[i]);
    html_table_end(to);
    html_note(to, "Every engine runs the same simulation code, with the lock and the chunk with "
                  "which it is fastest here. Times are of frames or steps; tables below give them "
                  "with preparation, too. SvS' include sends, footprints, scheduling and the "
                  "refresh of signatures.");
    to = report_section(r, RANK_MACHINE, "machine", "Machine and versions");
    machine_table(to);
    html_note(to,
              "Numbers of threads beyond these %u CPUs are oversubscribed, and marked as such. "
              "The JSON of a larger machine holds the same rows, to put beside these.",
              r->settings->cpus);
}
