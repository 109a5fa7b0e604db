/* Records that run as fibers, and stay in their buffer until their turn.
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
 *   ranks.K2  A backlog reads no further than its buffer had been read when it joined the queue. If
 *             a buffer waits for another hop, the rest of it has not arrived yet. */
#ifndef SVS__RANKS_CHANNEL_BACKLOG_H
#define SVS__RANKS_CHANNEL_BACKLOG_H

#include "ranks/channel/credit.h"
#include "ranks/channel/record.h"

/* Enables the fibers of a run's records. If they are in a buffer that has arrived, they join its
 * backlog. @param group the buffer's; NULL: this rank has posted the records itself. */
void svs__records_enable(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group);
/* The buffer has been read: it is released, or kept for its backlogs. */
void svs__backlog_keep(svs_ranks *ranks, svs__arrived *arrived);
/* The end of a run: the slot is dropped. */
void svs__backlog_drop(const svs__fiber *slot);

#endif
