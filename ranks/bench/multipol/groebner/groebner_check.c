/* Is it the reduced Groebner basis of an ideal that has the input? The check has its own form of
 * polynomials, a list of terms in any order, and its own arithmetic: each step looks for the
 * greatest term. */
#include "groebner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct checked {
    const system_of_polynomials *basis;
    polynomial work;                      /* unordered, without two terms of one monomial */
    uint32_t *chains, *slots, slot_count; /* terms by a hash of their monomial; numbers from 1 */
    uint32_t chains_capacity;
} checked;

static bool wrong(char fault[GROEBNER_FAULT], const char *format, ...) {
    va_list list;
    va_start(list, format);
    (void)vsnprintf(fault, GROEBNER_FAULT, format, list);
    va_end(list);
    return false;
}

static uint32_t slot_of(const checked *c, const uint16_t *e) {
    uint64_t hash = 0;
    for (int i = 0; i < GROEBNER_VARIABLES; i++) hash = (hash + e[i] + 1) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 40) % c->slot_count;
}

/* work += value * x^e */
static void add_term(checked *c, uint64_t value, const uint16_t *e) {
    uint32_t slot = slot_of(c, e), modulus = c->basis->modulus;
    monomial m = {0};
    for (uint32_t at = c->slots[slot]; at != 0; at = c->chains[at - 1]) {
        term *there = &c->work.terms[at - 1];
        if (memcmp(there->m.e, e, sizeof there->m.e) != 0) continue;
        there->c = (uint32_t)((there->c + value) % modulus);
        return;
    }
    memcpy(m.e, e, sizeof m.e);
    for (int i = 0; i < GROEBNER_VARIABLES; i++) m.degree = (uint16_t)(m.degree + e[i]);
    polynomial_append(&c->work, (uint32_t)(value % modulus), &m);
    c->chains = groebner_grow(c->chains, &c->chains_capacity, c->work.count, sizeof *c->chains);
    c->chains[c->work.count - 1] = c->slots[slot];
    c->slots[slot] = c->work.count;
}

/* work += value * x^e * p */
static void add_multiple(checked *c, uint64_t value, const uint16_t *e, const polynomial *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        uint16_t sum[GROEBNER_VARIABLES];
        for (int v = 0; v < GROEBNER_VARIABLES; v++) sum[v] = (uint16_t)(e[v] + p->terms[i].m.e[v]);
        add_term(c, value * p->terms[i].c % c->basis->modulus, sum);
    }
}

static void clear(checked *c) {
    c->work.count = 0;
    memset(c->slots, 0, c->slot_count * sizeof *c->slots);
}

/* Is a greater than b? */
static bool is_greater(const term *a, const term *b) {
    int last = GROEBNER_VARIABLES - 1;
    if (a->m.degree != b->m.degree) return a->m.degree > b->m.degree;
    while (last > 0 && a->m.e[last] == b->m.e[last]) last--;
    return a->m.e[last] < b->m.e[last];
}

static const term *greatest(const checked *c) {
    const term *found = NULL;
    for (uint32_t i = 0; i < c->work.count; i++) {
        const term *at = &c->work.terms[i];
        if (at->c != 0 && (found == NULL || is_greater(at, found))) found = at;
    }
    return found;
}

static bool divide(const uint16_t *e, const uint16_t *by, uint16_t *quotient) {
    for (int v = 0; v < GROEBNER_VARIABLES; v++) {
        if (by[v] > e[v]) return false;
        quotient[v] = (uint16_t)(e[v] - by[v]);
    }
    return true;
}

/* Reduces `work` by the leads of the basis. @return whether it becomes 0. */
static bool becomes_zero(checked *c) {
    const term *head;
    while ((head = greatest(c)) != NULL) {
        uint64_t value = c->basis->modulus - head->c;
        uint16_t quotient[GROEBNER_VARIABLES];
        uint32_t i = 0;
        while (i < c->basis->count && !divide(head->m.e, c->basis->of[i].terms[0].m.e, quotient))
            i++;
        if (i == c->basis->count) return false;
        add_multiple(c, value, quotient, &c->basis->of[i]);
    }
    return true;
}

static bool check_pair(checked *c, uint32_t i, uint32_t j) {
    const polynomial *p = &c->basis->of[i], *q = &c->basis->of[j];
    uint16_t up[GROEBNER_VARIABLES], uq[GROEBNER_VARIABLES];
    for (int v = 0; v < GROEBNER_VARIABLES; v++) {
        uint16_t a = p->terms[0].m.e[v], b = q->terms[0].m.e[v], most = a > b ? a : b;
        up[v] = (uint16_t)(most - a);
        uq[v] = (uint16_t)(most - b);
    }
    clear(c);
    add_multiple(c, 1, up, p);
    add_multiple(c, c->basis->modulus - 1, uq, q);
    return becomes_zero(c);
}

static bool check_pairs(checked *c, char *fault) {
    for (uint32_t i = 0; i < c->basis->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!check_pair(c, i, j))
                return wrong(fault, "the S-polynomial of elements %u and %u is not 0", j, i);
    return true;
}

static bool check_input(checked *c, const system_of_polynomials *given, char *fault) {
    const uint16_t one[GROEBNER_VARIABLES] = {0};
    for (uint32_t i = 0; i < given->count; i++) {
        clear(c);
        add_multiple(c, 1, one, &given->of[i]);
        if (!becomes_zero(c)) return wrong(fault, "polynomial %u of the input is not 0", i);
    }
    return true;
}

/* Monic, and no term is a multiple of another element's lead. */
static bool check_reduced(const system_of_polynomials *basis, char *fault) {
    uint16_t quotient[GROEBNER_VARIABLES];
    for (uint32_t i = 0; i < basis->count; i++) {
        const polynomial *p = &basis->of[i];
        if (p->count == 0 || p->terms[0].c != 1) return wrong(fault, "element %u is not monic", i);
        for (uint32_t t = 0; t < p->count; t++)
            for (uint32_t k = 0; k < basis->count; k++)
                if (k != i && divide(p->terms[t].m.e, basis->of[k].terms[0].m.e, quotient))
                    return wrong(fault, "term %u of element %u can be reduced by element %u", t, i,
                                 k);
    }
    return true;
}

bool basis_check(const system_of_polynomials *given, const system_of_polynomials *basis,
                 char fault[GROEBNER_FAULT]) {
    checked c = {.basis = basis, .slot_count = 4096};
    bool good;
    c.slots = groebner_allocate(c.slot_count, sizeof *c.slots);
    good = check_reduced(basis, fault) && check_input(&c, given, fault) && check_pairs(&c, fault);
    free(c.slots);
    free(c.chains);
    polynomial_free(&c.work);
    return good;
}
