/* Eigenvalues of a symmetric tridiagonal matrix by bisection (section 2.2.3.3 and figure 2.7 of
 * Wen's thesis): the number of eigenvalues below a point divides an interval in two, until each
 * holds one place to the last bits.
 *
 * The count is computed as LAPACK's dlaebz does it. Rounding may break its monotony, so it is
 * clamped between those of the ends of its interval; points depend on the interval alone. So the
 * result is the same bit for bit, in whatever order intervals are divided. */
#ifndef BENCH_MULTIPOL_EIGENVALUE_H
#define BENCH_MULTIPOL_EIGENVALUE_H

#include "common.h"
#include <stdbool.h>

typedef struct matrix {
    uint32_t n;
    double *d, *e;    /* the diagonal; the n - 1 elements next to it */
    double *e2;       /* its squares; 0: where the matrix falls apart */
    double norm;      /* the largest of |low| and |high| */
    double low, high; /* bounds of all eigenvalues */
    double pivot;     /* a smaller one is replaced */
} matrix;

/* Reads a file of the collection: n, then n lines `i d_i e_i`; .xz is unpacked. A line may have e_i
 * twice, as the lower and the upper element; if the two differ, the matrix is not symmetric, and is
 * refused.
 * @return NULL, or FILE:LINE: column COLUMN: and what was expected, until the next call. */
const char *matrix_read(matrix *m, const char *path);
/* The n eigenvalues that another program has found, a line each, ascending. @return as above. */
const char *values_read(double *values, uint32_t n, const char *path);
/* Uniform random numbers. */
void matrix_generate(matrix *m, uint32_t n, uint64_t seed);
void matrix_free(matrix *m);

/* How many eigenvalues are below x. */
uint32_t matrix_count(const matrix *m, double x);

typedef struct interval {
    double low, high;
    uint32_t below, upto; /* the eigenvalues in it, by number */
} interval;

interval interval_all(const matrix *m);

/* Divides an interval until two parts hold eigenvalues, which replace it and follow it; or until it
 * is narrow: `parts[0].low` is their value. `between` is called after each count.
 * @return 2, or 0. */
uint32_t interval_divide(const matrix *m, interval parts[2], uint64_t *counts,
                         void (*between)(void *argument), void *argument);

/* All eigenvalues, ascending, by one thread. @return counts. */
uint64_t eigenvalues_serial(const matrix *m, double *values);

/* The same by LAPACK's dstebz. @return false: it is not linked, or failed. */
bool eigenvalues_dstebz(const matrix *m, double *values);

/* Each is confirmed by the counts just below and above it; and, if there are others, within 8
 * epsilons of the norm of theirs. @return NULL, or what is wrong. */
const char *eigenvalues_check(const matrix *m, const double *values, const double *others);

#endif
