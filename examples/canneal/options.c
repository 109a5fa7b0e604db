#include "options.h"

#include <argp.h>

#include "common/numbers.h"

enum {
    KEY_SEED = 256,
    KEY_EXACT,
    KEY_ALGORITHM,
    KEY_SIGNATURE,
    KEY_CELLS,
    KEY_LOCK,
    KEY_CHUNK,
    KEY_CHECK
};

static const char *const algorithm_names[] = {"staged", "progressive", NULL};

static const struct argp_option option_list[] = {
    {"engine", 'e', "NAME", 0, "Engine that swaps (default svs); an unknown name lists them", 1},
    {"threads", 't', "N", 0, "Workers, this thread included (default 2; the serial engine has 1)",
     1},
    {"swaps", 'n', "N", 0, "Swaps judged in a temperature step (default 10000)", 2},
    {"temperature", 'T', "T", 0, "Temperature before the first step (default 2000)", 2},
    {"steps", 's', "N", 0,
     "Temperature steps; -1: until one makes no more good swaps than bad ones (default 32)", 2},
    {"seed", KEY_SEED, "S", 0, "Of the random numbers (default 1)", 2},
    {"exact", KEY_EXACT, NULL, 0, "svs: declare the neighbours of swapped elements as read", 3},
    {"algorithm", KEY_ALGORITHM, "NAME", 0, "svs: progressive (default: few swaps meet) or staged",
     3},
    {"signature", KEY_SIGNATURE, "BITS", 0, "svs: bits of a signature, 64 to 4096", 3},
    {"cells", KEY_CELLS, "BITS", 0, "svs: compare known sets in 2^BITS cells; 0: on signatures", 3},
    {"lock", KEY_LOCK, "NAME", 0,
     "Engines that lock: pthread, spin, striped, rw, or native, the lock of the library that runs "
     "the loops (default: the engine's fastest)",
     3},
    {"chunk", KEY_CHUNK, "N", 0,
     "Swaps per chunk or instance, 1 to 1024 (default: the engine's best)", 3},
    {"check", KEY_CHECK, NULL, 0,
     "Fail unless each location is used once and, where nothing can be seen moving, the costs "
     "agree",
     4},
    {0},
};

static int64_t steps_of(const struct argp_state *state, const char *text) {
    if (text[0] == '-' && text[1] == '1' && !text[2]) return -1;
    return (int64_t)option_unsigned(state, "steps", text, 0, 1000000);
}

static error_t parse_argument(arguments *all, char *path, const struct argp_state *state) {
    if (all->path)
        argp_error(state, "expected one FILE, found '%.200s' and '%.200s'", all->path, path);
    all->path = path;
    return 0;
}

static void parse_end(annealing_options *o, const struct argp_state *state) {
    o->lock = option_engine_lock(state, o->engine, o->lock);
    if (o->engine->methods == &engine_serial) o->threads = 1;
    if (o->exact && o->engine->methods != &engine_svs)
        argp_error(state, "--exact: the engine %s declares nothing", o->engine->name);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    arguments *all = state->input;
    annealing_options *o = &all->options;
    switch (key) {
    case 'e': o->engine = option_engine(state, text); break;
    case 't': o->threads = (uint32_t)option_unsigned(state, "threads", text, 1, 1024); break;
    case 'n': o->swaps = (uint32_t)option_unsigned(state, "swaps", text, 1, UINT32_MAX); break;
    case 'T': o->temperature = option_double(state, "temperature", text, 1e-9, 1e12); break;
    case 's': o->steps = steps_of(state, text); break;
    case KEY_SEED: o->seed = option_unsigned(state, "seed", text, 0, UINT64_MAX); break;
    case KEY_EXACT: o->exact = true; break;
    case KEY_ALGORITHM:
        o->progressive = option_choice(state, "algorithm", text, algorithm_names) == 1;
        break;
    case KEY_SIGNATURE:
        o->signature_bits = (uint32_t)option_unsigned(state, "signature", text, 64, 4096);
        break;
    case KEY_CELLS: o->cell_bits = (int)option_unsigned(state, "cells", text, 0, 20); break;
    case KEY_LOCK: o->lock = (lock_form)option_choice(state, "lock", text, lock_form_names); break;
    case KEY_CHUNK:
        o->chunk = (uint32_t)option_unsigned(state, "chunk", text, 1, ANNEALING_CHUNK_MAX);
        break;
    case KEY_CHECK: all->check = true; break;
    case ARGP_KEY_ARG: return parse_argument(all, text, state);
    case ARGP_KEY_END: parse_end(o, state); break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "expected FILE, a netlist"); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void options_parse(arguments *into, int count, char **values) {
    static const struct argp argp = {option_list,
                                     parse,
                                     "FILE",
                                     "Places the elements of FILE (.nets or .nets.xz) by simulated "
                                     "annealing, and prints the cost.",
                                     NULL,
                                     NULL,
                                     NULL};
    *into = (arguments){.options = {.engine = engine_named("svs"),
                                    .lock = LOCKS_BEST,
                                    .threads = 2,
                                    .swaps = 10000,
                                    .temperature = 2000,
                                    .steps = 32,
                                    .seed = 1,
                                    .progressive = true,
                                    .cell_bits = -1}};
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, count, values, 0, NULL, into);
}
