// oneTBB's task groups.
#include "spawn.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

namespace {

enum { THREADS_MAX = 256 };

uint64_t fib(int n) {
    if (n < 2) return static_cast<uint64_t>(n);
    uint64_t a, b;
    tbb::task_group group;
    group.run([&a, n] { a = fib(n - 1); });
    b = fib(n - 2);
    group.wait();
    return a + b;
}

uint64_t queens(const int *board, int n, int rows, int column) {
    int mine[SPAWN_QUEENS_MAX];
    uint64_t boards[SPAWN_QUEENS_MAX], sum = 0;
    if (!spawn_queens_put(mine, board, rows, column)) return 0;
    rows++;
    if (rows == n) return 1;
    tbb::task_group group;
    for (int next = 0; next < n; next++)
        group.run([&boards, &mine, n, rows, next] { boards[next] = queens(mine, n, rows, next); });
    group.wait();
    for (int next = 0; next < n; next++) sum += boards[next];
    return sum;
}

uint64_t queens_all(int n) {
    uint64_t sum = 0;
    for (int column = 0; column < n; column++) sum += queens(nullptr, n, 0, column);
    return sum;
}

// The smallest control that exists holds for all arenas: one for all, then.
void *make(const spawn_engine *, uint32_t threads) {
    static tbb::global_control control(tbb::global_control::max_allowed_parallelism, THREADS_MAX);
    return new tbb::task_arena(static_cast<int>(threads));
}

uint64_t run(void *state, int program, int n) {
    uint64_t value = 0;
    static_cast<tbb::task_arena *>(state)->execute(
        [&] { value = program == SPAWN_FIB ? fib(n) : queens_all(n); });
    return value;
}

void destroy(void *state) { delete static_cast<tbb::task_arena *>(state); }

} // namespace

extern "C" const spawn_engine spawn_tbb = {"tbb",       "none", "lambda", true,
                                           THREADS_MAX, make,   run,      destroy};
