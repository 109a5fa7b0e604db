/* Heat on a square plate with a cold rim: STEPS times, each inner point of a grid of NX by NY moves
 * towards the mean of its neighbours. In each step the rows are halved until few are left;
 * one finish waits for all of a step. By the generic calls.
 *
 * The plate begins with a sum of sines, whose answer after any number of steps is known. */
#include "common.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_GRAIN = 8 };

static const double RATE = 0.2; /* of what a neighbour differs; stable up to 1/4 */

typedef struct problem {
    size_t nx, ny; /* points, the rim included; rows of ny */
    uint32_t steps;
    double *now, *next;
} problem;

typedef struct sweep {
    const problem *problem;
    size_t begin, end; /* rows */
} sweep;

static void move_row(const double *restrict above, const double *restrict row,
                     const double *restrict below, double *restrict next, size_t ny) {
    for (size_t j = 1; j + 1 < ny; j++)
        next[j] = row[j] + RATE * (above[j] + below[j] + row[j - 1] + row[j + 1] - 4 * row[j]);
}

static void move_rows(svs_async_context *async, void *argument) {
    sweep s = *(const sweep *)argument;
    const problem *p = s.problem;
    while (s.end - s.begin > ROWS_GRAIN) {
        sweep half = s;
        half.begin = s.end = s.begin + (s.end - s.begin) / 2;
        svs_async(async, move_rows, &half, sizeof half);
    }
    for (size_t i = s.begin; i < s.end; i++) {
        const double *row = p->now + i * p->ny;
        move_row(row - p->ny, row, row + p->ny, p->next + i * p->ny, p->ny);
    }
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    for (uint32_t step = 0; step < p->steps; step++) {
        sweep inner = {p, 1, p->nx - 1};
        double *now = p->now;
        svs_finish(async, move_rows, &inner);
        p->now = p->next;
        p->next = now;
    }
}

/* Waves over a side of n points: the value of one at a point, and what a step leaves of the
 * differences along that side. */
static double wave(unsigned waves, size_t i, size_t n) {
    return sin(acos(-1) * waves * (double)i / (double)(n - 1));
}
static double step_of(unsigned waves, size_t n) {
    double s = sin(acos(-1) * waves / (2 * (double)(n - 1)));
    return 4 * RATE * s * s;
}

/* Two modes of the grid: each only shrinks by a factor in each step. */
static double exact(const problem *p, size_t i, size_t j, uint32_t steps) {
    double slow = 1 - step_of(1, p->nx) - step_of(1, p->ny);
    double fast = 1 - step_of(5, p->nx) - step_of(3, p->ny);
    return wave(1, i, p->nx) * wave(1, j, p->ny) * pow(slow, steps) +
           wave(5, i, p->nx) * wave(3, j, p->ny) * pow(fast, steps) / 2;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    p->nx = size->values[0];
    p->ny = size->values[1];
    p->steps = (uint32_t)size->values[2];
    p->now = bench_allocate(p->nx * p->ny, sizeof *p->now);
    p->next = bench_allocate(p->nx * p->ny, sizeof *p->next);
    return p;
}

static int is_rim(const problem *p, size_t i, size_t j) {
    return i == 0 || j == 0 || i == p->nx - 1 || j == p->ny - 1;
}

static void reset(void *argument) {
    problem *p = argument;
    for (size_t i = 0; i < p->nx; i++)
        for (size_t j = 0; j < p->ny; j++) {
            p->now[i * p->ny + j] = is_rim(p, i, j) ? 0 : exact(p, i, j, 0);
            p->next[i * p->ny + j] = 0;
        }
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->now, p->nx * p->ny * sizeof *p->now};
}

static double error(void *argument) {
    const problem *p = argument;
    double largest = 0;
    for (size_t i = 0; i < p->nx; i++)
        for (size_t j = 0; j < p->ny; j++) {
            double right = is_rim(p, i, j) ? 0 : exact(p, i, j, p->steps);
            double difference = fabs(p->now[i * p->ny + j] - right);
            if (!isfinite(difference)) return INFINITY;
            largest = fmax(largest, difference);
        }
    return largest;
}

static void release(void *argument) {
    problem *p = argument;
    free(p->now);
    free(p->next);
    free(p);
}

const cilk_program CILK_PROGRAM = {
    .name = "heat",
    .summary = "STEPS Jacobi steps of the heat equation on NX by NY points.",
    .parameters = {{"NX", 400, 4096, 4096, 3, 65536},
                   {"NY", 300, 4096, 4096, 3, 65536},
                   {"STEPS", 10, 5, 5, 0, 1000000}},
    .reset = reset,
    CILK_FUNCTIONS,
};
