/* Records that run as fibers stay in their buffer until it is their turn.
 *
 *     FIFO queue:  fiber, backlog, fiber ...
 *                            |
 *     its buffer:  | run: r1 r2 r3 | run in place | run: r4 |     r1 has begun: at = r2, left = 2
 *
 * A backlog stands for the records of one buffer in the queue of FIFO fibers, or in that of urgent
 * ones. When it is selected, it makes a fiber for its next record, and goes back to the front of
 * the queue. That fiber runs at once. So the records of a buffer that have not begun take at most
 * two slots of fibers, whatever their number.
 *
 *   ranks.K1  A buffer is kept while it has a backlog.
 *   ranks.K2  A backlog reads its buffer only up to where the buffer had been read when the backlog
 *             joined the queue. The rest of a buffer that waits for another hop counts as not
 *             arrived yet. */
#ifndef SVS__RANKS_CHANNEL_BACKLOG_H
#define SVS__RANKS_CHANNEL_BACKLOG_H

#include "ranks/channel/credit.h"
#include "ranks/channel/record.h"

/* Enables the fibers of a run's records. If they are in a buffer that has arrived, they join its
 * backlog. @param group the group of that buffer; NULL: this rank has posted the records to
 * itself. */
void svs__records_enable(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group);
/* Called when a buffer has been read: releases it, or keeps it for its backlogs. */
void svs__backlog_keep(svs_ranks *ranks, svs__arrived *arrived);
/* Called at the end of a run: the slot of a backlog is dropped. */
void svs__backlog_drop(const svs__fiber *slot);

#endif
