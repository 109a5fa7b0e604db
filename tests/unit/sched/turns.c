/* Two runs on one worker: the one that comes later has its turn when the body that runs has ended
 * (worksteal.Q4). Bodies are counted, not timed. */
#include "unit/face/support.h"
#include "worksteal/runtime.h"

#define BACKGROUND 40u
#define MEETS 5u /* the background's body in which the other run begins */

static struct {
    support s;
    svs_graph *background, *frame;
    svs_task *frame_task;
    _Atomic(uint32_t) begun; /* bodies of the background */
    uint32_t begun_then, begun_before_frame;
    atomic_int met;
} t;

typedef struct job {
    uint32_t number;
} job;

static void job_touch(svs_footprint *f, const job *j) { (void)f, (void)j; }

/* The frame's item can be taken. The frame is the second run, so it has the second slot. */
static bool frame_waits(void) {
    svs__source *frame = svs__load_seq(&t.s.runtime->sources.slots[1].source);
    return frame && frame->ready(frame);
}

static svs_status background_run(svs_context *context, job *j) {
    uint64_t begin = svs__time_ns();
    if (svs__fetch_add_relaxed(&t.begun, 1) + 1 == MEETS) {
        atomic_store(&t.met, 1);
        while (!frame_waits()) svs__yield();
        t.begun_then = svs__load_relaxed(&t.begun);
    }
    while (svs__time_ns() - begin < SVS__TURN_NS) svs__relax();
    return SVS_OK;
}
SVS_TASK_NAMED(background, job, background_run, job_touch)

static svs_status frame_run(svs_context *context, job *j) {
    t.begun_before_frame = svs__load_relaxed(&t.begun);
    return SVS_OK;
}
SVS_TASK_NAMED(frame, job, frame_run, job_touch)

static void *run_frame(void *argument) {
    if (support_comes(&t.met, 1)) support_run(t.frame, 1);
    return NULL;
}

static svs_graph *graph_of(svs_algorithm algorithm, const svs_task_type *type, uint32_t count) {
    job jobs[BACKGROUND] = {{0}};
    svs_graph *graph;
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    support_ok(svs_graph_new(t.s.world, &options, &graph));
    support_ok(
        svs_graph_send(graph, support_itemizer(graph, type, NULL), jobs, count, sizeof *jobs));
    return graph;
}

static void run_both(svs_algorithm background, svs_algorithm frame) {
    pthread_t thread;
    memset(&t, 0, sizeof t);
    support_open(&t.s, 1);
    t.background = graph_of(background, &background_task, BACKGROUND);
    t.frame = graph_of(frame, &frame_task, 1);
    assert_int_equal(pthread_create(&thread, NULL, run_frame, NULL), 0);
    support_run(t.background, 1);
    pthread_join(thread, NULL);
    assert_int_equal(svs__load_relaxed(&t.begun), BACKGROUND);
    assert_int_equal(t.begun_then, MEETS);
    assert_int_equal(t.begun_before_frame, MEETS);
    support_ok(svs_graph_free(t.background));
    support_ok(svs_graph_free(t.frame));
    support_close(&t.s);
}

TEST_CASE(a_run_that_comes_later_waits_for_one_body) {
    for (svs_algorithm one = SVS_ALGORITHM_STAGED; one <= SVS_ALGORITHM_PROGRESSIVE; one++)
        for (svs_algorithm other = SVS_ALGORITHM_STAGED; other <= SVS_ALGORITHM_PROGRESSIVE;
             other++)
            run_both(one, other);
}

int main(void) { return run_cases(NULL, NULL); }
