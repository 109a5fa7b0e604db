/* Threads of the program as workers (seat.h): a runtime without threads makes progress by them
 * alone, asks for them when there is work (worksteal.K3), and continues what one of them has left
 * (worksteal.K2). */
#include "leaves.h"
#include "running.h"
#include <dirent.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <svs/svs.h>

#define HELPERS 3u
#define FOREVER_NS UINT64_MAX

/* ---- a pool of the program ---- */

typedef struct pool {
    svs_runtime *runtime;
    svs__thread threads[HELPERS];
    sem_t wanted; /* posted by the runtime */
    uint64_t ns_max;
    _Atomic(uint32_t) over, failed, calls, wants_max;
    _Atomic(uint64_t) worked;
} pool;

static void want(uint32_t count, void *argument) {
    pool *p = argument;
    (void)svs__fetch_add_relaxed(&p->calls, 1);
    if (count > svs__load_relaxed(&p->wants_max)) svs__store_relaxed(&p->wants_max, count);
    for (uint32_t i = 0; i < count; i++) (void)sem_post(&p->wanted);
}

static void *help(void *argument) {
    pool *p = argument;
    for (;;) {
        bool worked = true;
        while (sem_wait(&p->wanted) != 0) {}
        if (svs__load_acquire(&p->over)) return NULL;
        if (svs_help(p->runtime, p->ns_max, &worked)) (void)svs__fetch_add_relaxed(&p->failed, 1);
        (void)svs__fetch_add_relaxed(&p->worked, (uint64_t)worked);
    }
}

static void open_pool(pool *p, uint32_t policy, uint32_t workers, uint64_t ns_max) {
    svs_runtime_options options;
    memset(p, 0, sizeof *p);
    p->ns_max = ns_max;
    assert_int_equal(sem_init(&p->wanted, 0, 0), 0);
    svs_runtime_options_init(&options);
    options.threads = workers;
    options.policy = policy;
    options.external_threads = true;
    options.help_wanted = want;
    options.help_argument = p;
    p->runtime = started_with(&options);
    for (uint32_t i = 0; i < HELPERS; i++)
        assert_int_equal(svs__thread_create(&p->threads[i], help, p, 0), SVS_OK);
}

static void close_pool(pool *p) {
    svs__store_release(&p->over, 1);
    for (uint32_t i = 0; i < HELPERS; i++) (void)sem_post(&p->wanted);
    for (uint32_t i = 0; i < HELPERS; i++) svs__thread_join(&p->threads[i]);
    assert_int_equal(svs_runtime_free(p->runtime), SVS_OK);
    assert_int_equal(p->failed, 0);
    (void)sem_destroy(&p->wanted);
}

/* ---- loads ---- */

static void count_leaves(svs_async_context *async, void *argument) {
    *(long *)argument = SVS_CALL_ON(async, leaves, 12);
}

/* Instances that wait for each other: only as many threads as there are of them end the run. */
typedef struct meeting {
    uint32_t place;
} meeting;
static _Atomic(uint32_t) met;
static uint32_t places[HELPERS + 1];

static svs_status meet(svs_context *context, meeting *m) {
    (void)svs__fetch_add_relaxed(&met, 1);
    while (svs__load_relaxed(&met) % (HELPERS + 1) != 0) svs__yield();
    return SVS_OK;
}
static void meet_at(svs_footprint *f, const meeting *m) { svs_writes(f, &places[m->place]); }
SVS_TASK(meeting, meet, meet_at)

#define CELLS 32u
typedef struct transfer {
    long *from, *to;
} transfer;
static svs_status transfer_run(svs_context *context, transfer *t) {
    --*t->from;
    ++*t->to;
    return SVS_OK;
}
static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    svs_writes(f, t->to);
}
SVS_TASK(transfer, transfer_run, transfer_touch)

/* Each of `runs` graphs makes `count` transfers over cells of its own. */
typedef struct bank {
    svs_runtime *runtime;
    uint32_t runs, count;
    _Atomic(uint32_t) failed;
} bank;

static bool transfers_sum_up(svs_graph *graph, svs_task *task, uint32_t count) {
    long cells[CELLS] = {0}, expected[CELLS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = i % CELLS, to = (i * 7 + 1) % CELLS;
        transfer t = {&cells[from], &cells[to]};
        if (from == to) continue;
        expected[from]--;
        expected[to]++;
        if (svs_graph_send(graph, task, &t, 1, sizeof t)) return false;
    }
    return svs_graph_run(graph, 1, NULL) == SVS_OK && memcmp(cells, expected, sizeof cells) == 0;
}

static void *run_bank(void *argument) {
    bank *b = argument;
    svs_world *world;
    svs_graph *graph;
    svs_task *task;
    bool right = svs_world_new(b->runtime, NULL, &world) == SVS_OK &&
                 svs_graph_new(world, NULL, &graph) == SVS_OK &&
                 svs_graph_add_itemizer(graph, &transfer_task, NULL, &task) == SVS_OK;
    for (uint32_t i = 0; right && i < b->runs; i++) right = transfers_sum_up(graph, task, b->count);
    if (!right || svs_graph_free(graph) || svs_world_free(world))
        (void)svs__fetch_add_relaxed(&b->failed, 1);
    return NULL;
}

/* ---- tests ---- */

static uint32_t threads_of_process(void) {
    uint32_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    if (tasks == NULL) return 0;
    while (readdir(tasks) != NULL) count++;
    (void)closedir(tasks);
    return count - 2; /* . and .. */
}

TEST_CASE(a_runtime_with_external_threads_creates_none) {
    pool first, second; /* a sanitizer's own thread begins with the first thread */
    uint32_t before;
    open_pool(&first, SVS_POLICY_HELP_FIRST, 2, FOREVER_NS);
    before = threads_of_process();
    open_pool(&second, SVS_POLICY_HELP_FIRST, 8, FOREVER_NS);
    assert_int_equal(threads_of_process(), before + HELPERS);
    close_pool(&second);
    close_pool(&first);
}

TEST_CASE(threads_come_when_they_are_called) {
    svs_world *world;
    svs_graph *graph;
    pool p;
    open_pool(&p, SVS_POLICY_HELP_FIRST, HELPERS + 1, FOREVER_NS);
    assert_int_equal(svs_world_new(p.runtime, NULL, &world), SVS_OK);
    assert_int_equal(svs_graph_new(world, NULL, &graph), SVS_OK);
    for (uint32_t i = 0; i <= HELPERS; i++) {
        meeting m = {i};
        svs_task *task;
        assert_int_equal(svs_graph_add_transform(graph, &meeting_task, &m, NULL, &task), SVS_OK);
    }
    svs__store_relaxed(&met, 0);
    assert_int_equal(svs_graph_run(graph, (uint32_t)scaled(1000, 20), NULL), SVS_OK);
    assert_in_range(p.wants_max, 1, HELPERS + 1);
    assert_int_equal(svs_graph_free(graph), SVS_OK);
    assert_int_equal(svs_world_free(world), SVS_OK);
    close_pool(&p);
    assert_true(p.worked != 0);
}

/* They leave after each body. */
TEST_CASE(helpers_that_come_and_go_lose_nothing) {
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        pool p;
        open_pool(&p, policy, HELPERS + 1, 0);
        for (uint64_t i = scaled(300, 10); i > 0; i--) {
            long all = 0;
            bank b = {p.runtime, 1, 500, 0};
            assert_int_equal(svs_async_run(p.runtime, count_leaves, &all), SVS_OK);
            assert_int_equal(all, 1 << 12);
            (void)run_bank(&b);
            assert_int_equal(b.failed, 0);
        }
        close_pool(&p);
    }
}

/* Several runs take turns, so that a thread leaves instances that it has claimed (worksteal.K2). */
TEST_CASE(what_a_helper_has_claimed_is_continued) {
    static const uint32_t workers[] = {1, 2, 8};
    for (int i = 0; i < 3; i++) {
        pool p;
        bank b;
        open_pool(&p, SVS_POLICY_HELP_FIRST, workers[i], 0);
        b = (bank){p.runtime, (uint32_t)scaled(40, 4), 3000, 0};
        team_run(4, run_bank, &b);
        assert_int_equal(b.failed, 0);
        assert_int_equal(p.runtime->kept, 0);
        close_pool(&p);
    }
}

TEST_CASE(a_helper_in_the_only_seat_works_for_the_participant) {
    svs_runtime *runtime = started(2, 20);
    bank b = {runtime, (uint32_t)scaled(100, 5), 300, 0};
    svs__thread other;
    bool worked = true;
    assert_int_equal(svs__thread_create(&other, run_bank, &b, 0), SVS_OK);
    for (uint64_t i = scaled(20000, 200); i > 0; i--)
        assert_int_equal(svs_help(runtime, 1000, &worked), SVS_OK);
    svs__thread_join(&other);
    assert_int_equal(b.failed, 0);
    assert_int_equal(svs_help(runtime, FOREVER_NS, &worked), SVS_OK); /* nothing is left */
    assert_false(worked);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

/* ---- the runtime's own threads ---- */

typedef struct ends {
    _Atomic(uint32_t) begun, ended; /* bits, by worker */
    _Atomic(uint32_t) wrong;
} ends;

static void begin_worker(uint32_t worker, void *argument) {
    ends *e = argument;
    char name[16], expected[16];
    (void)snprintf(expected, sizeof expected, "svs-%u", worker);
    if (pthread_getname_np(pthread_self(), name, sizeof name) != 0 || strcmp(name, expected) != 0)
        (void)svs__fetch_add_relaxed(&e->wrong, 1);
    (void)svs__fetch_add_relaxed(&e->begun, 1u << worker);
}
static void end_worker(uint32_t worker, void *argument) {
    (void)svs__fetch_add_relaxed(&((ends *)argument)->ended, 1u << worker);
}

TEST_CASE(each_thread_of_a_runtime_is_named_and_reports_its_begin_and_end) {
    svs_runtime_options options;
    svs_runtime *runtime;
    ends e = {0, 0, 0};
    svs_runtime_options_init(&options);
    options.threads = 4;
    options.worker_begins = begin_worker;
    options.worker_ends = end_worker;
    options.worker_argument = &e;
    runtime = started_with(&options);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    assert_int_equal(e.begun, 14);
    assert_int_equal(e.ended, 14);
    assert_int_equal(e.wrong, 0);
}

int main(void) { return run_cases(NULL, NULL); }
