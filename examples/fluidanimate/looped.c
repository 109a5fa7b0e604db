#include "looped.h"

void looped_choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z) {
    *x = 1;
    *z = sim->options.threads;
}

bool looped_at_border(const fluid *f, const fluid_block *b, uint32_t x, uint32_t z) {
    return (x == b->x0 && x > 0) || (x + 1 == b->x1 && x + 1 < f->nx) || (z == b->z0 && z > 0) ||
           (z + 1 == b->z1 && z + 1 < f->nz);
}

/* Whether a visit may write a cell at a border: two cells away, no neighbour is at it. */
static bool near_border(const fluid *f, const fluid_block *b, uint32_t x, uint32_t z) {
    return (x < b->x0 + 2 && b->x0 > 0) || (x + 2 >= b->x1 && b->x1 < f->nx) ||
           (z < b->z0 + 2 && b->z0 > 0) || (z + 1 >= b->z1 && b->z1 < f->nz);
}

/* One pass over all blocks, of one of the two kinds. */
typedef struct loop {
    simulation *sim;
    fluid_pass *alone; /* pass over a block without other writers; NULL: a pass over pairs */
    fluid_visit *visit;
    guarded_visit *guarded;
    pair_pass pairs;
} loop;

static void visit_block(const loop *it, uint32_t block) {
    fluid *f = it->sim->what;
    const fluid_block *b = &f->block[block];
    for (uint32_t z = b->z0; z < b->z1; z++)
        for (uint32_t y = 0; y < f->ny; y++)
            for (uint32_t x = b->x0; x < b->x1; x++) {
                uint32_t cell = fluid_cell(f, x, y, z);
                if (f->first[cell] == f->first[cell + 1]) continue;
                if (near_border(f, b, x, z)) it->guarded(it->sim, x, y, z, it->pairs);
                else it->visit(f, x, y, z);
            }
}

static void run_blocks(size_t begin, size_t end, unsigned worker, void *argument) {
    const loop *it = argument;
    (void)worker;
    for (size_t b = begin; b < end; b++) {
        if (it->alone) it->alone(it->sim->what, (uint32_t)b);
        else visit_block(it, (uint32_t)b);
    }
}

void looped_frame(simulation *sim, void *team, guarded_visit *guarded) {
    loop loops[] = {{sim, fluid_gather, NULL, NULL, PAIRS_DENSITIES},
                    {sim, NULL, fluid_cell_densities, guarded, PAIRS_DENSITIES},
                    {sim, fluid_finish, NULL, NULL, PAIRS_DENSITIES},
                    {sim, NULL, fluid_cell_forces, guarded, PAIRS_FORCES},
                    {sim, fluid_advance, NULL, NULL, PAIRS_DENSITIES}};
    fluid_number(sim->what);
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        sim->options.engine->team->loop(team, sim->what->blocks, 1, run_blocks, &loops[i]);
}
