/* The cost and the gain of the steal tree: the Steal Tree paper's figures 4, 5 and 10, on the
 * suite's programs and a skewed kernel.
 *
 *     bench_stealtree [--quick | --paper] [--figure 4] [--program fib] [--policy work-first]
 *                     [--runs 15] [--threads 2] [--storage-runs 2] [--workers 1,2,4,...,120]
 *                     [--keepers 8] [--iterations 10] [--leaves N] [--leaf 10000]
 *                     [--instructions]
 *
 * Figure 4: ratio of times with tracing and without. Figure 5: KB of trace for each worker. Figure
 * 10: retentive stealing. Without --figure: all three. With --instructions, callgrind also counts
 * the instructions that tracing adds to a spawn. */
#include "stealtree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const figure_names[] = {"4", "5", "10", NULL};

typedef struct parsing {
    stealtree_settings settings;
    int figure; /* an index; -1: all */
    bool instructions;
    const char *count;
} parsing;

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    parsing *s = member;
    (void)state, (void)row, (void)text;
    s->settings.scale = STEALTREE_QUICK;
    s->settings.runs = 5;
    s->settings.storage_runs = 1;
    s->settings.workers = bench_list_of(3, (uint64_t[]){1, 8, 32});
    s->settings.leaf_ns = 2000;
}

static void take_paper(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    (void)state, (void)row, (void)text;
    ((parsing *)member)->settings.scale = STEALTREE_PAPER;
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "Smaller problems, 5 pairs of runs, fewer workers", 1,
     OPTION_OWN(take_quick)},
    {"paper", 0, NULL, "Problems as in table 1: minutes for each figure", 1,
     OPTION_OWN(take_paper)},
    {"figure", 'f', "N", "Only this figure: 4, 5 or 10", 1,
     OPTION_CHOICE(parsing, figure, figure_names)},
    {"program", 0, "NAME", "Only this program in figures 4 and 5", 1,
     OPTION_CHOICE(parsing, settings.program, stealtree_program_names)},
    {"policy", 0, "NAME", "Only help-first, or only work-first", 1,
     OPTION_CHOICE(parsing, settings.policy, stealtree_policies)},
    {"instructions", 0, NULL, "Also count instructions, by callgrind", 1,
     OPTION_FLAG(parsing, instructions)},
    {"runs", 'r', "N", "Figure 4: runs with tracing, and as many without (15)", 2,
     OPTION_NUMBER(parsing, settings.runs, 2, STEALTREE_RUNS_MAX)},
    {"threads", 't', "N", "Figure 4: workers (one for each CPU)", 2,
     OPTION_NUMBER(parsing, settings.threads, 1, SVS_THREADS_MAX)},
    {"workers", 'w', "LIST", "Figure 5: workers (1,2,4,8,16,32,64,120)", 3,
     BENCH_OPTION_LIST(parsing, settings.workers, 1, SVS_THREADS_MAX)},
    {"storage-runs", 0, "N", "Figures 5 and 10: runs of each, and sequences of iterations (2)", 3,
     OPTION_NUMBER(parsing, settings.storage_runs, 1, 64)},
    {"keepers", 0, "N", "Figure 10: workers (8)", 4,
     OPTION_NUMBER(parsing, settings.keepers, 1, SVS_THREADS_MAX)},
    {"iterations", 0, "N", "Figure 10: iterations (10)", 4,
     OPTION_NUMBER(parsing, settings.iterations, 1, 1000)},
    {"leaves", 0, "N", "Figure 10: leaves of the skewed kernel (16384)", 4,
     OPTION_NUMBER(parsing, settings.leaves, 1, 1 << 24)},
    {"leaf", 0, "NS", "Figure 10: what a leaf of it takes in the mean (10000)", 4,
     OPTION_NUMBER(parsing, settings.leaf_ns, 1, 100000000)},
    {"count", 0, "WHAT", NULL, 5, OPTION_TEXT(parsing, count)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "Figures 4, 5 and 10 of the Steal Tree paper."};
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
    options_read(&program, argc, argv, &p);
    if (p.count) return stealtree_instructions_run(p.count) ? EXIT_SUCCESS : EXIT_FAILURE;
    if (p.instructions) stealtree_instructions();
    for (int i = 0; i < 3; i++)
        if (p.figure < 0 || p.figure == i) figures[i](&p.settings);
    bench_rows_print();
    return EXIT_SUCCESS;
}
