/* Items from outside, before a worker takes them: which of them wake a worker, and where they are
 * counted (sched.I7, sched.I8); and what a cancelled run does with them. The runs have one worker,
 * the thread that waits for them. */
#include <sys/mman.h>

#include "sched/domain/domain.h"
#include "sched/domain/queue/inbox.h"
#include "unit/face/support.h"

#define FOREVER UINT64_MAX

static int ran;

typedef struct job {
    char bytes[256]; /* most of a batch is items */
} job;
static void job_touch(svs_footprint *f, const job *j) { svs_writes(f, &ran); }
static svs_status job_run(svs_context *context, job *j) {
    ran++;
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

typedef struct fixture {
    svs_graph *graph;
    svs_task *task;
    svs_source *source;
} fixture;

static fixture open_graph(support *s, uint32_t limit) {
    fixture x;
    support_ok(svs_graph_new(s->world, NULL, &x.graph));
    x.task = support_itemizer(x.graph, &job_task, NULL);
    support_ok(svs_source_new(x.task, limit, &x.source));
    ran = 0;
    return x;
}
static void close_graph(fixture *x, int runs) {
    support_ok(svs_source_free(x->source));
    support_ok(svs_graph_wait(x->graph, FOREVER, NULL));
    assert_int_equal(ran, runs);
    support_ok(svs_graph_free(x->graph));
}

static svs_status send_one(svs_source *source) {
    job one = {{0}};
    return svs_source_send(source, &one, 1, sizeof one, 0);
}
/* As a source with the limit does. */
static svs__outside put(const fixture *x, uint32_t limit, svs_status expected) {
    job one = {{0}};
    uint32_t shut = 0;
    svs__outside by = {.limit = limit, .shut = &shut};
    assert_int_equal(svs__inbox_put_outside(x->task, &one, 1, &by), expected);
    by.shut = NULL;
    return by;
}
/* @return whether a worker is to be woken. */
static bool put_one(const fixture *x) { return put(x, 100, SVS_OK).wakes; }
static uint32_t counted(const fixture *x) {
    return svs__outstanding_instances(svs__load_relaxed(&x->task->outstanding));
}

SUPPORT_CASE(one_worker_is_woken_for_items_that_wait_together, 1) {
    fixture x = open_graph(s, 0);
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    assert_true(put_one(&x));
    assert_false(put_one(&x));
    assert_false(put_one(&x));
    close_graph(&x, 3);
}

SUPPORT_CASE(no_worker_is_woken_while_one_attends_which_finds_the_items_when_it_leaves, 1) {
    fixture x = open_graph(s, 0);
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    svs__inbox_attend(&x.task->inbox);
    assert_int_equal(svs__inbox_leave(&x.task->inbox), 0);
    svs__inbox_attend(&x.task->inbox);
    svs__inbox_attend(&x.task->inbox);
    assert_false(put_one(&x));
    assert_int_equal(svs__inbox_leave(&x.task->inbox), 1);
    assert_false(put_one(&x));
    assert_int_equal(svs__inbox_leave(&x.task->inbox), 2);
    close_graph(&x, 2);
}

/* ---- a worker that dozes ---- */

/* As if a worker dozed until so many items wait. */
static fixture open_dozing(support *s, uint32_t enough) {
    fixture x = open_graph(s, 0);
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    svs__inbox_attend(&x.task->inbox);
    svs__store_relaxed(&x.task->inbox.wake_at, enough);
    return x;
}
static bool dozes(const fixture *x) { return svs__load_relaxed(&x->task->inbox.wake_at) != 0; }
static void close_dozing(fixture *x, uint32_t runs) {
    assert_int_equal(svs__inbox_leave(&x->task->inbox), runs);
    assert_false(dozes(x));
    close_graph(x, (int)runs);
}

SUPPORT_CASE(a_worker_that_dozes_is_woken_once_by_the_item_that_is_enough, 1) {
    fixture x = open_dozing(s, 2);
    assert_false(put(&x, 100, SVS_OK).rouses);
    assert_true(put(&x, 100, SVS_OK).rouses);
    assert_false(dozes(&x));
    assert_false(put(&x, 100, SVS_OK).rouses);
    close_dozing(&x, 3);
}

SUPPORT_CASE(a_worker_that_dozes_is_woken_by_a_sender_without_room, 1) {
    fixture x = open_dozing(s, 100);
    assert_false(put(&x, 2, SVS_OK).rouses);
    assert_false(put(&x, 2, SVS_OK).rouses);
    assert_true(put(&x, 2, SVS_E_FULL).rouses);
    assert_false(put(&x, 2, SVS_E_FULL).rouses);
    close_dozing(&x, 2);
}

SUPPORT_CASE(a_worker_that_dozes_is_woken_when_a_source_is_freed, 1) {
    fixture x = open_dozing(s, 100);
    svs_source *second;
    support_ok(svs_source_new(x.task, 0, &second));
    assert_true(dozes(&x));
    support_ok(svs_source_free(second));
    assert_false(dozes(&x));
    close_dozing(&x, 0);
}

SUPPORT_CASE(a_worker_does_not_doze_while_enough_items_wait, 1) {
    fixture x = open_graph(s, 0);
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    svs__inbox_attend(&x.task->inbox);
    assert_false(put(&x, 100, SVS_OK).rouses);
    svs__inbox_doze(&x.task->inbox, 1, FOREVER);
    svs__inbox_doze(&x.task->inbox, 2, 1); /* for 1 ns */
    close_dozing(&x, 1);
}

SUPPORT_CASE(items_are_counted_when_they_are_taken_or_their_source_is_freed, 1) {
    fixture x = open_graph(s, 3);
    svs_progress progress;
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    for (int i = 0; i < 3; i++) support_ok(send_one(x.source));
    assert_int_equal(send_one(x.source), SVS_E_FULL);
    assert_int_equal(counted(&x), 0);
    support_ok(svs_graph_progress(x.graph, &progress));
    assert_int_equal(progress.pending, 3);
    close_graph(&x, 3);
}

SUPPORT_CASE(tasks_of_a_cycle_share_the_limit_of_their_sources, 1) {
    fixture x = open_graph(s, 2);
    svs_task *other = support_itemizer(x.graph, &job_task, NULL);
    svs_source *second;
    support_ok(svs_graph_add_flow(x.graph, x.task, other));
    support_ok(svs_graph_add_flow(x.graph, other, x.task));
    support_ok(svs_source_new(other, 2, &second));
    support_ok(svs_graph_begin(x.graph, 1, NULL, NULL));
    support_ok(send_one(x.source));
    support_ok(send_one(second));
    assert_int_equal(send_one(x.source), SVS_E_FULL);
    assert_int_equal(send_one(second), SVS_E_FULL);
    support_ok(svs_source_free(second));
    close_graph(&x, 2);
}

/* ---- few of them ---- */

TEST_CASE(few_items_are_worth_waiting_for_more_unless_bodies_send_them) {
    svs__domain domain;
    svs_task task, other;
    memset(&task, 0, sizeof task);
    memset(&other, 0, sizeof other);
    svs__domain_init(&domain, NULL, NULL);
    svs__domain_attach(&domain, &task);
    svs__domain_attach(&domain, &other);
    svs__domain_open(&domain);
    assert_true(svs__domain_has_few_from_outside(&domain, 4));
    svs__store_relaxed(&task.inbox.waiting, 2);
    svs__store_relaxed(&other.inbox.waiting, 1);
    assert_true(svs__domain_has_few_from_outside(&domain, 4));
    assert_false(svs__domain_has_few_from_outside(&domain, 3));
    svs__store_relaxed(&other.inbox.is_fed_inside, 1);
    assert_false(svs__domain_has_few_from_outside(&domain, 4));
    svs__store_relaxed(&other.inbox.waiting, 0);
    assert_true(svs__domain_has_few_from_outside(&domain, 4));
}

/* ---- cancelled ---- */

#define PAGE 4096u

/* Permits accesses to the pages of a batch that have items and nothing else, or forbids them.
 * @return how many items lie there. */
static uint32_t protect(svs__batch *batch, int protection) {
    uint32_t bytes = batch->at_has_record / PAGE * PAGE - PAGE;
    assert_true(batch->at_has_record >= SVS__BATCH_FRONT + batch->capacity * batch->item_bytes);
    assert_int_equal(mprotect((char *)batch + PAGE, bytes, protection), 0);
    return bytes / batch->item_bytes;
}
#define BATCHES_MAX 512u

typedef struct batches {
    svs__batch *of[BATCHES_MAX];
    uint32_t count;
} batches;
static uint64_t protect_all(const batches *all, int protection) {
    uint64_t items = 0;
    for (uint32_t i = 0; i < all->count; i++) items += protect(all->of[i], protection);
    return items;
}
/* The run has ended, and its batches are not freed yet. */
static void permit_all(svs_graph *graph, svs_status status, void *argument) {
    (void)protect_all(argument, PROT_READ | PROT_WRITE);
}

/* An access to the memory of an item would end the program. */
SUPPORT_CASE(a_cancelled_run_reads_no_item_and_frees_few_batches, 1) {
    fixture x = open_graph(s, 0);
    batches all = {.count = 0};
    job jobs[100] = {{{0}}};
    for (int i = 0; i < 200; i++) support_ok(svs_source_send(x.source, jobs, 100, sizeof *jobs, 0));
    support_ok(svs_graph_begin(x.graph, 1, permit_all, &all));
    for (svs__batch *b = x.task->inbox.first; b && all.count < BATCHES_MAX; b = b->next)
        all.of[all.count++] = b;
    assert_in_range(all.count, 100, BATCHES_MAX - 1);
    assert_in_range(protect_all(&all, PROT_NONE), 10000, 20000);
    support_ok(svs_graph_cancel(x.graph, 7));
    assert_int_equal(svs_graph_wait(x.graph, FOREVER, NULL), 7);
    assert_in_range(x.task->inbox.spare_count, all.count - 16, all.count);
    support_ok(svs_source_free(x.source));
    assert_int_equal(ran, 0);
    for (uint32_t i = 0; i <= all.count / 16; i++)
        support_run(x.graph, 1); /* they free the others */
    assert_int_equal(x.task->inbox.spare_count, 0);
    support_ok(svs_graph_free(x.graph));
}

int main(void) { return run_cases(NULL, NULL); }
