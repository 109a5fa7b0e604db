/* BODIES that attract each other, ITERATIONS steps of time. In each, one task for each body sums up
 * what all others do to it and changes its velocity; then all are moved. By the generic calls. */
#include "common.h"
#include "common/random.h"
#include "program.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 4 };

static const double TIME_STEP = 1e-4;
static const double SOFTENING = 1e-4; /* added to the squares of distances */
/* the relative drift of the energy that is accepted, for each unit of time */
static const double ENERGY_DRIFT = 0.01;

enum { X, Y, Z, AXES };

typedef struct problem {
    size_t bodies, room; /* room: bodies, up to a multiple of LANES; the rest have no mass */
    uint32_t iterations;
    double *mass, *at[AXES], *velocity[AXES];
    double *memory;
} problem;

typedef struct attraction {
    const problem *problem;
    size_t body;
} attraction;

/* Sums bodies up in vector lanes, which the compiler can use, always in one order. */
static void attract(svs_async_context *async, void *argument) {
    const attraction *a = argument;
    const problem *p = a->problem;
    const double *restrict x = p->at[X], *restrict y = p->at[Y], *restrict z = p->at[Z];
    const double *restrict mass = p->mass;
    const double at[AXES] = {x[a->body], y[a->body], z[a->body]};
    double sums[AXES][LANES] = {{0}};
    (void)async;
    for (size_t i = 0; i < p->room; i += LANES)
        for (size_t l = 0; l < LANES; l++) {
            double dx = x[i + l] - at[X], dy = y[i + l] - at[Y], dz = z[i + l] - at[Z];
            double square = dx * dx + dy * dy + dz * dz + SOFTENING;
            double pull = mass[i + l] / (square * sqrt(square));
            sums[X][l] += dx * pull;
            sums[Y][l] += dy * pull;
            sums[Z][l] += dz * pull;
        }
    for (int axis = 0; axis < AXES; axis++) {
        double sum = (sums[axis][0] + sums[axis][1]) + (sums[axis][2] + sums[axis][3]);
        p->velocity[axis][a->body] += TIME_STEP * sum;
    }
}

static void attract_all(svs_async_context *async, void *argument) {
    problem *p = argument;
    for (size_t i = 0; i < p->bodies; i++) {
        attraction one = {p, i};
        svs_async(async, attract, &one, sizeof one);
    }
}

static void run(svs_async_context *async, void *argument) {
    problem *p = argument;
    for (uint32_t iteration = 0; iteration < p->iterations; iteration++) {
        svs_finish(async, attract_all, p);
        for (int axis = 0; axis < AXES; axis++)
            for (size_t i = 0; i < p->bodies; i++)
                p->at[axis][i] += TIME_STEP * p->velocity[axis][i];
    }
}

static double coordinate(size_t body, uint64_t which) {
    return 2 * random_unit_of(random_hash(BENCH_SEED, body, which)) - 1;
}

static void reset(void *argument) {
    problem *p = argument;
    for (size_t i = 0; i < p->bodies; i++) {
        p->mass[i] = (1.5 + coordinate(i, 6)) / (double)p->bodies;
        for (int axis = 0; axis < AXES; axis++) {
            p->at[axis][i] = coordinate(i, (uint64_t)axis);
            p->velocity[axis][i] = coordinate(i, (uint64_t)(AXES + axis));
        }
    }
}

static double energy_of(const problem *p) {
    double energy = 0;
    for (size_t i = 0; i < p->bodies; i++) {
        double speed = 0, depth = 0;
        for (int axis = 0; axis < AXES; axis++)
            speed += p->velocity[axis][i] * p->velocity[axis][i];
        for (size_t j = 0; j < i; j++) {
            double square = SOFTENING;
            for (int axis = 0; axis < AXES; axis++) {
                double d = p->at[axis][i] - p->at[axis][j];
                square += d * d;
            }
            depth += p->mass[j] / sqrt(square);
        }
        energy += p->mass[i] * (speed / 2 - depth);
    }
    return energy;
}

static void *make(const cilk_size *size) {
    problem *p = bench_allocate(1, sizeof *p);
    double *next;
    p->bodies = size->values[0];
    p->iterations = (uint32_t)size->values[1];
    p->room = (p->bodies + LANES - 1) / LANES * LANES;
    p->memory = bench_allocate((1 + 2 * AXES) * p->room, sizeof *p->memory);
    p->mass = next = p->memory;
    for (int axis = 0; axis < AXES; axis++) {
        p->at[axis] = next += p->room;
        p->velocity[axis] = next += p->room;
    }
    reset(p);
    return p;
}

static cilk_span result(void *argument) {
    problem *p = argument;
    return (cilk_span){p->memory, (1 + 2 * AXES) * p->room * sizeof *p->memory};
}

static void release(void *argument) {
    problem *p = argument;
    free(p->memory);
    free(p);
}

/* Invariants of a step, but for rounding: momentum and its moment are constant; the centre moves
 * along a line. */
typedef struct motion {
    double momentum[AXES], moment[AXES], centre[AXES];
} motion;

static motion motion_of(const problem *p) {
    motion m = {{0}, {0}, {0}};
    for (size_t i = 0; i < p->bodies; i++)
        for (int axis = 0; axis < AXES; axis++) {
            int b = (axis + 1) % AXES, c = (axis + 2) % AXES;
            m.momentum[axis] += p->mass[i] * p->velocity[axis][i];
            m.centre[axis] += p->mass[i] * p->at[axis][i];
            m.moment[axis] +=
                p->mass[i] * (p->at[b][i] * p->velocity[c][i] - p->at[c][i] * p->velocity[b][i]);
        }
    return m;
}

static double error(void *argument) {
    const problem *p = argument;
    const cilk_size size = {{p->bodies, p->iterations}, 0};
    double time = p->iterations * TIME_STEP, largest = 0, energy;
    problem *begin = make(&size);
    motion before = motion_of(begin), after = motion_of(p);
    for (int axis = 0; axis < AXES; axis++) {
        double centre = before.centre[axis] + time * before.momentum[axis];
        if (!isfinite(after.momentum[axis] + after.moment[axis] + after.centre[axis]))
            largest = INFINITY;
        largest = fmax(largest, fabs(after.momentum[axis] - before.momentum[axis]));
        largest = fmax(largest, fabs(after.moment[axis] - before.moment[axis]));
        largest = fmax(largest, fabs(after.centre[axis] - centre));
    }
    energy = energy_of(begin);
    /* Not kept exactly by steps of finite length; it would be far off with a wrong force. */
    if (!(fabs(energy_of(p) - energy) <= ENERGY_DRIFT * time * fabs(energy))) largest = INFINITY;
    release(begin);
    return largest;
}

const cilk_program CILK_PROGRAM = {
    .name = "nbody",
    .summary = "BODIES that attract each other for ITERATIONS steps, a task for each body in each.",
    .parameters = {{"BODIES", 600, 8192, 8192, 1, 1000000}, {"ITERATIONS", 5, 15, 15, 0, 1000000}},
    .reset = reset,
    CILK_FUNCTIONS,
};
