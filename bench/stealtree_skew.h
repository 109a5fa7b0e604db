/* An iterative kernel that is skewed on purpose: an iteration sweeps over a range of leaves several
 * times, each time by a tree of nested finishes; a narrow hump has most of the work, and moves on a
 * little with each iteration.
 *
 * stealtree_skew.c is compiled twice, the second time with SVS_SERIAL_ELISION; both iterate the
 * same problem. */
#ifndef BENCH_STEALTREE_SKEW_H
#define BENCH_STEALTREE_SKEW_H

#include "common.h"
#include <svs/async.h>

typedef struct skew {
    uint32_t leaves;
    uint32_t mean_rounds; /* of a leaf's work, over all leaves */
    uint32_t iteration;
    uint64_t sum;     /* of the last iteration */
    uint64_t *values; /* of each leaf; what it becomes depends on all its work so far */
} skew;

skew *skew_new(uint32_t leaves, uint32_t mean_rounds);
void skew_free(skew *s);

/* One iteration; a root for a skew. */
void skew_iterate(svs_async_context *async, void *argument);
void skew_iterate_serially(svs_async_context *async, void *argument);

#endif
