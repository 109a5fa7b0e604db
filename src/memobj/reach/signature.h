/* Signatures: sets of memory accesses as constant-length bit strings (thesis 5.1.1).
 *
 * A signature of N bits is N / 64 words. The top log2 N bits of an object's key are the number of
 * its signature bit. The top bits of the same key are the number of its cell in admission, so that
 * bit = cell >> (cell bits - log2 N).
 *
 * Threads: these functions work on private snapshots only. reach.c reads and writes shared
 * signatures word by word. */
#ifndef SVS_MEMOBJ_REACH_SIGNATURE_H
#define SVS_MEMOBJ_REACH_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#define SVS__SIGNATURE_BITS_MIN 64u
#define SVS__SIGNATURE_BITS_MAX 4096u
#define SVS__SIGNATURE_WORDS_MAX (SVS__SIGNATURE_BITS_MAX / 64u)

/* The key of a pair (space, number): the top half of its xxHash. */
uint32_t svs__key(uint64_t space, uint64_t number);

/* Whether two signatures have a bit in common. Uses AVX2 if the CPU has it, which is found out at
 * run time. */
bool svs__signature_overlap(const uint64_t *a, const uint64_t *b, uint32_t words);

/* into |= from. */
void svs__signature_or(uint64_t *into, const uint64_t *from, uint32_t words);

static inline void svs__signature_set(uint64_t *signature, uint32_t bit) {
    signature[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline bool svs__signature_has(const uint64_t *signature, uint32_t bit) {
    return signature[bit / 64] >> bit % 64 & 1;
}

#endif
