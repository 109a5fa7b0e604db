/* A fluid of particles in a box (smoothed particle hydrodynamics; Mueller, Charypar and Gross 2003,
 * with the constants of PARSEC's fluidanimate): its data, and the passes of a frame.
 *
 * The box is divided into cells as wide as the smoothing radius, so that particles interact only
 * within a cell and with adjacent cells. A frame is six passes:
 *
 *     number      cells get their places in the particle arrays
 *     gather      particles are copied to where their cells are now
 *     densities   each pair closer than the radius adds to both densities
 *     finish      densities are scaled
 *     forces      each such pair adds to both accelerations
 *     advance     walls push, particles move, and each is listed at the cell that it is in now
 *
 * Cells are numbered row by row, with rows along x; the particle arrays are sorted by cell.
 * `densities` and `forces` visit a cell: they process pairs within the cell and with neighbours of
 * lower number, and write the cell and these neighbours.
 *
 * Blocks are columns of cells of the full height of the box. All passes except `number` process one
 * block at a time. Parallelism:
 *
 *     number                             serial
 *     gather, finish, advance(block)     in parallel with all other blocks
 *     densities, forces(block)           writes the block and those in fluid_block_reach()
 *
 * Invariants:
 * Q1  between `gather` and `advance`, cell c has the particles first[c] .. first[c + 1] - 1.
 * Q2  between `advance` and `gather`, each particle is in the list of exactly one cell, or of the
 *     leavers of exactly one block; `number` lists the leavers.
 * Q3  the particles of a cell stand in the order that they had in the frame before. So a frame's
 *     order does not depend on the schedule.
 * Sums in `densities` and `forces` are the only thing that depends on an order of visits: with
 * cells visited in the order of their numbers, they are added as PARSEC's serial program adds
 * them. */
#ifndef FLUIDANIMATE_FLUID_H
#define FLUIDANIMATE_FLUID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <svs/scan.h>

typedef struct vec3 {
    float x, y, z;
} vec3;

/* Places, velocities half a step ago, and velocities: the fields of a .fluid file. */
typedef struct particles {
    vec3 *p, *hv, *v;
} particles;

/* Particles in a list, each linked to the next by fluid.next. */
typedef struct particle_list {
    uint32_t head; /* NO_PARTICLE: empty */
    uint32_t length;
} particle_list;

#define NO_PARTICLE UINT32_MAX

/* The columns x0 .. x1-1 by z0 .. z1-1, on a cache line of its own: `leavers` is written by its
 * worker. */
typedef struct fluid_block {
    _Alignas(64) uint32_t x0, x1, z0, z1;
    particle_list leavers; /* particles that went to cells of other blocks */
} fluid_block;

typedef struct fluid {
    float rest; /* particles in a metre of fluid at rest */
    uint32_t count;
    float h, h_squared; /* the smoothing radius */
    float density_scale, pressure_scale, viscosity_scale;
    uint32_t nx, ny, nz, cells;
    vec3 cell_size;
    particles now, before; /* `before` is what `gather` copies from */
    vec3 *a;               /* accelerations */
    float *density;
    uint32_t *next;       /* next particle in the list, by particle */
    uint32_t *first;      /* cells + 1 entries */
    particle_list *lists; /* particle lists by cell */
    uint32_t *order;      /* gather's, a particle's number before */
    uint32_t blocks_x, blocks_z, blocks;
    fluid_block *block;
} fluid;

/* Room for `count` particles with `rest` particles in a metre; their fields are for the caller to
 * fill in. @return NULL, or what went wrong. */
const char *fluid_init(fluid *f, float rest, uint32_t count);

/* Also after an init that failed. */
void fluid_clean_up(fluid *f);

/* The least and the largest `rest` that makes a box of cells. */
#define FLUID_REST_MIN 14.0f
#define FLUID_REST_MAX 4000.0f

/* Cuts the box into at most x by z blocks, and lists each particle at its cell: before the first
 * frame. @return NULL, or what went wrong. */
const char *fluid_cut(fluid *f, uint32_t x, uint32_t z);

/* The passes. */
void fluid_number(fluid *f);
void fluid_gather(fluid *f, uint32_t block);
void fluid_densities(fluid *f, uint32_t block);
void fluid_finish(fluid *f, uint32_t block);
void fluid_forces(fluid *f, uint32_t block);
void fluid_advance(fluid *f, uint32_t block);

typedef void fluid_pass(fluid *f, uint32_t block);

/* The pair passes, a cell at a time. */
typedef void fluid_visit(fluid *f, uint32_t x, uint32_t y, uint32_t z);
fluid_visit fluid_cell_densities, fluid_cell_forces;

static inline uint32_t fluid_cell(const fluid *f, uint32_t x, uint32_t y, uint32_t z) {
    return (z * f->ny + y) * f->nx + x;
}

/* Where the particles of each cell begin: no task writes it. */
static inline const uint32_t *fluid_first(const fluid *f) { return SVS_STABLE(f->first); }

/* Visits a block's cells in the order of their numbers. */
void fluid_visit_block(fluid *f, uint32_t block, fluid_visit *visit);

/* The blocks that the pair passes of `block` write, itself included. @return how many. */
#define FLUID_REACH_MAX 6
uint32_t fluid_block_reach(const fluid *f, uint32_t block, uint32_t reach[FLUID_REACH_MAX]);

#endif
