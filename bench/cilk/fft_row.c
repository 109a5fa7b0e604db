#include "fft_row.h"
#include "common.h"

#include <math.h>
#include <stdlib.h>

enum { POWERS = 32 };

/* Of the combination of four quarters of k numbers each: number i of quarters 1, 2 and 3 is turned
 * by once, twice and three times i / 4k. */
typedef struct turns {
    complex_number by[3];
} turns;

struct fft_plan {
    turns *level[POWERS]; /* by the logarithm of the length, from 3 on */
};

complex_number complex_of_angle(double angle) { return (complex_number){cos(angle), sin(angle)}; }

static unsigned logarithm(size_t n) {
    unsigned power = 0;
    while ((size_t)1 << power < n) power++;
    return power;
}

fft_plan *fft_plan_new(size_t n) {
    fft_plan *plan = bench_allocate(1, sizeof *plan);
    for (unsigned power = 3; power <= logarithm(n); power++) {
        size_t quarter = (size_t)1 << (power - 2);
        turns *level = plan->level[power] = bench_allocate(quarter, sizeof *level);
        for (size_t i = 0; i < quarter; i++)
            for (size_t q = 0; q < 3; q++)
                level[i].by[q] =
                    complex_of_angle(-acos(-1) * (double)((q + 1) * i) / (double)(2 * quarter));
    }
    return plan;
}

void fft_plan_free(fft_plan *plan) {
    for (unsigned power = 0; power < POWERS; power++) free(plan->level[power]);
    free(plan);
}

/* The transform of four numbers, each in its place. */
static inline void combine(complex_number *a, complex_number *b, complex_number *c,
                           complex_number *d) {
    complex_number even = complex_plus(*a, *c), even_odd = complex_minus(*a, *c);
    complex_number odd = complex_plus(*b, *d), odd_odd = complex_turned(complex_minus(*b, *d));
    *a = complex_plus(even, odd);
    *b = complex_plus(even_odd, odd_odd);
    *c = complex_minus(even, odd);
    *d = complex_minus(even_odd, odd_odd);
}

static void combine_quarters(const turns *level, size_t quarter, complex_number *to) {
    for (size_t i = 0; i < quarter; i++) {
        complex_number *a = to + i, *b = a + quarter, *c = b + quarter, *d = c + quarter;
        *b = complex_times(*b, level[i].by[0]);
        *c = complex_times(*c, level[i].by[1]);
        *d = complex_times(*d, level[i].by[2]);
        combine(a, b, c, d);
    }
}

/* Of every stride-th number of `from`. */
static void transform(const fft_plan *plan, unsigned power, const complex_number *from,
                      size_t stride, complex_number *to) {
    size_t quarter = ((size_t)1 << power) / 4;
    switch (power) {
    case 0: to[0] = from[0]; return;
    case 1:
        to[0] = complex_plus(from[0], from[stride]);
        to[1] = complex_minus(from[0], from[stride]);
        return;
    case 2:
        for (size_t i = 0; i < 4; i++) to[i] = from[i * stride];
        combine(to, to + 1, to + 2, to + 3);
        return;
    default:
        for (size_t i = 0; i < 4; i++)
            transform(plan, power - 2, from + i * stride, 4 * stride, to + i * quarter);
        combine_quarters(plan->level[power], quarter, to);
    }
}

void fft_row(const fft_plan *plan, size_t n, const complex_number *from, complex_number *to) {
    transform(plan, logarithm(n), from, 1, to);
}
