/* A cancel, or a failure, ends the asyncs of bodies as well: those that have not begun are
 * dropped. */
#include "support.h"

#define STATUS 7
#define ASYNCS 300u /* of a body */
#define BODIES 40u

static struct {
    svs_graph *graph;
    atomic_int begun, ran, ended, wrong, failed;
} stage;

static void run_one(svs_async_context *async, void *argument) { atomic_fetch_add(&stage.ran, 1); }

static void spawn_some(svs_async_context *async, void *argument) {
    for (uint32_t i = 0; i < ASYNCS; i++) svs_async(async, run_one, NULL, 0);
}

/* How a body behaves. */
typedef struct act {
    svs_status (*run)(svs_context *context, svs_async_context *async);
} act;
static void act_touch(svs_footprint *f, const act *a) {}
static svs_status act_run(svs_context *context, act *a) {
    svs_status status;
    atomic_fetch_add(&stage.begun, 1);
    status = a->run(context, svs_context_async(context));
    atomic_fetch_add(&stage.ended, 1);
    return status;
}
SVS_TASK(act, act_run, act_touch)

static svs_status run_acts(support *s, svs_report *report, uint32_t count, act one) {
    svs_task *task;
    svs_status status;
    stage.graph = support_graph(s);
    task = support_itemizer(stage.graph, &act_task, NULL);
    atomic_store(&stage.begun, 0);
    atomic_store(&stage.ran, 0);
    atomic_store(&stage.ended, 0);
    atomic_store(&stage.wrong, 0);
    atomic_store(&stage.failed, 0);
    for (uint32_t i = 0; i < count; i++)
        support_ok(svs_graph_send(stage.graph, task, &one, 1, sizeof one));
    status = svs_graph_run(stage.graph, 1, report);
    assert_int_equal(stage.begun, stage.ended);
    assert_int_equal(stage.wrong, 0);
    support_ok(svs_graph_free(stage.graph));
    return status;
}

/* Once the body knows of the end of the run, what it spawns is dropped. */
static void spawn_in_vain(svs_async_context *async) {
    int ran = atomic_load(&stage.ran);
    if (!svs_async_cancelled(async)) atomic_fetch_add(&stage.wrong, 1);
    svs_finish(async, spawn_some, NULL);
    spawn_some(async, NULL);
    if (atomic_load(&stage.ran) != ran) atomic_fetch_add(&stage.wrong, 1);
}

static svs_status cancel_graph(svs_context *context, svs_async_context *async) {
    svs_ignore(svs_graph_cancel(stage.graph, STATUS));
    spawn_in_vain(async);
    return SVS_OK;
}

static svs_status cancel_by_async(svs_context *context, svs_async_context *async) {
    svs_ignore(svs_async_cancel(async, STATUS));
    if (!svs_context_cancelled(context)) atomic_fetch_add(&stage.wrong, 1);
    spawn_in_vain(async);
    return SVS_OK;
}

static void each_team(act one, uint32_t count, svs_status expected) {
    static const uint32_t teams[] = {1, 2, 8};
    for (uint32_t i = 0; i < 3; i++) {
        support s;
        svs_report report;
        support_open(&s, teams[i]);
        assert_int_equal(run_acts(&s, &report, count, one), expected);
        assert_int_equal(report.status, expected);
        support_close(&s);
    }
}

TEST_CASE(asyncs_of_a_body_are_dropped_after_the_cancel_of_its_graph) {
    each_team((act){cancel_graph}, 1, STATUS);
    each_team((act){cancel_graph}, BODIES, STATUS);
}

TEST_CASE(an_async_context_of_a_body_cancels_the_graph) {
    each_team((act){cancel_by_async}, 1, STATUS);
    each_team((act){cancel_by_async}, BODIES, STATUS);
}

/* The first body fails; all others wait for that. */
static svs_status fail_or_wait(svs_context *context, svs_async_context *async) {
    if (atomic_exchange(&stage.failed, 1) == 0) {
        spawn_some(async, NULL);
        return STATUS;
    }
    while (!svs_async_cancelled(async)) sched_yield();
    spawn_in_vain(async);
    return SVS_OK;
}

TEST_CASE(a_body_that_fails_ends_the_asyncs_of_the_others) {
    each_team((act){fail_or_wait}, 1, STATUS);
    each_team((act){fail_or_wait}, BODIES, STATUS);
}

/* Its asyncs run until the body has ended: then the run fails. */
static svs_status fail_in_the_middle(svs_context *context, svs_async_context *async) {
    svs_ignore(svs_context_fail(context, STATUS, "no"));
    svs_finish(async, spawn_some, NULL);
    if (atomic_load(&stage.ran) != ASYNCS || svs_async_cancelled(async))
        atomic_fetch_add(&stage.wrong, 1);
    return SVS_OK;
}

TEST_CASE(a_body_that_fails_runs_its_own_asyncs) {
    each_team((act){fail_in_the_middle}, 1, STATUS);
}

int main(void) { return run_cases(NULL, NULL); }
