/* The passes that bring the particles into the order of their cells. */
#include "box.h"

static void list_leavers(fluid *f, fluid_block *block) {
    uint32_t next;
    for (uint32_t i = block->leavers.head; i != NO_PARTICLE; i = next) {
        next = f->next[i];
        box_list(f, box_cell(f, f->now.p[i]), i);
    }
    block->leavers = (particle_list){NO_PARTICLE, 0};
}

void fluid_number(fluid *f) {
    uint32_t sum = 0;
    for (uint32_t b = 0; b < f->blocks; b++) list_leavers(f, &f->block[b]);
    for (uint32_t c = 0; c < f->cells; c++) {
        f->first[c] = sum;
        sum += f->lists[c].length;
    }
    f->first[f->cells] = sum;
    particles now = f->before;
    f->before = f->now;
    f->now = now;
}

/* Takes a cell's list apart: its particles' numbers, ascending (Q3). Those of its own block come
 * off the list in descending order, so that only arrivals have to be moved. */
static void sort_list(fluid *f, uint32_t cell) {
    uint32_t *order = f->order + fluid_first(f)[cell], length = f->lists[cell].length, at = length;
    for (uint32_t i = f->lists[cell].head; i != NO_PARTICLE; i = f->next[i]) order[--at] = i;
    f->lists[cell] = (particle_list){NO_PARTICLE, 0};
    for (uint32_t i = 1; i < length; i++) {
        uint32_t moved = order[i], to = i;
        for (; to > 0 && order[to - 1] > moved; to--) order[to] = order[to - 1];
        order[to] = moved;
    }
}

static void gather_cell(fluid *f, uint32_t x, uint32_t y, uint32_t z) {
    uint32_t cell = fluid_cell(f, x, y, z);
    sort_list(f, cell);
    for (uint32_t i = fluid_first(f)[cell]; i < fluid_first(f)[cell + 1]; i++) {
        uint32_t from = f->order[i];
        f->now.p[i] = f->before.p[from];
        f->now.hv[i] = f->before.hv[from];
        f->now.v[i] = f->before.v[from];
        f->a[i] = (vec3){0.0f, -9.8f, 0.0f}; /* gravity */
        f->density[i] = 0;
    }
}

void fluid_gather(fluid *f, uint32_t block) { fluid_visit_block(f, block, gather_cell); }
