#include "sched/domain/window/keys.h"

#include <string.h>

#include "base/check.h"
#include "sched/domain/deferred/waiting.h"

/* ---- one instance, by an ordinary footprint ---- */

typedef enum outcome { PLAIN, WALKED, NOT_PLAIN, NO_ROOM } outcome;

/* Appends the elements of one instance to those that are there. */
static outcome key_one(svs__keyed *keyed, svs_context *context, const void *item, bool walked) {
    svs__set *set = &context->set;
    svs__set_begin(set);
    svs__task_touch(svs__item_task(item), set, item);
    svs__set_clear(set);
    if (set->status || !svs__set_expand_more(set, 0, set->footprint.count) ||
        set->count > SVS__KEYED_ELEMENTS)
        return NOT_PLAIN;
    SVS__ASSERT(svs__set_is_lasting(set) || set->walked);
    if (set->walked && !walked) return WALKED;
    if (set->count > SVS__KEYED_ELEMENTS - keyed->used) return NO_ROOM;
    if (set->count)
        memcpy(keyed->elements + keyed->used, set->elements, set->count * sizeof(svs__element));
    keyed->used += set->count;
    keyed->walked += set->walked;
    return PLAIN;
}

/* The next one. @return whether there was room for it. */
static bool key_next(svs__keyed *keyed, svs_context *context, void *const *items, bool walked) {
    uint32_t i = keyed->count;
    outcome found = key_one(keyed, context, items[i], walked);
    if (found == NO_ROOM) return false;
    keyed->ends[i] = found == PLAIN ? keyed->used : found == WALKED ? SVS__WALKED : SVS__ODD;
    keyed->odd += found != PLAIN;
    keyed->count++;
    return true;
}

/* ---- many ---- */

/* By the loop of the task type, which stops at what is not so simple. */
static void key_by_loop(svs__keyed *keyed, svs_context *context, const svs__task_batch *batch,
                        void *const *items, uint32_t count, bool walked) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__set *set = &context->set;
    svs__key_element *base = (svs__key_element *)(void *)keyed->elements;
    while (keyed->count < count) {
        svs__keys keys = svs__keys_into(set, task, base + keyed->used, base + SVS__KEYED_ELEMENTS);
        uint32_t first = keyed->count;
        keyed->count += batch->keys(&keys, items + first, keyed->ends + first, count - first);
        for (uint32_t i = first; keyed->used && i < keyed->count; i++)
            keyed->ends[i] += keyed->used;
        keyed->all_write = first == 0 && keyed->count == count && keys.reads == 0;
        keyed->used = (uint32_t)(keys.next - base);
        if (keys.footprint.status == SVS__KEYS_FULL && keyed->count) return;
        if (keyed->count < count && !key_next(keyed, context, items, walked)) return;
    }
}

static void key_by_touch(svs__keyed *keyed, svs_context *context, void *const *items,
                         uint32_t count, bool walked) {
    while (keyed->count < count && key_next(keyed, context, items, walked)) {}
}

uint32_t svs__window_keys(svs__keyed *keyed, svs_context *context, void *const *items,
                          uint32_t count, bool walked) {
    const svs__task_batch *batch = svs__task_batch_of(svs__item_task(items[0]));
    if (count > SVS__KEYED) count = SVS__KEYED;
    keyed->count = keyed->odd = keyed->walked = keyed->used = 0;
    keyed->all_write = false;
    if (batch && !context->env->watched) key_by_loop(keyed, context, batch, items, count, walked);
    else key_by_touch(keyed, context, items, count, walked);
    return keyed->count;
}

/* ---- looks ---- */

bool svs__window_are_plain(svs_context *context, void *const *items, uint32_t count) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__task_batch *batch = svs__task_batch_of(task);
    svs__keys keys;
    if (!batch) return false;
    keys = svs__keys_into(&context->set, task, NULL, NULL);
    return batch->look(&keys, items, count) != 0;
}

svs__sight svs__window_look(svs_context *context, const void *item) {
    svs__set_begin(&context->set);
    svs__task_touch(svs__item_task(item), &context->set, item);
    return svs__set_look(&context->set);
}
