/* Iterations of a run, in sequence, until the last has ended or a body has failed. */
#include "sched/graph/iteration.h"

#include "base/check.h"
#include "base/program.h"
#include "memobj/world.h"
#include "sched/domain/queue/inbox.h"
#include "sched/graph/active.h"
#include "sched/graph/check_hooks.h"
#include "sched/graph/ends.h"
#include "sched/graph/failure.h"

/* Counts the references of sources and producers, and the items that were sent before the
 * iteration. */
static void begin_items(svs_task *task) {
    svs__run *run = &task->graph->run;
    uint32_t sources = svs__node_of(task)->sources;
    svs__inbox_begin(task, svs__node_of(task)->references + sources);
    svs__store_relaxed(&run->sources, svs__load_relaxed(&run->sources) + sources); /* sched.R1 */
}

static void reset_task(svs_task *task) {
    *svs__child_of(task) = (svs__child){.parents = svs__node_of(task)->explicit_parents +
                                                   svs__node_of(task)->implicit_parents};
    svs__node_of(task)->parents_not_ready = svs__node_of(task)->implicit_parents;
    svs__node_of(task)->propagated = false;
    svs__store_relaxed(&task->attached, 0);
    svs__node_of(task)->domain = NULL;
    svs__implicit_reset(task);
    /* sched.T2: no cycle has a member before its lead. */
    SVS__ASSERT(task->lead != task || !svs__load_relaxed(&task->outstanding));
    if (task->itemizer) begin_items(task);
    if (task->item) {
        svs__store_relaxed(&task->outstanding, 1);
        svs__batch_clear(svs__batch_of(task->item));
        svs__batch_note_sent(svs__batch_of(task->item), 0,
                             svs__order_seed(task->index, task->graph->run.env.iteration));
    }
}

/* Begins an iteration. @return whether it has ended already because there was nothing to do. */
static bool begin_iteration(svs__run *run) {
    svs_graph *graph = run->graph;
    bool ended;
    svs__lock_acquire(&run->lock);
    svs__active_begin(run);
    SVS__ASSERT(!run->tasks_left); /* sched.S3 */
    run->tasks_left = graph->tasks.count;
    run->iteration = run->env.iteration;
    svs__store_relaxed(&run->sources, 0); /* relaxed is enough, here and below: the lock is held */
    for (uint32_t i = 0; i < graph->tasks.count; i++) reset_task(graph->tasks.items[i]);
    for (uint32_t i = 0; i < graph->ordered.count; i++)
        if (run->children[i].parents == 0)
            run->opened.items[run->opened.count++] = graph->ordered.items[i];
    svs__tasks_open(run);
    ended = run->tasks_left == 0;
    svs__lock_release(&run->lock);
    svs__runtime_notify(graph->world->runtime, UINT32_MAX);
    /* The graph may have changed, so that a waiting sender's task is in another cycle than
     * before. */
    if (svs__load_seq(&run->room_wanted)) svs__run_tell_room(run);
    return ended;
}

/* Completes the run. The run's memory may be freed at any time after that. */
void svs__run_done(svs__run *run) {
    svs_runtime *runtime = run->graph->world->runtime;
    const svs__at_end *at_end = &run->at_end;
    if (at_end->call != NULL) {
        svs_report report = svs__run_report(run);
        SVS__PROGRAM_CALL((void), at_end->call(run->graph, report.status, at_end->argument));
    }
    /* release: a thread that sees `done` sees all writes of the run. */
    svs__store_release(&run->done, 1);
    svs__runtime_complete(runtime);
}

/* Called when an iteration has ended: quiesces, then begins the next iteration or ends the run. */
static void advance(svs__run *run, svs__worker *worker) {
    do {
        svs__world_quiesce(run->graph->world, worker);
        if (SVS__UNLIKELY(run->env.watched != NULL)) svs__watched_iteration_end(run);
        if (svs__env_cancelled(&run->env) || ++run->env.iteration == run->iterations) {
            svs__run_done(run);
            return;
        }
    } while (begin_iteration(run));
}

void svs__run_first(svs__run *run) {
    if (begin_iteration(run)) advance(run, NULL);
}

void svs__run_go_on(svs__run *run, svs__worker *worker) {
    bool ended;
    svs__tasks_open(run);
    ended = run->tasks_left == 0;
    svs__lock_release(&run->lock);
    if (ended) advance(run, worker);
    else svs__runtime_notify(run->graph->world->runtime, UINT32_MAX);
}

void svs__run_ended(svs_task *task, uint32_t count, svs__worker *worker) {
    svs__run *run = &task->graph->run;
    if (!svs__task_drop(task, count)) return;
    svs__lock_acquire(&run->lock);
    svs__tasks_end(run, task);
    svs__run_go_on(run, worker);
}
