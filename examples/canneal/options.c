#include "options.h"

#include <argp.h>

static void take_steps(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    annealing_options *o = &((arguments *)member)->options;
    bool until_worse = text[0] == '-' && text[1] == '1' && !text[2];
    o->steps = until_worse ? -1 : (int64_t)option_unsigned(state, row->name, text, 0, 1000000);
}

static const option_row rows[] = {
    {"engine", 'e', "NAME", "Engine that swaps (default svs); an unknown name lists them", 1,
     OPTION_ENGINE(arguments, options.engine)},
    {"threads", 't', "N", "Workers, this thread included (default 2; the serial engine has 1)", 1,
     OPTION_NUMBER(arguments, options.threads, 1, 1024)},
    {"swaps", 'n', "N", "Swaps judged in a temperature step (default 10000)", 2,
     OPTION_NUMBER(arguments, options.swaps, 1, UINT32_MAX)},
    {"temperature", 'T', "T", "Temperature before the first step (default 2000)", 2,
     OPTION_DOUBLE(arguments, options.temperature, 1e-9, 1e12)},
    {"steps", 's', "N",
     "Temperature steps; -1: until one makes no more good swaps than bad ones (default 32)", 2,
     OPTION_OWN(take_steps)},
    {"seed", 0, "S", "Of the random numbers (default 1)", 2,
     OPTION_NUMBER(arguments, options.seed, 0, UINT64_MAX)},
    {"exact", 0, NULL, "svs: declare the neighbours of swapped elements as read", 3,
     OPTION_FLAG(arguments, options.exact)},
    OPTION_ALGORITHM(arguments, options.algorithm, 3),
    {"signature", 0, "BITS", "svs: bits of a signature, 64 to 4096", 3,
     OPTION_NUMBER(arguments, options.signature_bits, 64, 4096)},
    {"cells", 0, "BITS", "svs: compare known sets in 2^BITS cells; 0: on signatures", 3,
     OPTION_NUMBER(arguments, options.cell_bits, 0, 20)},
    OPTION_LOCK(arguments, options.lock, 3),
    {"chunk", 0, "N", "Engines with loops: swaps per chunk, 1 to 1024 (default: the engine's best)",
     3, OPTION_NUMBER(arguments, options.chunk, 1, ANNEALING_CHUNK_MAX)},
    {"check", 0, NULL,
     "Fail unless each location is used once and, where nothing can be seen moving, the costs "
     "agree",
     4, OPTION_FLAG(arguments, check)},
    OPTION_END,
};

static void take_argument(const struct argp_state *state, char *path, void *into) {
    arguments *all = into;
    if (all->path)
        argp_error(state, "expected one FILE, found '%.200s' and '%.200s'", all->path, path);
    all->path = path;
}

static void check_together(const struct argp_state *state, void *into) {
    arguments *all = into;
    annealing_options *o = &all->options;
    if (!all->path) argp_error(state, "expected FILE, a netlist");
    o->lock = option_engine_lock(state, o->engine, o->lock);
    if (o->engine->methods == &engine_serial) o->threads = 1;
    if (o->exact && o->engine->methods != &engine_svs)
        argp_error(state, "--exact: the engine %s does not declare neighbours; use svs",
                   o->engine->name);
}

void options_parse(arguments *into, int count, char **values) {
    static const option_program program = {rows,
                                           "FILE",
                                           "Places the elements of FILE (.nets or .nets.xz) by "
                                           "simulated annealing, and prints the cost.",
                                           take_argument,
                                           check_together,
                                           EXIT_BAD_INPUT};
    *into = (arguments){.options = {.engine = engine_named("svs"),
                                    .lock = LOCKS_BEST,
                                    .threads = 2,
                                    .swaps = 10000,
                                    .temperature = 2000,
                                    .steps = 32,
                                    .seed = 1,
                                    .cell_bits = -1}};
    options_read(&program, count, values, into);
}
