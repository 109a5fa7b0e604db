/* The CPU time of a process after all of its threads have gone to sleep.
 *
 * The system counts the time of a thread on another processor only at that processor's ticks, a few
 * milliseconds apart: longer than a short run. Also, idle workers search for work for a while
 * before they sleep; that time belongs to the run before, not to the next one. */
#ifndef BENCH_SPAWN_CLOCK_H
#define BENCH_SPAWN_CLOCK_H

#include "common.h"

static inline uint64_t spawn_cpu_rested_ns(void) {
    enum { TRIES = 100, NAP_NS = 500000, BUSY_NS = 50000 };
    uint64_t before, now = bench_cpu_ns();
    int tries = 0;
    do {
        before = now;
        bench_sleep_ns(NAP_NS);
        now = bench_cpu_ns();
    } while (now - before > BUSY_NS && ++tries < TRIES);
    return now;
}

#endif
