/* The product of two dense matrices of N by N. */
#include "common.h"
#include "multiply.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

typedef struct problem {
    uint32_t n;
    size_t stride;
    double *a, *b, *c;
} problem;

static double *random_matrix(const problem *p, uint64_t seed) {
    double *matrix = bench_allocate(p->n * p->stride, sizeof *matrix);
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++)
            matrix[i * p->stride + j] = dense_random(BENCH_SEED + seed, i, j);
    return matrix;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->n = (uint32_t)size->values[0];
    p->stride = dense_stride(p->n);
    p->a = random_matrix(p, 0);
    p->b = random_matrix(p, 1);
    p->c = bench_allocate(p->n * p->stride, sizeof *p->c);
    return p;
}

static void reset(void *argument) {
    problem *p = argument;
    memset(p->c, 0, p->n * p->stride * sizeof *p->c);
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    SVS_CALL_ON(async, multiply, p->n, p->n, p->n, p->a, p->b, p->c, p->stride, 1.0);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->c, p->n * p->stride * sizeof *p->c};
}

static double error(void *argument) {
    const problem *p = argument;
    return dense_product_error(p->n, p->stride, dense_apply, p->a, p->b, p->c);
}

static void release(void *argument) {
    problem *p = argument;
    free(p->a);
    free(p->b);
    free(p->c);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "matmul",
    .summary = "The product of two dense matrices of N by N, by halving the longest side.",
    .parameters = {{"N", 300, 3000, 3000, 1, 20000}},
    .reset = reset,
    CILK_FUNCTIONS,
};
