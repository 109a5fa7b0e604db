/* Admission: the only gate (design: Scheduling). Every instance is admitted at its start, by its
 * then-current set, against all that run in its world.
 *
 * Elements are compared in cells (2^cell_bits of them: the top bits of a key); signatures in bits
 * (N). A bit is a range of cells, so each side keeps a summary for the other: the elements that are
 * held, by bit, and the signatures that are held. Elements are counted by bit from the first
 * signature on: a world without any, as most are, looks at one cell an element and no more.
 *
 *   A1  two sets that are admitted at once do not conflict: no cell or bit is written by one and
 *       read or written by the other. S1 follows, by memobj.E1 (set.h);
 *   A2  what was admitted is held until svs__admission_release, whole;
 *   A3  a fresh object's cell may be held by several: no other instance knows the object, so only a
 *       collision can be met;
 *   A4  `epoch` grows with each release, after the cells are free: a record that was refused at an
 *       epoch is tried again when it has changed;
 *   A5  while bits are reserved, nothing that conflicts with them is admitted, but on behalf of the
 *       claim that reserved them: a record, or the hold of a stage, which is given back whole
 *       before the record that waits is looked at again, first. So a stage is no narrower for an
 *       instance that could not be in it anyway;
 *   A6  a set that is admitted, when nothing was released since before it was made, is what it was
 *       then, and memobj.E1 needs no second look: an instance that has changed a link meanwhile
 *       still holds its parent, and everything that was walked is in the set (memobj.E2), so the
 *       two would have met;
 *   A7  claims stand in a line, one for each domain at most, and the first of them alone reserves.
 *       A claim leaves the line when its record was admitted or dropped;
 *   A8  what a claim reserves only grows: each time that its record is refused, the set that the
 *       record has by then is added. That is at most 2 N times news, N being the bits of a
 *       signature.
 *
 * S4, a runnable instance runs in the end. Nothing waits while it holds: a record that waits holds
 * nothing, a claim reserves bits and holds no cell, and neither a body nor a stage that has begun
 * waits for admission. So all that is held is given back in the end, whichever record reserves, in
 * whatever world or domain: there is no cycle to wait in. Each release lets the domains look again
 * (A4), and each look at a bucket refuses its first record or lets it in, under every algorithm and
 * at the gate. After SVS__TRIES_BEFORE_RESERVING refusals a record claims, when its domain has no
 * claim.
 *   - Before it: instances of its own domain, which are finite in an iteration.
 *   - Before its claim is the first: one claim of each other domain of the world (A7).
 *   - Then only what was admitted before the bits that it shares with the reserver were reserved,
 *     and, of a staged domain, the domain's own stages while such a foreign instance runs. The set
 *     of the record changes only by instances that hold a part of it: those that are foreign were
 *     admitted before that part was reserved, and are finite; each change by them or by an own
 *     stage that leads outside of what is reserved makes that grow, which ends (A8). The next try
 *     after the last of them has ended succeeds.
 *
 * | operation           | caller     | progress          | order                             |
 * |---------------------|------------|-------------------|-----------------------------------|
 * | try, release, fresh | any worker | a short spin lock | the lock's: a body sees what the  |
 * |                     |            |                   | last conflicting holder wrote     |
 * | await               | any worker | a short spin lock | the lock's                        |
 * | epoch               | any worker | wait-free         | acquire; pairs with `release`     |
 */
#ifndef SVS_SCHED_ADMISSION_ADMISSION_H
#define SVS_SCHED_ADMISSION_ADMISSION_H

#include "sched/admission/held.h"

/* Fetches the cells of a set that is about to be tried, so that no worker waits for memory with the
 * lock held: another worker wrote the cell last, as often as not. */
void svs__admission_fetch(const svs__admission *a, const svs__set *set);

/* Admits the set into the hold, whole or not at all. `claimant` is what svs__admission_reserve()
 * was given. `conflict` is set when the answer is no. `*unchanged`: nothing was released since
 * `epoch`, which is of before the set was made (A6). */
bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                        const void *claimant, uint64_t epoch, svs__conflict *conflict,
                        bool *unchanged);

/* Between begin and end, under the lock: admits plain elements, one instance after the other, into
 * a hold that has room for them (svs__hold_make_room), and is `claimant`. */
void svs__admission_begin(svs__admission *a, const svs__hold *hold);
bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *claimant, svs__conflict *conflict);
void svs__admission_end(svs__admission *a, const svs__hold *hold);

/* The same for the commonest instance: one element. Here since nothing else is done as often. */
static inline bool svs__admission_try_element(svs__admission *a, svs__hold *hold, svs__element e,
                                              const void *claimant) {
    svs__cell *cell = &a->cells[e.key >> a->cell_shift];
    svs__conflict met;
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, &e, 1, claimant, &met);
    if (cell->claims) return false;
    if (e.mode == SVS_MODE_READ) cell->reads++;
    else if (cell->reads) return false;
    else cell->claims = 1;
    hold->elements[hold->count++] = e;
    return true;
}

/* The same for a few elements, which meet something more often than not. */
static inline bool svs__admission_try_few(svs__admission *a, svs__hold *hold,
                                          const svs__element *elements, uint32_t count,
                                          svs__conflict *met) {
    if (!a->cells_decide) return svs__admission_try_elements(a, hold, elements, count, hold, met);
    for (uint32_t i = 0; i < count; i++)
        if (svs__admission_cell_is_taken(a, elements[i])) {
            *met = (svs__conflict){elements[i].key, elements[i].mode, SVS__MET_CELL, false};
            return false;
        }
    svs__held_take_elements(a, hold, elements, count);
    return true;
}

/* Releases the hold, which is empty then. @return whether a domain waits for a release. */
bool svs__admission_release(svs__admission *a, svs__hold *hold);

/* A fresh object's key joins what its maker holds, and leaves it. `leave` answers as release does.
 */
void svs__admission_fresh(svs__admission *a, uint32_t key);
bool svs__admission_fresh_leave(svs__admission *a, uint32_t key);

/* A record was refused with this set: its claim joins the line, unless it stands there, and
 * reserves if it is the first (A8). Until svs__admission_unreserve(), which answers as release
 * does, the claim does not move.
 * @return whether it is the first. */
bool svs__admission_reserve(svs__admission *a, const svs__set *set, svs__claim *claim);
bool svs__admission_unreserve(svs__admission *a, svs__claim *claim);

/* A domain waits for a release from here on, or does so no more. A release either sees it and says
 * so, or is seen by this worker's next look at the epoch. */
void svs__admission_await(svs__admission *a, bool waits);

/* Whether elements would be admitted now. Racy, too. */
bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *claimant, svs__conflict *met);

/* Whether what the conflict met is gone now. Racy: a hint, except to a domain that waits until it
 * is: A4. */
bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict, const void *claimant);

static inline uint64_t svs__admission_epoch(svs__admission *a) {
    return svs__load_acquire(&a->epoch);
}

#endif
