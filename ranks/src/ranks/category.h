/* The category of the running code, and the observers that see where it changes: around fibers and
 * handlers (svs/ranks/observe.h).
 *
 *   ranks.V2  The category of the running code is restored at the end of each fiber and handler:
 *             the code that runs next does not inherit it. (not asserted: the program knows its
 *             categories; tests compare)
 *   ranks.V3  All records of a run have been posted by code of one category: when it changes, lanes
 *             are closed (ranks.B6). A rank with observers does not open its own lane, so that
 *             each of its records has a run. */
#ifndef SVS__RANKS_CATEGORY_H
#define SVS__RANKS_CATEGORY_H

#include "ranks/observe.h"

/* ---- the rank is observed ---- */

/* Sets the category of the running code. Records that are posted afterwards belong to other runs
 * (ranks.V3). */
void svs__category_change(svs_ranks *ranks, uint16_t category);
static inline void svs__category_enter(svs_ranks *ranks, uint16_t category) {
    if (SVS__UNLIKELY(ranks->category != category)) svs__category_change(ranks, category);
}

/* Called before and after a fiber executes. @return the category that is to be restored. */
static inline uint16_t svs__observe_begins(svs_ranks *ranks, svs__fiber *slot) {
    uint16_t outer = ranks->category;
    svs__category_enter(ranks, slot->category);
    ranks->told.fiber_begins(slot, ranks->told.argument);
    return outer;
}
static inline void svs__observe_ends(svs_ranks *ranks, svs__fiber *slot, uint16_t outer) {
    ranks->told.fiber_ends(slot, ranks->fibers.continued, ranks->told.argument);
    svs__category_enter(ranks, outer); /* ranks.V2 */
}

/* Called before and after fibers for records are created. @return the category that is to be
 * restored. */
uint16_t svs__observe_records_begin(svs_ranks *ranks, const svs__run_view *view);
void svs__observe_records_end(svs_ranks *ranks, const svs__run_view *view, uint16_t outer);

/* ---- any rank ---- */

/* Sets `call` and `part` of an entry: to those of its handler, or on an observed rank to a function
 * that tells observers, and to the entry's number. */
void svs__observe_entry(svs_ranks *ranks, uint32_t number);

void svs__observers_clean_up(svs_ranks *ranks);

#endif
