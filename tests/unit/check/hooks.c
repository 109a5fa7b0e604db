/* What stands in the place of the compiler's and the C library's: atomics do what their names say,
 * at each width, and the heap's functions what the manual says, also where they refuse. */
#include "../base/helpers.h"
#include <errno.h>
#include <malloc.h>
#include <string.h>

__extension__ typedef unsigned __int128 uint128_t;

/* The hooks of one width, and a test of all of them. */
#define WIDTH(bits)                                                                                \
    typedef uint##bits##_t word_##bits;                                                            \
    word_##bits __tsan_atomic##bits##_load(const volatile word_##bits *, int);                     \
    void __tsan_atomic##bits##_store(volatile word_##bits *, word_##bits, int);                    \
    word_##bits __tsan_atomic##bits##_exchange(volatile word_##bits *, word_##bits, int);          \
    word_##bits __tsan_atomic##bits##_fetch_add(volatile word_##bits *, word_##bits, int);         \
    word_##bits __tsan_atomic##bits##_fetch_sub(volatile word_##bits *, word_##bits, int);         \
    word_##bits __tsan_atomic##bits##_fetch_and(volatile word_##bits *, word_##bits, int);         \
    word_##bits __tsan_atomic##bits##_fetch_or(volatile word_##bits *, word_##bits, int);          \
    word_##bits __tsan_atomic##bits##_fetch_xor(volatile word_##bits *, word_##bits, int);         \
    word_##bits __tsan_atomic##bits##_fetch_nand(volatile word_##bits *, word_##bits, int);        \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile word_##bits *, word_##bits *,       \
                                                      word_##bits, int, int);                      \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile word_##bits *, word_##bits *,         \
                                                    word_##bits, int, int);                        \
    word_##bits __tsan_atomic##bits##_compare_exchange_val(volatile word_##bits *, word_##bits,    \
                                                           word_##bits, int, int);                 \
    static void try_##bits(int order) {                                                            \
        static volatile _Alignas(16) word_##bits at;                                               \
        const word_##bits high = (word_##bits)((word_##bits)3 << (bits - 4)),                      \
                          all = (word_##bits) - 1;                                                 \
        word_##bits expected = 0;                                                                  \
        __tsan_atomic##bits##_store(&at, high, order);                                             \
        assert_true(__tsan_atomic##bits##_load(&at, order) == high);                               \
        assert_true(__tsan_atomic##bits##_exchange(&at, 5, order) == high);                        \
        assert_true(__tsan_atomic##bits##_fetch_add(&at, high, order) == 5);                       \
        assert_true(__tsan_atomic##bits##_fetch_sub(&at, 2, order) == (word_##bits)(high + 5));    \
        assert_true(__tsan_atomic##bits##_fetch_and(&at, 6, order) == (word_##bits)(high + 3));    \
        assert_true(__tsan_atomic##bits##_fetch_or(&at, high, order) == 2);                        \
        assert_true(__tsan_atomic##bits##_fetch_xor(&at, 3, order) == (word_##bits)(high + 2));    \
        assert_true(__tsan_atomic##bits##_fetch_nand(&at, high, order) ==                          \
                    (word_##bits)(high + 1));                                                      \
        assert_true(at == (word_##bits)(all - high));                                              \
        assert_false(__tsan_atomic##bits##_compare_exchange_strong(&at, &expected, 1, order, 0));  \
        assert_true(expected == (word_##bits)(all - high));                                        \
        assert_true(__tsan_atomic##bits##_compare_exchange_weak(&at, &expected, 1, order, 0));     \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(&at, 2, 3, order, 0) == 1);         \
        assert_true(__tsan_atomic##bits##_compare_exchange_val(&at, 1, 3, order, 0) == 1);         \
        assert_true(at == 3);                                                                      \
    }
WIDTH(8)
WIDTH(16)
WIDTH(32)
WIDTH(64)
WIDTH(128)

static void atomics_do_what_their_names_say(void **state) {
    (void)state;
    for (int order = 0; order <= 5; order++) { /* relaxed to sequentially consistent */
        try_8(order);
        try_16(order);
        try_32(order);
        try_64(order);
        try_128(order);
    }
}

/* ---- the heap ---- */

static volatile size_t large = SIZE_MAX / 2; /* no compiler knows */

static void too_much_is_refused(void **state) {
    void *block = malloc(16), *volatile kept = block; /* what is refused leaves it as it is */
    (void)state;
    memset(block, 7, 16);
    errno = 0;
    assert_null(malloc(large));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(calloc(large, 4));
    assert_int_equal(errno, ENOMEM);
    assert_null(realloc(NULL, large));
    assert_null(realloc(block, large));
    assert_int_equal(((unsigned char *)kept)[15], 7);
    errno = 0;
    assert_null(reallocarray(kept, large, 4));
    assert_int_equal(errno, ENOMEM);
    assert_null(reallocarray(NULL, large, 4));
    assert_null(aligned_alloc(64, large));
    free(kept);
}

static void blocks_keep_what_is_in_them(void **state) {
    unsigned char *block = reallocarray(NULL, 4, 8);
    (void)state;
    assert_non_null(block);
    memset(block, 9, 32);
    block = reallocarray(block, 400, 8);
    assert_non_null(block);
    assert_int_equal(block[31], 9);
    block = realloc(block, 8);
    assert_non_null(block);
    assert_int_equal(block[7], 9);
    assert_null(realloc(block, 0));
    block = realloc(NULL, 8);
    assert_non_null(block);
    free(block);
    free(NULL);
    block = calloc(3, 5);
    assert_non_null(block);
    for (int i = 0; i < 15; i++) assert_int_equal(block[i], 0);
    free(block);
}

static void blocks_are_aligned_as_asked(void **state) {
    void *block;
    (void)state;
    for (size_t alignment = 1; alignment <= 8192; alignment *= 2) {
        block = aligned_alloc(alignment, alignment * 2);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignment, 0);
        free(block);
        block = memalign(alignment, 100);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % alignment, 0);
        free(block);
    }
    assert_int_equal(posix_memalign(&block, 256, 10), 0);
    assert_int_equal((uintptr_t)block % 256, 0);
    free(block);
    assert_int_equal(posix_memalign(&block, 3, 10), EINVAL);
    errno = 0;
    assert_null(memalign(24, 10));
    assert_int_equal(errno, EINVAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_do_what_their_names_say),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(blocks_keep_what_is_in_them),
        cmocka_unit_test(blocks_are_aligned_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
