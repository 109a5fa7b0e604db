/* Matrices: files of the collection, and random ones. */
#include "common/input.h"
#include "eigenvalue.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 1000000, LINE_BYTES = 200 };

static char fault[300];

static const char *wrong(const char *path, uint64_t line, const char *format, ...) {
    va_list list;
    int used = snprintf(fault, sizeof fault, "%s:%llu: ", path, (unsigned long long)line);
    va_start(list, format);
    if (used > 0 && (size_t)used < sizeof fault)
        (void)vsnprintf(fault + used, sizeof fault - (size_t)used, format, list);
    va_end(list);
    return fault;
}

/* ---- lines of numbers ---- */

typedef struct reader {
    input in;
    const char *path;
    uint64_t line;
    char text[LINE_BYTES];
} reader;

/* The next `count` numbers, which are a whole line. */
static const char *read_line(reader *r, double *numbers, int count) {
    char *at = r->text, *end;
    r->line++;
    if (fgets(r->text, sizeof r->text, r->in.file) == NULL)
        return wrong(r->path, r->line, "the file ends, but a line of %d numbers was expected",
                     count);
    for (int i = 0; i < count; i++, at = end) {
        numbers[i] = strtod(at, &end);
        if (end == at || !isfinite(numbers[i]))
            return wrong(r->path, r->line, "column %d: a finite number was expected",
                         (int)(at - r->text) + 1);
    }
    if (at[strspn(at, " \t\r\n")] != '\0')
        return wrong(r->path, r->line, "column %d: the end of the line was expected",
                     (int)(at - r->text) + 1);
    return NULL;
}

static const char *open_reader(reader *r, const char *path) {
    int error;
    *r = (reader){.path = path};
    error = input_open(&r->in, path);
    return error == 0 ? NULL : wrong(path, 1, "cannot open: %s", strerror(error));
}

static const char *close_reader(reader *r, const char *before) {
    bool whole = before != NULL || fgets(r->text, sizeof r->text, r->in.file) == NULL;
    bool read = input_close(&r->in);
    if (before != NULL) return before;
    if (!whole) return wrong(r->path, r->line + 1, "the end of the file was expected");
    return read ? NULL : wrong(r->path, r->line, "cannot read: xz failed");
}

/* ---- matrices ---- */

static void allocate(matrix *m, uint32_t n) {
    *m = (matrix){.n = n};
    m->d = bench_allocate(n, sizeof *m->d);
    m->e = bench_allocate(n, sizeof *m->e);
    m->e2 = bench_allocate(n, sizeof *m->e2);
}

void matrix_free(matrix *m) {
    free(m->d);
    free(m->e);
    free(m->e2);
    *m = (matrix){0};
}

/* Squares, and an interval of all eigenvalues by Gershgorin, widened for rounding, as LAPACK's
 * dstebz has them. */
static void prepare(matrix *m) {
    const double ulp = DBL_EPSILON, fudge = 2.1;
    double largest = 1, wider;
    m->low = INFINITY;
    m->high = -INFINITY;
    for (uint32_t i = 0; i < m->n; i++) {
        double left = i == 0 ? 0 : fabs(m->e[i - 1]), right = i + 1 == m->n ? 0 : fabs(m->e[i]);
        double square = right * right;
        m->low = fmin(m->low, m->d[i] - left - right);
        m->high = fmax(m->high, m->d[i] + left + right);
        if (i + 1 == m->n) break;
        m->e2[i] = fabs(m->d[i] * m->d[i + 1]) * ulp * ulp + DBL_MIN > square ? 0 : square;
        largest = fmax(largest, m->e2[i]);
    }
    m->pivot = DBL_MIN * largest;
    m->norm = fmax(fabs(m->low), fabs(m->high));
    wider = fudge * m->norm * ulp * m->n + fudge * 2 * m->pivot;
    m->low -= wider;
    m->high += wider;
}

static const char *read_rows(reader *r, matrix *m) {
    for (uint32_t i = 0; i < m->n; i++) {
        double numbers[3];
        const char *failed = read_line(r, numbers, 3);
        if (failed != NULL) return failed;
        if (numbers[0] != i + 1)
            return wrong(r->path, r->line, "column 1: row %u was expected", i + 1);
        m->d[i] = numbers[1];
        m->e[i] = numbers[2];
    }
    return NULL;
}

const char *matrix_read(matrix *m, const char *path) {
    reader r;
    double n;
    const char *failed = open_reader(&r, path);
    *m = (matrix){0};
    if (failed != NULL) return failed;
    failed = read_line(&r, &n, 1);
    if (failed == NULL && (n < 1 || n > N_MAX || n != floor(n)))
        failed = wrong(path, 1, "column 1: the number of rows, 1 to %d, was expected", N_MAX);
    if (failed == NULL) {
        allocate(m, (uint32_t)n);
        failed = read_rows(&r, m);
    }
    failed = close_reader(&r, failed);
    if (failed == NULL) prepare(m);
    else matrix_free(m);
    return failed;
}

const char *values_read(double *values, uint32_t n, const char *path) {
    reader r;
    const char *failed = open_reader(&r, path);
    if (failed != NULL) return failed;
    for (uint32_t i = 0; i < n && failed == NULL; i++) {
        failed = read_line(&r, &values[i], 1);
        if (failed == NULL && i != 0 && values[i] < values[i - 1])
            failed = wrong(path, r.line, "column 1: a value not below the last one was expected");
    }
    return close_reader(&r, failed);
}

void matrix_generate(matrix *m, uint32_t n, uint64_t seed) {
    allocate(m, n);
    for (uint32_t i = 0; i < 2 * n; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        (i < n ? m->d : m->e)[i % n] = (double)(seed >> 11) / (double)(UINT64_C(1) << 52) - 1;
    }
    prepare(m);
}
