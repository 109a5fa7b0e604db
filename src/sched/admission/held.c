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

void svs__held_count_bits(svs__admission *a) {
    size_t cells = (size_t)1 << a->world->options.cell_bits;
    if (a->counts_bits) return;
    a->counts_bits = true;
    for (size_t cell = 0; cell < cells; cell++) {
        count_bit(a, (uint32_t)(cell << a->cell_shift), SVS_MODE_READ, a->cells[cell].reads);
        count_bit(a, (uint32_t)(cell << a->cell_shift), SVS_MODE_WRITE, a->cells[cell].claims);
    }
}

static uint32_t *taken_of(svs__cell *cell, uint32_t mode) {
    return mode == SVS_MODE_WRITE ? &cell->claims : &cell->reads;
}

/* Once for each time that the cell was taken. */
static void give_cell_back(svs__cell *cell, uint32_t mode) {
    uint32_t *taken = taken_of(cell, mode);
    SVS__ASSERT(*taken != 0); /* sched.A2, sched.Z1 */
    --*taken;
}

void svs__held_take(svs__admission *a, svs__element e) {
    ++*taken_of(&a->cells[e.key >> a->cell_shift], e.mode);
    if (a->counts_bits) count_bit(a, e.key, e.mode, 1);
}

void svs__held_give_back(svs__admission *a, svs__element e) {
    give_cell_back(&a->cells[e.key >> a->cell_shift], e.mode);
    if (a->counts_bits) uncount_bit(a, e.key, e.mode);
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
/* sched.A1, before elements are taken. */
static bool are_free(const svs__admission *a, const svs__element *elements, uint32_t count) {
    svs__conflict met;
    return svs__held_allows_elements(a, elements, count, false, &met);
}

/* sched.A1, after elements were taken from cells that they do not share. */
static bool are_alone(const svs__admission *a, const svs__element *elements, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const svs__cell *cell = &a->cells[elements[i].key >> a->cell_shift];
        bool writes = elements[i].mode == SVS_MODE_WRITE;
        if (cell->claims != writes || (writes && cell->reads)) return false;
    }
    return true;
}

/* sched.A1, before a signature is taken. */
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
    for (uint32_t i = 0; i < count; i++) svs__held_take(a, elements[i]);
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

bool svs__held_take_free(svs__admission *a, svs__hold *hold, const svs__element *elements,
                         uint32_t count) {
    svs__cell *cells = a->cells;
    uint32_t shift = a->cell_shift;
    for (uint32_t i = 0; i < count; i++) {
        svs__cell *cell = &cells[elements[i].key >> shift];
        if (svs__cell_is_taken(cell, elements[i].mode)) {
            give_back_elements(a, elements, i);
            return false;
        }
        ++*taken_of(cell, elements[i].mode);
    }
    SVS__ASSERT_SLOW(are_alone(a, elements, count)); /* sched.A1, sched.S1 */
    keep_elements(hold, elements, count);
    return true;
}

/* The hold's bits of a read signature are counted once for the whole hold. */
static void take_signature(svs__admission *a, svs__hold *hold, const uint64_t *reads,
                           const uint64_t *writes) {
    SVS__ASSERT_SLOW(signature_is_free(a, reads, writes)); /* sched.A1, sched.S1 */
    if (!hold->dense) a->signatures++;
    for (uint32_t i = 0; i < a->world->words; i++) {
        uint64_t added = reads[i] & ~hold->signature[SVS_MODE_READ][i];
        hold->signature[SVS_MODE_READ][i] |= added;
        hold->signature[SVS_MODE_WRITE][i] |= writes[i];
        a->signature[SVS_MODE_READ][i] |= added;
        a->signature[SVS_MODE_WRITE][i] |= writes[i];
        for (; added; added &= added - 1) a->bit_reads[i * 64 + (uint32_t)__builtin_ctzll(added)]++;
    }
    hold->dense = true;
}

static void take_everything(svs__admission *a, svs__hold *hold) {
    uint64_t all[SVS__SIGNATURE_WORDS_MAX], none[SVS__SIGNATURE_WORDS_MAX] = {0};
    memset(all, 0xff, sizeof all);
    take_signature(a, hold, none, all);
}

void svs__held_take_set(svs__admission *a, svs__hold *hold, const svs__set *set) {
    svs__held_take_elements(a, hold, set->elements, set->count);
    if (set->everything) take_everything(a, hold);
    else if (set->dense)
        take_signature(a, hold, set->signature[SVS_MODE_READ], set->signature[SVS_MODE_WRITE]);
}

static void give_back_signature(svs__admission *a, svs__hold *hold) {
    for (uint32_t i = 0; i < a->world->words; i++) {
        uint64_t reads = hold->signature[SVS_MODE_READ][i];
        /* sched.Z2 */
        SVS__ASSERT_SLOW(!(hold->signature[SVS_MODE_WRITE][i] & ~a->signature[SVS_MODE_WRITE][i]));
        a->signature[SVS_MODE_WRITE][i] &= ~hold->signature[SVS_MODE_WRITE][i];
        for (; reads; reads &= reads - 1) {
            uint32_t bit = i * 64 + (uint32_t)__builtin_ctzll(reads);
            SVS__ASSERT(a->bit_reads[bit]); /* sched.Z2 */
            if (--a->bit_reads[bit] == 0)
                a->signature[SVS_MODE_READ][i] &= ~(UINT64_C(1) << bit % 64);
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
}
