/* A = L U of a dense matrix of N by N in place, without pivoting: quarter by quarter. The diagonal
 * of the input outweighs its rows, so that no pivot is small. */
#include "common.h"
#include "multiply.h"
#include "program.h"

#include <stdlib.h>

enum { LEAF = 32 };

typedef struct problem {
    uint32_t n;
    size_t stride;
    double *matrix; /* A; after the run U and, below the diagonal, L (its diagonal is 1) */
} problem;

static uint32_t half_of(uint32_t n) { return multiply_half(n); }

static void factor_leaf(uint32_t n, double *a, size_t stride) {
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t i = p + 1; i < n; i++) {
            double factor = a[i * stride + p] /= a[p * stride + p];
            for (uint32_t j = p + 1; j < n; j++) a[i * stride + j] -= factor * a[p * stride + j];
        }
}

static void lower_leaf(uint32_t n, uint32_t columns, const double *l, double *b, size_t stride) {
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t p = 0; p < i; p++) {
            double factor = l[i * stride + p];
            for (uint32_t j = 0; j < columns; j++) b[i * stride + j] -= factor * b[p * stride + j];
        }
}

static void upper_leaf(uint32_t n, uint32_t rows, const double *u, double *b, size_t stride) {
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t p = 0; p < n; p++) {
            double x = b[i * stride + p] /= u[p * stride + p];
            for (uint32_t j = p + 1; j < n; j++) b[i * stride + j] -= x * u[p * stride + j];
        }
}

/* Solves L X = B for X, in the place of B: n rows, and this number of columns. */
SVS_ASYNC_VOID(solve_lower, (uint32_t, n), (uint32_t, columns), (const double *, l), (double *, b),
               (size_t, stride)) {
    uint32_t half;
    if (columns > LEAF) {
        half = half_of(columns);
        SVS_ASYNC(solve_lower, n, half, l, b, stride);
        SVS_CALL(solve_lower, n, columns - half, l, b + half, stride);
        SVS_SYNC(solve_lower);
    } else if (n > LEAF) {
        half = half_of(n);
        SVS_CALL(solve_lower, half, columns, l, b, stride);
        SVS_CALL(multiply, n - half, columns, half, l + half * stride, b, b + half * stride, stride,
                 -1.0);
        SVS_CALL(solve_lower, n - half, columns, l + half * stride + half, b + half * stride,
                 stride);
    } else {
        lower_leaf(n, columns, l, b, stride);
    }
}

/* Solves X U = B for X, in the place of B: n columns, and this number of rows. */
SVS_ASYNC_VOID(solve_upper, (uint32_t, n), (uint32_t, rows), (const double *, u), (double *, b),
               (size_t, stride)) {
    uint32_t half;
    if (rows > LEAF) {
        half = half_of(rows);
        SVS_ASYNC(solve_upper, n, half, u, b, stride);
        SVS_CALL(solve_upper, n, rows - half, u, b + half * stride, stride);
        SVS_SYNC(solve_upper);
    } else if (n > LEAF) {
        half = half_of(n);
        SVS_CALL(solve_upper, half, rows, u, b, stride);
        SVS_CALL(multiply, rows, n - half, half, b, u + half, b + half, stride, -1.0);
        SVS_CALL(solve_upper, n - half, rows, u + half * stride + half, b + half, stride);
    } else {
        upper_leaf(n, rows, u, b, stride);
    }
}

SVS_ASYNC_VOID(factor, (uint32_t, n), (double *, a), (size_t, stride)) {
    uint32_t half = half_of(n), rest = n - half;
    double *right = a + half, *below = a + half * stride, *corner = below + half;
    if (n <= LEAF) {
        factor_leaf(n, a, stride);
        return;
    }
    SVS_CALL(factor, half, a, stride);
    SVS_ASYNC(solve_lower, half, rest, a, right, stride);
    SVS_CALL(solve_upper, half, rest, a, below, stride);
    SVS_SYNC(solve_lower);
    SVS_CALL(multiply, rest, rest, half, below, right, corner, stride, -1.0);
    SVS_CALL(factor, rest, corner, stride);
}

static double input(const problem *p, size_t row, size_t column) {
    return dense_random(BENCH_SEED, row, column) + (row == column ? p->n : 0);
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->n = (uint32_t)size->values[0];
    p->stride = dense_stride(p->n);
    p->matrix = bench_allocate(p->n * p->stride, sizeof *p->matrix);
    return p;
}

static void reset(void *argument) {
    problem *p = argument;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) p->matrix[i * p->stride + j] = input(p, i, j);
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    SVS_CALL_ON(async, factor, p->n, p->matrix, p->stride);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->matrix, p->n * p->stride * sizeof *p->matrix};
}

/* L (U x) against A x, for a random x. */
static double error(void *argument) {
    const problem *p = argument;
    double *vectors = bench_allocate(4 * (size_t)p->n, sizeof *vectors), distance;
    double *x = vectors, *ux = x + p->n, *lux = ux + p->n, *ax = lux + p->n;
    for (size_t i = 0; i < p->n; i++) x[i] = dense_random(BENCH_SEED + 1, i, 0);
    for (size_t i = 0; i < p->n; i++) {
        const double *row = p->matrix + i * p->stride;
        for (size_t j = i; j < p->n; j++) ux[i] += row[j] * x[j];
        for (size_t j = 0; j < p->n; j++) ax[i] += input(p, i, j) * x[j];
    }
    for (size_t i = 0; i < p->n; i++) {
        const double *row = p->matrix + i * p->stride;
        lux[i] = ux[i];
        for (size_t j = 0; j < i; j++) lux[i] += row[j] * ux[j];
    }
    distance = dense_distance(p->n, lux, ax);
    free(vectors);
    return distance;
}

static void release(void *argument) {
    problem *p = argument;
    free(p->matrix);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "lu",
    .summary = "The LU decomposition of a dense matrix of N by N, by quarters, without pivoting.",
    .parameters = {{"N", 300, 1024, 1024, 1, 20000}},
    .reset = reset,
    CILK_FUNCTIONS,
};
