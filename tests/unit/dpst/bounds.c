/* Checks that have too little memory, slots or stacks: what is forgotten, what is counted, what
 * runs all the same. */
#include "checked.h"

/* ---- bounds ---- */

static void touch_two(svs_async_context *async, void *argument) {
    part p = {0, 8, 1, false};
    for (int i = 0; i < 100; i++) svs_async(async, access_part, &p, sizeof p);
}

static void iterate(svs_async_context *async, void *argument) {
    for (int i = 0; i < *(int *)argument; i++) {
        svs_finish(async, touch_two, NULL);
        svs_check_write(memory, 8);
    }
}

TEST_CASE(what_has_ended_is_forgotten) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        int rounds = (int)scaled(300, 100);
        options.max_bytes = (size_t)64 << 10; /* some 800 nodes */
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, iterate, &rounds), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_int_equal(summary.lost, 0);
        assert_true(summary.collapses >= (uint64_t)rounds / 10);
        assert_true(summary.steps > (uint64_t)rounds * 100 && summary.nodes > summary.steps);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

TEST_CASE(what_does_not_fit_is_counted) {
    svs_runtime *runtime = started_as(SVS_POLICY_HELP_FIRST, 2, 20);
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    options.max_bytes = 1;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(svs_async_run(runtime, touch_two, NULL), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_true(summary.lost != 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- from inside ---- */

static void stop_the_check(svs_async_context *async, void *argument) {
    svs_check_summary summary;
    svs_runtime *runtime = argument;
    svs_check_write(memory, 8);
    svs_check_ignore_end(); /* which nothing has begun */
    svs_check_write(memory + 8, 8);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_E_BUSY);
    assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_OK);
    assert_true(summary.steps >= 1);
}

TEST_CASE(a_run_is_checked_to_its_end) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, stop_the_check, runtime), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(summary.accesses, 2);
        assert_int_equal(svs_check_summary_get(runtime, NULL), SVS_E_NULL);
        assert_int_equal(svs_check_summary_get(runtime, &summary), SVS_E_STATE);
        assert_int_equal(summary.accesses, 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
    svs_check_options_init(NULL);
    svs_check_ignore_begin(); /* outside of a run: nothing happens */
    svs_check_ignore_end();
}

/* Recursion that has more children than a deque, or the stacks, have room for. */
static void go_down(svs_async_context *async, void *argument) {
    uint32_t left = *(uint32_t *)argument;
    if (left-- == 0) svs_check_write(memory, 8);
    else svs_async(async, go_down, &left, sizeof left);
}

static void spawn_many(svs_async_context *async, void *argument) {
    uint32_t none = 1;
    for (uint32_t i = 0; i < 9000; i++) svs_async(async, go_down, &none, sizeof none);
}

static void go_deep(svs_async_context *async, void *argument) {
    svs_async(async, go_down, argument, sizeof(uint32_t));
    svs_async(async, go_down, argument, sizeof(uint32_t));
}

TEST_CASE(what_has_no_slot_is_called_and_still_checked) {
    svs_check_summary summary;
    assert_int_equal(check_on(SVS_POLICY_HELP_FIRST, spawn_many, NULL, &summary), 0xff);
    assert_int_equal(summary.lost + summary.merged, 0);
}

TEST_CASE(what_has_no_stack_is_called_and_still_checked) {
    svs_runtime_options few;
    svs_check_options options = options_that_find();
    svs_check_summary summary;
    svs_runtime *runtime;
    uint32_t depth = 30; /* of finishes, a stack bears as many again */
    svs_runtime_options_init(&few);
    few.policy = SVS_POLICY_WORK_FIRST;
    few.threads = 1;
    few.task_stacks = 16;
    runtime = started_with(&few);
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, go_deep, &depth), SVS_OK);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* A recursion that is not too deep without a check is not with one: whole, as far as each stack has
 * room for its finishes, and run all the same where it has not. */
TEST_CASE(a_deep_recursion_runs_to_its_end) {
    static const struct {
        uint32_t depth, stacks;
        bool whole;
    } cases[] = {{200, 16, true}, {2000, 16, false}, {4000, 4096, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svs_runtime_options deep;
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        svs_runtime *runtime;
        uint32_t depth = cases[i].depth;
        svs_runtime_options_init(&deep);
        deep.policy = SVS_POLICY_WORK_FIRST;
        deep.threads = 1;
        deep.task_stacks = cases[i].stacks;
        options.max_bytes = (size_t)1 << 30;
        runtime = started_with(&deep);
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, go_deep, &depth), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0xff);
        assert_int_equal(summary.lost, 0);
        assert_int_equal(summary.merged == 0, cases[i].whole);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* More at once than the tree has room for, in one finish, each to be remembered. */
static unsigned char wide_memory[4000 * 8];

static void write_eight(svs_async_context *async, void *argument) {
    svs_check_write(*(unsigned char **)argument, 8);
}

static void spawn_more_than_fit(svs_async_context *async, void *argument) {
    for (unsigned char *at = wide_memory; at != wide_memory + sizeof wide_memory; at += 8)
        svs_async(async, write_eight, &at, sizeof at);
}

TEST_CASE(a_run_that_does_not_fit_runs_all_the_same) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_check_options options = options_that_find();
        svs_check_summary summary;
        options.max_bytes = (size_t)64 << 10;
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        assert_int_equal(svs_async_run(runtime, spawn_more_than_fit, NULL), SVS_OK);
        assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
        assert_int_equal(svs__load_relaxed(&found_bytes), 0);
        assert_true(summary.lost >= 1000 && summary.most_nodes <= 1000);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
