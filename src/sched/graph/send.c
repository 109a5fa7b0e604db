/* A body sends items to a consumer. */
#include "base/check.h"
#include "sched/domain/inbox.h"
#include "sched/domain/instance_hooks.h"
#include "sched/graph/graph.h"

static svs_status refuse_send(svs_context *context, svs_task *to, svs_status status,
                              const char *why) {
    (void)svs__refuse(context->holder.world->log, status, "svs_send from %s to %s: %s",
                      svs__context_task(context)->type->name, to ? to->type->name : "NULL", why);
    return svs__holder_fail(&context->holder, status);
}

static bool is_declared(const svs_task *from, const svs_task *to) {
    for (uint32_t i = 0; i < svs__node_of(from)->sends.count; i++)
        if (svs__node_of(from)->sends.items[i] == to) return true;
    return false;
}

static svs_status refuse_size(svs_context *context, svs_task *to, size_t size) {
    (void)svs__refuse(context->holder.world->log, SVS_E_INVALID,
                      "svs_send from %s to %s: an item of %zu bytes, but its items have %zu: send "
                      "with the function that SVS_TASK has made",
                      svs__context_task(context)->type->name, to->type->name, size,
                      to->type->item_size);
    return svs__holder_fail(&context->holder, SVS_E_INVALID);
}

/* Whether a worker may take the items that were just sent. If not, the task is closed, and the run
 * notifies when it opens the task. */
static bool is_taken_from(svs_task *to) {
    /* Forbids: the load finds the task closed, and a worker that searches after its opening misses
     * the items. */
    svs__fence_seq(&to->inbox.waiting);
    return svs__load_relaxed(&to->attached) != 0;
}

svs_status svs_send(svs_context *context, svs_task *to, const void *items, size_t count,
                    size_t item_size) {
    svs_task *from;
    uint64_t first;
    svs_status status;
    if (!svs__context_is_own(context)) return svs__context_refuse(context, "svs_send");
    from = svs__context_task(context);
    if (!to) return refuse_send(context, to, SVS_E_NULL, "no task: name the consumer");
    if (!items && count)
        return refuse_send(context, to, SVS_E_NULL, "no items: pass the address of the first");
    if (to->graph != from->graph)
        return refuse_send(context, to, SVS_E_UNDECLARED,
                           "a task of another graph: send to tasks of the body's own");
    if (!is_declared(from, to))
        return refuse_send(context, to, SVS_E_UNDECLARED,
                           "not declared: call svs_graph_add_flow() when the graph is built");
    if (item_size != to->type->item_size) return refuse_size(context, to, item_size);
    if (!count) return SVS_OK;
    if (count > SVS__SEND_MAX)
        return refuse_send(context, to, SVS_E_LIMIT, "more than 2^31 items: send them in parts");
    first = svs__holder_number(&context->holder, &context->sent, count);
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_send(context, first, count);
    /* relaxed: the sender's own reference keeps the consumer from ending (sched.T2). */
    (void)svs__fetch_add_relaxed(&to->outstanding, (uint32_t)count);
    status = svs__inbox_put(to, items, count, context->holder.order, first);
    if (status) {
        (void)svs__fetch_sub_relaxed(&to->outstanding, (uint32_t)count);
        return svs__holder_fail(&context->holder, status);
    }
    if (is_taken_from(to)) svs__runtime_notify(context->holder.world->runtime, (uint32_t)count);
    return SVS_OK;
}
