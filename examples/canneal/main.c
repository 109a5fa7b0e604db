/* canneal: places the elements of a netlist by simulated annealing, under one of several
 * engines. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "annealing.h"
#include "common/numbers.h"

#define EXIT_BAD_INPUT 2

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
    {"engine", 'e', "NAME", 0, "Who swaps (default svs); a name that is none lists them", 1},
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
     "Swaps handed out at once, or made by an instance, 1 to 1024 (default: the engine's best)", 3},
    {"check", KEY_CHECK, NULL, 0,
     "Fail unless each location is used once and, where nothing can be seen moving, the costs "
     "agree",
     4},
    {0},
};

typedef struct arguments {
    annealing_options options;
    const char *path;
    bool check;
} arguments;

static int64_t steps_of(const struct argp_state *state, const char *text) {
    if (text[0] == '-' && text[1] == '1' && !text[2]) return -1;
    return (int64_t)option_unsigned(state, "steps", text, 0, 1000000);
}

static error_t parse_argument(struct arguments *all, char *path, const struct argp_state *state) {
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

/* Swaps that run one after the other, and exact ones, see each cost as it is: then what they saw
 * adds up. */
static bool costs_agree(const arguments *all, const annealing_result *result) {
    const annealing_options *o = &all->options;
    return (o->threads > 1 && !o->exact) || result->cost == result->cost_kept;
}

static int check(const arguments *all, const annealing *anneal, const annealing_result *result) {
    const char *wrong = placement_check(&anneal->place);
    if (wrong) {
        fprintf(stderr, "canneal: check failed: %s\n", wrong);
        return EXIT_FAILURE;
    }
    if (!costs_agree(all, result)) {
        fprintf(stderr,
                "canneal: check failed: cost %" PRId64 ", but the swaps add up to %" PRId64 "\n",
                result->cost, result->cost_kept);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

static void print_line(const arguments *all, const netlist *nets, const annealing_result *result) {
    const annealing_options *o = &all->options;
    printf("engine=%s threads=%" PRIu32 " seconds=%.6f cost=%" PRId64 " accepted_good=%" PRIu64
           " accepted_bad=%" PRIu64 " elements=%" PRIu32 " locations=%" PRIu32 " wires=%" PRIu32
           " steps=%" PRId64 " swaps=%" PRIu32 " seed=%" PRIu64 " cost_before=%" PRId64
           " cost_kept=%" PRId64 " cpu_seconds=%.6f prepare_seconds=%.6f%s%s\n",
           o->engine->name, o->threads, result->seconds, result->cost, result->good, result->bad,
           nets->elements, nets->locations, nets->wires, result->steps, o->swaps, o->seed,
           result->cost_before, result->cost_kept, result->cpu_seconds, result->prepare_seconds,
           result->details, all->check ? " check=ok" : "");
}

static int anneal_and_print(const arguments *all, const netlist *nets) {
    annealing anneal = {.options = all->options};
    annealing_result result;
    if (!placement_init(&anneal.place, nets)) {
        fprintf(stderr, "canneal: out of memory\n");
        return EXIT_FAILURE;
    }
    int status = EXIT_SUCCESS;
    const char *wrong = annealing_run(&anneal, &result);
    if (wrong) {
        fprintf(stderr, "canneal: %s\n", wrong);
        status = EXIT_FAILURE;
    }
    if (!status && all->check) status = check(all, &anneal, &result);
    if (!status) print_line(all, nets, &result);
    placement_clean_up(&anneal.place);
    return status;
}

int main(int count, char **values) {
    static const struct argp argp = {option_list,
                                     parse,
                                     "FILE",
                                     "Places the elements of FILE (.nets or .nets.xz) by simulated "
                                     "annealing, and prints the cost.",
                                     NULL,
                                     NULL,
                                     NULL};
    arguments all = {.options = {.engine = engine_named("svs"),
                                 .lock = LOCKS_BEST,
                                 .threads = 2,
                                 .swaps = 10000,
                                 .temperature = 2000,
                                 .steps = 32,
                                 .seed = 1,
                                 .progressive = true,
                                 .cell_bits = -1}};
    netlist nets;
    char error[NETLIST_ERROR];
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, count, values, 0, NULL, &all);
    if (!netlist_read(&nets, all.path, error)) {
        fprintf(stderr, "canneal: %s\n", error);
        return EXIT_BAD_INPUT;
    }
    int status = anneal_and_print(&all, &nets);
    netlist_clean_up(&nets);
    return status;
}
