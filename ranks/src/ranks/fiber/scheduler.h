/* Schedulers: urgent, in-place, and a ring of FIFO and the custom schedulers of the program.
 *
 *   ranks.F3  An enabled fiber of a fair scheduler eventually runs: at most 64 urgent fibers run in
 *             a row while another fiber is enabled.
 *   ranks.S1  Each deposited fiber is selected at most once. A scheduler that is not a background
 *             one, and that holds fibers, prevents quiescence: they count as enabled. */
#ifndef SVS__RANKS_FIBER_SCHEDULER_H
#define SVS__RANKS_FIBER_SCHEDULER_H

#include "ranks/fiber/fiber.h"
#include "ranks/observe.h"

#define SVS__URGENT_ROW 64u

/* Puts a fiber into the queue of FIFO or urgent, which are not background schedulers. */
static inline void svs__scheduler_put(svs_ranks *ranks, svs_scheduler *scheduler,
                                      svs__fiber *slot) {
    ranks->schedulers.enabled++;
    svs__queue_put(&scheduler->queue, slot);
}

static inline svs__fiber *svs__scheduler_take(svs_ranks *ranks, svs_scheduler *scheduler) {
    svs__fiber *slot = svs__queue_take(&scheduler->queue);
    if (slot == NULL) return NULL;
    SVS__ASSERT(ranks->schedulers.enabled != 0); /* ranks.S1 */
    ranks->schedulers.enabled--;
    return slot;
}

/* Hands an in-place fiber, or one of a custom scheduler, to its scheduler. */
svs_status svs__enable_other(svs_ranks *ranks, svs__fiber *slot);

/* Hands a fiber to its scheduler; an in-place fiber runs at once. @param before its present state,
 * created or waiting.
 * @return SVS_OK, or the failure of a deposit, which ends the run. */
static inline svs_status svs__enable_from(svs_ranks *ranks, svs__fiber *slot,
                                          svs__fiber_state before) {
    svs__fiber_move_from(ranks, slot, before, SVS__FIBER_ENABLED);
    ranks->statistics.thread_enable++;
    if (SVS__LIKELY(slot->scheduler->plain)) {
        svs__scheduler_put(ranks, slot->scheduler, slot);
        return SVS_OK;
    }
    if (!slot->scheduler->watched) return svs__enable_other(ranks, slot);
    svs__scheduler_put(ranks, slot->scheduler, slot);
    svs__observe_enabled(ranks, slot);
    return SVS_OK;
}
static inline svs_status svs__enable(svs_ranks *ranks, svs__fiber *slot) {
    return svs__enable_from(ranks, slot, slot->status);
}

/* The same without a queue: the caller executes the fiber at once. */
static inline void svs__enable_unqueued(svs_ranks *ranks, svs__fiber *slot) {
    svs__fiber_move_from(ranks, slot, SVS__FIBER_CREATED, SVS__FIBER_ENABLED);
    ranks->statistics.thread_enable++;
    if (svs__is_observed(ranks)) svs__observe_enabled(ranks, slot);
}

/* Takes the next fiber to execute. @param background whether only the background schedulers are
 * asked. @return NULL: there is none. */
svs__fiber *svs__select(svs_ranks *ranks, bool background);
/* The same for foreground schedulers; in line if only FIFO can have a fiber. */
static inline svs__fiber *svs__select_next(svs_ranks *ranks) {
    svs__schedulers *all = &ranks->schedulers;
    if (all->urgent.queue.first != NULL || all->fifo.next != &all->fifo)
        return svs__select(ranks, false);
    all->urgent_row = 0;
    return svs__scheduler_take(ranks, &all->fifo);
}

void svs__schedulers_init(svs_ranks *ranks);
/* Called at the end of a run: empties all schedulers. */
void svs__schedulers_forget(svs_ranks *ranks);
void svs__schedulers_clean_up(svs_ranks *ranks);

#endif
