/* The part of cmocka that the tests use, for builds for another processor (./dev cross), for which
 * cmocka is not installed. A case ends at its first failure; sizes and messages are cmocka's. */
#ifndef SVS_TESTS_CROSS_CMOCKA_H
#define SVS_TESTS_CROSS_CMOCKA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func, teardown_func;
    void *initial_state;
};

static jmp_buf cross_case;

/* The thread of the case leaves it; no other thread may fail a case, as with cmocka. */
#define fail_msg(...)                                                                              \
    do {                                                                                           \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__);                                            \
        fprintf(stderr, __VA_ARGS__);                                                              \
        fputc('\n', stderr);                                                                       \
        longjmp(cross_case, 1);                                                                    \
    } while (0)
#define CROSS_ASSERT(condition, text) ((condition) ? (void)0 : cross_fail(text, __FILE__, __LINE__))
static inline void cross_fail(const char *text, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    longjmp(cross_case, 1);
}

#define fail() CROSS_ASSERT(0, "fail()")
#define assert_true(c) CROSS_ASSERT(c, #c)
#define assert_false(c) CROSS_ASSERT(!(c), "not: " #c)
#define assert_null(p) CROSS_ASSERT((p) == NULL, #p " is NULL")
#define assert_non_null(p) CROSS_ASSERT((p) != NULL, #p " is not NULL")
#define assert_ptr_equal(a, b) CROSS_ASSERT((uintptr_t)(a) == (uintptr_t)(b), #a " is " #b)
#define assert_int_equal(a, b) CROSS_ASSERT((uintmax_t)(a) == (uintmax_t)(b), #a " == " #b)
#define assert_int_not_equal(a, b) CROSS_ASSERT((uintmax_t)(a) != (uintmax_t)(b), #a " != " #b)
#define assert_in_range(v, low, high)                                                              \
    CROSS_ASSERT((uintmax_t)(v) - (uintmax_t)(low) <= (uintmax_t)(high) - (uintmax_t)(low),        \
                 #v " in " #low " .. " #high)
#define assert_string_equal(a, b) CROSS_ASSERT(strcmp((a), (b)) == 0, #a " equals " #b)
#define assert_string_not_equal(a, b) CROSS_ASSERT(strcmp((a), (b)) != 0, #a " differs from " #b)
#define assert_memory_equal(a, b, n) CROSS_ASSERT(memcmp((a), (b), (n)) == 0, #a " equals " #b)
#define print_message(...) ((void)printf(__VA_ARGS__))
#define print_error(...) ((void)fprintf(stderr, __VA_ARGS__))
#define skip() longjmp(cross_case, 2)

static inline int cross_run(const struct CMUnitTest *c, void **state) {
    int failed;
    if (c->setup_func != NULL && c->setup_func(state) != 0) return 1;
    failed = setjmp(cross_case);
    if (failed == 0) c->test_func(state);
    if (c->teardown_func != NULL && c->teardown_func(state) != 0) failed = 1;
    printf("[ %s ] %s\n", failed == 1 ? "FAILED" : "OK", c->name);
    return failed == 1;
}

static inline int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *cases,
                                          size_t count, CMFixtureFunction set_up,
                                          CMFixtureFunction tear_down) {
    void *state = NULL;
    int failures = 0;
    if (set_up != NULL && set_up(&state) != 0) return 1;
    for (size_t i = 0; i < count; i++) failures += cross_run(&cases[i], &state);
    if (tear_down != NULL && tear_down(&state) != 0) failures++;
    printf("%s: %zu cases, %d failures\n", group, count, failures);
    return failures;
}
#define cmocka_run_group_tests(group, set_up, tear_down)                                           \
    _cmocka_run_group_tests(#group, group, sizeof group / sizeof *group, set_up, tear_down)

#endif
