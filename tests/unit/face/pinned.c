/* Tasks that are pinned to a worker, or to the thread that runs their graph (svs_task_pin). */
#include "support.h"

#define CELLS 8u
#define FOREVER UINT64_MAX

/* ---- what runs: instances that write cells, and look where they run ---- */

typedef struct job {
    uint32_t cell, number;
} job;

typedef struct place {
    uint32_t worker;   /* the required one, or SVS_NO_WORKER */
    pthread_t *thread; /* the required one, or NULL */
    atomic_int ran, wrong, inside;
    atomic_uint in_order; /* as long as the items come in the order of their numbers */
} place;

static int cells[CELLS];
static atomic_int occupied[CELLS];

static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, &cells[j->cell]); }

static void write_cell(const job *j, place *p) {
    if (atomic_fetch_add(&occupied[j->cell], 1)) atomic_fetch_add(&p->wrong, 1);
    cells[j->cell]++;
    atomic_fetch_sub(&occupied[j->cell], 1);
}

static svs_status pinned_run(svs_context *context, job *j) {
    place *p = svs_context_argument(context);
    bool right = (p->worker == SVS_NO_WORKER || svs_worker_index() == p->worker) &&
                 (!p->thread || pthread_equal(*p->thread, pthread_self()));
    if (!right || atomic_fetch_add(&p->inside, 1)) atomic_fetch_add(&p->wrong, 1);
    write_cell(j, p);
    atomic_fetch_add(&p->in_order, p->in_order == j->number);
    atomic_fetch_sub(&p->inside, 1);
    atomic_fetch_add(&p->ran, 1);
    return SVS_OK;
}
SVS_TASK(pinned, job, pinned_run, job_touch)

static svs_status free_run(svs_context *context, job *j) {
    place *p = svs_context_argument(context);
    write_cell(j, p);
    atomic_fetch_add(&p->ran, 1);
    return SVS_OK;
}
SVS_TASK(loose, job, free_run, job_touch)

static place place_of(uint32_t worker, pthread_t *thread) {
    return (place){.worker = worker, .thread = thread};
}

static void send(svs_graph *graph, svs_task *to, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        job j = {i % CELLS, i};
        support_ok(svs_graph_send(graph, to, &j, 1, sizeof j));
    }
}

static svs_graph *graph_of(support *s, svs_algorithm algorithm) {
    svs_graph *graph;
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    support_ok(svs_graph_new(s->world, &options, &graph));
    return graph;
}

static svs_task *pinned_to(svs_graph *graph, uint32_t worker, place *p) {
    svs_task *task = support_itemizer(graph, &pinned_task, p);
    support_ok(svs_task_pin(task, worker));
    return task;
}

/* ---- workers ---- */

#define MANY 300u

static void run_beside_others(support *s, svs_algorithm algorithm, uint32_t worker) {
    svs_graph *graph = graph_of(s, algorithm);
    place mine = place_of(worker, NULL), others = place_of(SVS_NO_WORKER, NULL);
    svs_task *pinned = pinned_to(graph, worker, &mine);
    svs_task *loose = support_itemizer(graph, &loose_task, &others);
    support_ok(svs_graph_set_independent(graph, pinned, loose));
    for (int run = 1; run <= 3; run++) {
        send(graph, pinned, MANY);
        send(graph, loose, MANY);
        support_run(graph, 1);
        assert_int_equal(mine.ran, run * (int)MANY);
        assert_int_equal(others.ran, run * (int)MANY);
        assert_int_equal(mine.wrong + others.wrong, 0);
    }
    support_ok(svs_graph_free(graph));
}

TEST_CASE(instances_of_a_pinned_task_run_on_its_worker_alone) {
    static const uint32_t threads[] = {1, 2, 8};
    for (int t = 0; t < 3; t++) {
        support s;
        support_open(&s, threads[t]);
        for (svs_algorithm a = SVS_ALGORITHM_STAGED; a <= SVS_ALGORITHM_WINDOWED; a++)
            for (uint32_t worker = 0; worker < threads[t]; worker += 1 + threads[t] / 3)
                run_beside_others(&s, a, worker);
        support_close(&s);
    }
}

SUPPORT_CASE(pinned_items_without_conflicts_run_in_the_order_of_their_sends, 2) {
    svs_graph *graph = support_graph(s);
    place mine = place_of(1, NULL);
    svs_task *task = pinned_to(graph, 1, &mine);
    send(graph, task, MANY);
    support_run(graph, 1);
    assert_int_equal(mine.in_order, MANY);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_pinned_transform_runs_on_its_worker_in_each_iteration, 4) {
    svs_graph *graph = support_graph(s);
    place mine = place_of(2, NULL), others = place_of(SVS_NO_WORKER, NULL);
    job j = {1, 0};
    svs_task *first = support_transform(graph, &loose_task, &j, &others);
    svs_task *task = support_transform(graph, &pinned_task, &j, &mine);
    svs_task *last = support_transform(graph, &loose_task, &j, &others);
    support_ok(svs_task_pin(task, 2));
    support_ok(svs_graph_add_order(graph, first, task));
    support_ok(svs_graph_add_order(graph, task, last));
    support_run(graph, 50);
    assert_int_equal(mine.ran, 50);
    assert_int_equal(others.ran, 100);
    assert_int_equal(mine.wrong, 0);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_pinned_worker_that_sleeps_is_woken, 8) {
    svs_graph *graph = support_graph(s);
    place mine = place_of(5, NULL);
    svs_task *task = pinned_to(graph, 5, &mine);
    svs_source *source;
    support_ok(svs_source_new(task, 0, &source));
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    for (int i = 0; i < 50; i++) {
        job j = {0, (uint32_t)i};
        svs_worker_statistics before, now;
        support_ok(svs_runtime_statistics_get(s->runtime, 5, &before));
        support_ok(svs_source_send(source, &j, 1, sizeof j, 0));
        assert_true(support_comes(&mine.ran, i + 1));
        do { /* until it has gone to sleep again */
            sched_yield();
            support_ok(svs_runtime_statistics_get(s->runtime, 5, &now));
        } while (now.sleeps == before.sleeps);
    }
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    assert_int_equal(mine.wrong, 0);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(a_task_that_is_no_longer_pinned_runs_on_any_worker, 2) {
    svs_graph *graph = support_graph(s);
    place any = place_of(SVS_NO_WORKER, NULL);
    svs_task *task = support_itemizer(graph, &loose_task, &any);
    support_ok(svs_task_pin(task, SVS_THE_RUNNER));
    send(graph, task, CELLS);
    support_run(graph, 1);
    support_ok(svs_task_pin(task, SVS_NO_WORKER));
    send(graph, task, CELLS);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_true(support_comes(&any.ran, 2 * CELLS)); /* without its runner */
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    support_ok(svs_graph_free(graph));
}

/* ---- the runner ---- */

static void *run_from_elsewhere(void *argument) {
    svs_graph *graph = argument;
    support_run(graph, 1);
    return NULL;
}

SUPPORT_CASE(instances_that_are_pinned_to_the_runner_run_on_the_thread_of_svs_graph_run, 4) {
    svs_graph *graph = support_graph(s);
    pthread_t self = pthread_self(), other;
    place mine = place_of(0, &self), others = place_of(SVS_NO_WORKER, NULL);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    svs_task *loose = support_itemizer(graph, &loose_task, &others);
    support_ok(svs_graph_set_independent(graph, task, loose));
    send(graph, task, MANY);
    send(graph, loose, MANY);
    support_run(graph, 1);
    assert_int_equal(mine.ran, MANY);
    send(graph, task, MANY);
    mine.thread = &other;
    mine.worker = SVS_NO_WORKER;
    assert_int_equal(pthread_create(&other, NULL, run_from_elsewhere, graph), 0);
    pthread_join(other, NULL);
    assert_int_equal(mine.ran, 2 * MANY);
    assert_int_equal(mine.wrong, 0);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(the_runner_of_a_run_that_was_begun_is_the_thread_that_waits_or_helps, 2) {
    svs_graph *graph = support_graph(s);
    pthread_t self = pthread_self();
    place mine = place_of(SVS_NO_WORKER, &self);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    send(graph, task, MANY);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_false(support_appears(&mine.ran, 1));
    support_ok(svs_help(s->runtime, 0, NULL)); /* the first step */
    assert_true(mine.ran > 0);
    while (svs_graph_wait(graph, 1000, NULL) == SVS_E_BUSY) {}
    assert_int_equal(mine.ran, MANY);
    assert_int_equal(mine.wrong, 0);
    support_ok(svs_graph_free(graph));
}

static void *wait_elsewhere(void *argument) {
    support_ok(svs_graph_wait(argument, FOREVER, NULL));
    return NULL;
}

SUPPORT_CASE(a_thread_that_waits_becomes_the_runner, 2) {
    svs_graph *graph = support_graph(s);
    pthread_t other;
    place mine = place_of(SVS_NO_WORKER, &other);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    send(graph, task, MANY);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_int_equal(pthread_create(&other, NULL, wait_elsewhere, graph), 0);
    pthread_join(other, NULL);
    assert_int_equal(mine.ran, MANY);
    assert_int_equal(mine.wrong, 0);
    support_ok(svs_graph_free(graph));
}

/* Another thread has the only seat, in a run that does not end before this one. */
SUPPORT_CASE(the_runner_gets_a_seat_while_another_run_goes_on, 1) {
    svs_graph *graph = support_graph(s), *service = support_graph(s);
    pthread_t self = pthread_self(), server;
    place mine = place_of(0, &self), its = place_of(0, &server);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    svs_task *of_service = pinned_to(service, SVS_THE_RUNNER, &its);
    svs_source *source;
    support_ok(svs_source_new(of_service, 0, &source));
    send(service, of_service, 1);
    assert_int_equal(pthread_create(&server, NULL, run_from_elsewhere, service), 0);
    assert_true(support_comes(&its.ran, 1));
    for (int i = 0; i < 20; i++) {
        job j = {0, 0};
        send(graph, task, MANY);
        support_ok(svs_source_send(source, &j, 1, sizeof j, 0));
        support_run(graph, 1);
    }
    support_ok(svs_source_free(source));
    pthread_join(server, NULL);
    assert_int_equal(mine.ran, 20 * MANY);
    assert_int_equal(its.ran, 21);
    assert_int_equal(mine.wrong + its.wrong, 0);
    support_ok(svs_graph_free(graph));
    support_ok(svs_graph_free(service));
}

SUPPORT_CASE(nothing_else_waits_for_a_runner_that_does_not_come, 2) {
    svs_graph *graph = support_graph(s), *second = support_graph(s);
    pthread_t self = pthread_self(), other;
    place mine = place_of(SVS_NO_WORKER, &self), others = place_of(SVS_NO_WORKER, NULL);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    svs_task *beside = support_itemizer(graph, &loose_task, &others);
    svs_task *of_second = support_itemizer(second, &loose_task, &others);
    support_ok(svs_graph_set_independent(graph, task, beside));
    send(graph, task, MANY);
    send(graph, beside, MANY);
    send(second, of_second, MANY);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    assert_true(support_comes(&others.ran, MANY));
    assert_int_equal(pthread_create(&other, NULL, run_from_elsewhere, second), 0);
    pthread_join(other, NULL);
    assert_int_equal(others.ran, 2 * MANY);
    assert_int_equal(mine.ran, 0);
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    assert_int_equal(mine.ran, MANY);
    assert_int_equal(mine.wrong + others.wrong, 0);
    support_ok(svs_graph_free(graph));
    support_ok(svs_graph_free(second));
}

static void note_end(svs_graph *graph, svs_status status, void *argument) {
    atomic_store((atomic_int *)argument, status);
}

SUPPORT_CASE(a_cancelled_run_ends_without_its_runner, 2) {
    svs_graph *graph = support_graph(s);
    place mine = place_of(SVS_NO_WORKER, NULL);
    svs_task *task = pinned_to(graph, SVS_THE_RUNNER, &mine);
    atomic_int ended = 0;
    send(graph, task, MANY);
    support_ok(svs_graph_begin(graph, 1, note_end, &ended));
    support_ok(svs_graph_cancel(graph, 7));
    assert_true(support_comes(&ended, 7));
    assert_int_equal(svs_graph_wait(graph, FOREVER, NULL), 7);
    assert_int_equal(mine.ran, 0);
    support_ok(svs_graph_free(graph));
}

SUPPORT_CASE(pinned_tasks_run_in_the_order_of_their_priorities, 1) {
    svs_graph *graph = support_graph(s);
    place low = place_of(0, NULL), high = place_of(0, NULL);
    svs_task *of_low = pinned_to(graph, 0, &low), *of_high = pinned_to(graph, 0, &high);
    svs_source *source;
    support_ok(svs_graph_set_independent(graph, of_low, of_high));
    support_ok(svs_task_set_priority(of_high, 1));
    support_ok(svs_source_new(of_high, 0, &source));
    send(graph, of_low, MANY);
    send(graph, of_high, 1);
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    support_ok(svs_help(s->runtime, 0, NULL));
    assert_int_equal(high.ran, 1);
    assert_int_equal(low.ran, 0);
    support_ok(svs_source_free(source));
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    assert_int_equal(low.ran, MANY);
    support_ok(svs_graph_free(graph));
}

/* ---- a reservation of a runner that goes away (sched.D3) ---- */

static svs_later *later;
typedef struct transfer {
    int *from, *to;
} transfer;
static void transfer_touch(svs_footprint *f, const transfer *t) {
    svs_writes(f, t->from);
    if (t->to) svs_writes(f, t->to);
}
static svs_status hold_run(svs_context *context, transfer *t) {
    return svs_complete_later(context, t, &later);
}
SVS_TASK(hold, transfer, hold_run, transfer_touch)
static svs_status move_run(svs_context *context, transfer *t) {
    ++*(int *)svs_context_argument(context);
    return SVS_OK;
}
SVS_TASK(move, transfer, move_run, transfer_touch)

#define TRIES 8000u /* steps of 32, and more than refusals before an instance reserves */

SUPPORT_CASE(a_runner_that_goes_away_keeps_nothing_waiting, 1) {
    svs_graph *graph = support_graph(s), *second = support_graph(s);
    int moved = 0, passed = 0, ran = 0;
    svs_task *holds = support_itemizer(graph, &hold_task, NULL);
    svs_task *moves = support_itemizer(graph, &move_task, &moved);
    svs_task *passes = support_itemizer(graph, &move_task, &passed);
    transfer hold = {&cells[0], NULL}, move = {&cells[0], &cells[1]}, one = {&cells[1], NULL};
    pthread_t other;
    support_ok(svs_graph_set_independent(graph, holds, moves));
    support_ok(svs_graph_set_independent(graph, holds, passes));
    support_ok(svs_graph_set_independent(graph, moves, passes));
    support_ok(svs_task_pin(moves, SVS_THE_RUNNER));
    support_ok(svs_task_set_algorithm(passes, SVS_ALGORITHM_PROGRESSIVE));
    support_ok(svs_task_set_priority(holds, 1));
    support_ok(svs_graph_send(graph, holds, &hold, 1, sizeof hold));
    support_ok(svs_graph_send(graph, moves, &move, 1, sizeof move));
    for (uint32_t i = 0; i < TRIES; i++) {
        transfer pass = {&cells[2], NULL};
        support_ok(svs_graph_send(graph, passes, &pass, 1, sizeof pass));
    }
    support_ok(svs_graph_begin(graph, 1, NULL, NULL));
    while (passed < (int)TRIES) assert_int_equal(svs_graph_wait(graph, 1000, NULL), SVS_E_BUSY);
    assert_int_equal(moved, 0);
    support_ok(
        svs_graph_send(second, support_itemizer(second, &move_task, &ran), &one, 1, sizeof one));
    assert_int_equal(pthread_create(&other, NULL, run_from_elsewhere, second), 0);
    pthread_join(other, NULL); /* while `hold` is not finished */
    assert_int_equal(ran, 1);
    support_ok(svs_completed(later, SVS_OK));
    support_ok(svs_graph_wait(graph, FOREVER, NULL));
    assert_int_equal(moved, 1);
    support_ok(svs_graph_free(graph));
    support_ok(svs_graph_free(second));
}

int main(void) { return run_cases(NULL, NULL); }
