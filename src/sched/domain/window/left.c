/* Left over for the next window: candidates without a colour, those that were carried over, and
 * those that were refused. Under the domain's lock. */
#include <string.h>

#include "base/check.h"
#include "sched/domain/window/parts.h"

void svs__window_push_left(svs__windows *ws, void *item) {
    uint32_t count = svs__load_relaxed(&ws->left_count); /* relaxed: guarded; others read a hint */
    SVS__CHECK(count < SVS__WINDOW_LEFT);
    ws->left[ws->which][count] = item;
    svs__store_relaxed(&ws->left_count, count + 1);
}

void svs__window_put_among_deferred(svs__domain *domain, void *item) {
    const svs__conflict met = {0, SVS_MODE_WRITE, SVS__MET_CHANGE, false};
    svs__pending_put(&domain->pending, svs__record_of(item), &met, false);
}

/* @return the first that was refused; the others follow it in their order. */
static svs__record *returned_of(svs__windows *ws, uint32_t *count) {
    /* acquire: pairs with the release of return_to(). */
    svs__record *record = svs__load_relaxed(&ws->returned)
                              ? svs__exchange_acquire(&ws->returned, NULL)
                              : NULL,
                *next, *first = NULL;
    for (*count = 0; record; record = next, ++*count) { /* the last one is first */
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

/* [sched.W11] They come before all that is left over. The first one may have waited for long: then
 * it waits among the deferred, and all others for it. */
static void lead(svs__domain *domain, svs_context *context, svs__record *first, uint32_t count) {
    svs__record *next = first->next;
    void **to;
    if (first->tries >= SVS__WINDOW_TRIES) {
        defer(domain, context, first);
        svs__domain_set_blocked(domain, false, 0);
        first = next;
        count--;
    } else {
        svs__record_tire(first);
    }
    context->statistics.deferrals++;
    to = svs__window_make_way(domain->windows, count);
    for (; first; first = next) {
        next = first->next;
        *to++ = svs__record_item(first);
    }
}

void svs__window_take_returned(svs__domain *domain, svs_context *context) {
    svs__windows *ws = domain->windows;
    uint32_t count;
    svs__record *first = returned_of(ws, &count), *next;
    bool waits = false;
    if (domain->algorithm->in_order) {
        if (first) lead(domain, context, first, count);
        return;
    }
    for (; first; first = next) {
        next = first->next;
        if (first->tries < SVS__WINDOW_TRIES &&
            svs__load_relaxed(&ws->left_count) < SVS__WINDOW_LEFT / 4) {
            svs__record_tire(first);
            context->statistics.deferrals++;
            svs__window_push_left(ws, svs__record_item(first));
            continue;
        }
        defer(domain, context, first);
        waits = true;
    }
    if (waits) svs__domain_set_blocked(domain, false, 0);
}

void svs__window_give_up(svs__domain *domain, svs_context *context) {
    svs__windows *ws = domain->windows;
    uint32_t count;
    svs__window_take_returned(domain, context);
    count = svs__load_relaxed(&ws->left_count);
    for (uint32_t i = 0; i < count; i++)
        svs__window_put_among_deferred(domain, ws->left[ws->which][i]);
    if (count) svs__domain_set_blocked(domain, false, 0);
    svs__store_relaxed(&ws->left_count, 0);
}

void **svs__window_make_way(svs__windows *ws, uint32_t count) {
    void **left = ws->left[ws->which];
    uint32_t was = svs__load_relaxed(&ws->left_count);
    SVS__CHECK(was + count <= SVS__WINDOW_LEFT);
    if (count) memmove((void *)(left + count), (const void *)left, was * sizeof(void *));
    svs__store_relaxed(&ws->left_count, was + count);
    return left;
}

/* ---- parts ---- */

static svs__window_part *part_of(const svs__windows *ws, svs__window *w, const svs__batch *batch) {
    uint32_t at = batch->part[w - ws->window];
    return at < w->part_count && w->parts[at].batch == batch ? &w->parts[at] : NULL;
}

void svs__window_count(svs__windows *ws, svs__window *w, svs__batch *batch, uint32_t count) {
    svs__window_part *part = part_of(ws, w, batch);
    if (!count) return;
    if (!part) {
        batch->part[w - ws->window] = (uint16_t)w->part_count;
        part = &w->parts[w->part_count++];
        *part = (svs__window_part){batch, 0};
    }
    part->count += count;
}

void svs__window_uncount(svs__windows *ws, svs__window *w, const void *item) {
    svs__window_part *part = part_of(ws, w, svs__batch_of(item));
    SVS__CHECK(part && part->count); /* sched.S2: each item of a window is counted once */
    part->count--;
}
