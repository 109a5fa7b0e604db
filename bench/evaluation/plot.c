#include "plot.h"

#include "child.h"
#include "common.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SERIES_MAX = 32 };

typedef struct series {
    char *name;
    plot_style style;
    unsigned colour, points;
    FILE *to;
    char *text;
    size_t size;
} series;

struct plot {
    report *report;
    const char *id;
    FILE *settings, *ticks;
    char *settings_text, *ticks_text;
    size_t settings_size, ticks_size, count;
    series of[SERIES_MAX];
};

static const char *const colours[] = {"#7f8790", "#0b62a4", "#d4600a", "#7a5fb5", "#1b9e77",
                                      "#d6287e", "#9c7a1c", "#3b3f46", "#5aa5dc", "#b23a48"};
enum { COLOURS = sizeof colours / sizeof *colours };

unsigned plot_colour_of_engine(const char *engine) {
    static const char *const engines[] = {"serial", "svs", "mutex", "tbb",
                                          "openmp", "stm", "atomic"};
    for (unsigned i = 0; i < sizeof engines / sizeof *engines; i++)
        if (!strcmp(engines[i], engine)) return i;
    return COLOURS - 1;
}

static char *gnuplot_path(void) {
    const char *path = getenv("PATH");
    char *copy = strdup(path ? path : "/usr/bin"), *rest = copy, *folder, *found = NULL;
    while (copy && !found && (folder = strsep(&rest, ":"))) {
        if (asprintf(&found, "%s/gnuplot", folder) < 0) bench_fail("no memory");
        if (!access(found, X_OK)) continue;
        free(found);
        found = NULL;
    }
    free(copy);
    return found;
}

bool plot_available(void) {
    char *path = gnuplot_path();
    free(path);
    return path;
}

plot *plot_new(report *r, const char *id, const char *title, const char *x, const char *y) {
    plot *p = bench_allocate(1, sizeof *p);
    p->report = r;
    p->id = id;
    p->settings = open_memstream(&p->settings_text, &p->settings_size);
    p->ticks = open_memstream(&p->ticks_text, &p->ticks_size);
    if (!p->settings || !p->ticks) bench_fail("no memory for a plot");
    plot_set(p, "title \"%s\" font ',15'", title);
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

/* ---- drawing ---- */

static unsigned points_of(plot *p) {
    unsigned points = 0;
    for (size_t i = 0; i < p->count; i++) points += p->of[i].points;
    return points;
}

static void print_style(FILE *to, const series *s, size_t number) {
    const char *colour = colours[s->colour % COLOURS];
    switch (s->style) {
    case PLOT_LINE:
        fprintf(to,
                "$d%zu using 1:2 with lines lw %s lc rgb '%s' notitle, "
                "$d%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.5 lw 1 lc rgb '%s' notitle, "
                "NaN with linespoints pt 7 ps 0.5 lw 2 lc rgb '%s'",
                number, s->colour == 1 ? "2.6" : "1.6", colour, number, colour, colour);
        break;
    case PLOT_DASHED:
        fprintf(to, "$d%zu using 1:2 with lines dt (6,4) lw 1.8 lc rgb '%s'", number, colour);
        break;
    case PLOT_POINTS:
        fprintf(to, "$d%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.6 lw 1.2 lc rgb '%s'", number,
                colour);
        break;
    case PLOT_BARS:
        fprintf(to, "$d%zu using 1:2:3:4 with boxerrorbars fs solid 0.55 border lc rgb '%s'",
                number, colour);
        break;
    case PLOT_TILES: fprintf(to, "$d%zu using 1:2:3 with image pixels", number); break;
    }
    if (*s->name) fprintf(to, " title \"%s\"", s->name);
    else fputs(" notitle", to);
}

static void print_script(plot *p, FILE *to, const char *svg) {
    bool any = false;
    fprintf(to,
            "set terminal svg size 640,400 dynamic noenhanced name '%s' font 'Arial,12' "
            "background '#ffffff'\nset output '%s'\nset encoding utf8\n",
            p->id, svg);
    fputs("set grid lc rgb '#e6eaef' lw 0.8\nset border 3 lc rgb '#9aa3ad'\n"
          "set tics nomirror\nset key top left Left reverse samplen 2 spacing 1.15 font ',11'\n"
          "set bars 0.4\nset boxwidth 0.8 relative\n",
          to);
    fflush(p->settings);
    fputs(p->settings_text, to);
    fflush(p->ticks);
    if (*p->ticks_text) fprintf(to, "set xtics (%s)\n", p->ticks_text);
    for (size_t i = 0; i < p->count; i++) {
        fflush(p->of[i].to);
        if (p->of[i].points) fprintf(to, "$d%zu << EOD\n%sEOD\n", i, p->of[i].text);
    }
    for (size_t i = 0; i < p->count; i++) {
        if (!p->of[i].points) continue;
        fputs(any ? ", \\\n  " : "plot ", to);
        print_style(to, &p->of[i], i);
        any = true;
    }
    fputc('\n', to);
}

/* Without what comes before the element: a page has its own. */
static bool embed(const char *path, FILE *to) {
    char *text = NULL;
    size_t size = 0, got;
    const char *svg;
    FILE *from = fopen(path, "r"), *all = open_memstream(&text, &size);
    char piece[4096];
    if (!all) bench_fail("no memory for a plot");
    while (from && (got = fread(piece, 1, sizeof piece, from)) > 0) fwrite(piece, 1, got, all);
    if (from) fclose(from);
    fclose(all);
    svg = strstr(text, "<svg");
    if (svg && strstr(svg, "</svg>")) fputs(svg, to);
    free(text);
    return svg;
}

static void draw(plot *p, FILE *to) {
    char *path = gnuplot_path(), *script, *svg, why[200];
    arguments a = {0};
    child c;
    FILE *file;
    if (asprintf(&script, "%s/%s.gnuplot", p->report->settings->out, p->id) < 0 ||
        asprintf(&svg, "%s/%s.svg", p->report->settings->out, p->id) < 0)
        bench_fail("no memory");
    file = fopen(script, "w");
    if (!file) bench_fail("%s cannot be written", script);
    print_script(p, file, svg);
    fclose(file);
    arguments_add(&a, "%s", path);
    arguments_add(&a, "%s", script);
    child_run(&c, &a, 60);
    child_complaint(&c, why, sizeof why);
    if (c.failed || !embed(svg, to)) report_problem(p->report, to, "%s: gnuplot: %s", p->id, why);
    else p->report->plots_drawn++;
    child_clean_up(&c);
    arguments_clean_up(&a);
    free(path);
    free(script);
    free(svg);
}

void plot_end(plot *p, FILE *to, const char *caption) {
    if (!points_of(p)) {
        fprintf(to, "<p class=\"wait\">Not drawn, as nothing was measured for it: %s</p>\n",
                caption);
    } else if (p->report->plots) {
        fputs("<figure>\n", to);
        draw(p, to);
        fprintf(to, "<figcaption>%s</figcaption>\n</figure>\n", caption);
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
