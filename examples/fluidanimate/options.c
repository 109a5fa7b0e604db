#include "options.h"

#include <argp.h>

#include "common/numbers.h"

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
    {"engine", 'e', "NAME", 0, "Engine that runs it (default svs); an unknown name lists them", 1},
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

static error_t parse_argument(arguments *all, char *path, const struct argp_state *state) {
    if (all->path_count < 2) all->paths[all->path_count++] = path;
    else argp_error(state, "one file too many: '%.200s'", path);
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

void options_parse(arguments *into, int count, char **values) {
    static const struct argp argp = {option_list,
                                     parse,
                                     "FILE\n--compare FILE FILE",
                                     "Moves the particles of FILE (.fluid or .fluid.xz) by some "
                                     "frames, or compares two such files.",
                                     NULL,
                                     NULL,
                                     NULL};
    *into = (arguments){
        .options = {.engine = engine_named("svs"), .lock = LOCKS_BEST, .threads = 2, .frames = 5},
        .tolerance = 1e-5};
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, count, values, 0, NULL, into);
}
