/* Stages that are dealt by worker index: each worker has a piece of the stage.
 *
 * The words `claim` and `left` of a stage are changed by all workers, so that with many workers
 * their cache lines are always on the way between two CPUs. Here each worker claims its piece by a
 * flag in a cache line of its own. The workers of a group count what has ended in the line of their
 * group, and only the last one of a group counts in `left`. A deal of 100 instances to 16 workers:
 *
 *     worker      0      1       2        3       ...   14       15
 *     instances   0..6   7..13   14..20   21..27        98, 99   -
 *     group       0 (workers 0 to 7)                    1 (workers 8 to 15)
 *     `left`      3: two groups, and one until the stage has ended
 *
 * A worker that finds its own piece claimed takes a piece of another worker, which may be away.
 * While a worker makes a window, each worker has SVS__DEAL_PARTS pieces, so that the others share
 * those of the maker.
 *
 *   sched.P7  the flag of a piece is the number of the last deal in which it was claimed, and only
 *       grows. A claim in deal n raises a flag from a smaller number to n. When deal n ends, all of
 *       its pieces were claimed: a worker that comes late finds no smaller number;
 *   sched.P8  the counter of a group is the number of instances in the group's pieces that have not
 *       ended. `left` is the number of groups whose counter is not 0, plus one until the stage has
 *       ended.
 *
 * | operation | caller               | progress  | order                                       |
 * |-----------|----------------------|-----------|---------------------------------------------|
 * | begin     | the owner of a stage | wait-free | release on `offer`                          |
 * | claim     | any worker           | wait-free | acquire on `offer`; flags are relaxed: no   |
 * |           |                      |           | deal ends before its last piece is claimed  |
 * | leave     | any worker           | wait-free | acq_rel on the group's counter              | */
#ifndef SVS_SCHED_DOMAIN_STAGE_DEAL_H
#define SVS_SCHED_DOMAIN_STAGE_DEAL_H

#include "sched/domain/instance/context.h"

#define SVS__DEAL_PARTS 4u   /* most pieces of one worker */
#define SVS__DEAL_MOST 4095u /* most instances of a deal */

typedef struct svs__deal svs__deal;

/* Whether a world with this number of workers deals its stages by worker index. */
bool svs__deals(uint32_t workers);

/* @return NULL: no memory. */
svs__deal *svs__deal_new(const svs_allocator *allocator, uint32_t workers);
void svs__deal_free(const svs_allocator *allocator, svs__deal *deal);

/* Prepares a deal of `count` instances, with 1 or SVS__DEAL_PARTS pieces for each worker. The deal
 * before it has ended. @return the number of its groups (sched.P8). */
uint32_t svs__deal_prepare(svs__deal *deal, uint32_t parts, uint32_t count);

/* Begins the prepared deal. If `owner` is not NULL, the call also claims the first piece of this
 * worker, and stores it in *claimed; the piece may be empty. */
void svs__deal_begin(svs__deal *deal, const svs__worker *owner, svs__claimed *claimed);

/* Claims a piece of the worker or, if all of these are claimed, of another one. If no piece is
 * left, *claimed does not change. */
void svs__deal_claim(svs__deal *deal, const svs__worker *worker, svs__claimed *claimed);

/* Whether a piece of the worker, or with NULL any piece, can be claimed. It may be stale. */
bool svs__deal_has(svs__deal *deal, const svs__worker *worker);

/* Counts claimed instances that have ended. @return whether they were the last of their group. */
bool svs__deal_leave(svs__deal *deal, uint32_t group, uint32_t count);

#endif
