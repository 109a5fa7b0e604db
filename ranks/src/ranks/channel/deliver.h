/* Delivery of records that arrive: they run in place or as fibers, or are relayed to their second
 * hop.
 *
 *   ranks.P1  An accepted post runs exactly once. Two posts of one pair with the same dispatch
 *             start in order. (not asserted: a statement about two ranks; ranks/tests/ranks/posts.c
 *             checks it)
 *
 * A packet is stalled while its next record is for a rank to which this one has no credit. Later
 * packets of the same sender wait meanwhile. Reading continues when credit comes. */
#ifndef SVS__RANKS_CHANNEL_DELIVER_H
#define SVS__RANKS_CHANNEL_DELIVER_H

#include "ranks/channel/channel.h"

/* Runs records on this rank. @param group the group of their buffer (credit.h); NULL if this rank
 * sent them to itself. */
void svs__run_records(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group);

/* Reads a packet of records that has arrived, as far as it does not stall. Its buffer is released
 * when all of its records have run. */
void svs__deliver(svs_ranks *ranks, uint32_t from, svs__buffer *buffer);
/* Continues to read stalled packets. */
void svs__deliver_stalled(svs_ranks *ranks);
/* Reads one packet that the rank has posted to itself. @return false: there was none. */
bool svs__deliver_own(svs_ranks *ranks);
/* Reads such packets until none is left, or many have been read. @return whether none is left. */
bool svs__deliver_all_own(svs_ranks *ranks);
/* Called at the end of a run: releases stalled packets. */
void svs__deliver_forget(svs_ranks *ranks);

#endif
