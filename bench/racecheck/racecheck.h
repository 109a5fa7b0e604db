/* The race check's benchmark: what it costs beside other checkers, and what the steal tree saves.
 *
 * The programs live in other executables, the subjects, of which there is one for each compiler and
 * way of checking: racecheck_gcc_plain, racecheck_clang_ours, racecheck_gcc_tsan and so on. Each
 * runs one program once and prints one line; the benchmark runs them in turn. */
#ifndef BENCH_RACECHECK_H
#define BENCH_RACECHECK_H

#include "common.h"

#include <stdbool.h>

enum { RACECHECK_RUNS_MAX = 100, RACECHECK_NUMBERS = 3 };

/* A program, and how large its problems are. */
typedef struct racecheck_program {
    const char *name; /* beside the plain loops, the suite's heat and matmul are cilk-heat, ... */
    const char *subject; /* what the subjects call it, and figure 9, which has the suite's alone */
    bool figure_9;
    uint64_t sizes[3][RACECHECK_NUMBERS]; /* at a glance; usual; for figure 9. 0: none */
} racecheck_program;

enum { RACECHECK_QUICK, RACECHECK_USUAL, RACECHECK_FIGURE_9 };

enum { RACECHECK_PROGRAMS = 11 };
extern const racecheck_program racecheck_programs[];
extern const char *const racecheck_policies[]; /* NULL ends them; in the order of their values */

/* The subjects' two sides. */
enum { RACECHECK_GCC, RACECHECK_CLANG, RACECHECK_COMPILERS };
enum { RACECHECK_PLAIN, RACECHECK_OURS, RACECHECK_TSAN, RACECHECK_WAYS };
extern const char *const racecheck_compilers[], *const racecheck_ways[]; /* NULL ends them */

typedef struct racecheck_settings {
    int figure;    /* 9: it alone; 0: the slowdown alone; -1: both */
    int program;   /* the only one; -1: all */
    int policy;    /* of the slowdown (-1: help-first), and the only one of figure 9 */
    int scale;     /* RACECHECK_QUICK or RACECHECK_USUAL */
    uint64_t runs; /* of each subject, for the slowdown */
    uint64_t threads;
    uint64_t yield_one_in; /* figure 9 */
    bench_list workers;    /* figure 9 */
    char folder[512];      /* where the subjects are */
} racecheck_settings;

/* Each prints its table and keeps its rows. @return whether all that ran went well: no program
 * races, and each finds the right answer. */
bool racecheck_slowdown(const racecheck_settings *settings);
bool racecheck_figure_9(const racecheck_settings *settings);

/* ---- subjects (run.c) ---- */

bool racecheck_is_there(const racecheck_settings *s, int compiler, int way);

typedef struct racecheck_run {
    double seconds, peak_mb;
    double accesses, queries, phases, lost, merged;
    double edges[3]; /* in the order of svs_check_summary.edges */
} racecheck_run;

/* The subjects and programs to run. */
typedef struct racecheck_order {
    int compiler, way, policy;
    const racecheck_program *program;
    const uint64_t *size;
    uint64_t threads;
    const char *options; /* SVS_CHECK_OPTIONS */
} racecheck_order;

/* @return false when it failed, which is said on stderr. */
bool racecheck_run_once(const racecheck_settings *s, const racecheck_order *order,
                        racecheck_run *run);

#endif
