/* The end of checks: a runtime that refuses to end stays checked; the child of a fork begins a
 * check of its own, at any point of its parent's. */
#include "../../base/helpers.h"
#include <pthread.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>
#include <sys/wait.h>
#include <unistd.h>

long shared; /* not static: a compiler drops the writes of a static that nothing reads */

static void write_shared(svs_async_context *async, void *unused) { shared = 1; }
static void race(svs_async_context *async, void *unused) {
    svs_async(async, write_shared, &unused, sizeof unused);
    svs_async(async, write_shared, &unused, sizeof unused);
}

static svs_runtime *started(uint32_t policy) {
    svs_runtime_options options;
    svs_runtime *runtime;
    svs_runtime_options_init(&options);
    options.threads = 3;
    options.policy = policy;
    options.log = NULL;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) abort();
    return runtime;
}

static svs_check_summary summary_of(svs_runtime *runtime) {
    svs_check_summary summary;
    svs_ignore(svs_check_summary_get(runtime, &summary)); /* all 0 when it is not checked */
    return summary;
}

TEST_CASE(a_runtime_that_refuses_to_end_stays_checked) {
    svs_runtime *runtime = started(SVS_POLICY_HELP_FIRST);
    svs_world *world;
    assert_int_equal(svs_world_new(runtime, NULL, &world), SVS_OK);
    assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
    assert_int_equal(summary_of(runtime).races, 1);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY); /* the world is left */
    assert_int_equal(summary_of(runtime).races, 1);
    assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
    assert_int_equal(summary_of(runtime).races, 2);
    assert_int_equal(svs_world_free(world), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

TEST_CASE(a_runtime_that_was_stopped_is_not_checked_any_more) {
    svs_runtime *runtime = started(SVS_POLICY_HELP_FIRST);
    assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
    assert_int_equal(summary_of(runtime).races, 1);
    assert_int_equal(svs_runtime_stop(runtime), SVS_OK);
    assert_int_equal(summary_of(runtime).steps, 0);
    assert_int_equal(svs_check_stop(runtime, NULL), SVS_E_STATE);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- forks ---- */

/* @return 0 when a runtime of the process' own is checked, whatever its parent did. */
static int judge_alone(uint32_t policy) {
    svs_runtime *runtime = started(policy);
    for (uint64_t times = 1; times <= 3; times++) {
        if (svs_async_run(runtime, race, NULL)) return 1;
        if (summary_of(runtime).races != times || summary_of(runtime).lost != 0) return 2;
    }
    return svs_runtime_free(runtime) ? 3 : 0;
}

static int status_of(pid_t child) {
    int status;
    if (child <= 0 || waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_CASE(a_child_is_checked_by_itself) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started(policy);
        pid_t child;
        assert_int_equal(svs_async_run(runtime, race, NULL), SVS_OK);
        child = fork();
        if (child == 0) {
            int wrong = summary_of(runtime).races != 0 ? 50 : judge_alone(policy);
            _exit(wrong);
        }
        assert_int_equal(status_of(child), 0);
        assert_int_equal(summary_of(runtime).races, 1); /* without the child's race */
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* In the child, accesses of the body are none of a check; in the parent all goes on. */
static void fork_in_body(svs_async_context *async, void *argument) {
    int *status = argument;
    pid_t child;
    svs_async(async, write_shared, &argument, sizeof argument);
    child = fork();
    if (child == 0) {
        int wrong;
        (void)alarm(60); /* only a hang takes so long */
        shared = 2;
        wrong = judge_alone(SVS_POLICY_HELP_FIRST);
        shared = 3;
        svs_check_ignore_begin();
        svs_check_ignore_end();
        shared = 4;
        _exit(wrong);
    }
    *status = status_of(child);
    shared = 2; /* races with the async */
}

/* Often: the async may hold a lock of the check when the body forks. */
TEST_CASE(a_child_of_a_body_is_checked_by_itself) {
    for (uint32_t i = scaled(20, 4); i-- > 0;) {
        svs_runtime *runtime = started(i % 2);
        int status = -1;
        assert_int_equal(svs_async_run(runtime, fork_in_body, &status), SVS_OK);
        assert_int_equal(status, 0);
        assert_int_equal(summary_of(runtime).races, 1);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* Its asyncs, and those that it was spawned by, end in the child, too, until that ends. */
static void fork_below(svs_async_context *async, void *argument) {
    int **status = argument;
    pid_t child = fork();
    if (child == 0) {
        svs_finish(async, race, NULL);
        svs_async(async, write_shared, argument, sizeof status);
        return;
    }
    **status = status_of(child);
}
static void fork_in_depth(svs_async_context *async, void *argument) {
    shared = 1;
    svs_async(async, fork_below, &argument, sizeof argument);
    shared = 2;
}

TEST_CASE(a_child_that_comes_back_to_its_parents_asyncs_ends) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started(policy);
        for (int i = 0; i < 10; i++) {
            int status = -1;
            assert_int_equal(svs_async_run(runtime, fork_in_depth, &status), SVS_OK);
            assert_int_equal(status, 70);
        }
        assert_int_equal(summary_of(runtime).races, 0);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* Wherever the check is at that moment, whatever it holds. */
static _Atomic(uint32_t) enough;

static void *race_on(void *argument) {
    while (!svs__load_acquire(&enough))
        if (svs_async_run(argument, race, NULL)) abort();
    return NULL;
}

TEST_CASE(forks_come_at_any_moment) {
    svs_runtime *runtime = started(SVS_POLICY_WORK_FIRST);
    pthread_t thread;
    int wrong = 0;
    svs__store_release(&enough, 0);
    assert_int_equal(pthread_create(&thread, NULL, race_on, runtime), 0);
    for (uint64_t i = scaled(50, 10); i-- > 0;) {
        pid_t child = fork();
        if (child == 0) {
            (void)alarm(60); /* only a hang takes so long */
            _exit(judge_alone((uint32_t)(i % 2)));
        }
        wrong |= status_of(child);
    }
    svs__store_release(&enough, 1);
    pthread_join(thread, NULL);
    assert_int_equal(wrong, 0);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
