#include "sched/domain/instance/instance.h"

#include "base/check.h"
#include "base/program.h"
#include "sched/admission/memory.h"
#include "sched/domain/instance/context.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/queue/inbox.h"
#include "worksteal/finish.h"
#include "worksteal/phase.h"

static void fail(const svs_context *context, const void *item, svs_status status,
                 const char *text) {
    context->env->reports->failed(item, status, text);
}

/* ---- admission ---- */

svs_status svs__instance_expand(svs_context *context, const svs_task *task, const void *item) {
    svs__set_begin(&context->set);
    svs__task_touch(task, &context->set, item);
    return svs__set_expand(&context->set);
}

/* Whether an admitted set is still sound. The item may name an object that was freed after the
 * lookup, which a new lookup detects. `freed`: the most recently freed object before the set was
 * made. */
static bool is_sound(svs__set *set, uintptr_t freed) {
    bool outdated = svs__freed_last(set->world) != freed;
    if (outdated) set->walked = true;
    return (!outdated && svs__set_is_current(set)) || svs__set_confirm(set);
}

/* Called after a failed confirmation: releases the set if the hold is the instance's own, and sets
 * the conflict to wait for. */
static svs__attempt withdraw(svs_context *context, svs__hold *hold, bool own_hold,
                             svs__conflict *conflict) {
    uint32_t key = context->set.count ? context->set.elements[0].key : 0;
    context->statistics.revalidations++;
    if (own_hold)
        svs__env_wake(context->env, svs__admission_release(context->env->admission, hold));
    *conflict = (svs__conflict){key, SVS_MODE_WRITE, SVS__MET_CHANGE, false};
    return SVS__BLOCKED;
}

/* Admits the context's set. An instance with a hold of its own takes its cells without the lock.
 * Transforms use the lock, as there are few. */
static bool take_set(svs_context *context, const svs_task *task, const void *reserver,
                     svs__hold *hold, svs__conflict *conflict) {
    svs__admission *admission = context->env->admission;
    if (hold->entrant && task->itemizer) {
        svs__entry entry = svs__entrant_try(admission, hold, &context->set, conflict);
        if (entry != SVS__ENTRY_LOCKED) return entry == SVS__ENTRY_TAKEN;
    }
    svs__admission_fetch(admission, &context->set);
    return svs__admission_try(admission, hold, &context->set, reserver, conflict);
}

svs__attempt svs__instance_admit(svs_context *context, void *item, const void *reserver,
                                 svs__hold *hold, svs__conflict *conflict) {
    svs__admission *admission = context->env->admission;
    svs_task *task = svs__item_task(item);
    bool own_hold = hold == &context->hold;
    uintptr_t freed = svs__freed_last(context->set.world);
    svs_status status = svs__instance_expand(context, task, item);
    if (!status) status = svs__hold_reserve(hold, &context->set);
    if (status) {
        fail(context, item, status, "its footprint could not be made");
        return SVS__FAILED;
    }
    if (!take_set(context, task, reserver, hold, conflict)) return SVS__BLOCKED;
    if (is_sound(&context->set, freed)) {
        /* Without memory the next such instance tries again. This one holds everything, so its set
         * is sound. */
        if (SVS__UNLIKELY(context->set.unkept))
            (void)svs__reach_begin_upkeep(context->set.world); /* memobj.R5 */
        return SVS__ADMITTED;
    }
    if (context->set.status) {
        fail(context, item, context->set.status, "its footprint could not be made");
        if (own_hold) svs__env_wake(context->env, svs__admission_release(admission, hold));
        return SVS__FAILED;
    }
    return withdraw(context, hold, own_hold, conflict);
}

/* ---- running ---- */

/* For each 16th instance: counts the instances that run at once. */
static void sample_running(svs_context *context, uint32_t count) {
    svs__domain_env *env = context->env;
    uint64_t running = 0;
    if ((context->statistics.instances & 15) + count < 16) return;
    for (uint32_t i = 0; i < env->context_count; i++) /* relaxed is enough: a statistic. */
        running += svs__load_relaxed(&env->contexts[i]->running);
    if (running > context->statistics.running_max) context->statistics.running_max = running;
}

/* Waits for the asyncs of a body, because each body is a finish. */
static void end_async(svs_context *context) {
    svs__worker *worker = context->worker;
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    if (worker->deque.async.head != worker->deque.slots)
        svs__drain(&worker->deque.async, worker->deque.slots);
    svs__phase_end(worker, SVS__NO_PHASE, false);
    context->holder.shared = false;
}

/* Undoes the changes of the body of `item` to its context, which is then unused again. */
static void end_body(svs_context *context, const void *item, svs_status status) {
    svs__holder *holder = &context->holder;
    svs_runtime *runtime = context->worker->runtime;
    /* the code below acquires locks, which may never be released in a forked process */
    if (svs__runtime_is_forked(runtime)) svs__runtime_end_child(runtime);
    if (holder->shared) end_async(context);
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_end(context);
    if (context->strip.to && context->strip.of_body) svs__context_close_strip(context);
    svs__holder_quarantine(holder);
    if (context->fresh.count) svs__context_release_fresh(context);
    /* relaxed is enough: the body's asyncs have ended */
    if (!status) status = svs__load_relaxed(&holder->status);
    if (status)
        fail(context, item, status, context->reason[0] ? context->reason : "its body failed");
    context->reason[0] = 0;
    holder->seed_is_known = holder->frees_at_once = false;
    /* relaxed is enough for these: the asyncs of the next body are spawned later */
    svs__store_relaxed(&holder->used, 0);
    svs__store_relaxed(&holder->made, 0);
    svs__store_relaxed(&holder->status, SVS_OK);
    svs__store_relaxed(&context->sent, 0);
}

int svs__instance_end(svs_context *context, void *item, svs_status status) {
    end_body(context, item, status);
    return svs__context_is_outdated(context);
}

/* Runs the body, and waits for its asyncs. */
static inline svs_status run_and_wait(svs_context *context, const svs_task_type *type, void *item) {
    svs_status status = type->run(context, item);
    if (context->holder.shared) end_async(context);
    return status;
}

static void run_body(svs_context *context, const svs_task *task, void *item) {
    svs__holder *holder = &context->holder;
    svs_status status;
    /* relaxed is enough: only the watchdog reads it, and it may be stale. */
    svs__store_relaxed(SVS__HOLDER_ITEM(holder), (uintptr_t)item);
    SVS__ASSERT(svs__holder_self() == holder); /* memobj.O3 */
    SVS__PROGRAM_CALL(status =, run_and_wait(context, task->type, item));
    if (SVS__UNLIKELY(status || svs__load_relaxed(&holder->used) || context->watched))
        end_body(context, item, status);
}

#define AHEAD 4u /* items to fetch before they are run */

/* The number of items of the given task at the front of the array. */
static uint32_t alike(void *const *items, uint32_t count, const svs_task *task) {
    uint32_t n = 1;
    while (n < count && svs__item_task(items[n]) == task) n++;
    return n;
}

#define FETCHED_NS 50u /* a shorter body leaves no time to fetch the objects of the next one */

/* Whether the loop of the task type fetches the objects of each instance while the one before it
 * runs. A task that was not measured counts as one with long bodies. */
static bool fetches_objects(const svs_context *context, const svs_task *task) {
    /* relaxed is enough: it is an estimate. */
    return svs__world_is_large(context->env->world) &&
           svs__load_relaxed(&((svs_task *)(uintptr_t)task)->pace.body_ns) >= FETCHED_NS;
}

/* Runs the first instances of the array that are of one task, in the loop that SVS_TASK generated
 * for the task, if there is one. @return the number of instances that have run: at least one. */
static inline uint32_t run_unseen(svs_context *context, const svs_task *task, void *const *items,
                                  uint32_t count, bool all_alike) {
    const svs__task_loops *loops = count > 1 ? svs__task_loops_of(task) : NULL;
    if (loops) {
        bool fetches = fetches_objects(context, task);
        const svs__loop loop = {
            fetches, fetches ? 0 : context->between,
            (const uint32_t *)(const void *)&context->env->cancelled,
            (const uint64_t *)(const void *)&context->worker->runtime->jobs.attached};
        if (!all_alike) count = alike(items, count, task);
        return loops->runs(context, items, count, &loop);
    }
    if (count > AHEAD) __builtin_prefetch(items[AHEAD]);
    run_body(context, task, items[0]);
    return 1;
}

/* Does what run_unseen() does, in an observed run. */
SVS__COLD static uint32_t run_seen(svs_context *context, const svs_task *task, void *const *items,
                                   uint32_t count, bool all_alike, bool follows) {
    uint32_t ran;
    svs__seen_begin(context, task, items[0], follows);
    ran = run_unseen(context, task, items, svs__seen_group_of(context, task, count), all_alike);
    svs__seen_end(context, task, items, ran);
    return ran;
}

static inline uint32_t run_some(svs_context *context, const svs_task *task, void *const *items,
                                uint32_t count, bool all_alike, bool follows) {
    /* relaxed is enough, here and at the end: only the watchdog reads it, and it may be stale. */
    svs__store_relaxed(&context->task, (svs_task *)(uintptr_t)task);
    context->holder.argument = task->argument;
    if (SVS__UNLIKELY(context->env->seen.any))
        return run_seen(context, task, items, count, all_alike, follows);
    return run_unseen(context, task, items, count, all_alike);
}

/* Closes the strip of a serial run. */
static void end_strip(svs__strip *strip) {
    bool alone; /* the serial run goes on with the items, or leaves them to others (sched.I10) */
    SVS__ASSERT(!strip->of_body);          /* sched.I15 */
    (void)svs__strip_close(strip, &alone); /* sched.I13 */
}

uint32_t svs__instances_run(svs_context *context, void *const *items, uint32_t count,
                            const svs_task *only) {
    svs__worker *worker = context->worker;
    const svs__jobs *jobs = &worker->runtime->jobs;
    uint32_t ran = 0;
    worker->deque.context = &context->holder; /* memobj.O3 */
    svs__store_relaxed(&context->running, 1);
    sample_running(context, count);
    while (!svs__env_cancelled(context->env)) {
        const svs_task *task = only ? only : svs__item_task(items[ran]);
        ran += run_some(context, task, items + ran, count - ran, only != NULL, ran != 0);
        if (ran == count || svs__jobs_turn_is_over(jobs, worker) ||
            svs__context_is_outdated(context))
            break;
    }
    /* The release of what the instances held acquires locks, too. */
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    SVS__ASSERT(!context->holder.freed); /* memobj.O5 */
    if (context->strip.to) end_strip(&context->strip);
    svs__store_relaxed(&context->running, 0);
    worker->deque.context = NULL;
    context->leased = false;
    svs__store_relaxed(&context->task, NULL);
    context->holder.argument = NULL;
    /* relaxed is enough: the watchdog may read a stale value */
    svs__store_relaxed(SVS__HOLDER_ITEM(&context->holder), 0);
    context->statistics.instances += ran;
    /* relaxed is enough: svs_graph_progress() reads it, and only this worker writes it. */
    svs__store_relaxed(&context->ended, svs__load_relaxed(&context->ended) + ran);
    svs__worker_count(&worker->instances, ran);
    if (SVS__LIKELY(ran == count) || !svs__env_cancelled(context->env)) return ran;
    for (; ran < count; ran++) svs__item_drop(items[ran]);
    return count;
}

static void report_ended(const svs_context *context, svs_task *task, uint32_t count) {
    context->env->reports->ended(task, count, context->worker);
}

void svs__records_retire_of(const svs_context *context, svs__batch *batch, uint32_t count) {
    svs_task *task = batch->task;
    SVS__ASSERT(!context->seen_open.count); /* hooks.O6 */
    if (task->itemizer) svs__batch_retire(batch, count);
    report_ended(context, task, count);
}

void svs__items_retire(const svs_context *context, void *const *items, uint32_t count) {
    svs_task *task = NULL;
    uint32_t finished = 0;
    for (uint32_t i = 0; i < count; i++) {
        svs__batch *batch = svs__batch_of(items[i]);
        if (batch->task != task) {
            if (finished) report_ended(context, task, finished);
            task = batch->task;
            finished = 0;
        }
        finished++;
        svs__batch_retire(batch, 1);
    }
    if (finished) report_ended(context, task, finished);
}
