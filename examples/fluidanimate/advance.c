/* The pass that moves the particles. */
#include "box.h"

#define TIME_STEP 0.001f
#define PARTICLE_SIZE 0.0002f
#define EPSILON 1e-10f
#define STIFFNESS_OF_WALLS 30000.0f
#define DAMPING 128.0f

/* A particle along one axis. */
typedef struct along {
    float p, hv, v, a;
} along;

/* A wall pushes each particle that would come closer to it than a particle's size. */
static inline void push_off_low(along *it, float ahead, float wall) {
    float depth = PARTICLE_SIZE - (ahead - wall);
    if (depth > EPSILON) it->a += STIFFNESS_OF_WALLS * depth - DAMPING * it->v;
}

static inline void push_off_high(along *it, float ahead, float wall) {
    float depth = PARTICLE_SIZE - (wall - ahead);
    if (depth > EPSILON) it->a -= STIFFNESS_OF_WALLS * depth + DAMPING * it->v;
}

/* Leapfrog: half-step velocities move places, and their mean is the velocity. */
static inline void move(along *it) {
    float half = it->hv + it->a * TIME_STEP;
    it->p += half * TIME_STEP;
    it->v = (it->hv + half) * 0.5f;
    it->hv = half;
}

static inline void turn(along *it, float place) {
    it->p = place;
    it->v = -it->v;
    it->hv = -it->hv;
}

/* Reflects particles that passed a wall in spite of its push. Only cells at a wall have such
 * particles. */
static inline along advance_axis(along it, float low, float high, bool at_low, bool at_high) {
    float ahead = it.p + it.hv * TIME_STEP;
    if (at_low) push_off_low(&it, ahead, low);
    if (at_high) push_off_high(&it, ahead, high);
    move(&it);
    if (at_low && it.p - low < 0) turn(&it, low - (it.p - low));
    if (at_high && high - it.p < 0) turn(&it, high + (high - it.p));
    return it;
}

static void list_again(fluid *f, fluid_block *block, uint32_t particle) {
    cell_at at = box_cell_at(f, f->now.p[particle]);
    if (at.x >= block->x0 && at.x < block->x1 && at.z >= block->z0 && at.z < block->z1)
        box_list(f, fluid_cell(f, at.x, at.y, at.z), particle);
    else list_push(f, &block->leavers, particle);
}

static void advance_particle(fluid *f, uint32_t i, cell_at at) {
    particles *all = &f->now;
#define AXIS(axis, last)                                                                           \
    do {                                                                                           \
        along it = {all->p[i].axis, all->hv[i].axis, all->v[i].axis, f->a[i].axis};                \
        it = advance_axis(it, box_min.axis, box_max.axis, at.axis == 0, at.axis == (last));        \
        all->p[i].axis = it.p;                                                                     \
        all->hv[i].axis = it.hv;                                                                   \
        all->v[i].axis = it.v;                                                                     \
    } while (0)
    AXIS(x, f->nx - 1);
    AXIS(y, f->ny - 1);
    AXIS(z, f->nz - 1);
#undef AXIS
}

void fluid_advance(fluid *f, uint32_t block) {
    fluid_block *b = &f->block[block];
    for (uint32_t z = b->z0; z < b->z1; z++)
        for (uint32_t y = 0; y < f->ny; y++)
            for (uint32_t x = b->x0; x < b->x1; x++) {
                uint32_t cell = fluid_cell(f, x, y, z);
                for (uint32_t i = fluid_first(f)[cell]; i < fluid_first(f)[cell + 1]; i++) {
                    advance_particle(f, i, (cell_at){x, y, z});
                    list_again(f, b, i);
                }
            }
}
