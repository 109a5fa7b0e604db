#include "sched/domain/instance.h"

#include "base/check.h"
#include "sched/admission/memory.h"
#include "sched/domain/inbox.h"
#include "sched/domain/instance_hooks.h"
#include "sched/domain/unpublished.h"
#include "worksteal/finish.h"
#include "worksteal/phase.h"

static void fail(const svs_context *context, const svs__record *record, svs_status status,
                 const char *text) {
    context->env->reports->failed(record, status, text);
}

/* ---- admission ---- */

svs_status svs__instance_expand(svs_context *context, const svs_task *task, const void *item) {
    svs__set_begin(&context->set);
    svs__task_touch(task, &context->set, item);
    return svs__set_expand(&context->set);
}

static bool needs_confirmation(const svs__set *set) { return set->walked || set->root_count; }

/* After a failed confirmation: releases the set if the hold is the instance's own, and sets the
 * conflict to wait for. */
static svs__attempt withdraw(svs_context *context, svs__hold *hold, bool own_hold,
                             svs__conflict *conflict) {
    uint32_t key = context->set.count ? context->set.elements[0].key : 0;
    context->statistics.revalidations++;
    if (own_hold)
        svs__env_wake(context->env, svs__admission_release(context->env->admission, hold));
    *conflict = (svs__conflict){key, SVS_MODE_WRITE, SVS__MET_CHANGE, false};
    return SVS__BLOCKED;
}

svs__attempt svs__instance_admit(svs_context *context, svs__record *record, svs__hold *hold,
                                 bool own_hold, svs__conflict *conflict) {
    svs__admission *admission = context->env->admission;
    svs_task *task = svs__record_task(record);
    uint64_t epoch = svs__admission_epoch(admission);
    uintptr_t freed = svs__freed_last(context->set.world);
    const void *claimant = own_hold ? (const void *)record : hold; /* sched.A5 */
    bool unchanged;
    svs_status status = svs__instance_expand(context, task, svs__record_item(record));
    if (!status) status = svs__hold_reserve(hold, &context->set);
    if (status) {
        fail(context, record, status, "its footprint could not be made");
        return SVS__FAILED;
    }
    svs__admission_fetch(admission, &context->set);
    if (!svs__admission_try(admission, hold, &context->set, claimant, epoch, conflict, &unchanged))
        return SVS__BLOCKED;
    /* The item may name an object that was freed since the lookup: confirming looks it up again. */
    if (!unchanged && svs__freed_last(context->set.world) != freed) context->set.walked = true;
    if (unchanged || !needs_confirmation(&context->set) || svs__set_confirm(&context->set))
        return SVS__ADMITTED;
    if (context->set.status) {
        fail(context, record, context->set.status, "its footprint could not be made");
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
    for (uint32_t i = 0; i < env->context_count; i++) /* relaxed: a statistic. */
        running += svs__load_relaxed(&env->contexts[i]->running);
    if (running > context->statistics.running_max) context->statistics.running_max = running;
}

/* Each body is a finish. */
static void end_async(svs_context *context) {
    svs__worker *worker = context->worker;
    if (svs__runtime_is_forked(worker->runtime)) svs__runtime_end_child(worker->runtime);
    if (worker->deque.async.head != worker->deque.slots)
        svs__drain(&worker->deque.async, worker->deque.slots);
    svs__phase_end(worker, SVS__NO_PHASE, false);
    context->holder.shared = false;
}

static void run_body(svs_context *context, svs__record *record) {
    svs__holder *holder = &context->holder;
    svs_task *task = svs__record_task(record);
    svs_status status;
    svs__store_relaxed(SVS__HOLDER_ORDER(holder), record->order); /* as below */
    svs__store_relaxed(&holder->made, 0); /* relaxed, these: the body's asyncs come after */
    svs__store_relaxed(&holder->status, SVS_OK);
    /* relaxed, here and where it ends: the watchdog's hint. */
    svs__store_relaxed(&context->task, task);
    svs__store_relaxed(&context->sent, 0);
    if (SVS__UNLIKELY(context->env->watched != NULL))
        context->watched = svs__watched_begin(context, record, __builtin_frame_address(0));
    SVS__ASSERT(svs__holder_self() == holder); /* memobj.O3 */
    status = task->type->run(context, svs__record_item(record));
    if (holder->shared) end_async(context);
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_end(context);
    if (context->fresh.count) svs__context_release_fresh(context);
    if (!status) status = svs__load_relaxed(&holder->status); /* relaxed: its asyncs have ended */
    if (status) fail(context, record, status, "its body failed");
}

#define AHEAD 4u /* records to fetch before they are run */

uint32_t svs__instances_run(svs_context *context, svs__record *const *records, uint32_t count) {
    svs__worker *worker = context->worker;
    const svs__sources *sources = &worker->runtime->sources;
    uint32_t ran = 0;
    worker->deque.context = &context->holder; /* memobj.O3 */
    svs__store_relaxed(&context->running, 1);
    sample_running(context, count);
    while (!svs__env_cancelled(context->env)) {
        if (ran + AHEAD < count) __builtin_prefetch(records[ran + AHEAD]);
        run_body(context, records[ran]);
        if (++ran == count || svs__sources_turn_is_over(sources, worker)) break;
    }
    svs__store_relaxed(&context->running, 0);
    worker->deque.context = NULL;
    svs__store_relaxed(&context->task, NULL);
    context->statistics.instances += ran;
    svs__worker_count(&worker->instances, ran);
    return ran < count && svs__env_cancelled(context->env) ? count : ran;
}

static void report_ended(const svs_context *context, svs_task *task, uint32_t count) {
    context->env->reports->ended(task, count, context->worker);
}

void svs__records_retire_of(const svs_context *context, svs__batch *batch, uint32_t count) {
    svs_task *task = batch->task;
    if (task->itemizer) svs__batch_retire(batch, count);
    report_ended(context, task, count);
}

void svs__records_retire(const svs_context *context, svs__record *const *records, uint32_t count) {
    svs_task *task = NULL;
    uint32_t finished = 0;
    for (uint32_t i = 0; i < count; i++) {
        svs__batch *batch = records[i]->batch;
        if (batch->task != task) {
            if (finished) report_ended(context, task, finished);
            task = batch->task;
            finished = 0;
        }
        finished++;
        svs__batch_retire_alone(batch, 1);
    }
    if (finished) report_ended(context, task, finished);
}
