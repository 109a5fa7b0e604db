/* Test cases that register themselves, so that a case is written once and none can be forgotten:
 *
 *     TEST_CASE(an_empty_list_has_no_first) { assert_null(list_first(NULL)); }
 *
 *     int main(void) { return run_cases(NULL, NULL); }
 *
 * Cases run in the order of their lines. A case may use `state`, the pointer that cmocka hands on
 * from the group's set-up. All cases of a program stand in one source. */
#ifndef SVS_TESTS_CASE_H
#define SVS_TESTS_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define TEST_CASES_MAX 64

static struct CMUnitTest registered_cases[TEST_CASES_MAX];
static int registered_lines[TEST_CASES_MAX];
static size_t registered_count;

/* Keeps the cases sorted by line: the order of constructors is the compiler's choice. */
static inline void register_case(const char *name, CMUnitTestFunction function, int line) {
    size_t at = registered_count++;
    if (registered_count > TEST_CASES_MAX) abort(); /* make TEST_CASES_MAX larger */
    for (; at && registered_lines[at - 1] > line; at--) {
        registered_cases[at] = registered_cases[at - 1];
        registered_lines[at] = registered_lines[at - 1];
    }
    registered_cases[at] = (struct CMUnitTest){name, function, NULL, NULL, NULL};
    registered_lines[at] = line;
}

#define TEST_CASE(name)                                                                            \
    static void name(void **state);                                                                \
    __attribute__((constructor)) static void name##_registers(void) {                              \
        register_case(#name, name, __LINE__);                                                      \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)

/* Runs the cases between a group's set-up and tear-down, either of which may be NULL.
 * @return how many failed. */
static inline int run_cases(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
    if (registered_count == 0) abort(); /* a program without a case cannot fail */
    return _cmocka_run_group_tests("tests", registered_cases, registered_count, set_up, tear_down);
}

/* Runs each case between a set-up and a tear-down of its own, which share `state` with it. */
static inline int run_cases_each(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
    for (size_t i = 0; i < registered_count; i++) {
        registered_cases[i].setup_func = set_up;
        registered_cases[i].teardown_func = tear_down;
    }
    return run_cases(NULL, NULL);
}

#endif
