/* Instances that complete later (svs_complete_later): their footprint is held until
 * svs_completed(), and no other instance waits for them (admission.h, sched.A9). */
#include "support.h"

#define MANY 6000u /* several windows */

static uint64_t cells[MANY];
static atomic_int ran, second_ran, started;
static svs_later *pending;
static bool fails;

typedef struct job {
    uint64_t *cell;
    node *reached;
    int later; /* its number among those that complete later, from 1 */
} job;
static void job_touch(svs_footprint *f, const job *j) {
    if (j->cell) svs_writes(f, j->cell);
    if (j->reached) svs_writes_reach(f, &j->reached->svs);
}
static svs_status job_run(svs_context *context, job *j) {
    if (j->later == 1) {
        svs_status status = svs_complete_later(context, j, &pending);
        atomic_store(&started, 1);
        return status;
    }
    atomic_fetch_add(j->later == 2 ? &second_ran : &ran, 1);
    if (j->cell) ++*j->cell;
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

typedef struct fixture {
    svs_graph *graph;
    svs_task *task;
} fixture;

static fixture open_graph(support *s, svs_algorithm algorithm, const svs_task_type *type) {
    fixture x = {.graph = support_graph_of(s, algorithm)};
    x.task = support_itemizer(x.graph, type, NULL);
    memset(cells, 0, sizeof cells);
    atomic_store(&ran, 0);
    atomic_store(&second_ran, 0);
    atomic_store(&started, 0);
    return x;
}
static void send(fixture *x, job j) {
    support_ok(svs_graph_send(x->graph, x->task, &j, 1, sizeof j));
}

/* The first item completes later; of many others one conflicts with it, and waits. */
static void run_with(support *s, svs_algorithm algorithm, node *reached) {
    fixture x = open_graph(s, algorithm, &job_task);
    send(&x, (job){&cells[0], reached, 1});
    send(&x, (job){reached ? NULL : &cells[0], reached, 2});
    for (uint32_t i = 1; i < MANY; i++) send(&x, (job){&cells[i], NULL, 0});
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    /* The others, but for a few that share a cell of admission with it by chance. */
    assert_true(support_comes(&ran, MANY - 1 - MANY / 64));
    assert_true(support_comes(&started, 1));
    assert_int_equal(svs_graph_wait(x.graph, 1000000, NULL), SVS_E_BUSY);
    assert_int_equal(second_ran, 0);
    cells[0] = 100; /* the device's work */
    support_ok(svs_completed(pending, SVS_OK));
    support_ok(svs_graph_wait(x.graph, UINT64_MAX, NULL));
    assert_int_equal(second_ran, 1);
    assert_int_equal(cells[0], reached ? 100 : 101);
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(only_what_conflicts_waits_for_an_instance_that_completes_later, 2) {
    SUPPORT_EACH_ALGORITHM(a) run_with(s, a, NULL);
}

/* Reaches beyond the budget are held as signatures, in which holds share bits. */
static void run_with_reach(support *s, svs_algorithm algorithm) {
    fixture x = open_graph(s, algorithm, &job_task);
    node *first = support_node(s->world);
    first->a = NULL;
    support_ok(svs_link(first, a, support_node(s->world)));
    send(&x, (job){NULL, first, 1});
    send(&x, (job){NULL, first, 2});
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    assert_true(support_comes(&started, 1));
    assert_int_equal(svs_graph_wait(x.graph, 3000000, NULL), SVS_E_BUSY);
    assert_int_equal(second_ran, 0);
    support_ok(svs_completed(pending, SVS_OK));
    support_ok(svs_graph_wait(x.graph, UINT64_MAX, NULL));
    assert_int_equal(second_ran, 1);
    support_ok(svs_graph_free(x.graph));
}
TEST_CASE(the_reach_of_an_instance_that_completes_later_is_held) {
    for (uint32_t budget = 0; budget < 200; budget += 100)
        SUPPORT_EACH_ALGORITHM(a) {
            support s;
            svs_world_options options;
            svs_world_options_init(&options);
            options.examine_budget = budget;
            support_open_with(&s, 2, &options);
            run_with_reach(&s, a);
            support_close(&s);
        }
}

/* ---- completion at once, by the body; a failure; a cancelled run ---- */

static svs_status at_once_run(svs_context *context, job *j) {
    svs_later *later;
    svs_status status = svs_complete_later(context, j, &later);
    if (status) return status;
    ++*j->cell;
    return svs_completed(later, fails ? 17 : SVS_OK);
}
SVS_TASK(at_once, job, at_once_run, job_touch)

static svs_status run_at_once(support *s, svs_algorithm algorithm, svs_report *report) {
    fixture x = open_graph(s, algorithm, &at_once_task);
    svs_status status;
    for (uint32_t i = 0; i < 1000; i++) send(&x, (job){&cells[i % 10], NULL, 0});
    status = svs_graph_run(x.graph, 1, report);
    support_ok(svs_graph_free(x.graph));
    return status;
}
SUPPORT_CASE(a_body_may_finish_its_instance_itself, 2) {
    fails = false;
    SUPPORT_EACH_ALGORITHM(a) {
        support_ok(run_at_once(s, a, NULL));
        for (uint32_t i = 0; i < 10; i++) assert_int_equal(cells[i], 100);
    }
}
SUPPORT_CASE(a_completion_that_failed_fails_the_run_with_its_item, 1) {
    svs_report report;
    uint64_t *cell;
    fails = true;
    assert_int_equal(run_at_once(s, SVS_ALGORITHM_DEFAULT, &report), 17);
    memcpy(&cell, report.item, sizeof cell);
    assert_ptr_equal(cell, &cells[0]);
    assert_string_equal(report.task, "at_once");
    fails = false;
}
SUPPORT_CASE(a_cancelled_run_waits_for_instances_that_complete_later, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT, &job_task);
    send(&x, (job){&cells[0], NULL, 1});
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    assert_true(support_comes(&started, 1));
    support_ok(svs_graph_cancel(x.graph, 3));
    assert_int_equal(svs_graph_wait(x.graph, 1000000, NULL), SVS_E_BUSY);
    support_ok(svs_completed(pending, SVS_OK));
    assert_int_equal(svs_graph_wait(x.graph, UINT64_MAX, NULL), 3);
    support_ok(svs_graph_free(x.graph));
}

/* A transform, with one that opens after it; in each iteration. */
static atomic_int ends;
static void *complete(void *argument) {
    for (int i = 1; i <= 3; i++) {
        while (atomic_load(&started) < i) sched_yield();
        assert_int_equal(atomic_load(&ends), i - 1);
        support_ok(svs_completed(*(svs_later *volatile *)argument, SVS_OK));
    }
    return NULL;
}
static svs_status begin_run(svs_context *context, job *j) {
    svs_status status = svs_complete_later(context, j, &pending);
    atomic_fetch_add(&started, 1);
    return status;
}
SVS_TASK(begin, job, begin_run, job_touch)
static svs_status after_run(svs_context *context, job *j) {
    atomic_fetch_add(&ends, 1);
    return SVS_OK;
}
SVS_TASK(after, job, after_run, job_touch)

SUPPORT_GRAPH_CASE(a_task_ends_when_its_instance_is_completed, 2) {
    job j = {&cells[0], NULL, 0};
    svs_task *first = support_transform(graph, &begin_task, &j, NULL);
    svs_task *second = support_transform(graph, &after_task, &j, NULL);
    pthread_t thread;
    atomic_store(&started, 0);
    atomic_store(&ends, 0);
    support_ok(svs_graph_add_order(graph, first, second));
    assert_int_equal(pthread_create(&thread, NULL, complete, &pending), 0);
    support_run(graph, 3);
    pthread_join(thread, NULL);
    assert_int_equal(ends, 3);
}

int main(void) { return run_cases(NULL, NULL); }
