/* Two runs on one worker: the one that comes later has its turn when the body that runs has ended
 * (worksteal.Q4), and also if it runs in a stage of the lease (sched.L2). Bodies are counted, not
 * timed: each lasts as long as a turn and as the lease's holder may go on. */
#include "sched/admission/lease.h"
#include "unit/face/support.h"
#include "worksteal/runtime.h"

_Static_assert(SVS__LEASE_NS >= SVS__TURN_NS, "a body takes a turn");

#define BACKGROUND 40u
#define MEETS 5u /* the background's body in which the other run begins */

static struct {
    support s;
    svs_graph *background, *frame;
    svs_task *frame_task;
    _Atomic(uint32_t) begun; /* bodies of the background */
    uint32_t begun_then, begun_before_frame;
    atomic_int met;
    svs_space *space; /* NULL: the footprints are empty */
} t;

typedef struct job {
    uint32_t number;
} job;

static void job_touch(svs_footprint *f, const job *j) {
    if (t.space) svs_writes_at(f, t.space, j->number);
}

/* The frame's item can be taken. The frame is the second run, so it has the second slot. */
static bool frame_waits(void) {
    svs__job *frame = svs__load_seq(&t.s.runtime->jobs.slots[1].job);
    return frame && frame->ready(frame);
}

static svs_status background_run(svs_context *context, job *j) {
    uint64_t begin = svs__time_ns();
    if (svs__fetch_add_relaxed(&t.begun, 1) + 1 == MEETS) {
        atomic_store(&t.met, 1);
        while (!frame_waits()) svs__yield();
        t.begun_then = svs__load_relaxed(&t.begun);
        begin = svs__time_ns();
    }
    while (svs__time_ns() - begin < SVS__LEASE_NS) svs__relax();
    return SVS_OK;
}
SVS_TASK(background, job, background_run, job_touch)

static svs_status frame_run(svs_context *context, job *j) {
    t.begun_before_frame = svs__load_relaxed(&t.begun);
    return SVS_OK;
}
SVS_TASK(frame, job, frame_run, job_touch)

static void *run_frame(void *argument) {
    if (support_comes(&t.met, 1)) support_run(t.frame, 1);
    return NULL;
}

static svs_graph *graph_of(svs_algorithm algorithm, const svs_task_type *type, uint32_t count,
                           uint32_t first) {
    job jobs[BACKGROUND];
    svs_graph *graph = support_graph_of(&t.s, algorithm);
    for (uint32_t i = 0; i < count; i++) jobs[i].number = first + i;
    support_ok(
        svs_graph_send(graph, support_itemizer(graph, type, NULL), jobs, count, sizeof *jobs));
    return graph;
}

static void open_runtime(bool declares) {
    memset(&t, 0, sizeof t);
    support_open(&t.s, 1);
    if (declares) support_ok(svs_space_new(t.s.world, "slots", BACKGROUND + 1, &t.space));
}

/* The items conflict with none, whether they declare anything or not. */
static void run_both(svs_algorithm background, svs_algorithm frame, bool declares) {
    pthread_t thread;
    open_runtime(declares);
    t.background = graph_of(background, &background_task, BACKGROUND, 0);
    t.frame = graph_of(frame, &frame_task, 1, BACKGROUND);
    assert_int_equal(pthread_create(&thread, NULL, run_frame, NULL), 0);
    support_run(t.background, 1);
    pthread_join(thread, NULL);
    assert_int_equal(svs__load_relaxed(&t.begun), BACKGROUND);
    assert_int_equal(t.begun_then, MEETS);
    assert_int_equal(t.begun_before_frame, MEETS);
    support_ok(svs_graph_free(t.background));
    support_ok(svs_graph_free(t.frame));
    if (declares) support_ok(svs_space_free(t.space));
    support_close(&t.s);
}

TEST_CASE(a_run_that_comes_later_waits_for_one_body) {
    for (svs_algorithm one = SVS_ALGORITHM_STAGED; one <= SVS_ALGORITHM_WINDOWED; one++)
        for (svs_algorithm other = SVS_ALGORITHM_STAGED; other <= SVS_ALGORITHM_WINDOWED; other++)
            run_both(one, other, false);
}

TEST_CASE(a_stage_of_the_lease_is_cut_short_when_another_run_begins) {
    for (svs_algorithm one = SVS_ALGORITHM_STAGED; one <= SVS_ALGORITHM_WINDOWED; one++)
        for (svs_algorithm other = SVS_ALGORITHM_STAGED; other <= SVS_ALGORITHM_WINDOWED; other++)
            run_both(one, other, true);
}

int main(void) { return run_cases(NULL, NULL); }
