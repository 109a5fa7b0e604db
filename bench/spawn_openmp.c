/* OpenMP's tasks. */
#include "spawn.h"

#include <stdlib.h>

static uint64_t fib(int n) {
    uint64_t a, b;
    if (n < 2) return (uint64_t)n;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static uint64_t queens(const int *board, int n, int rows, int column) {
    int mine[SPAWN_QUEENS_MAX];
    uint64_t boards[SPAWN_QUEENS_MAX], sum = 0;
    if (!spawn_queens_put(mine, board, rows, column)) return 0;
    rows++;
    if (rows == n) return 1;
    for (int next = 0; next < n; next++) {
#pragma omp task shared(boards, mine) firstprivate(n, rows, next)
        boards[next] = queens(mine, n, rows, next);
    }
#pragma omp taskwait
    for (int next = 0; next < n; next++) sum += boards[next];
    return sum;
}

static uint64_t queens_all(int n) {
    uint64_t sum = 0;
    for (int column = 0; column < n; column++) sum += queens(NULL, n, 0, column);
    return sum;
}

static void *make(const spawn_engine *engine, uint32_t threads) {
    uint32_t *team = bench_allocate(1, sizeof *team);
    (void)engine;
    *team = threads;
    return team;
}

static uint64_t run(void *state, int program, int n) {
    const uint32_t *team = state;
    uint64_t value = 0;
#pragma omp parallel num_threads(*team)
#pragma omp single
    value = program == SPAWN_FIB ? fib(n) : queens_all(n);
    return value;
}

#if defined(__clang__)
#define NAME "omp"
#else
#define NAME "gomp"
#endif

const spawn_engine spawn_openmp = {NAME, "none", "task", true, 256, make, run, free};
