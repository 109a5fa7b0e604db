#include "fluid.h"

#include <math.h>
#include <stdlib.h>

#include "box.h"

#define RADIUS_OF_SPACING 1.695f
#define DOUBLE_REST_DENSITY 2000.0f
#define STIFFNESS_OF_PRESSURE 3.0f
#define VISCOSITY 0.4f
#define PI 3.14159265358979f

/* The kernels' factors (poly6, the gradient of spiky, the Laplacian of viscosity), each with the
 * mass of a particle. Doubles are rounded to floats where PARSEC does so: the results depend on the
 * last bit. */
static void set_scales(fluid *f) {
    float rest = f->rest, h;
    f->h = h = RADIUS_OF_SPACING / rest;
    f->h_squared = h * h;
    float poly6 = (float)(315.0 / (64.0 * PI * powf(h, 9.0f)));
    float spiky = (float)(15.0 / (PI * powf(h, 6.0f)));
    float viscous = (float)(45.0 / (PI * powf(h, 6.0f)));
    float mass = 0.5f * DOUBLE_REST_DENSITY / (rest * rest * rest);
    f->density_scale = mass * poly6;
    f->pressure_scale = (float)(3.0 * spiky * 0.50 * STIFFNESS_OF_PRESSURE * mass);
    f->viscosity_scale = VISCOSITY * viscous * mass;
}

static void set_grid(fluid *f) {
    vec3 extent = {box_max.x - box_min.x, box_max.y - box_min.y, box_max.z - box_min.z};
    f->nx = (uint32_t)(extent.x / f->h);
    f->ny = (uint32_t)(extent.y / f->h);
    f->nz = (uint32_t)(extent.z / f->h);
    f->cells = f->nx * f->ny * f->nz;
    f->cell_size =
        (vec3){extent.x / (float)f->nx, extent.y / (float)f->ny, extent.z / (float)f->nz};
}

static bool particles_init(particles *all, size_t count) {
    all->p = calloc(count, sizeof *all->p);
    all->hv = calloc(count, sizeof *all->hv);
    all->v = calloc(count, sizeof *all->v);
    return all->p && all->hv && all->v;
}

static void particles_clean_up(particles *all) {
    free(all->p);
    free(all->hv);
    free(all->v);
}

const char *fluid_init(fluid *f, float rest, uint32_t count) {
    *f = (fluid){.rest = rest, .count = count};
    if (!(rest >= FLUID_REST_MIN && rest <= FLUID_REST_MAX)) return "no box for so many in a metre";
    set_scales(f);
    set_grid(f);
    bool all = particles_init(&f->now, count) && particles_init(&f->before, count);
    f->a = calloc(count, sizeof *f->a);
    f->density = calloc(count, sizeof *f->density);
    f->next = calloc(count, sizeof *f->next);
    f->order = calloc(count, sizeof *f->order);
    f->first = calloc((size_t)f->cells + 1, sizeof *f->first);
    f->lists = calloc(f->cells, sizeof *f->lists);
    all = all && f->a && f->density && f->next && f->order && f->first && f->lists;
    return all ? NULL : "out of memory";
}

void fluid_clean_up(fluid *f) {
    particles_clean_up(&f->now);
    particles_clean_up(&f->before);
    free(f->a);
    free(f->density);
    free(f->next);
    free(f->order);
    free(f->first);
    free(f->lists);
    free(f->block);
    *f = (fluid){0};
}

static fluid_block cut_block(const fluid *f, uint32_t x, uint32_t z) {
    return (fluid_block){.x0 = x * f->nx / f->blocks_x,
                         .x1 = (x + 1) * f->nx / f->blocks_x,
                         .z0 = z * f->nz / f->blocks_z,
                         .z1 = (z + 1) * f->nz / f->blocks_z,
                         .leavers = {NO_PARTICLE, 0}};
}

const char *fluid_cut(fluid *f, uint32_t x, uint32_t z) {
    f->blocks_x = x < f->nx ? x : f->nx;
    f->blocks_z = z < f->nz ? z : f->nz;
    f->blocks = f->blocks_x * f->blocks_z;
    free(f->block);
    f->block = aligned_alloc(_Alignof(fluid_block), f->blocks * sizeof *f->block);
    if (!f->block) return "out of memory";
    for (uint32_t b = 0; b < f->blocks; b++)
        f->block[b] = cut_block(f, b % f->blocks_x, b / f->blocks_x);
    for (uint32_t c = 0; c < f->cells; c++) f->lists[c] = (particle_list){NO_PARTICLE, 0};
    for (uint32_t i = 0; i < f->count; i++) box_list(f, box_cell(f, f->now.p[i]), i);
    return NULL;
}

/* Lower neighbours are one layer down, or in the same layer at x + 1 or after it. */
uint32_t fluid_block_reach(const fluid *f, uint32_t block, uint32_t reach[FLUID_REACH_MAX]) {
    uint32_t x = block % f->blocks_x, z = block / f->blocks_x, count = 0;
    uint32_t left = x ? x - 1 : 0, right = x + 1 < f->blocks_x ? x + 1 : x;
    for (uint32_t row = z ? z - 1 : 0; row <= z; row++)
        for (uint32_t column = left; column <= right; column++)
            reach[count++] = row * f->blocks_x + column;
    return count;
}

void fluid_visit_block(fluid *f, uint32_t block, fluid_visit *visit) {
    const fluid_block *b = &f->block[block];
    for (uint32_t z = b->z0; z < b->z1; z++)
        for (uint32_t y = 0; y < f->ny; y++)
            for (uint32_t x = b->x0; x < b->x1; x++) visit(f, x, y, z);
}
