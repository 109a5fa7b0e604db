#include "common.h"
#include "plot_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

unsigned plot_colour_of_engine(const char *engine) {
    static const char *const engines[] = {"serial", "svs", "mutex", "tbb",
                                          "openmp", "stm", "atomic"};
    for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++)
        if (!strcmp(engines[i], engine)) return i;
    return 9;
}

plot *plot_new(report *r, const char *id, const char *title, const char *x, const char *y) {
    plot *p = bench_allocate(1, sizeof *p);
    p->report = r;
    p->id = id;
    p->settings = open_memstream(&p->settings_text, &p->settings_size);
    p->ticks = open_memstream(&p->ticks_text, &p->ticks_size);
    if (!p->settings || !p->ticks) bench_fail("no memory for a plot");
    plot_set(p, "title \"%s\" font ',16'", title);
    plot_set(p, "xlabel \"%s\"", x);
    plot_set(p, "ylabel \"%s\"", y);
    return p;
}

void plot_set(plot *p, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (*format != '!') fputs("set ", p->settings);
    vfprintf(p->settings, format + (*format == '!'), list);
    fputc('\n', p->settings);
    va_end(list);
}

void plot_tick(plot *p, double x, const char *label) {
    fprintf(p->ticks, "%s\"%s\" %g", ftell(p->ticks) ? ", " : "", label, x);
}

void plot_log_y(plot *p, double low, double high) {
    static const double wide[] = {1, 2, 5}, narrow[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    bool far = high > 20 * low;
    const double *steps = far ? wide : narrow;
    const char *before = "";
    plot_set(p, "logscale y");
    plot_set(p, "yrange [%g:%g]", low, high);
    fputs("set ytics (", p->settings);
    for (int decade = (int)floor(log10(low)); decade <= (int)floor(log10(high)); decade++)
        for (size_t i = 0; i < (far ? 3 : 10); i++) {
            double at = pow(10, decade) * steps[i];
            if (at < low || at > high) continue;
            fprintf(p->settings, "%s\"%g\" %g", before, at, at);
            before = ", ";
        }
    fputs(")\nunset mytics\n", p->settings);
}

void plot_series(plot *p, const char *name, plot_style style, unsigned colour) {
    series *s = &p->of[p->count];
    if (p->count == SERIES_MAX) bench_fail("more than %d series in %s", SERIES_MAX, p->id);
    *s = (series){.style = style, .colour = colour};
    s->name = strdup(name);
    s->to = open_memstream(&s->text, &s->size);
    if (!s->name || !s->to) bench_fail("no memory for a plot");
    p->count++;
}

void plot_point(plot *p, double x, double y, double low, double high) {
    series *s = &p->of[p->count - 1];
    if (!isfinite(x) || !isfinite(y)) return;
    fprintf(s->to, "%.9g %.9g %.9g %.9g\n", x, y, isfinite(low) ? low : y,
            isfinite(high) ? high : y);
    s->points++;
}

void plot_level(plot *p, double y, const char *name) {
    plot_set(p,
             "arrow from graph 0, first %.9g to graph 1, first %.9g nohead lw 1.2 dt 3 "
             "lc rgb '#1c2430' front",
             y, y);
    plot_set(p, "label \"%s\" at graph 0.99, first %.9g right offset 0,0.6 font ',11' front", name,
             y);
}

void plot_shade_beyond(plot *p, double cpus) {
    plot_set(p,
             "object rectangle from first %g, graph 0 to graph 1, graph 1 behind "
             "fillcolor rgb '#f1f3f6' fillstyle solid noborder",
             cpus * 1.19);
    plot_set(p,
             "label \"more threads than CPUs\" at first %g, graph 0.965 left "
             "textcolor rgb '#8a929c' font ',10' front",
             cpus * 1.25);
}

static unsigned points_of(plot *p) {
    unsigned points = 0;
    for (size_t i = 0; i < p->count; i++) points += p->of[i].points;
    return points;
}

void plot_end(plot *p, FILE *to, const char *caption) {
    if (!points_of(p)) {
        fprintf(to, "<p class=\"wait\">Not drawn, as nothing was measured for it: %s</p>\n",
                caption);
    } else if (p->report->plots) {
        fputs("<figure>\n", to);
        plot_draw(p, to);
        fprintf(to, "<figcaption>%s <b>Measured on %u CPUs.</b></figcaption>\n</figure>\n", caption,
                p->report->settings->cpus);
    }
    fclose(p->settings);
    fclose(p->ticks);
    for (size_t i = 0; i < p->count; i++) {
        fclose(p->of[i].to);
        free(p->of[i].text);
        free(p->of[i].name);
    }
    free(p->settings_text);
    free(p->ticks_text);
    free(p);
}
