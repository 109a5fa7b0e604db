/* The steal tree benchmark's parts: one file for each figure of the Steal Tree paper that it
 * repeats. */
#ifndef BENCH_STEALTREE_H
#define BENCH_STEALTREE_H

#include "cilk/program.h"
#include "common.h"

#include <stdbool.h>
#include <svs/trace.h>

enum { STEALTREE_RUNS_MAX = 1000 };

/* How large the problems are: for a glance, for minutes, and as in the paper's table 1. */
enum { STEALTREE_QUICK, STEALTREE_USUAL, STEALTREE_PAPER };

typedef struct stealtree_settings {
    int scale;
    int policy, program;   /* the only one; -1: all */
    uint64_t runs;         /* of figure 4, with tracing and without */
    uint64_t threads;      /* of figure 4 */
    uint64_t storage_runs; /* of figure 5 */
    bench_list workers;    /* of figure 5 */
    uint64_t keepers;      /* workers of figure 10 */
    uint64_t iterations;   /* of figure 10 */
    uint64_t leaves;       /* of figure 10's skewed kernel; 0: by scale */
    uint64_t leaf_ns;      /* the mean time of a leaf, in nanoseconds */
} stealtree_settings;

/* Each prints its table and keeps its rows. */
void stealtree_figure_4(const stealtree_settings *settings);
void stealtree_figure_5(const stealtree_settings *settings);
void stealtree_figure_10(const stealtree_settings *settings);

/* Instructions of a spawn with and without tracing; needs valgrind, and says so when it is not
 * there. */
void stealtree_instructions(void);
/* Runs the part under valgrind that `what` describes: "policy,call,traced,n". @return false when
 * `what` is not understood. */
bool stealtree_instructions_run(const char *what);

/* ---- the programs of the suite (stealtree_programs.c) ---- */

enum { STEALTREE_PROGRAMS = 9 };
extern const char *const stealtree_program_names[]; /* NULL ends them */
extern const char *const stealtree_policies[];      /* likewise; in the order of their values */

/* One of the suite's programs, with a problem to solve. */
typedef struct stealtree_problem {
    const cilk_program *program;
    void *data;
} stealtree_problem;

stealtree_problem stealtree_problem_make(size_t program, int scale);
/* Ends the program when the last answer was wrong. */
void stealtree_problem_check(const stealtree_problem *problem);
void stealtree_problem_free(stealtree_problem *problem);

typedef struct stealtree_run {
    double cpu_ns, wall_ns;
    svs_trace_statistics trace; /* when traced */
    double file_bytes;          /* of the trace, written */
} stealtree_run;

stealtree_run stealtree_run_once(const stealtree_problem *problem, svs_runtime *runtime,
                                 bool traced);

/* ---- a skewed kernel (stealtree_skew.c) ----
 *
 * An iterative kernel that is skewed on purpose: an iteration sweeps over a range of leaves several
 * times, each time by a tree of nested finishes; a narrow hump has most of the work, and moves on a
 * little with each iteration.
 *
 * stealtree_skew.c is compiled twice, the second time with SVS_SERIAL_ELISION; both iterate the
 * same problem. */

typedef struct skew {
    uint32_t leaves;
    uint32_t mean_rounds; /* of a leaf's work, over all leaves */
    uint32_t iteration;
    uint64_t sum;     /* of the last iteration */
    uint64_t *values; /* of each leaf; what it becomes depends on all its work so far */
} skew;

skew *skew_new(uint32_t leaves, uint32_t mean_rounds);
void skew_free(skew *s);

/* One iteration; a root for a skew. */
void skew_iterate(svs_async_context *async, void *argument);
void skew_iterate_serially(svs_async_context *async, void *argument);

/* ---- Student's t (stealtree_student.c) ---- */

/* The t below which the share `p` of the distribution with `freedom` degrees is; 0.5 <= p < 1. */
double student_quantile(double p, double freedom);

#endif
