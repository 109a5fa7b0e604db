#include "spawn.h"

#include "fib.h"

#if defined(SVS_SERIAL_ELISION)
#define KERNELS spawn_kernels_serial
#else
#define KERNELS spawn_kernels_parallel
#endif

/* ---- fib ---- */

static uint64_t fib_typed(svs_async_context *async, int n) { return SVS_CALL_ON(async, fib, n); }

/* ---- nqueens ---- */

SVS_ASYNC_FUNCTION(uint64_t, queens, (const int *, board), (int, n), (int, rows), (int, column)) {
    int mine[SPAWN_QUEENS_MAX];
    uint64_t boards[SPAWN_QUEENS_MAX], sum = 0;
    if (!spawn_queens_put(mine, board, rows, column)) return 0;
    rows++;
    if (rows == n) return 1;
    for (int next = 0; next < n; next++) SVS_ASYNC_TO(boards[next], queens, mine, n, rows, next);
    SVS_SYNC(queens);
    for (int next = 0; next < n; next++) sum += boards[next];
    return sum;
}

static uint64_t queens_typed(svs_async_context *async, int n) {
    uint64_t sum = 0;
    for (int column = 0; column < n; column++)
        sum += SVS_CALL_ON(async, queens, NULL, n, 0, column);
    return sum;
}

typedef struct queens_argument {
    const int *board;
    int n, rows, column;
    uint64_t *boards;
} queens_argument;

typedef struct queens_row {
    int n, rows;
    int board[SPAWN_QUEENS_MAX];
    uint64_t boards[SPAWN_QUEENS_MAX];
} queens_row;

static void queens_run(svs_async_context *async, void *argument);

static void queens_split(svs_async_context *async, void *argument) {
    queens_row *r = argument;
    for (int column = 0; column < r->n; column++) {
        queens_argument next = {r->board, r->n, r->rows, column, &r->boards[column]};
        svs_async(async, queens_run, &next, sizeof next);
    }
}

static void queens_run(svs_async_context *async, void *argument) {
    const queens_argument *q = argument;
    uint64_t *boards = q->boards, sum = 0;
    queens_row r;
    *boards = 0;
    if (!spawn_queens_put(r.board, q->board, q->rows, q->column)) return;
    r.n = q->n;
    r.rows = q->rows + 1;
    if (r.rows == r.n) {
        *boards = 1;
        return;
    }
    svs_finish(async, queens_split, &r);
    for (int column = 0; column < r.n; column++) sum += r.boards[column];
    *boards = sum;
}

static uint64_t queens_generic(svs_async_context *async, int n) {
    uint64_t sum = 0, boards;
    for (int column = 0; column < n; column++) {
        queens_argument first = {NULL, n, 0, column, &boards};
        queens_run(async, &first);
        sum += boards;
    }
    return sum;
}

const spawn_kernels KERNELS = {{{fib_typed, fib_generic}, {queens_typed, queens_generic}}};
