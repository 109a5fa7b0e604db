#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "box.h"

#define SCALE 5000.0f /* units of the picture in a metre */
#define MARGIN 20.0f
#define LEGEND 60.0f
#define SHADES 12

static float speed(const fluid *f, uint32_t i) {
    vec3 v = f->now.v[i];
    return sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
}

static float highest_speed(const fluid *f) {
    float most = 0;
    for (uint32_t i = 0; i < f->count; i++) most = fmaxf(most, speed(f, i));
    return most > 0 ? most : 1;
}

/* From a deep blue, at rest, to a pale one. */
static void print_colour(FILE *out, int shade) {
    fprintf(out, "hsl(%d %d%% %d%%)", 225 - shade * 45 / (SHADES - 1), 80,
            26 + shade * 54 / SHADES);
}

/* Speeds vary by orders of magnitude: the root spreads the slow ones. */
static int shade_of(float at, float most) {
    int shade = (int)(sqrtf(at / most) * SHADES);
    return shade < SHADES ? shade : SHADES - 1;
}

/* One path for all particles of a shade, a dot each. A circle for each particle would take ten
 * times the bytes. */
static void draw_shade(FILE *out, const fluid *f, int shade, float most) {
    fprintf(out, "<path stroke=\"");
    print_colour(out, shade);
    fprintf(out, "\" d=\"");
    for (uint32_t i = 0; i < f->count; i++) {
        if (shade_of(speed(f, i), most) != shade) continue;
        fprintf(out, "M%.1f %.1fh0", (double)((f->now.p[i].x - box_min.x) * SCALE + MARGIN),
                (double)((box_max.y - f->now.p[i].y) * SCALE + MARGIN));
    }
    fprintf(out, "\"/>\n");
}

static void draw_legend(FILE *out, const fluid *f, float most, float top) {
    fprintf(out,
            "<text x=\"%g\" y=\"%g\" font-family=\"sans-serif\" font-size=\"16\">%" PRIu32
            " particles, by speed: 0</text>\n",
            (double)MARGIN, (double)top, f->count);
    for (int shade = 0; shade < SHADES; shade++) {
        fprintf(out, "<rect x=\"%g\" y=\"%g\" width=\"16\" height=\"14\" fill=\"",
                (double)MARGIN + 250.0 + 16 * shade, (double)top - 13);
        print_colour(out, shade);
        fprintf(out, "\"/>\n");
    }
    fprintf(out,
            "<text x=\"%g\" y=\"%g\" font-family=\"sans-serif\" font-size=\"16\">%.3g m/s</text>\n",
            (double)MARGIN + 256.0 + 16 * SHADES, (double)top, (double)most);
}

bool svg_write(const fluid *f, const char *file) {
    float width = (box_max.x - box_min.x) * SCALE, height = (box_max.y - box_min.y) * SCALE;
    float most = highest_speed(f);
    FILE *out = fopen(file, "we");
    if (!out) return false;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
            "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"#444\"/>\n"
            "<g stroke-linecap=\"round\" stroke-width=\"%.2f\" fill=\"none\">\n",
            (double)(width + 2 * MARGIN), (double)(height + MARGIN + LEGEND), (double)MARGIN,
            (double)MARGIN, (double)width, (double)height, (double)(0.7f * SCALE / f->rest));
    for (int shade = 0; shade < SHADES; shade++) draw_shade(out, f, shade, most);
    fprintf(out, "</g>\n");
    draw_legend(out, f, most, height + MARGIN + LEGEND / 2 + 8);
    fprintf(out, "</svg>\n");
    bool good = !ferror(out);
    return fclose(out) == 0 && good;
}
