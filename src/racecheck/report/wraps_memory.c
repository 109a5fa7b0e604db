/* memcpy() and its family (wraps.h). */
#include "racecheck/report/wraps.h"
#include <string.h>
#include <strings.h>

WRAP(void *, memcpy, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memcpy(to, from, bytes);
}

WRAP(void *, memmove, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memmove(to, from, bytes);
}

WRAP(void *, mempcpy, (void *to, const void *from, size_t bytes)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_mempcpy(to, from, bytes);
}

WRAP(void *, memset, (void *to, int value, size_t bytes)) {
    WRITES(to, bytes);
    return svs__real_memset(to, value, bytes);
}

WRAP(void, bzero, (void *to, size_t bytes)) {
    WRITES(to, bytes);
    svs__real_bzero(to, bytes);
}

WRAP(int, memcmp, (const void *a, const void *b, size_t bytes)) {
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_memcmp(a, b, bytes);
}

WRAP(int, bcmp, (const void *a, const void *b, size_t bytes)) {
    READS(a, bytes);
    READS(b, bytes);
    return svs__real_bcmp(a, b, bytes);
}

WRAP(void *, memchr, (const void *in, int value, size_t bytes)) {
    const char *found = svs__real_memchr(in, value, bytes);
    READS(in, found != NULL ? (size_t)(found - (const char *)in) + 1 : bytes);
    return (void *)found;
}

/* Of the headers' checks with _FORTIFY_SOURCE. */
WRAP(void *, __memcpy_chk, (void *to, const void *from, size_t bytes, size_t room)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real___memcpy_chk(to, from, bytes, room);
}

WRAP(void *, __memmove_chk, (void *to, const void *from, size_t bytes, size_t room)) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real___memmove_chk(to, from, bytes, room);
}

WRAP(void *, __memset_chk, (void *to, int value, size_t bytes, size_t room)) {
    WRITES(to, bytes);
    return svs__real___memset_chk(to, value, bytes, room);
}

/* ---- clang 15 and later: in the place of memcpy() and its like, also to copy a struct ---- */

void *svs__tsan_memcpy(void *to, const void *from, size_t bytes) __asm__("__tsan_memcpy");
void *svs__tsan_memcpy(void *to, const void *from, size_t bytes) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memcpy(to, from, bytes);
}

void *svs__tsan_memmove(void *to, const void *from, size_t bytes) __asm__("__tsan_memmove");
void *svs__tsan_memmove(void *to, const void *from, size_t bytes) {
    READS(from, bytes);
    WRITES(to, bytes);
    return svs__real_memmove(to, from, bytes);
}

void *svs__tsan_memset(void *to, int value, size_t bytes) __asm__("__tsan_memset");
void *svs__tsan_memset(void *to, int value, size_t bytes) {
    WRITES(to, bytes);
    return svs__real_memset(to, value, bytes);
}
