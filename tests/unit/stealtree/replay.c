/* Replay: what is refused, what parts from its trace and ends all the same, time, several roots,
 * and every allocation that fails. */
#include "stealtree/replay.h"
#include "again.h"
#include <stdio.h>
#include <time.h>

/* Far longer than a thread waits for a CPU, and far shorter than a test may take. */
#define STILL_NS 150000000u

/* ---- a tree that may turn out in several ways ---- */

typedef struct tree_shape {
    uint32_t height, width;
    bool in_finish;    /* the last child of each is called in a finish */
    uint32_t pause_ms; /* of a leaf in eight */
    uint32_t number;
} tree_shape;

static void sleep_ms(uint32_t ms) {
    struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    while (nanosleep(&time, &time) != 0) continue;
}

static void grow(svs_async_context *async, void *argument) {
    tree_shape t = *(const tree_shape *)argument;
    if (t.height == 0) {
        if (t.pause_ms != 0 && t.number % 8 == 3) sleep_ms(t.pause_ms);
        svs__yield();
        return;
    }
    t.height--;
    for (uint32_t i = 0; i < t.width; i++) {
        t.number = t.number * t.width + i;
        if (t.in_finish && i + 1 == t.width) svs_finish(async, grow, &t);
        else svs_async(async, grow, &t, sizeof t);
    }
}

static const tree_shape usual = {.height = 5, .width = 3, .in_finish = true};

/* With this many steals at least. */
static svs_trace *record_stolen(svs_runtime *runtime, const tree_shape *shape, uint64_t steals) {
    for (;;) {
        svs_trace *trace = record(runtime, grow, (void *)shape);
        if (statistics_of(trace).steals >= steals) return trace;
        svs_trace_free(trace);
    }
}

static void start_replay(svs_runtime *runtime, const svs_trace *trace, bool timed) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_replay_options options;
    svs_replay_options_init(&options);
    options.timed = timed;
    if (svs_replay_start(runtime, trace, &options, message, sizeof message))
        fail_msg("%s", message);
}

/* Before a run that parts; a run that does not part keeps the usual time limit (stealtree.W3). */
static void part_after(svs_runtime *runtime, uint64_t still_ns) {
    svs__replay *replay = svs__replay_of(svs__runtime_guided(runtime));
    svs__store_relaxed(&replay->still_ns, still_ns); /* relaxed: workers may look already */
}

static void expect_repeated(svs_runtime *runtime) {
    char message[SVS_TRACE_MESSAGE] = "";
    if (svs_replay_stop(runtime, NULL, message, sizeof message)) fail_msg("%s", message);
}

/* ---- refusals ---- */

static void expect_refused(svs_runtime *runtime, const svs_trace *trace, svs_status status,
                           const char *part) {
    char message[SVS_TRACE_MESSAGE] = "";
    assert_int_equal(svs_replay_start(runtime, trace, NULL, message, sizeof message), status);
    if (strstr(message, part) == NULL) fail_msg("'%s' is not in '%s'", part, message);
}

TEST_CASE(another_runtime_is_refused) {
    svs_runtime *runtime = started_as(SVS_POLICY_HELP_FIRST, 3, 20);
    svs_runtime *larger = started_as(SVS_POLICY_HELP_FIRST, 4, 20);
    svs_runtime *other = started_as(SVS_POLICY_WORK_FIRST, 3, 20);
    svs_trace *trace = record(runtime, grow, (void *)&usual);
    expect_refused(larger, trace, SVS_E_INVALID,
                   "the trace is of 3 workers, and the runtime has 4");
    expect_refused(other, trace, SVS_E_INVALID,
                   "the trace is of a help-first runtime, and this one is work-first");
    svs_trace_free(trace);
    trace = record(other, grow, (void *)&usual);
    expect_refused(runtime, trace, SVS_E_INVALID,
                   "the trace is of a work-first runtime, and this one is help-first");
    svs_trace_free(trace);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(svs_runtime_free(larger), SVS_OK);
    assert_int_equal(svs_runtime_free(other), SVS_OK);
}

TEST_CASE(a_trace_that_is_not_whole_is_refused) {
    svs_runtime *runtime = started_as(SVS_POLICY_HELP_FIRST, 2, 20);
    svs_trace_options options;
    svs_trace *trace;
    svs_trace_options_init(&options);
    options.max_bytes = 0;
    assert_int_equal(svs_trace_start(runtime, &options), SVS_OK);
    assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    expect_refused(runtime, trace, SVS_E_TRACE, "not whole");
    svs_trace_free(trace);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void look_from_inside(svs_async_context *async, void *argument) {
    svs_runtime *runtime = *(svs_runtime **)argument;
    assert_int_equal(svs_replay_stop(runtime, NULL, NULL, 0), SVS_E_BUSY);
    grow(async, (void *)&usual);
}

TEST_CASE(what_is_out_of_turn_is_answered) {
    svs_runtime *runtime = started_as(SVS_POLICY_HELP_FIRST, 1, 20); /* bodies are in this thread */
    svs_trace *trace = record(runtime, grow, (void *)&usual), *other;
    svs_replay_options options;
    svs_measure measure;
    svs_replay_options_init(&options);
    assert_int_equal(svs_replay_stop(runtime, NULL, NULL, 0), SVS_E_STATE);
    assert_int_equal(svs_replay_stop(NULL, NULL, NULL, 0), SVS_E_NULL);
    assert_int_equal(svs_replay_start(NULL, trace, NULL, NULL, 0), SVS_E_NULL);
    assert_int_equal(svs_replay_start(runtime, NULL, NULL, NULL, 0), SVS_E_NULL);
    options.size = 3;
    assert_int_equal(svs_replay_start(runtime, trace, &options, NULL, 0), SVS_E_VERSION);
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_replay_start(runtime, trace, NULL, NULL, 0), SVS_E_BUSY);
    assert_int_equal(svs_trace_stop(runtime, NULL), SVS_OK);
    start_replay(runtime, trace, false);
    assert_int_equal(svs_replay_start(runtime, trace, NULL, NULL, 0), SVS_E_BUSY);
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_E_BUSY);
    assert_int_equal(svs_measure_run(runtime, grow, (void *)&usual, &measure), SVS_E_BUSY);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY);
    assert_int_equal(svs_async_run(runtime, look_from_inside, &runtime), SVS_OK);
    assert_int_equal(svs_replay_stop(runtime, &other, NULL, 0), SVS_OK);
    assert_int_equal(statistics_of(other).asyncs, statistics_of(trace).asyncs);
    svs_trace_free(other);
    svs_trace_free(trace);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- what parts ---- */

static void expect_parted(svs_runtime *runtime, const svs_trace *trace, const tree_shape *shape,
                          uint32_t roots, bool timed) {
    char message[SVS_TRACE_MESSAGE] = "";
    unsigned phase, worker;
    svs_trace *again;
    start_replay(runtime, trace, timed);
    part_after(runtime, STILL_NS);
    for (uint32_t i = 0; i < roots; i++)
        assert_int_equal(svs_async_run(runtime, grow, (void *)shape), SVS_OK);
    assert_int_equal(svs_replay_stop(runtime, &again, message, sizeof message), SVS_E_PARTED);
    if (sscanf(message, "phase %u of worker %u ", &phase, &worker) != 2)
        fail_msg("no phase is named by '%s'", message);
    assert_true(worker < svs_runtime_threads(runtime));
    assert_int_equal(statistics_of(again).roots, roots);
    svs_trace_free(again);
}

/* Fewer asyncs, more, others, a root too many, and one too few; and then it is as ever. */
TEST_CASE(a_program_that_parts_ends_all_the_same) {
    const tree_shape shapes[] = {
        {.height = 4, .width = 3, .in_finish = true},  {.height = 6, .width = 3, .in_finish = true},
        {.height = 5, .width = 2, .in_finish = true},  {.height = 5, .width = 4, .in_finish = true},
        {.height = 5, .width = 3, .in_finish = false}, {.height = 0}};
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 200);
        svs_trace *trace = record_stolen(runtime, &usual, 10);
        for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            expect_parted(runtime, trace, &shapes[i], 1, i % 2);
        expect_parted(runtime, trace, &usual, 2, false);
        expect_parted(runtime, trace, &usual, 0, false);
        start_replay(runtime, trace, false);
        assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
        expect_repeated(runtime);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* stealtree.W3: workers that sleep before the replay begins need not look at it before it parts. */
TEST_CASE(workers_that_sleep_wait_from_the_begin_of_a_replay) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 50);
        svs_trace *trace = record_stolen(runtime, &usual, 3);
        sleep_ms(50); /* so that they sleep */
        start_replay(runtime, trace, false);
        for (uint32_t w = 0; w < 4; w++)
            assert_int_equal(
                svs__load_relaxed(&svs__replay_of(svs__runtime_guided(runtime))->seats[w].idle), 1);
        assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
        expect_repeated(runtime);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static _Atomic(uint32_t) grown;

static void grow_until_cancelled(svs_async_context *async, void *argument) {
    tree_shape t = *(const tree_shape *)argument;
    if (svs__fetch_add_relaxed(&grown, 1) == 50) (void)svs_async_cancel(async, SVS_OK);
    if (t.height-- == 0) return;
    for (uint32_t i = 0; i < t.width; i++) svs_async(async, grow_until_cancelled, &t, sizeof t);
}

static void run_until_cancelled(svs_runtime *runtime) {
    svs__store_relaxed(&grown, 0);
    assert_int_equal(svs_async_run(runtime, grow_until_cancelled, (void *)&usual), SVS_E_CANCELLED);
}

/* A replay drops other asyncs than the run that was traced: it may part, ends, and leaves nothing
 * behind for the next one. */
TEST_CASE(a_replay_of_a_run_that_was_cancelled_ends) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 50);
        svs_trace *whole = record_stolen(runtime, &usual, 3);
        for (int round = 0; round < 5; round++) {
            svs_trace *trace;
            svs_status status;
            assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
            run_until_cancelled(runtime);
            assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
            start_replay(runtime, trace, false);
            part_after(runtime, STILL_NS);
            run_until_cancelled(runtime);
            status = svs_replay_stop(runtime, NULL, NULL, 0);
            assert_true(status == SVS_OK || status == SVS_E_PARTED);
            svs_trace_free(trace);
            start_replay(runtime, whole, false);
            assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
            expect_repeated(runtime);
        }
        svs_trace_free(whole);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* All workers of a trace of several roots have something to come, or a time to wait for, when the
 * first root parts. */
TEST_CASE(the_first_of_several_roots_may_part) {
    const tree_shape less = {.height = 4, .width = 3, .in_finish = true};
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 50);
        for (int round = 0; round < 4; round++) {
            svs_trace *trace;
            assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
            for (int i = 0; i < 6; i++) {
                assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
                sleep_ms(round >= 2 ? 20 : 0);
            }
            assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
            expect_parted(runtime, trace, &less, 6, round % 2);
            svs_trace_free(trace);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* Nothing begins for far longer than it takes to tell that all wait for each other: but a body
 * runs, or nothing does. */
TEST_CASE(a_long_body_and_a_long_pause_are_no_parting) {
    const uint32_t still_ms = 400; /* by then, each ready thread has had a CPU */
    const uint32_t pause_ms = 2 * still_ms;
    const tree_shape slow = {.height = 2, .width = 3, .pause_ms = pause_ms};
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 3, 20);
        svs_trace *trace;
        assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(svs_async_run(runtime, grow, (void *)&slow), SVS_OK);
        assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
        start_replay(runtime, trace, false);
        part_after(runtime, still_ms * UINT64_C(1000000));
        assert_int_equal(svs_async_run(runtime, grow, (void *)&slow), SVS_OK);
        sleep_ms(pause_ms);
        assert_int_equal(svs_async_run(runtime, grow, (void *)&slow), SVS_OK);
        expect_repeated(runtime);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- several roots, and time ---- */

/* No phase begins earlier after the start than it did. */
static void expect_no_earlier(const svs_trace *trace, const svs_trace *again) {
    svs__steal_tree *a, *b;
    assert_int_equal(svs__tree_new(trace, &a, NULL, 0), SVS_OK);
    assert_int_equal(svs__tree_new(again, &b, NULL, 0), SVS_OK);
    for (uint32_t w = 0; w < a->workers; w++) {
        assert_int_equal(a->worker[w].phase_count, b->worker[w].phase_count);
        for (uint32_t p = 0; p < a->worker[w].phase_count; p++)
            assert_true(b->worker[w].phases[p].begin_ns >= a->worker[w].phases[p].begin_ns);
    }
    svs__tree_free(a);
    svs__tree_free(b);
}

TEST_CASE(several_roots_are_repeated_and_a_timed_one_begins_nothing_early) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 4, 50);
        for (int round = 0; round < 12; round++) {
            char message[SVS_TRACE_MESSAGE] = "";
            svs_trace *trace, *again;
            assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
            for (int i = 0; i < 5; i++) {
                assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
                sleep_ms(round % 4 >= 2 ? 3 : 0);
            }
            assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
            start_replay(runtime, trace, round % 2);
            for (int i = 0; i < 5; i++)
                assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
            if (svs_replay_stop(runtime, &again, message, sizeof message)) fail_msg("%s", message);
            assert_int_equal(statistics_of(again).roots, 5);
            if (round % 2) expect_no_earlier(trace, again);
            svs_trace_free(trace);
            svs_trace_free(again);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- when it begins, and how much it spawns ---- */

TEST_CASE(a_replay_may_begin_before_the_runtime_starts) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 3, 20), *later = not_started(policy, 3);
        svs_trace *trace = record_stolen(runtime, &usual, 3);
        start_replay(later, trace, false);
        assert_int_equal(svs_runtime_start(later), SVS_OK);
        assert_int_equal(svs_async_run(later, grow, (void *)&usual), SVS_OK);
        expect_repeated(later);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(later), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static void count_one(svs_async_context *async, void *argument) {
    _Atomic(uint32_t) *ran = *(_Atomic(uint32_t) **)argument;
    (void)svs__fetch_add_relaxed(ran, 1);
}

#define MORE_THAN_FIT (SVS__DEQUE_CAPACITY + SVS__DEQUE_CAPACITY / 2)

static void spawn_more_than_fit(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < MORE_THAN_FIT; i++)
        svs_async(async, count_one, &argument, sizeof argument);
}

TEST_CASE(what_finds_no_slot_is_repeated_in_place) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        _Atomic(uint32_t) ran = 0;
        svs_trace *trace = record(runtime, spawn_more_than_fit, &ran);
        start_replay(runtime, trace, false);
        assert_int_equal(svs_async_run(runtime, spawn_more_than_fit, &ran), SVS_OK);
        expect_repeated(runtime);
        assert_int_equal(svs__load_relaxed(&ran), 2 * MORE_THAN_FIT);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- memory ---- */

TEST_CASE(every_allocation_may_fail) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        counting counts = {0};
        svs_runtime_options options;
        svs_runtime *runtime;
        svs_trace *trace;
        uint64_t live, failed = 0, n = 0;
        svs_status status;
        svs_runtime_options_init(&options);
        options.policy = policy;
        options.threads = 2;
        options.allocator = counting_allocator(&counts);
        runtime = started_with(&options);
        trace = record_stolen(runtime, &usual, 3);
        live = counts.live;
        do { /* at the start */
            counts.fail_at = counts.calls + ++n;
            status = svs_replay_start(runtime, trace, NULL, NULL, 0);
            assert_true(status == SVS_OK || status == SVS_E_NO_MEMORY);
            if (status) assert_int_equal(counts.live, live);
        } while (status);
        assert_true(n > 10);
        counts.fail_at = 0;
        assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
        expect_repeated(runtime);
        if (!is_checked(runtime)) assert_int_equal(counts.live, live);
        for (n = 1; n < 40; n += 5) { /* in the run, where events get room, and at the stop */
            char message[SVS_TRACE_MESSAGE] = "";
            start_replay(runtime, trace, false);
            counts.fail_at = counts.calls + n;
            assert_int_equal(svs_async_run(runtime, grow, (void *)&usual), SVS_OK);
            status = svs_replay_stop(runtime, NULL, message, sizeof message);
            assert_true(status == SVS_OK || status == SVS_E_NO_MEMORY);
            failed += status == SVS_E_NO_MEMORY;
            counts.fail_at = 0;
            if (!is_checked(runtime)) assert_int_equal(counts.live, live);
        }
        assert_true(failed > 0 && failed < 8);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(counts.live, 0);
    }
}

int main(void) { return run_cases(NULL, NULL); }
