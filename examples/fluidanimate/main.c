/* fluidanimate: frames of a fluid in a box, under one of several engines; and a comparison of two
 * fluids. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare.h"
#include "file.h"
#include "options.h"
#include "svg.h"

static int complain(int status, const char *text) {
    fprintf(stderr, "fluidanimate: %s\n", text);
    return status;
}

/* ---- two files ---- */

static int print_comparison(const arguments *all, const fluid *a, const fluid *b) {
    comparison found;
    if (a->rest != b->rest || a->count != b->count) {
        printf("equal=no particles=%" PRIu32 ",%" PRIu32 " rest=%g,%g\n", a->count, b->count,
               (double)a->rest, (double)b->rest);
        return EXIT_FAILURE;
    }
    const char *wrong = compare_fluids(a, b, (float)all->tolerance, &found);
    if (wrong) return complain(EXIT_FAILURE, wrong);
    printf("equal=%s identical=%s particles=%" PRIu32 " unmatched=%" PRIu32
           " place=%.3g velocity=%.3g tolerance=%g\n",
           found.unmatched ? "no" : "yes", found.identical ? "yes" : "no", a->count,
           found.unmatched, (double)found.place, (double)found.velocity, all->tolerance);
    return found.unmatched ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int compare_files(const arguments *all) {
    char error[FLUID_FILE_ERROR];
    fluid a, b = {0};
    int status;
    if (!fluid_read(&a, all->paths[0], error) || !fluid_read(&b, all->paths[1], error))
        status = complain(EXIT_BAD_INPUT, error);
    else status = print_comparison(all, &a, &b);
    fluid_clean_up(&a);
    fluid_clean_up(&b);
    return status;
}

/* ---- frames ---- */

static void print_line(const simulation *sim, const simulation_result *result) {
    const simulation_options *o = &sim->options;
    const fluid *f = sim->what;
    printf("engine=%s threads=%" PRIu32 " frames=%" PRIu32 " particles=%" PRIu32
           " seconds=%.6f prepare_seconds=%.6f frame_ms=%.3f frame_p99_ms=%.3f frame_ms_max=%.3f"
           " cpu_seconds=%.6f cells=%" PRIu32 " blocks=%" PRIu32 "x%" PRIu32 "%s\n",
           o->engine->name, o->threads, o->frames, f->count, result->seconds,
           result->prepare_seconds, result->frame_ms, result->frame_ms_p99, result->frame_ms_max,
           result->cpu_seconds, f->cells, f->blocks_x, f->blocks_z, result->details);
}

static int write_files(const arguments *all, const fluid *f) {
    char error[FLUID_FILE_ERROR];
    if (all->out && !fluid_write(f, all->out, error)) return complain(EXIT_FAILURE, error);
    if (all->svg && !svg_write(f, all->svg)) return complain(EXIT_FAILURE, "cannot draw the frame");
    return EXIT_SUCCESS;
}

static int run_file(const arguments *all) {
    char error[FLUID_FILE_ERROR];
    fluid f;
    simulation sim = {.options = all->options, .what = &f};
    simulation_result result;
    int status = EXIT_SUCCESS;
    const char *wrong = NULL;
    if (!fluid_read(&f, all->paths[0], error)) status = complain(EXIT_BAD_INPUT, error);
    else if ((wrong = simulation_run(&sim, &result))) status = complain(EXIT_FAILURE, wrong);
    else if (!(status = write_files(all, &f))) print_line(&sim, &result);
    fluid_clean_up(&f);
    return status;
}

int main(int count, char **values) {
    arguments all;
    options_parse(&all, count, values);
    return all.compare ? compare_files(&all) : run_file(&all);
}
