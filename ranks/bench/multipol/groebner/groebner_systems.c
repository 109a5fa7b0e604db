/* Systems of polynomials that are known by name. */
#include "groebner.h"

#include <stdio.h>
#include <string.h>

static void begin(system_of_polynomials *s, uint32_t variables, uint32_t modulus) {
    *s = (system_of_polynomials){.modulus = modulus, .variables = variables};
    for (uint32_t i = 0; i < variables; i++)
        (void)snprintf(s->names[i], GROEBNER_NAME, "x%u", (unsigned)i);
}

static void multiply_by(monomial *m, uint32_t variable) {
    m->e[variable]++;
    m->degree++;
}

/* For d from 1 to n - 1 the sum of the products of d variables in a row, round the circle; and the
 * product of all, less 1. */
static void make_cyclic(system_of_polynomials *s, uint32_t n, uint32_t modulus) {
    const monomial one = {0};
    begin(s, n, modulus);
    for (uint32_t d = 1; d <= n; d++) {
        polynomial *p = system_add(s);
        for (uint32_t first = 0; first < (d == n ? 1 : n); first++) {
            monomial m = {0};
            for (uint32_t i = 0; i < d; i++) multiply_by(&m, (first + i) % n);
            polynomial_append(p, 1, &m);
        }
        if (d == n) polynomial_append(p, modulus - 1, &one);
        polynomial_arrange(p, modulus);
    }
}

static void append_linear(polynomial *p, uint32_t c, uint32_t variable) {
    monomial m = {0};
    multiply_by(&m, variable);
    polynomial_append(p, c, &m);
}

/* The convolution of u(-n) ... u(n) with itself, where u(-i) = u(i), is u; and their sum is 1. */
static void make_katsura(system_of_polynomials *s, uint32_t n, uint32_t modulus) {
    const monomial one = {0};
    polynomial *p;
    begin(s, n + 1, modulus);
    for (int m = 0; m < (int)n; m++) {
        p = system_add(s);
        for (int l = -(int)n; l <= (int)n; l++) {
            uint32_t a = (uint32_t)(l < 0 ? -l : l), b = (uint32_t)(m < l ? l - m : m - l);
            monomial product = {0};
            if (b > n) continue;
            multiply_by(&product, a);
            multiply_by(&product, b);
            polynomial_append(p, 1, &product);
        }
        append_linear(p, modulus - 1, (uint32_t)m);
        polynomial_arrange(p, modulus);
    }
    p = system_add(s);
    for (uint32_t i = 0; i <= n; i++) append_linear(p, i == 0 ? 1 : 2 % modulus, i);
    polynomial_append(p, modulus - 1, &one);
    polynomial_arrange(p, modulus);
}

bool system_make(system_of_polynomials *s, const char *name, uint32_t n, uint32_t modulus) {
    bool cyclic = strcmp(name, "cyclic") == 0;
    if (cyclic ? n < 2 || n > GROEBNER_VARIABLES : n < 1 || n >= GROEBNER_VARIABLES) return false;
    if (cyclic) make_cyclic(s, n, modulus);
    else make_katsura(s, n, modulus);
    return true;
}
