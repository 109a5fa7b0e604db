/* Runs that svs_graph_begin() begins and svs_graph_wait() ends: the caller goes on meanwhile. */
#include "support.h"

#include <semaphore.h>

#define FOREVER UINT64_MAX

/* ---- what runs ---- */

static atomic_int begun, released;

typedef struct blocker {
    svs_status status; /* of its body */
} blocker;
static void blocker_touch(svs_footprint *f, const blocker *b) { svs_writes(f, &begun); }
static svs_status blocker_run(svs_context *context, blocker *b) {
    atomic_fetch_add(&begun, 1);
    while (!atomic_load(&released)) sched_yield();
    return b->status;
}
SVS_TASK(blocker, blocker_run, blocker_touch)

#define CELLS 16
typedef struct addition {
    long *cell, what;
} addition;
static void addition_touch(svs_footprint *f, const addition *a) { svs_writes(f, a->cell); }
static svs_status addition_run(svs_context *context, addition *a) {
    *a->cell += a->what;
    return SVS_OK;
}
SVS_TASK(addition, addition_run, addition_touch)

typedef struct account {
    svs_graph *graph;
    svs_task *task;
    long cells[CELLS];
} account;

static void account_open(support *s, account *a) {
    memset(a, 0, sizeof *a);
    a->graph = support_graph(s);
    a->task = support_itemizer(a->graph, &addition_task, NULL);
}
static void account_send(account *a, uint32_t items) {
    for (uint32_t i = 0; i < items; i++) {
        addition one = {&a->cells[i % CELLS], 1};
        support_ok(svs_graph_send(a->graph, a->task, &one, 1, sizeof one));
    }
}
static long account_sum(const account *a) {
    long sum = 0;
    for (int i = 0; i < CELLS; i++) sum += a->cells[i];
    return sum;
}

/* ---- the caller goes on ---- */

static svs_graph *blocked_graph(support *s, svs_status status) {
    svs_graph *graph = support_graph(s);
    blocker b = {status};
    (void)support_transform(graph, &blocker_task, &b, NULL);
    atomic_store(&begun, 0);
    atomic_store(&released, 0);
    return graph;
}

SUPPORT_CASE(begin_returns_while_a_body_runs, 2) {
    svs_graph *graph = blocked_graph(s, SVS_OK);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_true(support_comes(&begun, 1));
    assert_int_equal(svs_graph_wait(graph, 0, NULL), SVS_E_BUSY);
    assert_int_equal(svs_graph_wait(graph, 1000000, NULL), SVS_E_BUSY);
    atomic_store(&released, 1);
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_runtime_of_one_worker_runs_in_the_wait, 1) {
    account a;
    account_open(s, &a);
    account_send(&a, 1000);
    support_ok(svs_graph_begin(a.graph, 1, NULL, NULL));
    assert_int_equal(svs_graph_wait(a.graph, 0, NULL), SVS_E_BUSY);
    assert_int_equal(account_sum(&a), 0);
    support_ok(svs_graph_wait(a.graph, FOREVER, NULL));
    assert_int_equal(account_sum(&a), 1000);
    support_ok(svs_graph_free(a.graph));
}

SUPPORT_CASE(a_run_without_iterations_has_ended_when_begin_returns, 2) {
    account a;
    account_open(s, &a);
    support_ok(svs_graph_begin(a.graph, 0, NULL, NULL));
    support_ok(svs_graph_wait(a.graph, 0, NULL));
    support_ok(svs_graph_free(a.graph));
}

/* ---- its end ---- */

typedef struct ended {
    sem_t posted;
    atomic_int calls;
    const svs_graph *graph;
    svs_status status;
} ended;

static void at_end(svs_graph *graph, svs_status status, void *argument) {
    ended *e = argument;
    e->graph = graph;
    e->status = status;
    atomic_fetch_add(&e->calls, 1);
    (void)sem_post(&e->posted);
}
static void await_end(ended *e) {
    while (sem_wait(&e->posted) != 0) {}
}

SUPPORT_CASE(the_callback_tells_the_status_and_the_wait_reports_it, 2) {
    svs_graph *graph = blocked_graph(s, 5);
    svs_report report;
    ended e = {.status = -1};
    (void)sem_init(&e.posted, 0, 0);
    support_ok(svs_graph_begin(graph, 3, at_end, &e));
    assert_true(support_comes(&begun, 1));
    atomic_store(&released, 1);
    await_end(&e);
    assert_int_equal(svs_graph_wait(graph, FOREVER, &report), 5);
    assert_int_equal(report.status, 5);
    assert_string_equal(report.task, "blocker");
    assert_int_equal(e.calls, 1);
    assert_int_equal(e.status, 5);
    assert_ptr_equal(e.graph, graph);
    support_ok(svs_graph_free(graph));
    (void)sem_destroy(&e.posted);
}

/* The thread that begins a run sleeps, and short runs of its own come and go in its seat, so that
 * instances of the long run are left there (worksteal.K2). */
SUPPORT_CASE(a_run_ends_without_its_beginner, 2) {
    uint64_t rounds = support_scaled(200);
    account a, b;
    ended e = {.status = -1};
    (void)sem_init(&e.posted, 0, 0);
    account_open(s, &a);
    account_open(s, &b);
    for (uint64_t i = 1; i <= rounds; i++) {
        account_send(&a, 2000);
        support_ok(svs_graph_begin(a.graph, 1, at_end, &e));
        for (int k = 0; k < 3; k++) {
            account_send(&b, 4);
            support_run(b.graph, 1);
        }
        await_end(&e);
        support_ok(svs_graph_wait(a.graph, FOREVER, NULL));
        assert_int_equal(account_sum(&a), 2000 * i);
        assert_int_equal(account_sum(&b), 12 * i);
    }
    assert_int_equal(e.calls, rounds);
    support_ok(svs_graph_free(a.graph));
    support_ok(svs_graph_free(b.graph));
    (void)sem_destroy(&e.posted);
}

/* ---- cancelling ---- */

static const svs_algorithm algorithms[] = {SVS_ALGORITHM_DEFAULT, SVS_ALGORITHM_STAGED,
                                           SVS_ALGORITHM_PROGRESSIVE};
#define ALGORITHMS (int)(sizeof algorithms / sizeof *algorithms)

/* `items` of which each one writes what the blocker writes, of a run that was begun. */
static void waiter_touch(svs_footprint *f, const addition *a) {
    svs_writes(f, &begun);
    svs_writes(f, a->cell);
}
SVS_TASK(waiter, addition, addition_run, waiter_touch)

SUPPORT_CASE(a_run_is_cancelled_while_all_of_it_waits_for_another, 3) {
    for (int i = 0; i < ALGORITHMS; i++) {
        svs_graph *blocked = blocked_graph(s, SVS_OK);
        account a;
        svs_report report;
        addition one = {&a.cells[0], 1};
        memset(&a, 0, sizeof a);
        a.graph = support_graph(s);
        a.task = support_itemizer(a.graph, &waiter_task, NULL);
        support_ok(svs_task_set_algorithm(a.task, algorithms[i]));
        for (int n = 0; n < 1000; n++)
            support_ok(svs_graph_send(a.graph, a.task, &one, 1, sizeof one));
        support_ok(svs_graph_begin(blocked, 1, NULL, NULL));
        assert_true(support_comes(&begun, 1));
        support_ok(svs_graph_begin(a.graph, 1000, NULL, NULL));
        assert_int_equal(svs_graph_wait(a.graph, 2000000, NULL), SVS_E_BUSY);
        support_ok(svs_graph_cancel(a.graph, SVS_OK));
        assert_int_equal(svs_graph_wait(a.graph, FOREVER, &report), SVS_E_CANCELLED);
        assert_null(report.task);
        assert_int_equal(account_sum(&a), 0);
        assert_int_equal(svs_graph_cancel(a.graph, 9), SVS_E_STATE);
        atomic_store(&released, 1);
        support_ok(svs_graph_wait(blocked, FOREVER, NULL));
        support_run(a.graph, 1); /* the items are gone */
        assert_int_equal(account_sum(&a), 0);
        support_ok(svs_graph_free(a.graph));
        support_ok(svs_graph_free(blocked));
    }
}

SUPPORT_CASE(a_run_is_cancelled_at_any_moment, 4) {
    uint64_t rounds = support_scaled(300);
    for (int i = 0; i < ALGORITHMS; i++) {
        account a;
        account_open(s, &a);
        support_ok(svs_task_set_algorithm(a.task, algorithms[i]));
        for (uint64_t round = 0; round < rounds; round++) {
            long before = account_sum(&a), after;
            svs_status status = SVS_E_BUSY, cancelled;
            account_send(&a, 2000);
            support_ok(svs_graph_begin(a.graph, 1, NULL, NULL));
            for (uint64_t n = 0; n < round % 16 && status == SVS_E_BUSY; n++)
                status = svs_graph_wait(a.graph, 20000, NULL);
            cancelled = svs_graph_cancel(a.graph, 9);
            if (status == SVS_E_BUSY) status = svs_graph_wait(a.graph, FOREVER, NULL);
            else assert_int_equal(cancelled, SVS_E_STATE);
            after = account_sum(&a);
            if (cancelled == SVS_OK) assert_int_equal(status, 9);
            else assert_int_equal(cancelled, SVS_E_STATE);
            assert_in_range(after - before, 0, 2000);
        }
        support_ok(svs_graph_free(a.graph));
    }
}

#define ACCOUNTS 8
static void begin_many(support *s) {
    account accounts[ACCOUNTS];
    uint64_t rounds = support_scaled(100);
    for (int i = 0; i < ACCOUNTS; i++) account_open(s, &accounts[i]);
    for (uint64_t round = 1; round <= rounds; round++) {
        for (int i = 0; i < ACCOUNTS; i++) {
            account_send(&accounts[i], 100);
            support_ok(svs_graph_begin(accounts[i].graph, 2, NULL, NULL));
        }
        for (int i = ACCOUNTS - 1; i >= 0; i--)
            support_ok(svs_graph_wait(accounts[i].graph, FOREVER, NULL));
        for (int i = 0; i < ACCOUNTS; i++) assert_int_equal(account_sum(&accounts[i]), 100 * round);
    }
    for (int i = 0; i < ACCOUNTS; i++) support_ok(svs_graph_free(accounts[i].graph));
}
SUPPORT_CASE(one_thread_begins_many_runs, 1) { begin_many(s); }
SUPPORT_CASE(one_thread_begins_many_runs_on_two_workers, 2) { begin_many(s); }
SUPPORT_CASE(one_thread_begins_many_runs_on_eight_workers, 8) { begin_many(s); }

int main(void) { return run_cases(NULL, NULL); }
