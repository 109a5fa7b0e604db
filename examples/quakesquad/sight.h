/* Line-of-sight tests, in which the game spends most of its time. A wall has no thickness; touching
 * it counts as crossing. */
#ifndef QUAKESQUAD_SIGHT_H
#define QUAKESQUAD_SIGHT_H

#include "world.h"

/* Whether there is no wall between two points. Each test reads every wall, and is counted for
 * `worker`. */
bool sight_clear(const world *w, uint32_t worker, int32_t x0, int32_t y0, int32_t x1, int32_t y1);

#endif
