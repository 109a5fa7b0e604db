/* Work and span of programs with steps of a set length: the clock is the test's, and each look at
 * it takes its time, too. */
#include "../base/helpers.h"
#include "run.h"
#include "started.h"
#include <svs/measure.h>

/* ---- the clock ---- */

#define LOOK_NS 7u

static _Atomic(uint32_t) faked;
static _Thread_local uint64_t clock_ns = 1000000;

uint64_t __real_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) {
    uint64_t now = clock_ns;
    if (!svs__load_relaxed(&faked)) return __real_svs__time_ns();
    clock_ns += LOOK_NS;
    return now;
}

static void work(uint64_t ns) { clock_ns += ns; }

/* Each policy, with one worker, and with more, which find nothing to do. */
static svs_measure measure(uint32_t policy, uint32_t threads, svs_async_function *root,
                           void *argument) {
    svs_runtime *runtime = started_as(policy, threads, 20);
    svs_measure result;
    svs__store_relaxed(&faked, 1);
    memset(&result, 0xAA, sizeof result);
    assert_int_equal(svs_measure_run(runtime, root, argument, &result), SVS_OK);
    svs__store_relaxed(&faked, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return result;
}

static void expect(svs_async_function *root, void *argument, uint64_t work_ns, uint64_t span_ns,
                   uint64_t asyncs) {
    for (uint32_t i = 0; i < 4; i++) {
        svs_measure m = measure(i % 2, i < 2 ? 1 : 3, root, argument);
        assert_int_equal(m.clock_ns, LOOK_NS);
        assert_int_equal(m.work_ns, work_ns);
        assert_int_equal(m.span_ns, span_ns);
        assert_int_equal(m.asyncs, asyncs);
    }
}

/* ---- shapes ---- */

static void wait_a_while(svs_async_context *async, void *argument) {
    work(*(const uint64_t *)argument);
}

static void spawn_work(svs_async_context *async, uint64_t ns) {
    svs_async(async, wait_a_while, &ns, sizeof ns);
}

TEST_CASE(what_is_serial_has_no_parallelism) {
    uint64_t ns = 12345;
    expect(wait_a_while, &ns, 12345, 12345, 0);
}

static void fork_once(svs_async_context *async, void *argument) {
    work(10);
    spawn_work(async, *(const uint64_t *)argument);
    work(20);
}

TEST_CASE(an_async_is_beside_what_follows_it) {
    uint64_t longer = 50, shorter = 5;
    expect(fork_once, &longer, 80, 60, 1);
    expect(fork_once, &shorter, 35, 30, 1);
}

static void fork_in_finish(svs_async_context *async, void *argument) {
    work(1);
    svs_finish(async, fork_once, argument);
    work(7);
    svs_finish(async, fork_once, argument);
    work(2);
}

TEST_CASE(a_finish_waits_for_the_longest) {
    uint64_t longer = 50, shorter = 5;
    expect(fork_in_finish, &longer, 1 + 80 + 7 + 80 + 2, 1 + 60 + 7 + 60 + 2, 2);
    expect(fork_in_finish, &shorter, 80, 70, 2);
}

/* Ends at once; what it spawns is for the finish around to wait for. */
static void leave_behind(svs_async_context *async, void *argument) {
    work(5);
    spawn_work(async, *(const uint64_t *)argument);
    work(1);
}

static void spawn_leave_behind(svs_async_context *async, void *argument) {
    svs_async(async, leave_behind, argument, sizeof(uint64_t));
    work(20);
}

static void around_leave_behind(svs_async_context *async, void *argument) {
    svs_finish(async, spawn_leave_behind, argument);
    work(3);
}

TEST_CASE(an_async_outlives_its_spawner) {
    uint64_t longer = 100, shorter = 4;
    expect(around_leave_behind, &longer, 129, 5 + 100 + 3, 2);
    expect(around_leave_behind, &shorter, 33, 20 + 3, 2);
}

static void spawn_many(svs_async_context *async, void *argument) {
    uint64_t count = *(const uint64_t *)argument;
    for (uint64_t i = 0; i < count; i++) {
        work(1);
        spawn_work(async, 1000);
    }
}

TEST_CASE(what_spawns_in_a_loop_has_the_loop_in_its_span) {
    uint64_t count = 20000; /* more than a deque has slots */
    expect(spawn_many, &count, 20000 * 1001, 20000 + 1000, 20000);
}

static void spawn_large(svs_async_context *async, void *argument) {
    unsigned char large[3000] = {0};
    memcpy(large, argument, sizeof(uint64_t));
    for (int i = 0; i < 3; i++) svs_async(async, wait_a_while, large, sizeof large);
}

TEST_CASE(arguments_may_be_large) {
    uint64_t ns = 100;
    expect(spawn_large, &ns, 300, 100, 3);
}

/* ---- typed functions ---- */

SVS_ASYNC_FUNCTION(uint64_t, fib, (uint32_t, n)) {
    uint64_t a, b;
    work(10);
    if (n < 2) return n;
    SVS_ASYNC_TO(a, fib, n - 1);
    b = SVS_CALL(fib, n - 2);
    SVS_SYNC(fib);
    work(1);
    return a + b;
}

static void run_fib(svs_async_context *async, void *argument) {
    uint64_t *n = argument;
    *n = SVS_CALL_ON(async, fib, (uint32_t)*n);
}

TEST_CASE(a_typed_function_is_a_finish) {
    uint64_t n = 20;
    /* 10,946 leaves, as many inner calls less one; 20 calls deep. */
    for (uint32_t policy = 0; policy < 2; policy++) {
        svs_measure m;
        n = 20;
        m = measure(policy, 2, run_fib, &n);
        assert_int_equal(n, 6765);
        assert_int_equal(m.asyncs, 10945);
        assert_int_equal(m.work_ns, 10 * (2 * 10946 - 1) + 10945);
        assert_int_equal(m.span_ns, 19 * 11 + 10);
    }
}

SVS_ASYNC_FUNCTION(uint32_t, chain, (uint32_t, n)) {
    uint32_t rest = 0;
    work(1);
    if (n == 0) return 0;
    SVS_ASYNC_TO(rest, chain, n - 1);
    SVS_SYNC(chain);
    return rest + 1;
}

static void run_chain(svs_async_context *async, void *argument) {
    uint32_t *n = argument;
    *n = SVS_CALL_ON(async, chain, *n);
}

/* Each call takes a slot of the deque while it waits, and there are more calls than slots. Under
 * AddressSanitizer a call takes about 400 bytes of the stack. */
TEST_CASE(recursion_may_be_deeper_than_a_deque) {
    uint32_t n;
    for (uint32_t policy = 0; policy < 2; policy++) {
        svs_measure m;
        n = 12000;
        m = measure(policy, 1, run_chain, &n);
        assert_int_equal(n, 12000);
        assert_int_equal(m.asyncs, 12000);
        assert_int_equal(m.work_ns, 12001);
        assert_int_equal(m.span_ns, 12001);
    }
}

/* ---- random programs ---- */

static uint64_t cost(uint32_t step) { return 1 + (step * 2654435761u >> 24); }

void program_note(svs_async_context *async, uint32_t step) { work(cost(step)); }

/* The time at which a block that begins at `path` ends by itself; `scope` is the end of all that
 * its finish waits for. */
static uint64_t model(uint32_t at, uint64_t path, uint64_t *scope) {
    const block *b = &current.blocks[at];
    uint64_t own = 0, inner, end;
    if (b->typed) scope = &own;
    for (uint32_t i = 0; i < b->count; i++) {
        item it = b->items[i];
        switch (it.kind) {
        case ITEM_STEP: path += cost(it.what); break;
        case ITEM_SYNC:
            path += cost(it.what);
            path = path < own ? own : path;
            break;
        case ITEM_FINISH:
            inner = 0;
            path = model(it.what, path, &inner);
            path = path < inner ? inner : path;
            break;
        case ITEM_ASYNC:
            end = model(it.what, path, scope);
            *scope = *scope < end ? end : *scope;
            break;
        }
    }
    return path < own ? own : path;
}

TEST_CASE(random_programs_have_the_span_of_a_model) {
    uint64_t programs = scaled(600, 60), parallel = 0;
    for (uint64_t seed = 1; seed <= programs; seed++) {
        uint64_t work_ns = 0, escaped = 0, span_ns;
        uint32_t root = 0;
        svs_measure m;
        program_make(&current, seed, (program_style)(seed % 3));
        for (uint32_t step = 0; step < current.steps; step++) work_ns += cost(step);
        span_ns = model(0, 0, &escaped);
        span_ns = span_ns < escaped ? escaped : span_ns;
        m = measure((uint32_t)seed / 3 % 2, 1 + (uint32_t)seed % 2, program_root(), &root);
        if (m.work_ns != work_ns || m.span_ns != span_ns || m.asyncs != current.asyncs)
            fail_msg("seed %llu: work %llu, span %llu, asyncs %llu instead of %llu, %llu, %u",
                     (unsigned long long)seed, (unsigned long long)m.work_ns,
                     (unsigned long long)m.span_ns, (unsigned long long)m.asyncs,
                     (unsigned long long)work_ns, (unsigned long long)span_ns, current.asyncs);
        parallel += span_ns * 2 < work_ns;
    }
    assert_true(parallel > programs / 10);
}

/* ---- misuse, and the real clock ---- */

static void measure_inside(svs_async_context *async, void *argument) {
    uint64_t ns = 1;
    svs_measure m;
    assert_int_equal(svs_measure_run(*(svs_runtime **)argument, wait_a_while, &ns, &m),
                     SVS_E_NESTED);
}

TEST_CASE(misuse_is_answered) {
    svs_runtime *runtime = not_started(SVS_POLICY_HELP_FIRST, 1); /* bodies are in this thread */
    uint64_t ns = 1;
    svs_measure m;
    assert_int_equal(svs_measure_run(runtime, wait_a_while, &ns, &m), SVS_E_NOT_STARTED);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    assert_int_equal(svs_async_run(runtime, measure_inside, &runtime), SVS_OK);
    /* A run after a measurement is as before it. */
    assert_int_equal(svs_measure_run(runtime, wait_a_while, &ns, &m), SVS_OK);
    ns = 20;
    assert_int_equal(svs_async_run(runtime, run_fib, &ns), SVS_OK);
    assert_int_equal(ns, 6765);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* With the real clock nothing is known but this. */
TEST_CASE(a_span_is_no_longer_than_the_work) {
    svs_runtime *runtime = started_with(NULL);
    for (uint64_t n = 0; n < 18; n++) {
        uint64_t value = n;
        svs_measure m;
        assert_int_equal(svs_measure_run(runtime, run_fib, &value, &m), SVS_OK);
        assert_true(m.span_ns <= m.work_ns);
        assert_true((m.work_ns == 0) == (m.span_ns == 0));
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
