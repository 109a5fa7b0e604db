/* A check begins while workers sleep: the first child wakes them. */
#include "../worksteal/running.h"
#include <svs/async.h>
#include <svs/check.h>

enum { THREADS = 3 };
#define PATIENCE_NS ((uint64_t)20 * 1000000000)

static bool is_in_time(uint64_t begin) {
    svs__yield();
    return svs__time_ns() - begin < PATIENCE_NS;
}

static void wait_until_others_sleep(const svs_runtime *runtime) {
    uint64_t begin = svs__time_ns();
    for (uint32_t i = 1; i < THREADS; i++)
        while (svs__load_relaxed(&runtime->workers[i].sleeps) == 0 && is_in_time(begin)) {}
}

static void say_so(svs_async_context *async, void *argument) {
    svs__store_release(*(_Atomic(uint32_t) **)argument, 1);
}

/* Only a thief can begin the child while its spawner waits. Under work-first the spawner's
 * continuation is stolen instead, so this is a test of help-first alone. */
static void wait_for_a_thief(svs_async_context *async, void *argument) {
    _Atomic(uint32_t) begun = 0, *there = &begun;
    uint64_t begin = svs__time_ns();
    svs_async(async, say_so, &there, sizeof there);
    while (!svs__load_acquire(&begun) && is_in_time(begin)) {}
    *(uint32_t *)argument = svs__load_acquire(&begun);
}

TEST_CASE(a_worker_that_sleeps_when_a_check_begins_gets_its_first_child) {
    for (int round = 0; round < 20; round++) {
        svs_runtime *runtime = started(THREADS, 0);
        uint32_t was_begun_in_time = 0;
        wait_until_others_sleep(runtime);
        assert_int_equal(svs_check_start(runtime, NULL), SVS_OK);
        assert_int_equal(svs_async_run(runtime, wait_for_a_thief, &was_begun_in_time), SVS_OK);
        assert_int_equal(was_begun_in_time, 1);
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

int main(void) { return run_cases(NULL, NULL); }
