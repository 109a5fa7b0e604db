/* svs_graph_run(), and its two halves, svs_graph_begin() and svs_graph_wait(). */
#include <stdio.h>

#include "base/check.h"
#include "base/sized.h"
#include "memobj/world.h"
#include "sched/graph/failure.h"
#include "sched/graph/prepare.h"
#include "sched/graph/run.h"
#include "sched/graph/step.h"
#include "worksteal/runtime.h"

/* ---- answers ---- */

/* Fills in the first `size` bytes of the caller's report. If the status is one of the library's,
 * logs a line with the given level. @return `status`. */
static svs_status answer_at(svs_graph *graph, int level, const char *call, svs_status status,
                            svs_report *own, svs_report *report, size_t size) {
    if (!status) *own = (svs_report){0};
    own->status = status;
    if (status && !own->text[0])
        (void)snprintf(own->text, sizeof own->text, "%s", svs_status_text(status));
    if (report) svs__output_put(report, size, own, sizeof *own);
    if (status < 0)
        svs__log_write(graph->world->log, level, "%s(%s): %s: %s", call, graph->name,
                       svs_status_name(status), own->text);
    return status;
}

static svs_status answer(svs_graph *graph, const char *call, svs_status status, svs_report *own,
                         svs_report *report, size_t size) {
    return answer_at(graph, SVS_LOG_ERROR, call, status, own, report, size);
}

/* Whether the caller may run the graph, or wait for it. If not, `own` says why. */
static svs_status check_caller(svs_graph *graph, svs_report *own) {
    if (svs__world_is_forked(graph->world)) return SVS_E_FORKED;
    if (svs__holder_self()) return SVS_E_NESTED;
    if (!svs__worker_is_within(graph->world->runtime)) return SVS_OK;
    (void)snprintf(
        own->text, sizeof own->text,
        svs__worker_self()->runtime == graph->world->runtime
            ? "the graph was run from an async of its own runtime: run it from a thread outside"
            : "the graph was run from an async that an async of its runtime waits for: "
              "run it from outside of both");
    return SVS_E_NESTED;
}

/* ---- begin and end ---- */

/* Changes `running` to `state` and begins the run. */
static svs_status begin(svs_graph *graph, uint32_t iterations, uint32_t state, svs__at_end at_end,
                        svs_report *own) {
    uint32_t idle = SVS__IDLE;
    svs_status status = check_caller(graph, own);
    if (status) return status;
    if (!svs__cas_strong_acq_rel(&graph->running, &idle, state)) { /* sched.T5 */
        (void)snprintf(own->text, sizeof own->text,
                       idle == SVS__RUNS ? "it runs already: wait for the end of that run"
                       : state == SVS__RUNS
                           ? "an earlier run was not waited for: call svs_graph_wait() first"
                           : "it was begun already: wait with svs_graph_wait()");
        return SVS_E_BUSY;
    }
    status = svs__graph_prepare(graph, own);
    if (!status) status = svs__run_begin(graph, iterations, at_end);
    if (status == SVS_E_LIMIT)
        (void)snprintf(own->text, sizeof own->text,
                       "64 runs are going on in the runtime: wait for the end of one of them");
    if (status) svs__store_release(&graph->running, SVS__IDLE);
    return status;
}

/* Ends a run whose work is done, and fills in the report. @return the status of the run, for the
 * public function `call` to return. */
static svs_status end(svs_graph *graph, const char *call, svs_report *report, size_t size) {
    svs_report own;
    int level;
    svs__run_end(graph);
    own = svs__run_report(&graph->run);
    /* A cancel by the program is not an error. */
    level = graph->run.asked_to_end ? SVS_LOG_INFO : SVS_LOG_ERROR;
    svs__store_release(&graph->running, SVS__IDLE);
    return answer_at(graph, level, call, own.status, &own, report, size);
}

/* The arguments of a wait for the end of a run or for the deadline, during which the thread
 * works. */
typedef struct wait {
    svs__run *run;
    uint64_t deadline_ns;
} wait;

static bool is_over(void *argument) {
    const wait *w = argument;
    return svs__run_is_done(w->run) ||
           (w->deadline_ns != SVS__NO_DEADLINE && svs__time_ns() >= w->deadline_ns);
}

static bool needs_seat(void *argument) {
    return svs__run_needs_runner(((const wait *)argument)->run);
}

static void wait_until(svs_graph *graph, uint64_t deadline_ns) {
    svs__run *run = &graph->run;
    wait w = {run, deadline_ns};
    const svs__until until = {is_over, &w, false, deadline_ns, run->pinned ? needs_seat : NULL};
    svs__runtime_participate_until(graph->world->runtime, &until);
}

svs_status svs_graph_run_sized(svs_graph *graph, uint32_t iterations, svs_report *report,
                               size_t size) {
    static const char call[] = "svs_graph_run";
    svs_report own = {0};
    svs_status status;
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "%s: no graph: pass one", call);
    status = begin(graph, iterations, SVS__RUNS, (svs__at_end){NULL, NULL}, &own);
    if (status) return answer(graph, call, status, &own, report, size);
    wait_until(graph, SVS__NO_DEADLINE);
    if (svs__runtime_is_forked(graph->world->runtime))
        svs__runtime_end_child(graph->world->runtime);
    return end(graph, call, report, size);
}

svs_status svs_graph_begin(svs_graph *graph, uint32_t iterations, svs_graph_ended_function *ended,
                           void *argument) {
    svs_report own = {0};
    svs_status status;
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "svs_graph_begin: no graph: pass one");
    status = begin(graph, iterations, SVS__BEGUN, (svs__at_end){ended, argument}, &own);
    return answer(graph, "svs_graph_begin", status, &own, NULL, 0);
}

/* ---- waiting ---- */

static svs_status check_begun(svs_graph *graph, svs_report *own) {
    uint32_t state = svs__load_acquire(&graph->running);
    if (state == SVS__BEGUN) return SVS_OK;
    (void)snprintf(own->text, sizeof own->text,
                   state == SVS__IDLE ? "no run of it was begun: call svs_graph_begin()"
                                      : "it runs in svs_graph_run(): that call gives its status");
    return SVS_E_STATE;
}

svs_status svs_graph_wait_sized(svs_graph *graph, uint64_t ns_max, svs_report *report,
                                size_t size) {
    static const char call[] = "svs_graph_wait";
    svs_report own = {0};
    svs_status status;
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "%s: no graph: pass one", call);
    status = check_caller(graph, &own);
    if (!status) status = check_begun(graph, &own);
    if (status) return answer(graph, call, status, &own, report, size);
    /* relaxed is enough: this thread takes a seat before it steps */
    svs__store_relaxed(&graph->run.env.runner, svs__thread_id());
    wait_until(graph, svs__deadline_after(ns_max));
    if (!svs__run_is_done(&graph->run)) return SVS_E_BUSY;
    return end(graph, call, report, size);
}

svs_status svs_graph_set_priority(svs_graph *graph, int32_t priority) {
    svs__run *run;
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "svs_graph_set_priority: no graph: pass one");
    if (svs__world_is_forked(graph->world)) return SVS_E_FORKED;
    run = &graph->run;
    /* relaxed is enough: the next call takes a lock */
    svs__store_relaxed(&run->priority, priority);
    svs__runtime_prioritize(graph->world->runtime, &run->job, &run->priority);
    return SVS_OK;
}

svs_status svs_graph_cancel(svs_graph *graph, svs_status status) {
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "svs_graph_cancel: no graph: pass one");
    if (svs__world_is_forked(graph->world)) return SVS_E_FORKED;
    if (svs__load_acquire(&graph->running) == SVS__IDLE ||
        !svs__run_cancel(&graph->run, status ? status : SVS_E_CANCELLED))
        return SVS_E_STATE;
    svs__runtime_notify(graph->world->runtime, UINT32_MAX);
    return SVS_OK;
}
