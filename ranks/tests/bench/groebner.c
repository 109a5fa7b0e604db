/* The text form of the systems of ranks/bench/multipol/groebner: what is read, and all files that
 * are refused, and why. */
#include "multipol/groebner/groebner.h"
#include "case.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define HEAD "variables x y\nmodulus 7\n"

static void expect(const char *text, const char *message) {
    char fault[GROEBNER_FAULT];
    system_of_polynomials made;
    if (system_parse(&made, text, strlen(text), fault))
        fail_msg("is read, but it is not: %s", message);
    assert_string_equal(fault, message);
    assert_true(made.of == NULL && made.count == 0);
}

/* The same for a text in a file, whose path begins each message. */
static void expect_of_file(const char *text, const char *end, const char *message) {
    char path[40], fault[GROEBNER_FAULT];
    system_of_polynomials made;
    bool good;
    int file;
    (void)snprintf(path, sizeof path, "/tmp/svs-system-XXXXXX%s", end);
    file = mkstemps(path, (int)strlen(end));
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    good = system_read(&made, path, fault);
    (void)unlink(path);
    if (good) fail_msg("is read, but it is not: %s", message);
    assert_string_equal(strchr(fault, ':') + 1, message);
}

/* As it is printed. */
static void expect_system(const char *text, const char *printed) {
    char fault[GROEBNER_FAULT], again[200];
    system_of_polynomials made;
    if (!system_parse(&made, text, strlen(text), fault)) fail_msg("%s", fault);
    assert_int_equal(system_print(&made, again, sizeof again), strlen(printed));
    assert_string_equal(again, printed);
    system_free(&made);
}

TEST_CASE(systems_are_read_with_comments_and_with_terms_in_any_order) {
    expect_system(HEAD "x\n", HEAD "x\n");
    expect_system("# two\n\n variables\tx y # names\r\nmodulus 7\n\n- 3*x*2 + y^2*x*y\n",
                  HEAD "x*y^3 + x\n");
    expect_system(HEAD "x^0 + 99999999999999999999*y - x + 8 * x^1\ny", HEAD "y + 1\ny\n");
}

TEST_CASE(a_head_that_is_malformed_is_refused_with_line_and_column) {
    expect("", "1:1: the word \"variables\" was expected");
    expect("\n # none\n", "3:1: the word \"variables\" was expected");
    expect(" variable x\n", "1:2: the word \"variables\" was expected");
    expect("7\n", "1:1: the word \"variables\" was expected");
    expect("variables # x\n", "1:11: the name of a variable was expected");
    expect("variables x 2y\n", "1:13: a name of letters and digits, at most 15, was expected");
    expect("variables x abcdefghijklmnop\n",
           "1:13: a name of letters and digits, at most 15, was expected");
    expect("variables x y x\n", "1:15: another name was expected: this one is there already");
    expect("variables a b c d e f g h i j k l m n o p\n",
           "1:41: the end of the line was expected: 15 variables are the most");
    expect("variables x\n", "2:1: the word \"modulus\" was expected");
    expect("variables x\n\nmodulo 7\n", "3:1: the word \"modulus\" was expected");
    expect("variables x\nmodulus\n", "2:8: a prime was expected");
    expect("variables x\nmodulus x\n", "2:9: a prime was expected");
    expect("variables x\nmodulus 9\n", "2:9: a prime was expected");
    expect("variables x\nmodulus  1\n", "2:10: a prime was expected");
    expect("variables x\nmodulus 2147483659\n", "2:9: a prime, at most 2147483647, was expected");
    expect("variables x\nmodulus 7 x\n", "2:11: the end of the line was expected");
}

TEST_CASE(a_polynomial_that_is_malformed_is_refused_with_line_and_column) {
    expect(HEAD, "3:1: a polynomial was expected");
    expect(HEAD "x +\n", "3:4: a number or a variable was expected");
    expect(HEAD "x\n\n  - # 1\n", "5:5: a number or a variable was expected");
    expect(HEAD "x*+y\n", "3:3: a number or a variable was expected");
    expect(HEAD "(x)\n", "3:1: a number or a variable was expected");
    expect(HEAD "x*y - z\n", "3:7: a variable of the first line was expected");
    expect(HEAD "x^y\n", "3:3: an exponent was expected");
    expect(HEAD "x^-1\n", "3:3: an exponent was expected");
    expect(HEAD "x^ 10001\n", "3:4: an exponent, at most 10000, was expected");
    expect(HEAD "x^9999*y^2\n", "3:8: a term of degree 10000 at most was expected");
    expect(HEAD "x y\n", "3:3: +, -, *, ^ or the end of the line was expected");
    expect(HEAD "2x\n", "3:2: +, -, *, ^ or the end of the line was expected");
    expect(HEAD "x^2^2\n", "3:4: +, -, *, ^ or the end of the line was expected");
    expect(HEAD "x\n y - y\n", "4:2: a polynomial other than 0 was expected");
    expect(HEAD "7*x\n", "3:1: a polynomial other than 0 was expected");
}

TEST_CASE(a_zero_byte_is_no_end_of_a_line) {
    static const char text[] = HEAD "x\0\n";
    char fault[GROEBNER_FAULT];
    system_of_polynomials made;
    assert_false(system_parse(&made, text, sizeof text - 1, fault));
    assert_string_equal(fault, "3:2: +, -, *, ^ or the end of the line was expected");
}

TEST_CASE(a_file_is_refused_with_its_path) {
    char fault[GROEBNER_FAULT];
    system_of_polynomials made;
    assert_false(system_read(&made, "/nowhere/a.system", fault));
    assert_string_equal(fault, "/nowhere/a.system:1:1: a file that can be opened was expected: No "
                               "such file or directory");
    expect_of_file(HEAD "x + z\n", "", "3:5: a variable of the first line was expected");
    expect_of_file(HEAD "x\n", ".xz", "1:1: a file that xz can unpack was expected");
}

int main(void) { return run_cases(NULL, NULL); }
