/* Seeded random numbers: the same seed gives the same numbers on every machine. The generator is
 * splitmix64 (Steele, Lea and Flood 2014): a counter and a mixing function, so there is also a form
 * without state for programs that must not depend on the order in which threads ask:
 * random_hash(seed, a, b) is the number of event (a, b).
 *
 *     random_source r = {seed};
 *     uint64_t die = random_below(&r, 6);
 *     double chance = random_unit_of(random_hash(seed, step, index));
 *
 * Threads: a random_source belongs to one thread at a time. */
#ifndef EXAMPLES_COMMON_RANDOM_H
#define EXAMPLES_COMMON_RANDOM_H

#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

#define RANDOM_STRIDE UINT64_C(0x9e3779b97f4a7c15)

/* A bijection of 64 bits that looks random. */
static inline uint64_t random_mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline uint64_t random_next(random_source *source) {
    return random_mix(source->state += RANDOM_STRIDE);
}

/* 0 .. bound-1 from 64 random bits; bound is at least 1 and below 2^32. The chances differ by at
 * most bound / 2^32 of their size. */
static inline uint64_t random_below_of(uint64_t bits, uint64_t bound) {
    return (bits >> 32) * bound >> 32;
}
static inline uint64_t random_below(random_source *source, uint64_t bound) {
    return random_below_of(random_next(source), bound);
}

/* [0, 1), 53 bits. */
static inline double random_unit_of(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }
static inline double random_unit(random_source *source) {
    return random_unit_of(random_next(source));
}

/* The part of random_hash() that the events (a, 0), (a, 1) ... have in common under `seed`. */
static inline uint64_t random_events(uint64_t seed, uint64_t a) {
    return random_mix(random_mix(seed + RANDOM_STRIDE) + a * RANDOM_STRIDE);
}
static inline uint64_t random_event(uint64_t events, uint64_t b) {
    return random_mix(events + b * RANDOM_STRIDE);
}

/* The number of event (a, b) under `seed`. */
static inline uint64_t random_hash(uint64_t seed, uint64_t a, uint64_t b) {
    return random_event(random_events(seed, a), b);
}

#endif
