/* What a body has made is in its write set, until it ends or hands it off. */
#include "base/check.h"
#include "base/memory.h"
#include "memobj/watch.h"
#include "sched/graph.h"

/* ---- as long as the body has it ---- */

svs_status svs__context_add_fresh(svs__holder *holder, svs_object *object) {
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

void svs__context_release_fresh(svs_context *context) {
    bool blocked = false;
    for (uint32_t i = 0; i < context->fresh_count; i++) {
        svs_object *object = context->fresh[i];
        (void)svs__fetch_and_relaxed(svs__object_reach(object), ~SVS__REACH_FRESH);
        blocked |= svs__admission_fresh_leave(context->run->admission, object->key);
    }
    context->fresh_count = 0;
    svs__run_wake(context->run, blocked);
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
    if (!is_fresh(object)) return;
    if (SVS__UNLIKELY(context->watched != NULL)) svs__watching()->handed_off(object);
    *blocked |= hand_off_one(context, object);
    for (uint32_t i = 0; i < svs__type_targets(type); i++) {
        svs_object *to = svs__object_target(object, type, i);
        if (to && is_fresh(to)) context->queue[(*queued)++] = to;
    }
}

static svs_status check_hand_off(const svs_context *context, const svs_object *object) {
    const svs__log *log = context->holder.world->log;
    if (!object) return svs__refuse(log, SVS_E_NULL, "svs_hand_off: no object: pass one");
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
    if (!svs__context_is_own(context)) return svs__context_refuse(context, "svs_hand_off");
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
    svs__run_wake(context->run, blocked);
    return SVS_OK;
}
