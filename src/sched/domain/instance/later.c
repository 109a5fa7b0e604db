/* Instances that complete later: the body returns, and the footprint is held until another thread,
 * or a callback of a device, completes the instance (sched.A9).
 *
 * The instance leaves its stage as others do, so that no stage or window waits for it. Until its
 * completion, it has a hold of its own, counts once in the `outstanding` of its task (sched.T2),
 * and counts once in the `live` of its batch, which keeps the item (sched.I2). */
#include "base/memory.h"
#include "base/program.h"
#include "sched/admission/memory.h"
#include "sched/domain/instance/instance.h"
#include "sched/domain/queue/inbox.h"

struct svs_later {
    svs__domain_env *env;
    svs__hold hold;
    void *item;
};

static const char call[] = "svs_complete_later";

static svs_status refuse(svs_context *context, svs_status status, const char *why) {
    (void)svs__refuse(context->holder.world->log, status, "%s: %s", call, why);
    return svs__holder_fail(&context->holder, status);
}

static svs_status check(svs_context *context, const void *item, svs_later **later) {
    if (!svs__context_is_own(context)) return svs__context_refuse(context, call);
    if (!item || !later)
        return refuse(context, SVS_E_NULL,
                      item ? "no place for the result: pass a pointer's address"
                           : "no item: pass the one that the body was handed");
    if (svs__worker_self() != context->worker)
        return refuse(context, SVS_E_OUTSIDE,
                      "from an async that another worker runs: call it in the body");
    if (item != context->holder.item)
        return refuse(context, SVS_E_INVALID,
                      "another item than the instance's: pass the one that the body was handed");
    return SVS_OK;
}

static void later_free(svs_later *later) {
    svs_world *world = later->env->world;
    svs__hold_clean_up(&later->hold, world);
    svs__release(world->allocator, later, sizeof *later, _Alignof(svs_later));
}

static svs_status keep(svs_context *context, svs__hold *hold, const svs__set *set) {
    svs_status status = svs__hold_reserve(hold, set);
    if (!status) svs__admission_keep(context->env->admission, hold, set);
    return status;
}

/* Copies the present set of the running instance into the hold. The links in it do not change,
 * because the instance holds them. A watched instance has its set already: the race check would
 * attribute a touch function called here to the body. */
static svs_status keep_set(svs_context *context, const void *item, svs__hold *hold) {
    svs_status status;
    if (context->watched) return keep(context, hold, &context->watched_set);
    svs__lock_acquire(&context->set_lock);
    status = svs__instance_expand(context, svs__context_task(context), item);
    if (!status) status = keep(context, hold, &context->set);
    svs__lock_release(&context->set_lock);
    return status;
}

static svs_later *later_new(svs_context *context) {
    const svs_allocator *allocator = context->env->world->allocator;
    svs_later *made = svs__allocate_zeroed(allocator, sizeof *made, _Alignof(svs_later));
    if (!made) return NULL;
    made->env = context->env;
    made->item = (void *)(uintptr_t)context->holder.item;
    return made;
}

/* Counts the completion in both. relaxed is enough: the running instance itself is counted until
 * later. */
static void count_in(const svs_later *later) {
    svs__batch *batch = svs__batch_of(later->item);
    (void)svs__fetch_add_relaxed(&batch->task->lead->outstanding, 1);
    if (batch->task->itemizer) (void)svs__fetch_add_relaxed(&batch->live, 1);
}

svs_status svs_complete_later(svs_context *context, const void *item, svs_later **later) {
    svs_later *made;
    svs_status status;
    if (later) *later = NULL;
    status = check(context, item, later);
    if (status || !later) return status;
    svs__program_leave();
    made = later_new(context);
    status = made ? keep_set(context, item, &made->hold) : SVS_E_NO_MEMORY;
    if (status && made) later_free(made);
    svs__program_enter();
    if (status) return refuse(context, status, svs_status_text(status));
    count_in(made);
    context->serial_ends = true; /* sched.W10: a serial run reads it at the end of the instance */
    svs__holder_use(&context->holder);
    svs__holder_quarantine(&context->holder);
    context->holder.frees_at_once = true; /* memobj.O5 */
    *later = made;
    return SVS_OK;
}

svs_status svs_completed(svs_later *later, svs_status status) {
    svs__domain_env *env;
    svs__batch *batch;
    svs_task *task;
    if (!later)
        return svs__refuse(NULL, SVS_E_NULL, "svs_completed: no instance: did %s() fail?", call);
    env = later->env;
    batch = svs__batch_of(later->item);
    task = batch->task;
    if (svs__world_is_forked(env->world))
        return svs__refuse(env->world->log, SVS_E_FORKED, "svs_completed: %s",
                           svs_status_text(SVS_E_FORKED));
    svs__program_leave();
    svs__env_visit(env);
    if (status) env->reports->failed(later->item, status, "svs_completed() was passed a failure");
    if (!svs__hold_is_empty(&later->hold))
        svs__env_wake(env, svs__admission_release(env->admission, &later->hold));
    later_free(later);
    if (task->itemizer) svs__batch_retire(batch, 1);
    env->reports->ended(task, 1, NULL);
    svs__env_leave(env);
    svs__program_enter();
    return SVS_OK;
}
