/* Are two fluids the same? Engines and threads may leave the particles in another order, so each
 * particle of one is looked for among those of the other. */
#ifndef FLUIDANIMATE_COMPARE_H
#define FLUIDANIMATE_COMPARE_H

#include "fluid.h"

typedef struct comparison {
    bool identical;        /* the same numbers in the same order */
    uint32_t unmatched;    /* particles of `a` without a partner */
    float place, velocity; /* the largest differences between partners, along one axis */
} comparison;

/* Pairs each particle of `a` with one of `b` whose place and velocities differ by `tolerance` at
 * most, along each axis. Both have the same number of particles. @return NULL, or what went
 * wrong. */
const char *compare_fluids(const fluid *a, const fluid *b, float tolerance, comparison *result);

#endif
