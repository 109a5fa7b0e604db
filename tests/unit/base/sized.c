/* Structs that grow: options and outputs of a program of another version. */
#include "case.h"

#include "base/sized.h"

typedef struct shorter {
    size_t size;
    uint64_t a;
} shorter;

typedef struct known {
    size_t size;
    uint64_t a, b;
} known;

typedef struct longer {
    size_t size;
    uint64_t a, b, c;
} longer;

static const known defaults = {sizeof defaults, 1, 2};

TEST_CASE(shorter_options_keep_the_defaults_for_the_rest) {
    shorter options = {sizeof options, 7};
    known chosen = defaults;
    assert_int_equal(svs__options_take(&chosen, sizeof chosen, &options), SVS_OK);
    assert_int_equal(chosen.size, sizeof chosen);
    assert_int_equal(chosen.a, 7);
    assert_int_equal(chosen.b, 2);
}

TEST_CASE(longer_options_are_taken_while_what_is_not_known_is_zero) {
    longer options = {sizeof options, 7, 8, 0};
    known chosen = defaults;
    assert_int_equal(svs__options_take(&chosen, sizeof chosen, &options), SVS_OK);
    assert_int_equal(chosen.a, 7);
    assert_int_equal(chosen.b, 8);
    chosen = defaults;
    options.c = 1;
    assert_int_equal(svs__options_take(&chosen, sizeof chosen, &options), SVS_E_VERSION);
    assert_memory_equal(&chosen, &defaults, sizeof chosen);
}

TEST_CASE(a_size_of_no_version_is_refused) {
    static const size_t sizes[] = {0, 1, sizeof(size_t) - 1, SVS__OPTIONS_MAX + 1, SIZE_MAX};
    known chosen = defaults;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(svs__options_take(&chosen, sizeof chosen, &sizes[i]), SVS_E_VERSION);
    assert_memory_equal(&chosen, &defaults, sizeof chosen);
}

TEST_CASE(filling_options_stays_inside_the_callers_size) {
    longer options;
    memset(&options, 0xaa, sizeof options);
    svs__options_init(&options, sizeof(shorter), &defaults, sizeof defaults);
    assert_int_equal(options.size, sizeof(shorter));
    assert_int_equal(options.a, 1);
    assert_int_equal(options.b, UINT64_C(0xaaaaaaaaaaaaaaaa));
    svs__options_init(&options, sizeof options, &defaults, sizeof defaults);
    assert_int_equal(options.size, sizeof options);
    assert_int_equal(options.b, 2);
    assert_int_equal(options.c, 0);
    svs__options_init(&options, 3, &defaults, sizeof defaults);
    assert_int_equal(options.size, sizeof options);
}

TEST_CASE(an_output_stays_inside_the_callers_size) {
    longer output;
    memset(&output, 0xaa, sizeof output);
    svs__output_put(&output, sizeof(shorter), &defaults, sizeof defaults);
    assert_int_equal(output.a, 1);
    assert_int_equal(output.b, UINT64_C(0xaaaaaaaaaaaaaaaa));
    svs__output_put(&output, sizeof output, &defaults, sizeof defaults);
    assert_int_equal(output.b, 2);
    assert_int_equal(output.c, 0);
}

int main(void) { return run_cases(NULL, NULL); }
