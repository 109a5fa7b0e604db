#include "sched/domain/instance/hooks.h"

#include "hooks/object_hooks.h"

enum { TOUCHED = 64 }; /* accesses of a footprint on the stack; further ones are left out */

/* The exact set (hooks.K2). The instance holds the links of its walk. */
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
    svs__task_footprint touched;
    if (!watched || !task->type->touch) return;
    svs__task_footprint_init(&touched, accesses, TOUCHED, task->argument);
    watcher->touches(watched, item, task->type->item_size, true);
    SVS__PROGRAM_CALL((void), task->type->touch(&touched.footprint, item));
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
    /* NULL in the child of a fork from the body, which has ended its check. */
    if (context->watched && watcher) watcher->ends(context->watched, context->worker);
    context->watched = NULL;
}

void svs__watched_send(const svs_context *context, uint64_t from, size_t count) {
    svs__watching()->sends(context->watched, svs__order,
                           svs__order_of(svs__item_seed(context->holder.item)), from, count);
}
