/* The passes over pairs of particles. The order of the sums is PARSEC's: a particle of the cell,
 * then the particles before it in its cell, then the neighbour cells with x outermost. */
#include <math.h>

#include "fluid.h"

#define DOUBLE_REST_DENSITY 2000.0f
#define LEAST_DISTANCE_SQUARED 1e-12f
#define RANGES_MAX 14

/* Marks functions that only read, and read only data that no thread writes in the pass. A guard
 * that instruments each access may skip them. */
#ifndef PAIRS_PURE
#define PAIRS_PURE
#endif

/* Particles begin .. end-1. */
typedef struct range {
    uint32_t begin, end;
} range;

/* The partners of the particles of a cell: earlier particles of the cell, and the particles of its
 * neighbours of lower number. */
typedef struct partners {
    uint32_t count;
    range *own; /* the first range; its end is the particle that is being paired */
    range ranges[RANGES_MAX];
} partners;

static uint32_t least(uint32_t at) { return at ? at - 1 : 0; }
static uint32_t most(uint32_t at, uint32_t count) { return at + 1 < count ? at + 1 : at; }

PAIRS_PURE static void find_partners(const fluid *f, uint32_t x, uint32_t y, uint32_t z,
                                     partners *found) {
    uint32_t cell = fluid_cell(f, x, y, z), y1 = most(y, f->ny), x1 = most(x, f->nx);
    found->own = &found->ranges[0];
    found->own->begin = fluid_first(f)[cell];
    found->count = 1;
    for (uint32_t i = least(x); i <= x1; i++)
        for (uint32_t j = least(y); j <= y1; j++)
            for (uint32_t k = least(z); k <= z; k++) {
                uint32_t other = fluid_cell(f, i, j, k);
                if (other >= cell || fluid_first(f)[other] == fluid_first(f)[other + 1]) continue;
                found->ranges[found->count++] =
                    (range){fluid_first(f)[other], fluid_first(f)[other + 1]};
            }
}

PAIRS_PURE static vec3 place_of(const fluid *f, uint32_t i) { return f->now.p[i]; }

static float squared(float dx, float dy, float dz) { return dx * dx + dy * dy + dz * dz; }

/* From the place of j to `at`, squared. */
PAIRS_PURE static float distance_squared(const fluid *f, vec3 at, uint32_t j) {
    const vec3 *p = f->now.p;
    return squared(at.x - p[j].x, at.y - p[j].y, at.z - p[j].z);
}

void fluid_cell_densities(fluid *f, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t cell = fluid_cell(f, x, y, z), end = fluid_first(f)[cell + 1];
    float *restrict density = f->density;
    const float radius = f->h_squared;
    if (fluid_first(f)[cell] == end) return;
    partners with;
    find_partners(f, x, y, z, &with);
    for (uint32_t i = fluid_first(f)[cell]; i < end; i++) {
        const vec3 at = place_of(f, i);
        float sum = density[i];
        with.own->end = i;
        for (uint32_t r = 0; r < with.count; r++)
            for (uint32_t j = with.ranges[r].begin; j < with.ranges[r].end; j++) {
                float distance = distance_squared(f, at, j);
                if (distance >= radius) continue;
                float t = radius - distance, cube = t * t * t;
                sum += cube;
                density[j] += cube;
            }
        density[i] = sum;
    }
}

/* The interaction of i, at `at`, with j: pressure, then viscosity. */
PAIRS_PURE static vec3 push_of_pair(const fluid *f, uint32_t i, uint32_t j, vec3 at) {
    const float *density = f->density;
    const vec3 *p = f->now.p, *v = f->now.v;
    vec3 apart = {at.x - p[j].x, at.y - p[j].y, at.z - p[j].z}, push;
    float distance = sqrtf(fmaxf(squared(apart.x, apart.y, apart.z), LEAST_DISTANCE_SQUARED));
    float depth = f->h - distance, near = depth * depth / distance;
    float over = density[i] + density[j] - DOUBLE_REST_DENSITY;
    float per_density = 1.0f / (density[i] * density[j]);
    float pressure = f->pressure_scale, viscosity = f->viscosity_scale;
#define AXIS(axis)                                                                                 \
    do {                                                                                           \
        push.axis = apart.axis * pressure * near * over;                                           \
        push.axis += (v[j].axis - v[i].axis) * viscosity * depth;                                  \
        push.axis *= per_density;                                                                  \
    } while (0)
    AXIS(x);
    AXIS(y);
    AXIS(z);
#undef AXIS
    return push;
}

static void push_pair(const fluid *f, uint32_t i, uint32_t j, vec3 push) {
    f->a[i].x += push.x;
    f->a[j].x -= push.x;
    f->a[i].y += push.y;
    f->a[j].y -= push.y;
    f->a[i].z += push.z;
    f->a[j].z -= push.z;
}

void fluid_cell_forces(fluid *f, uint32_t x, uint32_t y, uint32_t z) {
    const uint32_t cell = fluid_cell(f, x, y, z), end = fluid_first(f)[cell + 1];
    const float radius = f->h_squared;
    if (fluid_first(f)[cell] == end) return;
    partners with;
    find_partners(f, x, y, z, &with);
    for (uint32_t i = fluid_first(f)[cell]; i < end; i++) {
        const vec3 at = place_of(f, i);
        with.own->end = i;
        for (uint32_t r = 0; r < with.count; r++)
            for (uint32_t j = with.ranges[r].begin; j < with.ranges[r].end; j++)
                if (distance_squared(f, at, j) < radius)
                    push_pair(f, i, j, push_of_pair(f, i, j, at));
    }
}

void fluid_densities(fluid *f, uint32_t block) {
    fluid_visit_block(f, block, fluid_cell_densities);
}

void fluid_forces(fluid *f, uint32_t block) { fluid_visit_block(f, block, fluid_cell_forces); }

/* A particle's own share, and the scale. */
static void finish_cell(fluid *f, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t cell = fluid_cell(f, x, y, z);
    const float own = f->h_squared * f->h_squared * f->h_squared;
    for (uint32_t i = fluid_first(f)[cell]; i < fluid_first(f)[cell + 1]; i++)
        f->density[i] = (f->density[i] + own) * f->density_scale;
}

void fluid_finish(fluid *f, uint32_t block) { fluid_visit_block(f, block, finish_cell); }
