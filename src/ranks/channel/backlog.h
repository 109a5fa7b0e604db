/* Records that run as fibers, and stay in their buffer until their turn.
 *
 *     FIFO queue:  fiber, backlog, fiber ...
 *                            |
 *     its buffer:  | run: r1 r2 r3 | run in place | run: r4 |     r1 has begun: at = r2, left = 2
 *
 * A backlog is in the queue of FIFO or urgent fibers in the place of the fibers of all records of
 * its buffer for this queue. When it is selected, it makes a fiber for its next record, which is
 * executed at once, and goes back to the front. So a buffer takes at most two slots of fibers for
 * records that have not begun, whatever their number.
 *
 *   ranks.K1  A buffer is kept while it has a backlog.
 *   ranks.K2  A backlog reads only as far as its buffer was read when it arrived: of a buffer that
 *             waits for another hop, the rest has not arrived yet. */
#ifndef SVS__RANKS_CHANNEL_BACKLOG_H
#define SVS__RANKS_CHANNEL_BACKLOG_H

#include "ranks/channel/credit.h"
#include "ranks/channel/record.h"

/* The fibers of a run's records, enabled. Those of a buffer that has arrived join its backlog.
 * @param group of the buffer; NULL: this rank has posted the records itself. */
void svs__records_enable(svs_ranks *ranks, const svs__run_view *view, svs__fiber_group *group);
/* The buffer has been read: it is released, or kept for its backlogs. */
void svs__backlog_keep(svs_ranks *ranks, svs__arrived *arrived);
/* The end of a run: the slot is dropped. */
void svs__backlog_drop(const svs__fiber *slot);

#endif
