/* c += sign * (a b) by tasks: the longest side is halved until a block fits the first cache. Halves
 * of m and n run side by side; halves of k add to the same numbers, so they run one after the
 * other.
 *
 * All three matrices have the same stride. For one source file each: the task is static. */
#ifndef BENCH_CILK_MULTIPLY_H
#define BENCH_CILK_MULTIPLY_H

#include "dense.h"

#include <svs/async.h>

enum { MULTIPLY_LEAF = 48, MULTIPLY_TILE = 8 };

/* Where to halve n numbers: whole tiles come first. */
static inline uint32_t multiply_half(uint32_t n) {
    return (n / 2 + MULTIPLY_TILE - 1) / MULTIPLY_TILE * MULTIPLY_TILE;
}

SVS_ASYNC_VOID(multiply, (uint32_t, m), (uint32_t, n), (uint32_t, k), (const double *, a),
               (const double *, b), (double *, c), (size_t, stride), (double, sign)) {
    uint32_t half;
    if (m <= MULTIPLY_LEAF && n <= MULTIPLY_LEAF && k <= MULTIPLY_LEAF) {
        dense_multiply_add(m, n, k, a, stride, b, stride, c, stride, sign);
    } else if (m >= n && m >= k) {
        half = multiply_half(m);
        SVS_ASYNC(multiply, half, n, k, a, b, c, stride, sign);
        SVS_CALL(multiply, m - half, n, k, a + half * stride, b, c + half * stride, stride, sign);
        SVS_SYNC(multiply);
    } else if (n >= k) {
        half = multiply_half(n);
        SVS_ASYNC(multiply, m, half, k, a, b, c, stride, sign);
        SVS_CALL(multiply, m, n - half, k, a, b + half, c + half, stride, sign);
        SVS_SYNC(multiply);
    } else {
        half = multiply_half(k);
        SVS_CALL(multiply, m, n, half, a, b, c, stride, sign);
        SVS_CALL(multiply, m, n, k - half, a + half, b + half * stride, c, stride, sign);
    }
}

#endif
