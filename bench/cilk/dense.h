/* Dense matrices of doubles, row after row, `stride` numbers from one row to the next: the leaves
 * of the recursive programs, their inputs, and what checks their answers. Compiled once, so that a
 * program and its serial elision compute the same numbers. */
#ifndef BENCH_CILK_DENSE_H
#define BENCH_CILK_DENSE_H

#include <stddef.h>
#include <stdint.h>

/* A stride for rows of n numbers: full cache lines, with a size that is not a multiple of many of
 * them, so that a column does not fall into a few sets of a cache. */
size_t dense_stride(size_t n);

/* From -1 to 1, the same for the same seed, row and column. */
double dense_random(uint64_t seed, size_t row, size_t column);

/* c += sign * (a b), c with m rows and n columns, and k products a number. */
void dense_multiply_add(size_t m, size_t n, size_t k, const double *a, size_t a_stride,
                        const double *b, size_t b_stride, double *c, size_t c_stride, double sign);

/* y = a x, for n rows and columns in some order of the program's own. */
typedef void dense_apply_function(size_t n, const double *a, size_t stride, const double *x,
                                  double *y);
dense_apply_function dense_apply; /* row after row */

/* How far c is from a b: c x against a (b x), for a random x (Freivalds). */
double dense_product_error(size_t n, size_t stride, dense_apply_function *apply, const double *a,
                           const double *b, const double *c);

/* The largest difference, in units of the largest number of `right`. INFINITY when one is none. */
double dense_distance(size_t n, const double *y, const double *right);

#endif
