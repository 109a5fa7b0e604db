/* Making a window: its candidates, their elements, its stages. */
#include <string.h>

#include "base/check.h"
#include "base/platform.h"
#include "sched/domain/observe/explain.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/left.h"
#include "sched/domain/window/making.h"
#include "sched/domain/window/serial.h"

/* ---- the stages: which of its colours the window runs ---- */

/* The least width of a stage: with less than a tenth of the first, it and the later ones are
 * carried over, unless no more candidates come. */
static uint32_t narrowest(const svs__making *m) {
    bool more = m->w->more || m->kept;
    return more ? svs__making_width(m, 0) / 10 : 0;
}

/* The number of items whose colour is no stage. */
static uint32_t carried(const svs__making *m) {
    uint32_t count = m->placed;
    for (uint32_t c = 0; c < m->w->stages; c++) count -= m->w->count[c];
    return count;
}

/* Puts the items of colours that are no stage to the begin of the list. */
static void carry_over(svs__making *m) {
    svs__window *w = m->w;
    void **to = m->old;
    for (uint32_t c = w->stages; c < SVS__COLOURS; c++)
        for (void **from = w->items[c]; from < m->ends[c]; from++) {
            svs__window_uncount(w, *from);
            *to++ = *from;
        }
    m->placed -= (uint32_t)(to - m->old);
}

/* What the window leaves over, in this order: items that are carried over, that have no colour, and
 * that were not looked at. @return how many. */
static uint32_t leave_over(svs__making *m) {
    uint32_t first = carried(m);
    SVS__CHECK(first + m->kept <= m->w->candidates); /* sched.W2 */
    if (first) memmove((void *)(m->old + first), (const void *)m->old, m->kept * sizeof(void *));
    carry_over(m);
    return first + m->kept;
}

/* In a narrow window, counts a deferral for each element on which its instances contend. */
static void blame(const svs__making *m) {
    const svs__window *w = m->w;
    svs__set *set = &m->context->set;
    if (m->placed < 2 || m->placed >= 2 * w->stages) return;
    for (uint32_t c = 1; c < w->stages; c++)
        for (uint32_t i = 0; i < w->count[c]; i++) {
            const void *item = w->items[c][i];
            if (svs__instance_expand(m->context, svs__item_task(item), item)) continue;
            for (uint32_t k = 0; k < set->count; k++)
                if (svs__colours_contend(m->table->words[set->elements[k].key >> m->shift]))
                    svs__domain_blame(m->domain, m->context, set->elements[k].key);
        }
}

static void make_stages(svs__making *m) {
    svs__window *w = m->w;
    uint32_t least = narrowest(m);
    w->stages = w->stage = 0;
    for (uint32_t c = 0;
         c < SVS__COLOURS && svs__making_width(m, c) && svs__making_width(m, c) >= least; c++)
        w->count[w->stages++] = svs__making_width(m, c);
}

_Static_assert(SVS__LEFT_MAX + SVS__KEYED <= 512, "what has found no colour has room");

#if defined(SVS_EXPLORE)
#define TOGETHER 2u   /* so that a few instances are several pieces, */
#define MISSES_MAX 1u /* and a window may end before the last of them */
#else
#define TOGETHER SVS__KEYED /* candidates whose elements are computed together */
#define MISSES_MAX 64u      /* without a colour in a row: the window is about full */
#endif

/* ---- generated items (sched.I11) ---- */

/* The items of a row from the `from`-th on, if they are not made yet; else it has no function. */
static svs__generated row_to_make(const svs__window *w, const svs__row *row, uint32_t from) {
    svs__generated rest = {.function = NULL};
    if (!row->to_make) return rest;
    rest = w->to_make[row->to_make - 1];
    rest.next += from;
    return rest;
}

/* Makes all generated items that are neither made nor in a chunk. */
static void make_items(const svs__making *m) {
    uint32_t from = m->taken;
    for (uint32_t i = m->arrival; i < m->w->arrival_count; i++, from = 0) {
        const svs__row *row = &m->w->arrivals[i];
        svs__generated rest = row_to_make(m->w, row, from);
        size_t bytes = svs__batch_of(row->first)->item_bytes;
        if (rest.function) svs__generated_make(&rest, (char *)row->first + from * bytes);
    }
}

/* ---- candidates ---- */

/* Looks at up to `room` items of one batch that were left over. */
static uint32_t take_left(svs__making *m, uint32_t room) {
    const svs__batch *batch = svs__batch_of(m->old[m->from]);
    uint32_t count = 0;
    while (count < room && m->from < m->old_count && svs__batch_of(m->old[m->from]) == batch)
        m->items[count++] = m->old[m->from++];
    return count;
}

static uint32_t take_arrivals(svs__making *m, uint32_t room) {
    const svs__row *a = &m->w->arrivals[m->arrival];
    uint32_t count;
    size_t bytes;
    char *item;
    if (m->arrival == m->w->arrival_count) return 0;
    bytes = svs__batch_of(a->first)->item_bytes;
    item = (char *)a->first + m->taken * bytes;
    count = a->count - m->taken < room ? a->count - m->taken : room;
    for (uint32_t i = 0; i < count; i += 4, item += 4 * bytes) { /* up to three past `count` */
        m->items[i] = item;
        m->items[i + 1] = item + bytes;
        m->items[i + 2] = item + 2 * bytes;
        m->items[i + 3] = item + 3 * bytes;
    }
    m->taken += count;
    if (m->taken == a->count) m->arrival++, m->taken = 0;
    return count;
}

static uint32_t take_some(svs__making *m, uint32_t room) {
    svs__window *w = m->w;
    uint32_t count = m->from < m->old_count ? take_left(m, room) : take_arrivals(m, room);
    svs_task *task = count ? svs__item_task(m->items[0]) : NULL;
    if (count) w->only = m->looked == 0 || w->only == task ? task : NULL;
    m->looked += count;
    return count;
}

/* After the elements of the first candidates are known: a table for those of a whole window. */
static void fit_table(svs__making *m) {
    /* A window with more than SVS__WINDOW_MAX candidates gets the table of one with as many. */
    uint64_t all = m->w->candidates < SVS__WINDOW_MAX ? m->w->candidates : SVS__WINDOW_MAX;
    const svs_world *world = m->domain->env->world;
    m->w->table_bits = svs__table_bits(world, all * m->keyed->used / m->keyed->count);
    m->number = svs__table_begin(m->table, world, m->w->table_bits);
    m->shift = 32 - m->table->bits;
}

/* Candidates of one batch. `known`: the elements of the first ones, or NULL. */
static void place_group(svs__making *m, void *const *items, uint32_t count,
                        const svs__keyed *known) {
    uint32_t some, placed = m->placed;
    if (!known) svs__window_fetch(m->context, items, count);
    for (uint32_t done = 0; done < count; done += some, known = NULL) {
        some = known ? 0 : svs__making_colour(m, items + done, count - done);
        if (some) continue;
        m->keyed = known ? known : &m->own;
        if (!known)
            (void)svs__window_keys(&m->own, m->context, items + done, count - done,
                                   m->w->takes_walks);
        some = m->keyed->count;
        if (!m->number) fit_table(m);
        m->w->walks |= m->keyed->walks;
        svs__making_place(m, items + done);
    }
    svs__window_count(m->w, svs__batch_of(items[0]), m->placed - placed);
}

static bool is_complete(const svs__making *m) {
    return m->misses >= MISSES_MAX || m->missed >= SVS__LEFT_MAX || m->stopped;
}

static void fill(svs__making *m) {
    uint32_t count;
    make_items(m);
    while (!is_complete(m) && (count = take_some(m, TOGETHER)) != 0)
        place_group(m, m->items, count, NULL);
}

/* ---- walked candidates, in chunks (sched.W15) ---- */

/* [sched.I11] The next candidates, if they are not made yet; else it has no function. */
static svs__generated next_to_make(const svs__making *m) {
    if (m->from < m->old_count || m->arrival == m->w->arrival_count)
        return (svs__generated){.function = NULL};
    return row_to_make(m->w, &m->w->arrivals[m->arrival], m->taken);
}

/* Puts the next candidates into a round. */
static void gather(svs__making *m) {
    svs__windows *ws = svs__windows_of(m->domain);
    uint32_t count;
    svs__chunks_begin(ws);
    while (ws->chunks.count < SVS__CHUNKS) {
        svs__generated next = next_to_make(m);
        if (!(count = take_some(m, SVS__CHUNK))) break;
        next.count = next.next + count;
        svs__chunks_add(ws, m->items, count)->to_make = next;
    }
}

/* Leaves over the candidates of the chunks that begin with number `i`, which were not looked at. */
static void leave_chunks(svs__making *m, uint32_t i) {
    const svs__chunks *c = &svs__windows_of(m->domain)->chunks;
    for (; i < c->count; i++) {
        svs__chunk_make_items(&c->chunk[i]);
        for (uint32_t k = 0; k < c->chunk[i].count; k++, m->looked--)
            svs__making_keep(m, c->chunk[i].items[k]);
    }
}

static void fill_by_chunks(svs__making *m) {
    const svs__chunks *c = &svs__windows_of(m->domain)->chunks;
    uint64_t begin = svs__time_ns();
    while (!is_complete(m)) {
        uint32_t i = 0;
        gather(m);
        if (!c->count) break;
        svs__chunks_offer(m->domain);
        for (; i < c->count && !is_complete(m); i++) {
            const svs__chunk *chunk = svs__chunks_get(m->domain, m->context);
            place_group(m, chunk->items, chunk->count, &chunk->keyed);
        }
        svs__chunks_withdraw(m->domain);
        leave_chunks(m, i);
    }
    make_items(m);
    m->context->statistics.quiet_ns += svs__time_ns() - begin;
}

/* ---- the whole ---- */

/* Leaves over the candidates that were not looked at. */
static void keep_rest(svs__making *m) {
    uint32_t count = m->old_count - m->from;
    if (m->kept < m->from)
        memmove((void *)(m->old + m->kept), (const void *)(m->old + m->from),
                count * sizeof(void *));
    m->kept += count;
    m->from = m->old_count;
    while ((count = take_arrivals(m, SVS__KEYED)) != 0)
        for (uint32_t i = 0; i < count; i++) svs__making_keep(m, m->items[i]);
}

static void begin(svs__making *m, svs__domain *domain, svs_context *context, svs__window *w) {
    svs__windows *ws = svs__windows_of(domain);
    const svs__left *left = &ws->memory->left[w->number % SVS__WINDOWS];
    m->domain = domain;
    m->context = context;
    m->table = &context->table;
    m->w = w;
    m->number = m->shift = 0; /* until fit_table() */
    m->open = SVS__ALL_COLOURS;
    m->in_order = ws->in_order;
    m->stopped = m->meets_walked = false;
    memcpy((void *)m->ends, (const void *)w->items, sizeof m->ends);
    m->old = left->items;
    m->old_count = left->count;
    m->from = m->kept = m->arrival = m->taken = 0;
    m->read = 0;
    m->misses = m->placed_at_miss = m->missed = m->looked = m->placed = 0;
    w->part_count = w->part_at = w->odd_count = 0;
    w->stages = w->stage = 0;
    w->walks = false;
    w->only = NULL;
    w->freed = svs__freed_last(domain->env->world);
    if (w->takes_walks) w->assigned = svs__world_assigned(domain->env->world);
    w->begun_ns = domain->env->threads > 1 ? svs__time_ns() : 0;
}

/* Records what the window leaves over and what it has met, for the next window of its chain and for
 * windows that gather. */
static void tell(svs__making *m) {
    svs__windows *ws = svs__windows_of(m->domain);
    uint32_t at = m->w->number % SVS__WINDOWS, left = leave_over(m);
    bool walks = m->w->walks || m->meets_walked;
    svs__told told = {walks, !m->in_order && 8 * m->w->odd_count > m->looked,
                      m->missed || svs__making_width(m, 1)};
    ws->told[at] = told;
    for (uint32_t i = 1; !m->w->number && i < SVS__WINDOWS; i++) ws->told[i] = told; /* sched.W17 */
    svs__store_relaxed(&ws->walks, walks); /* relaxed is enough: a hint */
    svs__window_note_walks(m->domain, walks);
    ws->memory->left[at].count = left;
    svs__left_count(ws, left);
}

/* [sched.W4] From now on, an owner may open the window when those before it have ended. */
static void publish(svs__windows *ws, svs__window *w) {
    _Atomic(uintptr_t) *made = &ws->made[w->number % SVS__WINDOWS];
    SVS__ASSERT(!svs__load_relaxed(made)); /* sched.W5 */
    /* release: publishes the window, its list, and what it tells (sched.W2). */
    svs__store_release(made, (uintptr_t)w | (w->odd_count ? SVS__HAS_ODD : 0));
    (void)svs__fetch_sub_release(&ws->makers, 1); /* release: the same, for windows that gather */
}

void svs__window_make(svs__domain *domain, svs_context *context, svs__window *w) {
    bool quiet = w->quiet;
    svs__making m;
    begin(&m, domain, context, w);
    if (w->takes_walks) fill_by_chunks(&m);
    else fill(&m);
    keep_rest(&m);
    make_stages(&m);
    tell(&m);
    blame(&m);
    if (w->begun_ns)
        svs__pace_measure_making(domain, w->only, svs__time_ns() - w->begun_ns, w->candidates);
    if (SVS__UNLIKELY(context->env->seen.any) && m.placed) svs__seen_window(context, w);
    publish(svs__windows_of(domain), w);
    if (quiet) svs__store_release(&domain->stage.left, 0); /* release: as at the end of a stage */
}
