/* All ways to put N queens on a board of N by N so that none attacks another. The first CUTOFF rows
 * are filled by tasks, one for each board; the rest of a board by a plain recursion on bits. */
#include "common.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MAX = 18 };

typedef struct board {
    int8_t column[ROWS_MAX]; /* of the queen in each row */
    int8_t rows;             /* that have one */
    int8_t size, cutoff;
} board;

typedef struct problem {
    board empty;
    uint64_t boards;
} problem;

static int is_free(const board *b, int column) {
    for (int row = 0; row < b->rows; row++) {
        int distance = column - b->column[row], rows = b->rows - row;
        if (distance == 0 || distance == rows || distance == -rows) return 0;
    }
    return 1;
}

/* Each bit is a column: of the board, and attacked straight, from the left, from the right. */
static uint64_t fill(uint32_t all, uint32_t straight, uint32_t left, uint32_t right) {
    uint64_t boards = 0;
    if (straight == all) return 1;
    for (uint32_t open = all & ~(straight | left | right); open; open &= open - 1) {
        uint32_t column = open & -open;
        boards += fill(all, straight | column, (left | column) << 1, (right | column) >> 1);
    }
    return boards;
}

static uint64_t fill_rest(const board *b) {
    uint32_t straight = 0, left = 0, right = 0;
    for (int row = 0; row < b->rows; row++) {
        uint32_t column = UINT32_C(1) << b->column[row];
        straight |= column;
        left = (left | column) << 1;
        right = (right | column) >> 1;
    }
    return fill((UINT32_C(1) << b->size) - 1, straight, left, right);
}

SVS_ASYNC_FUNCTION(uint64_t, place, (board, b)) {
    uint64_t boards[ROWS_MAX], sum = 0;
    int children = 0;
    board next = b;
    if (b.rows == b.size) return 1;
    if (b.rows >= b.cutoff) return fill_rest(&b);
    next.rows++;
    for (int column = 0; column < b.size; column++) {
        if (!is_free(&b, column)) continue;
        next.column[b.rows] = (int8_t)column;
        SVS_ASYNC_TO(boards[children], place, next);
        children++;
    }
    SVS_SYNC(place);
    for (int i = 0; i < children; i++) sum += boards[i];
    return sum;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->empty.size = (int8_t)size->values[0];
    p->empty.cutoff = (int8_t)size->values[1];
    return p;
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    p->boards = SVS_CALL_ON(async, place, p->empty);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){&p->boards, sizeof p->boards};
}

static uint64_t answer(void *argument) { return ((const problem *)argument)->boards; }

static double error(void *argument) {
    static const uint64_t known[ROWS_MAX + 1] = {
        1,   1,    0,     0,     2,      10,      4,        40,       92,       352,
        724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};
    const problem *p = argument;
    return p->boards == known[p->empty.size] ? 0 : INFINITY;
}

static void release(void *argument) { free(argument); }

const cilk_program CILK_PROGRAM = {
    .name = "allqueens",
    .summary = "Counts all ways to place N queens; the first CUTOFF rows by a task for each board.",
    .parameters = {{"N", 11, 14, 14, 1, ROWS_MAX}, {"CUTOFF", 6, 8, 8, 0, ROWS_MAX}},
    .answer = answer,
    CILK_FUNCTIONS,
};
