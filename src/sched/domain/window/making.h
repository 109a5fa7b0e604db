/* The state of a window in the making, which the maker alone uses: make.c takes the candidates, and
 * colours.c gives them their colours. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_MAKING_H
#define SVS_SCHED_DOMAIN_WINDOW_MAKING_H

#include "base/check.h"
#include "sched/domain/window/parts.h"

typedef struct svs__making {
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
} svs__making;

/* The number of instances with this colour so far. */
static inline uint32_t svs__making_width(const svs__making *m, uint32_t colour) {
    return (uint32_t)(m->ends[colour] - m->w->items[colour]);
}

/* Leaves a candidate over that was looked at, or whose chunk was not. */
static inline void svs__making_keep(svs__making *m, void *item) {
    SVS__CHECK(m->kept < SVS__WINDOW_MOST); /* sched.W2 */
    m->old[m->kept++] = item;
}

/* Gives colours to the candidates whose elements are `m->keyed`, or leaves them over. */
void svs__making_place(svs__making *m, void *const *items);

/* Gives colours to the first of these candidates, which are of one batch, by the loop of their task
 * type. @return how many: it stops at one that has no colour, or is not so simple. */
uint32_t svs__making_colour(svs__making *m, void *const *items, uint32_t count);

#endif
