/* Runs: what one waits for, several at once, and what one is refused for. */
#include "support.h"

static void nothing(svs_async_context *async, void *argument) {}

/* A run ends when what its root left behind has ended. */
static void leave_behind(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < 100; i++) {
        runaway r = {(uint32_t *)argument + i, i};
        svs_async(async, run_away, &r, sizeof r);
    }
}

TEST_CASE(a_run_is_a_finish) {
    EACH_TEAM(on) {
        svs_runtime *runtime = team_of(on);
        for (uint64_t i = scaled(20, 2); i-- != 0;) {
            uint32_t marks[100] = {0};
            assert_int_equal(svs_async_run(runtime, leave_behind, marks), SVS_OK);
            for (int j = 0; j < 100; j++) assert_int_equal(marks[j], 1);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

typedef struct crowd {
    svs_runtime *runtime;
    _Atomic(uint32_t) wrong;
} crowd;

static void *run_many(void *argument) {
    crowd *c = argument;
    for (uint64_t i = scaled(50, 2); i-- != 0;) {
        uint32_t marks[100] = {0};
        bool right = svs_async_run(c->runtime, leave_behind, marks) == SVS_OK;
        for (int j = 0; j < 100; j++) right = right && marks[j] == 1;
        if (!right) (void)svs__fetch_add_relaxed(&c->wrong, 1);
    }
    return NULL;
}

TEST_CASE(several_threads_run_at_once) {
    EACH_TEAM(on) {
        crowd c = {team_of(on), 0};
        team_run(6, run_many, &c);
        assert_int_equal(c.wrong, 0);
        assert_int_equal(svs_runtime_free(c.runtime), SVS_OK);
    }
}

typedef struct inner {
    svs_runtime *same, *other;
    svs_status of_same, of_other, of_child;
    uint32_t marks[100];
} inner;

static void run_inside(svs_async_context *async, void *argument) {
    inner *i = argument;
    i->of_same = svs_async_run(i->same, nothing, NULL);
    i->of_other = svs_async_run(i->other, leave_behind, i->marks);
}

static void run_in_child(svs_async_context *async, void *argument) {
    inner *i = *(inner **)argument;
    i->of_child = svs_async_run(i->same, nothing, NULL);
}

static void run_from_bodies(svs_async_context *async, void *argument) {
    inner *i = argument;
    svs_async(async, run_in_child, &i, sizeof i);
    svs_finish(async, run_inside, i);
}

TEST_CASE(a_body_runs_nothing_on_its_own_runtime) {
    EACH_TEAM(on) {
        inner i = {.same = team_of(on), .other = team_of(on)};
        assert_int_equal(svs_async_run(i.same, run_from_bodies, &i), SVS_OK);
        assert_int_equal(i.of_same, SVS_E_NESTED);
        assert_int_equal(i.of_child, SVS_E_NESTED);
        assert_int_equal(i.of_other, SVS_OK); /* on another it may */
        for (int j = 0; j < 100; j++) assert_int_equal(i.marks[j], 1);
        assert_int_equal(svs_runtime_free(i.same), SVS_OK);
        assert_int_equal(svs_runtime_free(i.other), SVS_OK);
    }
}

TEST_CASE(a_run_more_than_there_may_be_is_refused) {
    EACH_POLICY(policy) {
        svs_runtime *runtime = started_as(policy, 2, 20);
        svs__job others[SVS__JOBS_MAX];
        for (uint32_t i = 0; i < SVS__JOBS_MAX; i++) {
            others[i] = idle_job();
            assert_int_equal(svs_async_run(runtime, nothing, NULL), SVS_OK);
            assert_int_equal(svs__runtime_attach(runtime, &others[i]), SVS_OK);
        }
        assert_int_equal(svs_async_run(runtime, nothing, NULL), SVS_E_LIMIT);
        for (uint32_t i = 0; i < SVS__JOBS_MAX; i++) {
            svs__runtime_detach(runtime, &others[i]);
            assert_int_equal(svs_async_run(runtime, nothing, NULL), SVS_OK);
        }
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- a circle of runtimes ---- */

/* A body of each waits for a run of the next; two bodies of the last, on two threads if it has two
 * workers, call the first. */
typedef struct circle {
    svs_runtime *runtimes[3];
    uint32_t length, at;
    _Atomic(uint32_t) present;
    _Atomic(uint32_t) refused, ran;
} circle;

static void close_circle(svs_async_context *async, void *argument) {
    circle *c = *(circle **)argument;
    uint32_t both = svs_runtime_threads(c->runtimes[c->length - 1]) > 1 ? 2 : 1;
    (void)svs__fetch_add_relaxed(&c->present, 1);
    while (svs__load_relaxed(&c->present) < both) svs__yield(); /* so on two threads */
    if (svs_async_run(c->runtimes[0], nothing, NULL) == SVS_E_NESTED)
        (void)svs__fetch_add_relaxed(&c->refused, 1);
}

static void go_round(svs_async_context *async, void *argument) {
    circle *c = argument;
    if (++c->at < c->length) {
        assert_int_equal(svs_async_run(c->runtimes[c->at], go_round, c), SVS_OK);
        return;
    }
    svs_async(async, close_circle, &c, sizeof c);
    svs_async(async, close_circle, &c, sizeof c);
}

static void try_circle(uint32_t length, uint32_t policy, uint32_t threads) {
    svs_runtime_options options;
    circle c = {.length = length};
    svs_runtime_options_init(&options);
    options.policy = policy;
    options.log = NULL;
    for (uint32_t i = 0; i < length; i++) {
        options.threads = i + 1 < length ? 1 : threads;
        c.runtimes[i] = started_with(&options);
    }
    assert_int_equal(svs_async_run(c.runtimes[0], go_round, &c), SVS_OK);
    assert_int_equal(c.refused, 2);
    for (uint32_t i = 0; i < length; i++) assert_int_equal(svs_runtime_free(c.runtimes[i]), SVS_OK);
}

TEST_CASE(a_run_that_its_own_runtime_waits_for_is_refused) {
    for (uint32_t length = 2; length <= 3; length++)
        for (uint32_t threads = 1; threads <= 3; threads++) EACH_POLICY(policy)
    try_circle(length, policy, threads);
}

static void run_once(svs_async_context *async, void *argument) {
    circle *c = argument;
    c->ran += svs_async_run(c->runtimes[0], nothing, NULL) == SVS_OK;
}

TEST_CASE(a_run_is_refused_only_as_long_as_it_is_waited_for) {
    EACH_POLICY(policy) {
        circle c = {.runtimes = {started_as(policy, 1, 20), started_as(policy, 1, 20)},
                    .length = 2};
        assert_int_equal(svs_async_run(c.runtimes[0], go_round, &c), SVS_OK);
        assert_int_equal(c.refused, 2);
        assert_int_equal(svs_async_run(c.runtimes[1], run_once, &c), SVS_OK);
        assert_int_equal(c.ran, 1);
        assert_int_equal(svs_runtime_free(c.runtimes[0]), SVS_OK);
        assert_int_equal(svs_runtime_free(c.runtimes[1]), SVS_OK);
    }
}

/* ---- few stacks for many workers ---- */

#define IDLERS 24u

static void spawn_once(svs_async_context *async, void *argument) {
    int nothing_ = 0;
    svs__yield(); /* others get something to steal */
    svs_async(async, nothing, &nothing_, sizeof nothing_);
}

static void spawn_much(svs_async_context *async, void *argument) {
    for (int i = 0; i < 200; i++) svs_async(async, spawn_once, &i, sizeof i);
}

TEST_CASE(workers_that_sleep_keep_no_stacks) {
    svs_runtime_options options;
    svs_runtime *runtime;
    uint32_t pooled, made;
    svs_runtime_options_init(&options);
    options.policy = SVS_POLICY_WORK_FIRST;
    options.threads = IDLERS;
    options.task_stacks = 16; /* fewer than one for each cache */
    runtime = started_with(&options);
    for (uint64_t i = 0; i < scaled(50, 10); i++) {
        assert_int_equal(svs_async_run(runtime, spawn_much, NULL), SVS_OK);
        while (svs__load_relaxed(&runtime->parking.sleepers) != IDLERS - 1) svs__yield();
        svs__lock_acquire(&runtime->stacks.lock);
        pooled = runtime->stacks.pooled;
        made = runtime->stacks.made;
        svs__lock_release(&runtime->stacks.lock);
        assert_int_equal(pooled, made); /* stack.h, worksteal.T3 */
        assert_in_range(made, 1, 16);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void do_nothing(svs_async_context *async, void *argument) { (void)async, (void)argument; }

/* ThreadSanitizer keeps the frames that each root leaves, and has room for 65,536. */
TEST_CASE(one_stack_runs_very_many_roots) {
    svs_runtime *runtime = started_as(SVS_POLICY_WORK_FIRST, 1, 20);
    for (int i = 0; i < 40000; i++)
        assert_int_equal(svs_async_run(runtime, do_nothing, NULL), SVS_OK);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
