#include "base/check.h"
#include <stdio.h>
#include <stdlib.h>

void svs__check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "svs: %s:%d: check failed: %s\n", file, line, condition);
    fflush(stderr);
    abort();
}
