#include "sched/domain/window/keys.h"

#include <string.h>

#include "base/check.h"
#include "sched/domain/deferred/waiting.h"

/* ---- by ordinary footprints ---- */

#define TOGETHER 8u /* instances that walk links, whose objects are fetched together */

static bool all_are_written(const svs__element *elements, uint32_t count) {
    uint32_t modes = SVS_MODE_WRITE;
    for (uint32_t i = 0; i < count; i++) modes &= elements[i].mode;
    return modes == SVS_MODE_WRITE;
}

/* Expands the accesses in the range [first, end) of the set's footprint. @return the end of the
 * instance's elements in the set, SVS__WALKED or SVS__ODD. */
static uint32_t expand_one(svs__set *set, uint32_t first, uint32_t end, bool walked) {
    uint32_t from = set->count;
    bool complete = !set->status && svs__set_expand_more(set, first, end) &&
                    set->count - from <= SVS__KEYED_ELEMENTS;
    if (SVS__LIKELY(complete && (walked || !set->walked))) return set->count;
    set->count = from;
    set->walked = false;
    return complete ? SVS__WALKED : SVS__ODD;
}

/* Adds the next `count` instances to `keyed`. The accesses of number i of them are those from
 * ends[i] to ends[i + 1] in the set's footprint. @return whether there was room for all of them. */
static bool key_each(svs__keyed *keyed, svs_context *context, const uint32_t *ends, uint32_t count,
                     bool walked) {
    svs__set *set = &context->set;
    svs__element *to = keyed->elements + keyed->used;
    uint32_t used = 0, i;
    svs__set_clear(set);
    for (i = 0; i < count; i++) {
        uint32_t end = expand_one(set, ends[i], ends[i + 1], walked);
        bool odd = end >= SVS__WALKED;
        if (set->count > SVS__KEYED_ELEMENTS - keyed->used) break;
        SVS__ASSERT(svs__set_is_lasting(set) || set->walked);
        used = set->count;
        keyed->walks |= set->walked;
        keyed->odd += odd;
        keyed->ends[keyed->count++] = odd ? end : keyed->used + end;
    }
    if (used) memcpy(to, set->elements, used * sizeof *to);
    keyed->all_write = keyed->all_write && all_are_written(to, used);
    keyed->used += used;
    return i == count;
}

static void touch(svs_context *context, const void *item) {
    svs__task_touch(svs__item_task(item), &context->set, item);
}

static bool key_single(svs__keyed *keyed, svs_context *context, void *const *items, bool walked) {
    svs__set_begin(&context->set);
    touch(context, items[keyed->count]);
    return key_each(keyed, context, (uint32_t[]){0, context->set.footprint.count}, 1, walked);
}

/* Instances that walk links. In a small world, a prefetch takes longer than what a walk of one hop
 * waits for. */
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
    svs__set_warm(set, set->footprint.count, svs__world_is_large(context->env->world) ? 1 : 2);
    return key_each(keyed, context, ends, count, true);
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

/* A loop that does nothing else has many cache misses in flight; in a longer loop, the instructions
 * between two misses limit their number. */
void svs__window_fetch(svs_context *context, void *const *items, uint32_t count) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__task_loops *loops = svs__task_loops_of(task);
    if (loops && svs__world_is_large(context->env->world))
        loops->fetch(task->argument, items, count);
}

/* The links that a loop may follow, of the types that it knows to have no members. */
static void know_links(const svs__set *set, svs__key_links *links) {
    for (int i = 0; i < 2; i++) {
        const svs__type *type = set->plain_types[i] ? svs__type_get(set->plain_types[i]) : NULL;
        links[i] = type ? (svs__key_links){type->link_field, type->link_header, type->link_count}
                        : (svs__key_links){NULL, NULL, 0};
    }
}

/* Adds instances by the loop of the task type. If elements of walked instances are wanted, the loop
 * follows links for one hop; in a large world it does not, since key_walks() fetches ahead. It
 * stops at an instance that is not so simple, which is then added by its footprint. */
static void key_by_loop(svs__keyed *keyed, svs_context *context, const svs__task_loops *loops,
                        void *const *items, uint32_t count, bool walked) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__set *set = &context->set;
    svs__key_element *base = (svs__key_element *)(void *)keyed->elements;
    bool follows = walked && !svs__world_is_large(context->env->world);
    while (keyed->count < count) {
        svs__keys keys = svs__keys_into(set, task, base + keyed->used, base + SVS__KEYED_ELEMENTS);
        svs__key_links links[2];
        uint32_t first = keyed->count;
        if (follows) know_links(set, links);
        keys.links = follows ? links : NULL;
        keyed->count += loops->keys(&keys, items + first, keyed->ends + first, count - first);
        for (uint32_t i = first; keyed->used && i < keyed->count; i++)
            keyed->ends[i] += keyed->used;
        keyed->all_write = keyed->all_write && keys.reads == 0;
        keyed->walks |= keys.walks;
        keyed->used = (uint32_t)(keys.next - base);
        if (keys.footprint.status == SVS__KEYS_FULL && keyed->count) return;
        if (keyed->count == count) return;
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
    keyed->count = keyed->odd = keyed->used = 0;
    keyed->walks = false;
    keyed->all_write = true;
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
