/* All schedules of a program under `sim` that deviate from the usual one at most so often. */
#ifndef SVS_TESTS_RANKS_EXHAUSTIVE_H
#define SVS_TESTS_RANKS_EXHAUSTIVE_H

#include "ranks/program.h"

/* Runs each of them, and prints how many there were. A run that is wrong ends the process. */
void exhaustive_run(const rank_program *program, uint32_t deviations);

/* To be called in `start`: what is before it is as usual. */
void exhaustive_begin(void);

#endif
