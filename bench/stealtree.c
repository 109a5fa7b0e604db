/* The cost and the gain of the steal tree: the Steal Tree paper's figures 4, 5 and 10, on the
 * suite's programs and a skewed kernel.
 *
 *     bench_stealtree [--quick | --paper] [--figure 4] [--program fib] [--policy work-first]
 *                     [--runs 15] [--threads 2] [--storage-runs 2] [--workers 1,2,4,...,120]
 *                     [--keepers 8] [--iterations 10] [--leaves N] [--leaf 10000]
 *                     [--instructions]
 *
 * Figure 4: ratio of times with tracing and without. Figure 5: KB of trace for each worker. Figure
 * 10: retentive stealing. Without --figure: all three. With --instructions, callgrind counts what
 * tracing adds to a spawn, too. */
#include "stealtree.h"

#include "common/numbers.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_PAPER = 256,
    KEY_PROGRAM,
    KEY_POLICY,
    KEY_STORAGE_RUNS,
    KEY_KEEPERS,
    KEY_ITERATIONS,
    KEY_LEAVES,
    KEY_LEAF,
    KEY_INSTRUCTIONS,
    KEY_COUNT
};

static const char *const figure_names[] = {"4", "5", "10", NULL};

typedef struct parsing {
    stealtree_settings settings;
    int figure; /* an index; -1: all */
    bool instructions;
    const char *count;
} parsing;

static error_t parse(int key, char *text, struct argp_state *state) {
    parsing *p = state->input;
    stealtree_settings *s = &p->settings;
    switch (key) {
    case 'q':
        s->scale = STEALTREE_QUICK;
        s->runs = 5;
        s->storage_runs = 1;
        s->workers = bench_list_of(3, (uint64_t[]){1, 8, 32});
        s->leaf_ns = 2000;
        return 0;
    case KEY_PAPER: s->scale = STEALTREE_PAPER; return 0;
    case 'f': p->figure = option_choice(state, "figure", text, figure_names); return 0;
    case KEY_PROGRAM:
        s->program = option_choice(state, "program", text, stealtree_program_names);
        return 0;
    case KEY_POLICY: s->policy = option_choice(state, "policy", text, stealtree_policies); return 0;
    case 'r': s->runs = option_unsigned(state, "runs", text, 2, STEALTREE_RUNS_MAX); return 0;
    case 't': s->threads = option_unsigned(state, "threads", text, 1, SVS_THREADS_MAX); return 0;
    case KEY_STORAGE_RUNS:
        s->storage_runs = option_unsigned(state, "storage-runs", text, 1, 64);
        return 0;
    case 'w': s->workers = bench_option_list(state, "workers", text, 1, SVS_THREADS_MAX); return 0;
    case KEY_KEEPERS:
        s->keepers = option_unsigned(state, "keepers", text, 1, SVS_THREADS_MAX);
        return 0;
    case KEY_ITERATIONS:
        s->iterations = option_unsigned(state, "iterations", text, 1, 1000);
        return 0;
    case KEY_LEAVES: s->leaves = option_unsigned(state, "leaves", text, 1, 1 << 24); return 0;
    case KEY_LEAF: s->leaf_ns = option_unsigned(state, "leaf", text, 1, 100000000); return 0;
    case KEY_INSTRUCTIONS: p->instructions = true; return 0;
    case KEY_COUNT: p->count = text; return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", text); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"quick", 'q', NULL, 0, "Smaller problems, 5 pairs of runs, fewer workers", 1},
    {"paper", KEY_PAPER, NULL, 0, "Problems as in table 1: minutes for each figure", 1},
    {"figure", 'f', "N", 0, "Only this figure: 4, 5 or 10", 1},
    {"program", KEY_PROGRAM, "NAME", 0, "Only this program in figures 4 and 5", 1},
    {"policy", KEY_POLICY, "NAME", 0, "Only help-first, or only work-first", 1},
    {"instructions", KEY_INSTRUCTIONS, NULL, 0, "Also count instructions, by callgrind", 1},
    {"runs", 'r', "N", 0, "Figure 4: runs with tracing, and as many without (15)", 2},
    {"threads", 't', "N", 0, "Figure 4: workers (one for each CPU)", 2},
    {"workers", 'w', "LIST", 0, "Figure 5: workers (1,2,4,8,16,32,64,120)", 3},
    {"storage-runs", KEY_STORAGE_RUNS, "N", 0,
     "Figures 5 and 10: runs of each, and sequences of iterations (2)", 3},
    {"keepers", KEY_KEEPERS, "N", 0, "Figure 10: workers (8)", 4},
    {"iterations", KEY_ITERATIONS, "N", 0, "Figure 10: iterations (10)", 4},
    {"leaves", KEY_LEAVES, "N", 0, "Figure 10: leaves of the skewed kernel (16384)", 4},
    {"leaf", KEY_LEAF, "NS", 0, "Figure 10: what a leaf of it takes in the mean (10000)", 4},
    {"count", KEY_COUNT, "WHAT", OPTION_HIDDEN, NULL, 5},
    {0}};

int main(int argc, char **argv) {
    static const struct argp argp = {
        options, parse, NULL, "Figures 4, 5 and 10 of the Steal Tree paper.", NULL, NULL, NULL};
    static void (*const figures[])(const stealtree_settings *) = {
        stealtree_figure_4, stealtree_figure_5, stealtree_figure_10};
    parsing p = {.settings = {.scale = STEALTREE_USUAL,
                              .policy = -1,
                              .program = -1,
                              .runs = 15,
                              .threads = bench_cpus(),
                              .storage_runs = 2,
                              .keepers = 8,
                              .iterations = 10,
                              .leaf_ns = 10000},
                 .figure = -1};
    p.settings.workers = bench_list_of(8, (uint64_t[]){1, 2, 4, 8, 16, 32, 64, 120});
    argp_parse(&argp, argc, argv, 0, NULL, &p);
    if (p.count) return stealtree_instructions_run(p.count) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (p.instructions) stealtree_instructions();
    for (int i = 0; i < 3; i++)
        if (p.figure < 0 || p.figure == i) figures[i](&p.settings);
    bench_rows_print();
    return EXIT_SUCCESS;
}
