/* Making a window: its candidates, their elements, their colours, its stages. */
#include <string.h>

#include "base/check.h"
#include "sched/domain/observe/seen_window.h"
#include "sched/domain/queue/inbox.h"
#include "sched/domain/window/light.h"
#include "sched/domain/window/making.h"

_Static_assert(SVS__LEFT_MAX + SVS__KEYED <= 512, "what has found no colour has room");

#if defined(SVS_EXPLORE)
#define TOGETHER 2u /* so that a few instances are several pieces */
#else
#define TOGETHER SVS__KEYED /* candidates, the elements of which are made together */
#endif
#define MISSES_MAX 64u /* candidates without a colour in a row: the window is about full */

/* ---- candidates ---- */

/* Up to `room` of one batch. */
static uint32_t take_left(svs__making *m, uint32_t room) {
    const svs__batch *batch = svs__batch_of(m->old[m->from]);
    uint32_t count = 0;
    while (count < room && m->from < m->old_count && svs__batch_of(m->old[m->from]) == batch)
        m->items[count++] = m->old[m->from++];
    return count;
}

static uint32_t take_arrivals(svs__making *m, uint32_t room) {
    void *first;
    uint32_t count = svs__domain_take_items(m->domain, room, &first);
    size_t bytes;
    char *item = first;
    if (!count) return 0;
    bytes = svs__batch_of(first)->item_bytes;
    for (uint32_t i = 0; i < count; i += 4, item += 4 * bytes) { /* some behind them are unused */
        m->items[i] = item;
        m->items[i + 1] = item + bytes;
        m->items[i + 2] = item + 2 * bytes;
        m->items[i + 3] = item + 3 * bytes;
    }
    return count;
}

static uint32_t take_some(svs__making *m) {
    svs__window *w = m->w;
    uint32_t left = m->most - m->placed, room = left < TOGETHER ? left : TOGETHER;
    uint32_t count = m->from < m->old_count ? take_left(m, room) : take_arrivals(m, room);
    const svs_task *task = count ? svs__item_task(m->items[0]) : NULL;
    if (count) w->only = m->looked == 0 || w->only == task ? task : NULL;
    return count;
}

/* After the elements of the first candidates are known: a table for those of a whole window. */
static void fit_table(svs__making *m) {
    uint64_t waiting = m->looked + m->old_count - m->from + svs__domain_arrivals(m->domain);
    if (waiting > SVS__WINDOW_MAX) waiting = SVS__WINDOW_MAX; /* and a few more share words */
    (void)svs__windows_fit_table(m->domain, waiting * m->keyed.used / m->keyed.count);
    svs__window_next_number(m->ws);
    m->number = m->ws->number;
    m->shift = 32 - m->ws->table_bits;
}

/* Candidates until the window is complete. */
static void fill(svs__making *m) {
    uint32_t count;
    while (m->placed < m->most && m->misses < MISSES_MAX && !m->stopped &&
           (m->from < m->old_count || svs__load_relaxed(&m->ws->left_count) < SVS__LEFT_MAX) &&
           (count = take_some(m)) != 0) {
        uint32_t some, placed = m->placed;
        m->looked += count;
        for (uint32_t done = 0; done < count; done += some) {
            some = svs__window_colour(m, m->items + done, count - done);
            if (some) continue;
            some = svs__window_keys(&m->keyed, m->context, m->items + done, count - done, m->walks);
            if (!m->number) fit_table(m);
            m->w->walks |= m->keyed.walked != 0;
            svs__window_place(m, m->items + done);
        }
        svs__window_count(m->ws, m->w, svs__batch_of(m->items[0]), m->placed - placed);
    }
    while (m->from < m->old_count) svs__window_push_left(m->ws, m->old[m->from++]);
}

/* ---- the whole ---- */

/* Nothing can be said in the window's favour: most candidates were not plain. */
#define REST 64u

/* All that waits, if a window may have so many. */
static uint32_t most_of(const svs__making *m) {
    uint64_t waiting = (uint64_t)m->old_count + svs__domain_arrivals(m->domain);
    return waiting <= SVS__WINDOW_MOST ? SVS__WINDOW_MOST : SVS__WINDOW_MAX;
}

/* [sched.W14] */
static void begin_walks(svs__making *m) {
    svs__windows *ws = m->ws;
    uint32_t unleased = svs__load_relaxed(&ws->unleased); /* relaxed, these: guarded, or hints */
    if (unleased) svs__store_relaxed(&ws->unleased, unleased - 1);
    m->may_walk = !unleased && !m->in_order;
    m->walks = m->may_walk && svs__load_relaxed(&ws->walks);
    m->w->walks = false;
    m->meets_walked = false;
    if (m->walks) m->w->assigned = svs__world_assigned(m->domain->env->world);
}

static bool begin(svs__making *m, svs__domain *domain, svs_context *context) {
    svs__windows *ws = domain->windows;
    if (!svs__windows_make_arrays(domain) || !svs__windows_fit_table(domain, 0)) {
        svs__store_relaxed(&ws->rest, REST);
        return false;
    }
    m->domain = domain;
    m->context = context;
    m->ws = ws;
    m->w = &ws->window[ws->turn];
    m->number = m->shift = 0; /* until fit_table() */
    m->open = SVS__ALL_COLOURS;
    m->in_order = domain->algorithm->in_order;
    m->stopped = false;
    begin_walks(m);
    memcpy((void *)m->ends, (const void *)m->w->items, sizeof m->ends);
    m->old = ws->left[ws->which];
    m->old_count = svs__load_relaxed(&ws->left_count);
    m->read = 0;
    m->from = m->misses = m->placed_at_miss = m->looked = m->odd = m->placed = 0;
    m->most = most_of(m);
    m->w->part_count = 0;
    domain->stage.count = domain->stage.offered = 0; /* sched.W2: no such stage is there */
    m->w->freed = svs__freed_last(domain->env->world);
    ws->which = !ws->which;
    svs__store_relaxed(&ws->left_count, 0);
    return true;
}

bool svs__window_make(svs__domain *domain, svs_context *context) {
    svs__windows *ws = domain->windows;
    svs__making m;
    SVS__ASSERT(svs__lock_is_held(&domain->lock)); /* sched.W2 */
    SVS__ASSERT(!svs__load_relaxed(&ws->next));    /* sched.W5 */
    if (svs__load_relaxed(&ws->lane_rests))        /* relaxed: guarded */
        svs__store_relaxed(&ws->lane_rests, svs__load_relaxed(&ws->lane_rests) - 1);
    if (svs__window_waits_for_deferred(domain)) return false;
    svs__window_take_returned(domain, context);
    if (svs__window_waits_for_deferred(domain)) return false;
    if (!begin(&m, domain, context)) return false;
    fill(&m);
    if (m.odd) {
        svs__domain_set_blocked(domain, false, 0);
        if (8 * m.odd > m.looked) svs__store_relaxed(&ws->rest, REST);
    }
    svs__store_relaxed(&ws->walks, m.w->walks || m.meets_walked); /* relaxed: guarded, or a hint */
    svs__window_note_walks(domain, m.w->walks || m.meets_walked);
    if (!m.placed) return false;
    svs__window_make_stages(&m);
    if (SVS__UNLIKELY(context->env->seen.any)) svs__seen_window(context, m.w);
    ws->turn = !ws->turn;
    /* release: publishes the window (sched.W4). */
    svs__store_release(&ws->next, m.w);
    return true;
}
