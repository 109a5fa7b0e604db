/* An allocation counts as a write by its step, and what a step has put off is compared before the
 * process ends. */
#include "base/memory.h"
#include "checked.h"
#include "dpst/calls.h"

/* ---- allocations ---- */

static void allocate(svs_async_context *async, void *argument) { svs_check_alloc(memory, 64); }
static void free_and_allocate(svs_async_context *async, void *argument) {
    svs_check_free(memory, 64);
    allocate(async, argument);
}
static void read_it(svs_async_context *async, void *argument) { svs_check_read(memory + 8, 4); }

static void read_first(svs_async_context *async, void *argument) {
    svs_async(async, read_it, &argument, sizeof argument);
    svs_async(async, free_and_allocate, &argument, sizeof argument);
}
static void read_last(svs_async_context *async, void *argument) {
    svs_async(async, free_and_allocate, &argument, sizeof argument);
    svs_async(async, read_it, &argument, sizeof argument);
}

TEST_CASE(a_read_beside_a_free_races_though_the_block_was_allocated_again) {
    EACH_POLICY(policy) {
        assert_int_equal(check_on(policy, read_first, NULL, NULL), 0xf00);
        assert_int_equal(check_on(policy, read_last, NULL, NULL), 0xf00);
    }
}

/* The first access to a page of cells takes so long that the steps of a pair overlap. */
enum { BLOCKS = 200, ROUNDS = 5 };
static _Alignas(4096) unsigned char blocks[BLOCKS][4096];
static _Atomic(uint32_t) raced[BLOCKS];

static void found_block(const svs_check_race *race, void *argument) {
    uintptr_t at = (uintptr_t)race->address - (uintptr_t)blocks;
    if (at < sizeof blocks) svs__store_relaxed(&raced[at / sizeof *blocks], 1);
}
static void read_block(svs_async_context *async, void *argument) {
    svs_check_read(*(unsigned char **)argument + 8, 4);
}
static void renew_block(svs_async_context *async, void *argument) {
    svs_check_free(*(void **)argument, 64);
    svs_check_alloc(*(void **)argument, 64);
}
static void renew_all(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < BLOCKS; i++) {
        void *block = blocks[i];
        svs_async(async, i % 2 ? read_block : renew_block, &block, sizeof block);
        svs_async(async, i % 2 ? renew_block : read_block, &block, sizeof block);
    }
}

TEST_CASE(a_read_alongside_an_allocation_is_not_lost) { /* dpst.H5 */
    EACH_POLICY(policy) {
        for (int round = 0; round < ROUNDS; round++) {
            svs_runtime *runtime = started_as(policy, 2, 20);
            svs_check_options options = options_that_find();
            options.found = found_block;
            for (uint32_t i = 0; i < BLOCKS; i++) svs__store_relaxed(&raced[i], 0);
            assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
            assert_int_equal(svs_async_run(runtime, renew_all, NULL), SVS_OK);
            assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
            assert_int_equal(svs_runtime_free(runtime), SVS_OK);
            for (uint32_t i = 0; i < BLOCKS; i++) assert_true(svs__load_relaxed(&raced[i]));
        }
    }
}

static void allocate_then_spawn(svs_async_context *async, void *argument) {
    allocate(async, argument);
    svs_async(async, read_it, &argument, sizeof argument);
    svs_check_read(memory + 8, 4);
}

TEST_CASE(what_comes_after_an_allocation_does_not_race_with_it) {
    EACH_POLICY(policy) assert_int_equal(check_on(policy, allocate_then_spawn, NULL, NULL), 0);
}

/* Memory that the library hands from one task on to another is in no order to its allocation. */
static void *allocate_told(size_t size, size_t alignment, uint32_t worker, void *argument) {
    svs__check_taken(memory, size, __builtin_return_address(0));
    return memory;
}

static void allocate_for_the_library(svs_async_context *async, void *argument) {
    const svs_allocator allocator = {allocate_told, NULL, NULL};
    (void)svs__allocate(&allocator, 64, 8);
}
static void allocate_beside_a_read(svs_async_context *async, void *argument) {
    svs_async(async, allocate_for_the_library, &argument, sizeof argument);
    svs_async(async, read_it, &argument, sizeof argument);
}

TEST_CASE(what_the_library_allocates_is_no_write_of_the_step) {
    EACH_POLICY(policy) assert_int_equal(check_on(policy, allocate_beside_a_read, NULL, NULL), 0);
}

/* ---- what is put off ---- */

static uint64_t found_before, found_settled;

static void write_all(svs_async_context *async, void *argument) { svs_check_write(memory, 512); }
static void read_all_and_settle(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < 64; i++) svs_check_read(memory + 8 * i, 8);
    found_before = svs__load_relaxed(&found_bytes);
    svs__check_settle();
    found_settled = svs__load_relaxed(&found_bytes);
}
static void write_then_read(svs_async_context *async, void *argument) {
    svs_async(async, write_all, &argument, sizeof argument);
    svs_async(async, read_all_and_settle, &argument, sizeof argument);
}

static void run_write_then_read(void) {
    /* Under this policy a lone worker runs the children in the order of the program. */
    svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, write_then_read, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(summary.accesses, 65);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

TEST_CASE(what_a_step_has_put_off_is_compared_when_it_is_settled) {
    run_write_then_read();
    assert_true(found_before != UINT64_MAX); /* it does put something off */
    assert_int_equal(found_settled, UINT64_MAX);
}

/* The last case: for the rest of the process. */
TEST_CASE(nothing_is_put_off_when_each_race_is_told_at_once) {
    svs__check_put_nothing_off();
    run_write_then_read();
    assert_int_equal(found_before, UINT64_MAX);
}

int main(void) { return run_cases(NULL, NULL); }
