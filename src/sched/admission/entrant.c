#include "sched/admission/entrant.h"

#include <string.h>

#include "base/check.h"
#include "base/platform.h"
#include "sched/admission/conflict.h"

static _Atomic(uint64_t) *cell_of(const svs__admission *a, svs__element e) {
    return &a->cells[e.key >> a->cell_shift].held;
}

/* ---- entering and leaving ---- */

/* Called for the first entrant of the world: from then on, the lock is released with `open` set. */
SVS__COLD static void begin_to_enter(svs__admission *a) {
    svs__admission_acquire(a);
    svs__store_relaxed(&a->entered, 1); /* relaxed is enough: the lock is held */
    svs__admission_let_go(a);
}

static inline void leave(svs__entrant *e) {
    /* release: a thread that excludes entrants sees the cells; pairs with the load in
     * svs__entrants_exclude() (sched.V1). */
    svs__store_release(&e->inside, 0);
}

static inline bool enter(svs__admission *a, svs__entrant *e) {
    SVS__ASSERT(!svs__load_relaxed(&e->inside)); /* sched.V1: only its worker sets it */
    /* seq_cst, both: `inside` is set before `open` is read (sched.V1). */
    (void)svs__exchange_seq(&e->inside, 1);
    if (SVS__LIKELY(svs__load_seq(&a->open))) return true;
    leave(e);
    return false;
}

/* tries before a yield: an entrant that is still inside may be waiting for a processor */
#define SPINS 100

void svs__entrants_exclude(svs__admission *a) {
    SVS__ASSERT(svs__lock_is_held(&a->lock)); /* sched.V1 */
    (void)svs__exchange_seq(&a->open, 0);     /* seq_cst, with the loads below: sched.V1 */
    for (uint32_t i = 0; i < a->entrant_count; i++) {
        svs__entrant *e = &a->entrants[i];
        for (uint32_t spins = 0; svs__load_seq(&e->inside); spins++)
            if (spins < SPINS) svs__relax();
            else svs__yield();
        /* relaxed is enough: the entrant is excluded (sched.V4). */
        a->holds += svs__load_relaxed(&e->holds);
        if (svs__load_relaxed(&e->holds)) svs__store_relaxed(&e->holds, 0);
    }
}

static inline void count_holder(svs__entrant *e, uint32_t by) {
    SVS__ASSERT(svs__load_relaxed(&e->inside)); /* sched.V1 */
    /* relaxed is enough: while the entrant is inside, its worker is the only writer (sched.V4). */
    svs__store_relaxed(&e->holds, svs__load_relaxed(&e->holds) + by);
}

/* ---- the epoch ---- */

bool svs__admission_raise_epoch(svs__admission *a) {
    SVS__ASSERT(svs__lock_is_held(&a->lock)); /* sched.A4 */
    /* release: a worker that sees the new epoch sees the cells free (sched.A4). */
    svs__store_release(&a->epoch, svs__load_relaxed(&a->epoch) + 1);
    return a->blocked != 0; /* `blocked` changes under the lock */
}

/* Raises the epoch after an entrant has given back an awaited cell. The entrant has left before the
 * call, so the lock need not exclude other entrants. */
SVS__COLD static bool tell(svs__admission *a) {
    bool awaited;
    svs__lock_acquire(&a->lock);
    awaited = svs__admission_raise_epoch(a);
    svs__lock_release(&a->lock);
    return awaited;
}

/* ---- cells ---- */

static inline bool take_one(const svs__admission *a, svs__element e) {
    _Atomic(uint64_t) *cell = cell_of(a, e);
    /* relaxed is enough: the compare-exchange checks the value */
    uint64_t held = svs__load_relaxed(cell);
    do
        if (svs__cell_conflicts(held, e.mode)) return false;
    /* acquire: sees what earlier holders wrote; pairs with the release in give_back(). */
    while (!svs__cas_weak_acquire(cell, &held, held + svs__cell_unit(e.mode)));
    return true;
}

/* Gives cells back. @return whether one of the cells was awaited. */
static inline bool give_back(const svs__admission *a, const svs__element *elements,
                             uint32_t count) {
    bool awaited = false;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t unit = svs__cell_unit(elements[i].mode);
        /* release: the next holder sees what this one wrote; pairs with the acquire in
         * take_one(). */
        uint64_t held = svs__fetch_sub_release(cell_of(a, elements[i]), unit);
        /* sched.V3, sched.Z1 */
        SVS__ASSERT((unit == SVS__CELL_READER ? (uint32_t)held : held) >= unit);
        if (SVS__LIKELY(!(held & SVS__CELL_AWAITED))) continue;
        /* relaxed is enough: the lock is acquired next, to raise the epoch (sched.V5). */
        (void)svs__fetch_and_relaxed(cell_of(a, elements[i]), ~SVS__CELL_AWAITED);
        awaited = true;
    }
    return awaited;
}

/* Gives back the cells of a part of a set, which were taken since the entrant entered. No
 * comparison under the lock has found these cells taken (sched.V5). */
static void step_back(const svs__admission *a, const svs__element *elements, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        /* relaxed is enough: the entrant wrote nothing in between, and the read-modify-write
         * continues the release sequences of earlier holders. */
        (void)svs__fetch_sub_relaxed(cell_of(a, elements[i]), svs__cell_unit(elements[i].mode));
}

/* Whether the element with number `i` is in the cell of an earlier element of the same set. */
static bool is_own(const svs__admission *a, const svs__element *elements, uint32_t i) {
    for (uint32_t before = 0; before < i; before++)
        if (cell_of(a, elements[before]) == cell_of(a, elements[i])) return true;
    return false;
}

static void keep(svs__hold *hold, const svs__set *set) {
    memcpy(hold->elements, set->elements, set->count * sizeof *set->elements);
    hold->count = set->count;
    count_holder(hold->entrant, 1);
}

/* Takes all cells of a set, or none. A set with two elements in one cell is left to the lock. */
static svs__entry take_or_none(const svs__admission *a, svs__hold *hold, const svs__set *set,
                               svs__conflict *conflict) {
    const svs__element *elements = set->elements;
    SVS__ASSERT(svs__entrants_may(a)); /* sched.V2 */
    for (uint32_t i = 0; i < set->count; i++)
        if (SVS__UNLIKELY(!take_one(a, elements[i]))) {
            step_back(a, elements, i);
            if (is_own(a, elements, i)) return SVS__ENTRY_LOCKED;
            svs__met_at(conflict, elements[i], SVS__MET_CELL);
            return SVS__ENTRY_REFUSED;
        }
    keep(hold, set);
    return SVS__ENTRY_TAKEN;
}

/* ---- a hold ---- */

svs__entry svs__entrant_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                            svs__conflict *conflict) {
    svs__entry entry;
    SVS__ASSERT(svs__hold_is_empty(hold)); /* sched.V3 */
    if (set->dense || set->everything) return SVS__ENTRY_LOCKED;
    if (!set->count) return SVS__ENTRY_TAKEN;
    if (SVS__UNLIKELY(!enter(a, hold->entrant))) {
        /* relaxed is enough: the lock is acquired next */
        if (!svs__load_relaxed(&a->entered)) begin_to_enter(a);
        return SVS__ENTRY_LOCKED;
    }
    entry = take_or_none(a, hold, set, conflict);
    leave(hold->entrant);
    return entry;
}

bool svs__entrant_release(svs__admission *a, svs__hold *hold, bool *awaited) {
    bool gave_back;
    *awaited = false;
    if (svs__hold_is_empty(hold)) return true;
    if (hold->dense || hold->lease || !enter(a, hold->entrant)) return false;
    gave_back = give_back(a, hold->elements, hold->count);
    count_holder(hold->entrant, UINT32_MAX);
    hold->count = 0;
    leave(hold->entrant);
    *awaited = SVS__UNLIKELY(gave_back) && tell(a); /* sched.V5 */
    return true;
}
