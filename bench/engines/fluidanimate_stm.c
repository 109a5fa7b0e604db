/* gcc's transactions: a visit that may write cells at a border is one. The passes over pairs are
 * compiled once more here, because a transaction instruments all that it does, but for what is
 * marked as pure; visits inside a block need none and are those of the other engines. */
#include "fluidanimate/fluid.h"
#include "fluidanimate/looped.h"

#define PAIRS_PURE __attribute__((transaction_pure))
#define fluid_cell_densities stm_cell_densities
#define fluid_cell_forces stm_cell_forces
#define fluid_densities stm_densities
#define fluid_finish stm_finish
#define fluid_forces stm_forces
#include "fluidanimate/pairs.c"

static void visit_in_transaction(simulation *sim, uint32_t x, uint32_t y, uint32_t z,
                                 pair_pass pass) {
    fluid *f = sim->what;
    if (pass == PAIRS_DENSITIES) __transaction_atomic {
            stm_cell_densities(f, x, y, z);
        }
    else __transaction_atomic {
            stm_cell_forces(f, x, y, z);
        }
}

static const char *start(simulation *sim) {
    sim->engine_state = team_pthreads.open(sim->options.threads);
    return sim->engine_state ? NULL : "the threads cannot be made";
}

static const char *frame(simulation *sim) {
    looped_frame(sim, sim->engine_state, visit_in_transaction);
    return NULL;
}

static void describe(simulation *sim, char *text, size_t size) {
    (void)sim;
    if (size) text[0] = 0;
}

static void stop(simulation *sim) { team_pthreads.close(sim->engine_state); }

extern const simulation_engine engine_stm;
const simulation_engine engine_stm = {looped_choose_blocks, start, frame, describe, stop};
