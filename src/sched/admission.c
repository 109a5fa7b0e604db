#include "sched/admission.h"

#include <string.h>

#include "sched/held.h"

/* ---- admitting ---- */

static bool is_reserved(const svs__admission *a, const void *who) {
    return a->reserver && a->reserver != who;
}

static bool may(const svs__admission *a, const svs__set *set, const void *who,
                svs__conflict *conflict) {
    return svs__held_allows(a, set, is_reserved(a, who), conflict);
}

/* Under the lock, for what is tried next: whether an element needs no more than its cell. */
static void look_at_cells_only(svs__admission *a, const void *who) {
    a->cells_decide = !a->signatures && !is_reserved(a, who) && !a->counts_bits;
}

static bool try_set(svs__admission *a, svs__hold *hold, const svs__set *set, const void *who,
                    svs__conflict *conflict) {
    bool plain = a->cells_decide && !set->dense && !set->everything;
    if (plain && svs__held_take_free(a, hold, set->elements, set->count)) return true;
    if (!may(a, set, who, conflict)) return false;
    svs__held_take_set(a, hold, set);
    return true;
}

#define FETCHED_MAX 128u /* more than that would not stay in a CPU's nearest memory */

void svs__admission_fetch(const svs__admission *a, const svs__set *set) {
    uint32_t count = set->count < FETCHED_MAX ? set->count : FETCHED_MAX;
    for (uint32_t i = 0; i < count; i++)
        __builtin_prefetch(&a->cells[set->elements[i].key >> a->cell_shift], 1);
}

bool svs__admission_try(svs__admission *a, svs__hold *hold, const svs__set *set, const void *who,
                        uint64_t epoch, svs__conflict *conflict, bool *unchanged) {
    bool admitted, was_empty = svs__hold_is_empty(hold);
    svs__lock_acquire(&a->lock);
    look_at_cells_only(a, who);
    *unchanged = svs__load_relaxed(&a->epoch) == epoch;
    if (a->cells_decide && set->count == 1 && !set->dense && !set->everything) {
        svs__element e = set->elements[0];
        admitted =
            svs__admission_try_element(a, hold, e, who) || svs__met_at(conflict, e, SVS__MET_CELL);
    } else {
        if (set->dense) svs__held_count_bits(a);
        admitted = try_set(a, hold, set, who, conflict);
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
                                 uint32_t count, const void *who, svs__conflict *conflict) {
    bool reserved = is_reserved(a, who);
    if (a->cells_decide && svs__held_take_free(a, hold, elements, count)) return true;
    if (!svs__held_allows_elements(a, elements, count, reserved, conflict)) return false;
    svs__admission_take(a, hold, elements, count);
    return true;
}

/* ---- releasing ---- */

/* Ends a change that made something free. @return whether somebody waits for it. */
static bool freed(svs__admission *a) {
    bool awaited = a->blocked != 0; /* under the lock, as whoever waits has said so under it */
    /* release: who sees the new epoch sees the cells free (A4). */
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
    if (!svs__hold_is_empty(hold)) a->holders--;
    svs__held_empty(a, hold);
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

/* Adds the bits of a set to what is reserved (A8). */
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
    }
    svs__lock_release(&a->lock);
    return first;
}

bool svs__admission_unreserve(svs__admission *a, svs__claim *claim) {
    bool first;
    svs__lock_acquire(&a->lock);
    first = a->line == claim;
    if (claim->in_line) leave_line(a, claim);
    if (first) {
        a->reserver = NULL;
        return freed(a); /* the next in the line looks again, and reserves */
    }
    svs__lock_release(&a->lock);
    return false;
}

bool svs__admission_is_free(svs__admission *a, const svs__conflict *conflict, const void *who) {
    bool gone;
    svs__lock_acquire(&a->lock);
    gone = svs__held_no_more(a, conflict, who);
    svs__lock_release(&a->lock);
    return gone;
}

bool svs__admission_may(svs__admission *a, const svs__element *elements, uint32_t count,
                        const void *who, svs__conflict *met) {
    bool may;
    svs__lock_acquire(&a->lock);
    may = svs__held_allows_elements(a, elements, count, is_reserved(a, who), met);
    svs__lock_release(&a->lock);
    return may;
}
