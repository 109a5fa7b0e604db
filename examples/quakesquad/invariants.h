/* Invariants that hold between frames, for every engine:
 *
 *   I1  every living entity and every bomb is in exactly one cell list, that of its own cell
 *   I2  the dead are in no list
 *   I3  for each kind, the listed entities and the dead add up to the total count
 *   I4  the damage that blasts dealt is the health that was lost
 *   I5  each death was counted once, and each disarming once
 *   I6  no cell exceeds its limit of entities */
#ifndef QUAKESQUAD_INVARIANTS_H
#define QUAKESQUAD_INVARIANTS_H

#include "world.h"

#include <stdio.h>

/* @return true; or false, and the first violation goes to `out` with its number and entity. */
bool invariants_hold(const world *w, FILE *out);

#endif
