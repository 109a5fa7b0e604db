/* Sets of patterns, as bit strings. */
#ifndef BENCH_MULTIPOL_PHYLOGENY_SET_H
#define BENCH_MULTIPOL_PHYLOGENY_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { PATTERNS_MAX = 256, SET_WORDS = PATTERNS_MAX / 64 };

typedef struct set {
    uint64_t words[SET_WORDS];
} set;

static inline bool set_has(const set *s, uint32_t i) { return s->words[i / 64] >> i % 64 & 1; }
static inline void set_add(set *s, uint32_t i) { s->words[i / 64] |= UINT64_C(1) << i % 64; }

static inline void set_remove(set *s, uint32_t i) { s->words[i / 64] &= ~(UINT64_C(1) << i % 64); }
static inline set set_with(set s, uint32_t i) {
    set_add(&s, i);
    return s;
}

/* The members 0 to `count` - 1. */
static inline set set_of_all(uint32_t count) {
    set all = {{0}};
    for (uint32_t i = 0; i < count; i++) set_add(&all, i);
    return all;
}

static inline void set_unite(set *into, const set *from) {
    for (int i = 0; i < SET_WORDS; i++) into->words[i] |= from->words[i];
}

static inline void set_subtract(set *from, const set *other) {
    for (int i = 0; i < SET_WORDS; i++) from->words[i] &= ~other->words[i];
}

static inline bool set_meets(const set *one, const set *other) {
    uint64_t both = 0;
    for (int i = 0; i < SET_WORDS; i++) both |= one->words[i] & other->words[i];
    return both != 0;
}

static inline bool set_within(const set *inner, const set *outer) {
    uint64_t left = 0;
    for (int i = 0; i < SET_WORDS; i++) left |= inner->words[i] & ~outer->words[i];
    return left == 0;
}

static inline uint32_t set_count(const set *s) {
    uint32_t count = 0;
    for (int i = 0; i < SET_WORDS; i++) count += (uint32_t)__builtin_popcountll(s->words[i]);
    return count;
}

/* The first member from `i` on; PATTERNS_MAX: there is none. */
static inline uint32_t set_next(const set *s, uint32_t i) {
    for (uint32_t word = i / 64; word < SET_WORDS; word++, i = 64 * word) {
        uint64_t left = s->words[word] >> i % 64;
        if (left != 0) return i + (uint32_t)__builtin_ctzll(left);
    }
    return PATTERNS_MAX;
}

/* One above the last member; 0: the set is empty. */
static inline uint32_t set_end(const set *s) {
    for (uint32_t word = SET_WORDS; word-- != 0;)
        if (s->words[word] != 0) return 64 * word + 64 - (uint32_t)__builtin_clzll(s->words[word]);
    return 0;
}

#define SET_EACH(i, s) for (uint32_t i = set_next(s, 0); i < PATTERNS_MAX; i = set_next(s, (i) + 1))

#endif
