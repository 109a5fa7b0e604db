/* A window that is being made: shared by the files that make one.
 *
 *   sched.W13 while all candidates of a window only read, they have the lowest colour, and their
 *       words are not written: `read` names them. They are written before the first other candidate
 *       is placed. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_MAKING_H
#define SVS_SCHED_DOMAIN_WINDOW_MAKING_H

#include "sched/domain/window/keys.h"
#include "sched/domain/window/parts.h"

typedef struct svs__making {
    svs__domain *domain;
    svs_context *context;
    svs__windows *ws;
    svs__window *w;
    uint64_t number;
    uint32_t shift;            /* of a key, to a word */
    uint64_t open;             /* colours that have room */
    void **ends[SVS__COLOURS]; /* of the items of each colour so far */
    void *const *old;          /* those that lead it */
    uint32_t old_count, from;
    uint32_t placed, most;           /* instances of it; at most */
    uint32_t misses, placed_at_miss; /* in a row */
    uint32_t looked, odd;
    uint32_t read;               /* words of readers that are not written yet, or SVS__READ_NONE */
    bool in_order;               /* sched.W11 */
    bool may_walk, walks;        /* sched.W14: walked candidates may have colours; and get them */
    bool meets_walked;           /* the window ends before the first */
    bool stopped;                /* no further candidate is looked at */
    void *items[SVS__KEYED + 3]; /* candidates of one batch, and their elements: */
    svs__keyed keyed;
} svs__making;

/* How many have the colour so far. */
static inline uint32_t svs__window_width(const svs__making *m, uint32_t colour) {
    return (uint32_t)(m->ends[colour] - m->w->items[colour]);
}

/* Gives the candidates at `items`, which are those of `keyed`, their colours (window/place.c). */
void svs__window_place(svs__making *m, void *const *items);

/* Makes the elements of candidates and gives them their colours at once, by the loop of their task
 * type (window/place.c). @return how many; it stops at the first for which that cannot be done. */
uint32_t svs__window_colour(svs__making *m, void *const *items, uint32_t count);

/* Makes stages of the colours (window/stages.c). */
void svs__window_make_stages(svs__making *m);

#endif
