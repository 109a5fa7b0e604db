/* The head of the page: ratios at the contested number of threads, and what was measured how. */
#include "figures.h"
#include "machine.h"
#include "plot.h"

#include <math.h>
#include <string.h>

static const char *figure_or_dash(char *text, size_t size, double value) {
    if (isfinite(value)) snprintf(text, size, "%.2f", value);
    else snprintf(text, size, "-");
    return text;
}

static void print_ratio(report *r, FILE *to, const headline *h) {
    char serial[16], stm[16], mutex[16], p99[16], words[80];
    html_table_row(to, "<%s|<%s|<%s|%.1f %s|*%.2f|%.2f to %.2f|%.2f|%.2f|%.2f|%s|%s|%s|%s",
                   h->port->name, h->case_name, port_verdict(words, sizeof words, h),
                   h->scale * h->svs_seconds, h->port->per_frame ? "us" : "ms", h->ratio.median,
                   h->ratio.low, h->ratio.high, h->ratio_prepared, h->ratio_cpu,
                   h->ratio.median / h->ratio_cpu,
                   figure_or_dash(p99, sizeof p99, h->ratio_p99.median),
                   figure_or_dash(mutex, sizeof mutex, h->ratio_mutex),
                   figure_or_dash(stm, sizeof stm, h->ratio_stm),
                   figure_or_dash(serial, sizeof serial, h->ratio_serial));
    report_row(r,
               "bench=evaluation figure=headline program=%s case=%s threads=%u cpus=%u "
               "seconds=%.6f ratio_best_other=%.4f ratio_q1=%.4f ratio_q3=%.4f "
               "ratio_prepared=%.4f ratio_cpu=%.4f ratio_p99=%s best_other=%s ratio_mutex=%s "
               "ratio_stm=%s ratio_serial=%s",
               h->port->name, h->case_name, r->settings->contested, r->settings->cpus,
               h->svs_seconds, h->ratio.median, h->ratio.low, h->ratio.high, h->ratio_prepared,
               h->ratio_cpu, p99, h->other, mutex, stm, serial);
}

/* Which of a port's engines has this name; ENGINES_MAX: none. */
static size_t engine_of(const port *p, const char *name) {
    for (size_t e = 0; p->engines[e]; e++)
        if (!strcmp(p->engines[e], name)) return e;
    return ENGINES_MAX;
}

/* How far off to show: stm may be ten times the others. */
#define SHOWN_MAX 2.5
#define SHOWN_MIN 0.4

static void draw_ratios(report *r, FILE *to, const headline *of, size_t count) {
    static const char *const engines[] = {"mutex", "tbb", "openmp", "stm", "atomic", "serial"};
    enum { ENGINES = sizeof engines / sizeof *engines };
    char title[120], caption[400];
    plot *p;
    snprintf(title, sizeof title, "Time over that of svs, %u threads on %u CPUs",
             r->settings->contested, r->settings->cpus);
    p = plot_new(r, "ratios", title, "", "time / time of svs");
    plot_log_y(p, SHOWN_MIN, SHOWN_MAX);
    plot_set(p, "xrange [0.4:%zu.6]", count);
    plot_set(p, "xtics font ',10'");
    plot_set(p, "bmargin 3");
    for (size_t i = 0; i < count; i++) {
        char label[80];
        snprintf(label, sizeof label, "%s\\n%s", of[i].port->name, of[i].case_name);
        plot_tick(p, (double)i + 1, label);
    }
    plot_level(p, 1, "svs");
    for (size_t e = 0; e < ENGINES; e++) {
        plot_series(p, engines[e], PLOT_POINTS, plot_colour_of_engine(engines[e]));
        for (size_t i = 0; i < count; i++) {
            size_t at = engine_of(of[i].port, engines[e]);
            const summary *ratio = at < ENGINES_MAX ? &of[i].relative[at] : NULL;
            if (ratio && ratio->count)
                plot_point(p, (double)i + 0.75 + 0.1 * (double)e, fmin(ratio->median, SHOWN_MAX),
                           ratio->low, fmin(ratio->high, SHOWN_MAX));
        }
    }
    snprintf(caption, sizeof caption,
             "Above the line an engine takes longer than svs, below it less. Medians and quartiles "
             "of quotients of runs of one round; what is beyond %.1f stands at the edge. The "
             "serial engine has one thread.",
             SHOWN_MAX);
    plot_end(p, to, caption);
}

static void print_table(report *r, FILE *to, const headline *of, size_t count) {
    html_table_begin(
        to, "<program|<case|<svs takes|svs|svs / best other|quartiles|with preparation|CPU "
            "time|waiting|p99 frame|svs / mutex|svs / stm|svs / serial");
    for (size_t i = 0; i < count; i++) print_ratio(r, to, &of[i]);
    html_table_end(to);
    html_note(to, "Every engine runs the same simulation code, with the lock and the chunk with "
                  "which it is fastest here. Times are of frames or steps; those of svs include "
                  "sends, footprints, scheduling and the refresh of signatures. With preparation: "
                  "of whole runs, with what engines do before the first and after the last frame. "
                  "CPU time times waiting is the ratio: what is worked more, and what is waited "
                  "more. Why, in words: in each program's section.");
}

void figure_headline(report *r, const headline *of, size_t count) {
    FILE *to = report_section(r, RANK_HEADLINE, "ratios", "SvS against the best other engine");
    fprintf(to,
            "<p>Times of SvS over those of the fastest other parallel engine, both with <b>%u "
            "threads on %u CPUs</b>: medians of the quotients of runs of one round, and their "
            "quartiles. Below 1 SvS is faster. All are measured here; no prediction enters.</p>\n",
            r->settings->contested, r->settings->cpus);
    html_note(to, "<b>svs</b>: tasks and footprints, no lock, each program's default algorithm. "
                  "<b>mutex</b>: a pool of threads that lock. <b>tbb</b>, <b>openmp</b>: those "
                  "libraries' loops with the same locks. <b>stm</b>: gcc's transactions. "
                  "<b>atomic</b>: compare-and-swap. <b>serial</b>: one thread, no lock.");
    if (r->load > 0.5 * r->settings->cpus)
        fprintf(to,
                "<p class=\"busy\">The machine was not quiet: when this began, %.1f processes "
                "wanted its %u CPUs. Times of several threads say little then; CPU times and "
                "quartiles say more.</p>\n",
                r->load, r->settings->cpus);
    if (count) {
        draw_ratios(r, to, of, count);
        print_table(r, to, of, count);
    } else {
        html_note(to, "None of the three programs was run.");
    }
    to = report_section(r, RANK_MACHINE, "machine", "Machine and versions");
    machine_table(to);
    html_note(to,
              "Numbers of threads beyond these %u CPUs are oversubscribed, and marked as such. "
              "The JSON of a larger machine holds the same rows: --beside shows them beside these.",
              r->settings->cpus);
}
