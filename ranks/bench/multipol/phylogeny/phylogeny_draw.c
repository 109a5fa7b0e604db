/* Trees as Newick, and as SVG. */
#include "phylogeny.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows, where it is. */
typedef struct text {
    FILE *to;
    char *bytes;
    size_t size;
} text;

static void text_open(text *t) {
    t->to = open_memstream(&t->bytes, &t->size);
    if (t->to == NULL) bench_fail("no memory for a tree");
}

static char *text_close(text *t) {
    if (fclose(t->to) != 0) bench_fail("no memory for a tree");
    return t->bytes;
}

/* ---- Newick ---- */

static void write_label(FILE *to, const char *name) {
    (void)fputc('\'', to);
    for (; *name != '\0'; name++) {
        if (*name == '\'') (void)fputc('\'', to);
        (void)fputc(*name, to);
    }
    (void)fputc('\'', to);
}

static void write_node(FILE *to, const tree *t, const taxa *of, uint32_t node) {
    char before = '(';
    if (t->species[node] >= 0) {
        write_label(to, of->names[t->species[node]]);
        return;
    }
    for (uint32_t i = node + 1; i < t->count; i++) {
        if (t->parent[i] != node) continue;
        (void)fputc(before, to);
        write_node(to, t, of, i);
        before = ',';
    }
    (void)fputc(')', to);
}

char *tree_newick(const tree *t, const taxa *of) {
    text made;
    text_open(&made);
    write_node(made.to, t, of, 0);
    fputs(";\n", made.to);
    return text_close(&made);
}

/* ---- SVG ---- */

enum { ROW = 22, STEP = 36, MARGIN = 24, LABEL = 120, TITLE = 24 };

typedef struct place {
    double x, y;
} place;

/* A leaf is in a row of its own, and an inner node is amid its children. Nodes are visited from
 * their leaves, in the order of rows. */
static double place_below(const tree *t, uint32_t node, uint32_t depth, uint32_t *row,
                          place *places) {
    double low = -1, high = 0;
    places[node].x = MARGIN + STEP * (double)depth;
    if (t->species[node] >= 0) return places[node].y = TITLE + MARGIN + ROW * (double)(*row)++;
    for (uint32_t i = node + 1; i < t->count; i++) {
        if (t->parent[i] != node) continue;
        high = place_below(t, i, depth + 1, row, places);
        if (low < 0) low = high;
    }
    return places[node].y = (low + high) / 2;
}

static void write_escaped(FILE *to, const char *name) {
    for (; *name != '\0'; name++)
        if (*name == '<') fputs("&lt;", to);
        else if (*name == '&') fputs("&amp;", to);
        else (void)fputc(*name, to);
}

/* Leaves are aligned on the right. */
static void draw_edge(FILE *to, const tree *t, uint32_t i, const place *places, double right) {
    const place *up = &places[t->parent[i]];
    fprintf(to, "<path d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", up->x, up->y, places[i].y,
            t->species[i] >= 0 ? right : places[i].x);
}

static void draw_text(FILE *to, double x, double y, const char *words) {
    fprintf(to, "<text x=\"%.1f\" y=\"%.1f\">", x, y);
    write_escaped(to, words);
    fputs("</text>\n", to);
}

char *tree_svg(const tree *t, const taxa *of, const char *title) {
    place places[NODES_MAX];
    text made;
    uint32_t row = 0;
    double right = 0;
    text_open(&made);
    (void)place_below(t, 0, 0, &row, places);
    for (uint32_t i = 0; i < t->count; i++)
        if (places[i].x > right) right = places[i].x;
    fprintf(made.to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            right + LABEL, TITLE + 2 * MARGIN + ROW * (int)(row - 1));
    draw_text(made.to, MARGIN, TITLE, title);
    fputs("<g stroke=\"black\" stroke-width=\"1.5\" fill=\"none\">\n", made.to);
    for (uint32_t i = 1; i < t->count; i++) draw_edge(made.to, t, i, places, right);
    fputs("</g>\n", made.to);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->species[i] >= 0)
            draw_text(made.to, right + 6, places[i].y + 4, of->names[t->species[i]]);
    fputs("</svg>\n", made.to);
    return text_close(&made);
}
