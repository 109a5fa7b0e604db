#include "worksteal/parking.h"
#include "base/check.h"

uint32_t svs__parking_prepare(svs__parking *parking) {
    (void)svs__fetch_add_seq(&parking->sleepers, 1);
    /* [worksteal.P2] forbids: the caller's search after this misses work, and the waker for that
     * work misses the addition above. */
    svs__fence_seq(&parking->sleepers);
    /* acquire: a new epoch publishes the work of its waker; pairs with svs__parking_wake_slow().
     * After the addition: a waker that sees this sleeper either changes the epoch after this load,
     * or its work is visible to the search. */
    return svs__load_acquire(&parking->epoch);
}

void svs__parking_cancel(svs__parking *parking) {
    /* relaxed: a waker that still counts this thread makes a needless wake-up. */
    uint32_t sleepers = svs__fetch_sub_relaxed(&parking->sleepers, 1);
    SVS__ASSERT(sleepers != 0); /* worksteal.P1 */
    (void)sleepers;
}

void svs__parking_commit(svs__parking *parking, uint32_t epoch) {
    /* acquire: as in svs__parking_prepare(). */
    while (svs__load_acquire(&parking->epoch) == epoch) svs__futex_wait(&parking->epoch, epoch);
    svs__parking_cancel(parking);
}

void svs__parking_commit_for(svs__parking *parking, uint32_t epoch, uint64_t ns) {
    /* acquire: as in svs__parking_prepare(). */
    if (svs__load_acquire(&parking->epoch) == epoch)
        svs__futex_wait_for(&parking->epoch, epoch, ns);
    svs__parking_cancel(parking);
}

void svs__parking_wake_slow(svs__parking *parking, uint32_t count) {
    /* [worksteal.P3] release: a sleeper that sees the epoch sees the work; pairs with the acquires
     * in prepare and commit. */
    (void)svs__fetch_add_release(&parking->epoch, 1);
    svs__futex_wake(&parking->epoch, count);
}
