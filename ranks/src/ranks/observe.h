/* What observers are told (svs/ranks/observe.h), on a rank that has some.
 *
 *   ranks.V1  A rank without observers tests no flag where fibers are enabled and executed, and
 *             in-place handlers are called. With observers no scheduler is `plain`, and the entries
 *             of handlers call another function in place of the handler (category.h). (not
 *             asserted: instructions are counted)
 *   ranks.V4  An event for which no observer has a function costs a test of its bit. Bit i is the
 *             member at position i of svs_ranks_observer; bit 0, the size, says that there is an
 *             observer.
 *
 * Of a FIFO fiber an observer sees four events. Each that it has a function for costs a call
 * through a pointer, and the categories cost some loads and stores. */
#ifndef SVS__RANKS_OBSERVE_H
#define SVS__RANKS_OBSERVE_H

#include "ranks/channel/record.h"
#include "ranks/state.h"

#define SVS__EVENT_BIT(event) (1u << offsetof(svs_ranks_observer, event) / sizeof(void *))

/* Does an observer have a function for the event? */
#define SVS__IS_TOLD(ranks, event) (((ranks)->observed & SVS__EVENT_BIT(event)) != 0)

/* Calls the function of each observer that has one.
 *     SVS__TELL(ranks, idle_begins, (one->told.argument)) */
#define SVS__TELL(ranks, event, arguments)                                                         \
    do {                                                                                           \
        const svs__rank_observer *one = (ranks)->observers;                                        \
        if (!SVS__IS_TOLD(ranks, event)) break;                                                    \
        SVS__ASSERT(one != NULL); /* ranks.V4 */                                                   \
        do                                                                                         \
            if (one->told.event != NULL) one->told.event arguments;                                \
        while ((one = one->next) != NULL);                                                         \
    } while (0)

static inline bool svs__is_observed(const svs_ranks *ranks) {
    return SVS__UNLIKELY(ranks->observed != 0);
}

/* ---- events: the rank is observed ---- */

static inline void svs__observe_created(svs_ranks *ranks, svs__fiber *slot) {
    slot->category = slot->enabler = ranks->category;
    SVS__TELL(ranks, fiber_created, (slot, one->told.argument));
}

void svs__tell_enabled(const svs_ranks *ranks, const svs__fiber *slot);
static inline void svs__observe_enabled(svs_ranks *ranks, svs__fiber *slot) {
    slot->enabler = ranks->category;
    if (SVS__IS_TOLD(ranks, fiber_enabled)) svs__tell_enabled(ranks, slot);
}

void svs__observe_idle(const svs_ranks *ranks, bool begins);
void svs__observe_wait(const svs_ranks *ranks, const svs__fiber *slot, svs_wait_kind kind);
/* @param rule its count in the statistics; NULL: a control packet. */
void svs__observe_sent(const svs_ranks *ranks, uint32_t to, const svs__buffer *buffer,
                       const uint64_t *rule);
void svs__observe_received(const svs_ranks *ranks, uint32_t from, const svs__buffer *buffer);
void svs__observe_collective(const svs_ranks *ranks, svs_collective_kind kind, const char *name,
                             bool begins);
void svs__observe_snapshot(const svs_ranks *ranks, svs_snapshot_step step, const char *name);

#endif
