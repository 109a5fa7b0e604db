/* The cost of race checks, and their gain from the steal tree (Steal Tree figure 9).
 *
 *     bench_racecheck [--quick] [--program heat] [--policy work-first]
 *                     [--figure 9 | --slowdown] [--runs 5] [--threads 2]
 *                     [--workers 1,2,4,8,16,32] [--yield-one-in 1]
 *
 * Slowdown: each program without a check, with svs::check, and with the compilers' own checker
 * (-fsanitize=thread), by gcc and by clang; all in turn, medians. Figure 9: edges of the tree that
 * are walked to find how two steps are ordered, by each of the three ways on the same queries. */
#include "common/numbers.h"
#include "racecheck.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_PROGRAM = 256, KEY_POLICY, KEY_YIELD, KEY_SLOWDOWN };

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

static error_t parse(int key, char *text, struct argp_state *state) {
    const char *names[RACECHECK_PROGRAMS + 1] = {NULL};
    racecheck_settings *s = state->input;
    for (int i = 0; i < RACECHECK_PROGRAMS; i++) names[i] = racecheck_programs[i].name;
    switch (key) {
    case 'q':
        s->scale = RACECHECK_QUICK;
        s->runs = 3;
        s->workers = bench_list_of(3, (uint64_t[]){1, 8, 32});
        return 0;
    case 'f':
        (void)option_choice(state, "figure", text, figure_names);
        s->figure = 9;
        return 0;
    case KEY_SLOWDOWN: s->figure = 0; return 0;
    case KEY_PROGRAM: s->program = option_choice(state, "program", text, names); return 0;
    case KEY_POLICY: s->policy = option_choice(state, "policy", text, racecheck_policies); return 0;
    case 'r': s->runs = option_unsigned(state, "runs", text, 1, RACECHECK_RUNS_MAX); return 0;
    case 't': s->threads = option_unsigned(state, "threads", text, 1, SVS_THREADS_MAX); return 0;
    case 'w': s->workers = bench_option_list(state, "workers", text, 1, SVS_THREADS_MAX); return 0;
    case KEY_YIELD:
        s->yield_one_in = option_unsigned(state, "yield-one-in", text, 0, UINT32_MAX);
        return 0;
    case ARGP_KEY_ARG: argp_error(state, "unexpected argument '%s'", text); return EINVAL;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"quick", 'q', NULL, 0, "Small problems, 3 runs, fewer workers", 1},
    {"figure", 'f', "9", 0, "Only figure 9", 1},
    {"slowdown", KEY_SLOWDOWN, NULL, 0, "Only what checks cost", 1},
    {"program", KEY_PROGRAM, "NAME", 0,
     "Only this program; in figure 9 cilk-heat and cilk-matmul are heat and matmul", 1},
    {"policy", KEY_POLICY, "NAME", 0,
     "help-first or work-first: of the slowdown (help-first), and alone in figure 9 (both)", 1},
    {"runs", 'r', "N", 0, "Slowdown: runs of each; medians are shown (5)", 2},
    {"threads", 't', "N", 0, "Slowdown: workers (2)", 2},
    {"workers", 'w', "LIST", 0, "Figure 9: workers (1,2,4,8,16,32)", 3},
    {"yield-one-in", KEY_YIELD, "N", 0,
     "Figure 9: workers give their CPU away at one spawn in N (1: at each; 0: never)", 3},
    {0}};

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
    static const struct argp argp = {
        options,
        parse,
        NULL,
        "The cost of race checks, beside the compilers' own, and figure 9 "
        "of the Steal Tree paper.",
        NULL,
        NULL,
        NULL};
    racecheck_settings s = {.figure = -1,
                            .program = -1,
                            .policy = -1,
                            .scale = RACECHECK_USUAL,
                            .runs = 5,
                            .threads = 2,
                            .yield_one_in = 1};
    bool good = true;
    s.workers = bench_list_of(6, (uint64_t[]){1, 2, 4, 8, 16, 32});
    argp_parse(&argp, argc, argv, 0, NULL, &s);
    find_folder(&s);
    if (s.figure != 9) good = racecheck_slowdown(&s);
    if (s.figure != 0) good = racecheck_figure_9(&s) && good;
    bench_rows_print();
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
