/* Comparisons of a set with the held and the reserved sets. */
#include "sched/admission/conflict.h"

/* Whether an element conflicts with a pair of signatures, one for each mode. */
static bool bit_conflicts(const svs__admission *a, uint64_t *const signature[2], svs__element e) {
    uint32_t bit = svs__world_bit(a->world, e.key);
    return svs__signature_has(signature[SVS_MODE_WRITE], bit) ||
           (e.mode == SVS_MODE_WRITE && svs__signature_has(signature[SVS_MODE_READ], bit));
}

/* Whether the cell refuses the element. If so, marks the cell as awaited (sched.V5). */
static inline bool cell_refuses(const svs__admission *a, svs__element e) {
    svs__cell *cell = &a->cells[e.key >> a->cell_shift];
    if (!svs__admission_cell_is_taken(a, e)) return false;
    /* relaxed is enough for both: the caller holds the lock (sched.V1). */
    svs__store_relaxed(&cell->held, svs__load_relaxed(&cell->held) | SVS__CELL_AWAITED);
    return true;
}

bool svs__held_allows_elements(const svs__admission *a, const svs__element *elements,
                               uint32_t count, bool reserved, svs__conflict *conflict) {
    if (a->lease && count) return svs__met_at(conflict, elements[0], SVS__MET_LEASE);
    for (uint32_t i = 0; i < count; i++) {
        svs__element e = elements[i];
        if (cell_refuses(a, e)) return svs__met_at(conflict, e, SVS__MET_CELL);
        if (bit_conflicts(a, a->signature, e)) return svs__met_at(conflict, e, SVS__MET_BIT);
        if (reserved && bit_conflicts(a, a->reserved, e))
            return svs__met_at(conflict, e, SVS__MET_RESERVED);
    }
    return true;
}

/* Finds the first bit that two signatures share. *key becomes a key with this bit. */
static bool first_common(const svs_world *world, const uint64_t *a, const uint64_t *b,
                         uint32_t *key) {
    if (!svs__signature_overlap(a, b, world->words)) return false;
    for (uint32_t i = 0; i < world->words; i++) /* LCOV_EXCL_BR_LINE: the search finds a bit */
        if (a[i] & b[i]) {
            uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(a[i] & b[i]);
            *key = (uint32_t)((uint64_t)bit << world->bit_shift);
            return true;
        }
    return false;
}

static bool signature_may(const svs__admission *a, const svs__set *set, bool reserved,
                          svs__conflict *conflict) {
    uint32_t key = 0;
    for (uint32_t mode = 0; mode < 2; mode++) {
        const uint64_t *mine = set->signature[mode];
        /* A write conflicts with reads and writes of the other set, a read only with writes. */
        for (int other = SVS_MODE_WRITE;
             other >= (mode == SVS_MODE_WRITE ? SVS_MODE_READ : SVS_MODE_WRITE); other--) {
            if (first_common(a->world, mine, a->summary[other], &key) ||
                first_common(a->world, mine, a->signature[other], &key))
                return svs__met_at(conflict, (svs__element){key, mode}, SVS__MET_BIT);
            if (reserved && first_common(a->world, mine, a->reserved[other], &key))
                return svs__met_at(conflict, (svs__element){key, mode}, SVS__MET_RESERVED);
        }
    }
    return true;
}

/* Whether anything is held. If so, the release of any hold may admit a set of everything, so all
 * cells count as awaited (sched.V5). */
static bool is_held(svs__admission *a) {
    if (a->holds) a->all_awaited = true;
    return a->holds != 0;
}

bool svs__held_allows(svs__admission *a, const svs__set *set, bool reserved,
                      svs__conflict *conflict) {
    static const svs__element anything = {0, SVS_MODE_WRITE};
    if (a->lease && (set->everything || set->dense))
        return svs__met_at(conflict, anything, SVS__MET_LEASE);
    if (set->everything && is_held(a)) return svs__met_at(conflict, anything, SVS__MET_ANYTHING);
    if (set->everything && reserved) return svs__met_at(conflict, anything, SVS__MET_RESERVED);
    return svs__held_allows_elements(a, set->elements, set->count, reserved, conflict) &&
           (!set->dense || signature_may(a, set, reserved, conflict));
}

bool svs__held_is_awaited(const svs__admission *a, const svs__conflict *conflict) {
    svs__cell *cell = &a->cells[conflict->key >> a->cell_shift];
    /* relaxed is enough: the caller holds the lock (sched.V1). */
    return conflict->met == SVS__MET_CELL && (svs__load_relaxed(&cell->held) & SVS__CELL_AWAITED);
}

bool svs__held_no_more(svs__admission *a, const svs__conflict *conflict, const void *reserver) {
    svs__element e = {conflict->key, conflict->mode};
    switch (conflict->met) {
    case SVS__MET_CELL: return !cell_refuses(a, e);
    case SVS__MET_BIT:
        return !bit_conflicts(a, a->signature, e) && !bit_conflicts(a, a->summary, e);
    case SVS__MET_ANYTHING: return !is_held(a);
    case SVS__MET_RESERVED: return !a->reserver || a->reserver == reserver;
    case SVS__MET_LEASE: return !a->lease;
    default: return true;
    }
}
