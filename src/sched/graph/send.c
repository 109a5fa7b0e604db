#include "sched/graph/send.h"

#include "base/check.h"
#include "sched/domain/instance/context.h"
#include "sched/domain/queue/inbox.h"

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
    (void)svs__refuse(
        context->holder.world->log, SVS_E_INVALID,
        "svs_send from %s to %s: an item of %zu bytes, but the task's items have %zu: send "
        "with the function that SVS_TASK has made",
        svs__context_task(context)->type->name, to->type->name, size, to->type->item_size);
    return svs__holder_fail(&context->holder, SVS_E_INVALID);
}

/* [sched.I10] Whether the sending body runs in a serial run of the domain to which the items go. */
static bool is_in_serial_of(const svs_context *context, const svs_task *from, svs_task *to) {
    /* acquire: as in svs__task_takes_items(). */
    return context->in_serial_run && svs__load_acquire(&to->attached) &&
           svs__node_of(from)->domain == svs__node_of(to)->domain;
}

/* [sched.I10] Whether the worker that runs the waiting items will run the new ones as well. */
static bool stays_with_one(const svs_task *task) {
    svs__domain *domain = svs__node_of(task)->domain;
    return domain->algorithm->stays && domain->algorithm->stays(domain);
}

void svs__run_sent(svs_task *to, uint32_t count, bool alone) {
    if (svs__task_takes_items(to) && (alone || !stays_with_one(to)))
        svs__runtime_notify(to->world->runtime, count);
}

/* ---- by a strip ---- */

#if defined(SVS_EXPLORE)
#define FIRST 1u
#else
#define FIRST 4u /* a body that sends fewer items needs no strip */
#endif
#define FEW 64u /* more than this are kept back only if twice as many wait */

/* The time of a body of the task. UINT32_MAX: not measured. */
static uint32_t body_ns_of(svs_task *task) {
#if defined(SVS_EXPLORE) /* it measures nothing */
    (void)task;
    return SVS__KEPT_NS / 2;
#else
    const svs__domain *domain;
    /* relaxed is enough: it is an estimate */
    uint32_t alone = svs__load_relaxed(&task->pace.body_ns);
    /* acquire: as in svs__task_takes_items() */
    if (!svs__load_acquire(&task->attached)) return alone;
    domain = svs__node_of(task)->domain;
    return domain->algorithm->body_ns ? domain->algorithm->body_ns(domain, task) : UINT32_MAX;
#endif
}

/* [sched.I15] The length of the strip of a body that has sent `sent` items before. 0: it needs no
 * strip, or it sends to several tasks in turn, or the items take long, or it is not known how
 * long. */
static uint32_t length_of(const svs_context *context, svs_task *to, uint64_t sent) {
    uint32_t ns, most;
    /* relaxed is enough: a new priority may take effect later */
    if (sent < FIRST || context->sent_to != to || svs__load_relaxed(&context->env->prioritized))
        return 0;
    ns = body_ns_of(to);
    most = svs__inbox_waiting(&to->inbox) / 2;
    if (most < FEW) most = FEW;
    return ns > SVS__KEPT_NS / most ? SVS__KEPT_NS / ns : most;
}

/* The strip in which the body, which has sent `sent` items, may send the next ones, or NULL. There
 * is none in a watched run, because the watcher must see each send, or in a sanitized program,
 * because the lock must order the sends (base.E1). */
static svs__strip *strip_to_open(svs_context *context, svs_task *to, uint64_t sent, bool serial) {
    svs__strip *strip = &context->strip;
    if (strip->to || context->holder.shared || context->env->watched || SVS__PROGRAM_IS_SANITIZED())
        return NULL;
    strip->of_body = !serial;
    strip->most = serial ? UINT32_MAX : length_of(context, to, sent);
    return strip->most ? strip : NULL;
}

/* [sched.I13] Whether the call is valid and the strip is for such items. */
static inline bool is_for_strip(const svs_context *context, const svs_task *to, const void *items,
                                size_t item_size) {
    const svs__holder *self = svs__holder_self();
    return items && self && (const void *)self == context &&
           svs__strip_takes(&context->strip, to, item_size);
}

/* The first send of a body by the strip, if the body's item does not follow the item of the
 * previous sender. */
SVS__COLD static svs_status send_first_by_strip(svs_context *context, const void *item) {
    svs__holder *holder = &context->holder;
    uint64_t seed =
        holder->seed_is_known ? holder->seed : svs__item_seed_near(holder->item, &context->sent_at);
    /* relaxed is enough: only the body's thread changes `sent` here. */
    svs__strip_begin(&context->strip, holder->item, seed, svs__load_relaxed(&context->sent));
    svs__strip_write(&context->strip, item);
    return SVS_OK;
}

static inline svs_status send_by_strip(svs_context *context, const void *item) {
    svs__strip *strip = &context->strip;
    const void *from = context->holder.item;
    if (strip->from != from && !svs__strip_goes_on(strip, from, svs__load_relaxed(&context->sent)))
        return send_first_by_strip(context, item);
    svs__strip_write(strip, item);
    return SVS_OK;
}

/* Sends several items by the body's strip. @return whether it takes them. */
static bool send_some_by_strip(svs_context *context, const svs_task *to, const void *items,
                               size_t count, size_t item_size) {
    svs__strip *strip = &context->strip;
    return count && strip->of_body && is_for_strip(context, to, items, item_size) &&
           svs__strip_write_some(strip, items, count);
}

/* ---- by the inbox's lock ---- */

static svs_status check(svs_context *context, svs_task *to, const void *items, size_t count,
                        size_t item_size) {
    const svs_task *from = svs__context_task(context);
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
    if (count > SVS__SEND_MAX)
        return refuse_send(context, to, SVS_E_LIMIT, "more than 2^31 items: send them in parts");
    return SVS_OK;
}

/* Puts checked items into the inbox, and opens a strip for those that come next. */
static svs_status put(svs_context *context, svs_task *to, const void *items, uint32_t count) {
    svs__holder *holder = &context->holder;
    uint64_t first = svs__holder_number(holder, &context->sent, count), before;
    uint64_t seed = svs__holder_seed(holder);
    bool alone = true, serial = is_in_serial_of(context, svs__context_task(context), to);
    svs__strip *strip = strip_to_open(context, to, first + count, serial);
    svs_status status;
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watched_send(context, first, count);
    /* relaxed is enough: the consumer cannot end, because the sender's task has a reference to it
     * or, in a cycle, because the body's own instance is counted (sched.T2, sched.T7). */
    before = svs__fetch_add_relaxed(&to->lead->outstanding, count);
    SVS__ASSERT(before); /* sched.T2, sched.T7 */
    status = svs__inbox_put(to, items, count, svs__order_of(seed), first, strip, &alone);
    if (status) {
        (void)svs__fetch_sub_relaxed(&to->lead->outstanding, count);
        return svs__holder_fail(holder, status);
    }
    if (serial) return SVS_OK;
    if (!holder->shared) context->sent_to = to;
    if (strip) svs__strip_begin_of_body(strip, holder->item, seed, first + count);
    svs__run_sent(to, count, alone);
    return SVS_OK;
}

__attribute__((noinline)) static svs_status send_some(svs_context *context, svs_task *to,
                                                      const void *items, size_t count,
                                                      size_t item_size) {
    svs_status status;
    if (!svs__context_is_own(context)) return svs__context_refuse(context, "svs_send");
    if (send_some_by_strip(context, to, items, count, item_size)) return SVS_OK;
    if (!context->holder.shared && context->strip.to) svs__context_close_strip(context);
    status = check(context, to, items, count, item_size);
    return status || !count ? status : put(context, to, items, (uint32_t)count);
}

svs_status svs_send(svs_context *context, svs_task *to, const void *items, size_t count,
                    size_t item_size) {
    return SVS__LIKELY(count == 1 && is_for_strip(context, to, items, item_size))
               ? send_by_strip(context, items)
               : send_some(context, to, items, count, item_size);
}
