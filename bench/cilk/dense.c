#include "dense.h"
#include "common.h"
#include "common/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8, TILE = 4, PAIRS = TILE / 2 };

/* Two numbers in a register. */
typedef double pair __attribute__((vector_size(16)));

static inline pair load(const double *from) {
    pair v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(double *to, pair v) { memcpy(to, &v, sizeof v); }

size_t dense_stride(size_t n) {
    size_t lines = (n + LINE - 1) / LINE;
    return (lines | 1) * LINE;
}

double dense_random(uint64_t seed, size_t row, size_t column) {
    return 2 * random_unit_of(random_hash(seed, row, column)) - 1;
}

/* Computes 4 by 4 numbers of c, which stay in registers for all of k. */
static inline void multiply_tile(size_t k, const double *restrict a, size_t a_stride,
                                 const double *restrict b, size_t b_stride, double *restrict c,
                                 size_t c_stride, double sign) {
    pair sum[TILE][PAIRS] = {{{0}}};
    for (size_t p = 0; p < k; p++)
        for (size_t i = 0; i < TILE; i++)
            for (size_t j = 0; j < PAIRS; j++)
                sum[i][j] += a[i * a_stride + p] * load(b + p * b_stride + 2 * j);
    for (size_t i = 0; i < TILE; i++)
        for (size_t j = 0; j < PAIRS; j++) {
            double *to = c + i * c_stride + 2 * j;
            store(to, load(to) + sign * sum[i][j]);
        }
}

static void multiply_edge(size_t m, size_t n, size_t k, const double *restrict a, size_t a_stride,
                          const double *restrict b, size_t b_stride, double *restrict c,
                          size_t c_stride, double sign) {
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t p = 0; p < k; p++) sum += a[i * a_stride + p] * b[p * b_stride + j];
            c[i * c_stride + j] += sign * sum;
        }
}

void dense_multiply_add(size_t m, size_t n, size_t k, const double *a, size_t a_stride,
                        const double *b, size_t b_stride, double *c, size_t c_stride, double sign) {
    size_t rows = m - m % TILE, columns = n - n % TILE;
    for (size_t j = 0; j < columns; j += TILE)
        for (size_t i = 0; i < rows; i += TILE)
            multiply_tile(k, a + i * a_stride, a_stride, b + j, b_stride, c + i * c_stride + j,
                          c_stride, sign);
    multiply_edge(rows, n - columns, k, a, a_stride, b + columns, b_stride, c + columns, c_stride,
                  sign);
    multiply_edge(m - rows, n, k, a + rows * a_stride, a_stride, b, b_stride, c + rows * c_stride,
                  c_stride, sign);
}

void dense_apply(size_t n, const double *a, size_t stride, const double *x, double *y) {
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += a[i * stride + j] * x[j];
        y[i] = sum;
    }
}

double dense_distance(size_t n, const double *y, const double *right) {
    double largest = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(y[i] - right[i]);
        if (!isfinite(difference)) return INFINITY;
        largest = fmax(largest, difference);
        scale = fmax(scale, fabs(right[i]));
    }
    return scale > 0 ? largest / scale : largest;
}

double dense_product_error(size_t n, size_t stride, dense_apply_function *apply, const double *a,
                           const double *b, const double *c) {
    double *vectors = bench_allocate(4 * n, sizeof *vectors), distance;
    double *x = vectors, *bx = x + n, *abx = bx + n, *cx = abx + n;
    for (size_t i = 0; i < n; i++) x[i] = dense_random(BENCH_SEED + 2, i, 0);
    apply(n, b, stride, x, bx);
    apply(n, a, stride, bx, abx);
    apply(n, c, stride, x, cx);
    distance = dense_distance(n, cx, abx);
    free(vectors);
    return distance;
}
