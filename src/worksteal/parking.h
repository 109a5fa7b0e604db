/* An eventcount: threads sleep on it until there may be work.
 *
 *     sleeper                                            waker
 *     epoch = svs__parking_prepare(p);                   make work
 *     if (there is work) svs__parking_cancel(p);         svs__parking_wake(p, 1);
 *     else svs__parking_commit(p, epoch);
 *
 * operation  caller  progress                               order
 * prepare    any     wait-free                              sequentially consistent
 * cancel     any     wait-free                              relaxed
 * commit     any     blocks until a wake-up                 acquire
 * wake       any     wait-free; a system call for sleepers  sequentially consistent fence
 *
 *   worksteal.P1  `sleepers` is the number of threads between their prepare and the end of their
 *                 cancel or commit.
 *   worksteal.P2  No wake-up is lost. It is impossible that the sleeper's search after prepare
 *                 misses the work, and the waker's load of `sleepers` after the work was made
 *                 misses the sleeper: each thread has a sequentially consistent fence between its
 *                 write and its load. (not asserted: the outcome of two threads' fences;
 *                 tests/explore/scenarios/parking.c explores it)
 *   worksteal.P3  A waker that sees a sleeper changes the epoch first, and wakes afterwards: a
 *                 sleeper that prepared before does not fall asleep. (The exception is a sleeper
 *                 that pauses for exactly 2^32 wake-ups.) (not asserted: the order of two
 *                 statements; tests/explore/scenarios/parking.c explores it)
 *   worksteal.P4  A commit may return spuriously: its caller searches again. A sleeper that has
 *                 consumed a wake-up for work, and does not search for work, passes it on by
 *                 another wake. (not asserted: a duty of callers)
 *
 * Cache lines: one, written by sleepers and by wakers that find a sleeper. Other wakers only read
 * it, so the line stays in their caches while no thread sleeps. */
#ifndef SVS_WORKSTEAL_PARKING_H
#define SVS_WORKSTEAL_PARKING_H

#include "base/platform.h"
#include <stdalign.h>
#include <svs/status.h>

typedef struct svs__parking {
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) sleepers;
    _Atomic(uint32_t) epoch; /* the futex word */
} svs__parking;

uint32_t svs__parking_prepare(svs__parking *parking);
void svs__parking_cancel(svs__parking *parking);
void svs__parking_commit(svs__parking *parking, uint32_t epoch);
/* svs__parking_commit() for about `ns` nanoseconds at most. */
void svs__parking_commit_for(svs__parking *parking, uint32_t epoch, uint64_t ns);
void svs__parking_wake_slow(svs__parking *parking, uint32_t count);

/* svs__parking_commit() that returns at about `deadline_ns`, a time of svs__time_ns(), at the
 * latest; UINT64_MAX: without a deadline. */
static inline void svs__sleep_until(svs__parking *parking, uint32_t epoch, uint64_t deadline_ns) {
    uint64_t now = deadline_ns == UINT64_MAX ? 0 : svs__time_ns();
    if (deadline_ns == UINT64_MAX) svs__parking_commit(parking, epoch);
    else svs__parking_commit_for(parking, epoch, deadline_ns > now ? deadline_ns - now : 0);
}

/* The deadline `ns` from now; UINT64_MAX: never. */
static inline uint64_t svs__deadline_after(uint64_t ns) {
    uint64_t now = svs__time_ns();
    return ns > UINT64_MAX - now ? UINT64_MAX : now + ns;
}

/* Wakes at most `count` sleepers, and all threads between prepare and commit. */
static inline void svs__parking_wake(svs__parking *parking, uint32_t count) {
    /* [worksteal.P2] forbids: the load below misses a sleeper, and the search of that sleeper,
     * after its fence in prepare, misses the caller's writes. */
    svs__fence_seq(&parking->sleepers);
    if (svs__load_relaxed(&parking->sleepers) != 0) svs__parking_wake_slow(parking, count);
}

#endif
