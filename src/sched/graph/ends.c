/* Tasks open and end (node.h, sched.T1 to sched.T7). */
#include "sched/graph/ends.h"

#include "base/check.h"
#include "sched/domain/progressive/pinned.h"
#include "sched/domain/queue/inbox.h"
#include "sched/graph/active.h"
#include "sched/graph/refine.h"

/* Whether the task's instances are scheduled in the task's own domain. Those of most transforms are
 * scheduled in the gate. */
static bool has_domain(const svs_task *task) { return task->itemizer || svs__task_is_pinned(task); }

/* Opens a task. An itemizer is only attached here, and opens together with the others of its
 * domain. */
static void open_task(svs__run *run, svs_task *task) {
    svs__domain *domain = run->gate;
    SVS__ASSERT(svs__lock_is_held(&run->lock)); /* sched.T3 */
    /* sched.T1, sched.S3 */
    SVS__ASSERT(!svs__child_of(task)->open && !svs__child_of(task)->parents);
    svs__child_of(task)->open = true;
    svs__refine(run, task, &run->opened);
    if (has_domain(task)) domain = svs__task_domain(run, task);
    if (task->itemizer) {
        svs__domain_attach(domain, task);
        return;
    }
    if (domain != run->gate) svs__active_open(run, domain);
    svs__domain_offer(domain, svs__record_of(task->item));
}

static void drop_dependency(svs__run *run, svs_task *child) {
    SVS__ASSERT(svs__child_of(child)->parents); /* sched.T4 */
    if (--svs__child_of(child)->parents == 0) run->opened.items[run->opened.count++] = child;
}

bool svs__task_drop(svs_task *task, uint64_t amount) {
    svs__run *run = &task->graph->run;
    /* seq_cst includes acq_rel, so that the worker that ends the task sees the writes of all of its
     * instances. Together with the load below, it pairs with want_room() of a waiting sender
     * (sched.R3). */
    uint64_t outstanding = svs__fetch_sub_seq(&task->lead->outstanding, amount);
    SVS__ASSERT(outstanding >= amount);                     /* sched.T2, sched.T7 */
    SVS__ASSERT((uint32_t)outstanding >= (uint32_t)amount); /* sched.T2 */
    if (SVS__UNLIKELY(svs__load_seq(&run->room_wanted) > (uint32_t)(outstanding - amount)))
        svs__run_tell_room(run);
    return outstanding == amount;
}

void svs__run_tell_room(svs__run *run) {
    svs__store_seq(&run->room_wanted, 0); /* a sender that continues to wait raises it again */
    svs__parking_wake(&run->room, UINT32_MAX);
}

static void drop_reference(svs__run *run, svs_task *task) {
    if (svs__task_drop(task, SVS__REFERENCE)) svs__tasks_end(run, task);
}

/* Opens the tasks of run.opened that begin with number `from`, and those that their refinement
 * appends. */
static void open_from(svs__run *run, uint32_t from) {
    for (uint32_t i = from; i < run->opened.count; i++) open_task(run, run->opened.items[i]);
    for (uint32_t i = from; i < run->opened.count; i++) {
        svs_task *task = run->opened.items[i];
        if (!task->itemizer) continue;
        svs__domain_open(svs__node_of(task)->domain);
        svs__active_open(run, svs__node_of(task)->domain);
    }
}

void svs__tasks_open(svs__run *run) {
    for (uint32_t from = 0, to; from < run->opened.count; from = to) {
        open_from(run, from);
        to = run->opened.count;
        for (uint32_t i = from; i < to; i++)
            if (run->opened.items[i]->itemizer) drop_reference(run, run->opened.items[i]);
    }
    run->opened.count = 0;
}

/* Whether a worker runs an instance of the task. relaxed is enough: after an instance, its worker
 * calls svs__task_drop(), which orders the accesses. */
static bool runs(const svs__run *run, const svs_task *task) {
    for (uint32_t i = 0; i < run->env.context_count; i++)
        if (svs__load_relaxed(&run->env.contexts[i]->task) == task) return true;
    return false;
}

/* Ends a task. Inserts the leads of the tasks that end as a consequence at the head of the list
 * `ended`. */
static void end_one(svs__run *run, svs_task *task, svs_task **ended) {
    svs_task *child;
    SVS__ASSERT(!runs(run, task));                             /* sched.T2, sched.T7 */
    SVS__ASSERT(svs__lock_is_held(&run->lock));                /* sched.T3 */
    SVS__ASSERT(svs__child_of(task)->open && run->tasks_left); /* sched.T2, sched.T7 */
    run->tasks_left--;
    if (has_domain(task)) svs__active_end(run, svs__node_of(task)->domain);
    for (uint32_t i = 0; i < svs__node_of(task)->before.count; i++)
        drop_dependency(run, svs__node_of(task)->before.items[i]);
    for (uint32_t at = svs__node_of(task)->position;
         (child = svs__implicit_next(task, &at)) != NULL;)
        drop_dependency(run, child);
    for (uint32_t i = 0; i < svs__node_of(task)->sends.count; i++) {
        svs_task *consumer = svs__node_of(task)->sends.items[i];
        if (consumer->lead == task->lead) continue; /* sched.T7 */
        if (!svs__task_drop(consumer, SVS__REFERENCE)) continue;
        svs__node_of(consumer->lead)->next_ended = *ended;
        *ended = consumer->lead;
    }
}

/* It uses a list instead of a recursion, because a chain of empty itemizers may be as long as the
 * graph, and a worker's stack is short. */
void svs__tasks_end(svs__run *run, svs_task *task) {
    svs_task *ended = task->lead;
    svs__node_of(ended)->next_ended = NULL;
    while (ended) {
        svs_task *one = ended;
        ended = svs__node_of(one)->next_ended;
        for (; one; one = svs__node_of(one)->next_of_lead) end_one(run, one, &ended);
    }
}
