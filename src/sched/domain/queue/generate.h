/* Items that are made when they are taken (svs_graph_generate).
 *
 * They come from a generated batch of the inbox, which counts an item as put in when it is taken. A
 * full one is followed by another one, in its place, until all are made: so a long loop uses the
 * batches of a few windows again and again.
 *
 * | operation | caller                 | progress     |
 * |-----------|------------------------|--------------|
 * | reserve   | a worker with the lock | a spin lock  |
 * | make      | that worker            | the program's function | */
#ifndef SVS_SCHED_DOMAIN_QUEUE_GENERATE_H
#define SVS_SCHED_DOMAIN_QUEUE_GENERATE_H

#include "sched/domain/queue/batches.h"

struct svs__generated {
    svs_generate_function *function;
    void *argument;
    uint64_t seed;        /* of the order of the first */
    uint32_t next, count; /* the numbers from `next` to `count` - 1 are not reserved */
};

/* An empty batch for `what`, which is copied. Under the lock. @return false: no memory. */
bool svs__generated_new(svs_task *task, const svs__generated *what, svs__batch **batch);

/* Under the lock: what follows the first batch, which is full, is put in its place. @return the
 * batch that has left the inbox; NULL: it stays, empty again, or full, as there is no memory. */
svs__batch *svs__generated_go_on(svs_task *task);

/* Under the lock: counts up to `limit` items as put in. @return those; none: the batch is full. */
svs__generated svs__generated_reserve(svs__batch *batch, uint32_t limit);

/* Makes the items that were reserved, from `first` on. */
void svs__generated_make(const svs__generated *reserved, void *first);

/* Under the lock, or for a batch that nothing else names: the batch is an ordinary one. */
void svs__generated_free(svs__batch *batch);

#endif
