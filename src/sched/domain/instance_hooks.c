#include "sched/domain/instance_hooks.h"

#include "hooks/object_hooks.h"

/* The exact set (hooks.K2). The instance holds the links of its walk. */
static svs__set *expand(svs_context *context, const svs_task *task, svs__record *record) {
    svs__set *set = &context->watched_set;
    svs__set_begin(set);
    svs__task_touch(task, set, svs__record_item(record));
    return svs__set_expand(set) ? NULL : set;
}

void *svs__watched_begin(svs_context *context, svs__record *record, void *top) {
    const svs_task *task = svs__record_task(record);
    svs__watched_instance instance = {context->env->watched, task->index, context->env->iteration,
                                      record->order, expand(context, task, record)};
    return svs__watching()->begins(&instance, context->worker, top);
}

void svs__watched_end(svs_context *context) {
    const svs__object_watcher *watcher = svs__watching();
    /* NULL in the child of a fork from the body, which has ended its check. */
    if (context->watched && watcher) watcher->ends(context->watched, context->worker);
    context->watched = NULL;
}

void svs__watched_send(const svs_context *context, uint64_t from, size_t count) {
    svs__watching()->sends(context->watched, svs__order, context->holder.order, from, count);
}
