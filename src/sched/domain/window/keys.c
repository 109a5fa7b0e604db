#include "sched/domain/window/keys.h"

#include <string.h>

#include "base/check.h"
#include "sched/domain/deferred/waiting.h"

/* ---- one instance, by an ordinary footprint ---- */

typedef enum outcome { PLAIN, WALKED, NOT_PLAIN, NO_ROOM } outcome;

/* Appends the elements of one instance to `keyed`. Its accesses are those in the range [first, end)
 * of the set's footprint. */
static outcome key_one(svs__keyed *keyed, svs_context *context, uint32_t first, uint32_t end,
                       bool walked) {
    svs__set *set = &context->set;
    svs__set_clear(set);
    if (set->status || !svs__set_expand_more(set, first, end) || set->count > SVS__KEYED_ELEMENTS)
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

static void touch(svs_context *context, const void *item) {
    svs__task_touch(svs__item_task(item), &context->set, item);
}

/* Adds the next instance to `keyed`. @return whether there was room for it. */
static bool key_next(svs__keyed *keyed, svs_context *context, uint32_t first, uint32_t end,
                     bool walked) {
    uint32_t i = keyed->count;
    outcome found = key_one(keyed, context, first, end, walked);
    if (found == NO_ROOM) return false;
    keyed->ends[i] = found == PLAIN ? keyed->used : found == WALKED ? SVS__WALKED : SVS__ODD;
    keyed->odd += found != PLAIN;
    keyed->count++;
    return true;
}

static bool key_single(svs__keyed *keyed, svs_context *context, void *const *items, bool walked) {
    svs__set_begin(&context->set);
    touch(context, items[keyed->count]);
    return key_next(keyed, context, 0, context->set.footprint.count, walked);
}

/* ---- several instances that walk links, whose objects are fetched together ---- */

#define TOGETHER 8u

/* Adds the next `count` instances to `keyed`. @return whether there was room for all of them. */
static bool key_walks(svs__keyed *keyed, svs_context *context, void *const *items, uint32_t count) {
    svs__set *set = &context->set;
    uint32_t ends[TOGETHER + 1] = {0};
    svs__set_begin(set);
    for (uint32_t i = 0; i < count; i++) {
        touch(context, items[keyed->count + i]);
        ends[i + 1] = set->footprint.count;
    }
    if (set->footprint.status) /* a touch function of one of them has failed */
        return key_single(keyed, context, items, true);
    svs__set_warm(set, set->footprint.count);
    for (uint32_t i = 0; i < count; i++)
        if (!key_next(keyed, context, ends[i], ends[i + 1], true)) return false;
    return true;
}

/* Adds the next instance, or the next few, to `keyed`. @return whether there was room for all of
 * them. */
static bool key_some(svs__keyed *keyed, svs_context *context, void *const *items, uint32_t count,
                     bool walked) {
    uint32_t left = count - keyed->count;
    if (!walked || left == 1 || context->env->watched)
        return key_single(keyed, context, items, walked);
    return key_walks(keyed, context, items, left < TOGETHER ? left : TOGETHER);
}

/* ---- all instances ---- */

/* from this number of objects on, their headers are not likely to be in a cache */
#define MANY_OBJECTS 65536u

/* A loop that does nothing else has many cache misses in flight; in a longer loop, the instructions
 * between two misses limit their number. */
void svs__window_fetch(svs_context *context, void *const *items, uint32_t count) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__task_loops *loops = svs__task_loops_of(task);
    svs__keys keys;
    /* relaxed is enough: a stale value does no harm. */
    if (!loops || svs__load_relaxed(&context->env->world->next_id) < MANY_OBJECTS) return;
    keys = svs__keys_into(&context->set, task, NULL, NULL);
    loops->fetch(&keys, items, count);
}

/* Adds instances by the loop of the task type. The loop stops at an instance that is not so simple,
 * which is then added by its footprint. */
static void key_by_loop(svs__keyed *keyed, svs_context *context, const svs__task_loops *loops,
                        void *const *items, uint32_t count, bool walked) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__set *set = &context->set;
    svs__key_element *base = (svs__key_element *)(void *)keyed->elements;
    while (keyed->count < count) {
        svs__keys keys = svs__keys_into(set, task, base + keyed->used, base + SVS__KEYED_ELEMENTS);
        uint32_t first = keyed->count;
        keyed->count += loops->keys(&keys, items + first, keyed->ends + first, count - first);
        for (uint32_t i = first; keyed->used && i < keyed->count; i++)
            keyed->ends[i] += keyed->used;
        keyed->all_write = first == 0 && keys.reads == 0;
        keyed->used = (uint32_t)(keys.next - base);
        if (keys.footprint.status == SVS__KEYS_FULL && keyed->count) return;
        if (keyed->count == count) return;
        keyed->all_write = false;
        if (!key_some(keyed, context, items, count, walked)) return;
    }
}

static void key_by_touch(svs__keyed *keyed, svs_context *context, void *const *items,
                         uint32_t count, bool walked) {
    while (keyed->count < count && key_some(keyed, context, items, count, walked)) {}
}

uint32_t svs__window_keys(svs__keyed *keyed, svs_context *context, void *const *items,
                          uint32_t count, bool walked) {
    const svs__task_loops *loops = svs__task_loops_of(svs__item_task(items[0]));
    if (count > SVS__KEYED) count = SVS__KEYED;
    keyed->count = keyed->odd = keyed->walked = keyed->used = 0;
    keyed->all_write = false;
    if (loops && !context->env->watched) key_by_loop(keyed, context, loops, items, count, walked);
    else key_by_touch(keyed, context, items, count, walked);
    return keyed->count;
}

/* ---- looks ---- */

bool svs__window_are_plain(svs_context *context, void *const *items, uint32_t count) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__task_loops *loops = svs__task_loops_of(task);
    svs__keys keys;
    if (!loops) return false;
    keys = svs__keys_into(&context->set, task, NULL, NULL);
    return loops->look(&keys, items, count) != 0;
}

svs__sight svs__window_look(svs_context *context, const void *item) {
    svs__set_begin(&context->set);
    svs__task_touch(svs__item_task(item), &context->set, item);
    return svs__set_look(&context->set);
}
