/* Seconds, for measuring a stretch of a program: end minus begin. */
#ifndef EXAMPLES_COMMON_CLOCK_H
#define EXAMPLES_COMMON_CLOCK_H

#include <time.h>

static inline double clock_seconds_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Monotonic time since an arbitrary start. */
static inline double clock_wall_seconds(void) { return clock_seconds_of(CLOCK_MONOTONIC); }

/* Used by all threads of this process so far. */
static inline double clock_cpu_seconds(void) { return clock_seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

#endif
