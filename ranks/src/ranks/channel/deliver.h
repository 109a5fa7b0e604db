/* Records that arrive: in place, as fibers, or onwards.
 *
 *   ranks.P1  An accepted post runs exactly once. Two posts of one pair with the same dispatch
 *             start in order. (not asserted: a statement about two ranks; ranks/tests/ranks/posts.c
 *             checks it)
 *
 * A packet is stalled when its next record is for a rank to which this one has no credit. Reading
 * goes on when credit comes; until then, later packets of the same sender wait. */
#ifndef SVS__RANKS_CHANNEL_DELIVER_H
#define SVS__RANKS_CHANNEL_DELIVER_H

#include "ranks/channel/channel.h"

/* Runs records on this rank. @param group the group of their buffer (credit.h); NULL if this rank
 * sent them to itself. */
void svs__run_records(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group);

/* A packet of records has arrived: reads it, and releases its buffer sooner or later. */
void svs__deliver(svs_ranks *ranks, uint32_t from, svs__buffer *buffer);
/* Goes on with stalled packets. */
void svs__deliver_stalled(svs_ranks *ranks);
/* Reads one packet of the own rank. @return false: there was none. */
bool svs__deliver_own(svs_ranks *ranks);
/* Reads them until none is left, or many have been read. @return whether nothing is left. */
bool svs__deliver_all_own(svs_ranks *ranks);
/* The end of the run: releases stalled packets. */
void svs__deliver_forget(svs_ranks *ranks);

#endif
