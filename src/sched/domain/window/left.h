/* The items that windows leave over: candidates without a colour or not looked at, candidates that
 * were carried over, instances that returned, and items that a serial run has given back. Each
 * window has a list, in which its maker leaves them over (sched.W2); `back` is for those that
 * belong to no window any more. The caller of these functions holds the domain's lock. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_LEFT_H
#define SVS_SCHED_DOMAIN_WINDOW_LEFT_H

#include "sched/domain/window/window.h"

/* Puts an item into `back`: it leads the next window. */
void svs__left_put_back(svs__windows *ws, void *item);

/* Takes up to `most` items of one batch, beginning with the last one that is left over. While a
 * window is made or about to open, only those of `back` are taken. @return how many. */
uint32_t svs__left_take(svs__windows *ws, void **items, uint32_t most);

/* Adds to the number of items that are left over. Makers call it without the lock. */
static inline void svs__left_count(svs__windows *ws, int64_t by) {
    /* relaxed is enough: readers may get a stale value. */
    (void)svs__fetch_add_relaxed(&ws->left_count, (uint32_t)by);
}

/* [sched.W17] Moves what all windows have left over into the list of window `number`. */
void svs__left_gather(svs__windows *ws, uint32_t number);

/* Moves the items of `back` to the begin of the list of window `number`. */
void svs__left_lead(svs__windows *ws, uint32_t number);

/* [sched.W7] Puts refused instances into `back`, or among the deferred instances. */
void svs__left_take_returned(svs__domain *domain, svs_context *context);

/* Puts all items that are left over or have returned among the deferred ones, while no window is
 * made or about to open. */
void svs__left_give_up(svs__domain *domain, svs_context *context);

#endif
