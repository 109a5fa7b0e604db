/* The colours of a window's candidates. */
#include <string.h>

#include "sched/domain/observe/explain.h"
#include "sched/domain/window/making.h"

/* ---- the colours of candidates (sched.W1) ---- */

#define NO_COLOUR UINT32_MAX
#define LAST_COLOUR (UINT64_C(1) << (SVS__COLOURS - 1))

/* ---- those without a colour ---- */

/* `placed` have one so far. */
SVS__COLD static void miss(svs__making *m, void *item, uint32_t placed) {
    if (placed != m->placed_at_miss) m->misses = 0;
    m->placed_at_miss = placed;
    m->context->statistics.deferrals++;
    svs__explain_placed(m->context, item, m->w->items, m->ends, SVS__COLOURS);
    svs__making_keep(m, item);
    m->misses++;
    m->missed++;
}

static void be_odd(svs__making *m, void *item) { m->w->odd[m->w->odd_count++] = item; }

/* The candidates from the i-th on lead the next window. */
static void stop(svs__making *m, void *const *items, uint32_t i) {
    for (; i < m->keyed->count; i++) svs__making_keep(m, items[i]);
    m->stopped = true;
}

/* [sched.W11] The i-th candidate is not plain. It waits for a stage if it is the first of all.
 * Otherwise it leads the next window. Those behind it follow it. */
static void stop_at(svs__making *m, void *const *items, uint32_t i, uint32_t placed) {
    if (!placed && !m->kept) be_odd(m, items[i++]);
    stop(m, items, i);
}

/* [sched.W14] The i-th candidate is walked, and leads a window that takes such ones. */
static void stop_at_walked(svs__making *m, void *const *items, uint32_t i) {
    m->meets_walked = true;
    stop(m, items, i);
}

/* ---- colours ---- */

static inline void put(svs__making *m, uint32_t colour, void *item) { *m->ends[colour]++ = item; }

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

/* ---- one stage that is made again ---- */

/* All elements are written. A word of this stage has an instance that conflicts. */
static inline bool join_writer(const colouring *c, const svs__element *elements, uint32_t count) {
    const uint64_t empty = svs__colours_now(0, c->number);
    for (uint32_t i = 0; i < count; i++)
        if (c->table[elements[i].key >> c->shift] > empty) return false;
    for (uint32_t i = 0; i < count; i++)
        c->table[elements[i].key >> c->shift] = empty | svs__colour_in(1, SVS_MODE_WRITE);
    return true;
}

static inline bool join(const colouring *c, const svs__element *elements, uint32_t count,
                        bool writers) {
    return writers ? join_writer(c, elements, count)
                   : !count || colour_of_many(c, elements, count) != NO_COLOUR;
}

uint32_t svs__window_join(svs__table *table, const svs__keyed *k, void *const *items, void **into,
                          void **out) {
    const colouring c = {table->words, table->number, 1, 32 - table->bits, false};
    uint32_t first = 0, kept = 0;
    for (uint32_t i = 0; i < k->count; i++) {
        uint32_t end = k->ends[i];
        bool known = end < SVS__WALKED;
        if (known && join(&c, k->elements + first, end - first, k->all_write))
            into[kept++] = items[i];
        else *out++ = items[i];
        if (known) first = end;
    }
    return kept;
}

/* Candidates that all write `each` elements, a constant. @return the first that differs: it writes
 * another number of elements. `out` counts those without a colour. */
static inline uint32_t place_alike(svs__making *m, void *const *items, uint32_t each,
                                   uint32_t *out) {
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
SVS__COLD static bool meet_odd(svs__making *m, void *const *items, uint32_t i, uint32_t *out) {
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
static void place_any(svs__making *m, void *const *items, uint32_t i, uint32_t *out) {
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
static bool put_readers(svs__making *m, void *const *items) {
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
static void paint_readers(svs__making *m) {
    SVS__ASSERT(m->placed == (uint32_t)(m->ends[0] - m->w->items[0])); /* sched.W13 */
    for (uint32_t i = 0; i < m->read; i++) {
        uint64_t *word = &m->table->words[m->w->read[i]];
        *word = svs__colours_now(*word, m->number) | svs__colour_in(1, SVS_MODE_READ);
    }
    m->read = SVS__READ_NONE;
}

/* A colour that may be full with the next candidates is used no more. The lowest one has room for
 * all. */
static void see_room(svs__making *m, uint32_t count) {
    if (m->placed - svs__making_width(m, 0) + count <= SVS__COLOUR_MAX)
        return; /* so have the others */
    for (uint32_t c = 1; c < SVS__COLOURS; c++)
        if (svs__making_width(m, c) + count > SVS__COLOUR_MAX) m->open &= ~(UINT64_C(1) << c);
}

void svs__making_place(svs__making *m, void *const *items) {
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
static bool may_colour(const svs__making *m) {
    return m->number && m->read == SVS__READ_NONE && !m->in_order && !m->stopped &&
           !m->context->env->watched;
}

uint32_t svs__making_colour(svs__making *m, void *const *items, uint32_t count) {
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
