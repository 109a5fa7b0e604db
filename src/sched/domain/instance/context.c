#include "sched/domain/instance/context.h"

#include <stdio.h>

#include "hooks/object_hooks.h"
#include "worksteal/phase.h"

/* ---- the body that owns a context ---- */

bool svs__context_is_own(const svs_context *context) {
    return context && (const void *)svs__holder_self() == context;
}

static const char not_own[] =
    "neither from the body that the context was handed to nor from an async of it: call it there";

svs_status svs__context_refuse(const svs_context *context, const char *call) {
    bool forked = context && svs__world_is_forked(context->holder.world);
    svs_status status = forked ? SVS_E_FORKED : SVS_E_OUTSIDE;
    return svs__refuse(context ? context->holder.world->log : NULL, status, "%s: %s", call,
                       forked    ? svs_status_text(status)
                       : context ? not_own
                                 : "no context: pass the one that the body was handed");
}

/* ---- calls that a body makes ---- */

void svs__context_close_strip(svs_context *context) {
    svs__strip *strip = &context->strip;
    svs_task *to = strip->to;
    uint32_t count;
    bool alone;
    if (strip->from == context->holder.item) {
        /* relaxed is enough: only this worker writes it */
        svs__store_relaxed(&context->sent, strip->seed - strip->base);
        svs__holder_use(&context->holder);
    }
    count = svs__strip_close(strip, &alone);
    if (count && strip->of_body) context->env->reports->sent(to, count, alone);
}

svs_async_context *svs_context_async(svs_context *context) {
    svs__worker *worker;
    if (!svs__context_is_own(context)) {
        (void)svs__context_refuse(context, "svs_context_async");
        return NULL;
    }
    worker = context->worker;
    if (svs__worker_self() != worker) {
        (void)svs__refuse(context->holder.world->log, SVS_E_OUTSIDE,
                          "svs_context_async: from an async that another worker runs: use the "
                          "async context that the async was handed");
        (void)svs__holder_fail(&context->holder, SVS_E_OUTSIDE);
        return NULL;
    }
    if (!context->holder.shared) (void)svs__phase_begin_root(worker);
    /* the asyncs of the body may send, too */
    if (context->strip.to) svs__context_close_strip(context);
    (void)svs__holder_seed(&context->holder);
    context->holder.shared = true;
    svs__holder_use(&context->holder);
    return &worker->deque.async;
}

static void keep_reason(svs_context *context, const char *text) {
    svs__lock_acquire(&context->reason_lock);
    if (!context->reason[0])
        (void)snprintf(context->reason, sizeof context->reason, "%s", text ? text : "");
    svs__lock_release(&context->reason_lock);
}

svs_status svs_context_fail(svs_context *context, svs_status status, const char *text) {
    if (!svs__context_is_own(context)) return svs__context_refuse(context, "svs_context_fail");
    if (!status) {
        status = svs__refuse(context->holder.world->log, SVS_E_INVALID,
                             "svs_context_fail: SVS_OK is no failure: pass another status");
        return svs__holder_fail(&context->holder, status);
    }
    keep_reason(context, text);
    return svs__holder_fail(&context->holder, status);
}

#undef svs_context_argument
void *svs_context_argument(const svs_context *context) {
    /* Nearly every body calls this function, so it does not check whether the body's thread calls
     * it. */
    return context ? context->holder.argument : NULL;
}

uint32_t svs_context_iteration(const svs_context *context) {
    return context ? context->env->iteration : 0;
}

uint64_t svs_instance_id(const svs_context *context) {
    return context ? svs__order_of(svs__item_seed(context->holder.item)) : 0;
}

bool svs_context_cancelled(const svs_context *context) {
    return context && svs__env_cancelled(context->env);
}

/* ---- reports of the instance to a watcher (hooks/object_hooks.h) ---- */

/* the maximum number of accesses of a footprint on the stack; further ones are omitted */
enum { TOUCHED = 64 };

/* Makes the exact set of an instance (hooks.K2). The instance holds the links that the traversal
 * follows. */
static svs__set *expand(svs_context *context, const svs_task *task, const void *item) {
    svs__set *set = &context->watched_set;
    svs__set_begin(set);
    svs__task_touch(task, set, item);
    return svs__set_expand(set) ? NULL : set;
}

/* hooks.K3 */
static void touch_again(const svs__object_watcher *watcher, void *watched, const svs_task *task,
                        const void *item) {
    svs_access accesses[TOUCHED];
    svs_footprint touched;
    if (!watched || !task->type->touch) return;
    svs_footprint_init(&touched, accesses, TOUCHED);
    touched.argument = task->argument;
    watcher->touches(watched, item, task->type->item_size, true);
    SVS__PROGRAM_CALL((void), task->type->touch(&touched, item));
    watcher->touches(watched, item, task->type->item_size, false);
}

void *svs__watched_begin(svs_context *context, const void *item, void *top) {
    const svs_task *task = svs__item_task(item);
    svs__watched_instance instance = {context->env->watched, task->index, context->env->iteration,
                                      svs__order_of(svs__item_seed(item)),
                                      expand(context, task, item)};
    const svs__object_watcher *watcher = svs__watching();
    void *watched = watcher->begins(&instance, context->worker, top);
    touch_again(watcher, watched, task, item);
    return watched;
}

void svs__watched_end(svs_context *context) {
    const svs__object_watcher *watcher = svs__watching();
    /* `watched` is NULL in the child process of a fork() in the body, which has ended its check. */
    if (context->watched && watcher) watcher->ends(context->watched, context->worker);
    context->watched = NULL;
}

void svs__watched_send(const svs_context *context, uint64_t from, size_t count) {
    svs__watching()->sends(context->watched, svs__order,
                           svs__order_of(svs__item_seed(context->holder.item)), from, count);
}
