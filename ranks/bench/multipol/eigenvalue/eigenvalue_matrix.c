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

/* ---- lines of numbers ---- */

typedef struct reader {
    input in;
    const char *path;
    uint64_t line;
    char *at;             /* the rest of the line */
    const char *begin[3]; /* of its numbers */
    char text[LINE_BYTES];
} reader;

static const char spaces[] = " \t\v\f\r";

static char fault[300];

static const char *wrong(const reader *r, const char *at, const char *format, ...) {
    va_list list;
    int used = snprintf(fault, sizeof fault, "%.150s:%llu: column %d: ", r->path,
                        (unsigned long long)r->line, (int)(at - r->text) + 1);
    va_start(list, format);
    if (used > 0 && (size_t)used < sizeof fault)
        (void)vsnprintf(fault + used, sizeof fault - (size_t)used, format, list);
    va_end(list);
    return fault;
}

/* @return false: the file ends. */
static bool next_line(reader *r) {
    r->line++;
    r->at = r->text;
    return fgets(r->text, sizeof r->text, r->in.file) != NULL;
}

/* Not of a line that is longer than `text`, or that has a zero byte. */
static const char *end_line(reader *r) {
    r->at += strspn(r->at, spaces);
    if (*r->at == '\n' || (*r->at == '\0' && feof(r->in.file))) return NULL;
    return wrong(r, r->at, "the end of the line was expected");
}

/* The first `count` numbers of the next line. */
static const char *read_numbers(reader *r, double *numbers, int count) {
    if (!next_line(r))
        return wrong(r, r->text, "the file ends, but a line of %d number%s was expected", count,
                     count == 1 ? "" : "s");
    for (int i = 0; i < count; i++) {
        char *end;
        r->begin[i] = r->at += strspn(r->at, spaces);
        numbers[i] = strtod(r->at, &end);
        if (end == r->at || !isfinite(numbers[i]))
            return wrong(r, r->at, "a finite number was expected");
        r->at = end;
    }
    return NULL;
}

static const char *open_reader(reader *r, const char *path) {
    int error;
    *r = (reader){.path = path, .line = 1};
    error = input_open(&r->in, path);
    if (error != 0)
        return wrong(r, r->text, "a file that can be opened was expected: %s", strerror(error));
    r->line = 0;
    return NULL;
}

/* xz fails too when it is stopped before the end of the file, which tells nothing. */
static const char *close_reader(reader *r, const char *failed) {
    bool ended;
    if (failed == NULL && next_line(r))
        failed = wrong(r, r->text, "the end of the file was expected");
    ended = feof(r->in.file) != 0;
    if (!input_close(&r->in) && ended)
        failed = wrong(r, r->text, "a file that xz can unpack was expected");
    return failed;
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

/* The rest of a row: a second off-diagonal element, if there is one, is equal to the first. */
static const char *end_row(reader *r, double e) {
    char *end;
    double other;
    r->at += strspn(r->at, spaces);
    other = strtod(r->at, &end);
    if (end != r->at && other != e)
        return wrong(r, r->at, "not symmetric: the number of column %d was expected again",
                     (int)(r->begin[2] - r->text) + 1);
    r->at = end;
    return end_line(r);
}

static const char *read_rows(reader *r, matrix *m) {
    for (uint32_t i = 0; i < m->n; i++) {
        double numbers[3];
        const char *failed = read_numbers(r, numbers, 3);
        if (failed == NULL && numbers[0] != i + 1)
            failed = wrong(r, r->begin[0], "row %u was expected", i + 1);
        if (failed == NULL) failed = end_row(r, numbers[2]);
        if (failed != NULL) return failed;
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
    failed = read_numbers(&r, &n, 1);
    if (failed == NULL && (n < 1 || n > N_MAX || n != floor(n)))
        failed = wrong(&r, r.begin[0], "the number of rows, 1 to %d, was expected", N_MAX);
    if (failed == NULL) failed = end_line(&r);
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
        failed = read_numbers(&r, &values[i], 1);
        if (failed == NULL && i != 0 && values[i] < values[i - 1])
            failed = wrong(&r, r.begin[0], "a value not below the last one was expected");
        if (failed == NULL) failed = end_line(&r);
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
