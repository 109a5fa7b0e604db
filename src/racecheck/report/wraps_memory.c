/* memcpy() and its family, files, and sorting (self.h). */
#include "racecheck/report/self.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

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

/* ---- files, sorting ---- */

WRAP(void, qsort,
     (void *base, size_t count, size_t bytes, int (*compare)(const void *, const void *))) {
    WRITES(base, count * bytes);
    svs__real_qsort(base, count, bytes, compare);
}

WRAP(size_t, fread, (void *to, size_t bytes, size_t count, FILE *file)) {
    size_t items = svs__real_fread(to, bytes, count, file);
    WRITES(to, items * bytes);
    return items;
}

WRAP(size_t, fwrite, (const void *from, size_t bytes, size_t count, FILE *file)) {
    READS(from, count * bytes);
    return svs__real_fwrite(from, bytes, count, file);
}

WRAP(ssize_t, read, (int file, void *to, size_t bytes)) {
    ssize_t count = svs__real_read(file, to, bytes);
    if (count > 0) WRITES(to, (size_t)count);
    return count;
}

WRAP(ssize_t, write, (int file, const void *from, size_t bytes)) {
    READS(from, bytes);
    return svs__real_write(file, from, bytes);
}
