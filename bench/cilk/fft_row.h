/* The Fourier transform of a row that fits a cache: plain recursion, radix 4, with a radix 2 at the
 * bottom of an odd power. Compiled once, so that a program and its serial elision compute the same
 * numbers. */
#ifndef BENCH_CILK_FFT_ROW_H
#define BENCH_CILK_FFT_ROW_H

#include <stddef.h>

typedef struct complex_number {
    double re, im;
} complex_number;

static inline complex_number complex_times(complex_number a, complex_number b) {
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline complex_number complex_plus(complex_number a, complex_number b) {
    return (complex_number){a.re + b.re, a.im + b.im};
}
static inline complex_number complex_minus(complex_number a, complex_number b) {
    return (complex_number){a.re - b.re, a.im - b.im};
}
/* a / i */
static inline complex_number complex_turned(complex_number a) {
    return (complex_number){a.im, -a.re};
}
complex_number complex_of_angle(double angle);

/* The roots of unity of all levels of the recursion. */
typedef struct fft_plan fft_plan;

/* For rows of up to n numbers, a power of two. Never NULL: without memory the program ends. */
fft_plan *fft_plan_new(size_t n);
void fft_plan_free(fft_plan *plan);

/* to[k] = the sum of from[j] exp(-2 pi i j k / n) over all j; n a power of two. */
void fft_row(const fft_plan *plan, size_t n, const complex_number *from, complex_number *to);

#endif
