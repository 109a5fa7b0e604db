/* Two plain loops, a task for each row or for fifty: nearly all of their time goes into accesses,
 * as in what is most often measured of race checkers. */
#include "cilk/dense.h"
#include "cilk/program.h"
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the product of two matrices of n by n, a row a task ---- */

typedef struct product {
    size_t n;
    double *a, *b, *c;
} product;

typedef struct product_row {
    const product *product;
    size_t row;
} product_row;

static void multiply_row(svs_async_context *async, void *argument) {
    const product_row *r = argument;
    size_t n = r->product->n;
    const double *a = r->product->a + r->row * n, *b = r->product->b;
    double *c = r->product->c + r->row * n;
    (void)async;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t k = 0; k < n; k++) sum += a[k] * b[k * n + j];
        c[j] = sum;
    }
}

static void multiply_rows(svs_async_context *async, void *argument) {
    product_row r = {argument, 0};
    for (; r.row < r.product->n; r.row++) svs_async(async, multiply_row, &r, sizeof r);
}

static void *product_make(const cilk_size *size) {
    product *p = bench_allocate(1, sizeof *p);
    p->n = size->values[0];
    p->a = bench_allocate(3 * p->n * p->n, sizeof *p->a);
    p->b = p->a + p->n * p->n;
    p->c = p->b + p->n * p->n;
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            p->a[i * p->n + j] = dense_random(BENCH_SEED, i, j);
            p->b[i * p->n + j] = dense_random(BENCH_SEED + 1, i, j);
        }
    return p;
}

static cilk_span product_result(void *argument) {
    product *p = argument;
    return (cilk_span){p->c, p->n * p->n * sizeof *p->c};
}

static double product_error(void *argument) {
    const product *p = argument;
    return dense_product_error(p->n, p->n, dense_apply, p->a, p->b, p->c);
}

static void product_release(void *argument) {
    product *p = argument;
    free(p->a);
    free(p);
}

const cilk_program racecheck_loop_matmul = {
    .name = "loop-matmul",
    .summary = "The product of two matrices of N by N, a task for each row.",
    .parameters = {{"N", 100, 400, 400, 1, 4000}},
    .make = product_make,
    .run = multiply_rows,
    .result = product_result,
    .error = product_error,
    .release = product_release,
};

/* ---- heat on a plate of n by n with a constant rim ---- */

enum { ROWS = 50 };
static const double SHARE = 0.2; /* of a point and of its four neighbours */

typedef struct plate {
    size_t n, steps;
    double *first, *now, *next;
} plate;

typedef struct plate_rows {
    const plate *plate;
    size_t begin;
} plate_rows;

static void move_rows(svs_async_context *async, void *argument) {
    const plate_rows *r = argument;
    size_t n = r->plate->n, end = r->begin + ROWS < n - 1 ? r->begin + ROWS : n - 1;
    (void)async;
    for (size_t i = r->begin; i < end; i++) {
        const double *row = r->plate->now + i * n, *above = row - n, *below = row + n;
        double *next = r->plate->next + i * n;
        for (size_t j = 1; j + 1 < n; j++)
            next[j] = SHARE * (row[j] + above[j] + below[j] + row[j - 1] + row[j + 1]);
    }
}

static void spread(svs_async_context *async, void *argument) {
    plate_rows r = {argument, 1};
    for (; r.begin < r.plate->n - 1; r.begin += ROWS) svs_async(async, move_rows, &r, sizeof r);
}

static void heat_run(svs_async_context *async, void *argument) {
    plate *p = argument;
    for (size_t step = 0; step < p->steps; step++) {
        double *now = p->now;
        svs_finish(async, spread, p);
        p->now = p->next;
        p->next = now;
    }
}

/* A wave over a side. The factor by which a step damps it is known. */
static double wave(const plate *p, size_t i) {
    return sin(acos(-1) * (double)i / (double)(p->n - 1));
}

static void *heat_make(const cilk_size *size) {
    plate *p = bench_allocate(1, sizeof *p);
    p->n = size->values[0];
    p->steps = size->values[1];
    p->first = bench_allocate(2 * p->n * p->n, sizeof *p->first);
    p->now = p->first;
    p->next = p->first + p->n * p->n;
    for (size_t i = 1; i < p->n - 1; i++)
        for (size_t j = 1; j < p->n - 1; j++) p->now[i * p->n + j] = wave(p, i) * wave(p, j);
    return p;
}

static cilk_span heat_result(void *argument) {
    plate *p = argument;
    return (cilk_span){p->now, p->n * p->n * sizeof *p->now};
}

static double heat_error(void *argument) {
    const plate *p = argument;
    double side = cos(acos(-1) / (double)(p->n - 1)), largest = 0;
    double left = pow(SHARE * (1 + 4 * side), (double)p->steps);
    for (size_t i = 1; i < p->n - 1; i++)
        for (size_t j = 1; j < p->n - 1; j++) {
            double wrong = fabs(p->now[i * p->n + j] - left * wave(p, i) * wave(p, j));
            if (!isfinite(wrong)) return INFINITY;
            largest = fmax(largest, wrong);
        }
    return largest;
}

static void heat_release(void *argument) {
    plate *p = argument;
    free(p->first);
    free(p);
}

const cilk_program racecheck_loop_heat = {
    .name = "loop-heat",
    .summary = "STEPS steps of heat on a plate of N by N, a task for fifty rows.",
    .parameters = {{"N", 200, 1000, 1000, 3, 20000}, {"STEPS", 4, 30, 30, 1, 100000}},
    .make = heat_make,
    .run = heat_run,
    .result = heat_result,
    .error = heat_error,
    .release = heat_release,
};
