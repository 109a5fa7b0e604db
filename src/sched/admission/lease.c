#include "sched/admission/lease.h"

#include "base/check.h"
#include "sched/admission/entrant.h"

bool svs__admission_lease(svs__admission *a, svs__hold *hold) {
    bool granted;
    SVS__ASSERT(svs__hold_is_empty(hold)); /* sched.L1 */
    svs__admission_acquire(a);
    granted = !a->holds && !a->line;
    if (granted) {
        SVS__ASSERT(!a->lease && !a->reserver); /* sched.L1 */
        a->lease = hold;
        a->holds = 1;
        hold->lease = true;
        /* relaxed is enough: as in svs__admission_want_lease() */
        svs__store_relaxed(&a->lease_wanted, 0);
    }
    svs__admission_let_go(a);
    return granted;
}

bool svs__admission_lease_is_alone(svs__admission *a) {
    bool alone;
    svs__lock_acquire(&a->lock);
    SVS__ASSERT(a->lease); /* sched.L1 */
    alone = a->holds == 1;
    svs__lock_release(&a->lock);
    return alone;
}

/* The time now, made odd so that it is never 0. */
static uint64_t time_now(void) { return svs__time_ns() | 1; }

void svs__admission_want_lease(svs__admission *a) {
    /* relaxed is enough for both: the holder of the lease may read a stale value, and the lock
     * orders what the lease protects. */
    if (!svs__load_relaxed(&a->lease_wanted)) svs__store_relaxed(&a->lease_wanted, time_now());
}

void svs__admission_expect_run(svs__admission *a) {
    svs__lock_acquire(&a->lock);
    (void)svs__lease_refuses(a);
    svs__lock_release(&a->lock);
}

bool svs__admission_lease_is_overdue(svs__admission *a) {
    /* relaxed is enough: a stale value only delays the return (sched.L2) */
    uint64_t since = svs__load_relaxed(&a->lease_wanted);
    return since && time_now() >= since + SVS__LEASE_NS;
}

bool svs__admission_is_leased(svs__admission *a, const svs__hold *hold) {
    bool leased;
    svs__lock_acquire(&a->lock);
    leased = a->lease && a->lease != hold;
    if (leased) (void)svs__lease_refuses(a);
    svs__lock_release(&a->lock);
    return leased;
}
