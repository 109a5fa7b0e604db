/* Tracing a runtime: from start to stop, again and again, from inside, and when it is not the
 * time. */
#include "stealtree/trace.h"
#include "../base/helpers.h"
#include "started.h"
#include "stealtree/verify.h"
#include <stdio.h>
#include <string.h>
#include <svs/async.h>
#include <unistd.h>

static svs_runtime *started_from(uint32_t threads, uint32_t policy,
                                 const svs_allocator *allocator) {
    svs_runtime_options options = options_as(policy, threads, 20);
    if (allocator != NULL) options.allocator = *allocator;
    return started_with(&options);
}

/* A tree of asyncs with leaves that let others in. */
static void grow(svs_async_context *async, void *argument) {
    uint32_t height = *(const uint32_t *)argument;
    if (height == 0) {
        svs__yield();
        return;
    }
    height--;
    for (int i = 0; i < 3; i++) svs_async(async, grow, &height, sizeof height);
    svs_finish(async, grow, &height);
}

#define HEIGHT 5
#define ASYNCS 1023u /* a(0) = 0, a(h) = 3 + 4 a(h-1), at 5 */

static void run_once(svs_runtime *runtime) {
    uint32_t height = HEIGHT;
    assert_int_equal(svs_async_run(runtime, grow, &height), SVS_OK);
}

static void assert_consistent(const svs_trace *trace) {
    char message[SVS_TRACE_MESSAGE] = "";
    if (svs_trace_verify(trace, message, sizeof message)) fail_msg("%s", message);
}

TEST_CASE(each_trace_begins_from_nothing) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_from(4, policy, NULL);
        for (uint32_t runs = 0; runs <= 6; runs++) {
            svs_trace_statistics statistics;
            svs_trace *trace;
            run_once(runtime); /* is in no trace */
            assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
            for (uint32_t i = 0; i < runs; i++) run_once(runtime);
            assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
            run_once(runtime);
            assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
            assert_int_equal(statistics.policy, policy);
            assert_int_equal(statistics.workers, 4);
            assert_int_equal(statistics.roots, runs);
            assert_int_equal(statistics.lost, 0);
            /* Waits for stolen children count, too. */
            assert_true(statistics.asyncs >= runs * ASYNCS);
            if (statistics.steals == 0) assert_int_equal(statistics.asyncs, runs * ASYNCS);
            if (runs != 0) assert_consistent(trace);
            else assert_int_equal(svs_trace_verify(trace, NULL, 0), SVS_E_TRACE);
            svs_trace_free(trace);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* The steals that a trace tells of are those that the workers have counted. */
TEST_CASE(steals_are_those_that_the_workers_count) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_from(3, policy, NULL);
        svs_trace *trace;
        svs__steal_tree *tree;
        uint64_t total = 0;
        assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
        for (int i = 0; i < 20 || (total == 0 && i < 2000); i++) {
            run_once(runtime);
            total = 0;
            for (uint32_t w = 0; w < 3; w++) {
                svs_worker_statistics counted;
                assert_int_equal(svs_runtime_statistics_get(runtime, w, &counted), SVS_OK);
                total += counted.steals;
            }
        }
        assert_true(total > 0);
        assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
        assert_int_equal(svs__tree_new(trace, &tree, NULL, 0), SVS_OK);
        for (uint32_t w = 0; w < 3; w++) {
            svs_worker_statistics counted;
            uint64_t told = 0;
            for (uint32_t p = 0; p < tree->worker[w].phase_count; p++)
                told += tree->worker[w].phases[p].start.kind == SVS__PHASE_STOLEN;
            assert_int_equal(svs_runtime_statistics_get(runtime, w, &counted), SVS_OK);
            assert_int_equal(told, counted.steals);
        }
        svs__tree_free(tree);
        svs_trace_free(trace);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

TEST_CASE(a_trace_outlives_its_runtime_and_can_be_had_after_its_stop) {
    svs_runtime *runtime = started_from(2, SVS_POLICY_HELP_FIRST, NULL);
    svs_trace *trace;
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    run_once(runtime);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY); /* it is traced */
    assert_int_equal(svs_runtime_stop(runtime), SVS_OK);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_consistent(trace);
    svs_trace_free(trace);
}

TEST_CASE(a_trace_may_begin_before_the_runtime_starts) {
    svs_runtime *runtime = not_started(SVS_POLICY_HELP_FIRST, 2);
    svs_trace *trace;
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    run_once(runtime);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    assert_consistent(trace);
    svs_trace_free(trace);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- from inside ---- */

typedef struct inside {
    svs_runtime *runtime;
    svs_status start, stop, snapshot;
    svs_trace *trace, *copy;
} inside;

static void look_from_inside(svs_async_context *async, void *argument) {
    inside *in = argument;
    uint32_t height = 3;
    svs_finish(async, grow, &height);
    in->start = svs_trace_start(in->runtime, NULL);
    in->stop = svs_trace_stop(in->runtime, &in->trace);
    in->snapshot = svs_trace_snapshot(in->runtime, &in->copy);
}

TEST_CASE(inside_of_a_run_a_trace_can_be_looked_at_but_not_stopped) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        char message[SVS_TRACE_MESSAGE] = "";
        inside in = {.runtime = started_from(2, policy, NULL)};
        svs__steal_tree *verified;
        svs__steal_tree *tree;
        uint32_t open = 0;
        assert_int_equal(svs_trace_start(in.runtime, NULL), SVS_OK);
        assert_int_equal(svs_async_run(in.runtime, look_from_inside, &in), SVS_OK);
        assert_int_equal(in.start, SVS_E_BUSY);
        assert_int_equal(in.stop, SVS_E_BUSY);
        assert_null(in.trace);
        assert_int_equal(in.snapshot, SVS_OK);
        assert_int_equal(svs_trace_stop(in.runtime, &in.trace), SVS_OK);
        assert_consistent(in.trace);
        assert_int_equal(svs__tree_new_verified(in.copy, &verified, message, sizeof message),
                         SVS_E_TRACE);
        assert_int_equal(svs__tree_new(in.copy, &tree, NULL, 0), SVS_OK);
        for (uint32_t w = 0; w < tree->workers; w++)
            for (uint32_t p = 0; p < tree->worker[w].phase_count; p++)
                open += tree->worker[w].phases[p].open;
        assert_true(open >= 1);
        svs__tree_free(tree);
        svs_trace_free(in.copy);
        svs_trace_free(in.trace);
        assert_int_equal(svs_runtime_free(in.runtime), SVS_OK);
    }
}

/* ---- a run that hangs ---- */

typedef struct hanging {
    _Atomic(uint32_t) waits, free;
} hanging;

static void wait_for_a_flag(svs_async_context *async, void *argument) {
    hanging *h = *(hanging **)argument;
    svs__store_release(&h->waits, 1);
    while (!svs__load_acquire(&h->free)) svs__yield();
}

static void hang(svs_async_context *async, void *argument) {
    uint32_t height = 3;
    svs_finish(async, grow, &height);
    svs_async(async, wait_for_a_flag, &argument, sizeof argument);
}

typedef struct watch {
    svs_runtime *runtime;
    hanging hanging;
    svs_status status;
    char message[SVS_TRACE_MESSAGE];
    svs_trace *seen; /* written, and read again */
} watch;

/* The example of docs/trace.md. */
static void *watch_run(void *argument) {
    watch *w = argument;
    char path[64];
    svs_trace *trace;
    (void)snprintf(path, sizeof path, "/tmp/svs_watchdog_%ld", (long)getpid());
    while (!svs__load_acquire(&w->hanging.waits)) svs__yield();
    w->status = svs_trace_snapshot(w->runtime, &trace);
    if (w->status == SVS_OK) {
        w->status = svs_trace_write(trace, path, w->message, sizeof w->message);
        svs_trace_free(trace);
    }
    if (w->status == SVS_OK)
        w->status = svs_trace_read(path, &w->seen, w->message, sizeof w->message);
    (void)unlink(path);
    svs__store_release(&w->hanging.free, 1);
    return NULL;
}

TEST_CASE(a_watchdog_writes_what_a_run_that_hangs_is_at) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        watch w = {.runtime = started_from(2, policy, NULL)};
        svs_trace_statistics statistics;
        svs__thread thread;
        svs__steal_tree *tree;
        uint32_t open = 0;
        assert_int_equal(svs_trace_start(w.runtime, NULL), SVS_OK);
        assert_int_equal(svs__thread_create(&thread, watch_run, &w, 0), SVS_OK);
        assert_int_equal(svs_async_run(w.runtime, hang, &w.hanging), SVS_OK);
        svs__thread_join(&thread);
        if (w.status) fail_msg("%s", w.message);
        assert_int_equal(svs_trace_statistics_get(w.seen, &statistics), SVS_OK);
        assert_int_equal(statistics.roots, 1);
        assert_int_equal(svs__tree_new(w.seen, &tree, NULL, 0), SVS_OK);
        for (uint32_t i = 0; i < tree->workers; i++)
            for (uint32_t p = 0; p < tree->worker[i].phase_count; p++)
                open += tree->worker[i].phases[p].open;
        assert_true(open >= 1);
        assert_int_equal(svs_trace_verify(w.seen, w.message, sizeof w.message), SVS_E_TRACE);
        svs__tree_free(tree);
        svs_trace_free(w.seen);
        assert_int_equal(svs_trace_stop(w.runtime, &w.seen), SVS_OK);
        assert_consistent(w.seen);
        svs_trace_free(w.seen);
        assert_int_equal(svs_runtime_free(w.runtime), SVS_OK);
    }
}

/* ---- out of turn ---- */

static void start_while_it_runs(svs_async_context *async, void *argument) {
    inside *in = argument;
    in->start = svs_trace_start(in->runtime, NULL);
    in->stop = svs_trace_stop(in->runtime, &in->trace);
    in->snapshot = svs_trace_snapshot(in->runtime, &in->copy);
}

TEST_CASE(what_is_out_of_turn_is_answered) {
    counting counts = {0};
    svs_allocator allocator = counting_allocator(&counts);
    inside in = {.runtime = started_from(2, SVS_POLICY_HELP_FIRST, &allocator)};
    svs_trace_options options;
    uint64_t live;
    assert_int_equal(svs_trace_stop(in.runtime, NULL), SVS_E_STATE);
    assert_int_equal(svs_trace_snapshot(in.runtime, &in.copy), SVS_E_STATE);
    assert_int_equal(svs_async_run(in.runtime, start_while_it_runs, &in), SVS_OK);
    assert_int_equal(in.start, SVS_E_BUSY);
    assert_int_equal(in.stop, SVS_E_STATE);
    assert_int_equal(in.snapshot, SVS_E_STATE);
    live = counts.live; /* what the first run keeps, when it is checked, is none of the trace's */
    svs_trace_options_init(&options);
    assert_int_equal(options.max_bytes, 64u << 20);
    options.size = 3;
    assert_int_equal(svs_trace_start(in.runtime, &options), SVS_E_VERSION);
    assert_int_equal(svs_trace_start(in.runtime, NULL), SVS_OK);
    assert_int_equal(svs_trace_start(in.runtime, NULL), SVS_E_BUSY);
    assert_int_equal(svs_trace_snapshot(in.runtime, NULL), SVS_E_NULL);
    assert_int_equal(svs_trace_stop(in.runtime, NULL), SVS_OK); /* thrown away */
    assert_int_equal(svs_trace_stop(in.runtime, NULL), SVS_E_STATE);
    assert_int_equal(counts.live, live);
    for (uint64_t n = 1; n <= 4; n++) { /* trace, streams, recorder, pens */
        counts.fail_at = counts.calls + n;
        assert_int_equal(svs_trace_start(in.runtime, NULL), SVS_E_NO_MEMORY);
        assert_int_equal(counts.live, live);
    }
    counts.fail_at = 0;
    assert_int_equal(svs_runtime_free(in.runtime), SVS_OK);
    assert_int_equal(counts.live, 0);
}

TEST_CASE(a_bound_holds_in_a_real_run) {
    svs_trace_options options;
    svs_trace_statistics statistics;
    char message[SVS_TRACE_MESSAGE] = "";
    svs_runtime *runtime = started_from(4, SVS_POLICY_WORK_FIRST, NULL);
    svs_trace *trace;
    svs_trace_options_init(&options);
    options.max_bytes = 0;
    assert_int_equal(svs_trace_start(runtime, &options), SVS_OK);
    run_once(runtime);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    assert_true(statistics.lost >= 2);
    assert_int_equal(statistics.bytes, 0);
    assert_int_equal(svs_trace_verify(trace, message, sizeof message), SVS_E_TRACE);
    assert_non_null(strstr(message, "not whole"));
    svs_trace_free(trace);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
