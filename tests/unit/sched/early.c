/* Bodies run while their window is made (sched.W15): the touch function of a late item waits for
 * the first body. */
#include "base/platform.h"
#include "sched/domain/window.h"
#include "unit/face/support.h"

#define ITEMS SVS__WINDOW_MAX
#define AWAITS (ITEMS - 100) /* the item that waits */
#define WAIT_NS UINT64_C(20000000000)

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

/* Long enough to be shared among workers. */
static svs_status job_run(svs_context *context, job *j) {
    uint64_t begin = svs__time_ns();
    (void)context, (void)j;
    while (svs__time_ns() - begin < 1000) {}
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

int main(void) { return run_cases(NULL, NULL); }
