/* Others that take whole arrays: files, sorting, printing into memory (wraps.h). */
#include "check/wraps.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

int svs__real_vsnprintf(char *to, size_t room, const char *format,
                        va_list values) __asm__("__real_vsnprintf");

static void tell_printed(const char *to, size_t room, int length, const void *pc) {
    if (length < 0 || room == 0) return;
    svs__wrap_tell(to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
}

WRAP(int, vsnprintf, (char *to, size_t room, const char *format, va_list values)) {
    int length = svs__real_vsnprintf(to, room, format, values);
    tell_printed(to, room, length, SVS__CALLER());
    return length;
}

int svs__wrap_snprintf(char *to, size_t room, const char *format, ...) __asm__("__wrap_snprintf");
int svs__wrap_snprintf(char *to, size_t room, const char *format, ...) {
    va_list values;
    int length;
    va_start(values, format);
    length = svs__real_vsnprintf(to, room, format, values);
    va_end(values);
    tell_printed(to, room, length, SVS__CALLER());
    return length;
}
