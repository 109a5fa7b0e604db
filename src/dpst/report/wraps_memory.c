/* memcpy() and its family, files, and sorting (self.h). */
#include "dpst/report/self.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define COPIES(name, parameters, arguments)                                                        \
    WRAP(void *, name, parameters) {                                                               \
        READS(from, bytes);                                                                        \
        WRITES(to, bytes);                                                                         \
        return svs__real_##name arguments;                                                         \
    }
COPIES(memcpy, (void *to, const void *from, size_t bytes), (to, from, bytes))
COPIES(memmove, (void *to, const void *from, size_t bytes), (to, from, bytes))
COPIES(mempcpy, (void *to, const void *from, size_t bytes), (to, from, bytes))

#define FILLS(name, parameters, arguments)                                                         \
    WRAP(void *, name, parameters) {                                                               \
        WRITES(to, bytes);                                                                         \
        return svs__real_##name arguments;                                                         \
    }
FILLS(memset, (void *to, int value, size_t bytes), (to, value, bytes))

WRAP(void, bzero, (void *to, size_t bytes)) {
    WRITES(to, bytes);
    svs__real_bzero(to, bytes);
}

#define COMPARES(name)                                                                             \
    WRAP(int, name, (const void *a, const void *b, size_t bytes)) {                                \
        READS(a, bytes);                                                                           \
        READS(b, bytes);                                                                           \
        return svs__real_##name(a, b, bytes);                                                      \
    }
COMPARES(memcmp)
COMPARES(bcmp)

WRAP(void *, memchr, (const void *in, int value, size_t bytes)) {
    const char *found = svs__real_memchr(in, value, bytes);
    READS(in, found != NULL ? (size_t)(found - (const char *)in) + 1 : bytes);
    return (void *)found;
}

/* Functions that the headers call with _FORTIFY_SOURCE. */
COPIES(__memcpy_chk, (void *to, const void *from, size_t bytes, size_t room),
       (to, from, bytes, room))
COPIES(__memmove_chk, (void *to, const void *from, size_t bytes, size_t room),
       (to, from, bytes, room))
FILLS(__memset_chk, (void *to, int value, size_t bytes, size_t room), (to, value, bytes, room))

/* clang 15 and later call these instead of memcpy() and its like, also to copy a struct. */
#define ALIAS(name) __asm__("__tsan_" #name) __attribute__((alias("__wrap_" #name)))
void *svs__tsan_memcpy(void *to, const void *from, size_t bytes) ALIAS(memcpy);
void *svs__tsan_memmove(void *to, const void *from, size_t bytes) ALIAS(memmove);
void *svs__tsan_memset(void *to, int value, size_t bytes) ALIAS(memset);

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
