/* The clock of a program that callgrind counts, loaded before the C library: each reading takes one
 * microsecond. By a real clock all work would seem fifty times as long as it is, and the library
 * would decide differently: short instances would not be light, and a trace would time each of
 * them. In addition, no count would repeat. */
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    static unsigned long long reads;
    unsigned long long ns = 1000 * __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED);
    (void)clock;
    now->tv_sec = (time_t)(ns / 1000000000);
    now->tv_nsec = (long)(ns % 1000000000);
    return 0;
}
