/* The reach of an exploration: the numbers of schedules, of different ones, and of preemptions. */
#ifndef SVS_TESTS_EXPLORE_REPORT_H
#define SVS_TESTS_EXPLORE_REPORT_H

#include "explore/machine.h"

/* Before the runs of one scenario under one strategy. */
void report_begin(void);
/* After each: `schedule` identifies it. */
void report_run(uint64_t schedule);
/* Prints the line. @param all were there no more? */
void report_end(const char *scenario, const char *strategy, const char *memory, bool all);
/* The last line, over all scenarios. */
void report_total(void);

#endif
