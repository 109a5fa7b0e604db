#include "sched/admission/admission.h"

#include <string.h>

#include "base/check.h"
#include "sched/admission/conflict.h"

/* ---- admitting ---- */

static bool is_reserved(const svs__admission *a, const void *claimant) {
    return a->reserver && a->reserver != claimant;
}

static bool may(const svs__admission *a, const svs__set *set, const void *claimant,
                svs__conflict *conflict) {
    return svs__held_allows(a, set, is_reserved(a, claimant), conflict);
}

/* Under the lock, for the next try: whether the comparison of an element needs its cell only. */
static void look_at_cells_only(svs__admission *a, const void *claimant) {
    a->cells_decide = !a->signatures && !is_reserved(a, claimant) && !a->counts_bits;
}

static bool try_set(svs__admission *a, svs__hold *hold, const svs__set *set, const void *claimant,
                    svs__conflict *conflict) {
    bool plain = a->cells_decide && !set->dense && !set->everything;
    if (plain && svs__held_take_free(a, hold, set->elements, set->count)) return true;
    if (!may(a, set, claimant, conflict)) return false;
    svs__held_take_set(a, hold, set);
    return true;
}

#define FETCHED_MAX 128u /* more cells would not stay in the first-level cache */

void svs__admission_fetch(const svs__admission *a, const svs__set *set) {
    uint32_t count = set->count < FETCHED_MAX ? set->count : FETCHED_MAX;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&a->cells[set->elements[i].key >> a->cell_shift], 1);
}

bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set,
                        const void *claimant, uint64_t epoch, svs__conflict *conflict,
                        bool *unchanged) {
    bool admitted, was_empty = svs__hold_is_empty(hold);
    svs__lock_acquire(&a->lock);
    look_at_cells_only(a, claimant);
    *unchanged = svs__load_relaxed(&a->epoch) == epoch;
    if (a->cells_decide && set->count == 1 && !set->dense && !set->everything) {
        svs__element e = set->elements[0];
        admitted = svs__admission_try_element(a, hold, e, claimant) ||
                   svs__met_at(conflict, e, SVS__MET_CELL);
    } else {
        if (set->dense) svs__held_count_bits(a);
        admitted = try_set(a, hold, set, claimant, conflict);
    }
    if (admitted && was_empty && !svs__hold_is_empty(hold)) a->holders++;
    svs__lock_release(&a->lock);
    return admitted;
}

void svs__admission_begin(svs__admission *a, const svs__hold *hold) {
    svs__lock_acquire(&a->lock);
    if (svs__hold_is_empty(hold)) a->holders++;
    look_at_cells_only(a, hold);
}

void svs__admission_end(svs__admission *a, const svs__hold *hold) {
    if (svs__hold_is_empty(hold)) a->holders--;
    svs__lock_release(&a->lock);
}

bool svs__admission_try_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                                 uint32_t count, const void *claimant, svs__conflict *conflict) {
    bool reserved = is_reserved(a, claimant);
    SVS__ASSERT(!reserved || !a->cells_decide); /* sched.A5 */
    if (a->cells_decide && svs__held_take_free(a, hold, elements, count)) return true;
    if (!svs__held_allows_elements(a, elements, count, reserved, conflict)) return false;
    svs__held_take_elements(a, hold, elements, count);
    return true;
}

/* ---- releasing ---- */

/* The last step of each release; releases the lock. @return whether a domain waits for it. */
static bool freed(svs__admission *a) {
    bool awaited = a->blocked != 0;           /* counted under the lock */
    SVS__ASSERT(svs__lock_is_held(&a->lock)); /* sched.A4 */
    /* release: a worker that sees the new epoch sees the cells free (sched.A4). */
    svs__store_release(&a->epoch, svs__load_relaxed(&a->epoch) + 1);
    svs__lock_release(&a->lock);
    return awaited;
}

void svs__admission_await(svs__admission *a, bool waits) {
    svs__lock_acquire(&a->lock);
    a->blocked += waits ? 1 : UINT32_MAX;
    svs__lock_release(&a->lock);
}

bool svs__admission_release(svs__admission *a, svs__hold *hold) {
    svs__lock_acquire(&a->lock);
    SVS__ASSERT(svs__hold_is_empty(hold) || a->holders);
    if (!svs__hold_is_empty(hold)) a->holders--;
    svs__held_empty(a, hold);
    SVS__ASSERT(svs__hold_is_empty(hold)); /* sched.A2 */
    return freed(a);
}

void svs__admission_fresh(svs__admission *a, uint32_t key) {
    svs__lock_acquire(&a->lock);
    svs__held_take(a, (svs__element){key, SVS_MODE_WRITE});
    a->holders++;
    svs__lock_release(&a->lock);
}

bool svs__admission_fresh_leave(svs__admission *a, uint32_t key) {
    svs__lock_acquire(&a->lock);
    svs__held_give_back(a, (svs__element){key, SVS_MODE_WRITE});
    a->holders--;
    return freed(a);
}

/* ---- reserving and waiting ---- */

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
/* sched.A7: each claim stands once in the queue, and a reserver needs a first one. */
static bool line_is_valid(const svs__admission *a) {
    for (const svs__claim *claim = a->line; claim; claim = claim->next) {
        if (!claim->in_line) return false;
        for (const svs__claim *other = claim->next; other; other = other->next)
            if (other == claim) return false;
    }
    return !a->reserver || a->line;
}

/* sched.A8: whether the set is reserved whole. */
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

static void join_line(svs__admission *a, svs__claim *claim) {
    svs__claim **last = &a->line;
    if (claim->in_line) return;
    while (*last) last = &(*last)->next;
    *last = claim;
    claim->next = NULL;
    claim->in_line = true;
}

static void leave_line(svs__admission *a, svs__claim *claim) {
    svs__claim **at = &a->line;
    while (*at != claim) at = &(*at)->next;
    *at = claim->next;
    claim->in_line = false;
}

/* Adds the bits of a set to what is reserved (sched.A8). */
static void add_reserved(svs__admission *a, const svs__set *set) {
    uint32_t words = a->world->words;
    for (int mode = 0; mode < 2; mode++)
        if (set->dense) svs__signature_or(a->reserved[mode], set->signature[mode], words);
    if (set->everything) memset(a->reserved[SVS_MODE_WRITE], 0xff, words * sizeof(uint64_t));
    for (uint32_t i = 0; i < set->count; i++)
        svs__signature_set(a->reserved[set->elements[i].mode],
                           svs__world_bit(a->world, set->elements[i].key));
}

bool svs__admission_reserve(svs__admission *a, const svs__set *set, svs__claim *claim) {
    bool first;
    svs__lock_acquire(&a->lock);
    join_line(a, claim);
    first = a->line == claim;
    if (first && a->reserver != claim->claimant)
        for (int mode = 0; mode < 2; mode++)
            memset(a->reserved[mode], 0, a->world->words * sizeof(uint64_t));
    if (first) {
        a->reserver = claim->claimant;
        add_reserved(a, set);
        SVS__ASSERT_SLOW(is_reserved_whole(a, set)); /* sched.A8 */
    }
    SVS__ASSERT_SLOW(line_is_valid(a)); /* sched.A7 */
    svs__lock_release(&a->lock);
    return first;
}

bool svs__admission_unreserve(svs__admission *a, svs__claim *claim) {
    bool first;
    svs__lock_acquire(&a->lock);
    first = a->line == claim;
    /* sched.A7: only the first claim reserves. */
    SVS__ASSERT(!a->reserver || first == (a->reserver == claim->claimant));
    if (claim->in_line) leave_line(a, claim);
    if (first) {
        a->reserver = NULL;
        return freed(a); /* the record of the next claim is tried again, and reserves */
    }
    svs__lock_release(&a->lock);
    return false;
}

bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict,
                            const void *claimant) {
    bool gone;
    svs__lock_acquire(&a->lock);
    gone = svs__held_no_more(a, conflict, claimant);
    svs__lock_release(&a->lock);
    return gone;
}

bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *claimant, svs__conflict *met) {
    bool may;
    svs__lock_acquire(&a->lock);
    may = svs__held_allows_elements(a, elements, count, is_reserved(a, claimant), met);
    svs__lock_release(&a->lock);
    return may;
}
