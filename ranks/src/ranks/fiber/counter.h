/* Counters, and the fibers that wait for them.
 *
 *   ranks.C1  A waiter is enabled exactly once: when the value is at least its bound, or at once if
 *             that holds when it begins to wait.
 *   ranks.C2  An accepted split-phase call adds exactly 1 to its counter. (not asserted: a duty of
 *             each such call)
 *
 *   ranks.C3  Waiters are enabled in the order of their bounds. (not asserted: tests compare)
 *
 * Waiters form a pairing heap. Because many fibers often wait for one value, waiters with the same
 * bound as the root are a queue at the root, where it costs O(1) to wait and to be enabled.
 * Elsewhere it costs O(log n), amortized. */
#ifndef SVS__RANKS_FIBER_COUNTER_H
#define SVS__RANKS_FIBER_COUNTER_H

#include "ranks/fiber/fiber.h"

/* Lets a fiber wait. @param slot a created fiber. @param kind what it waits for, as observers are
 * told.
 * @return as svs__enable(). */
svs_status svs__counter_wait(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                             svs__fiber *slot, svs_wait_kind kind);
/* Whether fibers of another rank wait for the counter (ranks.R2). */
static inline bool svs__counter_is_of_another(const svs_ranks *ranks, const svs_counter *counter) {
    return counter->waiters != 0 && counter->waiters >> 32 != ranks->number;
}
SVS__COLD svs_status svs__counter_refuse(const svs_ranks *ranks, const char *call);
/* As svs_counter_wait(), with the kind of the wait for observers. */
svs_status svs__counter_wait_for(svs_ranks *ranks, svs_counter *counter, int64_t at_least,
                                 svs_fiber fiber, svs_wait_kind kind);

#endif
