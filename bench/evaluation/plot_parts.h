/* What a plot is while it is put together (plot.c), for who draws it (plot_draw.c). */
#ifndef EVALUATION_PLOT_PARTS_H
#define EVALUATION_PLOT_PARTS_H

#include "plot.h"

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

void plot_draw(plot *p, FILE *to);

#endif
