/* Admission decides which instances of a world may run together. An instance is admitted
 * when it starts: its set is compared with the sets of all instances that run.
 *
 * Elements are compared in cells: a world has 2^cell_bits of them, and the top bits of a key name
 * its cell. Signatures are compared in bits (N). A bit stands for a range of cells, so each form
 * keeps a summary for the other: the bits of the held elements, and the union of the held
 * signatures. As soon as the first signature is held, elements are also counted by bit. In a world
 * without signatures, the common case, an element costs one read of its cell.
 *
 *   sched.S1  no two instances with conflicting sets run at once. It follows from sched.A1,
 *       sched.A2, sched.G2 (domain.h) and memobj.E1 (set.h);
 *   sched.S4  a runnable instance runs in the end (not asserted: about time; the differential
 *       test's scenes count the instances that overtake a waiting one);
 *   sched.A1  sets that are held at once do not conflict: no cell and no bit is written by one of
 *       them and read or written by another;
 *   sched.A2  an admitted set is held whole, until svs__admission_release();
 *   sched.A3  a fresh object takes its cell without a comparison, so that several holders may
 *       write one cell. No other instance knows the object, so another holder of its cell has an
 *       object with a colliding key (not asserted: a permission, and about chance);
 *   sched.A4  `epoch` grows with each release that may end the wait of a record (sched.V5),
 *       under the lock, after the cells are free. A record that was refused at an epoch is tried
 *       again after the epoch has changed;
 *   sched.A5  while bits are reserved, a set that conflicts with them is admitted for the reserver
 *       only. The reserver is a record or, in a staged domain, the hold of the stage. A stage
 *       releases its hold whole, and the next stage tries the reserver first. So the reservation
 *       does not make the stages of its own domain narrower;
 *   sched.A6  a release by an instance precedes each admission of a set that conflicts with its
 *       own. So the new holder sees the links that the instance has assigned and their count
 *       (memobj.W5), and svs__set_is_current() tells whether its set needs svs__set_confirm() (not
 *       asserted: it holds for bodies that write only what they have declared);
 *   sched.A7  reservations form a queue, `line`, with at most one of each domain. Only the first is
 *       in force. A reservation leaves the queue when its record is admitted or dropped;
 *   sched.A8  the bits of a reservation only grow: each refusal of the record adds the set that
 *       the record has by then. At most 2 N refusals add a bit;
 *   sched.A9  an instance that completes later keeps its set in a hold of its own, taken without a
 *       comparison while the hold of its stage, a lease, or the hold of its own still has the set.
 *       So nothing that conflicts with it is admitted in between. If a lease has the set, the
 *       instance sets `lease_wanted`, so that the domain returns the lease before its next stage
 *       (sched.L2). The owner of that stage sees this, as the instance has left its stage.
 *
 * Why sched.S4 holds:
 *   1. A holder never waits for admission. A deferred record holds nothing, a reservation holds no
 *      cell, and a body or a stage that has begun is not admitted again. So each hold
 *      is released in the end, in each world and domain, and no cycle of waiting exists.
 *   2. After each release of what a search has met, the domains search again (sched.A4). A search
 *      admits, moves or refuses the first record of each bucket that it visits, under each
 *      algorithm and at the gate. A record that it did not visit comes after a refused one in its
 *      bucket. If nothing that a record waits for was released, as far as a search knows, each
 *      eighth visit counts as a refusal. A record with SVS__TRIES_BEFORE_RESERVING refusals gets a
 *      reservation once its domain has none.
 *   3. Until it has a reservation, a record waits for instances of its own domain, which are finite
 *      in number in an iteration, and for a lease for a bounded time (sched.L2). Then it waits for
 *      at most one reservation of each other domain (sched.A7), and no lease is granted (sched.L1).
 *   4. The first reservation waits for instances that were admitted before the bits that they share
 *      with it were reserved and, in a staged domain, for own stages while such an instance runs.
 *      Only holders of a part of the record's set change the set. Those of other domains were
 *      admitted before that part was reserved, so that their number is finite. A change by them, or
 *      by a stage of the same domain, that leads out of the reserved bits makes these grow, which
 *      happens a bounded number of times (sched.A8). The first try after the last of these
 *      instances succeeds.
 *
 * | operation           | caller     | progress          | order                             |
 * |---------------------|------------|-------------------|-----------------------------------|
 * | try, release, fresh | any worker | a short spin lock | the lock's: a body sees what the  |
 * |                     |            |                   | last conflicting holder wrote     |
 * | the same, inside    | an entrant | lock-free         | the cells' (entrant.h)            |
 * | await               | any worker | a short spin lock | the lock's                        |
 * | epoch               | any worker | wait-free         | acquire; pairs with `release`     |
 */
#ifndef SVS_SCHED_ADMISSION_ADMISSION_H
#define SVS_SCHED_ADMISSION_ADMISSION_H

#include "sched/admission/entrant.h"
#include "sched/admission/held.h"

/* Prefetches the cells of a set before it is tried, so that no worker waits for memory while it
 * holds the lock. Often another worker was the last to write the cell. */
void svs__admission_fetch(const svs__admission *a, const svs__set *set);

/* Admits the set into the hold, whole or not at all. `reserver` is the reserver of the set's
 * reservation, as in svs__admission_reserve(). A refusal sets `conflict`. */
bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                        const void *reserver, svs__conflict *conflict);

/* svs__admission_begin() acquires the lock, and svs__admission_end() releases it. In between,
 * svs__admission_try_elements() admits the plain elements of one instance after another into a hold
 * with room for them (svs__hold_make_room). The hold is the reserver. */
void svs__admission_begin(svs__admission *a, const svs__hold *hold);
bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *reserver, svs__conflict *conflict);
void svs__admission_end(svs__admission *a, const svs__hold *hold);

/* svs__admission_try() for one element, inline because it is the most frequent call. */
static inline bool svs__admission_try_element(svs__admission *a, svs__hold *hold, svs__element e,
                                              const void *reserver) {
    svs__cell *cell = &a->cells[e.key >> a->cell_shift];
    svs__conflict met;
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, &e, 1, reserver, &met);
    if (svs__admission_cell_is_taken(a, e)) return false;
    svs__cell_add(cell, svs__cell_unit(e.mode));
    hold->elements[hold->count++] = e;
    return true;
}

/* [sched.A9] Takes the set of a running instance into an empty hold that has room for it. */
void svs__admission_keep(svs__admission *a, svs__hold *hold, const svs__set *set);

/* Releases the hold and empties it. @return whether a domain waits for a release. */
bool svs__admission_release(svs__admission *a, svs__hold *hold);

/* Adds the key of a fresh object to what its maker holds; svs__admission_fresh_leave() removes
 * keys, and returns the same as svs__admission_release(). */
void svs__admission_fresh(svs__admission *a, uint32_t key);
bool svs__admission_fresh_leave(svs__admission *a, svs_object *const *objects, uint32_t count);

/* Called after the record of the reservation was refused with this set. Appends the reservation to
 * the queue unless it is there. If it is the first, reserves the set (sched.A8). The reservation
 * must stay at its address until svs__admission_unreserve(), which returns the same as
 * svs__admission_release(). @return whether it is the first. */
bool svs__admission_reserve(svs__admission *a, const svs__set *set, svs__reservation *reservation);
bool svs__admission_unreserve(svs__admission *a, svs__reservation *reservation);

/* The domain begins or ends to wait for a release. A release either returns that a domain waits, or
 * the caller's next read of the epoch sees the release. */
void svs__admission_await(svs__admission *a, bool waits);

/* Whether elements would be admitted now. The answer may be stale. */
bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *reserver, svs__conflict *met);

typedef enum svs__look {
    SVS__GONE,
    SVS__MET_AGAIN,
    SVS__STILL_HELD /* nothing that refused the search was released since (sched.V5) */
} svs__look;

/* Whether the cause of the conflict is gone. The answer may be stale, but a domain that waits for a
 * release misses none (sched.A4). */
svs__look svs__admission_look(svs__admission *a, const svs__conflict *conflict,
                              const void *reserver);
static inline bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict,
                                          const void *reserver) {
    return svs__admission_look(a, conflict, reserver) == SVS__GONE;
}

static inline uint64_t svs__admission_epoch(svs__admission *a) {
    return svs__load_acquire(&a->epoch);
}

#endif
