/* One round of the stress: a world of random nodes, and random graphs that run in it from threads
 * of their own. */
#ifndef SVS_TESTS_STRESS_S1_ROUND_H
#define SVS_TESTS_STRESS_S1_ROUND_H

#include "s1.h"

#define S1_GRAPHS_MAX 2u

/* Makes the world and the graphs of s1.shape, runs them, checks, frees. */
void s1_round(svs_runtime *runtime, uint64_t *random);

#endif
