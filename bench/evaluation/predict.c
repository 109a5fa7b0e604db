#include "predict.h"

#include "common.h"
#include "machine.h"
#include "plot.h"

#include <math.h>
#include <string.h>

enum { PREDICTED_MAX = 64 };

double predict_span(const graph_run *g) {
    return g->instances > 0 ? g->stages * (g->work / g->instances + g->handover) : 0;
}

double predict_seconds(const graph_run *g, double threads) {
    double others = 1 - 1 / threads; /* of the workers, the share that is not this one */
    double lock = g->lock_handovers * g->handover * others;
    double parallel = (g->work - g->alone + lock) / threads;
    if (threads > 1) parallel = fmax(parallel, fmax(g->maker + lock, g->sender));
    return g->serial + g->alone + parallel + others * (predict_span(g) + g->barriers * g->wakeup);
}

static double or_zero(double value) { return isfinite(value) ? value : 0; }

/* From the median run on one thread, the profile's shares and the run's own statistics. */
static graph_run run_of(const port *of, const entrant *one, const profile *p) {
    const row *last = entrant_last(one);
    double seconds = entrant_summary(one, SECONDS).median;
    double runs = or_zero(row_number(last, of->profile.runs));
    graph_run g = {0};
    g.work = seconds / (1 + p->serial);
    g.serial = seconds - g.work;
    g.alone = p->alone * g.work;
    g.maker = p->maker * g.work;
    g.sender = p->sender * g.work;
    g.stages = fmax(runs, or_zero(row_number(last, "stages")));
    g.instances = or_zero(row_number(last, "instances"));
    g.handover = 1e-9 * or_zero(machine_handover_ns());
    g.wakeup = 1e-9 * or_zero(machine_wakeup_ns());
    g.barriers = runs * of->profile.barriers;
    if (!p->staged) g.lock_handovers = g.instances;
    return g;
}

static void draw(port_state *s, const graph_run *g) {
    const settings *set = s->report->settings;
    char title[100], id[60];
    plot *p;
    snprintf(id, sizeof id, "predict_%s", s->port->name);
    snprintf(title, sizeof title, "svs, %s: measured, and predicted for more CPUs", s->port->name);
    p = plot_new(s->report, id, title, "CPUs", port_unit(s->port));
    plot_set(p, "logscale xy 2");
    plot_set(p, "xrange [0.9:%d]", PREDICTED_MAX + 8);
    plot_series(p, "svs, measured here", PLOT_LINE, plot_colour_of_engine("svs"));
    for (size_t t = 0; t < set->thread_count; t++) {
        const entrant *e = contest_find(s->entrants, s->count, "svs", set->threads[t]);
        summary seconds = e ? entrant_summary(e, SECONDS) : summary_of(NULL, 0);
        double unit = port_scale(s);
        if (set->threads[t] <= set->cpus)
            plot_point(p, set->threads[t], unit * seconds.median, unit * seconds.low,
                       unit * seconds.high);
    }
    plot_series(p, "svs, prediction", PLOT_DASHED, 8);
    for (unsigned threads = 1; threads <= PREDICTED_MAX; threads *= 2)
        plot_point(p, threads, port_scale(s) * predict_seconds(g, threads), NAN, NAN);
    plot_end(p, s->after,
             "Dashed is a prediction for machines with more CPUs, from the run on one "
             "thread: no measurement, and in no headline.");
}

static void print_row(port_state *s, const port_case *c, unsigned threads, double predicted,
                      double measured) {
    report_row(s->report,
               "bench=evaluation figure=%s program=%s case=%s engine=svs part=prediction "
               "threads=%u predicted_seconds=%.6f measured_seconds=%.6f error_pct=%.1f",
               s->port->figure, s->port->name, c->name, threads, predicted, measured,
               100 * (predicted / measured - 1));
}

/* Seconds of svs on CPUs that there are; NaN: there are fewer. */
static double measured_at(const port_state *s, unsigned threads) {
    const entrant *e = contest_find(s->entrants, s->count, "svs", threads);
    return e && threads <= s->report->settings->cpus ? entrant_summary(e, SECONDS).median : NAN;
}

static void print_table(port_state *s, const port_case *c, const graph_run *g) {
    double unit = port_scale(s);
    char columns[120];
    snprintf(columns, sizeof columns, "CPUs|predicted, %s|measured|<error of the prediction",
             port_unit(s->port));
    html_table_begin(s->after, columns);
    for (unsigned threads = 1; threads <= PREDICTED_MAX; threads *= 2) {
        double predicted = predict_seconds(g, threads), measured = measured_at(s, threads);
        print_row(s, c, threads, predicted, measured);
        if (threads == 1)
            html_table_row(s->after, "1|%.1f|%.1f|<the run that it is made from", unit * predicted,
                           unit * measured);
        else if (isfinite(measured))
            html_table_row(s->after, "%u|%.1f|%.1f|<%+.0f%%", threads, unit * predicted,
                           unit * measured, 100 * (predicted / measured - 1));
        else
            html_table_row(s->after, "%u|%.1f|-|<not so many CPUs here", threads, unit * predicted);
    }
    html_table_end(s->after);
}

static void print_shares(port_state *s, const profile *p) {
    report_row(s->report,
               "bench=evaluation figure=%s program=%s part=profile maker_share=%.4f "
               "bodies_share=%.4f alone_share=%.4f sends_share=%.4f sender_share=%.4f "
               "serial_share=%.4f",
               s->port->figure, s->port->name, p->maker, p->bodies, p->alone, p->sends, p->sender,
               p->serial / (1 + p->serial));
}

static void print_model(port_state *s, const port_case *c, const profile *p, const graph_run *g) {
    fprintf(s->after, "<h3>Predicted for more CPUs (%s)</h3>\n", c->name);
    fprintf(s->after,
            "<p>T(P) = A + E + max(M + H, B, (W &minus; E + H)/P) + (S + K)(1 &minus; 1/P): the "
            "prediction of <i>svs trace predict</i>, extended to domains. Of the run on one "
            "thread, W = %.1f ms are in the graph and A = %.1f ms outside of it; E = %.1f ms are "
            "of bodies that run alone, M = %.1f ms are one worker's at a time (%s), B = %.1f ms "
            "of bodies that send while others run. S = %.2f ms is the span: %.0f %s of one "
            "instance and one handover (%.0f ns) each. K = %.2f ms are %.0f barriers, behind which "
            "workers are woken (%.1f us each).%s</p>\n",
            1e3 * g->work, 1e3 * g->serial, 1e3 * g->alone, 1e3 * g->maker,
            p->staged ? "making stages" : "in the domain's lock", 1e3 * g->sender,
            1e3 * predict_span(g), g->stages, p->staged ? "stages" : "runs of the graph",
            1e9 * g->handover, 1e3 * g->barriers * g->wakeup, g->barriers, 1e6 * g->wakeup,
            p->staged ? " H = 0." : " H: the lock changes hands once an instance.");
    html_note(s->after, "It knows nothing of memory bandwidth and of several sockets, and keeps "
                        "the chunks of the run on one thread.");
}

void predict_port(port_state *s, const port_case *c) {
    const entrant *one = contest_find(s->entrants, s->count, "svs", 1);
    bool first = c == s->port->cases;
    graph_run g;
    if (!one || !s->profile->known) {
        html_note(s->after, "No prediction: %s.",
                  one ? s->profile->why : "svs did not run on one thread");
        return;
    }
    g = run_of(s->port, one, s->profile);
    if (first) {
        print_shares(s, s->profile);
        print_model(s, c, s->profile, &g);
        draw(s, &g);
        print_table(s, c, &g);
        return;
    }
    for (unsigned threads = 2; isfinite(measured_at(s, threads)); threads *= 2) {
        double predicted = predict_seconds(&g, threads), measured = measured_at(s, threads);
        print_row(s, c, threads, predicted, measured);
        html_note(s->after,
                  "The same prediction for %s, with the shares of %s: %.1f %s on %u CPUs, %+.0f%% "
                  "from what was measured.",
                  c->name, s->port->cases->name, port_scale(s) * predicted, port_unit(s->port),
                  threads, 100 * (predicted / measured - 1));
    }
}
