/* Instances: from a record to a body that runs, and what the body may ask of its context. */
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "memobj/watch.h"
#include "sched/graph.h"
#include "worksteal/finish.h"
#include "worksteal/phase.h"

/* ---- contexts ---- */

static svs_status add_fresh(svs__holder *holder, svs_object *object) {
    svs_context *context = (svs_context *)(void *)holder;
    void *fresh = context->fresh;
    if (context->fresh_count == context->fresh_capacity) {
        if (!svs__grow(holder->world->allocator, &fresh, &context->fresh_capacity,
                       context->fresh_count + 1, sizeof(svs_object *)))
            return SVS_E_NO_MEMORY;
        context->fresh = fresh;
    }
    context->fresh[context->fresh_count++] = object;
    svs__admission_fresh(context->run->admission, object->key);
    /* relaxed: only this body and what it hands the object to look at the tag. */
    (void)svs__fetch_or_relaxed(svs__object_reach(object), SVS__REACH_FRESH);
    return SVS_OK;
}

svs_status svs__context_new(svs__run *run, svs_context **context) {
    svs_world *world = run->graph->world;
    svs_context *made = svs__allocate_zeroed(world->allocator, sizeof *made, _Alignof(svs_context));
    svs_status status;
    if (!made) return SVS_E_NO_MEMORY;
    status = svs__set_init(&made->set, world);
    if (status) {
        svs__release(world->allocator, made, sizeof *made, _Alignof(svs_context));
        return status;
    }
    made->holder.world = world;
    status = svs__candidates_new(made);
    if (status) {
        svs__context_free(made);
        return status;
    }
    made->holder.fresh = add_fresh;
    made->run = run;
    svs__explain_begin(made);
    *context = made;
    return SVS_OK;
}

void svs__context_free(svs_context *context) {
    svs_world *world;
    if (!context) return;
    world = context->holder.world;
    svs__set_clean_up(&context->set);
    svs__set_clean_up(&context->explain[0]);
    svs__set_clean_up(&context->explain[1]);
    svs__set_clean_up(&context->watched_set);
    svs__hold_clean_up(&context->hold, world);
    svs__candidates_free(context);
    svs__release(world->allocator, context->fresh, context->fresh_capacity * sizeof(svs_object *),
                 _Alignof(max_align_t));
    svs__release(world->allocator, context->queue, context->queue_capacity * sizeof(svs_object *),
                 _Alignof(max_align_t));
    svs__release(world->allocator, context, sizeof *context, _Alignof(svs_context));
}

/* ---- admission ---- */

svs_status svs__instance_expand(svs_context *context, svs_task *task, const void *item) {
    svs__set_begin(&context->set);
    svs__instance_touch(context, task, item);
    return svs__set_expand(&context->set);
}

static bool needs_confirmation(const svs__set *set) { return set->walked || set->root_count; }

static void wake_after_release(svs__run *run, bool blocked) {
    if (blocked) svs__runtime_notify(run->graph->world->runtime, 1);
}

/* The set did not hold any more: gives back what was admitted, if that can be told apart, and says
 * where to wait. */
static svs__attempt withdraw(svs_context *context, svs__hold *hold, bool own_hold,
                             svs__conflict *conflict) {
    uint32_t key = context->set.count ? context->set.elements[0].key : 0;
    context->statistics.revalidations++;
    if (own_hold)
        wake_after_release(context->run, svs__admission_release(context->run->admission, hold));
    *conflict = (svs__conflict){key, SVS_WRITE, SVS__MET_CHANGE, false};
    return SVS__BLOCKED;
}

svs__attempt svs__instance_admit(svs_context *context, svs__record *record, svs__hold *hold,
                                 bool own_hold, svs__conflict *conflict) {
    svs__admission *admission = context->run->admission;
    svs_task *task = svs__record_task(record);
    uint64_t epoch = svs__admission_epoch(admission);
    const void *who = own_hold ? (const void *)record : hold; /* A5 */
    bool unchanged;
    svs_status status = svs__instance_expand(context, task, svs__record_item(record));
    if (!status) status = svs__hold_reserve(hold, &context->set);
    if (status) {
        svs__run_fail(context->run, status, record, "its footprint could not be made");
        return SVS__FAILED;
    }
    svs__admission_fetch(admission, &context->set);
#ifdef SVS_MUTANT_NO_TRANSFORM_ADMISSION
    if (!task->itemizer) return SVS__ADMITTED;
#endif
    if (!svs__admission_try(admission, hold, &context->set, who, epoch, conflict, &unchanged))
        return SVS__BLOCKED;
#ifdef SVS_MUTANT_NO_REVALIDATION
    unchanged = true;
#endif
    if (unchanged || !needs_confirmation(&context->set) || svs__set_confirm(&context->set))
        return SVS__ADMITTED;
    if (context->set.status) {
        svs__run_fail(context->run, context->set.status, record, "its footprint could not be made");
        if (own_hold) wake_after_release(context->run, svs__admission_release(admission, hold));
        return SVS__FAILED;
    }
    return withdraw(context, hold, own_hold, conflict);
}

/* ---- running ---- */

static void release_fresh(svs_context *context) {
    bool blocked = false;
    for (uint32_t i = 0; i < context->fresh_count; i++) {
        svs_object *object = context->fresh[i];
        (void)svs__fetch_and_relaxed(svs__object_reach(object), ~SVS__REACH_FRESH);
        blocked |= svs__admission_fresh_leave(context->run->admission, object->key);
    }
    context->fresh_count = 0;
    wake_after_release(context->run, blocked);
}

/* At each 16th instance counts how many run at once. */
static void sample_running(svs_context *context, uint32_t count) {
    svs__run *run = context->run;
    uint64_t running = 0;
    if ((context->statistics.instances & 15) + count < 16) return;
    for (uint32_t i = 0; i < run->context_count; i++) /* relaxed: a statistic. */
        running += svs__load_relaxed(&run->contexts[i]->running);
    if (running > context->statistics.running_max) context->statistics.running_max = running;
}

/* Each body is a finish. */
static void end_strand(svs_context *context) {
    svs__worker *worker = context->worker;
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    if (worker->deque.strand.head != worker->deque.slots)
        svs__drain(&worker->deque.strand, worker->deque.slots);
    svs__phase_end(worker, SVS__NO_PHASE, false);
    context->spawns = false;
}

static void run_body(svs_context *context, svs__record *record) {
    svs__holder *holder = &context->holder;
    svs_task *task = svs__record_task(record);
    svs_status status;
    svs__store_relaxed(SVS__HOLDER_ORDER(holder), record->order); /* as below */
    holder->made = 0;
    holder->status = SVS_OK;
    /* relaxed, here and where it ends: the watchdog's hint. */
    svs__store_relaxed(&context->task, task);
    context->sent = 0;
    if (SVS__UNLIKELY(context->run->watched != NULL))
        context->watched = svs__watched_begin(context, record, __builtin_frame_address(0));
    status = task->type->run(context, svs__record_item(record));
    if (context->spawns) end_strand(context);
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_end(context);
    if (context->fresh_count) release_fresh(context);
    if (!status) status = holder->status;
    if (status) svs__run_fail(context->run, status, record, "its body failed");
}

#define AHEAD 4u /* records to fetch before they are run */

void svs__instances_run(svs_context *context, svs__record *const *records, uint32_t count) {
    svs__worker *worker = context->worker;
    uint32_t ran = 0;
    worker->context = &context->holder;
    svs__store_relaxed(&context->running, 1);
    sample_running(context, count);
    for (; ran < count && !svs__run_cancelled(context->run); ran++) {
        if (ran + AHEAD < count) __builtin_prefetch(records[ran + AHEAD]);
        run_body(context, records[ran]);
    }
    svs__store_relaxed(&context->running, 0);
    worker->context = NULL;
    svs__store_relaxed(&context->task, NULL);
    context->statistics.instances += ran;
    svs__worker_count(&worker->instances, ran);
}

void svs__records_retire_of(svs__batch *batch, uint32_t count, svs__worker *worker) {
    svs_task *task = batch->task;
    if (task->itemizer) svs__batch_retire(batch, count);
    svs__task_finish(task, count, worker);
}

void svs__records_retire(svs__record *const *records, uint32_t count, svs__worker *worker) {
    svs_task *task = NULL;
    uint32_t finished = 0;
    for (uint32_t i = 0; i < count; i++) {
        svs__batch *batch = records[i]->batch;
        if (batch->task != task) {
            if (finished) svs__task_finish(task, finished, worker);
            task = batch->task;
            finished = 0;
        }
        finished++;
        svs__batch_retire_alone(batch, 1);
    }
    if (finished) svs__task_finish(task, finished, worker);
}

/* ---- what a body may ask ---- */

static bool is_own(const svs_context *context) {
    return context && (const void *)svs__holder_self() == context;
}

static const char not_own[] =
    "not from the body that the context was handed to, in its own thread: call it there";

/* What a call with a context that is not the caller's own answers. */
static svs_status refuse_foreign(const svs_context *context, const char *call) {
    bool forked = context && svs__world_is_forked(context->holder.world);
    svs_status status = forked ? SVS_E_FORKED : SVS_E_OUTSIDE;
    return svs__refuse(context ? context->holder.world->log : NULL, status, "%s: %s", call,
                       forked    ? svs_status_text(status)
                       : context ? not_own
                                 : "no context");
}

svs_strand *svs_context_strand(svs_context *context) {
    svs__worker *worker;
    if (!is_own(context)) {
        (void)refuse_foreign(context, "svs_context_strand");
        return NULL;
    }
    worker = context->worker;
    if (!context->spawns) (void)svs__phase_begin_root(worker);
    context->spawns = true;
    return &worker->deque.strand;
}

static svs_task *task_of(const svs_context *context) {
    return svs__load_relaxed(&((svs_context *)(uintptr_t)context)->task); /* relaxed: its own */
}

static svs_status refuse_send(svs_context *context, svs_task *to, svs_status status,
                              const char *why) {
    (void)svs__refuse(context->holder.world->log, status, "svs_send from %s to %s: %s",
                      task_of(context)->type->name, to ? to->type->name : "NULL", why);
    return svs__holder_fail(&context->holder, status);
}

static bool is_declared(const svs_task *from, const svs_task *to) {
    for (uint32_t i = 0; i < from->sends.count; i++)
        if (from->sends.items[i] == to) return true;
    return false;
}

static svs_status refuse_size(svs_context *context, svs_task *to, size_t size) {
    (void)svs__refuse(context->holder.world->log, SVS_E_INVALID,
                      "svs_send from %s to %s: an item of %zu bytes, but its items have %zu: send "
                      "with the function that SVS_TASK has made",
                      task_of(context)->type->name, to->type->name, size, to->type->item_size);
    return svs__holder_fail(&context->holder, SVS_E_INVALID);
}

/* Whether somebody may take what has just been sent to the task. If not, the task is closed, and
 * whoever opens it notifies. */
static bool is_taken_from(svs_task *to) {
    /* Forbids: the load finds the task closed, and a worker that looks for work after it was opened
     * misses the items. */
    svs__fence_seq(&to->inbox.waiting);
    return svs__load_relaxed(&to->attached) != 0;
}

svs_status svs_send(svs_context *context, svs_task *to, const void *items, size_t count,
                    size_t item_size) {
    svs_task *from;
    svs_status status;
    if (!is_own(context)) return refuse_foreign(context, "svs_send");
    from = task_of(context);
    if (!to) return refuse_send(context, to, SVS_E_INVALID, "no task: name the consumer");
    if (!items && count)
        return refuse_send(context, to, SVS_E_INVALID, "no items: pass the address of the first");
    if (to->graph != from->graph)
        return refuse_send(context, to, SVS_E_UNDECLARED,
                           "a task of another graph: send to tasks of the body's own");
    if (!is_declared(from, to))
        return refuse_send(context, to, SVS_E_UNDECLARED,
                           "not declared: call svs_graph_sends() when the graph is built");
    if (item_size != to->type->item_size) return refuse_size(context, to, item_size);
    if (!count) return SVS_OK;
    if (count > SVS__SEND_MAX)
        return refuse_send(context, to, SVS_E_LIMIT, "more than 2^31 items: send them in parts");
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_send(context, count);
    /* relaxed: the sender's own reference keeps the consumer from ending (T2). */
    (void)svs__fetch_add_relaxed(&to->outstanding, (uint32_t)count);
    status = svs__inbox_put(to, items, count, context->holder.order, context->sent);
    if (status) {
        (void)svs__fetch_sub_relaxed(&to->outstanding, (uint32_t)count);
        return svs__holder_fail(&context->holder, status);
    }
    context->sent += count;
    if (is_taken_from(to)) svs__runtime_notify(context->holder.world->runtime, (uint32_t)count);
    return SVS_OK;
}

/* ---- handing off ---- */

/* An object that this body made leaves what it holds. */
static bool hand_off_one(svs_context *context, svs_object *object) {
    /* relaxed: only this body looks at the tag of an object that nobody else knows yet. */
    (void)svs__fetch_and_relaxed(svs__object_reach(object), ~SVS__REACH_FRESH);
    for (uint32_t i = context->fresh_count; i-- > 0;) /* most were made lately */
        if (context->fresh[i] == object) {
            context->fresh[i] = context->fresh[--context->fresh_count];
            break;
        }
    return svs__admission_fresh_leave(context->run->admission, object->key);
}

static bool is_fresh(const svs_object *object) {
    return svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_FRESH;
}

/* Hands off one object and puts those of its targets that are fresh to the end of the queue. */
static void hand_off_from(svs_context *context, svs_object *object, uint32_t *queued,
                          bool *blocked) {
    const svs__type *type = svs__object_type(object);
    const svs_type *t = type->type;
    char *base = svs__object_base(object, type);
    if (!is_fresh(object)) return;
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watching()->handed_off(object);
    *blocked |= hand_off_one(context, object);
    for (uint32_t i = 0; i < t->link_count + t->member_count; i++) {
        svs_object *to;
        if (i < t->link_count) {
            to = svs__link_target(base + t->links[i].offset, type->link_header[i]);
        } else {
            const svs_member_type *member = &t->members[i - t->link_count];
            to = (svs_object *)(void *)(base + member->offset + member->type->header);
        }
        if (to && is_fresh(to)) context->queue[(*queued)++] = to;
    }
}

static svs_status check_hand_off(const svs_context *context, const svs_object *object) {
    const svs__log *log = context->holder.world->log;
    if (!object) return svs__refuse(log, SVS_E_INVALID, "svs_hand_off: no object: pass one");
    if (object->world != context->holder.world->index)
        return svs__refuse(log, SVS_E_WORLD,
                           "svs_hand_off: an object of another world, or never initialised: hand "
                           "off what this body has made");
    if (svs__object_is_dead(object))
        return svs__refuse(log, SVS_E_FREED,
                           "svs_hand_off: an object that was freed: hand it off before");
    return SVS_OK;
}

svs_status svs_hand_off(svs_context *context, svs_object *object) {
    uint32_t queued = 0, room;
    bool blocked = false;
    void *queue;
    svs_status status;
    if (!is_own(context)) return refuse_foreign(context, "svs_hand_off");
    status = check_hand_off(context, object);
    if (status) return svs__holder_fail(&context->holder, status);
    /* Each fresh object is taken from the queue once and puts its links there: that many at most.
     */
    room = context->fresh_count * (SVS_LINKS_MAX + SVS_MEMBERS_MAX) + 1;
    queue = context->queue;
    if (!svs__grow(context->holder.world->allocator, &queue, &context->queue_capacity, room,
                   sizeof(svs_object *)))
        return svs__holder_fail(&context->holder, SVS_E_NO_MEMORY);
    context->queue = queue;
    context->queue[queued++] = object;
    for (uint32_t i = 0; i < queued; i++)
        hand_off_from(context, context->queue[i], &queued, &blocked);
    wake_after_release(context->run, blocked);
    return SVS_OK;
}

void *svs_context_argument(const svs_context *context) {
    /* Asked by nearly every body: whether the thread is the body's is not looked at. */
    const svs_task *task = context ? task_of(context) : NULL;
    return task ? task->argument : NULL;
}

uint32_t svs_context_worker(const svs_context *context) {
    return is_own(context) ? context->worker->index : SVS_NO_WORKER;
}

uint32_t svs_context_iteration(const svs_context *context) {
    return context ? context->run->iteration : 0;
}

uint64_t svs_context_order(const svs_context *context) {
    return context ? context->holder.order : 0;
}

int svs_context_cancelled(const svs_context *context) {
    return context ? svs__run_cancelled(context->run) : 0;
}
