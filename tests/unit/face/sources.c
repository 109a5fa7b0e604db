/* Sources: threads that are no workers send while the graph runs (source.h, sched.R1 to
 * sched.R4). */
#include "support.h"

#define FOREVER UINT64_MAX
#define CELLS 16

static long cells[CELLS];
static atomic_int ran, dropped, gate;

typedef struct addition {
    long *cell;
    int waits; /* for `gate` */
} addition;
static void addition_touch(svs_footprint *f, const addition *a) { svs_writes(f, a->cell); }
static svs_status addition_run(svs_context *context, addition *a) {
    while (a->waits && !atomic_load(&gate)) sched_yield();
    ++*a->cell;
    atomic_fetch_add(&ran, 1);
    return SVS_OK;
}
SVS_TASK(addition, addition_run, addition_touch)

static void count_dropped(void *item, void *argument) {
    assert_non_null(((addition *)item)->cell);
    atomic_fetch_add((atomic_int *)argument, 1);
}

typedef struct fixture {
    svs_graph *graph;
    svs_task *task;
} fixture;

static fixture open_graph(support *s, svs_algorithm algorithm) {
    fixture x;
    x.graph = support_graph_of(s, algorithm);
    x.task = support_itemizer(x.graph, &addition_task, &dropped);
    support_ok(svs_task_set_dropped(x.task, count_dropped));
    memset(cells, 0, sizeof cells);
    atomic_store(&ran, 0);
    atomic_store(&dropped, 0);
    atomic_store(&gate, 0);
    return x;
}

static svs_status send_some(svs_source *source, uint32_t count, uint64_t ns_max) {
    addition items[64];
    for (uint32_t i = 0; i < count; i++) items[i] = (addition){&cells[i % CELLS], 0};
    return svs_source_send(source, items, count, sizeof *items, ns_max);
}
static svs_status send_waiting(svs_source *source, uint64_t ns_max) {
    addition one = {&cells[0], 1};
    return svs_source_send(source, &one, 1, sizeof one, ns_max);
}
static long sum(void) {
    long all = 0;
    for (int i = 0; i < CELLS; i++) all += cells[i];
    return all;
}

/* ---- a thread that sends ---- */

typedef struct sender {
    svs_source *source;
    uint32_t sends, of;
    svs_status status;
} sender;
static void *send_all(void *argument) {
    sender *me = argument;
    for (uint32_t i = 0; i < me->sends && !me->status; i++)
        me->status = send_some(me->source, me->of, FOREVER);
    support_ok(svs_source_free(me->source));
    return NULL;
}

#define SENDERS 3

static void run_with_senders(support *s, svs_algorithm algorithm, uint32_t limit) {
    uint32_t sends = (uint32_t)support_scaled(2000);
    fixture x = open_graph(s, algorithm);
    sender senders[SENDERS];
    pthread_t threads[SENDERS];
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (sender){NULL, sends, (uint32_t)i + 1, SVS_OK};
        support_ok(svs_source_new(x.task, limit, &senders[i].source));
        assert_int_equal(pthread_create(&threads[i], NULL, send_all, &senders[i]), 0);
    }
    support_run(x.graph, 1);
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(senders[i].status, SVS_OK);
    }
    assert_int_equal(sum(), 6 * sends);
    assert_int_equal(dropped, 0);
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(items_that_threads_send_during_a_run_run_once, 2) {
    SUPPORT_EACH_ALGORITHM(a) {
        run_with_senders(s, a, 0);
        run_with_senders(s, a, 3);
        run_with_senders(s, a, 64);
    }
}
SUPPORT_CASE(one_worker_takes_what_other_threads_send, 1) {
    run_with_senders(s, SVS_ALGORITHM_DEFAULT, 8);
}

/* ---- two that meet ---- */

static atomic_int met;

static void meeting_touch(svs_footprint *f, const addition *a) { svs_writes(f, a->cell); }
static svs_status meeting_run(svs_context *context, addition *a) {
    atomic_fetch_add(&met, 1);
    return support_comes(&met, a->waits) ? SVS_OK : SVS_E_STATE;
}
SVS_TASK(meeting, addition, meeting_run, meeting_touch)

/* Each of two items is sent by itself, and the first worker may come after both. */
SUPPORT_CASE(a_worker_that_takes_one_of_several_items_wakes_another, 3) {
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_PROGRESSIVE);
    svs_source *source;
    svs_task *task = support_itemizer(graph, &meeting_task, NULL);
    support_ok(svs_source_new(task, 0, &source));
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    atomic_store(&met, 0);
    for (int i = 2; i <= 2 * (int)support_scaled(500); i += 2) {
        addition items[] = {{&cells[0], i}, {&cells[1], i}};
        if (i % 16 == 0) (void)support_appears(&met, i); /* the workers fall asleep */
        support_ok(svs_source_send(source, &items[0], 1, sizeof *items, FOREVER));
        support_ok(svs_source_send(source, &items[1], 1, sizeof *items, FOREVER));
        assert_true(support_comes(&met, i));
    }
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    support_ok(svs_graph_free(graph));
}

/* ---- the end of a task ---- */

SUPPORT_CASE(a_task_is_open_until_its_last_source_is_freed, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_source *one, *two;
    support_ok(svs_source_new(x.task, 0, &one));
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    support_ok(svs_source_new(x.task, 0, &two));
    support_ok(svs_source_free(one));
    assert_int_equal(svs_graph_wait(x.graph, 1000000, NULL), SVS_E_BUSY);
    support_ok(send_some(two, 5, 0));
    assert_true(support_comes(&ran, 5));
    assert_int_equal(svs_graph_wait(x.graph, 1000000, NULL), SVS_E_BUSY);
    support_ok(svs_source_free(two));
    support_ok(svs_graph_wait(x.graph, FOREVER, NULL));
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(a_source_of_a_task_that_has_ended_is_refused, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_task *other = support_itemizer(x.graph, &addition_task, NULL);
    svs_source *keeps, *late = NULL;
    addition one = {&cells[1], 0};
    svs_status status;
    support_ok(svs_graph_set_independent(x.graph, x.task, other));
    support_ok(svs_source_new(x.task, 0, &keeps));
    support_ok(svs_graph_send(x.graph, other, &one, 1, sizeof one));
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    assert_int_equal(svs_graph_wait(x.graph, 1000000, NULL), SVS_E_BUSY);
    assert_true(support_comes(&ran, 1));
    while ((status = svs_source_new(other, 0, &late)) == SVS_OK) { /* it has not ended yet */
        support_ok(svs_source_free(late));
        assert_int_equal(svs_graph_wait(x.graph, 0, NULL), SVS_E_BUSY);
    }
    assert_int_equal(status, SVS_E_STATE);
    assert_null(late);
    support_ok(svs_source_free(keeps));
    support_ok(svs_graph_wait(x.graph, FOREVER, NULL));
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(items_sent_between_runs_belong_to_the_next, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_source *source;
    support_run(x.graph, 1);
    support_ok(svs_source_new(x.task, 0, &source));
    support_ok(send_some(source, 7, 0));
    support_ok(svs_source_free(source));
    assert_int_equal(sum(), 0);
    support_run(x.graph, 3);
    assert_int_equal(sum(), 7);
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(a_graph_with_sources_is_not_freed, 1) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_source *source;
    support_ok(svs_source_new(x.task, 0, &source));
    assert_int_equal(svs_graph_free(x.graph), SVS_E_BUSY);
    support_ok(svs_source_free(source));
    support_ok(svs_graph_free(x.graph));
}

/* ---- the limit ---- */

SUPPORT_CASE(a_send_at_the_limit_is_refused_until_items_have_ended, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_source *source;
    support_ok(svs_source_new(x.task, 3, &source));
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    assert_int_equal(send_some(source, 4, 0), SVS_E_LIMIT);
    support_ok(send_waiting(source, 0));
    support_ok(send_waiting(source, 0));
    assert_int_equal(send_some(source, 2, 0), SVS_E_FULL);
    assert_int_equal(send_some(source, 2, 1000), SVS_E_FULL);
    support_ok(send_some(source, 1, 0));
    assert_int_equal(send_some(source, 1, 0), SVS_E_FULL);
    atomic_store(&gate, 1);
    support_ok(send_some(source, 3, FOREVER));
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(x.graph, FOREVER, NULL));
    assert_int_equal(sum(), 6);
    support_ok(svs_graph_free(x.graph));
}

SUPPORT_CASE(the_limit_holds_before_a_run, 1) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    svs_source *source;
    support_ok(svs_source_new(x.task, 3, &source));
    support_ok(send_some(source, 2, 0));
    assert_int_equal(send_some(source, 2, 0), SVS_E_FULL);
    support_ok(send_some(source, 1, 0));
    support_ok(svs_source_free(source));
    support_run(x.graph, 1);
    assert_int_equal(sum(), 3);
    support_ok(svs_graph_free(x.graph));
}

/* ---- a run that is cancelled ---- */

SUPPORT_CASE(cancelling_ends_a_run_with_sources_and_wakes_its_senders, 2) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    sender me = {NULL, UINT32_MAX, 2, SVS_OK};
    pthread_t thread;
    svs_source *idle;
    support_ok(svs_source_new(x.task, 4, &me.source));
    support_ok(svs_source_new(x.task, 4, &idle));
    support_ok(svs_graph_begin(x.graph, 2, NULL, NULL));
    support_ok(send_waiting(idle, FOREVER));
    assert_int_equal(pthread_create(&thread, NULL, send_all, &me), 0);
    while (send_some(idle, 1, 0) == SVS_OK) sched_yield();
    support_ok(svs_graph_cancel(x.graph, SVS_OK));
    atomic_store(&gate, 1);
    assert_int_equal(svs_graph_wait(x.graph, FOREVER, NULL), SVS_E_CANCELLED);
    pthread_join(thread, NULL);
    assert_int_equal(me.status, SVS_E_CANCELLED);
    assert_int_equal(send_some(idle, 1, FOREVER), SVS_E_CANCELLED);
    support_ok(svs_source_free(idle));
    support_run(x.graph, 1); /* nothing is left of that run */
    assert_int_equal(sum(), atomic_load(&ran));
    support_ok(svs_graph_free(x.graph));
}

static void cancel_with_many(support *s, svs_algorithm algorithm) {
    uint32_t many = 64 * (uint32_t)support_scaled(1000);
    fixture x = open_graph(s, algorithm);
    svs_source *source;
    support_ok(svs_source_new(x.task, 0, &source));
    support_ok(send_waiting(source, 0));
    for (uint32_t i = 0; i < many; i += 64) support_ok(send_some(source, 64, 0));
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    support_ok(svs_graph_cancel(x.graph, 9));
    atomic_store(&gate, 1);
    assert_int_equal(svs_graph_wait(x.graph, FOREVER, NULL), 9);
    assert_int_equal(atomic_load(&ran) + atomic_load(&dropped), many + 1);
    support_ok(svs_source_free(source));
    support_ok(svs_graph_free(x.graph));
}
SUPPORT_CASE(each_item_of_a_cancelled_run_runs_or_is_handed_back, 2) {
    SUPPORT_EACH_ALGORITHM(a) cancel_with_many(s, a);
}

SUPPORT_CASE(items_of_a_graph_that_is_freed_are_handed_back, 1) {
    fixture x = open_graph(s, SVS_ALGORITHM_DEFAULT);
    addition two[] = {{&cells[0], 0}, {&cells[1], 0}};
    support_ok(svs_graph_send(x.graph, x.task, two, 2, sizeof *two));
    support_ok(svs_graph_free(x.graph));
    assert_int_equal(dropped, 2);
}

int main(void) { return run_cases(NULL, NULL); }
