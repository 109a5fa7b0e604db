#include "sched/admission/held.h"

#include <string.h>

#include "base/check.h"
#include "sched/admission/conflict.h"

static void count_bit(svs__admission *a, uint32_t key, uint32_t mode, uint32_t by) {
    uint32_t bit = svs__world_bit(a->world, key);
    if (!by) return;
    a->bit_elements[mode][bit] += by;
    svs__signature_set(a->summary[mode], bit);
}

static void uncount_bit(svs__admission *a, uint32_t key, uint32_t mode) {
    uint32_t bit = svs__world_bit(a->world, key);
    /* sched.Z1 */
    SVS__ASSERT(a->bit_elements[mode][bit] && svs__signature_has(a->summary[mode], bit));
    if (--a->bit_elements[mode][bit] == 0) a->summary[mode][bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

/* relaxed is enough: the caller holds the lock. */
static uint64_t held_by(svs__cell *cell) { return svs__load_relaxed(&cell->held); }

void svs__held_count_bits(svs__admission *a) {
    size_t cells = (size_t)1 << a->world->cell_bits;
    if (a->counts_bits) return;
    a->counts_bits = true;
    for (size_t cell = 0; cell < cells; cell++) {
        uint64_t held = held_by(&a->cells[cell]);
        uint32_t key = (uint32_t)(cell << a->cell_shift);
        count_bit(a, key, SVS_MODE_READ, (uint32_t)held / SVS__CELL_READER);
        count_bit(a, key, SVS_MODE_WRITE, (uint32_t)(held / SVS__CELL_WRITER));
    }
}

/* Called once for each time that the cell was taken. The caller raises the epoch afterwards
 * (sched.V5). */
static void give_cell_back(svs__cell *cell, uint32_t mode) {
    uint64_t held = held_by(cell), unit = svs__cell_unit(mode);
    /* sched.A2, sched.Z1 */
    SVS__ASSERT((unit == SVS__CELL_READER ? (uint32_t)held : held) >= unit);
    /* relaxed is enough: the lock is held */
    svs__store_relaxed(&cell->held, (held - unit) & ~SVS__CELL_AWAITED);
}

static inline void take(svs__admission *a, svs__element e) {
    svs__cell_add(&a->cells[e.key >> a->cell_shift], svs__cell_unit(e.mode));
    if (a->counts_bits) count_bit(a, e.key, e.mode, 1);
}

void svs__held_take(svs__admission *a, svs__element e) { take(a, e); }

void svs__held_give_back(svs__admission *a, svs__element e) {
    give_cell_back(&a->cells[e.key >> a->cell_shift], e.mode);
    if (a->counts_bits) uncount_bit(a, e.key, e.mode);
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
/* sched.A1: called before elements are taken. */
static bool are_free(const svs__admission *a, const svs__element *elements, uint32_t count) {
    svs__conflict met;
    return svs__held_allows_elements(a, elements, count, false, &met);
}

/* sched.A1: called after elements were taken that share no cell. */
static bool are_alone(const svs__admission *a, const svs__element *elements, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint64_t held = held_by(&a->cells[elements[i].key >> a->cell_shift]);
        uint64_t unit = svs__cell_unit(elements[i].mode);
        if (held < unit || svs__cell_conflicts(held - unit, elements[i].mode)) return false;
    }
    return true;
}

/* sched.A1: called before a signature is taken. */
static bool signature_is_free(const svs__admission *a, const uint64_t *reads,
                              const uint64_t *writes) {
    for (uint32_t i = 0; i < a->world->words; i++)
        if (((reads[i] | writes[i]) & a->signature[SVS_MODE_WRITE][i]) ||
            (writes[i] & a->signature[SVS_MODE_READ][i]))
            return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */

static void keep_elements(svs__hold *hold, const svs__element *elements, uint32_t count) {
    if (count) memcpy(hold->elements + hold->count, elements, count * sizeof *elements);
    hold->count += count;
}

void svs__held_take_elements(svs__admission *a, svs__hold *hold, const svs__element *elements,
                             uint32_t count) {
    SVS__ASSERT_SLOW(are_free(a, elements, count)); /* sched.A1, sched.S1 */
    for (uint32_t i = 0; i < count; i++) take(a, elements[i]);
    keep_elements(hold, elements, count);
}

static void give_back_elements(svs__admission *a, const svs__element *elements, uint32_t count) {
    svs__cell *cells = a->cells;
    uint32_t shift = a->cell_shift;
    if (a->counts_bits) {
        for (uint32_t i = 0; i < count; i++) svs__held_give_back(a, elements[i]);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        give_cell_back(&cells[elements[i].key >> shift], elements[i].mode);
}

/* Removes elements that were just taken from their cells. */
static void undo(svs__admission *a, const svs__element *elements, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        svs__cell_add(&a->cells[elements[i].key >> a->cell_shift],
                      -svs__cell_unit(elements[i].mode));
}

bool svs__held_take_free(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count) {
    svs__cell *cells = a->cells;
    uint32_t shift = a->cell_shift;
    for (uint32_t i = 0; i < count; i++) {
        svs__cell *cell = &cells[elements[i].key >> shift];
        if (svs__cell_conflicts(held_by(cell), elements[i].mode)) {
            undo(a, elements, i);
            return false;
        }
        svs__cell_add(cell, svs__cell_unit(elements[i].mode));
    }
    SVS__ASSERT_SLOW(are_alone(a, elements, count)); /* sched.A1, sched.S1 */
    keep_elements(hold, elements, count);
    return true;
}

/* Adds a signature to a hold. Each bit is counted once for the whole hold. */
static void take_signature(svs__admission *a, svs__hold *hold, uint64_t *const signature[2]) {
    if (!hold->dense) a->signatures++;
    for (uint32_t i = 0; i < 2 * a->world->words; i++) {
        uint32_t mode = i & 1, word = i / 2;
        uint64_t added = signature[mode][word] & ~hold->signature[mode][word];
        hold->signature[mode][word] |= added;
        a->signature[mode][word] |= added;
        for (; added; added &= added - 1)
            a->bit_holds[mode][word * 64 + (uint32_t)__builtin_ctzll(added)]++;
    }
    hold->dense = true;
}

/* Sets `signature` to the signature of a set. `all` and `none` are room for the signature of
 * everything. @return false: the set has no signature. */
static bool signature_of(const svs__set *set, uint64_t *none, uint64_t *all,
                         uint64_t *signature[2]) {
    if (!set->everything && !set->dense) return false;
    for (int mode = 0; mode < 2; mode++) signature[mode] = (uint64_t *)set->signature[mode];
    if (!set->everything) return true;
    memset(none, 0, SVS__SIGNATURE_WORDS_MAX * sizeof *none);
    memset(all, 0xff, SVS__SIGNATURE_WORDS_MAX * sizeof *all);
    signature[SVS_MODE_READ] = none;
    signature[SVS_MODE_WRITE] = all;
    return true;
}

void svs__held_take_set(svs__admission *a, svs__hold *hold, const svs__set *set) {
    uint64_t none[SVS__SIGNATURE_WORDS_MAX], all[SVS__SIGNATURE_WORDS_MAX], *signature[2];
    svs__held_take_elements(a, hold, set->elements, set->count);
    if (!signature_of(set, none, all, signature)) return;
    /* sched.A1, sched.S1 */
    SVS__ASSERT_SLOW(signature_is_free(a, signature[SVS_MODE_READ], signature[SVS_MODE_WRITE]));
    take_signature(a, hold, signature);
}

void svs__held_keep_set(svs__admission *a, svs__hold *hold, const svs__set *set) {
    uint64_t none[SVS__SIGNATURE_WORDS_MAX], all[SVS__SIGNATURE_WORDS_MAX], *signature[2];
    for (uint32_t i = 0; i < set->count; i++) svs__held_take(a, set->elements[i]);
    keep_elements(hold, set->elements, set->count);
    if (signature_of(set, none, all, signature)) take_signature(a, hold, signature);
}

static void give_back_signature(svs__admission *a, svs__hold *hold) {
    for (uint32_t i = 0; i < 2 * a->world->words; i++) {
        uint32_t mode = i & 1, word = i / 2;
        uint64_t bits = hold->signature[mode][word];
        for (; bits; bits &= bits - 1) {
            uint32_t bit = word * 64 + (uint32_t)__builtin_ctzll(bits);
            SVS__ASSERT(a->bit_holds[mode][bit]); /* sched.Z2 */
            if (--a->bit_holds[mode][bit] == 0)
                a->signature[mode][word] &= ~(UINT64_C(1) << bit % 64);
        }
    }
    memset(hold->signature[0], 0, (size_t)2 * a->world->words * sizeof(uint64_t));
    hold->dense = false;
    a->signatures--;
}

void svs__held_empty(svs__admission *a, svs__hold *hold) {
    give_back_elements(a, hold->elements, hold->count);
    hold->count = 0;
    if (hold->dense) give_back_signature(a, hold);
    if (hold->lease) a->lease = NULL;
    hold->lease = false;
}
