/* The box: the cell that a place is in, and the lists of the particles in each cell. */
#ifndef FLUIDANIMATE_BOX_H
#define FLUIDANIMATE_BOX_H

#include "fluid.h"

static const vec3 box_min = {-0.065f, -0.08f, -0.065f};
static const vec3 box_max = {0.065f, 0.1f, 0.065f};

/* Places outside of the box, and places that are not a number, belong to the cells at its walls. */
static inline uint32_t box_slot(float place, float size, uint32_t count) {
    float slot = place / size;
    if (!(slot >= 1.0f)) return 0;
    return slot >= (float)count ? count - 1 : (uint32_t)slot;
}

typedef struct cell_at {
    uint32_t x, y, z;
} cell_at;

static inline cell_at box_cell_at(const fluid *f, vec3 p) {
    const vec3 *size = SVS_STABLE(&f->cell_size);
    return (cell_at){box_slot(p.x - box_min.x, size->x, f->nx),
                     box_slot(p.y - box_min.y, size->y, f->ny),
                     box_slot(p.z - box_min.z, size->z, f->nz)};
}

static inline uint32_t box_cell(const fluid *f, vec3 p) {
    cell_at at = box_cell_at(f, p);
    return fluid_cell(f, at.x, at.y, at.z);
}

static inline void list_push(fluid *f, particle_list *list, uint32_t particle) {
    f->next[particle] = list->head;
    list->head = particle;
    list->length++;
}

static inline void box_list(fluid *f, uint32_t cell, uint32_t particle) {
    list_push(f, &f->lists[cell], particle);
}

#endif
