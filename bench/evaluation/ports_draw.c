/* The pictures of the three programs: time against threads. */
#include "common.h"
#include "plot.h"
#include "ports.h"

#include <math.h>
#include <string.h>

/* What is off the scale is left to the tables: who takes so much longer than the serial engine. */
#define OFF_SCALE 3.0

/* How far the times to be shown go, seconds. */
static void range_of(const port_state *s, double *low, double *high) {
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    double most = serial ? OFF_SCALE * entrant_summary(serial, SECONDS).median : INFINITY;
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < s->count; i++) {
        summary seconds = entrant_summary(&s->entrants[i], SECONDS);
        bool svs = !strcmp(s->entrants[i].engine, "svs");
        if (!seconds.count) continue;
        *low = fmin(*low, seconds.low);
        *high = fmax(*high, svs ? seconds.high : fmin(seconds.high, most));
    }
}

static void draw_engine(const port_state *s, plot *p, const char *engine) {
    const entrant *serial = contest_find(s->entrants, s->count, "serial", 1);
    const settings *set = s->report->settings;
    bool alone = !strcmp(engine, "serial");
    double unit = port_scale(s);
    plot_series(p, engine, alone ? PLOT_DASHED : PLOT_LINE, plot_colour_of_engine(engine));
    for (size_t t = 0; t < set->thread_count; t++) {
        const entrant *e =
            alone ? serial : contest_find(s->entrants, s->count, engine, set->threads[t]);
        summary seconds = e ? entrant_summary(e, SECONDS) : summary_of(NULL, 0);
        plot_point(p, set->threads[t], unit * seconds.median, unit * seconds.low,
                   unit * seconds.high);
    }
}

void port_draw(port_state *s, const port_case *c) {
    const settings *set = s->report->settings;
    char id[64], title[120], axis[60], caption[400];
    double low, high, unit = port_scale(s);
    plot *p;
    snprintf(id, sizeof id, "%s_%s", s->port->name, s->port->input ? "time" : c->name);
    snprintf(title, sizeof title, "%s, %s: time against threads", s->port->name, c->name);
    snprintf(axis, sizeof axis, "%s (less is better)", port_unit(s->port));
    p = plot_new(s->report, id, title, "threads", axis);
    range_of(s, &low, &high);
    plot_set(p, "logscale x 2");
    plot_set(p, "xrange [0.9:%g]", set->threads[set->thread_count - 1] * 1.15);
    if (high > low) plot_log_y(p, 0.9 * unit * low, 1.1 * unit * high);
    plot_set(p, "key outside right top");
    if (set->cpus < set->threads[set->thread_count - 1]) plot_shade_beyond(p, set->cpus);
    for (size_t e = 0; s->port->engines[e]; e++)
        if (!s->engines[e].why[0]) draw_engine(s, p, s->port->engines[e]);
    snprintf(caption, sizeof caption,
             "Medians and quartiles of interleaved runs; %s. In the grey, "
             "threads share the CPUs. Dashed: the serial engine, one thread. Lines that "
             "leave at the top take more than %.0f times its time.",
             s->ours, OFF_SCALE);
    plot_end(p, s->to, caption);
}
