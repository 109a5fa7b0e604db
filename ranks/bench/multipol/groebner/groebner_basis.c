/* Buchberger's algorithm by one thread, and the reduced basis. */
#include "groebner.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    system_of_polynomials all; /* the polynomial of each element */
    element_index index;
    pair *pairs, *room;
    uint32_t pair_count, pair_capacity, room_capacity;
    basis_counts *counts;
    reduction by;
} search;

static const term *terms_here(void *argument, const element *of, uint32_t *count) {
    const system_of_polynomials *all = argument;
    *count = all->of[of->number].count;
    return all->of[of->number].terms;
}

/* Pairs that the new element covers go. */
static void drop_covered(search *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->pair_count; i++) {
        if (pair_is_covered(s->index.of, s->index.count, &s->pairs[i])) s->counts->covered++;
        else s->pairs[kept++] = s->pairs[i];
    }
    s->pair_count = kept;
}

static void add(search *s, const polynomial *p, uint32_t sugar) {
    element next = {.lead = p->terms[0].m, .number = s->all.count, .sugar = sugar};
    uint32_t made;
    next.mask = monomial_mask(&next.lead);
    polynomial_copy(system_add(&s->all), p->terms, p->count);
    s->room = groebner_grow(s->room, &s->room_capacity, s->index.count + 1, sizeof *s->room);
    made = index_add(&s->index, &next, s->room);
    drop_covered(s);
    s->pairs = groebner_grow(s->pairs, &s->pair_capacity, s->pair_count + made, sizeof *s->pairs);
    if (made != 0) memcpy(s->pairs + s->pair_count, s->room, made * sizeof *s->pairs);
    s->pair_count += made;
    s->counts->pairs += made;
}

static pair take_first(search *s) {
    uint32_t first = 0;
    pair taken;
    for (uint32_t i = 1; i < s->pair_count; i++)
        if (pair_precedes(&s->pairs[i], &s->pairs[first])) first = i;
    taken = s->pairs[first];
    s->pairs[first] = s->pairs[--s->pair_count];
    return taken;
}

/* Reduces p, and adds what is left. */
static bool reduce(search *s, polynomial *p, uint32_t sugar) {
    s->by.of = s->index.of;
    s->by.count = s->index.count;
    reduction_run(&s->by, p);
    if (p->count != 0) add(s, p, sugar);
    return p->count != 0;
}

/* The elements that are not redundant, reduced. */
static void finish(search *s, system_of_polynomials *basis) {
    for (uint32_t i = 0; i < s->index.count; i++)
        if (s->index.of[i].redundant == 0)
            polynomial_copy(system_add(basis), s->all.of[i].terms, s->all.of[i].count);
    basis_reduce(basis);
    system_free(&s->all);
    free(s->index.of);
    free(s->pairs);
    free(s->room);
    polynomial_free(&s->by.room);
}

static void copy_head(system_of_polynomials *to, const system_of_polynomials *from) {
    *to = (system_of_polynomials){.modulus = from->modulus, .variables = from->variables};
    memcpy(to->names, from->names, sizeof to->names);
}

void basis_serial(const system_of_polynomials *given, system_of_polynomials *basis,
                  basis_counts *counts) {
    search s = {.counts = counts};
    polynomial p = {NULL, 0, 0};
    *counts = (basis_counts){0};
    copy_head(basis, given);
    s.by = (reduction){.modulus = given->modulus,
                       .terms = terms_here,
                       .argument = &s.all,
                       .steps = &counts->steps};
    for (uint32_t i = 0; i < given->count; i++) {
        polynomial_copy(&p, given->of[i].terms, given->of[i].count);
        (void)reduce(&s, &p, given->of[i].terms[0].m.degree);
    }
    while (s.pair_count != 0) {
        pair next = take_first(&s);
        s.by.of = s.index.of;
        s.by.count = s.index.count;
        reduction_start(&s.by, &next, &p);
        if (!reduce(&s, &p, next.sugar)) counts->zeros++;
    }
    polynomial_free(&p);
    finish(&s, basis);
}

/* ---- the reduced basis ---- */

static int ascending(const void *one, const void *other) {
    const polynomial *a = one, *b = other;
    return monomial_compare(&a->terms[0].m, &b->terms[0].m);
}

/* An element whose lead another one's divides goes; of equal leads the first stays. */
static void drop_redundant(system_of_polynomials *basis) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < basis->count; i++) {
        bool redundant = false;
        for (uint32_t k = 0; k < kept && !redundant; k++) /* they ascend: divisors come first */
            redundant = monomial_divides(&basis->of[k].terms[0].m, &basis->of[i].terms[0].m);
        if (redundant) polynomial_free(&basis->of[i]);
        else basis->of[kept++] = basis->of[i];
    }
    basis->count = kept;
}

void basis_reduce(system_of_polynomials *basis) {
    element *of;
    uint64_t steps = 0;
    reduction by = {
        .modulus = basis->modulus, .terms = terms_here, .argument = basis, .steps = &steps};
    if (basis->count == 0) return;
    qsort(basis->of, basis->count, sizeof *basis->of, ascending);
    drop_redundant(basis);
    of = groebner_allocate(basis->count, sizeof *of);
    for (uint32_t i = 0; i < basis->count; i++) {
        of[i] = (element){.lead = basis->of[i].terms[0].m, .number = i};
        of[i].mask = monomial_mask(&of[i].lead);
    }
    by.of = of;
    for (uint32_t i = 0; i < basis->count; i++) {
        polynomial p = {NULL, 0, 0};
        by.count = i; /* only lower leads divide terms of its tail */
        polynomial_copy(&p, basis->of[i].terms, basis->of[i].count);
        reduction_run(&by, &p);
        polynomial_free(&basis->of[i]);
        basis->of[i] = p;
    }
    polynomial_free(&by.room);
    free(of);
}
