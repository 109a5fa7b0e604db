#include "base/platform.h"
#include <time.h>

#if defined(__linux__) && !defined(SVS__FUTEX_PORTABLE)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void svs__futex_wait_for(_Atomic(uint32_t) *word, uint32_t expected, uint64_t ns) {
    struct timespec span = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    SVS__SHARED_ACCESS(word);
    (void)syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &span, NULL, 0);
}

#else

/* Longest sleep, and so the longest delay until a wake-up is noticed. The only waiter, the
 * watchdog, permits a delay. */
#define SLICE_NS UINT64_C(20000000)

void svs__futex_wait_for(_Atomic(uint32_t) *word, uint32_t expected, uint64_t ns) {
    uint64_t slice = ns < SLICE_NS ? ns : SLICE_NS;
    struct timespec span = {0, (long)slice};
    /* relaxed: the caller loads the word again, with the order that it needs. */
    if (svs__load_relaxed(word) == expected) (void)nanosleep(&span, NULL);
}

#endif
