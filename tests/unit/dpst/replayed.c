/* Checks that begin and end beside something else: before the runtime starts, and around a replay
 * or inside of one. */
#include "../worksteal/running.h"
#include <svs/check.h>
#include <svs/trace.h>

static unsigned char touched;

static void touch(svs_async_context *async, void *argument) { svs_check_write(&touched, 1); }

/* Two asyncs that race, on any workers. */
static void touch_twice(svs_async_context *async, void *argument) {
    svs_async(async, touch, argument, 0);
    svs_async(async, touch, argument, 0);
}

static void count_found(const svs_check_race *race, void *argument) {
    (void)svs__fetch_add_relaxed((_Atomic(uint32_t) *)argument, 1);
}

static void begin_check(svs_runtime *runtime, _Atomic(uint32_t) *races) {
    svs_check_options options;
    svs_check_options_init(&options);
    options.max_bytes = (size_t)64 << 20;
    options.found = count_found;
    options.found_argument = races;
    svs__store_relaxed(races, 0);
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
}

static void run(svs_runtime *runtime) {
    assert_int_equal(svs_async_run(runtime, touch_twice, NULL), SVS_OK);
}

static svs_trace *record(svs_runtime *runtime, int runs) {
    svs_trace *trace;
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    while (runs-- > 0) run(runtime);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    return trace;
}

static void begin_replay(svs_runtime *runtime, const svs_trace *trace) {
    assert_int_equal(svs_replay_start(runtime, trace, NULL, NULL, 0), SVS_OK);
}

static void expect_repeated(svs_runtime *runtime) {
    char message[SVS_TRACE_MESSAGE] = "";
    if (svs_replay_stop(runtime, NULL, message, sizeof message)) fail_msg("%s", message);
}

TEST_CASE(a_check_may_begin_before_the_runtime_starts) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        _Atomic(uint32_t) races;
        svs_runtime *runtime = not_started(policy, 2);
        begin_check(runtime, &races);
        assert_int_equal(svs_runtime_start(runtime), SVS_OK);
        run(runtime);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&races), 1);
        run(runtime); /* unchecked */
        assert_int_equal(svs__load_relaxed(&races), 1);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

TEST_CASE(a_replay_inside_of_a_check_is_checked) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_trace *trace = record(runtime, 1);
        _Atomic(uint32_t) races;
        begin_check(runtime, &races);
        begin_replay(runtime, trace);
        run(runtime);
        expect_repeated(runtime);
        assert_int_equal(svs__load_relaxed(&races), 1);
        run(runtime); /* checked on */
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_true(svs__load_relaxed(&races) > 1);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

TEST_CASE(a_replay_goes_on_when_a_check_inside_of_it_ends) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs_trace *trace = record(runtime, 2);
        _Atomic(uint32_t) races;
        begin_replay(runtime, trace);
        begin_check(runtime, &races);
        run(runtime);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs__load_relaxed(&races), 1);
        run(runtime);
        expect_repeated(runtime);
        assert_int_equal(svs__load_relaxed(&races), 1);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
