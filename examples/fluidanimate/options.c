#include "options.h"

#include <argp.h>

static const option_row rows[] = {
    {"engine", 'e', "NAME", "Engine that runs it (default svs); an unknown name lists them", 1,
     OPTION_ENGINE(arguments, options.engine)},
    {"threads", 't', "N", "Workers, this thread included (default 2; the serial engine has 1)", 1,
     OPTION_NUMBER(arguments, options.threads, 1, 1024)},
    {"frames", 'n', "N", "Frames (default 5)", 2,
     OPTION_NUMBER(arguments, options.frames, 0, 1000000)},
    {"out", 0, "FILE", "Write the particles after the last frame (.fluid)", 2,
     OPTION_TEXT(arguments, out)},
    {"svg", 0, "FILE", "Draw the last frame", 2, OPTION_TEXT(arguments, svg)},
    {"blocks-x", 0, "N", "Cut the box into N blocks along x (default 1)", 3,
     OPTION_NUMBER(arguments, options.blocks_x, 1, 1024)},
    {"blocks-z", 0, "N", "... and along z (default: the engine's choice)", 3,
     OPTION_NUMBER(arguments, options.blocks_z, 1, 1024)},
    OPTION_ALGORITHM(arguments, options.algorithm, 3),
    OPTION_LOCK(arguments, options.lock, 3),
    {"compare", 0, NULL,
     "Compare two files: exit status 0 when each particle of the one is in the other", 4,
     OPTION_FLAG(arguments, compare)},
    {"tolerance", 0, "T", "... with places and velocities that differ by at most T (default 1e-5)",
     4, OPTION_DOUBLE(arguments, tolerance, 0, 1e3)},
    OPTION_END,
};

static void take_argument(const struct argp_state *state, char *path, void *into) {
    arguments *all = into;
    if (all->path_count < 2) all->paths[all->path_count++] = path;
    else argp_error(state, "one file too many: '%.200s'", path);
}

static void check_together(const struct argp_state *state, void *into) {
    arguments *all = into;
    simulation_options *o = &all->options;
    o->lock = option_engine_lock(state, o->engine, o->lock);
    if (o->engine->methods == &engine_serial) o->threads = 1;
    if (all->compare && all->path_count != 2) argp_error(state, "--compare takes two files");
    if (!all->compare && all->path_count != 1) argp_error(state, "expected one FILE, a fluid");
}

void options_parse(arguments *into, int count, char **values) {
    static const option_program program = {rows,
                                           "FILE\n--compare FILE FILE",
                                           "Moves the particles of FILE (.fluid or .fluid.xz) by "
                                           "some frames, or compares two such files.",
                                           take_argument,
                                           check_together,
                                           EXIT_BAD_INPUT};
    *into = (arguments){
        .options = {.engine = engine_named("svs"), .lock = LOCKS_BEST, .threads = 2, .frames = 5},
        .tolerance = 1e-5};
    options_read(&program, count, values, into);
}
