/* Google Benchmark for benchmarks in C. It repeats the cases, in random order across all of them,
 * computes the statistics, filters, and writes JSON for its compare.py; this interface registers
 * the cases, and returns their figures, from which the program prints its rows.
 *
 *     static void walk(bench_state *state, const void *argument) {
 *         const settings *s = argument;
 *         tree *t = tree_new(s->nodes);
 *         while (bench_loop(state)) tree_walk(t);
 *         bench_counter(state, "depth", t->depth);
 *         tree_free(t);
 *     }
 *
 *     static bench_case *walked;
 *     static void report(void) {
 *         bench_case_row(walked, "wall_ns=%.1f", bench_figure_of(walked, BENCH_WALL).median);
 *     }
 *
 *     bench_options(&program, argc, argv, &s);
 *     walked = bench_case_new(walk, &s, s.nodes, "walk nodes=%u", s.nodes);
 *     return bench_run(report);
 *
 * The case is "walk/nodes:1000", and its row begins with "bench=walk nodes=1000". A first word
 * "walk/cold" makes a case of that name with a row of bench=walk, since a row may need several
 * cases. A figure is NAN, and is printed as nan, if the filter left its case out. */
#ifndef BENCH_SHIM_H
#define BENCH_SHIM_H

#include "common.h"

#include <stdbool.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* ---- a case's function: called once for each repetition, and first to choose the number of
 * iterations; what it does before the loop and after it is not measured ---- */

typedef struct bench_state bench_state;
typedef void bench_function(bench_state *state, const void *argument);

/* @return whether another iteration is to run. Wall time, and CPU time of the process. */
bool bench_loop(bench_state *state);
void bench_pause(bench_state *state);
void bench_resume(bench_state *state);
/* Sets the wall time of this iteration, for a case that is `timed`. */
void bench_time(bench_state *state, uint64_t ns);
/* After the loop: of this repetition. */
void bench_counter(bench_state *state, const char *key, double value);

/* Measures a run of a graph of `items`, of one itemizer with `argument`, in a paused iteration;
 * the counter "width" is its mean width. */
void bench_run_graph(bench_state *state, svs_world *world, uint32_t algorithm,
                     const svs_task_type *type, void *argument, const void *items, size_t count,
                     size_t item_bytes);

/* ---- cases ---- */

typedef struct bench_case {
    char name[192], keys[192]; /* "walk/nodes:1000", "bench=walk nodes=1000" */
    bench_function *run;
    const void *argument;
    double items; /* of an iteration; times and instructions are of one item */
    /* To be set before bench_run(): */
    bool timed;                       /* by bench_time(); its CPU time is still that of the loop */
    bool counted;                     /* by --instructions */
    unsigned iterations, repetitions; /* 0: as the command line says */
    double instructions;              /* of an item; NAN: not counted */
} bench_case;

/* @return the case, which lives as long as the program. */
bench_case *bench_case_new(bench_function *run, const void *argument, double items,
                           const char *format, ...) __attribute__((format(printf, 4, 5)));

/* A started runtime with help-first scheduling that the cases of one number of threads share; it
 * lives as long as the program. */
svs_runtime *bench_runtime_of(uint32_t threads);

/* ---- the program ---- */

/* Reads the command line: options --benchmark_... are kept for Google Benchmark, the program's
 * table has the others. */
void bench_options(const option_program *program, int argc, char **argv, void *into);
/* Rows of the table, for a program with counted cases. */
option_take bench_take_instructions, bench_take_count;
#define BENCH_OPTION_INSTRUCTIONS                                                                  \
    {"instructions",                                                                               \
     'i',                                                                                          \
     NULL,                                                                                         \
     "Count instructions of the chosen cases, too, by callgrind",                                  \
     0,                                                                                            \
     OPTION_OWN(bench_take_instructions)},                                                         \
    {                                                                                              \
        "count", 0, "N", NULL, 0, OPTION_OWN(bench_take_count)                                     \
    }
/* An option of Google Benchmark that holds unless the command line has the same. */
void bench_default(const char *option);

/* Runs the chosen cases. With tables for people on stdout, calls `report` then, and prints the rows
 * that it kept. @return the program's exit status. */
int bench_run(void (*report)(void));

/* ---- figures of all repetitions, for `report` ---- */

#define BENCH_WALL "wall" /* ns of an item */
#define BENCH_CPU "cpu"
#define BENCH_REPETITIONS "repetitions"

typedef struct bench_figure {
    double median, spread_pct; /* the distance between the quartiles, in hundredths of the median */
    double mean, p99;
} bench_figure;

/* Of a time or a counter. All NAN without such a case. */
bench_figure bench_figure_of(const bench_case *c, const char *key);
bool bench_ran(const bench_case *c);

/* Of two figures that vary independently; the median and the spread alone. */
bench_figure bench_ratio(bench_figure a, bench_figure b);
bench_figure bench_difference(bench_figure a, bench_figure b);

/* Keeps the row, which begins with the case's keys, if the case ran. */
void bench_case_row(const bench_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- between cases.c and shim.cc ---- */
typedef struct bench_list_of_cases {
    bench_case **of;
    size_t count;
} bench_list_of_cases;

/* Reads options of Google Benchmark. @return the first that it does not know, or NULL. */
const char *bench_google_options(int count, char **options);
const char *bench_google_filter(void);
/* @return how many cases the filter chose. `for_people`: whether stdout has no JSON or CSV. */
size_t bench_google_run(bench_list_of_cases cases, bool *for_people);
void bench_run_counted(const bench_case *c, uint64_t iterations);

#if defined(__cplusplus)
}
#endif
#endif
