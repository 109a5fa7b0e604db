/* The spawn benchmark's parts: the engines that run the two programs, and the code that all of them
 * share.
 *
 * fib: a task for fib(n - 1), a call for fib(n - 2). nqueens: a task for each column of the next
 * row; the task finds out by itself whether a queen may stand there, so most tasks do little work;
 * if the queen may, the task copies its parent's board. */
#ifndef BENCH_SPAWN_H
#define BENCH_SPAWN_H

#include "common.h"

#include <stdbool.h>
#include <svs/async.h>

#if defined(__cplusplus)
extern "C" {
#endif

enum { SPAWN_FIB, SPAWN_QUEENS, SPAWN_PROGRAMS };
enum { SPAWN_QUEENS_MAX = 16 };

typedef struct spawn_engine {
    const char *name, *policy, *call;
    bool is_peer;
    uint32_t threads_max; /* 1: the elision */
    /* A team of that many threads, the caller included. */
    void *(*make)(const struct spawn_engine *engine, uint32_t threads);
    uint64_t (*run)(void *state, int program, int n);
    void (*free)(void *state);
} spawn_engine;

extern const spawn_engine spawn_serial, spawn_svs[];
extern const size_t spawn_svs_count;
#if defined(BENCH_OPENMP)
extern const spawn_engine spawn_openmp;
#endif
#if defined(BENCH_TBB)
extern const spawn_engine spawn_tbb;
#endif

/* Puts a queen into the row after `rows` others. @return false when one of these attacks it; else
 * `to` has all queens. */
static inline bool spawn_queens_put(int *to, const int *from, int rows, int column) {
    for (int row = 0; row < rows; row++) {
        int aside = from[row] - column, above = rows - row;
        to[row] = from[row];
        if (aside == 0 || aside == above || aside == -above) return false;
    }
    to[rows] = column;
    return true;
}

/* The two programs on async-finish. spawn_kernels.c is compiled twice, the second time with
 * SVS_SERIAL_ELISION: each time it defines one of these tables. */
enum { SPAWN_TYPED, SPAWN_GENERIC, SPAWN_CALLS };

typedef uint64_t spawn_kernel(svs_async_context *async, int n);

typedef struct spawn_kernels {
    spawn_kernel *of[SPAWN_PROGRAMS][SPAWN_CALLS];
} spawn_kernels;

extern const spawn_kernels spawn_kernels_parallel, spawn_kernels_serial;

#if defined(__cplusplus)
}
#endif
#endif
