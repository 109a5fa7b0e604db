/* The matrices of ranks/bench/multipol/eigenvalue: files that are refused, and why; and bisection
 * of matrices whose eigenvalues are known. */
#include "multipol/eigenvalue/eigenvalue.h"
#include "case.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *write_named(const char *text, const char *end) {
    static char path[40];
    int file;
    (void)snprintf(path, sizeof path, "/tmp/svs-matrix-XXXXXX%s", end);
    file = mkstemps(path, (int)strlen(end));
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    return path;
}

static const char *write_file(const char *text) { return write_named(text, ""); }

/* The message without the name of the file. */
static void compare(const char *failed, const char *message) {
    if (failed == NULL) fail_msg("is read, but it is not: %s", message);
    if (strcmp(strchr(failed, ':') + 1, message) != 0) fail_msg("says %s, not %s", failed, message);
}

static void expect(const char *text, const char *message) {
    matrix m;
    const char *path = write_file(text), *failed = matrix_read(&m, path);
    (void)unlink(path);
    compare(failed, message);
    assert_null(m.d);
}

static matrix read_text(const char *text) {
    matrix m;
    const char *path = write_file(text), *failed = matrix_read(&m, path);
    (void)unlink(path);
    if (failed != NULL) fail_msg("%s", failed);
    return m;
}

/* Of a file of two eigenvalues. */
static void expect_of_values(const char *text, const char *message) {
    double values[2];
    const char *path = write_file(text), *failed = values_read(values, 2, path);
    (void)unlink(path);
    compare(failed, message);
}

TEST_CASE(rows_are_read_with_one_off_diagonal_or_two) {
    matrix m = read_text("2\n1 1.5 2\n2 1 0\n");
    assert_true(m.n == 2 && m.d[0] == 1.5 && m.e[0] == 2 && m.d[1] == 1);
    matrix_free(&m);
    m = read_text(" 2\n 1\t1e3   -2 \r\n2 1 0");
    assert_true(m.d[0] == 1000 && m.e[0] == -2);
    matrix_free(&m);
    m = read_text("3\n1 1 0.5 5e-1\n2 1 -0 0\n3 1 0\n"); /* in any of their forms */
    assert_true(m.e[0] == 0.5 && m.e[1] == 0);
    matrix_free(&m);
}

TEST_CASE(a_matrix_that_is_cut_or_malformed_is_refused_with_line_and_column) {
    char wide[300];
    expect("", "1: column 1: the file ends, but a line of 1 number was expected");
    expect("x\n", "1: column 1: a finite number was expected");
    expect("0\n", "1: column 1: the number of rows, 1 to 1000000, was expected");
    expect(" 2.5\n", "1: column 2: the number of rows, 1 to 1000000, was expected");
    expect("1e9\n", "1: column 1: the number of rows, 1 to 1000000, was expected");
    expect("2 2\n", "1: column 3: the end of the line was expected");
    expect("2\n1 1 1\n", "3: column 1: the file ends, but a line of 3 numbers was expected");
    expect("2\n1 1 1\n\t3 1 0\n", "3: column 2: row 2 was expected");
    expect("2\n1 nan 1\n2 1 0\n", "2: column 3: a finite number was expected");
    expect("2\n1 1 inf\n2 1 0\n", "2: column 5: a finite number was expected");
    expect("2\n1 1\n2 1 0\n", "2: column 4: a finite number was expected");
    expect("2\n1 1 1 x\n2 1 0\n", "2: column 7: the end of the line was expected");
    expect("2\n1 1 1 1 1\n2 1 0\n", "2: column 9: the end of the line was expected");
    expect("1\n1 1 1\n2 1 0\n", "3: column 1: the end of the file was expected");
    (void)snprintf(wide, sizeof wide, "1\n1 1 1%290s", "\n");
    expect(wide, "2: column 200: the end of the line was expected");
}

TEST_CASE(a_matrix_that_is_not_symmetric_is_refused_with_line_and_column) {
    expect("2\n1 1 0.5 0.25\n2 1 0\n",
           "2: column 9: not symmetric: the number of column 5 was expected again");
    expect("2\n1 1 1\n2 1  0   1\n",
           "3: column 10: not symmetric: the number of column 6 was expected again");
    expect("2\n1 1 1 nan\n2 1 0\n",
           "2: column 7: not symmetric: the number of column 5 was expected again");
}

TEST_CASE(a_file_that_is_not_there_is_named) {
    static const char message[] = "/nowhere/m.dat:1: column 1: a file that can be opened was "
                                  "expected: No such file or directory";
    matrix m;
    double value;
    assert_string_equal(matrix_read(&m, "/nowhere/m.dat"), message);
    assert_string_equal(values_read(&value, 1, "/nowhere/m.dat"), message);
}

TEST_CASE(a_file_that_is_not_of_xz_is_refused_and_not_taken_for_an_empty_one) {
    matrix m;
    const char *path = write_named("1\n1 1 1\n", ".xz"), *failed = matrix_read(&m, path);
    (void)unlink(path);
    compare(failed, "1: column 1: a file that xz can unpack was expected");
}

TEST_CASE(eigenvalues_of_another_program_are_as_many_and_ascend) {
    expect_of_values("1\n", "2: column 1: the file ends, but a line of 1 number was expected");
    expect_of_values("1\n 0.5\n", "2: column 2: a value not below the last one was expected");
    expect_of_values("1\n?\n", "2: column 1: a finite number was expected");
    expect_of_values("1 2\n", "1: column 3: the end of the line was expected");
    expect_of_values("1\n2\n3\n", "3: column 1: the end of the file was expected");
}

/* 2 on the diagonal and -1 beside it: 2 - 2 cos(i pi / (n + 1)). */
TEST_CASE(the_eigenvalues_of_a_second_difference_are_found) {
    enum { N = 60 };
    char text[N * 20] = "60\n";
    double values[N], known[N];
    matrix m;
    const char *path;
    for (int i = 1; i <= N; i++)
        (void)snprintf(text + strlen(text), 20, "%d 2 %d\n", i, i == N ? 0 : -1);
    path = write_file(text);
    assert_null(matrix_read(&m, path));
    (void)unlink(path);
    (void)eigenvalues_serial(&m, values);
    for (int i = 0; i < N; i++) known[i] = 2 - 2 * cos((i + 1) * acos(-1) / (N + 1));
    assert_null(eigenvalues_check(&m, values, known));
    values[7] += 20 * DBL_EPSILON * m.norm;
    assert_non_null(eigenvalues_check(&m, values, known));
    assert_non_null(eigenvalues_check(&m, values, NULL));
    matrix_free(&m);
}

/* Counts that rounding has put into a wrong order are clamped: each eigenvalue is found once. */
TEST_CASE(eigenvalues_that_coincide_are_each_found_once) {
    double values[7];
    matrix m;
    const char *path =
        write_file("7\n1 1 1e-200\n2 1 1e-200\n3 1 0\n4 -5 1e-9\n5 -5 0\n6 0 1e-300\n"
                   "7 1e-300 0\n");
    assert_null(matrix_read(&m, path));
    (void)unlink(path);
    (void)eigenvalues_serial(&m, values);
    assert_null(eigenvalues_check(&m, values, NULL));
    for (int i = 1; i < 7; i++) assert_true(values[i - 1] <= values[i]);
    assert_true(fabs(values[6] - 1) < 1e-14 && fabs(values[4] - 1) < 1e-14);
    matrix_free(&m);
}

/* The same ends and the same counts give the same parts; and none is lost. */
TEST_CASE(parts_of_an_interval_hold_its_eigenvalues) {
    matrix m;
    matrix_generate(&m, 200, 3);
    for (uint32_t i = 0; i < 50; i++) {
        interval parts[2] = {interval_all(&m)};
        uint64_t counts = 0;
        for (uint32_t depth = i; interval_divide(&m, parts, &counts, NULL, NULL) == 2; depth /= 2) {
            assert_true(parts[0].upto == parts[1].below && parts[0].high == parts[1].low);
            assert_true(parts[0].below < parts[0].upto && parts[1].below < parts[1].upto);
            assert_true(parts[0].low < parts[0].high && parts[1].low < parts[1].high);
            if (depth % 2 == 1) parts[0] = parts[1];
        }
        assert_true(parts[0].below < parts[0].upto && counts < 200);
    }
    matrix_free(&m);
}

int main(void) { return run_cases(NULL, NULL); }
