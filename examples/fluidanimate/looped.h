/* Common code of the engines that run a frame as a sequence of parallel loops over the blocks: it
 * determines which visits may write cells of another block and therefore need a guard. The engines
 * differ in the guard, a lock or a transaction, and in the team that runs the loops. */
#ifndef FLUIDANIMATE_LOOPED_H
#define FLUIDANIMATE_LOOPED_H

#include "simulation.h"

/* The two passes over pairs. */
typedef enum pair_pass { PAIRS_DENSITIES, PAIRS_FORCES } pair_pass;

/* Visits cell (x, y, z), which has particles, in parallel with visits of other blocks that may
 * write the same cells. */
typedef void guarded_visit(simulation *sim, uint32_t x, uint32_t y, uint32_t z, pair_pass pass);

/* Whether another block's visits may write a cell that column (x, z) of block b is: a neighbour is
 * in another block. */
bool looped_at_border(const fluid *f, const fluid_block *b, uint32_t x, uint32_t z);

/* Runs all passes of a frame on the team of the engine; `team` is what it opened. */
void looped_frame(simulation *sim, void *team, guarded_visit *guarded);

/* One block a thread, as in PARSEC, but cut along z alone: that has the fewest borders. */
void looped_choose_blocks(const simulation *sim, uint32_t *x, uint32_t *z);

#endif
