#include "memobj/reach/signature.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint32_t svs__key(uint64_t space, uint64_t number) {
    uint64_t name[2] = {space, number};
    return (uint32_t)(XXH3_64bits(name, sizeof name) >> 32);
}

static bool overlap_plain(const uint64_t *a, const uint64_t *b, uint32_t words) {
    for (uint32_t i = 0; i < words; i++)
        if (a[i] & b[i]) return true;
    return false;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

__attribute__((target("avx2"))) static bool overlap_avx2(const uint64_t *a, const uint64_t *b,
                                                         uint32_t words) {
    uint32_t i = 0;
    for (; i + 4 <= words; i += 4) {
        __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)(a + i));
        __m256i y = _mm256_loadu_si256((const __m256i *)(const void *)(b + i));
        if (!_mm256_testz_si256(x, y)) return true;
    }
    return overlap_plain(a + i, b + i, words - i);
}

bool svs__signature_overlap(const uint64_t *a, const uint64_t *b, uint32_t words) {
    return __builtin_cpu_supports("avx2") ? overlap_avx2(a, b, words) : overlap_plain(a, b, words);
}
#else
bool svs__signature_overlap(const uint64_t *a, const uint64_t *b, uint32_t words) {
    return overlap_plain(a, b, words);
}
#endif

void svs__signature_or(uint64_t *into, const uint64_t *from, uint32_t words) {
    for (uint32_t i = 0; i < words; i++) into[i] |= from[i];
}
