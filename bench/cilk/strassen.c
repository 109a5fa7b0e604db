/* The product of two dense matrices of N by N by seven products of quarters (Strassen's, with
 * Winograd's fifteen sums), down to blocks that are multiplied as they are.
 *
 * A matrix is stored quarter by quarter (upper left, upper right, lower left, lower right), and
 * each quarter in the same way, down to blocks of LEAF rows. So every quarter is contiguous, and a
 * sum of quarters is a sum of arrays. */
#include "common.h"
#include "dense.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 64, SUM_GRAIN = 16384 };

typedef struct problem {
    uint32_t n;
    double *a, *b, *c;
} problem;

/* The quarters of the operands and of the product, and the intermediate sums and products. */
typedef struct quarters {
    const double *a[4], *b[4];
    double *c[4];
    double *s[4], *t[4], *p[3];
    double *memory;
} quarters;

static int quarters_init(quarters *q, size_t count, const double *a, const double *b, double *c) {
    enum { TEMPORARIES = 11 };
    q->memory = malloc(TEMPORARIES * count * sizeof *q->memory);
    if (!q->memory) return 0;
    for (size_t i = 0; i < 4; i++) {
        q->a[i] = a + i * count;
        q->b[i] = b + i * count;
        q->c[i] = c + i * count;
        q->s[i] = q->memory + i * count;
        q->t[i] = q->memory + (4 + i) * count;
        if (i < 3) q->p[i] = q->memory + (8 + i) * count;
    }
    return 1;
}

/* Number `begin` to `end` of the operands of the products. */
SVS_ASYNC_VOID(sum_before, (const quarters *, q), (size_t, begin), (size_t, end)) {
    if (end - begin > SUM_GRAIN) {
        size_t middle = begin + (end - begin) / 2;
        SVS_ASYNC(sum_before, q, begin, middle);
        SVS_CALL(sum_before, q, middle, end);
        SVS_SYNC(sum_before);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        double s0 = q->a[2][i] + q->a[3][i], s1 = s0 - q->a[0][i];
        double t0 = q->b[1][i] - q->b[0][i], t1 = q->b[3][i] - t0;
        q->s[0][i] = s0;
        q->s[1][i] = s1;
        q->s[2][i] = q->a[0][i] - q->a[2][i];
        q->s[3][i] = q->a[1][i] - s1;
        q->t[0][i] = t0;
        q->t[1][i] = t1;
        q->t[2][i] = q->b[3][i] - q->b[1][i];
        q->t[3][i] = t1 - q->b[2][i];
    }
}

/* The quarters of the product, of the products in them and in p. */
SVS_ASYNC_VOID(sum_after, (const quarters *, q), (size_t, begin), (size_t, end)) {
    if (end - begin > SUM_GRAIN) {
        size_t middle = begin + (end - begin) / 2;
        SVS_ASYNC(sum_after, q, begin, middle);
        SVS_CALL(sum_after, q, middle, end);
        SVS_SYNC(sum_after);
        return;
    }
    for (size_t i = begin; i < end; i++) {
        double u = q->p[0][i] + q->p[2][i], v = u + q->c[3][i];
        q->c[0][i] += q->p[0][i];
        q->c[1][i] += u + q->p[1][i];
        q->c[2][i] = v - q->c[2][i];
        q->c[3][i] = v + q->p[1][i];
    }
}

SVS_ASYNC_VOID(strassen, (uint32_t, n), (const double *, a), (const double *, b), (double *, c)) {
    size_t count = (size_t)n * n / 4;
    uint32_t half = n / 2;
    quarters q;
    if (n <= LEAF) {
        memset(c, 0, (size_t)n * n * sizeof *c);
        dense_multiply_add(n, n, n, a, n, b, n, c, n, 1);
        return;
    }
    if (!quarters_init(&q, count, a, b, c)) bench_fail("no memory for the sums of quarters");
    SVS_CALL(sum_before, &q, 0, count);
    SVS_ASYNC(strassen, half, q.a[0], q.b[0], q.p[0]);
    SVS_ASYNC(strassen, half, q.s[0], q.t[0], q.p[1]);
    SVS_ASYNC(strassen, half, q.s[1], q.t[1], q.p[2]);
    SVS_ASYNC(strassen, half, q.a[1], q.b[2], q.c[0]);
    SVS_ASYNC(strassen, half, q.s[3], q.b[3], q.c[1]);
    SVS_ASYNC(strassen, half, q.a[3], q.t[3], q.c[2]);
    SVS_CALL(strassen, half, q.s[2], q.t[2], q.c[3]);
    SVS_SYNC(strassen);
    SVS_CALL(sum_after, &q, 0, count);
    free(q.memory);
}

/* The place of a number in a matrix that is stored by quarters. */
static size_t place_of(size_t n, size_t row, size_t column) {
    size_t place = 0;
    for (; n > LEAF; n /= 2) {
        size_t half = n / 2, quarter = row / half * 2 + column / half;
        place += quarter * half * half;
        row %= half;
        column %= half;
    }
    return place + row * n + column;
}

static double *random_matrix(size_t n, uint64_t seed) {
    double *matrix = bench_allocate(n * n, sizeof *matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            matrix[place_of(n, i, j)] = dense_random(BENCH_SEED + seed, i, j);
    return matrix;
}

static const char *refuse(const cilk_size *size) {
    return size->values[0] & (size->values[0] - 1) ? "N is no power of two" : NULL;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->n = (uint32_t)size->values[0];
    p->a = random_matrix(p->n, 0);
    p->b = random_matrix(p->n, 1);
    p->c = bench_allocate((size_t)p->n * p->n, sizeof *p->c);
    return p;
}

static void reset(void *argument) {
    problem *p = argument;
    memset(p->c, 0, (size_t)p->n * p->n * sizeof *p->c);
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    SVS_CALL_ON(async, strassen, p->n, p->a, p->b, p->c);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->c, (size_t)p->n * p->n * sizeof *p->c};
}

/* y = matrix x. */
static void apply(size_t n, const double *matrix, size_t stride, const double *x, double *y) {
    (void)stride;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += matrix[place_of(n, i, j)] * x[j];
        y[i] = sum;
    }
}

static double error(void *argument) {
    const problem *p = argument;
    return dense_product_error(p->n, 0, apply, p->a, p->b, p->c);
}

static void release(void *argument) {
    problem *p = argument;
    free(p->a);
    free(p->b);
    free(p->c);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "strassen",
    .summary = "The product of two dense matrices of N by N, a power of two, by seven products of "
               "quarters.",
    .parameters = {{"N", 512, 4096, 4096, 1, 16384}},
    .refuse = refuse,
    .reset = reset,
    CILK_FUNCTIONS,
};
