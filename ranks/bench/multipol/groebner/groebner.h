/* Groebner bases over a prime field below 2^31, for the degree reverse lexicographic order.
 *
 *     system_make(&given, "cyclic", 5, 32003) or system_read(&given, "FILE", fault)
 *     basis_serial(&given, &basis, &counts);             // the reduced one, which is unique
 *     basis_check(&given, &basis, fault);                // by code of its own
 *
 *   file                contents
 *   groebner_poly.c     monomials, polynomials, and one step of a reduction
 *   groebner_read.c     the text form of systems: a parser, and a printer
 *   groebner_systems.c  cyclic-n and katsura-n
 *   groebner_pairs.c    the index of a basis, and the criteria of Gebauer and Moeller
 *   groebner_basis.c    Buchberger's algorithm by one thread, and the reduced basis
 *   groebner_ranks.c    the same over ranks: pairs in a task stealer, the basis in an object layer
 *   groebner_check.c    the check, which shares no arithmetic with the search
 *
 * Polynomials that are found are monic, so that S-polynomials need no coefficients. */
#ifndef BENCH_MULTIPOL_GROEBNER_H
#define BENCH_MULTIPOL_GROEBNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    GROEBNER_VARIABLES = 15, /* the most */
    GROEBNER_NAME = 16,      /* bytes of a variable's name, with the terminating zero */
    GROEBNER_FAULT = 200,    /* bytes of a message */
    GROEBNER_DEGREE = 10000  /* the most of a term of the input */
};

typedef struct monomial {
    uint16_t degree; /* sum of the exponents */
    uint16_t e[GROEBNER_VARIABLES];
} monomial;

typedef struct term {
    uint32_t c; /* from 1 to the modulus - 1 */
    monomial m;
} term;

/* Terms from the greatest to the least; none: 0. */
typedef struct polynomial {
    term *terms;
    uint32_t count, capacity;
} polynomial;

typedef struct system {
    uint32_t modulus, variables;
    char names[GROEBNER_VARIABLES][GROEBNER_NAME];
    polynomial *of;
    uint32_t count, capacity;
} system_of_polynomials;

/* ---- groebner_poly.c ---- */

/* calloc that ends the program without memory; and an array that has room for `needed`. */
void *groebner_allocate(size_t count, size_t bytes);
void *groebner_grow(void *array, uint32_t *capacity, uint32_t needed, size_t bytes);

int monomial_compare(const monomial *a, const monomial *b); /* below 0: a is less */
bool monomial_divides(const monomial *a, const monomial *b);
bool monomial_is_coprime(const monomial *a, const monomial *b);
monomial monomial_lcm(const monomial *a, const monomial *b);
monomial monomial_over(const monomial *a, const monomial *b); /* b divides a */

uint32_t field_inverse(uint32_t c, uint32_t modulus);
bool field_is_prime(uint32_t modulus);

void polynomial_free(polynomial *p);
void polynomial_append(polynomial *p, uint32_t c, const monomial *m);
void polynomial_copy(polynomial *to, const term *terms, uint32_t count);
/* Sorts terms, and adds those of one monomial. */
void polynomial_arrange(polynomial *p, uint32_t modulus);
void polynomial_make_monic(polynomial *p, uint32_t modulus);

/* p from its term `from` on becomes itself - c m q; the terms before it stay. `room` is reused. */
void polynomial_subtract(polynomial *p, uint32_t from, uint32_t c, const monomial *m, const term *q,
                         uint32_t q_count, uint32_t modulus, polynomial *room);

void system_free(system_of_polynomials *s);
polynomial *system_add(system_of_polynomials *s); /* an empty polynomial at the end */
bool system_is_equal(const system_of_polynomials *a, const system_of_polynomials *b);

/* ---- groebner_read.c ----
 *
 *     variables x y z          # at most 15 names
 *     modulus 32003            # a prime below 2^31
 *     x^2*y - 3*y*z + 1        # a polynomial a line
 */

/* @return whether it is a system; otherwise `fault` says LINE:COLUMN and what was expected. */
bool system_parse(system_of_polynomials *s, const char *text, size_t bytes,
                  char fault[GROEBNER_FAULT]);
/* The same of a file (.xz too); the message begins with its path. */
bool system_read(system_of_polynomials *s, const char *path, char fault[GROEBNER_FAULT]);
/* Writes what system_parse() reads. @return the bytes that it takes, whether they fit or not. */
size_t system_print(const system_of_polynomials *s, char *text, size_t bytes);

/* ---- groebner_systems.c ---- */

/* cyclic: n from 2 to 15; katsura: 1 to 14, of n + 1 variables. */
bool system_make(system_of_polynomials *s, const char *name, uint32_t n, uint32_t modulus);

/* ---- groebner_pairs.c ---- */

/* An element of a basis, without its terms. */
typedef struct element {
    monomial lead;
    uint32_t rank, number; /* where it is: number of an object of this rank */
    uint32_t sugar;        /* the degree that it would have, were the input homogeneous */
    uint32_t redundant;    /* 1: a later element's lead divides this one's */
    uint64_t mask;         /* of the lead: a bit for each variable and small exponent in it */
} element;

typedef struct pair {
    uint32_t i, j;          /* elements, i < j */
    uint32_t sugar, degree; /* degree: of the least common multiple of their leads */
} pair;

typedef struct element_index {
    element *of;
    uint32_t count, capacity;
} element_index;

uint64_t monomial_mask(const monomial *m);
/* Adds an element, and writes the pairs with it that the criteria leave to `pairs`, which has room
 * for `index->count`. @return how many. */
uint32_t index_add(element_index *index, const element *next, pair *pairs);
/* May the pair be left out, by an element that was added after it? */
bool pair_is_covered(const element *of, uint32_t count, const pair *p);
/* The first element whose lead divides m, from `from` on; or `count`. */
uint32_t index_find_divisor(const element *of, uint32_t from, uint32_t count, const monomial *m);
bool pair_precedes(const pair *a, const pair *b);

/* ---- reductions ---- */

/* Gives the terms of an element until the next call. */
typedef const term *terms_of(void *argument, const element *of, uint32_t *count);

typedef struct reduction {
    uint32_t modulus;
    const element *of; /* the basis that it reduces by */
    uint32_t count;
    terms_of *terms;
    void (*between)(void *argument); /* called after each step; or NULL */
    void *argument;
    uint64_t *steps;
    polynomial room;
} reduction;

/* The S-polynomial of a pair. */
void reduction_start(reduction *by, const pair *p, polynomial *result);
/* Reduces p completely, and makes it monic. */
void reduction_run(reduction *by, polynomial *p);

/* ---- groebner_basis.c ---- */

typedef struct basis_counts {
    uint64_t pairs, covered, zeros, steps; /* reduced to 0 are some of `pairs` - `covered` */
} basis_counts;

void basis_serial(const system_of_polynomials *given, system_of_polynomials *basis,
                  basis_counts *counts);
/* Turns a basis into the reduced one: no term is divisible by another lead; by ascending leads. */
void basis_reduce(system_of_polynomials *basis);

/* ---- groebner_check.c ---- */

/* Reduces each S-polynomial of the basis, without criteria, and each polynomial of the input to 0.
 * @return whether all are 0, and the basis is reduced; otherwise `fault` says what is not. */
bool basis_check(const system_of_polynomials *given, const system_of_polynomials *basis,
                 char fault[GROEBNER_FAULT]);

#endif
