/* Pseudo-random numbers: SplitMix64, one add and two multiplications a number; the same seed gives
 * the same sequence.
 *
 * Threads: each generator belongs to one thread. */
#ifndef SVS_BASE_RANDOM_H
#define SVS_BASE_RANDOM_H

#include <stdint.h>

typedef struct svs__random {
    uint64_t state;
} svs__random;

/* Any seed will do; neighbouring seeds give unlike sequences. */
static inline void svs__random_seed(svs__random *random, uint64_t seed) { random->state = seed; }

static inline uint64_t svs__random_next(svs__random *random) {
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number below `n` (0 when n is 0), by multiplication. Each probability differs from a uniform
 * one by a factor of less than n / 2^32. */
static inline uint32_t svs__random_below(svs__random *random, uint32_t n) {
    return (uint32_t)((svs__random_next(random) >> 32) * n >> 32);
}

#endif
