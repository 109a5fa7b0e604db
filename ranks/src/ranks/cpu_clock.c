#include "ranks/cpu_clock.h"
#include "base/atomic.h"
#include "base/platform.h"

#define READING_NS 50000u

/* The number of the calling thread, from 1. An address would not do, since a later thread may have
 * the same one. */
static uint32_t thread_number(void) {
    static _Atomic(uint32_t) threads;
    static _Thread_local uint32_t own;
    /* relaxed is enough: only the number is used */
    if (own == 0) own = svs__fetch_add_relaxed(&threads, 1) + 1;
    return own;
}

static uint64_t now(svs__cpu_clock *clock) {
    uint64_t time = svs__time_ns();
    uint32_t thread = thread_number();
    if (clock->thread != thread || time - clock->read_at > READING_NS)
        *clock = (svs__cpu_clock){thread, svs__thread_cpu_ns(), time, clock->counted};
    return clock->cpu + (time - clock->read_at);
}

void svs__cpu_clock_enter(svs__cpu_clock *clock) { clock->counted = now(clock); }

uint64_t svs__cpu_clock_count(svs__cpu_clock *clock) {
    uint64_t before = clock->counted, time = now(clock);
    if (time < before) return 0; /* the thread has run less than was assumed */
    clock->counted = time;
    return time - before;
}
