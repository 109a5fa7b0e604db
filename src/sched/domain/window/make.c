/* Making a window: the elements of its candidates, their colours, its stages. */
#include <string.h>

#include "base/check.h"
#include "base/platform.h"
#include "sched/domain/observe/explain.h"
#include "sched/domain/window/chunks.h"
#include "sched/domain/window/left.h"
#include "sched/domain/window/parts.h"
#include "sched/domain/window/serial.h"

typedef struct making {
    svs__domain *domain;
    svs_context *context;
    svs__table *table;
    svs__window *w;
    uint64_t number;           /* of the window in the table; 0: before fit_table() */
    uint32_t shift;            /* of a key, to a word */
    uint64_t open;             /* colours that have room */
    void **ends[SVS__COLOURS]; /* of the items of each colour so far */
    /* the window's list: candidates come first from `old`, and those without a colour are kept at
     * its begin, in place of candidates that were looked at */
    void **old;
    uint32_t old_count, from, kept;
    uint32_t arrival, taken;         /* arrivals that come next: their number, and in that one */
    uint32_t placed;                 /* instances with a colour */
    uint32_t misses, placed_at_miss; /* without a colour in a row; `placed` at the last one */
    uint32_t missed;                 /* without a colour in all */
    uint32_t looked;                 /* candidates so far */
    uint32_t read;               /* words of readers that are not written yet, or SVS__READ_NONE */
    bool in_order;               /* sched.W11 */
    bool meets_walked;           /* the window ends before the first walked candidate */
    bool stopped;                /* no further candidate is looked at */
    void *items[SVS__KEYED + 3]; /* candidates of one batch */
    svs__keyed own;              /* their elements, if they are in no chunk */
    const svs__keyed *keyed;     /* the elements of those that are placed next */
} making;

/* The number of instances with this colour so far. */
static inline uint32_t width_of(const making *m, uint32_t colour) {
    return (uint32_t)(m->ends[colour] - m->w->items[colour]);
}

/* ---- the colours of candidates (sched.W1) ---- */

#define NO_COLOUR UINT32_MAX
#define LAST_COLOUR (UINT64_C(1) << (SVS__COLOURS - 1))

/* ---- those without a colour ---- */

/* Leaves a candidate over that was looked at, or whose chunk was not. */
static inline void keep(making *m, void *item) {
    /* sched.W2: a window leaves over candidates of its own. */
    SVS__CHECK(m->kept < SVS__WINDOW_MOST);
    m->old[m->kept++] = item;
}

/* `placed` have one so far. */
SVS__COLD static void miss(making *m, void *item, uint32_t placed) {
    if (placed != m->placed_at_miss) m->misses = 0;
    m->placed_at_miss = placed;
    m->context->statistics.deferrals++;
    svs__explain_placed(m->context, item, m->w->items, m->ends, SVS__COLOURS);
    keep(m, item);
    m->misses++;
    m->missed++;
}

static void be_odd(making *m, void *item) { m->w->odd[m->w->odd_count++] = item; }

/* The candidates from the i-th on lead the next window. */
static void stop(making *m, void *const *items, uint32_t i) {
    for (; i < m->keyed->count; i++) keep(m, items[i]);
    m->stopped = true;
}

/* [sched.W11] The i-th candidate is not plain. It waits for a stage if it is the first of all.
 * Otherwise it leads the next window. Those behind it follow it. */
static void stop_at(making *m, void *const *items, uint32_t i, uint32_t placed) {
    if (!placed && !m->kept) be_odd(m, items[i++]);
    stop(m, items, i);
}

/* [sched.W14] The i-th candidate is walked, and leads a window that takes such ones. */
static void stop_at_walked(making *m, void *const *items, uint32_t i) {
    m->meets_walked = true;
    stop(m, items, i);
}

/* ---- colours ---- */

static inline void put(making *m, uint32_t colour, void *item) { *m->ends[colour]++ = item; }

/* What placing reads for each element. */
typedef struct colouring {
    uint64_t *table, number, open;
    uint32_t shift;
    bool in_order; /* sched.W11 */
} colouring;

/* [sched.W11] The colours above all those that are used. */
static inline uint64_t above(uint64_t used) {
    used &= SVS__ALL_COLOURS;
    return used ? ~((UINT64_C(2) << (63 - __builtin_clzll(used))) - 1) : SVS__ALL_COLOURS;
}

/* The word of an element. A word of an earlier window is emptied first. */
static inline uint64_t *word_of(const colouring *c, const svs__element *e) {
    uint64_t *word = &c->table[e->key >> c->shift];
    *word = svs__colours_now(*word, c->number);
    return word;
}

/* Adds the colour to the words of the elements, which already belong to this window. */
static inline void paint(const colouring *c, const svs__element *elements, uint32_t count,
                         uint64_t bit) {
    for (uint32_t i = 0; i < count; i++)
        c->table[elements[i].key >> c->shift] |= svs__colour_in(bit, elements[i].mode);
}

/* The lowest colour that is free for one element: one look at its word. */
static inline uint32_t colour_of_one(const colouring *c, const svs__element *e) {
    uint64_t *word = &c->table[e->key >> c->shift], now = svs__colours_now(*word, c->number);
    uint64_t free = ~svs__colours_of(now, e->mode) & c->open;
    if (SVS__UNLIKELY(!free)) return NO_COLOUR;
    *word = now | svs__colour_in(free & -free, e->mode);
    return (uint32_t)__builtin_ctzll(free);
}

/* The same for elements that are all written, if the algorithm is not *in order*. */
static inline uint32_t colour_of_writers(const colouring *c, const svs__element *elements,
                                         uint32_t count) {
    uint64_t used = 0, free, bit;
    for (uint32_t i = 0; i < count; i++) used |= *word_of(c, &elements[i]);
    free = ~(used | used >> SVS__COLOUR_BITS) & c->open;
    if (SVS__UNLIKELY(!free)) return NO_COLOUR;
    bit = free & -free;
    for (uint32_t i = 0; i < count; i++) c->table[elements[i].key >> c->shift] |= bit;
    return (uint32_t)__builtin_ctzll(bit);
}

/* The same for any elements, also if the algorithm is *in order*. */
static __attribute__((noinline)) uint32_t colour_of_many(const colouring *c,
                                                         const svs__element *elements,
                                                         uint32_t count) {
    const colouring own = *c; /* no word of the table is in it */
    uint64_t used = 0, free, bit;
    for (uint32_t i = 0; i < count; i++)
        used |= svs__colours_of(*word_of(&own, &elements[i]), elements[i].mode);
    free = (c->in_order ? above(used) : ~used) & c->open;
    if (SVS__UNLIKELY(!free)) {
        if (c->in_order) paint(c, elements, count, LAST_COLOUR); /* sched.W11 */
        return NO_COLOUR;
    }
    bit = free & -free;
    paint(c, elements, count, bit);
    return (uint32_t)__builtin_ctzll(bit);
}

/* Finds the lowest colour that is free for all elements, and adds it to their words. A candidate
 * without elements gets the lowest colour of all, which has room for each candidate. `writers`: all
 * elements are written. */
static inline uint32_t colour_of(const colouring *c, const svs__element *elements, uint32_t count,
                                 bool writers) {
    if (!count) return 0;
    if (c->in_order) return colour_of_many(c, elements, count);
    if (writers) return colour_of_writers(c, elements, count);
    return count == 1 ? colour_of_one(c, elements) : colour_of_many(c, elements, count);
}

bool svs__window_join(svs__table *table, const svs__element *elements, uint32_t count,
                      bool writers) {
    const colouring c = {table->words, table->number, 1, 32 - table->bits, false};
    return colour_of(&c, elements, count, writers) != NO_COLOUR;
}

/* Candidates that all write `each` elements, a constant. @return the first that differs: it writes
 * another number of elements. `out` counts those without a colour. */
static inline uint32_t place_alike(making *m, void *const *items, uint32_t each, uint32_t *out) {
    const svs__keyed *k = m->keyed;
    const svs__element *e = k->elements;
    uint64_t *table = m->table->words, number = m->number, open = m->open;
    uint32_t shift = m->shift, count = k->count, i, end = each;
    const uint32_t *ends = k->ends;
    for (i = 0; i < count && ends[i] == end; i++, e += each, end += each) {
        uint64_t *x = &table[e[0].key >> shift], *y = &table[e[each - 1].key >> shift];
        uint64_t a = svs__colours_now(*x, number), b = svs__colours_now(*y, number), bit;
        uint64_t free = ~((a | b) | (a | b) >> SVS__COLOUR_BITS) & open;
        if (SVS__UNLIKELY(!free)) {
            miss(m, items[i], m->placed + i - (*out)++);
            continue;
        }
        bit = free & -free;
        *x = a | bit;
        if (each == 2) *y = (x == y ? a : b) | bit;
        put(m, (uint32_t)__builtin_ctzll(free), items[i]);
    }
    return i;
}

/* The i-th candidate is not plain. @return whether it ends the window, which leaves it and those
 * behind it over. */
SVS__COLD static bool meet_odd(making *m, void *const *items, uint32_t i, uint32_t *out) {
    const svs__keyed *k = m->keyed;
    bool walked = k->ends[i] == SVS__WALKED;
    if (!m->in_order && !(walked && m->w->may_walk)) {
        ++*out;
        be_odd(m, items[i]);
        return false;
    }
    if (m->in_order) stop_at(m, items, i, m->placed + i - *out);
    else stop_at_walked(m, items, i);
    *out += k->count - i;
    return true;
}

/* The candidates from the i-th on. */
static void place_any(making *m, void *const *items, uint32_t i, uint32_t *out) {
    const svs__keyed *k = m->keyed;
    const colouring c = {m->table->words, m->number, m->open, m->shift, m->in_order};
    uint32_t first = i ? k->ends[i - 1] : 0, count = k->count;
    for (; i < count; i++) {
        uint32_t end = k->ends[i], colour;
        if (SVS__UNLIKELY(end >= SVS__WALKED)) {
            if (meet_odd(m, items, i, out)) return;
            continue;
        }
        colour = colour_of(&c, k->elements + first, end - first, k->all_write);
        if (SVS__UNLIKELY(colour == NO_COLOUR)) miss(m, items[i], m->placed + i - (*out)++);
        else put(m, colour, items[i]);
        first = end;
    }
}

/* ---- a window of readers ---- */

/* If these candidates only read, like all before them, gives them the lowest colour. Their words
 * are written when the first writer comes (sched.W13). @return false: one of them writes, or there
 * is no room for the words. */
static bool put_readers(making *m, void *const *items) {
    const svs__keyed *k = m->keyed;
    uint16_t *words = m->w->read + m->read;
    uint32_t modes = SVS_MODE_READ, shift = m->shift;
    if (k->odd || k->used > SVS__READ_MAX - m->read) return false;
    for (uint32_t i = 0; i < k->used; i++) {
        modes |= k->elements[i].mode;
        words[i] = (uint16_t)(k->elements[i].key >> shift);
    }
    if (modes != SVS_MODE_READ) return false;
    m->read += k->used;
    memcpy((void *)m->ends[0], (const void *)items, k->count * sizeof *items);
    m->ends[0] += k->count;
    m->placed += k->count;
    return true;
}

/* [sched.W13] */
static void paint_readers(making *m) {
    SVS__ASSERT(m->placed == (uint32_t)(m->ends[0] - m->w->items[0])); /* sched.W13 */
    for (uint32_t i = 0; i < m->read; i++) {
        uint64_t *word = &m->table->words[m->w->read[i]];
        *word = svs__colours_now(*word, m->number) | svs__colour_in(1, SVS_MODE_READ);
    }
    m->read = SVS__READ_NONE;
}

/* A colour that may be full with the next candidates is used no more. The lowest one has room for
 * all. */
static void see_room(making *m, uint32_t count) {
    if (m->placed - width_of(m, 0) + count <= SVS__COLOUR_MAX) return; /* so have the others */
    for (uint32_t c = 1; c < SVS__COLOURS; c++)
        if (width_of(m, c) + count > SVS__COLOUR_MAX) m->open &= ~(UINT64_C(1) << c);
}

static void place_all(making *m, void *const *items) {
    const svs__keyed *k = m->keyed;
    uint32_t out = 0, alike = 0;
    if (m->read != SVS__READ_NONE) {
        if (put_readers(m, items)) return;
        paint_readers(m);
    }
    see_room(m, k->count);
    if (m->stopped) {
        stop(m, items, 0);
        return;
    }
    if (k->all_write && k->ends[0] == 1 && !m->in_order) alike = place_alike(m, items, 1, &out);
    if (k->all_write && k->ends[0] == 2 && !m->in_order) alike = place_alike(m, items, 2, &out);
    if (alike < k->count) place_any(m, items, alike, &out);
    m->placed += k->count - out;
}

/* ---- by the loop of the task type ---- */

/* Whether the loop of a task type may choose colours: not while words may be unwritten (sched.W13),
 * nor before the table has its final size. */
static bool may_colour(const making *m) {
    return m->number && m->read == SVS__READ_NONE && !m->in_order && !m->stopped &&
           !m->context->env->watched;
}

static uint32_t colour_all(making *m, void *const *items, uint32_t count) {
    const svs_task *task = svs__item_task(items[0]);
    const svs__task_loops *loops = svs__task_loops_of(task);
    svs__keys keys;
    if (!loops || !may_colour(m)) return 0;
    see_room(m, count);
    if (SVS__ADDRESSES_ARE_KNOWN && !svs__window_are_plain(m->context, items, count)) return 0;
    keys = svs__keys_into(&m->context->set, task, NULL, NULL);
    keys.colouring = (svs__colouring){.table = m->table->words,
                                      .number = m->number,
                                      .open = m->open,
                                      .ends = m->ends,
                                      .shift = 32 + m->shift};
    count = loops->colours(&keys, items, count);
    m->placed += count;
    return count;
}

/* ---- the stages: which of its colours the window runs ---- */

/* The least width of a stage: with less than a tenth of the first, it and the later ones are
 * carried over, unless no more candidates come. */
static uint32_t narrowest(const making *m) {
    bool more = m->w->more || m->kept;
    return more ? width_of(m, 0) / 10 : 0;
}

/* The number of items whose colour is no stage. */
static uint32_t carried(const making *m) {
    uint32_t count = m->placed;
    for (uint32_t c = 0; c < m->w->stages; c++) count -= m->w->count[c];
    return count;
}

/* Puts the items of colours that are no stage to the begin of the list. */
static void carry_over(making *m) {
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
static uint32_t leave_over(making *m) {
    uint32_t first = carried(m);
    SVS__CHECK(first + m->kept <= m->w->candidates); /* sched.W2 */
    if (first) memmove((void *)(m->old + first), (const void *)m->old, m->kept * sizeof(void *));
    carry_over(m);
    return first + m->kept;
}

/* In a narrow window, counts a deferral for each element on which its instances contend. */
static void blame(const making *m) {
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

static void make_stages(making *m) {
    svs__window *w = m->w;
    uint32_t least = narrowest(m);
    w->stages = w->stage = 0;
    for (uint32_t c = 0; c < SVS__COLOURS && width_of(m, c) && width_of(m, c) >= least; c++)
        w->count[w->stages++] = width_of(m, c);
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
static void make_items(const making *m) {
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
static uint32_t take_left(making *m, uint32_t room) {
    const svs__batch *batch = svs__batch_of(m->old[m->from]);
    uint32_t count = 0;
    while (count < room && m->from < m->old_count && svs__batch_of(m->old[m->from]) == batch)
        m->items[count++] = m->old[m->from++];
    return count;
}

static uint32_t take_arrivals(making *m, uint32_t room) {
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

static uint32_t take_some(making *m, uint32_t room) {
    svs__window *w = m->w;
    uint32_t count = m->from < m->old_count ? take_left(m, room) : take_arrivals(m, room);
    svs_task *task = count ? svs__item_task(m->items[0]) : NULL;
    if (count) w->only = m->looked == 0 || w->only == task ? task : NULL;
    m->looked += count;
    return count;
}

/* After the elements of the first candidates are known: a table for those of a whole window. */
static void fit_table(making *m) {
    /* A window with more than SVS__WINDOW_MAX candidates gets the table of one with as many. */
    uint64_t all = m->w->candidates < SVS__WINDOW_MAX ? m->w->candidates : SVS__WINDOW_MAX;
    const svs_world *world = m->domain->env->world;
    m->w->table_bits = svs__table_bits(world, all * m->keyed->used / m->keyed->count);
    m->number = svs__table_begin(m->table, world, m->w->table_bits);
    m->shift = 32 - m->table->bits;
}

/* Candidates of one batch. `known`: the elements of the first ones, or NULL. */
static void place_group(making *m, void *const *items, uint32_t count, const svs__keyed *known) {
    uint32_t some, placed = m->placed;
    if (!known) svs__window_fetch(m->context, items, count);
    for (uint32_t done = 0; done < count; done += some, known = NULL) {
        some = known ? 0 : colour_all(m, items + done, count - done);
        if (some) continue;
        m->keyed = known ? known : &m->own;
        if (!known)
            (void)svs__window_keys(&m->own, m->context, items + done, count - done,
                                   m->w->takes_walks);
        some = m->keyed->count;
        if (!m->number) fit_table(m);
        m->w->walks |= m->keyed->walks;
        place_all(m, items + done);
    }
    svs__window_count(m->w, svs__batch_of(items[0]), m->placed - placed);
}

static bool is_complete(const making *m) {
    return m->misses >= MISSES_MAX || m->missed >= SVS__LEFT_MAX || m->stopped;
}

static void fill(making *m) {
    uint32_t count;
    make_items(m);
    while (!is_complete(m) && (count = take_some(m, TOGETHER)) != 0)
        place_group(m, m->items, count, NULL);
}

/* ---- walked candidates, in chunks (sched.W15) ---- */

/* [sched.I11] The next candidates, if they are not made yet; else it has no function. */
static svs__generated next_to_make(const making *m) {
    if (m->from < m->old_count || m->arrival == m->w->arrival_count)
        return (svs__generated){.function = NULL};
    return row_to_make(m->w, &m->w->arrivals[m->arrival], m->taken);
}

/* Puts the next candidates into a round. */
static void gather(making *m) {
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
static void leave_chunks(making *m, uint32_t i) {
    const svs__chunks *c = &svs__windows_of(m->domain)->chunks;
    for (; i < c->count; i++) {
        svs__chunk_make_items(&c->chunk[i]);
        for (uint32_t k = 0; k < c->chunk[i].count; k++, m->looked--) keep(m, c->chunk[i].items[k]);
    }
}

static void fill_by_chunks(making *m) {
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
static void keep_rest(making *m) {
    uint32_t count = m->old_count - m->from;
    if (m->kept < m->from)
        memmove((void *)(m->old + m->kept), (const void *)(m->old + m->from),
                count * sizeof(void *));
    m->kept += count;
    m->from = m->old_count;
    while ((count = take_arrivals(m, SVS__KEYED)) != 0)
        for (uint32_t i = 0; i < count; i++) keep(m, m->items[i]);
}

static void begin(making *m, svs__domain *domain, svs_context *context, svs__window *w) {
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
static void tell(making *m) {
    svs__windows *ws = svs__windows_of(m->domain);
    uint32_t at = m->w->number % SVS__WINDOWS, left = leave_over(m);
    bool walks = m->w->walks || m->meets_walked;
    svs__told told = {walks, !m->in_order && 8 * m->w->odd_count > m->looked};
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

const svs__pace *svs__window_make(svs__domain *domain, svs_context *context, svs__window *w) {
    svs__windows *ws = svs__windows_of(domain);
    const svs__pace *pace;
    bool quiet = w->quiet;
    making m;
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
    pace = w->only ? &w->only->pace : &ws->mixed;
    publish(ws, w);
    if (quiet) svs__store_release(&domain->stage.left, 0); /* release: as at the end of a stage */
    return pace;
}
