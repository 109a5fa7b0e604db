/* How large a test's load is, of what it is at most. Two percentages, from the environment:
 *   SVS_TEST_SCALE  what a build can bear: less than 100 with sanitizers (cmake/testing.cmake)
 *   SVS_TEST_SHARE  what a run is to find: 10 in the short one of `./dev test`, 50 in .ci/run
 * Loads count cases, schedules or instances, and no time, so that a test is the same everywhere. */
#ifndef SVS_TESTS_SCALE_H
#define SVS_TESTS_SCALE_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t scale_percent(const char *variable) {
    const char *text = getenv(variable); /* NOLINT(concurrency-mt-unsafe) */
    return text == NULL ? 100 : strtoull(text, NULL, 10);
}

/* @return the load for `full`, at least `least`. */
static inline uint64_t scaled(uint64_t full, uint64_t least) {
    uint64_t share = full * scale_percent("SVS_TEST_SCALE") * scale_percent("SVS_TEST_SHARE");
    return share / 10000 < least ? least : share / 10000;
}

/* The same of what one thread runs, of which ThreadSanitizer has nothing to say: a tenth there. */
static inline uint64_t scaled_on_one_thread(uint64_t full, uint64_t least) {
#if defined(__SANITIZE_THREAD__)
    full /= 10;
#endif
    return scaled(full, least);
}

#endif
