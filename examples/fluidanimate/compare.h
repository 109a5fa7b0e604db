/* Compares two fluids. Engines and threads may produce different orders of particles, so each
 * particle of one is searched for in the other. */
#ifndef FLUIDANIMATE_COMPARE_H
#define FLUIDANIMATE_COMPARE_H

#include "fluid.h"

typedef struct comparison {
    bool identical;        /* the same numbers in the same order */
    uint32_t unmatched;    /* particles of `a` without a partner */
    float place, velocity; /* the largest differences between partners, along one axis */
} comparison;

/* Pairs each particle of `a` with a particle of `b` that differs in place and velocities by at most
 * `tolerance` along each axis. Both have the same number of particles. @return NULL, or an error
 * text. */
const char *compare_fluids(const fluid *a, const fluid *b, float tolerance, comparison *result);

#endif
