/* The lease of admission: a hold of everything, for a domain that is alone in its world. The stages
 * of a window run under it without an admission for each of their instances.
 *
 *   sched.L1  a lease is granted under the lock while no hold and no fresh object exists and no
 *       reservation is in the line, so that nothing else is held when it begins. Until
 *       svs__admission_release() returns it, each set with an element or a signature conflicts with
 *       it (SVS__MET_LEASE). So sched.A1 to sched.A8 hold unchanged. An empty set conflicts with
 *       nothing, and an instance of the lease itself may keep its set (sched.A9). Objects that a
 *       body without a set makes during the lease are fresh (sched.A3); an item that names such an
 *       object is sent after the object was made. The domain leases anew for each window, after the
 *       last item of the window has arrived, and a serial run checks after each arrival whether the
 *       lease is the only hold (sched.W10);
 *   sched.L2  the first refusal by the lease, or the begin of a run in its world, sets
 *       `lease_wanted` to the time. The holder reads it before each stage, returns the lease when
 *       it is set, and takes the elements of its further stages one by one. A stage that still runs
 *       SVS__LEASE_NS later is cut short (sched.W12). So a set of another domain waits at most
 *       SVS__LEASE_NS for the lease, and then for the running bodies. If it is refused and
 *       deferred, it reserves at once (sched.A5) (not asserted: a bound on waiting times;
 *       tests/unit/sched/turns.c);
 *   sched.L3  while a domain holds the lease, it tries no set (not asserted: the hold of its stage
 *       is the lease);
 *   sched.L4  admission does not hold the objects that an instance of the lease makes. The end of
 *       the body releases these objects, the lease is returned later, and until then no other set
 *       with an element is admitted.
 *
 * | operation           | caller     | progress          | order                             |
 * |---------------------|------------|-------------------|-----------------------------------|
 * | lease, is_leased,   | any worker | a short spin lock | the lock's: a stage of the lease  |
 * | lease_is_alone      |            |                   | sees what was released before it  |
 * | lease_is_wanted,    | any worker | wait-free         | relaxed: a hint                   |
 * | lease_is_overdue    |            |                   |                                   |
 */
#ifndef SVS_SCHED_ADMISSION_LEASE_H
#define SVS_SCHED_ADMISSION_LEASE_H

#include "base/platform.h"
#include "sched/admission/table.h"

#if defined(SVS_EXPLORE)
#define SVS__LEASE_NS 0u /* in the explorer, the schedule decides */
#else
#define SVS__LEASE_NS 100000u /* how long a stage may continue after `lease_wanted` was set */
#endif

/* Leases everything into an empty hold (sched.L1). @return whether it was granted. */
bool svs__admission_lease(svs__admission *a, svs__hold *hold);

/* Whether a hold other than `hold` is the lease. If so, asks for its return (sched.L2). */
bool svs__admission_is_leased(svs__admission *a, const svs__hold *hold);

/* Whether nothing but the lease is held, and no fresh object exists. Called by the holder of the
 * lease. */
bool svs__admission_lease_is_alone(svs__admission *a);

/* Whether the return of the lease was asked for. Stays true after the return, until the next lease
 * is granted. */
static inline bool svs__admission_lease_is_wanted(svs__admission *a) {
    /* relaxed is enough: a stale value only delays the return (sched.L2) */
    return svs__load_relaxed(&a->lease_wanted) != 0;
}

/* Whether the return was asked for so long ago that a stage must be cut short. */
bool svs__admission_lease_is_overdue(svs__admission *a);

/* Asks the holder to return the lease. The caller holds the lock. */
void svs__admission_want_lease(svs__admission *a);

/* Called when a run begins in the world: asks for the return of the lease, if there is one. */
void svs__admission_expect_run(svs__admission *a);

/* Called under the lock after a refusal: if the lease may be the cause, asks for its return
 * (sched.L2). @return false. */
static inline bool svs__lease_refuses(svs__admission *a) {
    if (a->lease) svs__admission_want_lease(a);
    return false;
}

#endif
