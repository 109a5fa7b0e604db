/* fork(): the parent goes on; each call in the child refuses the parent's runtime at once, and the
 * child may make one of its own. */
#include "load.h"

#include <pthread.h>
#include <sched.h>

#define FORKED 70 /* the exit status of a child that came back from its body */

/* Threads of a child's own runtime: ThreadSanitizer allows it none. */
#if defined(__SANITIZE_THREAD__)
#define CHILD_THREADS 1
#else
#define CHILD_THREADS 3
#endif

typedef struct thing {
    struct thing *next;
    svs_object svs;
} thing;
SVS_TYPE(thing, svs, next)

static load outer;
static thing *old;
static svs_task *other_task;

static void be_silent(svs_runtime_options *options) { options->log = NULL; }

/* Bits, by worker. */
static atomic_uint there;
#define ALL_THERE 7u

static void come(svs_async_context *async, void *argument) {
    bool waits = svs_worker_index() != *(uint32_t *)argument;
    atomic_fetch_or(&there, 1u << svs_worker_index());
    while (waits && atomic_load(&there) != ALL_THERE) sched_yield();
}

/* Children, until each worker has had one. */
static void call_all(svs_async_context *async, void *argument) {
    uint32_t here = svs_worker_index();
    for (come(async, &here); atomic_load(&there) != ALL_THERE; sched_yield())
        svs_async(async, come, &here, sizeof here);
}

/* AddressSanitizer's allocator is in the child as it was: a thread that has just been made may be
 * in the midst of it. */
static void wait_for_workers(void) {
    atomic_store(&there, 0);
    load_ok(svs_async_run(outer.runtime, call_all, NULL));
}

static void open_outer(uint32_t policy) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = 3;
    options.policy = policy;
    be_silent(&options);
    load_open_with(&outer, &options);
    load_ok(svs_object_new(outer.world, &thing_type, (void **)&old));
    wait_for_workers();
}

static void nothing(svs_async_context *async, void *argument) {}

#define REFUSES(call)                                                                              \
    if ((call) != SVS_E_FORKED) return __LINE__

/* @return 0, or the line of the call that has answered something else. */
static int refuses_all(void) {
    transfer t = {&outer.accounts[0], &outer.accounts[1]};
    svs_measure measure;
    svs_world *world;
    svs_graph *graph;
    svs_space *space;
    thing made = {NULL, {0}}, *fresh;
    REFUSES(svs_runtime_start(outer.runtime));
    REFUSES(svs_runtime_stop(outer.runtime));
    REFUSES(svs_runtime_free(outer.runtime));
    REFUSES(svs_async_run(outer.runtime, nothing, NULL));
    REFUSES(svs_measure_run(outer.runtime, nothing, NULL, &measure));
    REFUSES(svs_trace_start(outer.runtime, NULL));
    REFUSES(svs_world_new(outer.runtime, NULL, &world));
    REFUSES(svs_world_refresh(outer.world));
    REFUSES(svs_world_free(outer.world));
    REFUSES(svs_space_new(outer.world, "x", 1, &space));
    REFUSES(svs_object_init(&made.svs, outer.world, &thing_type));
    REFUSES(svs_object_new(outer.world, &thing_type, (void **)&fresh));
    REFUSES(svs_object_free(&old->svs));
    REFUSES(svs_object_clean_up(&old->svs));
    REFUSES(svs_link(old, next, old));
    REFUSES(svs_graph_new(outer.world, NULL, &graph));
    REFUSES(svs_graph_add_itemizer(outer.graph, &transfer_task, NULL, &other_task));
    REFUSES(svs_graph_send(outer.graph, outer.transfers, &t, 1, sizeof t));
    REFUSES(svs_graph_run(outer.graph, 1, NULL));
    REFUSES(svs_graph_free(outer.graph));
    return 0;
}

/* A runtime of the child's own does everything. */
static int works_alone(void) {
    svs_runtime_options options;
    load own;
    thing *made;
    memset(&own, 0, sizeof own);
    svs_runtime_options_init(&options);
    options.threads = CHILD_THREADS;
    if (svs_runtime_new(&options, &own.runtime) || svs_runtime_start(own.runtime) ||
        svs_world_new(own.runtime, NULL, &own.world) ||
        svs_graph_new(own.world, NULL, &own.graph) ||
        svs_graph_add_itemizer(own.graph, &transfer_task, NULL, &own.transfers) ||
        svs_object_new(own.world, &thing_type, (void **)&made) || svs_link(made, next, made))
        return 1;
    if (!load_run(&own) || !load_run(&own)) return 2;
    return svs_graph_free(own.graph) || svs_world_free(own.world) || svs_runtime_free(own.runtime)
               ? 3
               : 0;
}

/* The child's part; it does not return. */
static void be_child(bool alone) {
    int wrong;
    alarm(LOAD_HANG_SECONDS);
    wrong = refuses_all();
    if (!wrong && alone) wrong = works_alone();
    _exit(wrong > 255 ? 255 : wrong);
}

/* ---- from outside ---- */

TEST_CASE(a_fork_of_an_idle_runtime) {
    pid_t child;
    open_outer(SVS_POLICY_HELP_FIRST);
    assert_true(load_run(&outer));
    child = fork();
    if (child == 0) be_child(true);
    assert_int_equal(load_wait(child), 0);
    assert_true(load_run(&outer));
    load_close(&outer);
}

static atomic_int begun, released;

static svs_status wait_run(svs_context *context, int *unused) {
    atomic_store(&begun, 1);
    while (!atomic_load(&released)) sched_yield();
    return SVS_OK;
}
static void wait_touch(svs_footprint *f, const int *unused) { svs_writes(f, &begun); }
SVS_TASK(waiting, int, wait_run, wait_touch)

static void *run_outer(void *unused) {
    svs_status status = svs_graph_run(outer.graph, 1, NULL);
    return (void *)(intptr_t)status;
}

TEST_CASE(a_fork_from_outside_during_a_run) {
    pthread_t thread;
    svs_task *task;
    void *status;
    pid_t child;
    open_outer(SVS_POLICY_HELP_FIRST);
    load_ok(svs_graph_add_transform(outer.graph, &waiting_task, NULL, NULL, &task));
    atomic_store(&begun, 0);
    atomic_store(&released, 0);
    assert_int_equal(pthread_create(&thread, NULL, run_outer, NULL), 0);
    while (!atomic_load(&begun)) sched_yield();
    child = fork();
    if (child == 0) be_child(true);
    assert_int_equal(load_wait(child), 0);
    atomic_store(&released, 1);
    pthread_join(thread, &status);
    assert_int_equal((intptr_t)status, SVS_OK);
    assert_true(load_run(&outer));
    load_close(&outer);
}

/* Wherever the workers are at that moment, whatever they hold. */
static atomic_int storming;

static void *run_on(void *unused) {
    intptr_t wrong = 0;
    while (atomic_load(&storming)) wrong |= !load_run(&outer);
    return (void *)wrong;
}

TEST_CASE(forks_at_any_moment) {
    int forks = load_percent() >= 100 ? 200 : 20;
    pthread_t thread;
    void *wrong;
    open_outer(SVS_POLICY_WORK_FIRST);
    atomic_store(&storming, 1);
    assert_int_equal(pthread_create(&thread, NULL, run_on, NULL), 0);
    for (int i = 0; i < forks; i++) {
        pid_t child = fork();
        /* AddressSanitizer's own locks are as another thread held them. */
#if defined(__SANITIZE_ADDRESS__)
        if (child == 0) be_child(false);
#else
        if (child == 0) be_child(true);
#endif
        assert_int_equal(load_wait(child), 0);
    }
    atomic_store(&storming, 0);
    pthread_join(thread, &wrong);
    assert_null(wrong);
    load_close(&outer);
}

/* ---- from a body ---- */

typedef struct forking {
    int comes_back;
} forking;

static int child_status; /* of the last child, in the parent */

/* In the child: calls that only the body may make are refused, too. */
static int body_is_refused(svs_context *context) {
    transfer t = {&outer.accounts[0], &outer.accounts[1]};
    REFUSES(svs_send(context, outer.transfers, &t, 1, sizeof t));
    REFUSES(svs_publish(context, &old->svs));
    return refuses_all();
}

static svs_status forking_run(svs_context *context, forking *f) {
    pid_t child = fork();
    if (child == 0) {
        int wrong;
        alarm(LOAD_HANG_SECONDS);
        wrong = body_is_refused(context);
        if (wrong || !f->comes_back) _exit(wrong > 255 ? 255 : wrong);
        return SVS_OK;
    }
    child_status = load_wait(child);
    return SVS_OK;
}
static void forking_touch(svs_footprint *f, const forking *unused) {
    svs_writes_object(f, &old->svs);
}
SVS_TASK(forking, forking_run, forking_touch)

static void fork_in_body(svs_algorithm algorithm, int comes_back) {
    forking item = {comes_back};
    svs_task *task;
    open_outer(SVS_POLICY_HELP_FIRST);
    load_ok(svs_graph_add_itemizer(outer.graph, &forking_task, NULL, &task));
    load_ok(svs_task_set_algorithm(task, algorithm));
    load_ok(svs_graph_add_flow(outer.graph, task, outer.transfers));
    for (int i = 0; i < 5; i++) {
        child_status = -1;
        load_ok(svs_graph_send(outer.graph, task, &item, 1, sizeof item));
        assert_true(load_run_graph(&outer));
        assert_int_equal(child_status, comes_back ? FORKED : 0);
    }
    load_close(&outer);
}

TEST_CASE(a_body_that_forks_and_ends_its_child) {
    fork_in_body(SVS_ALGORITHM_STAGED, 0);
    fork_in_body(SVS_ALGORITHM_PROGRESSIVE, 0);
}

TEST_CASE(a_child_that_comes_back_from_its_body_exits) {
    fork_in_body(SVS_ALGORITHM_STAGED, 1);
    fork_in_body(SVS_ALGORITHM_PROGRESSIVE, 1);
}

/* The other workers make objects and asyncs at the moment of a fork, so that they hold locks. */
typedef struct making {
    int status; /* of the child */
} making;

static svs_status making_run(svs_context *context, making *m) {
    thing *made;
    pid_t child;
    for (int i = 0; i < 50; i++) {
        svs_status status = SVS_NEW(outer.world, thing, &made);
        if (status || (status = svs_publish(context, &made->svs))) return status;
    }
    if (SVS_NEW(outer.world, thing, &made)) return SVS_E_NO_MEMORY;
    child = fork();
    if (child == 0) alarm(LOAD_HANG_SECONDS);
    else m->status = load_wait(child);
    return child == 0 || m->status == FORKED ? SVS_OK : SVS_E_STATE;
}
static void making_touch(svs_footprint *f, const making *m) { svs_writes(f, &m->status); }
SVS_TASK(making, making_run, making_touch)

TEST_CASE(a_child_of_a_body_that_made_objects_exits) {
    static const svs_algorithm algorithms[] = {SVS_ALGORITHM_STAGED, SVS_ALGORITHM_PROGRESSIVE};
    for (int i = 0; i < 2; i++) {
        making items[32] = {{0}};
        svs_task *task;
        open_outer(SVS_POLICY_HELP_FIRST);
        load_ok(svs_graph_add_itemizer(outer.graph, &making_task, NULL, &task));
        load_ok(svs_task_set_algorithm(task, algorithms[i]));
        load_ok(svs_graph_send(outer.graph, task, items, 32, sizeof items[0]));
        assert_true(load_run_graph(&outer));
        load_close(&outer);
    }
}

static void fork_in_async(svs_async_context *async, void *argument) {
    int comes_back = *(int *)argument;
    pid_t child = fork();
    if (child == 0) {
        alarm(LOAD_HANG_SECONDS);
        if (!comes_back) _exit(0);
        return;
    }
    child_status = load_wait(child);
}

static void count_leaves(svs_async_context *async, void *argument) {
    if (SVS_CALL_ON(async, leaves, LOAD_DEPTH + 4) != 1L << (LOAD_DEPTH + 4)) child_status = -2;
}

/* The other workers run asyncs at the moment of the fork: under work-first they steal what is left
 * of this function, and so one forks while another acquires stacks. */
static void fork_among_asyncs(svs_async_context *async, void *argument) {
    svs_async(async, count_leaves, NULL, 0);
    svs_async(async, fork_in_async, argument, sizeof(int));
    count_leaves(async, NULL);
}

TEST_CASE(an_async_that_forks) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++)
        for (int comes_back = 0; comes_back < 2; comes_back++) {
            /* Its model of stacks ends with a fork of a process of several threads. */
#if defined(__SANITIZE_THREAD__)
            if (comes_back && policy == SVS_POLICY_WORK_FIRST) continue;
#endif
            open_outer(policy);
            for (int i = 0; i < 100; i++) {
                child_status = -1;
                load_ok(svs_async_run(outer.runtime, fork_among_asyncs, &comes_back));
                assert_int_equal(child_status, comes_back ? FORKED : 0);
            }
            assert_true(load_run(&outer));
            load_close(&outer);
        }
}

int main(void) { return run_cases(NULL, NULL); }
