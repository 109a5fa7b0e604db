/* Bytes as a file that has a path, for readers that open one. */
#ifndef SVS_TESTS_FUZZ_AS_FILE_H
#define SVS_TESTS_FUZZ_AS_FILE_H

#include "base/check.h"
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define AS_FILE_PATH 32

/* @return what close() takes. */
static inline int as_file(const uint8_t *data, size_t size, char path[AS_FILE_PATH]) {
    int file = memfd_create("input", MFD_CLOEXEC);
    SVS__CHECK(file >= 0 && write(file, data, size) == (ssize_t)size);
    (void)snprintf(path, AS_FILE_PATH, "/proc/self/fd/%d", file);
    return file;
}

#endif
