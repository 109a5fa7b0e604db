/* What the watchdog asks a run, by a thread that nothing tells of what workers do: the program
 * accesses only relaxed atomics here, so that ThreadSanitizer sees each plain access of the sample.
 * */
#include "sched/graph/graph.h"
#include "unit/face/support.h"
#include "worksteal/runtime.h"

#define STOPS 12u

typedef struct stop {
    bool first;       /* sends the others, and does not stop */
    char rest[17000]; /* one fills a batch, so that the send makes as many */
} stop;

static svs_task *stops;
static stop items[STOPS];
static _Atomic(uint32_t) begun, released, at_worker;

static void stop_touch(svs_footprint *f, const stop *i) {
    (void)i;
    svs_writes(f, &stops);
}

static svs_status stop_run(svs_context *context, stop *i) {
    uint32_t number = svs__load_relaxed(&begun);
    if (i->first) return svs_send(context, stops, items, STOPS, sizeof *items);
    svs__store_relaxed(&at_worker, svs_worker_index());
    svs__store_relaxed(&begun, number + 1);
    while (svs__load_relaxed(&released) <= number) sched_yield();
    return SVS_OK;
}
SVS_TASK(stop, stop_run, stop_touch)

static svs__activity sample(support *s, svs_graph *graph) {
    svs__activity activity = {NULL, 0, NULL, NULL};
    svs__job *job = &graph->run.job;
    job->tells(job, &s->runtime->workers[svs__load_relaxed(&at_worker)], &activity);
    return activity;
}

static void sample_all(support *s, svs_graph *graph) {
    uint64_t at[STOPS];
    for (uint32_t i = 0; i < STOPS; i++) {
        svs__activity activity;
        while (svs__load_relaxed(&begun) <= i) sched_yield();
        activity = sample(s, graph);
        at[i] = activity.at;
        assert_ptr_equal(activity.what, stops);
        assert_string_equal(activity.name, "stop");
        assert_int_equal(sample(s, graph).at, at[i]);
        for (uint32_t other = 0; other < i; other++) assert_int_not_equal(at[other], at[i]);
        svs__store_relaxed(&released, i + 1);
    }
}

SUPPORT_CASE(a_sample_tells_instances_apart_and_reads_no_batch, 2) {
    SUPPORT_EACH_ALGORITHM(a) {
        static const stop first = {.first = true};
        svs_graph *graph = support_graph_of(s, a);
        stops = support_itemizer(graph, &stop_task, NULL);
        support_ok(svs_graph_add_flow(graph, stops, stops));
        svs__store_relaxed(&begun, 0);
        svs__store_relaxed(&released, 0);
        support_ok(svs_graph_send(graph, stops, &first, 1, sizeof first));
        support_ok(svs_graph_begin(graph, 1, NULL, NULL));
        sample_all(s, graph);
        support_ok(svs_graph_wait(graph, UINT64_MAX, NULL));
        support_ok(svs_graph_free(graph));
    }
}

int main(void) { return run_cases(NULL, NULL); }
