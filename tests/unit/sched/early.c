/* Bodies run while their window is made (sched.W15): the touch function of a late item waits for
 * the first body. */
#include "base/platform.h"
#include "sched/domain/window.h"
#include "unit/face/support.h"

#define ITEMS SVS__WINDOW_MAX
#define AWAITS (ITEMS - 100) /* the item that waits */
#define WAIT_NS UINT64_C(5000000000)

typedef struct job {
    uint32_t number;
} job;

static _Atomic(uint32_t) ran;
static bool waits;

static void job_touch(svs_footprint *f, const job *j) {
    uint64_t begin = svs__time_ns();
    (void)f;
    if (!waits || j->number != AWAITS) return;
    while (!ran && svs__time_ns() - begin < WAIT_NS) svs__yield();
    waits = false;
    assert_true(ran);
}

/* Long enough that instances are shared among workers. */
static void take_time(void) {
    uint64_t begin = svs__time_ns();
    while (svs__time_ns() - begin < 1000) {}
}

static svs_status job_run(svs_context *context, job *j) {
    (void)context, (void)j;
    take_time();
    ran++;
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

SUPPORT_CASE(bodies_run_while_their_window_is_made, 2) {
    static job jobs[ITEMS];
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task = support_itemizer(graph, &job_task, NULL);
    for (uint32_t i = 0; i < ITEMS; i++) jobs[i].number = i;
    for (uint32_t round = 0; round < 4; round++) { /* the first ones measure the bodies */
        ran = 0;
        waits = round >= 2;
        support_ok(svs_graph_send(graph, task, jobs, ITEMS, sizeof *jobs));
        support_run(graph, 1);
        assert_int_equal(ran, ITEMS);
        assert_false(waits);
    }
    support_ok(svs_graph_free(graph));
}

/* ---- candidates of another task ---- */

#define SENDERS 1000u
#define SENT 100u                    /* they send an item each */
#define AHEAD 500u                   /* bodies have run when the last candidate is looked at, */
#define AHEAD_NS UINT64_C(100000000) /* unless sent items come to lie between them */

typedef struct reader {
    uint32_t number;
    bool is_sent;
} reader;

static node *shared;
static svs_task *other;
static _Atomic(uint32_t) senders, ran_sent, wrong;

/* All only read, so that their words are not written (sched.W13). */
static void reader_touch(svs_footprint *f, const reader *r) {
    uint64_t begin = svs__time_ns();
    svs_reads_object(f, &shared->svs);
    if (!waits || r->number != SENDERS - 1) return;
    while (senders < AHEAD && svs__time_ns() - begin < AHEAD_NS) svs__yield();
}

static svs_status sender_run(svs_context *context, reader *r) {
    static const reader made = {0, true};
    svs_status status = SVS_OK;
    take_time();
    wrong += r->is_sent;
    if (r->number < SENT && !r->is_sent) status = svs_send(context, other, &made, 1, sizeof made);
    senders++;
    return status;
}
SVS_TASK_NAMED(sender, reader, sender_run, reader_touch)

static svs_status sent_run(svs_context *context, reader *r) {
    (void)context;
    take_time();
    wrong += !r->is_sent;
    ran_sent++;
    return SVS_OK;
}
SVS_TASK_NAMED(sent, reader, sent_run, reader_touch)

SUPPORT_CASE(an_open_window_takes_no_candidate_of_another_task, 2) {
    static reader readers[SENDERS];
    svs_graph *graph = support_graph_of(s, SVS_ALGORITHM_WINDOWED);
    svs_task *task;
    /* It has no items. Refinement gives its domain to both others, which a flow connects. */
    (void)support_itemizer(graph, &sent_task, NULL);
    task = support_itemizer(graph, &sender_task, NULL);
    other = support_itemizer(graph, &sent_task, NULL);
    shared = support_node(s->world);
    support_ok(svs_graph_add_flow(graph, task, other));
    for (uint32_t i = 0; i < SENDERS; i++) readers[i].number = i;
    for (uint32_t round = 0; round < 8; round++) {
        senders = ran_sent = wrong = 0;
        waits = round >= 2;
        support_ok(svs_graph_send(graph, task, readers, SENDERS, sizeof *readers));
        support_run(graph, 1);
        assert_int_equal(wrong, 0);
        assert_int_equal(ran_sent, SENT);
    }
    support_ok(svs_graph_free(graph));
}

int main(void) { return run_cases(NULL, NULL); }
