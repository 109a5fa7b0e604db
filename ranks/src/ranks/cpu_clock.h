/* The CPU time of the threads that drive a rank, in its runs.
 *
 * To read a thread's CPU time is a system call, which takes longer than a short run. So the clock
 * reads it only if the last reading is older than 50 us, or of another thread. In between it adds
 * the elapsed time, as if the thread had run all that time. */
#ifndef SVS__RANKS_CPU_CLOCK_H
#define SVS__RANKS_CPU_CLOCK_H

#include <stdint.h>

typedef struct svs__cpu_clock {
    uint32_t thread; /* number of the thread of the last reading; 0: there was no reading */
    /* CPU time of that thread at the last reading, and the time of the reading */
    uint64_t cpu, read_at;
    uint64_t counted; /* CPU time of the thread up to which it was added to the rank's */
} svs__cpu_clock;

/* The calling thread enters the rank. */
void svs__cpu_clock_enter(svs__cpu_clock *clock);
/* Called by the thread that has entered, until it leaves. @return nanoseconds of its CPU time since
 * it entered, or since the last call. */
uint64_t svs__cpu_clock_count(svs__cpu_clock *clock);

#endif
