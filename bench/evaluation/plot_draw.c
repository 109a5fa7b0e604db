/* Plots drawn by gnuplot: its script, and the SVG that it makes, put into the page. */
#include "child.h"
#include "common.h"
#include "plot_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const colours[] = {"#7f8790", "#0b62a4", "#d4600a", "#7a5fb5", "#1b9e77",
                                      "#d6287e", "#9c7a1c", "#3b3f46", "#5aa5dc", "#b23a48"};
enum { COLOURS = sizeof colours / sizeof *colours };

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
            "set terminal svg size 640,400 dynamic noenhanced name '%s' font 'Arial,14' "
            "background '#ffffff'\nset output '%s'\nset encoding utf8\n",
            p->id, svg);
    fputs("set grid lc rgb '#e6eaef' lw 0.8\nset border 3 lc rgb '#6b747e'\n"
          "set tics nomirror\nset key outside right top Left reverse samplen 1.5 spacing 1.15 font "
          "',13'\n"
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

void plot_draw(plot *p, FILE *to) {
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
