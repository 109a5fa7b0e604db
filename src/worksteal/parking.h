/* Where threads sleep until something happens: an eventcount.
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
 * P1. `sleepers` counts the threads between their prepare and the end of their cancel or commit.
 * P2. No wake-up is lost: it cannot be that the sleeper's look after prepare misses the work, and
 *     the waker's look at `sleepers` after making the work misses the sleeper. Each has a
 *     sequentially consistent fence between its write and its look.
 * P3. A waker that sees a sleeper changes the epoch first and wakes after: who prepared before does
 *     not fall asleep any more. (A sleeper that stands still while 2^32 wake-ups pass would.)
 * P4. A commit may return for no reason: look again. Whoever takes a wake-up for a piece of work
 *     and does not look for work passes it on with another wake.
 *
 * Cache lines: one, written by who goes to sleep and who wakes sleepers; read by who has work,
 * which stays in its cache while all are awake. */
#ifndef SVS_WORKSTEAL_PARKING_H
#define SVS_WORKSTEAL_PARKING_H

#include "base/platform.h"
#include <stdalign.h>

typedef struct svs__parking {
    alignas(SVS__CACHE_LINE) _Atomic(uint32_t) sleepers;
    _Atomic(uint32_t) epoch; /* what they sleep on */
} svs__parking;

uint32_t svs__parking_prepare(svs__parking *parking);
void svs__parking_cancel(svs__parking *parking);
void svs__parking_commit(svs__parking *parking, uint32_t epoch);
void svs__parking_wake_slow(svs__parking *parking, uint32_t count);

/* Wakes at most `count` sleepers, and whoever is about to sleep. */
static inline void svs__parking_wake(svs__parking *parking, uint32_t count) {
    /* [P2] forbids: this load misses a sleeper whose own look, after its fence in prepare, misses
     * the caller's writes. */
    svs__fence_seq(&parking->sleepers);
    if (svs__load_relaxed(&parking->sleepers) != 0) svs__parking_wake_slow(parking, count);
}

#endif
