/* What observers are told (svs/ranks/observe.h), on a rank that has some.
 *
 *   ranks.V1  A rank is observed if an observer has a function for some event. A rank that is not
 *             tests no flag where fibers are enabled and executed, and where in-place handlers are
 *             called. On an observed rank no scheduler is `plain`, and the entries of handlers call
 *             another function in place of the handler (category.h). (not asserted: instructions
 *             are counted; tests/ranks/observers.c attaches a table without functions)
 *   ranks.V4  `told` has a function for each event for which an observer has one. With one observer
 *             it is the observer's function, with its argument; with several it is a function that
 *             calls those of all (told.c). So an event costs a test and a call. The four events of
 *             fibers are frequent. On an observed rank each of them always has a function, so that
 *             it costs a call and no test. */
#ifndef SVS__RANKS_OBSERVE_H
#define SVS__RANKS_OBSERVE_H

#include "ranks/channel/record.h"
#include "ranks/state.h"

/* Whether an observer has a function for the event. */
#define SVS__IS_TOLD(ranks, event) ((ranks)->told.event != NULL)

/* Calls the function of an event, if there is one. The events of fibers are told elsewhere, by
 * calls without a test.
 *     SVS__TELL(ranks, idle_begins, (ranks->told.argument)) */
#define SVS__TELL(ranks, event, arguments)                                                         \
    do                                                                                             \
        if (SVS__IS_TOLD(ranks, event)) (ranks)->told.event arguments;                             \
    while (0)

static inline bool svs__is_observed(const svs_ranks *ranks) {
    return SVS__UNLIKELY(ranks->observed);
}

/* Called after an observer was attached or detached: fills in `told` again (told.c). */
void svs__told_update(svs_ranks *ranks);

/* ---- events: the rank is observed ---- */

static inline void svs__observe_created(svs_ranks *ranks, svs__fiber *slot) {
    slot->category = slot->enabler = ranks->category;
    ranks->told.fiber_created(slot, ranks->told.argument);
}

/* The running fiber, or SVS_NO_FIBER if other code runs. */
static inline svs_fiber svs__enabler_of(const svs_ranks *ranks) {
    const svs__fiber *running = ranks->fibers.running;
    svs_fiber by = {SVS_NO_FIBER, 0};
    if (running == NULL || ranks->in_handler) return by;
    by.slot = running->index;
    by.generation = running->generation;
    return by;
}

static inline void svs__observe_enabled(svs_ranks *ranks, svs__fiber *slot) {
    slot->enabler = ranks->category;
    ranks->told.fiber_enabled(slot, svs__enabler_of(ranks), ranks->told.argument);
}

void svs__observe_idle(const svs_ranks *ranks, bool begins);
void svs__observe_wait(const svs_ranks *ranks, const svs__fiber *slot, svs_wait_kind kind);
/* Tells observers that a packet was sent. @param rule the count of its rule in the statistics;
 * NULL: a control packet. */
void svs__observe_sent(const svs_ranks *ranks, uint32_t to, const svs__buffer *buffer,
                       const uint64_t *rule);
void svs__observe_received(const svs_ranks *ranks, uint32_t from, const svs__buffer *buffer);
void svs__observe_collective(const svs_ranks *ranks, svs_collective_kind kind, const char *name,
                             bool begins);
void svs__observe_snapshot(const svs_ranks *ranks, svs_snapshot_step step, const char *name);

#endif
