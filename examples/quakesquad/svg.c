#include "svg.h"

#include <inttypes.h>
#include <stdio.h>

/* The picture's unit is the world's; the legend is below, in a strip that grows with the world. */
static double units(int32_t position) { return (double)position / UNIT; }

static void draw_grid(FILE *out, const world *w) {
    fprintf(out, "<g stroke=\"#e6e8ee\" stroke-width=\"0.5\">\n");
    for (uint32_t line = 0; line <= w->side; line++) {
        double at = units((int32_t)line * CELL_SIDE), end = w->options.size;
        if (at > end) at = end;
        fprintf(out, "<path d=\"M%g 0V%g M0 %gH%g\"/>\n", at, end, at, end);
    }
    fprintf(out, "</g>\n");
}

static void draw_walls(FILE *out, const world *w) {
    fprintf(out, "<g stroke=\"#4a4e57\" stroke-width=\"2\" stroke-linecap=\"round\">\n");
    for (uint32_t i = 0; i < w->options.walls; i++)
        fprintf(out, "<path d=\"M%g %gL%g %g\"/>\n", units(w->walls[i].x0), units(w->walls[i].y0),
                units(w->walls[i].x1), units(w->walls[i].y1));
    fprintf(out, "</g>\n");
}

static void draw_bomb(FILE *out, double x, double y, uint32_t state) {
    const char *core = state == EXPLODING ? "#d7191c" : state == DISARMED ? "#9aa0a8" : "#1b1b1b";
    fprintf(out,
            "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"#f46d43\" fill-opacity=\"0.10\" "
            "stroke=\"#f46d43\" stroke-width=\"0.4\"/>",
            x, y, units(FEAR_RADIUS));
    if (state == EXPLODING)
        fprintf(out,
                "<circle cx=\"%g\" cy=\"%g\" r=\"%g\" fill=\"#d7191c\" fill-opacity=\"0.25\"/>", x,
                y, units(BLAST_RADIUS));
    fprintf(out, "<circle cx=\"%g\" cy=\"%g\" r=\"3.5\" fill=\"%s\"/>\n", x, y, core);
}

/* Health by the fill, from green to red; fear by a dark rim. */
static void draw_citizen(FILE *out, double x, double y, int32_t health, bool afraid) {
    fprintf(out, "<circle cx=\"%g\" cy=\"%g\" r=\"2.6\" fill=\"hsl(%d 75%% 45%%)\"%s/>\n", x, y,
            health * 120 / FULL_HEALTH, afraid ? " stroke=\"#3b0f70\" stroke-width=\"1.4\"" : "");
}

static void draw_tech(FILE *out, double x, double y) {
    fprintf(out,
            "<path d=\"M%g %gl3.6 6.2h-7.2z\" fill=\"#2b6cd4\" stroke=\"#fff\" "
            "stroke-width=\"0.4\"/>\n",
            x, y - 4);
}

static void draw_entities(FILE *out, const world *w) {
    for (uint32_t id = 0; id < w->options.count[BOMB]; id++)
        draw_bomb(out, units(w->places[BOMB][id].x), units(w->places[BOMB][id].y),
                  w->bodies[BOMB][id].state);
    draw_walls(out, w);
    for (int kind = CITIZEN; kind <= TECH; kind++)
        for (uint32_t id = 0; id < w->options.count[kind]; id++) {
            const place *p = &w->places[kind][id];
            const body *b = &w->bodies[kind][id];
            if (!p->listed) continue;
            if (kind == TECH) draw_tech(out, units(p->x), units(p->y));
            else draw_citizen(out, units(p->x), units(p->y), b->health, b->fear_frame == w->frame);
        }
}

static void draw_legend(FILE *out, const world *w, double scale) {
    fprintf(out,
            "<g transform=\"translate(0 %g) scale(%g)\" font-family=\"sans-serif\" "
            "font-size=\"13\" fill=\"#222\">\n",
            (double)w->options.size, scale);
    fprintf(out,
            "<text x=\"12\" y=\"22\" font-weight=\"bold\">QuakeSquad, frame %" PRIu32 "</text>\n",
            w->frame);
    draw_citizen(out, 20, 44, FULL_HEALTH, false);
    fprintf(out, "<text x=\"30\" y=\"48\">citizen, well</text>\n");
    draw_citizen(out, 140, 44, 20, false);
    fprintf(out, "<text x=\"150\" y=\"48\">hurt</text>\n");
    draw_citizen(out, 210, 44, FULL_HEALTH, true);
    fprintf(out, "<text x=\"220\" y=\"48\">afraid</text>\n");
    draw_tech(out, 290, 44);
    fprintf(out, "<text x=\"300\" y=\"48\">tech</text>\n");
    fprintf(out, "<path d=\"M355 44h30\" stroke=\"#4a4e57\" stroke-width=\"2\"/><text x=\"392\" "
                 "y=\"48\">wall</text>\n");
    fprintf(out, "<g transform=\"translate(460 44)\"><circle r=\"14\" fill=\"#f46d43\" "
                 "fill-opacity=\"0.10\" stroke=\"#f46d43\"/>"
                 "<circle r=\"3.5\" fill=\"#1b1b1b\"/></g><text x=\"482\" y=\"48\">bomb and its "
                 "reach of fear</text>\n");
    fprintf(out, "<circle cx=\"690\" cy=\"44\" r=\"10\" fill=\"#d7191c\" "
                 "fill-opacity=\"0.35\"/><circle cx=\"690\" cy=\"44\" r=\"3.5\" "
                 "fill=\"#d7191c\"/><text x=\"706\" y=\"48\">explodes</text>\n");
    fprintf(out, "<circle cx=\"800\" cy=\"44\" r=\"3.5\" fill=\"#9aa0a8\"/><text x=\"810\" "
                 "y=\"48\">disarmed</text>\n</g>\n");
}

bool svg_write(const world *w, const char *file) {
    FILE *out = fopen(file, "w");
    double size = w->options.size, scale = size / 900, height = size + 64 * scale;
    bool good;
    if (!out) return false;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"%g\" viewBox=\"0 0 "
            "%g %g\">\n",
            1000 * height / size, size, height);
    fprintf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    draw_grid(out, w);
    fprintf(out, "<svg width=\"%g\" height=\"%g\">\n", size,
            size); /* clips parts beyond the edge */
    draw_entities(out, w);
    fprintf(out, "</svg>\n");
    draw_legend(out, w, scale);
    fprintf(out, "</svg>\n");
    good = !ferror(out);
    return fclose(out) == 0 && good;
}
