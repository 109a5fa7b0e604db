#include "sched/graph/source.h"

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/queue/inbox.h"
#include "sched/graph/ends.h"
#include "sched/graph/iteration.h"
#include "sched/graph/refusals.h"

struct svs_source {
    svs_task *task;
    uint32_t limit;
    uint32_t shut; /* the value of the inbox's `shut` when the source was made (sched.R2) */
};

static svs_status refuse_source(const svs_task *task, const char *call, svs_status status,
                                const char *why) {
    return svs__refuse(task->world->log, status, "%s to %s: %s", call, task->type->name, why);
}

/* ---- making and freeing ---- */

static svs_status check_new(const svs_task *task, svs_source **source) {
    static const char call[] = "svs_source_new";
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: name the consumer", call);
    if (!source)
        return refuse_source(task, call, SVS_E_NULL,
                             "no place for the source: pass a pointer's address");
    if (!task->itemizer)
        return refuse_source(
            task, call, SVS_E_INVALID,
            "the task is a transform, which receives nothing: make it an itemizer");
    if (svs__world_is_forked(task->world))
        return refuse_source(task, call, SVS_E_FORKED, svs_status_text(SVS_E_FORKED));
    return SVS_OK;
}

/* Adds a reference to the task, if an iteration is in progress (sched.R1). The caller holds
 * run.lock. */
static svs_status refer(svs__run *run, svs_task *task) {
    uint64_t outstanding = svs__load_relaxed(&task->lead->outstanding);
    if (!run->tasks_left) return SVS_OK; /* the next iteration will count the source */
    if (svs__env_cancelled(&run->env)) return SVS_E_CANCELLED;
    do
        if (!outstanding) return SVS_E_STATE;
    /* relaxed is enough: as in svs_send(), a count that is not 0 keeps the task from ending. */
    while (!svs__cas_weak_relaxed(&task->lead->outstanding, &outstanding,
                                  outstanding + SVS__REFERENCE));
    (void)svs__fetch_add_relaxed(&run->sources, 1);
    return SVS_OK;
}

/* Opens a source. The caller holds run.lock. */
static svs_status open_source(svs_source *source) {
    svs_task *task = source->task;
    svs_status status = refer(&task->graph->run, task);
    if (status) return status;
    source->shut = task->inbox.shut; /* run.lock is held, under which it changes */
    svs__node_of(task)->sources++;
    task->graph->sources++;
    return SVS_OK;
}

svs_status svs_source_new(svs_task *task, uint32_t limit, svs_source **source) {
    svs_source *made;
    svs_status status;
    if (source) *source = NULL;
    status = check_new(task, source);
    if (status) return status;
    made = svs__allocate_zeroed(task->world->allocator, sizeof *made, _Alignof(svs_source));
    if (!made) return SVS_E_NO_MEMORY;
    made->task = task;
    made->limit = limit && limit < SVS__SEND_MAX ? limit : (uint32_t)SVS__SEND_MAX;
    svs__lock_acquire(&task->graph->run.lock);
    status = open_source(made);
    svs__lock_release(&task->graph->run.lock);
    if (!status) {
        *source = made;
        return SVS_OK;
    }
    svs__release(task->world->allocator, made, sizeof *made, _Alignof(svs_source));
    return refuse_source(task, "svs_source_new", status,
                         status == SVS_E_STATE
                             ? "the task has ended in this iteration: make the source "
                               "before the run, or while the task has another one"
                             : svs_status_text(status));
}

/* Gives back the references of `count` sources. `shuts`: the sources are shut. The caller holds
 * run.lock. @return whether the task has ended. */
static bool drop_references(svs_task *task, uint32_t count, bool shuts) {
    svs__inbox *inbox = &task->inbox;
    bool rouses;
    svs__lock_acquire(&inbox->lock);
    svs__inbox_count_in(task); /* sched.I7 */
    inbox->shut += shuts;
    rouses = svs__inbox_rouse(inbox, true); /* sched.I9 */
    svs__lock_release(&inbox->lock);
    if (rouses) svs__inbox_wake(inbox);
    return svs__task_drop(task, count * SVS__REFERENCE);
}

/* Gives back the reference of a source. The caller holds run.lock. @return whether the task has
 * ended. */
static bool close_source(const svs_source *source) {
    svs_task *task = source->task;
    svs__run *run = &task->graph->run;
    SVS__ASSERT(task->graph->sources); /* sched.R1 */
    task->graph->sources--;
    /* sched.R2: the source has given it back already */
    if (task->inbox.shut != source->shut) return false;
    SVS__ASSERT(svs__node_of(task)->sources); /* sched.R1 */
    svs__node_of(task)->sources--;
    if (!run->tasks_left) return false;
    (void)svs__fetch_sub_relaxed(&run->sources, 1);
    return drop_references(task, 1, false);
}

svs_status svs_source_free(svs_source *source) {
    svs_task *task;
    svs_graph *graph;
    if (!source) return SVS_OK;
    task = source->task;
    graph = task->graph;
    if (svs__world_is_forked(task->world))
        return refuse_source(task, "svs_source_free", SVS_E_FORKED, svs_status_text(SVS_E_FORKED));
    svs__program_leave();
    svs__env_visit(&graph->run.env);
    svs__lock_acquire(&graph->run.lock);
    if (close_source(source)) {
        svs__tasks_end(&graph->run, task);
        svs__run_go_on(&graph->run, NULL);
    } else {
        svs__lock_release(&graph->run.lock);
    }
    svs__release(task->world->allocator, source, sizeof *source, _Alignof(svs_source));
    svs__env_leave(&graph->run.env);
    svs__program_enter();
    return SVS_OK;
}

bool svs__jobs_are_left(svs_graph *graph) {
    bool any;
    svs__lock_acquire(&graph->run.lock);
    any = graph->sources != 0;
    svs__lock_release(&graph->run.lock);
    /* [sched.R4] acquire: pairs with the release in svs__env_leave(). */
    while (!any && svs__load_acquire(&graph->run.env.visitors)) svs__yield();
    return any;
}

/* Shuts the sources of a task. The caller holds run.lock. @return whether the task has ended. */
static bool shut(svs_task *task) {
    svs__node *node = svs__node_of(task);
    uint32_t count = node->sources;
    if (!count) return false;
    node->sources = 0;
    return drop_references(task, count, true);
}

void svs__sources_shut(svs__run *run, svs__worker *worker) {
    const svs__tasks *tasks = &run->graph->tasks;
    svs__lock_acquire(&run->lock);
    if (!svs__load_relaxed(&run->sources)) {
        svs__lock_release(&run->lock);
        return;
    }
    svs__store_relaxed(&run->sources, 0);
    for (uint32_t i = 0; i < tasks->count; i++)
        if (shut(tasks->items[i])) svs__tasks_end(run, tasks->items[i]);
    svs__run_tell_room(run);
    svs__run_go_on(run, worker);
}

/* ---- sending ---- */

static svs_status check_source_send(const svs_source *source, const void *items, size_t count,
                                    size_t item_size) {
    static const char call[] = "svs_source_send";
    const svs_task *task;
    if (!source)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no source: did svs_source_new() fail?", call);
    task = source->task;
    if (!items && count)
        return refuse_source(task, call, SVS_E_NULL, "no items: pass the address of the first");
    if (item_size != task->type->item_size)
        return svs__refuse(
            task->world->log, SVS_E_INVALID,
            "%s to %s: an item of %zu bytes, but the task's items have %zu: pass sizeof one "
            "item",
            call, task->type->name, item_size, task->type->item_size);
    if (count > source->limit)
        return refuse_source(task, call, SVS_E_LIMIT,
                             "more items than the limit of the source: send them in parts");
    if (svs__world_is_forked(task->world))
        return refuse_source(task, call, SVS_E_FORKED, svs_status_text(SVS_E_FORKED));
    return SVS_OK;
}

static svs_status put(const svs_source *source, const void *items, uint32_t count) {
    svs_task *task = source->task;
    svs__outside by = {.limit = source->limit, .shut = &source->shut};
    svs_status status = svs__inbox_put_outside(task, items, count, &by);
    if (by.wakes && svs__task_takes_items(task)) svs__runtime_notify(task->world->runtime, count);
    return status;
}

/* [sched.R3] Makes the run wake its waiting senders when a task has at most `level` instances. */
static void want_room(svs__run *run, uint32_t level) {
    uint32_t wanted = svs__load_seq(&run->room_wanted);
    while (wanted < level + 1 && !svs__cas_strong_acq_rel(&run->room_wanted, &wanted, level + 1)) {}
    svs__fence_seq(&run->room_wanted);
}

#define SOON_NS UINT64_C(1000000)

static bool has_passed(uint64_t deadline_ns) {
    return deadline_ns != UINT64_MAX && svs__time_ns() >= deadline_ns;
}

/* Puts the items in when there is room, or gives up at the deadline. If the sender woke at the end
 * of each instance, each would cost two context switches. So the sender first waits until half of
 * the room is free, for at most a millisecond, then for the room that it needs. */
static svs_status put_later(const svs_source *source, const void *items, uint32_t count,
                            uint64_t deadline_ns) {
    svs__run *run = &source->task->graph->run;
    uint32_t enough = source->limit - count, level = enough > 1 ? enough / 2 : enough;
    uint64_t soon = level == enough ? UINT64_MAX : svs__time_ns() + SOON_NS;
    for (;;) {
        uint32_t epoch = svs__parking_prepare(&run->room);
        svs_status status;
        want_room(run, level);
        status = put(source, items, count);
        if (status != SVS_E_FULL || has_passed(deadline_ns)) {
            svs__parking_cancel(&run->room);
            return status;
        }
        svs__sleep_until(&run->room, epoch, soon < deadline_ns ? soon : deadline_ns);
        if (!has_passed(soon)) continue;
        level = enough;
        soon = UINT64_MAX;
    }
}

svs_status svs_source_send(svs_source *source, const void *items, size_t count, size_t item_size,
                           uint64_t ns_max) {
    svs_status status = check_source_send(source, items, count, item_size);
    if (status || !count) return status;
    status = put(source, items, (uint32_t)count);
    if (status == SVS_E_FULL && ns_max && !svs__worker_self()) {
        svs__program_leave();
        status = put_later(source, items, (uint32_t)count, svs__deadline_after(ns_max));
        svs__program_enter();
    }
    return status;
}
