/* The index of a basis, its pairs, and the criteria of Gebauer and Moeller (On an installation of
 * Buchberger's algorithm, 1988), as in Becker and Weispfenning, Groebner Bases, section 5.5.
 *
 * Of the pairs (i, k) with a new element k one is left out
 *   - if another pair (j, k) is not, whose least common multiple divides its own (chain criterion);
 *   - and after that, if its leads are coprime (product criterion).
 * A pair (i, j) from before k is left out if k's lead divides its least common multiple, and that
 * differs from those of (i, k) and (j, k). This holds whenever it is looked at, for the pairs that
 * take its place have smaller multiples. So a rank may look at it late, by an old index. */
#include "groebner.h"

#include <stdlib.h>

/* Four bits for each variable: its exponent is at least 1, 2, 3, 4. A multiple has all bits of its
 * divisor. */
uint64_t monomial_mask(const monomial *m) {
    uint64_t mask = 0;
    for (int i = 0; i < GROEBNER_VARIABLES; i++) {
        uint64_t bits = m->e[i] < 4 ? (1u << m->e[i]) - 1 : 15;
        mask |= bits << 4 * i;
    }
    return mask;
}

bool pair_precedes(const pair *a, const pair *b) {
    if (a->sugar != b->sugar) return a->sugar < b->sugar;
    if (a->degree != b->degree) return a->degree < b->degree;
    return a->j != b->j ? a->j < b->j : a->i < b->i;
}

static uint32_t sugar_of(const element *a, const element *b, const monomial *lcm) {
    uint32_t one = a->sugar - a->lead.degree, other = b->sugar - b->lead.degree;
    return lcm->degree + (one > other ? one : other);
}

/* What becomes of the pairs with a new element. */
typedef struct candidate {
    monomial lcm;
    bool there, coprime;
} candidate;

/* Another candidate's multiple divides this one's; of equal ones the first stays, unless a coprime
 * one is among them, for which all others may go. */
static bool is_chained(const candidate *of, uint32_t count, uint32_t which) {
    if (of[which].coprime) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (i == which || !of[i].there || !monomial_divides(&of[i].lcm, &of[which].lcm)) continue;
        if (monomial_compare(&of[i].lcm, &of[which].lcm) != 0) return true;
        if (i < which || of[i].coprime) return true;
    }
    return false;
}

static void find_candidates(const element_index *index, const element *next, candidate *of) {
    for (uint32_t i = 0; i < index->count; i++) {
        of[i] = (candidate){.there = index->of[i].redundant == 0};
        if (!of[i].there) continue;
        of[i].lcm = monomial_lcm(&index->of[i].lead, &next->lead);
        of[i].coprime = monomial_is_coprime(&index->of[i].lead, &next->lead);
    }
}

uint32_t index_add(element_index *index, const element *next, pair *pairs) {
    uint32_t k = index->count, made = 0;
    candidate *of = groebner_allocate(k, sizeof *of);
    find_candidates(index, next, of);
    for (uint32_t i = 0; i < k; i++) {
        if (!of[i].there || of[i].coprime || is_chained(of, k, i)) continue;
        pairs[made++] = (pair){i, k, sugar_of(&index->of[i], next, &of[i].lcm), of[i].lcm.degree};
    }
    for (uint32_t i = 0; i < k; i++)
        if (monomial_divides(&next->lead, &index->of[i].lead)) index->of[i].redundant = 1;
    index->of = groebner_grow(index->of, &index->capacity, k + 1, sizeof *index->of);
    index->of[index->count++] = *next;
    free(of);
    return made;
}

bool pair_is_covered(const element *of, uint32_t count, const pair *p) {
    monomial lcm = monomial_lcm(&of[p->i].lead, &of[p->j].lead);
    uint64_t mask = monomial_mask(&lcm);
    for (uint32_t k = p->j + 1; k < count; k++) {
        monomial one, other;
        if ((of[k].mask & ~mask) != 0 || !monomial_divides(&of[k].lead, &lcm)) continue;
        one = monomial_lcm(&of[p->i].lead, &of[k].lead);
        other = monomial_lcm(&of[p->j].lead, &of[k].lead);
        if (monomial_compare(&one, &lcm) != 0 && monomial_compare(&other, &lcm) != 0) return true;
    }
    return false;
}

uint32_t index_find_divisor(const element *of, uint32_t from, uint32_t count, const monomial *m) {
    uint64_t mask = monomial_mask(m);
    for (uint32_t i = from; i < count; i++)
        if (of[i].redundant == 0 && (of[i].mask & ~mask) == 0 && monomial_divides(&of[i].lead, m))
            return i;
    return count;
}

/* ---- reductions ---- */

/* The multiple of an element whose lead is m. */
static void subtract_element(reduction *by, polynomial *p, uint32_t from, uint32_t c,
                             const element *of, const monomial *m) {
    uint32_t count;
    const term *terms = by->terms(by->argument, of, &count);
    monomial over = monomial_over(m, &of->lead);
    polynomial_subtract(p, from, c, &over, terms, count, by->modulus, &by->room);
    ++*by->steps;
}

void reduction_start(reduction *by, const pair *p, polynomial *result) {
    const element *one = &by->of[p->i], *other = &by->of[p->j];
    monomial lcm = monomial_lcm(&one->lead, &other->lead);
    result->count = 0;
    subtract_element(by, result, 0, by->modulus - 1, one, &lcm);
    subtract_element(by, result, 0, 1, other, &lcm);
}

void reduction_run(reduction *by, polynomial *p) {
    for (uint32_t at = 0; at < p->count;) {
        term head = p->terms[at];
        uint32_t which = index_find_divisor(by->of, 0, by->count, &head.m);
        if (which == by->count) at++;
        else subtract_element(by, p, at, head.c, &by->of[which], &head.m);
        if (by->between != NULL) by->between(by->argument);
    }
    polynomial_make_monic(p, by->modulus);
}
