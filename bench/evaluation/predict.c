#include "predict.h"

#include "common.h"
#include "machine.h"
#include "plot.h"

#include <math.h>
#include <string.h>

enum { PREDICTED_MAX = 64 };

double predict_seconds(const graph_run *g, double threads) {
    double span = g->instances > 0 ? g->stages * (g->work / g->instances + g->handover) : 0;
    double parallel = g->work / threads;
    if (threads > 1) parallel = fmax(parallel, fmax(g->maker, g->sender));
    return g->serial + parallel + span * (1 - 1 / threads);
}

static double or_zero(double value) { return isfinite(value) ? value : 0; }

/* From the median run on one thread, the profile's shares and the run's own statistics. */
static graph_run run_of(const entrant *one, const profile *p) {
    const row *last = &one->last.of[one->last.count - 1];
    double seconds = entrant_summary(one, SECONDS).median;
    double handover = machine_handover_ns();
    graph_run g = {0};
    g.work = seconds / (1 + p->serial);
    g.serial = seconds - g.work;
    g.maker = p->maker * g.work;
    g.sender = p->sender * g.work;
    g.stages = or_zero(row_number(last, "stages"));
    g.instances = or_zero(row_number(last, "instances"));
    g.handover = 1e-9 * or_zero(handover);
    return g;
}

static void draw(port_state *s, const graph_run *g) {
    const settings *set = s->report->settings;
    plot *p = plot_new(s->report,
                       s->port == &port_fluidanimate ? "predict_fluidanimate"
                       : s->port == &port_canneal    ? "predict_canneal"
                                                     : "predict_quakesquad",
                       "svs: measured, and predicted for more CPUs", "CPUs", "ms");
    plot_set(p, "logscale xy 2");
    plot_set(p, "xrange [0.9:%d]", PREDICTED_MAX + 8);
    plot_set(p, "key top right");
    plot_series(p, "svs, measured", PLOT_LINE, 1);
    for (size_t t = 0; t < set->thread_count; t++) {
        const entrant *e = contest_find(s->entrants, s->count, "svs", set->threads[t]);
        summary seconds = e ? entrant_summary(e, SECONDS) : summary_of(NULL, 0);
        if (set->threads[t] <= set->cpus)
            plot_point(p, set->threads[t], 1e3 * seconds.median, 1e3 * seconds.low,
                       1e3 * seconds.high);
    }
    plot_series(p, "svs, prediction", PLOT_DASHED, 8);
    for (unsigned threads = 1; threads <= PREDICTED_MAX; threads *= 2)
        plot_point(p, threads, 1e3 * predict_seconds(g, threads), NAN, NAN);
    plot_end(p, s->after,
             "Dashed is a prediction for machines with more CPUs, from the run on one "
             "thread: no measurement, and in no headline.");
}

static void print_table(port_state *s, const graph_run *g) {
    const settings *set = s->report->settings;
    html_table_begin(s->after, "threads|predicted, ms|measured, ms|error of the prediction");
    for (unsigned threads = 1; threads <= PREDICTED_MAX; threads *= 2) {
        const entrant *e =
            threads <= set->cpus ? contest_find(s->entrants, s->count, "svs", threads) : NULL;
        double predicted = predict_seconds(g, threads);
        double measured = e ? entrant_summary(e, SECONDS).median : NAN;
        if (e)
            html_table_row(s->after, "%u|%.1f|%.1f|%+.0f%%", threads, 1e3 * predicted,
                           1e3 * measured, 100 * (predicted / measured - 1));
        else html_table_row(s->after, "%u|%.1f|no such CPUs here|-", threads, 1e3 * predicted);
        report_row(s->report,
                   "bench=evaluation figure=%s program=%s case=%s engine=svs part=prediction "
                   "threads=%u predicted_seconds=%.6f measured_seconds=%.6f error_pct=%.1f",
                   s->port->figure, s->port->name, s->port->cases->name, threads, predicted,
                   measured, 100 * (predicted / measured - 1));
    }
    html_table_end(s->after);
}

static void print_spending(port_state *s, const profile *p, const entrant *one) {
    static const char *const counts[] = {"instances",       "stages",         "width",
                                         "width_first",     "width_last",     "deferrals",
                                         "deferrals_true",  "deferrals_hash", "deferrals_master",
                                         "deferrals_stale", "refreshes",      "running_max"};
    const row *last = &one->last.of[one->last.count - 1];
    html_table_begin(s->after, "<of svs' run on one thread|value");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (isfinite(row_number(last, counts[i])))
            html_table_row(s->after, "<%s|%s", counts[i], row_text(last, counts[i]));
    html_table_row(s->after, "<bodies, with what they send: instructions of the graph's run|%.0f%%",
                   100 * p->bodies);
    html_table_row(s->after, "<of it sends|%.0f%%", 100 * p->sends);
    html_table_row(s->after, "<%s|%.0f%%",
                   p->staged ? "the maker of stages" : "under the progressive domain's lock",
                   100 * p->maker);
    html_table_row(s->after,
                   "<the rest: admission by others, release, retirement, the workers' loop|"
                   "%.0f%%",
                   100 * fmax(0, 1 - p->bodies - p->maker));
    html_table_end(s->after);
    report_row(s->report,
               "bench=evaluation figure=%s program=%s part=profile maker_share=%.4f "
               "bodies_share=%.4f sends_share=%.4f serial_share=%.4f",
               s->port->figure, s->port->name, p->maker, p->bodies, p->sends,
               p->serial / (1 + p->serial));
}

void predict_port(port_state *s) {
    const entrant *one = contest_find(s->entrants, s->count, "svs", 1);
    profile p;
    graph_run g;
    if (!one) {
        html_note(s->after, "No prediction, as svs did not run on one thread.");
        return;
    }
    p = profile_of(s);
    if (!p.known) {
        html_note(s->after, "No prediction: %s.", p.why);
        return;
    }
    g = run_of(one, &p);
    fprintf(s->after, "<h3>What svs spends, and what that means for more CPUs (%s)</h3>\n",
            s->port->cases->name);
    print_spending(s, &p, one);
    fprintf(
        s->after,
        "<p>T(P) = A + max(M, B, W/P) + S (1 &minus; 1/P), as <i>svs trace predict</i> does for "
        "async-finish, with W = %.1f ms of work in the graph, A = %.1f ms outside of it, "
        "M = %.1f ms that one worker at a time may spend (%s), B = %.1f ms of sends, and the span "
        "S = %.0f stages of one instance and one handover each, %.2f ms.</p>\n",
        1e3 * g.work, 1e3 * g.serial, 1e3 * g.maker,
        p.staged ? "making stages" : "in the domain's lock", 1e3 * g.sender, g.stages,
        g.instances > 0 ? 1e3 * g.stages * (g.work / g.instances + g.handover) : 0.0);
    draw(s, &g);
    print_table(s, &g);
}
