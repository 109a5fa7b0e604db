#include "sched/domain/window/left.h"

#include <string.h>

#include "base/check.h"
#include "sched/domain/window/parts.h"

void svs__left_put_back(svs__windows *ws, void *item) {
    SVS__CHECK(ws->memory->back.count < SVS__WINDOW_BACK);
    ws->memory->back.items[ws->memory->back.count++] = item;
    svs__left_count(ws, 1);
}

/* Moves the first items of a list into the list of a window, at place `at`, as many as there is
 * room for. */
static void insert(svs__left *to, uint32_t at, svs__left *from) {
    uint32_t room = SVS__WINDOW_MOST - to->count;
    uint32_t count = from->count < room ? from->count : room;
    void **place = to->items + at;
    if (!count) return;
    memmove((void *)(place + count), (const void *)place, (to->count - at) * sizeof(void *));
    memcpy((void *)place, (const void *)from->items, count * sizeof(void *));
    to->count += count;
    from->count -= count;
    memmove((void *)from->items, (const void *)(from->items + count), from->count * sizeof(void *));
}

static void exchange(svs__left *a, svs__left *b) {
    svs__left was = *a;
    *a = *b;
    *b = was;
}

void svs__left_gather(svs__windows *ws, uint32_t number) {
    svs__left *to = &ws->memory->left[number % SVS__WINDOWS];
    SVS__ASSERT(!svs__load_relaxed(&ws->makers)); /* sched.W17 */
    for (uint32_t i = 1; i < SVS__WINDOWS; i++) {
        svs__left *from = &ws->memory->left[(number + i) % SVS__WINDOWS];
        if (!to->count) exchange(from, to);
        else insert(to, to->count, from);
    }
}

void svs__left_lead(svs__windows *ws, uint32_t number) {
    insert(&ws->memory->left[number % SVS__WINDOWS], 0, &ws->memory->back);
}

static uint32_t take_from(svs__left *left, void **items, uint32_t most) {
    const svs__batch *batch = left->count ? svs__batch_of(left->items[left->count - 1]) : NULL;
    uint32_t count = 0;
    while (count < most && left->count && svs__batch_of(left->items[left->count - 1]) == batch)
        items[count++] = left->items[--left->count];
    return count;
}

uint32_t svs__left_take(svs__windows *ws, void **items, uint32_t most) {
    uint32_t count, lists = SVS__WINDOWS;
    /* relaxed is enough: what a maker adds later is taken later. */
    if (!svs__load_relaxed(&ws->left_count)) return 0;
    /* The tasks of a window that is not opened must not end: what it has left over is not taken. */
    if (svs__tickets_ahead(ws)) lists = 0;
    count = take_from(&ws->memory->back, items, most);
    for (uint32_t i = 0; !count && i < lists; i++)
        count = take_from(&ws->memory->left[i], items, most);
    svs__left_count(ws, -(int64_t)count);
    return count;
}

/* ---- refused instances (sched.W7) ---- */

/* Takes the list `returned`, and reverses it. @return the record that was refused first; the others
 * follow in the order of their refusals. */
static svs__record *returned_of(svs__windows *ws, uint32_t *count) {
    /* acquire: pairs with the release of return_to(). */
    svs__record *record = svs__load_relaxed(&ws->returned)
                              ? svs__exchange_acquire(&ws->returned, NULL)
                              : NULL,
                *next, *first = NULL;
    /* the list begins with the last refused record */
    for (*count = 0; record; record = next, ++*count) {
        next = record->next;
        record->next = first;
        first = record;
    }
    return first;
}

static void defer(svs__domain *domain, svs_context *context, svs__record *record) {
    const svs__conflict met = svs__record_conflict(record);
    svs__domain_defer(domain, context, record, &met, false, false);
}

/* [sched.W11] Puts the refused instances before all items that are left over. If the first one was
 * refused often, it waits among the deferred instances, and all other instances wait for it. */
static void return_in_order(svs__domain *domain, svs_context *context, svs__record *first) {
    svs__windows *ws = svs__windows_of(domain);
    svs__record *next = first->next;
    SVS__ASSERT(!ws->memory->back.count); /* sched.W11: there are no serial runs */
    if (first->tries >= SVS__WINDOW_TRIES) {
        defer(domain, context, first);
        svs__domain_set_blocked(domain, false, 0);
        first = next;
    } else {
        svs__record_tire(first);
    }
    context->statistics.deferrals++;
    for (; first; first = next) {
        next = first->next;
        svs__left_put_back(ws, svs__record_item(first));
    }
}

void svs__left_take_returned(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t count;
    svs__record *first = returned_of(ws, &count), *next;
    bool waits = false;
    if (ws->in_order) {
        if (first) return_in_order(domain, context, first);
        return;
    }
    for (; first; first = next) {
        next = first->next;
        if (first->tries < SVS__WINDOW_TRIES && ws->memory->back.count < SVS__WINDOW_BACK / 4) {
            svs__record_tire(first);
            context->statistics.deferrals++;
            svs__left_put_back(ws, svs__record_item(first));
            continue;
        }
        defer(domain, context, first);
        waits = true;
    }
    if (waits) svs__domain_set_blocked(domain, false, 0);
}

static void defer_all(svs__domain *domain, svs__left *left) {
    for (uint32_t i = 0; i < left->count; i++)
        svs__window_put_among_deferred(domain, left->items[i]);
    if (left->count) svs__domain_set_blocked(domain, false, 0);
    left->count = 0;
}

void svs__left_give_up(svs__domain *domain, svs_context *context) {
    svs__windows *ws = svs__windows_of(domain);
    uint32_t next = svs__load_relaxed(&ws->tickets);
    SVS__ASSERT(!svs__load_relaxed(&ws->makers)); /* sched.W2 */
    if (!ws->memory) return;                      /* nothing was left over */
    svs__left_take_returned(domain, context);
    defer_all(domain, &ws->memory->back);
    for (uint32_t i = 0; i < SVS__WINDOWS; i++) {
        uint32_t at = (next + i) % SVS__WINDOWS;
        defer_all(domain, &ws->memory->left[at]);
        ws->told[at] = (svs__told){0};
    }
    svs__store_relaxed(&ws->left_count, 0);
}
