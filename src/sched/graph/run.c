/* A run: iterations, one after the other, until the last has ended or something has failed. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/sized.h"
#include "memobj/world.h"
#include "sched/admission/memory.h"
#include "sched/domain/inbox.h"
#include "sched/domain/staged.h"
#include "sched/graph/check_hooks.h"
#include "sched/graph/prepare.h"
#include "sched/graph/refine.h"
#include "sched/graph/statistics.h"
#include "worksteal/watchdog.h"

/* ---- failure ---- */

static void report_record(svs_report *report, const svs__record *record) {
    const svs_task *task = svs__record_task(record);
    size_t size =
        task->type->item_size < sizeof report->item ? task->type->item_size : sizeof report->item;
    report->task = task->type->name;
    report->instance = record->order;
    memcpy(report->item, record + 1, size);
}

static void fail(const svs__record *record, svs_status status, const char *text) {
    svs__run *run = &svs__record_task(record)->graph->run;
    svs_runtime *runtime = run->graph->world->runtime;
    if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
    svs__lock_acquire(&run->lock);
    if (!run->report.status) {
        run->report.status = status;
        report_record(&run->report, record);
        (void)snprintf(run->report.text, sizeof run->report.text, "task %s: %s (%d): %s",
                       run->report.task, text, (int)status, svs_status_text(status));
    }
    /* relaxed: a worker that sees it late runs one more admitted instance. */
    svs__store_relaxed(&run->env.cancelled, 1);
    svs__lock_release(&run->lock);
}

/* ---- tasks open and end; under the lock ---- */

static void open_task(svs__run *run, svs_task *task) {
    SVS__ASSERT(svs__lock_is_held(&run->lock)); /* sched.T3 */
    /* sched.T1, sched.S3 */
    SVS__ASSERT(!svs__child_of(task)->open && !svs__child_of(task)->parents);
    svs__child_of(task)->open = true;
    svs__refine(run, task, &run->opened);
    if (task->itemizer) {
        svs__domain *domain = svs__task_domain(run, task);
        svs__domain_attach(domain, task);
    } else {
        svs__domain_offer(run->gate, task->record);
    }
}

static void drop_dependency(svs__run *run, svs_task *child) {
    SVS__ASSERT(svs__child_of(child)->parents); /* sched.T4 */
    if (--svs__child_of(child)->parents == 0) run->opened.items[run->opened.count++] = child;
}

static bool finish_locked(svs__run *run, svs_task *task, uint32_t count);

/* Opens the tasks of `opened`. An itemizer that no task can send to ends at once, and may open
 * others. */
static void open_all(svs__run *run) {
    for (uint32_t i = 0; i < run->opened.count; i++) {
        svs_task *task = run->opened.items[i];
        open_task(run, task);
        if (task->itemizer) (void)finish_locked(run, task, 1);
    }
    run->opened.count = 0;
}

static void end_task(svs__run *run, svs_task *task) {
    svs_task *child;
    SVS__ASSERT(svs__lock_is_held(&run->lock) && run->tasks_left); /* sched.T3 */
    run->tasks_left--;
    for (uint32_t i = 0; i < svs__node_of(task)->before.count; i++)
        drop_dependency(run, svs__node_of(task)->before.items[i]);
    for (uint32_t at = svs__node_of(task)->position;
         (child = svs__implicit_next(task, &at)) != NULL;)
        drop_dependency(run, child);
    for (uint32_t i = 0; i < svs__node_of(task)->sends.count; i++)
        (void)finish_locked(run, svs__node_of(task)->sends.items[i], 1);
}

/* @return whether the task has ended. */
static bool drop_outstanding(svs_task *task, uint32_t count) {
    /* acq_rel: the worker that ends the task sees the writes of all of its instances. */
    uint32_t outstanding = svs__fetch_sub_acq_rel(&task->outstanding, count);
    SVS__ASSERT(outstanding >= count); /* sched.T2 */
    return outstanding == count;
}

/* @return whether the task has ended. The recursion is as deep as the longest chain of itemizers
 * that are empty. */
static bool finish_locked(svs__run *run, svs_task *task, uint32_t count) {
    if (!drop_outstanding(task, count)) return false;
    end_task(run, task);
    return true;
}

/* ---- iterations ---- */

static void reset_task(svs_task *task) {
    uint32_t queued = svs__inbox_waiting(&task->inbox); /* sent from outside */
    *svs__child_of(task) = (svs__child){.parents = svs__node_of(task)->explicit_parents +
                                                   svs__node_of(task)->implicit_parents};
    svs__node_of(task)->parents_not_ready = svs__node_of(task)->implicit_parents;
    svs__node_of(task)->propagated = false;
    svs__store_relaxed(&task->attached, 0);
    svs__node_of(task)->domain = NULL;
    svs__implicit_reset(task);
    svs__store_relaxed(&task->outstanding, svs__node_of(task)->producers.count + 1 + queued);
    if (task->record) {
        task->record->order = svs__order(task->index, task->graph->run.env.iteration);
        task->record->note = 0;
        task->record->tries = 0;
    }
}

static void reset_domains(svs__run *run) {
    uint32_t count = svs__load_relaxed(&run->active_count);
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_relaxed(&run->active[i]);
        svs__lock_acquire(&domain->lock); /* a maker may still read its list */
        svs__store_relaxed(&domain->tasks, NULL);
        svs__domain_set_blocked(domain, false, 0);
        svs__pending_forget_freed(&domain->pending);
        SVS__ASSERT_SLOW(svs__pending_is_valid(&domain->pending)); /* sched.Q1 to sched.Q5 */
        svs__lock_release(&domain->lock);
    }
    svs__store_relaxed(&run->active[0], run->gate);
    svs__store_release(&run->active_count, 1);
}

/* @return whether the iteration has ended already, since nothing was to be done. */
static bool begin_iteration(svs__run *run) {
    svs_graph *graph = run->graph;
    bool ended;
    svs__lock_acquire(&run->lock);
    reset_domains(run);
    SVS__ASSERT(!run->tasks_left); /* sched.S3 */
    run->tasks_left = graph->tasks.count;
    for (uint32_t i = 0; i < graph->tasks.count; i++) reset_task(graph->tasks.items[i]);
    for (uint32_t i = 0; i < graph->ordered.count; i++)
        if (run->children[i].parents == 0)
            run->opened.items[run->opened.count++] = graph->ordered.items[i];
    open_all(run);
    ended = run->tasks_left == 0;
    svs__lock_release(&run->lock);
    svs__runtime_notify(graph->world->runtime, UINT32_MAX);
    return ended;
}

/* The iteration has ended: quiesces, and begins the next, or ends the run. */
static void advance(svs__run *run, svs__worker *worker) {
    do {
        svs__world_quiesce(run->graph->world, worker);
        if (SVS__UNLIKELY(run->env.watched != NULL)) svs__watched_iteration_end(run);
        if (svs__env_cancelled(&run->env) || ++run->env.iteration == run->iterations) {
            /* release: the caller that sees it sees all that the run did. */
            svs__store_release(&run->done, 1);
            svs__runtime_complete(run->graph->world->runtime);
            return;
        }
    } while (begin_iteration(run));
}

static void finish(svs_task *task, uint32_t count, svs__worker *worker) {
    svs__run *run = &task->graph->run;
    bool ended;
    if (!drop_outstanding(task, count)) return;
    svs__lock_acquire(&run->lock);
    end_task(run, task);
    open_all(run);
    ended = run->tasks_left == 0;
    svs__lock_release(&run->lock);
    if (ended) advance(run, worker);
    else svs__runtime_notify(run->graph->world->runtime, UINT32_MAX);
}

/* ---- the source ---- */

#define STREAK_BITS 4u /* 2^4 steps of a worker begin at the same domain, for warm caches */

static bool step(svs__source *source, svs__worker *worker) {
    svs__run *run = (svs__run *)(void *)source;
    svs_context *context = svs__context_of(&run->env, worker);
    uint32_t count = svs__load_acquire(&run->active_count);
    uint32_t first = worker->index + (context->steps++ >> STREAK_BITS);
    if (SVS__UNLIKELY(context->claimed.count)) {
        svs__stage_run_claimed(context);
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_acquire(&run->active[(i + first) % count]);
        if (domain->algorithm->step(domain, worker)) return true;
    }
    return false;
}

static bool ready(svs__source *source) {
    svs__run *run = (svs__run *)(void *)source;
    uint32_t count = svs__load_acquire(&run->active_count);
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_acquire(&run->active[i]);
        if (domain->algorithm->ready(domain)) return true;
    }
    return false;
}

static bool is_done(void *argument) {
    svs__run *run = argument;
    return svs__load_acquire(&run->done) != 0;
}

/* The task and the order name the instance. Both are read while they may change: the watchdog waits
 * until they stay the same for long. The task lives as long as the graph. */
static void tells(svs__source *source, svs__worker *worker, svs__activity *activity) {
    svs__run *run = (svs__run *)(void *)source;
    svs_context *context = svs__context_of(&run->env, worker);
    svs_task *task = svs__load_relaxed(&context->task);
    if (!task) {
        svs__watchdog_asyncs(worker, run, "asyncs of a body in graph", run->graph->name, activity);
        return;
    }
    if (svs__load_relaxed(&worker->stretch) == SVS__IN_WAIT) return;
    *activity = (svs__activity){task, svs__load_relaxed(SVS__HOLDER_ORDER(&context->holder)),
                                "task", task->type->name};
}

/* ---- the call ---- */

/* In the child of a fork from a body: the body fails whatever it returns, and the child ends. */
static void mark_forked(void) {
    svs__holder *holder = svs__holder_self();
    if (holder) svs__store_relaxed(&holder->status, SVS_E_FORKED); /* relaxed: it is alone */
}

static void clear_run(svs__run *run, uint32_t iterations) {
    run->env.number++;
    run->env.iteration = 0;
    run->iterations = iterations;
    memset(&run->report, 0, sizeof run->report);
    svs__store_relaxed(&run->env.cancelled, 0);
    svs__store_relaxed(&run->done, 0);
    /* Before workers see the run: a domain of the last run would take items sent since. */
    reset_domains(run);
}

static svs_status run_attached(svs__run *run) {
    svs_world *world = run->graph->world;
    svs__world_enter(world);
    if (begin_iteration(run)) advance(run, NULL);
    svs__runtime_participate(world->runtime, is_done, run);
    if (svs__runtime_is_forked(world->runtime)) svs__runtime_end_child(world->runtime);
    svs__runtime_detach(world->runtime, &run->source);
    /* sched.A2, unless another run is inside, which may hold something. */
    SVS__ASSERT_SLOW(svs__admission_is_empty(run->env.admission) ||
                     svs__load_seq(&world->runs) > 1);
    svs__world_leave(world);
    svs__world_quiesce(world, NULL);
    return run->report.status;
}

static const svs__reports reports = {finish, fail};

static svs_status run_prepared(svs_graph *graph, uint32_t iterations) {
    svs__run *run = &graph->run;
    svs_graph_statistics before, after;
    svs_status status;
    bool attached = false;
    run->source = (svs__source){step, ready, tells};
    run->env.reports = &reports;
    svs__process_on_fork(mark_forked);
    clear_run(run, iterations);
    svs__watched_run_begin(run);
    status = svs__runtime_attach(graph->world->runtime, &run->source);
    if (!status) {
        svs__statistics_sum(graph, &before);
        status = run_attached(run);
        attached = true;
    }
    if (SVS__UNLIKELY(run->env.watched != NULL)) svs__watched_run_end(run);
    if (!attached) return status;
    svs__statistics_sum(graph, &after);
    svs__statistics_tell_narrow(run, &before, &after);
    return status;
}

/* Fills the caller's `size` bytes of a report in, and the log. @return `status`. */
static svs_status answer(svs_graph *graph, svs_status status, svs_report *own, svs_report *report,
                         size_t size) {
    if (!status) *own = (svs_report){0};
    own->status = status;
    if (status && !own->text[0])
        (void)snprintf(own->text, sizeof own->text, "%s", svs_status_text(status));
    if (report) svs__output_put(report, size, own, sizeof *own);
    if (status < 0)
        svs__log_write(graph->world->log, SVS_LOG_ERROR, "svs_graph_run(%s): %s: %s", graph->name,
                       svs_status_name(status), own->text);
    return status;
}

/* Whether the caller may run the graph at all; else `own` says why not. */
static svs_status check_caller(svs_graph *graph, svs_report *own) {
    if (svs__world_is_forked(graph->world)) return SVS_E_FORKED;
    if (svs__holder_self()) return SVS_E_NESTED;
    if (!svs__worker_is_within(graph->world->runtime)) return SVS_OK;
    (void)snprintf(own->text, sizeof own->text,
                   svs__worker_self()->runtime == graph->world->runtime
                       ? "it was run from an async of the same runtime: run it from outside"
                       : "it was run from an async that an async of the same runtime waits for: "
                         "run it from outside of both");
    return SVS_E_NESTED;
}

svs_status svs_graph_run_sized(svs_graph *graph, uint32_t iterations, svs_report *report,
                               size_t size) {
    svs_report own = {0};
    uint32_t idle = 0;
    svs_status status;
    if (!graph) return svs__refuse(NULL, SVS_E_NULL, "svs_graph_run: no graph: pass one");
    status = check_caller(graph, &own);
    if (status) return answer(graph, status, &own, report, size);
    if (!svs__cas_strong_acq_rel(&graph->running, &idle, 1)) {
        (void)snprintf(own.text, sizeof own.text, "it runs already: wait for the end of that run");
        return answer(graph, SVS_E_BUSY, &own, report, size);
    }
    status = svs__graph_prepare(graph, &own);
    if (!status && iterations) {
        status = run_prepared(graph, iterations);
        if (graph->run.report.status) own = graph->run.report;
        else if (status == SVS_E_LIMIT)
            (void)snprintf(own.text, sizeof own.text,
                           "64 runs are going on in the runtime: wait for the end of one of them");
    }
    svs__store_release(&graph->running, 0);
    return answer(graph, status, &own, report, size);
}
