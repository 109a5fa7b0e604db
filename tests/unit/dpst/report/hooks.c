/* The replacements of the compiler's and the C library's functions: atomics do as their names say,
 * at each width, and the heap's functions as the manual says, also where they fail. */
#include "../../worksteal/running.h"
#include "dpst/report/blocks.h"
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <svs/check.h>

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

TEST_CASE(atomics_do_what_their_names_say) {
    for (int order = 0; order <= 5; order++) { /* relaxed to sequentially consistent */
        try_8(order);
        try_16(order);
        try_32(order);
        try_64(order);
        try_128(order);
    }
}

/* ---- copies ---- */

void *__tsan_memcpy(void *to, const void *from, size_t bytes);
void *__tsan_memmove(void *to, const void *from, size_t bytes);
void *__tsan_memset(void *to, int value, size_t bytes);

typedef void *copies(void *to, const void *from, size_t bytes);

static char from[64] = "sixteen bytes, and some more", to[64];

static void copy(svs_async_context *async, void *argument) {
    (void)(*(copies **)argument)(to, from, sizeof to);
}
static void fill(svs_async_context *async, void *argument) {
    (void)__tsan_memset(from + 8, 'x', 8);
}
static void copy_beside_fill(svs_async_context *async, void *argument) {
    svs_async(async, copy, argument, sizeof(copies *));
    svs_async(async, fill, NULL, 0);
}

static _Atomic(uint64_t) racy; /* bytes of `from`, as bits */

static void found(const svs_check_race *race, void *argument) {
    uintptr_t at = (uintptr_t)race->address - (uintptr_t)from;
    for (size_t i = 0; at < 64 && i < race->bytes; i++)
        (void)svs__fetch_or_relaxed(&racy, (uint64_t)1 << (at + i));
}

/* By the names that later compilers have for them. */
TEST_CASE(copies_are_made_and_seen) {
    copies *const all[] = {__tsan_memcpy, __tsan_memmove};
    for (int i = 0; i < 2; i++) {
        svs_runtime *runtime;
        svs_check_options options;
        svs_check_options_init(&options);
        options.found = found;
        svs__store_relaxed(&racy, 0);
        runtime = started_as(SVS_POLICY_HELP_FIRST, 1, 4);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK); /* the one that all have */
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, copy_beside_fill, (void *)&all[i]), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(svs__load_relaxed(&racy), 0xff00);
        assert_memory_equal(to, from, 8);
        assert_memory_equal(to + 16, from + 16, 48);
        assert_memory_equal(from + 8, "xxxxxxxx", 8);
    }
}

/* ---- the heap ---- */

static volatile size_t large = SIZE_MAX / 2; /* no compiler knows */

TEST_CASE(too_much_is_refused) {
    void *block = malloc(16), *volatile kept = block; /* what is refused leaves it as it is */
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

TEST_CASE(blocks_keep_what_is_in_them) {
    unsigned char *block = reallocarray(NULL, 4, 8);
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

TEST_CASE(blocks_are_aligned_as_asked) {
    void *block;
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

static svs__heap_block known_block(void *address) {
    svs__heap_block block;
    assert_true(svs__block_find(address, malloc_usable_size(address), &block));
    return block;
}

/* More than the table of blocks begins with, and gaps in it. */
TEST_CASE(many_blocks_are_known_until_they_are_freed) {
    static char *many[20000];
    static svs__heap_block blocks[20000];
    const size_t count = sizeof many / sizeof *many;
    svs__heap_block found;
    for (size_t i = 0; i < count; i++) {
        many[i] = malloc(16 + i % 64);
        assert_non_null(many[i]);
    }
    for (size_t i = 0; i < count; i++) {
        assert_true(svs__block_find(many[i], malloc_usable_size(many[i]), &found));
        assert_int_equal(found.address, (uintptr_t)many[i]);
        assert_int_equal(found.bytes, 16 + i % 64);
    }
    assert_true(svs__block_around((uintptr_t)many[7] + 20, &found));
    assert_int_equal(found.address, (uintptr_t)many[7]);
    assert_true(svs__block_is(&found));
    for (size_t i = 0; i < count; i++) blocks[i] = known_block(many[i]);
    for (size_t i = 0; i < count; i += 2) free(many[i]);
    for (size_t i = 0; i < count; i++) /* nothing is allocated meanwhile */
        assert_int_equal(svs__block_is(&blocks[i]), i % 2);
    for (size_t i = 1; i < count; i += 2) free(many[i]);
    assert_false(svs__block_is(&found));
}

/* Of all sizes, from one byte to many pages; each byte is in its own block, and behind it is
 * none. */
TEST_CASE(the_block_around_each_byte_is_found) {
    static char *blocks[600];
    svs__heap_block found;
    for (size_t i = 0; i < 600; i++) {
        size_t bytes = i < 300 ? i + 1 : (size_t)1 << (i % 20);
        blocks[i] = malloc(bytes);
        assert_non_null(blocks[i]);
    }
    for (size_t i = 0; i < 600; i++) {
        size_t bytes = i < 300 ? i + 1 : (size_t)1 << (i % 20);
        const size_t offsets[] = {0, bytes / 3, bytes / 2, bytes - 1};
        for (size_t k = 0; k < 4; k++) {
            assert_true(svs__block_around((uintptr_t)blocks[i] + offsets[k], &found));
            assert_int_equal(found.address, (uintptr_t)blocks[i]);
            assert_int_equal(found.bytes, bytes);
        }
        if (svs__block_around((uintptr_t)blocks[i] + bytes, &found))
            assert_true(found.address != (uintptr_t)blocks[i]);
    }
    for (size_t i = 0; i < 600; i++) {
        uintptr_t was = (uintptr_t)blocks[i];
        free(blocks[i]);
        assert_false(svs__block_around(was, &found));
    }
}

int main(void) { return run_cases(NULL, NULL); }
