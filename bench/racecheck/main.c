/* The cost of race checks, and their gain from the steal tree (Steal Tree figure 9).
 *
 *     bench_racecheck [--quick] [--program heat] [--policy work-first]
 *                     [--figure 9 | --slowdown] [--runs 5] [--threads 2]
 *                     [--workers 1,2,4,8,16,32] [--yield-one-in 1]
 *
 * Slowdown: each program without a check, with svs::check, and with the compilers' own checker
 * (-fsanitize=thread), by gcc and by clang; all in turn, medians. Figure 9: edges of the tree that
 * are walked to find how two steps are ordered, by each of the three ways on the same queries. */
#include "racecheck.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes for figure 9 are such that 32 workers, which yield at each spawn, take a second or so. A
 * task that has placed a queen asks about its own children alone, so that the steal tree saves only
 * where steals have parted these: there are two rows of tasks, and many of them are stolen. */
const racecheck_program racecheck_programs[] = {
    {"matmul", "loop-matmul", false, {{200}, {400}, {0}}},
    {"heat", "loop-heat", false, {{500, 10}, {1000, 30}, {0}}},
    {"allqueens", "allqueens", true, {{9, 2}, {12, 8}, {14, 2}}},
    {"cholesky", "cholesky", false, {{300, 2000}, {600, 5000}, {0}}},
    {"fft", "fft", false, {{1 << 14}, {1 << 18}, {0}}},
    {"fib", "fib", false, {{20}, {27}, {0}}},
    {"cilk-heat", "heat", true, {{512, 64, 5}, {1024, 1024, 10}, {4096, 64, 5}}},
    {"lu", "lu", true, {{128}, {512}, {512}}},
    {"cilk-matmul", "matmul", true, {{150}, {400}, {300}}},
    {"nbody", "nbody", true, {{200, 2}, {1000, 3}, {1000, 2}}},
    {"strassen", "strassen", false, {{128}, {512}, {0}}},
};

static const char *const figure_names[] = {"9", NULL};

static void take_quick(const struct argp_state *state, const option_row *row, const char *text,
                       void *member) {
    racecheck_settings *s = member;
    (void)state, (void)row, (void)text;
    s->scale = RACECHECK_QUICK;
    s->runs = 3;
    s->workers = bench_list_of(3, (uint64_t[]){1, 8, 32});
}

static void take_figure(const struct argp_state *state, const option_row *row, const char *text,
                        void *member) {
    (void)option_choice(state, row->name, text, figure_names);
    ((racecheck_settings *)member)->figure = 9;
}

static void take_slowdown(const struct argp_state *state, const option_row *row, const char *text,
                          void *member) {
    (void)state, (void)row, (void)text;
    ((racecheck_settings *)member)->figure = 0;
}

static void take_program(const struct argp_state *state, const option_row *row, const char *text,
                         void *member) {
    const char *names[RACECHECK_PROGRAMS + 1] = {NULL};
    for (int i = 0; i < RACECHECK_PROGRAMS; i++) names[i] = racecheck_programs[i].name;
    ((racecheck_settings *)member)->program = option_choice(state, row->name, text, names);
}

static const option_row rows[] = {
    {"quick", 'q', NULL, "Small problems, 3 runs, fewer workers", 1, OPTION_OWN(take_quick)},
    {"figure", 'f', "9", "Only figure 9", 1, OPTION_OWN(take_figure)},
    {"slowdown", 0, NULL, "Only what checks cost", 1, OPTION_OWN(take_slowdown)},
    {"program", 0, "NAME",
     "Only this program; in figure 9 cilk-heat and cilk-matmul are heat and matmul", 1,
     OPTION_OWN(take_program)},
    {"policy", 0, "NAME",
     "help-first or work-first: of the slowdown (help-first), and alone in figure 9 (both)", 1,
     OPTION_CHOICE(racecheck_settings, policy, racecheck_policies)},
    {"runs", 'r', "N", "Slowdown: runs of each; medians are shown (5)", 2,
     OPTION_NUMBER(racecheck_settings, runs, 1, RACECHECK_RUNS_MAX)},
    {"threads", 't', "N", "Slowdown: workers (2)", 2,
     OPTION_NUMBER(racecheck_settings, threads, 1, SVS_THREADS_MAX)},
    {"workers", 'w', "LIST", "Figure 9: workers (1,2,4,8,16,32)", 3,
     BENCH_OPTION_LIST(racecheck_settings, workers, 1, SVS_THREADS_MAX)},
    {"yield-one-in", 0, "N",
     "Figure 9: workers give their CPU away at one spawn in N (1: at each; 0: never)", 3,
     OPTION_NUMBER(racecheck_settings, yield_one_in, 0, UINT32_MAX)},
    OPTION_END,
};

/* The subjects lie beside this program. */
static void find_folder(racecheck_settings *s) {
    ssize_t length = readlink("/proc/self/exe", s->folder, sizeof s->folder - 1);
    char *end;
    if (length <= 0) bench_fail("/proc/self/exe cannot be read");
    s->folder[length] = '\0';
    end = strrchr(s->folder, '/');
    if (end) *end = '\0';
}

int main(int argc, char **argv) {
    static const option_program program = {.rows = rows,
                                           .text = "The cost of race checks, beside the compilers' "
                                                   "own, and figure 9 of the Steal Tree paper."};
    racecheck_settings s = {.figure = -1,
                            .program = -1,
                            .policy = -1,
                            .scale = RACECHECK_USUAL,
                            .runs = 5,
                            .threads = 2,
                            .yield_one_in = 1};
    bool good = true;
    s.workers = bench_list_of(6, (uint64_t[]){1, 2, 4, 8, 16, 32});
    options_read(&program, argc, argv, &s);
    find_folder(&s);
    if (s.figure != 9) good = racecheck_slowdown(&s);
    if (s.figure != 0) good = racecheck_figure_9(&s) && good;
    bench_rows_print();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
