/* A target for libFuzzer: any bytes at all are refused with line and column, or are a matrix of
 * finite numbers whose bounds are in order, and that is read again from a file with the same
 * numbers. The same bytes are refused, or are finite eigenvalues that ascend, one a line. */
#include "as_file.h"
#include "multipol/eigenvalue/eigenvalue.h"
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

static void check_message(const char *failed, const char *path) {
    unsigned line = 0, column = 0;
    char what[2];
    SVS__CHECK(strncmp(failed, path, strlen(path)) == 0);
    failed += strlen(path);
    SVS__CHECK(sscanf(failed, ":%u: column %u: %1s", &line, &column, what) == 3);
    SVS__CHECK(line >= 1 && column >= 1 && strstr(failed, "expected") != NULL);
}

static void check_matrix(const char *path) {
    matrix m;
    const char *failed = matrix_read(&m, path);
    if (failed != NULL) {
        check_message(failed, path);
        return;
    }
    SVS__CHECK(m.n >= 1 && m.low <= m.high);
    for (uint32_t i = 0; i < m.n; i++) SVS__CHECK(isfinite(m.d[i]) && isfinite(m.e[i]));
    check_again(&m);
    matrix_free(&m);
}

static uint32_t count_lines(const uint8_t *data, size_t size) {
    uint32_t count = size != 0 && data[size - 1] != '\n';
    for (size_t i = 0; i < size; i++) count += data[i] == '\n';
    return count;
}

static void check_values(const char *path, uint32_t count) {
    double *values = malloc((count + (size_t)1) * sizeof *values);
    const char *failed;
    SVS__CHECK(values != NULL);
    failed = values_read(values, count, path);
    if (failed != NULL) check_message(failed, path);
    for (uint32_t i = 0; i < count && failed == NULL; i++)
        SVS__CHECK(isfinite(values[i]) && (i == 0 || values[i - 1] <= values[i]));
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[AS_FILE_PATH];
    int file = as_file(data, size, path);
    check_matrix(path);
    check_values(path, count_lines(data, size));
    (void)close(file);
    return 0;
}
