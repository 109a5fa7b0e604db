/* fluidanimate: frames of a fluid in a box, under one of several engines; and a comparison of two
 * fluids. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/numbers.h"
#include "compare.h"
#include "file.h"
#include "simulation.h"
#include "svg.h"

#define EXIT_BAD_INPUT 2

enum {
    KEY_OUT = 256,
    KEY_SVG,
    KEY_COMPARE,
    KEY_TOLERANCE,
    KEY_BLOCKS_X,
    KEY_BLOCKS_Z,
    KEY_ALGORITHM,
    KEY_LOCK
};

static const char *const algorithm_names[] = {"staged", "progressive", NULL};

static const struct argp_option option_list[] = {
    {"engine", 'e', "NAME", 0, "Who runs it (default svs); a name that is none lists them", 1},
    {"threads", 't', "N", 0, "Workers, this thread included (default 2; the serial engine has 1)",
     1},
    {"frames", 'n', "N", 0, "Frames (default 5)", 2},
    {"out", KEY_OUT, "FILE", 0, "Write the particles after the last frame (.fluid)", 2},
    {"svg", KEY_SVG, "FILE", 0, "Draw the last frame", 2},
    {"blocks-x", KEY_BLOCKS_X, "N", 0, "Cut the box into N blocks along x (default 1)", 3},
    {"blocks-z", KEY_BLOCKS_Z, "N", 0, "... and along z (default: the engine's choice)", 3},
    {"algorithm", KEY_ALGORITHM, "NAME", 0, "svs: staged (default) or progressive", 3},
    {"lock", KEY_LOCK, "NAME", 0,
     "Engines that lock: pthread, spin, striped, rw, or native, the lock of the library that runs "
     "the loops (default: the engine's fastest)",
     3},
    {"compare", KEY_COMPARE, NULL, 0,
     "Compare two files: exit status 0 when each particle of the one is in the other", 4},
    {"tolerance", KEY_TOLERANCE, "T", 0,
     "... with places and velocities that differ by at most T (default 1e-5)", 4},
    {0},
};

typedef struct arguments {
    simulation_options options;
    const char *paths[2];
    int path_count;
    const char *out, *svg;
    bool compare;
    double tolerance;
} arguments;

static error_t parse_argument(arguments *all, char *path, const struct argp_state *state) {
    if (all->path_count == 2) argp_error(state, "one file too many: '%.200s'", path);
    all->paths[all->path_count++] = path;
    return 0;
}

static error_t parse_end(arguments *all, const struct argp_state *state) {
    simulation_options *o = &all->options;
    o->lock = option_engine_lock(state, o->engine, o->lock);
    if (o->engine->methods == &engine_serial) o->threads = 1;
    if (all->compare && all->path_count != 2) argp_error(state, "--compare takes two files");
    if (!all->compare && all->path_count != 1) argp_error(state, "expected one FILE, a fluid");
    return 0;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *all = state->input;
    simulation_options *o = &all->options;
    switch (key) {
    case 'e': o->engine = option_engine(state, text); break;
    case 't': o->threads = (uint32_t)option_unsigned(state, "threads", text, 1, 1024); break;
    case 'n': o->frames = (uint32_t)option_unsigned(state, "frames", text, 0, 1000000); break;
    case KEY_OUT: all->out = text; break;
    case KEY_SVG: all->svg = text; break;
    case KEY_BLOCKS_X:
        o->blocks_x = (uint32_t)option_unsigned(state, "blocks-x", text, 1, 1024);
        break;
    case KEY_BLOCKS_Z:
        o->blocks_z = (uint32_t)option_unsigned(state, "blocks-z", text, 1, 1024);
        break;
    case KEY_ALGORITHM:
        o->progressive = option_choice(state, "algorithm", text, algorithm_names) == 1;
        break;
    case KEY_LOCK: o->lock = (lock_form)option_choice(state, "lock", text, lock_form_names); break;
    case KEY_COMPARE: all->compare = true; break;
    case KEY_TOLERANCE: all->tolerance = option_double(state, "tolerance", text, 0, 1e3); break;
    case ARGP_KEY_ARG: return parse_argument(all, text, state);
    case ARGP_KEY_END: return parse_end(all, state);
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

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
    static const struct argp argp = {option_list,
                                     parse,
                                     "FILE\n--compare FILE FILE",
                                     "Moves the particles of FILE (.fluid or .fluid.xz) by some "
                                     "frames, or compares two such files.",
                                     NULL,
                                     NULL,
                                     NULL};
    arguments all = {
        .options = {.engine = engine_named("svs"), .lock = LOCKS_BEST, .threads = 2, .frames = 5},
        .tolerance = 1e-5};
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, count, values, 0, NULL, &all);
    return all.compare ? compare_files(&all) : run_file(&all);
}
