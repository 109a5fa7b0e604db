/* A target for libFuzzer: any bytes at all are refused with their line, or are a matrix of finite
 * numbers whose bounds are in order, and that is read again from a file with the same numbers. */
#include "as_file.h"
#include "multipol/eigenvalue.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LINE_BYTES = 80 };

static void check_again(const matrix *m) {
    char path[AS_FILE_PATH], *text = malloc((m->n + (size_t)1) * LINE_BYTES);
    size_t length;
    matrix again;
    int file;
    SVS__CHECK(text != NULL);
    length = (size_t)sprintf(text, "%u\n", m->n);
    for (uint32_t i = 0; i < m->n; i++)
        length += (size_t)sprintf(text + length, "%u %.17g %.17g\n", i + 1, m->d[i], m->e[i]);
    file = as_file((const uint8_t *)text, length, path);
    SVS__CHECK(matrix_read(&again, path) == NULL && again.n == m->n);
    SVS__CHECK(memcmp(again.d, m->d, m->n * sizeof *m->d) == 0);
    SVS__CHECK(memcmp(again.e, m->e, m->n * sizeof *m->e) == 0);
    matrix_free(&again);
    free(text);
    (void)close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH];
    unsigned line = 0;
    const char *failed;
    matrix m = {0};
    int file = as_file(data, size, path);
    failed = matrix_read(&m, path);
    if (failed == NULL) {
        SVS__CHECK(m.n >= 1 && m.low <= m.high);
        for (uint32_t i = 0; i < m.n; i++) SVS__CHECK(isfinite(m.d[i]) && isfinite(m.e[i]));
        check_again(&m);
        matrix_free(&m);
    } else {
        SVS__CHECK(strncmp(failed, path, strlen(path)) == 0);
        SVS__CHECK(sscanf(failed + strlen(path), ":%u: ", &line) == 1 && line >= 1);
    }
    (void)close(file);
    return 0;
}
