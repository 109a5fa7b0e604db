#include "sched/domain/observe/seen_window.h"

#include "base/memory.h"
#include "base/platform.h"
#include "sched/domain/observe/explain.h"
#include "sched/domain/window/keys.h"

#define PLACE_BITS 14u
#define TOLD_MAX 64u /* conflicts of a window */

/* The last instances of a window, from 1, that read and that write what has a key. */
typedef struct touched {
    uint16_t by[2][1u << PLACE_BITS];
} touched;

typedef struct search {
    svs_context *context;
    touched *touched;
    const svs__window *window;
    uint32_t before, told; /* before: instances of earlier stages */
    svs__keyed keyed;
} search;

static void touch(touched *t, const svs__element *e, uint32_t count, uint32_t number) {
    for (uint32_t i = 0; i < count; i++)
        t->by[e[i].mode][e[i].key >> (32 - PLACE_BITS)] = (uint16_t)number;
}

/* An instance of an earlier stage that conflicts with these elements. @return its number; 0: none.
 */
static uint32_t find_other(const touched *t, const svs__element *e, uint32_t count, uint32_t end) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = e[i].key >> (32 - PLACE_BITS);
        uint32_t number = t->by[SVS_MODE_WRITE][at];
        if (!number && e[i].mode == SVS_MODE_WRITE) number = t->by[SVS_MODE_READ][at];
        if (number && number <= end) return number;
    }
    return 0;
}

/* The instance of a window with this number, from 1 in the order of stages. */
static const void *item_of(const svs__window *w, uint32_t number) {
    uint32_t stage = 0;
    while (number > w->count[stage]) number -= w->count[stage++];
    return w->items[stage][number - 1];
}

/* The instance of an item, which has this number. */
static void look_at(search *s, const void *item, uint32_t number, const svs__element *elements,
                    uint32_t count) {
    svs__explained found;
    uint32_t other = find_other(s->touched, elements, count, s->before);
    touch(s->touched, elements, count, number);
    if (!other || !svs__explain_pair(s->context, item, item_of(s->window, other), &found)) return;
    svs__seen_tell_conflict(s->context, item, &found, true);
    s->told++;
}

/* Looks at instances of one task, by the elements that its loop makes. `number`: of the first.
 * @return at how many. */
static uint32_t look_at_some(search *s, void *const *items, uint32_t count, uint32_t number) {
    svs__keyed *k = &s->keyed;
    uint32_t some = svs__window_keys(k, s->context, items, count, true), first = 0;
    for (uint32_t i = 0; i < some && s->told < TOLD_MAX; i++) {
        if (k->ends[i] >= SVS__WALKED) continue;
        look_at(s, items[i], number + i, k->elements + first, k->ends[i] - first);
        first = k->ends[i];
    }
    return some;
}

static void look_at_stage(search *s, void *const *items, uint32_t count) {
    for (uint32_t done = 0; done < count && s->told < TOLD_MAX;) {
        const svs_task *task = svs__item_task(items[done]);
        uint32_t end = done + 1;
        while (end < count && end - done < SVS__KEYED && svs__item_task(items[end]) == task) end++;
        done += look_at_some(s, items + done, end - done, s->before + done + 1);
    }
}

static void tell_conflicts(search *s) {
    const svs__window *w = s->window;
    for (uint32_t stage = 0; stage < w->stages; s->before += w->count[stage++])
        look_at_stage(s, w->items[stage], w->count[stage]);
}

void svs__seen_window(svs_context *context, const svs__window *w) {
    const svs_allocator *allocator = context->env->world->allocator;
    svs__seen_stage window = {.kind = SVS__SEEN_WINDOW, .stages = w->stages};
    uint64_t begin_ns = svs__time_ns();
    for (uint32_t stage = 0; stage < w->stages; stage++) window.width += w->count[stage];
    window.parted = window.width - w->count[0];
    if (context->env->seen.graphs && window.parted && begin_ns >= context->seen_next_ns) {
        touched *t = svs__allocate_zeroed(allocator, sizeof *t, _Alignof(touched));
        search s = {.context = context, .touched = t, .window = w};
        if (t) tell_conflicts(&s);
        window.explained = s.told;
        svs__release(allocator, t, sizeof *t, _Alignof(touched));
        context->seen_next_ns = svs__time_ns() + SVS__SEEN_SHARE * (svs__time_ns() - begin_ns);
    }
    svs__seen_tell_window(context, &window, svs__item_task(w->items[0][0]));
}
