/* Others that take whole arrays: files, sorting (wraps.h). */
#include "racecheck/report/wraps.h"
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
