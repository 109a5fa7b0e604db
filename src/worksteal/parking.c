#include "worksteal/parking.h"

uint32_t svs__parking_prepare(svs__parking *parking) {
    (void)svs__fetch_add_seq(&parking->sleepers, 1);
    /* [P2] forbids: the caller's look that follows misses work, and the waker of that work misses
     * the addition above. */
    svs__fence_seq(&parking->sleepers);
    /* acquire: a new epoch comes with the work of the waker that made it; pairs with
     * svs__parking_wake_slow(). Not before the addition: a waker that has seen this sleeper then
     * changes the epoch after this load, or its work is seen. */
    return svs__load_acquire(&parking->epoch);
}

void svs__parking_cancel(svs__parking *parking) {
    /* relaxed: a waker that still sees the sleeper wakes one too many. */
    (void)svs__fetch_sub_relaxed(&parking->sleepers, 1);
}

void svs__parking_commit(svs__parking *parking, uint32_t epoch) {
    /* acquire: as in svs__parking_prepare(). */
    while (svs__load_acquire(&parking->epoch) == epoch) svs__futex_wait(&parking->epoch, epoch);
    svs__parking_cancel(parking);
}

void svs__parking_wake_slow(svs__parking *parking, uint32_t count) {
    /* [P3] release: who sees the epoch sees the work; pairs with the acquires in prepare and
     * commit. */
    (void)svs__fetch_add_release(&parking->epoch, 1);
    svs__futex_wake(&parking->epoch, count);
}
