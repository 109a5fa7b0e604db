/* Signatures: sets of memory accesses as constant-length bit strings (thesis 5.1.1).
 *
 * A signature of N bits is N / 64 words. An object's bit is the top log2 N bits of its key, so that
 * the cells of a finer table, the top bits of the same key, agree with it: bit = cell >> (cell bits
 * - log2 N).
 *
 * Threads: these functions work on private snapshots only; shared signatures are read and written
 * word by word in reach.c. */
#ifndef SVS_MEMOBJ_SIGNATURE_H
#define SVS_MEMOBJ_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#define SVS__SIGNATURE_BITS_MIN 64u
#define SVS__SIGNATURE_BITS_MAX 4096u
#define SVS__SIGNATURE_WORDS_MAX (SVS__SIGNATURE_BITS_MAX / 64u)

/* The key of what the pair (space, number) names: the top half of one xxHash of it. */
uint32_t svs__key(uint64_t space, uint64_t number);

/* Whether two signatures have a bit in common. Chosen at run time: AVX2 where the CPU has it. */
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
