/* A body that fails: what was not started is cancelled, the run says which instance it was, and the
 * graph runs again. */
#include "support.h"

#define ITEMS 1000u
#define BAD 137u

static atomic_uint ran, seen_cancelled;
static atomic_int failing; /* the status that item BAD answers */
static svs_task *consumer;

typedef struct job {
    uint32_t number;
    uint32_t one; /* all write one thing, so that they run one after the other */
} job;

static int common;

static void job_touch(svs_footprint *f, const job *j) {
    if (j->one) svs_writes(f, &common);
}

static svs_status job_run(svs_context *context, job *j) {
    atomic_fetch_add(&ran, 1);
    if (svs_context_cancelled(context)) atomic_fetch_add(&seen_cancelled, 1);
    return j->number == BAD ? atomic_load(&failing) : SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

static svs_status sender_run(svs_context *context, job *unused) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        job j = {i, 1};
        svs_status status = job_send(context, consumer, &j, 1);
        if (status) return status;
    }
    return SVS_OK;
}
static void nothing_touch(svs_footprint *f, const job *unused) {}
SVS_TASK(sender, job, sender_run, nothing_touch)

static void fails_and_runs_again(svs_algorithm algorithm, svs_status with) {
    support s;
    svs_graph *graph;
    svs_task *producer;
    svs_report report;
    job item;
    support_open(&s, 2);
    graph = support_graph_of(&s, algorithm);
    producer = support_transform(graph, &sender_task, NULL, NULL);
    consumer = support_itemizer(graph, &job_task, NULL);
    support_ok(svs_graph_add_flow(graph, producer, consumer));
    for (int again = 0; again < 20; again++) {
        ran = 0;
        failing = with;
        assert_int_equal(svs_graph_run(graph, 3, &report), with);
        assert_int_equal(report.status, with);
        assert_string_equal(report.task, "job");
        assert_true(report.instance != 0);
        memcpy(&item, report.item, sizeof item);
        assert_int_equal(item.number, BAD);
        assert_non_null(strstr(report.text, "job"));
        assert_true(ran <= ITEMS); /* the second iteration never began */
        if (with < 0) assert_true(support_logged(&s));
        ran = 0;
        failing = SVS_OK;
        support_run(graph, 2);
        assert_int_equal(ran, 2 * ITEMS);
    }
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(a_failing_body_ends_the_run_which_names_its_instance) {
    fails_and_runs_again(SVS_ALGORITHM_STAGED, 42);
    fails_and_runs_again(SVS_ALGORITHM_WINDOWED, 42);
    fails_and_runs_again(SVS_ALGORITHM_PROGRESSIVE, 42);
    fails_and_runs_again(SVS_ALGORITHM_STAGED, SVS_E_LIMIT);
    fails_and_runs_again(SVS_ALGORITHM_WINDOWED, SVS_E_LIMIT);
}

/* Of instances that run one after the other, none begins after the failed one. */
static svs_status fail_at_once(svs_context *context, job *j) {
    atomic_fetch_add(&ran, 1);
    return (svs_status)j->number;
}
SVS_TASK(fail_at_once, job, fail_at_once, job_touch)

SUPPORT_GRAPH_CASE(what_has_not_started_is_cancelled, 2) {
    svs_task *first, *second;
    job bad = {7, 1}, good = {0, 1};
    svs_report report;
    ran = 0;
    first = support_transform(graph, &fail_at_once_task, &bad, NULL);
    second = support_transform(graph, &fail_at_once_task, &good, NULL);
    support_ok(svs_graph_add_order(graph, first, second));
    assert_int_equal(svs_graph_run(graph, 10, &report), 7);
    assert_int_equal(ran, 1);
    assert_int_equal(svs_graph_run(graph, 10, NULL), 7); /* no report is wanted */
    assert_int_equal(ran, 2);
}

/* A long body can see that another has failed. */
static atomic_int long_begun, failed;

static svs_status long_run(svs_context *context, job *unused) {
    atomic_store(&long_begun, 1);
    for (uint64_t end = support_now_ms() + SUPPORT_HANG_MS; support_now_ms() < end; sched_yield())
        if (svs_context_cancelled(context)) {
            atomic_fetch_add(&seen_cancelled, 1);
            return SVS_OK;
        }
    return SVS_OK;
}
SVS_TASK(long_run, job, long_run, nothing_touch)

static svs_status fail_beside(svs_context *context, job *unused) {
    return support_comes(&long_begun, 1) ? 5 : 6;
}
SVS_TASK(fail_beside, job, fail_beside, nothing_touch)

SUPPORT_GRAPH_CASE(a_long_body_can_see_that_the_run_has_failed, 2) {
    seen_cancelled = 0;
    long_begun = failed = 0;
    (void)support_transform(graph, &long_run_task, NULL, NULL);
    (void)support_transform(graph, &fail_beside_task, NULL, NULL);
    assert_int_equal(svs_graph_run(graph, 1, NULL), 5);
    assert_int_equal(seen_cancelled, 1);
}

/* A failed run drops the items that were sent from outside and did not run. */
SUPPORT_GRAPH_CASE(items_of_a_failed_run_are_gone, 2) {
    svs_task *first, *to;
    job items[3] = {{0, 1}, {0, 1}, {0, 1}}, bad = {9, 1};
    first = support_transform(graph, &fail_at_once_task, &bad, NULL);
    to = support_itemizer(graph, &job_task, NULL);
    support_ok(svs_graph_add_order(graph, first, to));
    support_ok(svs_graph_send(graph, to, items, 3, sizeof items[0]));
    ran = 0;
    assert_int_equal(svs_graph_run(graph, 1, NULL), 9);
    assert_int_equal(ran, 1);
    bad.number = 0;
    support_ok(svs_task_set_item(first, &bad));
    support_run(graph, 1);
    assert_int_equal(ran, 2);
}

SUPPORT_CASE(the_report_of_a_long_circle_ends_where_its_text_is_full, 1) {
    enum { TASKS = SVS_REPORT_TEXT };
    svs_graph *graph = support_graph(s);
    svs_task *tasks[TASKS];
    svs_report report;
    for (int i = 0; i < TASKS; i++) tasks[i] = support_transform(graph, &job_task, NULL, NULL);
    for (int i = 0; i < TASKS; i++)
        support_ok(svs_graph_add_order(graph, tasks[i], tasks[(i + 1) % TASKS]));
    assert_int_equal(svs_graph_run(graph, 1, &report), SVS_E_CYCLE);
    assert_string_equal(report.task, "job");
    assert_int_equal(strlen(report.text), sizeof report.text - 1);
    assert_non_null(strstr(report.text, ": job <- job <- job"));
    support_ok(svs_graph_free(graph));
}

/* ---- a sentence for the report ---- */

typedef struct reason {
    int from_async;
} reason;
static void give_reason(svs_async_context *async, void *argument) {
    (void)svs_context_fail(*(svs_context **)argument, 12, "the account is closed");
}
static svs_status reason_run(svs_context *context, reason *r) {
    if (!r->from_async) return svs_context_fail(context, 12, "the account is closed");
    svs_async(svs_context_async(context), give_reason, &context, sizeof context);
    return SVS_OK;
}
static void reason_touch(svs_footprint *f, const reason *unused) { svs_writes(f, &common); }
SVS_TASK(reason, reason_run, reason_touch)

SUPPORT_GRAPH_CASE(the_report_has_the_sentence_of_the_body, 2) {
    svs_task *reasons = support_itemizer(graph, &reason_task, NULL),
             *jobs = support_itemizer(graph, &job_task, NULL);
    svs_report report;
    for (int i = 0; i < 4; i++) {
        reason item = {i % 2};
        job bad = {BAD, 0};
        support_ok(svs_graph_send(graph, reasons, &item, 1, sizeof item));
        assert_int_equal(svs_graph_run(graph, 1, &report), 12);
        assert_non_null(strstr(report.text, "task reason: the account is closed (12)"));
        failing = 12; /* the sentence is gone */
        support_ok(svs_graph_send(graph, jobs, &bad, 1, sizeof bad));
        assert_int_equal(svs_graph_run(graph, 1, &report), 12);
        assert_non_null(strstr(report.text, "task job: its body failed (12)"));
    }
}

int main(void) { return run_cases(NULL, NULL); }
