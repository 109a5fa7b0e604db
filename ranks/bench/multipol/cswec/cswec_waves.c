/* Waveforms: text, VCD, and a drawing in which each input and output of the circuit has a strip. */
#include "cswec.h"
#include <inttypes.h>
#include <stdlib.h>

static const char *name_of(const void *of, uint32_t signal) {
    return ((const network *)of)->names[signal];
}

static void write_text(FILE *file, const waves *all, const network *of) {
    for (size_t i = 0; i < all->count; i++)
        fprintf(file, "%.3f %s %.6f\n", (double)all->of[i].time / CSWEC_TICKS,
                of->names[all->of[i].signal], all->of[i].value * 1e-6);
}

static void write_vcd(FILE *file, const waves *all, const network *of) {
    int64_t time = -1;
    vcd_head(file, "1fs", "real 64", of, of->count, name_of);
    for (size_t i = 0; i < all->count; i++) {
        if (all->of[i].time != time) fprintf(file, "#%" PRId64 "\n", all->of[i].time);
        time = all->of[i].time;
        fprintf(file, "r%.6f s%u\n", all->of[i].value * 1e-6, all->of[i].signal);
    }
}

/* ---- the drawing ---- */

enum { LEFT = 110, WIDTH = 860, STRIP = 44, HIGH = 30, STRIPS_MOST = 24 };

typedef struct drawing {
    FILE *file;
    const waves *all;
    const network *of;
    double scale; /* pixels of a tick */
    int64_t end;
} drawing;

static void draw_strip(const drawing *me, uint32_t strip, uint32_t signal) {
    unsigned bottom = strip * STRIP + 40;
    bool begun = false;
    fprintf(me->file, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
            bottom - 10, me->of->names[signal]);
    fprintf(me->file, "<path class=\"rail\" d=\"M%d,%u h%d M%d,%u h%d\"/>\n<path d=\"", LEFT,
            bottom, WIDTH, LEFT, bottom - HIGH, WIDTH);
    for (size_t i = 0; i < me->all->count; i++) {
        const change *one = &me->all->of[i];
        if (one->signal != signal) continue;
        fprintf(me->file, "%s%.1f,%.1f ", begun ? "L" : "M", LEFT + (double)one->time * me->scale,
                bottom - HIGH * (one->value * 1e-6));
        begun = true;
    }
    fprintf(me->file, "%s%d\"/>\n", begun ? "H" : "M0,0 h", begun ? LEFT + WIDTH : 0);
}

static void draw_axis(const drawing *me, uint32_t strips) {
    unsigned bottom = strips * STRIP + 24;
    int64_t ns = me->end / (1000 * CSWEC_TICKS), every = ns / 10 + 1;
    for (int64_t at = 0; at <= ns; at += every)
        fprintf(me->file,
                "<path class=\"rail\" d=\"M%.1f,8 V%u\"/>\n<text x=\"%.1f\" y=\"%u\" "
                "text-anchor=\"middle\">%" PRId64 " ns</text>\n",
                LEFT + (double)(at * 1000 * CSWEC_TICKS) * me->scale, bottom,
                LEFT + (double)(at * 1000 * CSWEC_TICKS) * me->scale, bottom + 16, at);
}

static void write_svg(FILE *file, const waves *all, const network *of) {
    drawing me = {.file = file, .all = all, .of = of, .end = 1};
    uint32_t strips = of->input_count + of->output_count, drawn = 0;
    if (strips > STRIPS_MOST) strips = STRIPS_MOST;
    if (all->count != 0) me.end = all->of[all->count - 1].time + of->period / 8;
    me.scale = (double)WIDTH / (double)me.end;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<style>path{fill:none;stroke:#246;"
            "stroke-width:1.4} .rail{stroke:#ddd;stroke-width:1}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            LEFT + WIDTH + 30, strips * STRIP + 50);
    draw_axis(&me, strips);
    for (uint32_t i = 0; i < of->input_count && drawn < strips; i++) draw_strip(&me, drawn++, i);
    for (uint32_t i = 0; i < of->output_count && drawn < strips; i++)
        draw_strip(&me, drawn++, of->outputs[i]);
    fprintf(file, "</svg>\n");
}

int cswec_waves_write(waves *all, const network *of, const char *path, wave_form form) {
    FILE *file = fopen(path, "w");
    if (file == NULL) return 1;
    waves_sort(all);
    if (form == WAVE_TEXT) write_text(file, all, of);
    else if (form == WAVE_VCD) write_vcd(file, all, of);
    else write_svg(file, all, of);
    return waves_close(all, file);
}
