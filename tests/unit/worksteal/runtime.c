/* A runtime's life through its public face: options, each status of each call, memory and threads
 * that run out. */
#include "worksteal/runtime.h"
#include "running.h"
#include <errno.h>
#include <string.h>

/* The link step puts this in the place of pthread_create. */
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static int threads_until_failure = -1; /* negative: no failure */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *argument) {
    if (threads_until_failure == 0) return EAGAIN;
    if (threads_until_failure > 0) threads_until_failure--;
    return __real_pthread_create(thread, attributes, run, argument);
}

typedef struct heard {
    int errors;
    char last[SVS__LOG_LINE];
} heard;

static void hear(int level, const char *text, void *argument) {
    heard *h = argument;
    if (level == SVS_LOG_ERROR) h->errors++;
    strcpy(h->last, text);
}

static svs_runtime_options options_of(uint32_t threads, heard *h) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.log = h == NULL ? NULL : hear;
    options.log_argument = h;
    return options;
}

static svs_runtime *runtime_of(uint32_t threads) {
    svs_runtime_options options = options_of(threads, NULL);
    svs_runtime *runtime;
    assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
    return runtime;
}

TEST_CASE(options_have_defaults) {
    svs_runtime_options options;
    svs_allocator none = {0};
    svs_runtime *runtime;
    memset(&options, 0xff, sizeof options);
    svs_runtime_options_init(&options);
    assert_int_equal(options.size, sizeof options);
    assert_int_equal(options.threads, 0);
    assert_int_equal(options.spin_ns, 20000);
    assert_int_equal(options.stack_bytes, 0);
    assert_non_null(options.log);
    assert_int_equal(svs_runtime_new(NULL, &runtime), SVS_OK);
    assert_int_equal(svs_runtime_threads(runtime), svs__cpu_count());
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    options.allocator = none;
    assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
    assert_ptr_equal(svs__runtime_allocator(runtime)->allocate, svs__allocator_libc.allocate);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(svs_runtime_threads(NULL), 0);
}

TEST_CASE(a_held_runtime_is_not_even_stopped) {
    svs__job job = idle_job();
    svs_runtime *runtime = runtime_of(2);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    svs__runtime_hold(runtime);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY);
    assert_int_equal(svs__runtime_attach(runtime, &job), SVS_OK); /* it still runs */
    assert_int_equal(svs_runtime_stop(runtime), SVS_E_BUSY);
    svs__runtime_detach(runtime, &job);
    svs__runtime_unhold(runtime);
    assert_int_equal(svs_runtime_stop(runtime), SVS_OK);
    assert_int_equal(svs_runtime_stop(runtime), SVS_OK); /* again */
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(svs_runtime_free(NULL), SVS_OK);
}

TEST_CASE(sixty_four_sources_and_no_more) {
    svs__job jobs[SVS__JOBS_MAX + 1];
    svs_runtime *runtime = runtime_of(2);
    assert_int_equal(svs_runtime_start(runtime), SVS_OK);
    for (uint32_t i = 0; i <= SVS__JOBS_MAX; i++) {
        jobs[i] = idle_job();
        assert_int_equal(svs__runtime_attach(runtime, &jobs[i]),
                         i < SVS__JOBS_MAX ? SVS_OK : SVS_E_LIMIT);
    }
    svs__runtime_detach(runtime, &jobs[17]);
    svs__runtime_detach(runtime, &jobs[17]); /* of none: nothing happens */
    assert_int_equal(svs__runtime_attach(runtime, &jobs[SVS__JOBS_MAX]), SVS_OK);
    assert_int_equal(svs__runtime_attach(runtime, &jobs[17]), SVS_E_LIMIT);
    for (uint32_t i = 0; i <= SVS__JOBS_MAX; i++) svs__runtime_detach(runtime, &jobs[i]);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

TEST_CASE(statistics_are_for_workers_that_exist) {
    svs_worker_statistics statistics = {1, 1, 1};
    svs_runtime *runtime = runtime_of(2);
    assert_int_equal(svs_runtime_statistics_get(runtime, 1, &statistics), SVS_OK);
    assert_int_equal(statistics.instances + statistics.steals + statistics.sleeps, 0);
    assert_int_equal(svs_runtime_statistics_get(runtime, 2, &statistics), SVS_E_INVALID);
    assert_int_equal(svs_runtime_statistics_get(NULL, 0, &statistics), SVS_E_NULL);
    assert_int_equal(svs_runtime_statistics_get(runtime, 0, NULL), SVS_E_NULL);
    assert_true(svs_worker_index() == SVS_NO_WORKER);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* The last of them is the watchdog's. */
TEST_CASE(without_threads_a_start_leaves_none_and_can_be_tried_again) {
    for (int index = 0; index < 8; index++) {
        heard h = {0};
        svs_runtime_options options = options_of(8, &h);
        counting counts = {0};
        svs_runtime *runtime;
        uint64_t live;
        options.allocator = counting_allocator(&counts);
        options.watchdog_ns = 60000000000;
        assert_int_equal(svs_runtime_new(&options, &runtime), SVS_OK);
        live = counts.live;
        threads_until_failure = index;
        assert_int_equal(svs_runtime_start(runtime), SVS_E_THREAD);
        threads_until_failure = -1;
        assert_int_equal(h.errors, 1);
        assert_int_equal(counts.live, live);
        assert_non_null(strstr(h.last, index < 7 ? "thread" : "watchdog"));
        assert_int_equal(svs_runtime_stop(runtime), SVS_E_NOT_STARTED);
        assert_int_equal(svs_runtime_start(runtime), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(counts.live, 0);
    }
}

TEST_CASE(without_memory_nothing_is_made_and_nothing_is_lost) {
    uint64_t failures = 0;
    for (uint64_t fail_at = 1;; fail_at++) {
        svs_runtime_options options = options_of(4, NULL);
        counting counts = {0};
        svs_runtime *runtime;
        svs_status status;
        counts.fail_at = fail_at;
        options.allocator = counting_allocator(&counts);
        options.watchdog_ns = 60000000000;
        status = svs_runtime_new(&options, &runtime);
        if (status == SVS_OK) {
            status = svs_runtime_start(runtime);
            if (status == SVS_E_NO_MEMORY) assert_int_equal(svs_runtime_start(runtime), SVS_OK);
            assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        } else assert_null(runtime);
        assert_int_equal(counts.live, 0);
        if (status == SVS_OK) break;
        assert_int_equal(status, SVS_E_NO_MEMORY);
        failures++;
    }
    assert_int_equal(failures, 7); /* the runtime, its workers, four deques, the watchdog */
}

TEST_CASE(runtimes_come_and_go) {
    uint64_t rounds = scaled(300, 10);
    for (uint64_t i = 0; i < rounds; i++) {
        svs_runtime *runtime = runtime_of(1 + i % 5);
        assert_int_equal(svs_runtime_start(runtime), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* Half of all stacks are never in caches, but each worker may keep one, and none too many. */
TEST_CASE(a_worker_keeps_its_share_of_stacks) {
    static const struct {
        uint32_t max, workers, cached;
    } cases[] = {{16, 16, 1}, {16, 2, 4}, {4096, 2, SVS__STACK_CACHE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        svs__stacks stacks;
        svs__stacks_init(&stacks, 65536, cases[i].max, cases[i].workers);
        assert_int_equal(stacks.cached, cases[i].cached);
    }
}

int main(void) { return run_cases(NULL, NULL); }
