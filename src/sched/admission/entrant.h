/* Entrants: workers that take and give back cells without the lock of admission, each for one
 * instance at a time, as the progressive algorithm does.
 *
 *     if (svs__entrant_try(a, hold, set, &conflict) == SVS__ENTRY_REFUSED) ...
 *
 * All other changes of admission's tables are made by a holder of the lock. It excludes the
 * entrants first, and therefore needs no atomic read-modify-write for cells. In a world without
 * entrants there is nothing to exclude. Entrants write no cache line that all of them share,
 * neither that of the lock nor that of the epoch.
 *
 *   sched.V1  no entrant is inside while a holder of the lock has excluded them. An entrant sets
 *       `inside`, then reads `open`; a holder clears `open`, then reads each `inside`. All four are
 *       seq_cst, so that one of the two sees the other: the entrant leaves and takes the lock, or
 *       the holder waits. An entrant waits for nothing while it is inside;
 *   sched.V2  an entrant changes cells only, and only while cells decide: no signature is held,
 *       nothing is reserved or leased, elements are not counted by bit, and not all cells are
 *       awaited (sched.V5). Then `open` is 1 while the lock is free. Each exchange takes a cell
 *       that does not conflict, so that sched.A1 holds;
 *   sched.V3  when an entrant leaves, it has all cells of its set, or none;
 *   sched.V4  the number of holds is `holds` of admission and of all entrants together. A holder of
 *       the lock moves the entrants' parts to admission's (not asserted: it holds by the moves);
 *   sched.V5  no wake-up is lost although an entrant raises the epoch only if it gives back a cell
 *       that is awaited. Each comparison under the lock that a cell refuses marks the cell, while
 *       the cell is taken. Comparisons of a stage mark no cells. Instead, `open` stays 0 until the
 *       next release under the lock, from the first of these comparisons on, and likewise after a
 *       set of everything was refused. A domain finds its records blocked only by such comparisons,
 *       after it has read the epoch. The entrant removes the mark, then raises the epoch. So a mark
 *       that is removed is older than the epoch that the domain sees next. A release under the lock
 *       always raises the epoch. If a set is refused, its part that was taken is given back before
 *       the entrant leaves, so that no comparison under the lock finds that part taken (not
 *       asserted: a statement about the order of two threads' accesses;
 *       tests/explore/scenarios/progressive.c explores it).
 *
 * | operation    | caller             | progress                  | order                         |
 * |--------------|--------------------|---------------------------|-------------------------------|
 * | try          | an entrant         | lock-free; all or none    | acquire of each cell: sees    |
 * |              |                    |                           | what its last holder wrote    |
 * | release      | an entrant         | wait-free; the lock for a | release of each cell          |
 * |              |                    | cell that is awaited      |                               |
 * | acquire      | any worker         | the lock, then waits for  | seq_cst                       |
 * |              |                    | entrants inside           |                               |
 * | let_go       | holder of the lock | wait-free                 | release                       |
 *
 * Cache lines: one for each entrant, which its worker writes twice in each operation; `open`, which
 * holders of the lock write; the cells. */
#ifndef SVS_SCHED_ADMISSION_ENTRANT_H
#define SVS_SCHED_ADMISSION_ENTRANT_H

#include "sched/admission/table.h"

typedef enum svs__entry {
    SVS__ENTRY_TAKEN,
    SVS__ENTRY_REFUSED, /* *conflict says by what */
    SVS__ENTRY_LOCKED   /* undecided: svs__admission_try() decides */
} svs__entry;

/* Admits the set into an empty hold with an entrant and room for the set. */
svs__entry svs__entrant_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                            svs__conflict *conflict);

/* Releases and empties a hold. @return false: the release needs the lock. Sets *awaited to whether
 * a domain waits for a release. */
bool svs__entrant_release(svs__admission *a, svs__hold *hold, bool *awaited);

/* Called under the lock: waits until each entrant inside has left. */
SVS__COLD void svs__entrants_exclude(svs__admission *a);

/* Whether entrants may change cells while the lock is free (sched.V2). */
static inline bool svs__entrants_may(const svs__admission *a) {
    return !a->signatures && !a->reserver && !a->counts_bits && !a->lease && !a->all_awaited;
}

/* Acquires the lock of admission, and excludes all entrants. */
static inline void svs__admission_acquire(svs__admission *a) {
    svs__lock_acquire(&a->lock);
    /* relaxed is enough: it changes under the lock. */
    if (SVS__UNLIKELY(svs__load_relaxed(&a->open))) svs__entrants_exclude(a);
}
static inline void svs__admission_let_go(svs__admission *a) {
    /* relaxed is enough: it changes under the lock. */
    if (SVS__UNLIKELY(svs__load_relaxed(&a->entered)) && svs__entrants_may(a))
        /* release: publishes the tables to entrants; pairs with the load in enter() (sched.V1). */
        svs__store_release(&a->open, 1);
    svs__lock_release(&a->lock);
}

/* Called under the lock, after cells became free. @return whether a domain waits for the new epoch
 * (sched.A4). */
bool svs__admission_raise_epoch(svs__admission *a);

#endif
