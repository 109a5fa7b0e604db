/* A = L L^T of a sparse symmetric matrix of N by N with Z random numbers below the diagonal. A
 * matrix is a tree of quarters (upper left, upper right, lower left, lower right) down to dense
 * blocks; a quarter without any number is NULL, and what fills up is made on the way. */
#include "common.h"
#include "common/random.h"
#include "dense.h"
#include "program.h"
#include "quadtree.h"

#include <math.h>
#include <stdlib.h>

typedef struct problem {
    size_t n, side; /* side: that of the tree, n or more; the rest of its diagonal is 1 */
    size_t count;
    quad_entry *input; /* the lower triangle */
    void *tree;
    quad_entry *output;
    size_t output_count;
} problem;

/* c -= a b^T; of a c on the diagonal the lower triangle alone counts. */
SVS_ASYNC_DECLARE_VOID(subtract, (size_t, n), (void **, c), (const void *, a), (const void *, b),
                       (int, lower))

/* Two subtractions, in sequence. */
SVS_ASYNC_VOID(subtract_two, (size_t, n), (void **, c), (const quad_node *, a),
               (const quad_node *, b), (int, row), (int, column), (int, lower)) {
    for (int k = 0; k < 2; k++)
        SVS_CALL(subtract, n, c, a->quarter[2 * row + k], b->quarter[2 * column + k], lower);
}

SVS_ASYNC_DEFINE(void, subtract, (size_t, n), (void **, c), (const void *, a), (const void *, b),
                 (int, lower)) {
    const quad_node *x = a, *y = b;
    quad_node *to;
    if (!a || !b) return;
    if (n == QUAD_BLOCK) {
        if (!*c) *c = quad_block_new();
        quad_block_subtract(*c, a, b);
        return;
    }
    if (!*c) *c = quad_node_new();
    to = *c;
    SVS_ASYNC(subtract_two, n / 2, &to->quarter[0], x, y, 0, 0, lower);
    if (!lower) SVS_ASYNC(subtract_two, n / 2, &to->quarter[1], x, y, 0, 1, 0);
    SVS_ASYNC(subtract_two, n / 2, &to->quarter[2], x, y, 1, 0, 0);
    SVS_CALL(subtract_two, n / 2, &to->quarter[3], x, y, 1, 1, lower);
    SVS_SYNC(subtract_two);
    if (quad_node_is_empty(to)) {
        free(to);
        *c = NULL;
    }
}

SVS_ASYNC_DECLARE_VOID(solve, (size_t, n), (const void *, l), (void **, x))

/* The upper or the lower two quarters of x. */
SVS_ASYNC_VOID(solve_half, (size_t, n), (const quad_node *, l), (void **, x)) {
    SVS_CALL(solve, n, l->quarter[0], &x[0]);
    SVS_CALL(subtract, n, &x[1], x[0], l->quarter[2], 0);
    SVS_CALL(solve, n, l->quarter[3], &x[1]);
}

/* X of X L^T = B in the place of B. */
SVS_ASYNC_DEFINE(void, solve, (size_t, n), (const void *, l), (void **, x)) {
    quad_node *node = *x;
    if (!node) return;
    if (n == QUAD_BLOCK) {
        quad_block_solve(l, *x);
        return;
    }
    SVS_ASYNC(solve_half, n / 2, l, &node->quarter[0]);
    SVS_CALL(solve_half, n / 2, l, &node->quarter[2]);
    SVS_SYNC(solve_half);
}

SVS_ASYNC_VOID(factor, (size_t, n), (void *, a)) {
    quad_node *node = a;
    if (n == QUAD_BLOCK) {
        quad_block_factor(a);
        return;
    }
    SVS_CALL(factor, n / 2, node->quarter[0]);
    SVS_CALL(solve, n / 2, node->quarter[0], &node->quarter[2]);
    SVS_CALL(subtract, n / 2, &node->quarter[3], node->quarter[2], node->quarter[2], 1);
    SVS_CALL(factor, n / 2, node->quarter[3]);
}

/* The places of the numbers, and a diagonal larger than the sum of all others in its row. */
static void random_input(problem *p, size_t others) {
    random_source random = {BENCH_SEED};
    quad_entry *diagonal = p->input;
    p->count = p->n + others;
    for (size_t i = 0; i < p->n; i++) diagonal[i] = (quad_entry){(uint32_t)i, (uint32_t)i, 1};
    for (size_t i = p->n; i < p->count; i++) {
        uint32_t row = 1 + (uint32_t)random_below(&random, p->n - 1);
        uint32_t column = (uint32_t)random_below(&random, row);
        double value = 2 * random_unit(&random) - 1;
        p->input[i] = (quad_entry){row, column, value};
        diagonal[row].value += fabs(value);
        diagonal[column].value += fabs(value);
    }
}

static const char *refuse(const cilk_size *size) {
    return size->values[0] < 2 && size->values[1] ? "Z must be 0 for this N" : NULL;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->n = size->values[0];
    p->side = QUAD_BLOCK;
    while (p->side < p->n) p->side *= 2;
    p->input = bench_allocate(p->n + size->values[1], sizeof *p->input);
    random_input(p, size->values[1]);
    return p;
}

static void reset(void *argument) {
    problem *p = argument;
    quad_free(p->tree, p->side);
    free(p->output);
    p->tree = NULL;
    p->output = NULL;
    for (size_t i = 0; i < p->count; i++) quad_add(&p->tree, p->side, p->input[i]);
    for (size_t i = p->n; i < p->side; i++)
        quad_add(&p->tree, p->side, (quad_entry){(uint32_t)i, (uint32_t)i, 1});
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    SVS_CALL_ON(async, factor, p->side, p->tree);
}

static cilk_span result(void *argument) {
    problem *p = argument;
    if (!p->output) p->output = quad_entries_new(p->tree, p->side, p->n, &p->output_count);
    return (cilk_span){p->output, p->output_count * sizeof *p->output};
}

static uint64_t answer(void *argument) { return result(argument).bytes / sizeof(quad_entry); }

static int is_inside(const problem *p, const quad_entry *e) {
    return e->row < p->n && e->column <= e->row;
}

/* L (L^T x) against A x, for a random x. */
static double error(void *argument) {
    problem *p = argument;
    double *vectors = bench_allocate(4 * p->n, sizeof *vectors), distance = 0;
    double *x = vectors, *ltx = x + p->n, *lltx = ltx + p->n, *ax = lltx + p->n;
    result(p);
    for (size_t i = 0; i < p->n; i++) x[i] = dense_random(BENCH_SEED + 1, i, 0);
    for (size_t i = 0; i < p->count; i++) {
        const quad_entry *e = &p->input[i];
        ax[e->row] += e->value * x[e->column];
        if (e->row != e->column) ax[e->column] += e->value * x[e->row];
    }
    for (size_t i = 0; i < p->output_count; i++) {
        const quad_entry *e = &p->output[i];
        if (is_inside(p, e)) ltx[e->column] += e->value * x[e->row];
        else distance = INFINITY;
    }
    for (size_t i = 0; i < p->output_count; i++) {
        const quad_entry *e = &p->output[i];
        if (is_inside(p, e)) lltx[e->row] += e->value * ltx[e->column];
    }
    distance = fmax(distance, dense_distance(p->n, lltx, ax));
    free(vectors);
    return distance;
}

static void release(void *argument) {
    problem *p = argument;
    quad_free(p->tree, p->side);
    free(p->input);
    free(p->output);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "cholesky",
    .summary = "The Cholesky decomposition of a sparse symmetric matrix of N by N with Z random "
               "numbers below the diagonal; answer= counts the numbers of the factor.",
    .parameters = {{"N", 500, 2048, 2048, 1, 16384}, {"Z", 3000, 20000, 20000, 0, 100000000}},
    .refuse = refuse,
    .reset = reset,
    .answer = answer,
    CILK_FUNCTIONS,
};
