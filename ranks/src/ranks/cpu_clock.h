/* The CPU time of the threads that drive a rank, in its runs.
 *
 * To read a thread's CPU time is a system call, which takes longer than a short run. So the clock
 * reads it only if the last reading is older than 50 us, or of another thread. In between it adds
 * the time that has passed: for so long, a thread is taken to run. */
#ifndef SVS__RANKS_CPU_CLOCK_H
#define SVS__RANKS_CPU_CLOCK_H

#include <stdint.h>

typedef struct svs__cpu_clock {
    uint32_t thread;       /* number of that of the last reading; 0: there was none */
    uint64_t cpu, read_at; /* the thread's CPU time then, and the time */
    uint64_t counted;      /* CPU time up to which the rank's has been counted */
} svs__cpu_clock;

/* The calling thread enters the rank. */
void svs__cpu_clock_enter(svs__cpu_clock *clock);
/* By the same thread, until it leaves. @return nanoseconds since it entered, or since the last
 * call. */
uint64_t svs__cpu_clock_count(svs__cpu_clock *clock);

#endif
