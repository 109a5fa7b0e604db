/* A picture, drawn by gnuplot and put into a page as SVG.
 *
 *     plot *p = plot_new(r, "width", "Parallel width", "bits", "instances a stage");
 *     plot_set(p, "logscale xy 2");
 *     plot_series(p, "svs", PLOT_LINE, 1);
 *     plot_point(p, 64, 60.2, 59.8, 60.9);
 *     plot_end(p, to, "What is seen here");
 *
 * A picture without a point is never drawn: a box says instead that there is nothing. */
#ifndef EVALUATION_PLOT_H
#define EVALUATION_PLOT_H

#include "report.h"

typedef struct plot plot;

typedef enum plot_style {
    PLOT_LINE,   /* with points and a bar from low to high */
    PLOT_DASHED, /* a prediction, or a reference: no points */
    PLOT_POINTS, /* with a bar from low to high */
    PLOT_BARS,   /* from 0, with a bar from low to high */
    PLOT_TILES   /* x, y and a colour, `low` */
} plot_style;

plot *plot_new(report *r, const char *id, const char *title, const char *x, const char *y);

/* A line of gnuplot's "set" or, when it begins with '!', any line. */
void plot_set(plot *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The label below an x. */
void plot_tick(plot *p, double x, const char *label);

/* A logarithmic y axis from low to high, with ticks that people read. */
void plot_log_y(plot *p, double low, double high);

/* Points that follow belong to it. An empty name: it is not in the key. */
void plot_series(plot *p, const char *name, plot_style style, unsigned colour);
void plot_point(plot *p, double x, double y, double low, double high);
/* A line from one edge to the other. */
void plot_level(plot *p, double y, const char *name);

/* Shows what lies right of the CPUs as more threads than those. */
void plot_shade_beyond(plot *p, double cpus);

void plot_end(plot *p, FILE *to, const char *caption);

/* An engine has one colour on the whole page; so have quests and programs, by number. */
unsigned plot_colour_of_engine(const char *engine);

/* Whether gnuplot answers. */
bool plot_available(void);

#endif
