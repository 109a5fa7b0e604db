/* Monomials, polynomials, and one step of a reduction. */
#include "groebner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void *groebner_allocate(size_t count, size_t bytes) {
    void *made = calloc(count == 0 ? 1 : count, bytes);
    if (made != NULL) return made;
    fprintf(stderr, "groebner: there is no memory for %zu times %zu bytes\n", count, bytes);
    abort();
}

void *groebner_grow(void *array, uint32_t *capacity, uint32_t needed, size_t bytes) {
    uint32_t after = *capacity < 8 ? 8 : *capacity;
    void *made;
    if (needed <= *capacity) return array;
    while (after < needed) after = after > UINT32_MAX / 2 ? UINT32_MAX : 2 * after;
    made = realloc(array, after * bytes);
    if (made == NULL) {
        fprintf(stderr, "groebner: there is no memory for %u times %zu bytes\n", after, bytes);
        abort();
    }
    *capacity = after;
    return made;
}

/* ---- monomials ---- */

int monomial_compare(const monomial *a, const monomial *b) {
    if (a->degree != b->degree) return a->degree < b->degree ? -1 : 1;
    for (int i = GROEBNER_VARIABLES - 1; i >= 0; i--)
        if (a->e[i] != b->e[i]) return a->e[i] > b->e[i] ? -1 : 1;
    return 0;
}

bool monomial_divides(const monomial *a, const monomial *b) {
    for (int i = 0; i < GROEBNER_VARIABLES; i++)
        if (a->e[i] > b->e[i]) return false;
    return true;
}

bool monomial_is_coprime(const monomial *a, const monomial *b) {
    for (int i = 0; i < GROEBNER_VARIABLES; i++)
        if (a->e[i] != 0 && b->e[i] != 0) return false;
    return true;
}

monomial monomial_lcm(const monomial *a, const monomial *b) {
    monomial m = {0};
    for (int i = 0; i < GROEBNER_VARIABLES; i++) {
        m.e[i] = a->e[i] > b->e[i] ? a->e[i] : b->e[i];
        m.degree = (uint16_t)(m.degree + m.e[i]);
    }
    return m;
}

monomial monomial_over(const monomial *a, const monomial *b) {
    monomial m = {.degree = (uint16_t)(a->degree - b->degree)};
    for (int i = 0; i < GROEBNER_VARIABLES; i++) m.e[i] = (uint16_t)(a->e[i] - b->e[i]);
    return m;
}

static monomial times(const monomial *a, const monomial *b) {
    monomial m = {.degree = (uint16_t)(a->degree + b->degree)};
    for (int i = 0; i < GROEBNER_VARIABLES; i++) m.e[i] = (uint16_t)(a->e[i] + b->e[i]);
    return m;
}

/* ---- the field ---- */

uint32_t field_inverse(uint32_t c, uint32_t modulus) {
    int64_t r = modulus, next = c, x = 0, x_next = 1;
    while (next != 0) {
        int64_t q = r / next, old = next;
        next = r - q * next;
        r = old;
        old = x_next;
        x_next = x - q * x_next;
        x = old;
    }
    return (uint32_t)(x < 0 ? x + modulus : x);
}

bool field_is_prime(uint32_t modulus) {
    if (modulus < 2) return false;
    for (uint32_t d = 2; (uint64_t)d * d <= modulus; d++)
        if (modulus % d == 0) return false;
    return true;
}

/* ---- polynomials ---- */

void polynomial_free(polynomial *p) {
    free(p->terms);
    *p = (polynomial){NULL, 0, 0};
}

void polynomial_append(polynomial *p, uint32_t c, const monomial *m) {
    p->terms = groebner_grow(p->terms, &p->capacity, p->count + 1, sizeof *p->terms);
    p->terms[p->count++] = (term){c, *m};
}

void polynomial_copy(polynomial *to, const term *terms, uint32_t count) {
    to->terms = groebner_grow(to->terms, &to->capacity, count, sizeof *to->terms);
    if (count != 0) memcpy(to->terms, terms, count * sizeof *terms);
    to->count = count;
}

static int descending(const void *one, const void *other) {
    const term *a = one, *b = other;
    return monomial_compare(&b->m, &a->m);
}

void polynomial_arrange(polynomial *p, uint32_t modulus) {
    uint32_t kept = 0;
    if (p->count == 0) return;
    qsort(p->terms, p->count, sizeof *p->terms, descending);
    for (uint32_t i = 0; i < p->count;) {
        term sum = {0, p->terms[i].m};
        for (; i < p->count && monomial_compare(&sum.m, &p->terms[i].m) == 0; i++)
            sum.c = (uint32_t)(((uint64_t)sum.c + p->terms[i].c) % modulus);
        if (sum.c != 0) p->terms[kept++] = sum;
    }
    p->count = kept;
}

void polynomial_make_monic(polynomial *p, uint32_t modulus) {
    uint64_t by;
    if (p->count == 0 || p->terms[0].c == 1) return;
    by = field_inverse(p->terms[0].c, modulus);
    for (uint32_t i = 0; i < p->count; i++)
        p->terms[i].c = (uint32_t)(p->terms[i].c * by % modulus);
}

void polynomial_subtract(polynomial *p, uint32_t from, uint32_t c, const monomial *m, const term *q,
                         uint32_t q_count, uint32_t modulus, polynomial *room) {
    const term *a = p->terms + from, *a_end = p->terms + p->count;
    uint64_t minus = modulus - c;
    polynomial before = *p;
    term *to;
    room->terms = groebner_grow(room->terms, &room->capacity, p->count + q_count, sizeof *to);
    if (from != 0) memcpy(room->terms, p->terms, from * sizeof *to);
    to = room->terms + from;
    for (uint32_t i = 0; i < q_count; i++) {
        monomial next = times(m, &q[i].m);
        uint64_t value = minus * q[i].c % modulus;
        int order = -1;
        while (a != a_end && (order = monomial_compare(&a->m, &next)) > 0) *to++ = *a++;
        if (a != a_end && order == 0) value = (value + a++->c) % modulus;
        if (value != 0) *to++ = (term){(uint32_t)value, next};
    }
    while (a != a_end) *to++ = *a++;
    room->count = (uint32_t)(to - room->terms);
    *p = *room;
    *room = before;
}

/* ---- systems ---- */

void system_free(system_of_polynomials *s) {
    for (uint32_t i = 0; i < s->count; i++) polynomial_free(&s->of[i]);
    free(s->of);
    *s = (system_of_polynomials){0};
}

polynomial *system_add(system_of_polynomials *s) {
    s->of = groebner_grow(s->of, &s->capacity, s->count + 1, sizeof *s->of);
    s->of[s->count] = (polynomial){NULL, 0, 0};
    return &s->of[s->count++];
}

static bool is_equal(const polynomial *a, const polynomial *b) {
    if (a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->terms[i].c != b->terms[i].c || monomial_compare(&a->terms[i].m, &b->terms[i].m) != 0)
            return false;
    return true;
}

bool system_is_equal(const system_of_polynomials *a, const system_of_polynomials *b) {
    if (a->modulus != b->modulus || a->variables != b->variables || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_equal(&a->of[i], &b->of[i])) return false;
    return true;
}
