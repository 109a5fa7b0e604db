/* Work-first recursion as deep as the stacks allow, and beyond: a status, not a crash. */
#include "support.h"
#include <sched.h>

#define DEEP 100000u

/* Down by a child in a finish of its own, and back up. */
typedef struct descent {
    uint32_t left;
    uint32_t *reached;
} descent;

static void descend(svs_async_context *async, void *argument);

static void go_down(svs_async_context *async, void *argument) {
    svs_async(async, descend, argument, sizeof(descent));
}

static void descend(svs_async_context *async, void *argument) {
    descent *d = argument, below = {d->left - 1, d->reached};
    if (d->left == 0) return;
    svs_finish(async, go_down, &below);
    ++*d->reached;
}

/* Down by children that only the root waits for. */
static void escape(svs_async_context *async, void *argument) {
    descent *d = argument, below = {d->left - 1, d->reached};
    if (d->left == 0) return;
    ++*d->reached;
    svs_async(async, escape, &below, sizeof below);
}

SVS_ASYNC_FUNCTION(uint32_t, depth_of, (uint32_t, left)) {
    uint32_t below = 0;
    if (left == 0) return 0;
    SVS_ASYNC_TO(below, depth_of, left - 1);
    SVS_SYNC(depth_of);
    return below + 1;
}

static void descend_typed(svs_async_context *async, void *argument) {
    descent *d = argument;
    *d->reached = SVS_CALL_ON(async, depth_of, d->left);
}

static svs_async_function *const ways_down[] = {descend, escape, descend_typed};
#define EACH_WAY(way_) for (int way_ = 0; way_ < 3; way_++)

static svs_status go(svs_runtime *runtime, int way, uint32_t depth, uint32_t *reached) {
    descent d = {depth, reached};
    *reached = 0;
    return svs_async_run(runtime, ways_down[way], &d);
}

static const uint32_t some_workers[] = {1, 2, 8, 64};
#define EACH_COUNT(threads_)                                                                       \
    for (uint32_t at_ = 0, threads_ = 1;                                                           \
         at_ < (scaled(100, 0) >= 10 ? 4 : 2) && (threads_ = some_workers[at_], true); at_++)

/* Over and over: the number of stacks stays as after the first run. */
TEST_CASE(recursion_goes_deep_by_default) {
    EACH_COUNT(threads) {
        svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, threads, 20);
        for (uint64_t i = scaled(15, 2); i-- != 0;) EACH_WAY(way) {
                uint32_t reached;
                assert_int_equal(go(runtime, way, DEEP, &reached), SVS_OK);
                assert_int_equal(reached, DEEP);
            }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static svs_runtime *with_small_stacks(uint32_t threads, heard *h, counting *counts) {
    svs_runtime_options options = options_that_tell(SVS_POLICY_WORK_FIRST, threads, h);
    options.task_stacks = 16;
    options.task_stack_bytes = 65536;
    options.allocator = counting_allocator(counts);
    return started_with(&options);
}

TEST_CASE(recursion_that_is_too_deep_is_reported) {
    EACH_COUNT(threads) {
        heard h = {0};
        counting counts = {0};
        svs_runtime *runtime = with_small_stacks(threads, &h, &counts);
        for (int round = 0; round < 3; round++) EACH_WAY(way) {
                uint32_t reached;
                svs__store_relaxed(&h.errors, 0);
                assert_int_equal(go(runtime, way, 20 * DEEP, &reached), SVS_E_LIMIT);
                assert_in_range(reached, 16, 20 * DEEP - 1);
                assert_int_equal(h.errors, 1);
                assert_non_null(strstr(h.last, "too deep"));
                assert_non_null(strstr(h.last, "16 of them"));
                assert_non_null(strstr(h.last, "65536 bytes"));
                /* A shallower tree runs as before. */
                assert_int_equal(go(runtime, way, 10, &reached), SVS_OK);
                assert_int_equal(reached, 10);
            }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(counts.live, 0);
    }
}

/* The same with arguments that were allocated: what has not run leaves nothing behind. */
typedef struct large {
    descent d;
    char bytes[1000];
} large;

static void descend_with_much(svs_async_context *async, void *argument);

static void go_down_with_much(svs_async_context *async, void *argument) {
    svs_async(async, descend_with_much, argument, sizeof(large));
}

static void descend_with_much(svs_async_context *async, void *argument) {
    large *l = argument;
    if (l->d.left == 0) return;
    ++*l->d.reached;
    l->d.left--;
    svs_finish(async, go_down_with_much, l);
}

TEST_CASE(too_deep_with_large_arguments_leaks_nothing) {
    EACH_COUNT(threads) {
        heard h = {0};
        counting counts = {0};
        svs_runtime *runtime = with_small_stacks(threads, &h, &counts);
        uint32_t reached = 0;
        uint64_t live = counts.live;
        large l = {{DEEP, &reached}, {0}};
        assert_int_equal(svs_async_run(runtime, descend_with_much, &l), SVS_E_LIMIT);
        assert_true(reached < DEEP);
        if (!is_checked(runtime)) assert_int_equal(counts.live, live);
        l.d.left = 5;
        assert_int_equal(svs_async_run(runtime, descend_with_much, &l), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(counts.live, 0);
    }
}

/* A run that is too deep, and one beside it that is not and ends first: each has its own status. */
typedef struct both {
    svs_runtime *runtime;
    _Atomic(uint32_t) was_too_deep, other_has_ended;
    svs_status of_other;
    uint32_t reached;
} both;

static void go_too_deep(svs_async_context *async, void *argument) {
    both *b = argument;
    b->reached = SVS_CALL_ON(async, depth_of, DEEP);
    svs__store_release(&b->was_too_deep, 1);
    while (!svs__load_acquire(&b->other_has_ended)) (void)sched_yield();
}

static void *run_beside(void *argument) {
    both *b = argument;
    uint32_t reached;
    while (!svs__load_acquire(&b->was_too_deep)) (void)sched_yield();
    b->of_other = go(b->runtime, 0, 5, &reached);
    svs__store_release(&b->other_has_ended, 1);
    return NULL;
}

TEST_CASE(each_run_reports_its_own_depth) {
    heard h = {0};
    counting counts = {0};
    both b = {.runtime = with_small_stacks(2, &h, &counts), .of_other = SVS_E_INVALID};
    svs__thread beside;
    assert_int_equal(svs__thread_create(&beside, run_beside, &b, 0), SVS_OK);
    assert_int_equal(svs_async_run(b.runtime, go_too_deep, &b), SVS_E_LIMIT);
    svs__thread_join(&beside);
    assert_true(b.reached < DEEP);
    assert_int_equal(b.of_other, SVS_OK);
    assert_int_equal(svs_runtime_free(b.runtime), SVS_OK);
}

TEST_CASE(stacks_of_any_size_will_do) {
    for (size_t bytes = 65536; bytes < 65536 + 8192; bytes += 2731) {
        svs_runtime_options options;
        svs_runtime *runtime;
        uint32_t reached;
        svs_runtime_options_init(&options);
        options.policy = SVS_POLICY_WORK_FIRST;
        options.threads = 2;
        options.task_stack_bytes = bytes;
        runtime = started_with(&options);
        EACH_WAY(way) {
            assert_int_equal(go(runtime, way, 1000, &reached), SVS_OK);
            assert_int_equal(reached, 1000);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
