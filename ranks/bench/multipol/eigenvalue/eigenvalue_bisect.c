/* Bisection, serially; LAPACK's; and the check of a result. */
#include "eigenvalue.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t matrix_count(const matrix *m, double x) {
    double t = m->d[0] - x;
    uint32_t count;
    if (fabs(t) < m->pivot) t = -m->pivot;
    count = t <= 0;
    for (uint32_t i = 1; i < m->n; i++) {
        t = m->d[i] - m->e2[i - 1] / t - x;
        if (fabs(t) < m->pivot) t = -m->pivot;
        count += t <= 0;
    }
    return count;
}

interval interval_all(const matrix *m) { return (interval){m->low, m->high, 0, m->n}; }

static bool is_narrow(const matrix *m, const interval *i, double middle) {
    double largest = fmax(fabs(i->low), fabs(i->high));
    double width = fmax(DBL_EPSILON * m->norm, 2 * DBL_EPSILON * largest);
    return i->high - i->low < fmax(width, m->pivot) || middle <= i->low || middle >= i->high;
}

uint32_t interval_divide(const matrix *m, interval parts[2], uint64_t *counts,
                         void (*between)(void *argument), void *argument) {
    interval *at = &parts[0];
    for (;;) {
        double middle = (at->low + at->high) / 2;
        uint32_t count;
        if (is_narrow(m, at, middle)) {
            at->low = middle;
            return 0;
        }
        count = matrix_count(m, middle);
        ++*counts;
        if (between != NULL) between(argument);
        count = count < at->below ? at->below : count > at->upto ? at->upto : count;
        if (count != at->below && count != at->upto) {
            parts[1] = (interval){middle, at->high, count, at->upto};
            *at = (interval){at->low, middle, at->below, count};
            return 2;
        }
        if (count == at->below) at->low = middle;
        else at->high = middle;
    }
}

uint64_t eigenvalues_serial(const matrix *m, double *values) {
    interval *stack = bench_allocate(m->n + 1, sizeof *stack);
    uint64_t counts = 0;
    uint32_t depth = 1;
    stack[0] = interval_all(m);
    while (depth != 0) {
        interval parts[2] = {stack[--depth]};
        uint32_t left = interval_divide(m, parts, &counts, NULL, NULL);
        for (uint32_t i = 0; i < left; i++) stack[depth++] = parts[i];
        if (left == 0)
            for (uint32_t i = parts[0].below; i < parts[0].upto; i++) values[i] = parts[0].low;
    }
    free(stack);
    return counts;
}

const char *eigenvalues_check(const matrix *m, const double *values, const double *others) {
    static char fault[160];
    double near = 8 * DBL_EPSILON * m->norm;
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t below = matrix_count(m, values[i] - near);
        uint32_t above = matrix_count(m, values[i] + near);
        if (others != NULL && !(fabs(values[i] - others[i]) <= near)) {
            (void)snprintf(fault, sizeof fault, "eigenvalue %u is %.17g, and not %.17g", i,
                           values[i], others[i]);
            return fault;
        }
        if (below > i || above <= i) {
            (void)snprintf(fault, sizeof fault,
                           "eigenvalue %u is %.17g, but %u and %u are below and above it", i,
                           values[i], below, m->n - above);
            return fault;
        }
    }
    return NULL;
}

#if defined(BENCH_LAPACK)
/* From LAPACK, whose arguments are those of Fortran. */
void dstebz_(const char *range, const char *order, const int *n, const double *vl, const double *vu,
             const int *il, const int *iu, const double *abstol, const double *d, const double *e,
             int *m, int *nsplit, double *w, int *iblock, int *isplit, double *work, int *iwork,
             int *info, size_t range_length, size_t order_length);

bool eigenvalues_dstebz(const matrix *m, double *values) {
    const int n = (int)m->n, none = 0;
    const double nothing = 0;
    int found = 0, blocks = 0, info = 0;
    int *numbers = bench_allocate(5 * m->n, sizeof *numbers);
    double *work = bench_allocate(4 * m->n, sizeof *work);
    dstebz_("A", "E", &n, &nothing, &nothing, &none, &none, &nothing, m->d, m->e, &found, &blocks,
            values, numbers, numbers + m->n, work, numbers + 2 * m->n, &info, 1, 1);
    free(numbers);
    free(work);
    return info == 0 && found == n;
}
#else
bool eigenvalues_dstebz(const matrix *m, double *values) {
    (void)m, (void)values;
    return false;
}
#endif
