/* Allocation through callbacks: alignment, the worker's index, arrays that grow or, without memory,
 * stay as they are. */
#include "base/memory.h"
#include "base/pages.h"
#include "helpers.h"
#include <string.h>

TEST_CASE(libc_gives_each_alignment) {
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        for (size_t size = 1; size < 300; size += 37) {
            unsigned char *memory = svs__allocate(&svs__allocator_libc, size, alignment);
            assert_non_null(memory);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 1, size);
            svs__release(&svs__allocator_libc, memory, size, alignment);
        }
    }
    assert_null(svs__allocate(&svs__allocator_libc, SIZE_MAX - 16, 64));
}

TEST_CASE(zeroed_memory_is_zero) {
    for (int round = 0; round < 16; round++) {
        size_t size = round % 2 ? 1000 : 200000; /* the pages of the second are faulted together */
        unsigned char *memory = svs__allocate_zeroed(&svs__allocator_libc, size, 64);
        assert_non_null(memory);
        for (size_t i = 0; i < size; i++) assert_int_equal(memory[i], 0);
        memset(memory, 0xff, size);
        svs__release(&svs__allocator_libc, memory, size, 64);
    }
}

TEST_CASE(whole_pages_are_faulted_in_and_keep_their_contents) {
    size_t page = svs__pages_bytes();
    char *memory = svs__pages_map(8 * page);
    bool able;
    assert_non_null(memory);
    svs__pages_fault_in(memory + 7 * page, page);
    able = svs__pages_touched(memory, 8 * page) != 0; /* Linux 5.14 and later */
    memory[2 * page] = 1;
    svs__pages_fault_in(memory + 1, 6 * page); /* pages 1 to 5 are whole */
    assert_int_equal(svs__pages_touched(memory, 8 * page), (able ? 6 : 1) * page);
    assert_int_equal(memory[2 * page], 1);
    svs__pages_fault_in(memory + 6 * page + 1, page - 1); /* none */
    assert_int_equal(svs__pages_touched(memory, 8 * page), (able ? 6 : 1) * page);
    svs__pages_unmap(memory, 8 * page);
}

TEST_CASE(callbacks_get_a_sound_alignment_and_the_workers_index) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    void *memory;
    /* aligned_alloc inside would refuse an alignment below a pointer's. */
    memory = svs__allocate(&allocator, 3, 1);
    assert_non_null(memory);
    assert_true(counts.last_worker == SVS_NO_WORKER);
    svs__release(&allocator, memory, 3, 1);
    svs__thread_index_set(5);
    memory = svs__allocate(&allocator, 3, 1);
    svs__thread_index_set(SVS_NO_WORKER);
    assert_int_equal(counts.last_worker, 5);
    svs__release(&allocator, memory, 3, 1);
    svs__release(&allocator, NULL, 3, 1);
    assert_int_equal(counts.live, 0);
}

TEST_CASE(an_array_grows_by_doubling_and_keeps_its_elements) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    uint32_t *array = NULL, capacity = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        assert_true(svs__grow(&allocator, (void **)&array, &capacity, i + 1, sizeof *array));
        assert_true(capacity > i);
        array[i] = i * 3;
    }
    for (uint32_t i = 0; i < 10000; i++) assert_int_equal(array[i], i * 3);
    assert_true(counts.calls < 16);
    assert_int_equal(counts.live, 1);
    assert_int_equal(counts.live_bytes, capacity * sizeof *array);
    svs__array_release(&allocator, array, capacity, sizeof *array);
    assert_int_equal(counts.live_bytes, 0);
}

TEST_CASE(without_memory_an_array_stays_as_it_is) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    uint64_t *array = NULL, *before;
    uint32_t capacity = 0, had;
    counts.fail_at = 1;
    assert_false(svs__grow(&allocator, (void **)&array, &capacity, 4, sizeof *array));
    assert_null(array);
    assert_int_equal(capacity, 0);
    assert_true(svs__grow(&allocator, (void **)&array, &capacity, 4, sizeof *array));
    for (uint32_t i = 0; i < capacity; i++) array[i] = i;
    before = array;
    had = capacity;
    counts.fail_at = counts.calls + 1;
    assert_false(svs__grow(&allocator, (void **)&array, &capacity, had + 1, sizeof *array));
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, had);
    for (uint32_t i = 0; i < capacity; i++) assert_int_equal(array[i], i);
    svs__array_release(&allocator, array, capacity, sizeof *array);
    assert_int_equal(counts.live, 0);
}

static void *refuse(size_t size, size_t alignment, uint32_t worker, void *argument) {
    *(size_t *)argument = size;
    return NULL;
}

TEST_CASE(a_capacity_at_the_end_of_32_bits_does_not_overflow) {
    size_t asked = 0;
    svs_allocator allocator = {refuse, NULL, &asked};
    void *array = NULL;
    uint32_t capacity = 0;
    assert_false(svs__grow(&allocator, &array, &capacity, UINT32_MAX, 1));
    assert_true(asked == UINT32_MAX);
    asked = 0;
    assert_false(svs__grow(&allocator, &array, &capacity, UINT32_MAX, SIZE_MAX / 2));
    assert_int_equal(asked, 0);
}

int main(void) { return run_cases(NULL, NULL); }
