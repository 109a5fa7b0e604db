#include "sched/admission/admission.h"

#include <string.h>

#include "base/check.h"
#include "sched/admission/conflict.h"
#include "sched/admission/lease.h"

/* ---- admitting ---- */

static bool is_reserved(const svs__admission *a, const void *reserver) {
    return a->reserver && a->reserver != reserver;
}

static bool may(svs__admission *a, const svs__set *set, const void *reserver,
                svs__conflict *conflict) {
    return svs__held_allows(a, set, is_reserved(a, reserver), conflict);
}

/* Sets whether the comparison of an element needs only its cell; the next try reads it. The caller
 * holds the lock. */
static void look_at_cells_only(svs__admission *a, const void *reserver) {
    a->cells_decide = !a->signatures && !is_reserved(a, reserver) && !a->counts_bits && !a->lease;
}

static bool try_set(svs__admission *a, svs__hold *hold, const svs__set *set, const void *reserver,
                    svs__conflict *conflict) {
    bool plain = a->cells_decide && !set->dense && !set->everything;
    if (plain && svs__held_take_free(a, hold, set->elements, set->count)) return true;
    if (!may(a, set, reserver, conflict)) return svs__lease_refuses(a);
    svs__held_take_set(a, hold, set);
    return true;
}

/* number of cells to prefetch: more would not stay in the first-level cache */
#define FETCHED_MAX 128u

void svs__admission_fetch(const svs__admission *a, const svs__set *set) {
    uint32_t count = set->count < FETCHED_MAX ? set->count : FETCHED_MAX;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&a->cells[set->elements[i].key >> a->cell_shift], 1);
}

bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                        const void *reserver, svs__conflict *conflict) {
    bool admitted, was_empty = svs__hold_is_empty(hold);
    svs__admission_acquire(a);
    look_at_cells_only(a, reserver);
    if (a->cells_decide && set->count == 1 && !set->dense && !set->everything) {
        svs__element e = set->elements[0];
        admitted = svs__admission_try_element(a, hold, e, reserver) ||
                   svs__met_at(conflict, e, SVS__MET_CELL);
    } else {
        if (set->dense) svs__held_count_bits(a);
        admitted = try_set(a, hold, set, reserver, conflict);
    }
    if (admitted && was_empty && !svs__hold_is_empty(hold)) a->holds++;
    svs__admission_let_go(a);
    return admitted;
}

void svs__admission_begin(svs__admission *a, const svs__hold *hold) {
    svs__admission_acquire(a);
    if (svs__hold_is_empty(hold)) a->holds++;
    a->all_awaited = true; /* comparisons mark no cell until svs__admission_end() (sched.V5) */
    look_at_cells_only(a, hold);
}

void svs__admission_end(svs__admission *a, const svs__hold *hold) {
    if (svs__hold_is_empty(hold)) a->holds--;
    svs__admission_let_go(a);
}

bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *reserver, svs__conflict *conflict) {
    bool reserved = is_reserved(a, reserver);
    SVS__ASSERT(!reserved || !a->cells_decide); /* sched.A5 */
    if (a->cells_decide && svs__held_take_free(a, hold, elements, count)) return true;
    if (!svs__held_allows_elements(a, elements, count, reserved, conflict))
        return svs__lease_refuses(a);
    svs__held_take_elements(a, hold, elements, count);
    return true;
}

void svs__admission_keep(svs__admission *a, svs__hold *hold, const svs__set *set) {
    SVS__ASSERT(svs__hold_is_empty(hold)); /* sched.A9 */
    svs__admission_acquire(a);
    if (set->dense) svs__held_count_bits(a);
    svs__held_keep_set(a, hold, set);
    if (!svs__hold_is_empty(hold)) {
        SVS__ASSERT(a->holds); /* sched.A9: the hold of the running instance counts */
        a->holds++;
        (void)svs__lease_refuses(a);
    }
    svs__admission_let_go(a);
}

/* ---- releasing ---- */

/* The last step of each release: raises the epoch, and releases the lock. @return whether a domain
 * waits for the release. */
static bool freed(svs__admission *a) {
    bool awaited = svs__admission_raise_epoch(a);
    a->all_awaited = false; /* refused records will be compared again (sched.V5) */
    svs__admission_let_go(a);
    return awaited;
}

void svs__admission_await(svs__admission *a, bool waits) {
    svs__lock_acquire(&a->lock);
    a->blocked += waits ? 1 : UINT32_MAX;
    svs__lock_release(&a->lock);
}

bool svs__admission_release(svs__admission *a, svs__hold *hold) {
    bool awaited;
    if (hold->entrant && svs__entrant_release(a, hold, &awaited)) return awaited;
    svs__admission_acquire(a);
    SVS__ASSERT(svs__hold_is_empty(hold) || a->holds); /* sched.A2, sched.L1 */
    if (!svs__hold_is_empty(hold)) a->holds--;
    svs__held_empty(a, hold);
    SVS__ASSERT(svs__hold_is_empty(hold)); /* sched.A2 */
    return freed(a);
}

void svs__admission_fresh(svs__admission *a, uint32_t key) {
    svs__admission_acquire(a);
    svs__held_take(a, (svs__element){key, SVS_MODE_WRITE});
    a->holds++;
    svs__admission_let_go(a);
}

bool svs__admission_fresh_leave(svs__admission *a, svs_object *const *objects, uint32_t count) {
    svs__admission_acquire(a);
    for (uint32_t i = 0; i < count; i++)
        svs__held_give_back(a, (svs__element){objects[i]->key, SVS_MODE_WRITE});
    a->holds -= count;
    return freed(a);
}

/* ---- reserving and waiting ---- */

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
/* sched.A7: whether each reservation is in the queue once, and `reserver` is the owner of the
 * first. */
static bool line_is_valid(const svs__admission *a) {
    for (const svs__reservation *reservation = a->line; reservation;
         reservation = reservation->next) {
        if (!reservation->in_line) return false;
        for (const svs__reservation *other = reservation->next; other; other = other->next)
            if (other == reservation) return false;
    }
    return !a->reserver || a->line;
}

/* sched.A8: whether all bits of the set are reserved. */
static bool is_reserved_whole(const svs__admission *a, const svs__set *set) {
    for (uint32_t i = 0; i < set->count; i++)
        if (!svs__signature_has(a->reserved[set->elements[i].mode],
                                svs__world_bit(a->world, set->elements[i].key)))
            return false;
    for (uint32_t i = 0; set->dense && i < a->world->words; i++)
        if ((set->signature[0][i] & ~a->reserved[0][i]) ||
            (set->signature[1][i] & ~a->reserved[1][i]))
            return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */

static void join_line(svs__admission *a, svs__reservation *reservation) {
    svs__reservation **last = &a->line;
    if (reservation->in_line) return;
    while (*last) last = &(*last)->next;
    *last = reservation;
    reservation->next = NULL;
    reservation->in_line = true;
}

static void leave_line(svs__admission *a, svs__reservation *reservation) {
    svs__reservation **at = &a->line;
    while (*at != reservation) at = &(*at)->next;
    *at = reservation->next;
    reservation->in_line = false;
}

/* Adds the bits of a set to the reserved bits (sched.A8). */
static void add_reserved(svs__admission *a, const svs__set *set) {
    uint32_t words = a->world->words;
    for (int mode = 0; mode < 2; mode++)
        if (set->dense) svs__signature_or(a->reserved[mode], set->signature[mode], words);
    if (set->everything) memset(a->reserved[SVS_MODE_WRITE], 0xff, words * sizeof(uint64_t));
    for (uint32_t i = 0; i < set->count; i++)
        svs__signature_set(a->reserved[set->elements[i].mode],
                           svs__world_bit(a->world, set->elements[i].key));
}

bool svs__admission_reserve(svs__admission *a, const svs__set *set, svs__reservation *reservation) {
    bool first;
    svs__admission_acquire(a);
    join_line(a, reservation);
    first = a->line == reservation;
    if (first && a->reserver != reservation->reserver)
        for (int mode = 0; mode < 2; mode++)
            memset(a->reserved[mode], 0, a->world->words * sizeof(uint64_t));
    if (first) {
        a->reserver = reservation->reserver;
        add_reserved(a, set);
        SVS__ASSERT_SLOW(is_reserved_whole(a, set)); /* sched.A8 */
    }
    SVS__ASSERT_SLOW(line_is_valid(a)); /* sched.A7 */
    svs__admission_let_go(a);
    return first;
}

bool svs__admission_unreserve(svs__admission *a, svs__reservation *reservation) {
    bool first;
    svs__admission_acquire(a);
    first = a->line == reservation;
    /* sched.A7: only the first reservation is in force. */
    SVS__ASSERT(!a->reserver || first == (a->reserver == reservation->reserver));
    if (reservation->in_line) leave_line(a, reservation);
    if (first) {
        a->reserver = NULL;
        return freed(a); /* the record of the next reservation will be tried again */
    }
    svs__admission_let_go(a);
    return false;
}

svs__look svs__admission_look(svs__admission *a, const svs__conflict *conflict,
                              const void *reserver) {
    bool gone, still;
    svs__admission_acquire(a);
    still = svs__held_is_awaited(a, conflict);
    gone = svs__held_no_more(a, conflict, reserver);
    if (!gone) (void)svs__lease_refuses(a);
    svs__admission_let_go(a);
    if (gone) return SVS__GONE;
    return still ? SVS__STILL_HELD : SVS__MET_AGAIN;
}

bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *reserver, svs__conflict *met) {
    bool may;
    svs__admission_acquire(a);
    may = svs__held_allows_elements(a, elements, count, is_reserved(a, reserver), met);
    if (!may) (void)svs__lease_refuses(a);
    svs__admission_let_go(a);
    return may;
}
