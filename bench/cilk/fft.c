/* The discrete Fourier transform of N complex numbers, a power of two, in four steps (Bailey): N is
 * seen as a matrix of about as many rows as columns. Its columns are transformed, each number is
 * turned by its place, the rows are transformed, and the matrix is transposed. Each row fits a
 * cache, and belongs to one task; tasks also transpose, in blocks. */
#include "common.h"
#include "dense.h"
#include "fft_row.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_GRAIN_NUMBERS = 4096, BLOCK = 32 };

typedef struct problem {
    size_t n, rows, columns;       /* rows and columns of the input: powers of two */
    complex_number *x, *y;         /* x: the input, which is overwritten; y: the answer */
    fft_plan *plan;                /* of the longer of the two */
    complex_number *coarse, *fine; /* the roots of N: exp(-2 pi i m / N) by the digits of m */
    size_t fine_count;
} problem;

/* exp(-2 pi i turn / N). */
static inline complex_number root(const problem *p, size_t turn) {
    return complex_times(p->coarse[turn / p->fine_count], p->fine[turn % p->fine_count]);
}

/* Transforms rows begin to end of `columns` numbers each, from one matrix to the other. */
SVS_ASYNC_VOID(transform_rows, (const problem *, p), (const complex_number *, from),
               (complex_number *, to), (size_t, columns), (size_t, begin), (size_t, end)) {
    if (end - begin > 1 && (end - begin) * columns > ROWS_GRAIN_NUMBERS) {
        size_t middle = begin + (end - begin) / 2;
        SVS_ASYNC(transform_rows, p, from, to, columns, begin, middle);
        SVS_CALL(transform_rows, p, from, to, columns, middle, end);
        SVS_SYNC(transform_rows);
        return;
    }
    for (size_t i = begin; i < end; i++)
        fft_row(p->plan, columns, from + i * columns, to + i * columns);
}

typedef struct rectangle {
    size_t row, column, rows, columns;
} rectangle;

static void transpose_block(const problem *p, const complex_number *from, complex_number *to,
                            size_t rows, size_t columns, rectangle r, int turn) {
    for (size_t i = r.row; i < r.row + r.rows; i++)
        for (size_t j = r.column; j < r.column + r.columns; j++) {
            complex_number value = from[i * columns + j];
            to[j * rows + i] = turn ? complex_times(value, root(p, i * j)) : value;
        }
}

/* Writes the transpose of `from`, with rows and columns, to `to`; with `turn`, each number
 * multiplied by root(row * column). */
SVS_ASYNC_VOID(transpose, (const problem *, p), (const complex_number *, from),
               (complex_number *, to), (size_t, rows), (size_t, columns), (rectangle, r),
               (int, turn)) {
    rectangle first = r, second = r;
    if (r.rows <= BLOCK && r.columns <= BLOCK) {
        transpose_block(p, from, to, rows, columns, r, turn);
        return;
    }
    if (r.rows >= r.columns) {
        first.rows = r.rows / 2;
        second.rows -= first.rows;
        second.row += first.rows;
    } else {
        first.columns = r.columns / 2;
        second.columns -= first.columns;
        second.column += first.columns;
    }
    SVS_ASYNC(transpose, p, from, to, rows, columns, first, turn);
    SVS_CALL(transpose, p, from, to, rows, columns, second, turn);
    SVS_SYNC(transpose);
}

static void run(svs_async_context *async, void *argument) {
    const problem *p = argument;
    size_t rows = p->rows, columns = p->columns;
    rectangle whole = {0, 0, rows, columns}, turned = {0, 0, columns, rows};
    SVS_CALL_ON(async, transpose, p, p->x, p->y, rows, columns, whole, 0);
    SVS_CALL_ON(async, transform_rows, p, p->y, p->x, rows, 0, columns);
    SVS_CALL_ON(async, transpose, p, p->x, p->y, columns, rows, turned, 1);
    SVS_CALL_ON(async, transform_rows, p, p->y, p->x, columns, 0, rows);
    SVS_CALL_ON(async, transpose, p, p->x, p->y, rows, columns, whole, 0);
}

static const char *refuse(const cilk_size *size) {
    return size->values[0] & (size->values[0] - 1) ? "N is no power of two" : NULL;
}

static complex_number *roots_new(size_t count, double step) {
    complex_number *roots = bench_allocate(count, sizeof *roots);
    for (size_t i = 0; i < count; i++) roots[i] = complex_of_angle(step * (double)i);
    return roots;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    double step = -2 * acos(-1) / (double)size->values[0];
    p->n = size->values[0];
    p->rows = p->columns = 1;
    while (p->rows * p->columns < p->n) *(p->rows > p->columns ? &p->columns : &p->rows) *= 2;
    p->x = bench_allocate(p->n, sizeof *p->x);
    p->y = bench_allocate(p->n, sizeof *p->y);
    p->plan = fft_plan_new(p->rows);
    p->fine_count = p->columns;
    p->fine = roots_new(p->fine_count, step);
    p->coarse = roots_new(p->n / p->fine_count, step * (double)p->fine_count);
    return p;
}

static complex_number input(size_t i) {
    return (complex_number){dense_random(BENCH_SEED, i, 0), dense_random(BENCH_SEED, i, 1)};
}

static void reset(void *argument) {
    problem *p = argument;
    for (size_t i = 0; i < p->n; i++) p->x[i] = input(i);
    memset(p->y, 0, p->n * sizeof *p->y);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->y, p->n * sizeof *p->y};
}

/* With z = exp(i phi), z^N = -1, the sum of z^k y[k] over all k is also a sum over the input: 2
 * x[j] / (1 - z w^j) with w = exp(-2 pi i / N), by the geometric sum. @return their distance, for
 * one such z, in units of the length of the answer. */
static double error_at(const problem *p, size_t which) {
    complex_number answer = {0, 0}, right = {0, 0};
    double square = 0;
    for (size_t i = 0; i < p->n; i++) {
        complex_number x = input(i), y = p->y[i];
        /* Angles are whole numbers as long as they can be, and near 0: the weights of the smallest
         * are the largest. */
        size_t turns = (2 * which + 1) * i % (2 * p->n);
        complex_number z = complex_of_angle(acos(-1) * (double)turns / (double)p->n);
        double apart = 2 * ((double)which - (double)i) + 1;
        double half = acos(-1) * remainder(apart, 2 * (double)p->n) / (2 * (double)p->n);
        /* 2 / (1 - exp(2 i half)) = 1 + i cot(half) */
        complex_number weight = {1, cos(half) / sin(half)};
        answer = complex_plus(answer, complex_times(z, y));
        right = complex_plus(right, complex_times(weight, x));
        square += y.re * y.re + y.im * y.im;
    }
    return hypot(answer.re - right.re, answer.im - right.im) / sqrt(square);
}

static double error(void *argument) {
    const problem *p = argument;
    double first = error_at(p, 0), second = error_at(p, p->n / 3);
    return isfinite(first + second) ? fmax(first, second) : INFINITY;
}

static void release(void *argument) {
    problem *p = argument;
    free(p->x);
    free(p->y);
    free(p->coarse);
    free(p->fine);
    fft_plan_free(p->plan);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "fft",
    .summary = "The Fourier transform of N complex numbers, a power of two.",
    .parameters = {{"N", 65536, 1u << 24, 1u << 26, 1, 1u << 30}},
    .refuse = refuse,
    .reset = reset,
    CILK_FUNCTIONS,
};
