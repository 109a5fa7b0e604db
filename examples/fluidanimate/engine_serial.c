/* One thread, no synchronisation: the baseline of the other engines. */
#include "simulation.h"

static void choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z) {
    (void)sim;
    *x = *z = 1;
}

static const char *start(simulation *sim) {
    (void)sim;
    return NULL;
}

static const char *frame(simulation *sim) {
    static fluid_pass *const passes[] = {fluid_gather, fluid_densities, fluid_finish, fluid_forces,
                                         fluid_advance};
    fluid *f = sim->what;
    fluid_number(f);
    for (size_t p = 0; p < sizeof passes / sizeof *passes; p++)
        for (uint32_t b = 0; b < f->blocks; b++) passes[p](f, b);
    return NULL;
}

static void describe(simulation *sim, char *text, size_t size) {
    (void)sim;
    (void)text;
    (void)size;
}

static void stop(simulation *sim) { (void)sim; }

const simulation_engine engine_serial = {choose_blocks, start, frame, describe, stop};
