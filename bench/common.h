/* Shared by all benchmarks: clocks, medians and spreads, work of a known length, a table for
 * people, rows for machines, options.
 *
 *     bench_table_line("%-8s %8.1f", name, ns);
 *     bench_row("bench=links tree=%s assign_ns=%.1f", tree, ns);
 *     bench_rows_print();
 *
 * A table line is printed at once; a row is kept until bench_rows_print(), below the table.
 *
 * Speeds on a shared machine mean something as ratios only: measure a baseline in the same run,
 * interleave the repetitions, and show median and spread. */
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <svs/svs.h>

#include "common/option_table.h"

#if defined(__cplusplus)
extern "C" {
#endif

#define BENCH_SEED 20110331u

/* ---- clocks ---- */
uint64_t bench_wall_ns(void);
uint64_t bench_cpu_ns(void);        /* of all threads of this process */
uint64_t bench_thread_cpu_ns(void); /* of the calling one */
void bench_sleep_ns(uint64_t ns);
uint32_t bench_cpus(void); /* that this process may use */

/* ---- statistics; both reorder `values` ---- */
double bench_median(double *values, size_t count);
double bench_percentile(double *values, size_t count, double percent);
/* The distance between the quartiles, in hundredths of the median. */
double bench_spread(double *values, size_t count);

/* ---- work ---- */
/* Steps of dependent arithmetic; no clock is read. Memory is not reordered across it. */
static inline void bench_spin(uint32_t rounds) {
    uint64_t x = rounds;
    for (uint32_t i = 0; i < rounds; i++)
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
    __asm__ volatile("" : "+r"(x) : : "memory");
}

/* How many steps take `ns` nanoseconds on this machine, measured once. */
uint32_t bench_rounds(uint32_t ns);

/* Started. */
svs_runtime *bench_runtime_new(uint32_t policy, uint32_t threads);

/* A world of its own on a new runtime, with a graph of one itemizer. */
typedef struct bench_graph {
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
} bench_graph;
bench_graph bench_graph_new(uint32_t threads, const svs_task_type *type);
void bench_graph_free(bench_graph *g);

/* Instances a stage, in the mean; 0 without stages. */
double bench_width(const svs_graph *graph);

/* Of all workers. */
uint64_t bench_steals(const svs_runtime *runtime);

/* ---- calls that must not fail ---- */
/* Ends the program with `what` and the status' text when it is not SVS_OK. */
void bench_check(svs_status status, const char *what);
#define BENCH_OK(call) bench_check((call), #call)
void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
void *bench_allocate(size_t count, size_t size); /* zeroed; ends the program when there is none */

/* Instructions of this program when it is run with the arguments, counted by callgrind.
 * @return 0: valgrind is not there, or the program failed. */
uint64_t bench_instructions(const char *arguments);

/* ---- output ---- */
void bench_table_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bench_row(const char *format, ...) __attribute__((format(printf, 1, 2)));
void bench_rows_print(void);

/* ---- options ---- */
#define BENCH_LIST_MAX 16u
typedef struct bench_list {
    uint64_t values[BENCH_LIST_MAX];
    size_t count;
} bench_list;

/* "100,10000": whole numbers between min and max; a bad one ends the program with usage and error.
 * */
bench_list bench_option_list(const struct argp_state *state, const char *option, const char *text,
                             uint64_t min, uint64_t max);
/* The row of such an option. */
option_take bench_take_list;
#define BENCH_OPTION_LIST(type, member, min, max)                                                  \
    bench_take_list, OPTION_MEMBER(type, member), min, max, 0, 0, NULL
bench_list bench_list_of(size_t count, const uint64_t *values);
/* 1 and every CPU, or 1 alone. */
bench_list bench_threads_default(void);

#if defined(__cplusplus)
}
#endif
#endif
