/* Distributed objects: one part on each rank, under one name; and global operations on them.
 *
 *     svs_distributed_new(ranks, "table", 0, &part, &table, &mine->done);   // on each rank
 *     ... when `done` is 1 ...
 *     svs_reduce(table, add_counts, &count, &sum, sizeof sum, 1, &mine->done);
 *     ... when `done` is 2, `sum` is that of all ranks, on all ranks ...
 *
 * All calls are split-phase (fiber.h): they are made in a run, return SVS_WAIT or SVS_OK, and add 1
 * to their counter when they are complete, whichever they returned. Each rank makes the same calls
 * on one object, in the same order. Calls on different objects may be made in any order, and do not
 * delay each other.
 *
 * A reduction combines in an order that depends on the number of ranks alone: its result is bitwise
 * the same in each run. Section 3.4.1 of Wen's thesis. */
#ifndef SVS_RANKS_DISTRIBUTED_H
#define SVS_RANKS_DISTRIBUTED_H

#include <svs/ranks/fiber.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_distributed svs_distributed;

#define SVS_DISTRIBUTED_NAME 48u         /* bytes of a name, with the terminating zero */
#define SVS_REDUCE_MAX ((size_t)1 << 20) /* most bytes of one reduction or broadcast */

/* Makes this rank's part of an object. The parts with the same name on all ranks form one object.
 * If `name` is NULL, the parts have the same number `reserved` instead, from 1 to 2^63 - 1. The
 * call is complete when all ranks have made their parts; the object may be used before. The object
 * is freed with the rank.
 * @return SVS_OK, SVS_WAIT, SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (a name that is
 * taken, too long or missing), SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_distributed_new(svs_ranks *ranks, const char *name,
                                                     uint64_t reserved, void *part,
                                                     svs_distributed **object, svs_counter *done);

/* The first returns this rank's part of the object. The second finds the object by its name or
 * reserved number; NULL: there is none. */
SVS_API void *svs_distributed_part(const svs_distributed *object);
SVS_API svs_distributed *svs_distributed_find(svs_ranks *ranks, const char *name,
                                              uint64_t reserved);

/* A barrier: it is complete when all ranks have called it. @return SVS_OK, SVS_WAIT, SVS_E_NULL,
 * SVS_E_OUTSIDE, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_barrier(svs_distributed *object, svs_counter *done);

/* Combines `count` elements of `element` bytes of each rank. `mine` is copied; `result` must stay
 * valid until the call is complete. @param combine adds `from` to `into`; the same function on all
 * ranks.
 * @return as svs_barrier(); SVS_E_INVALID (more than SVS_REDUCE_MAX bytes). */
SVS_NODISCARD SVS_API svs_status
svs_reduce(svs_distributed *object, void (*combine)(void *into, const void *from, size_t count),
           const void *mine, void *result, size_t element, size_t count, svs_counter *done);

/* Copies `bytes` of rank `root` to all ranks. @return as svs_reduce(); SVS_E_INVALID (no such
 * rank). */
SVS_NODISCARD SVS_API svs_status svs_broadcast(svs_distributed *object, uint32_t root, void *data,
                                               size_t bytes, svs_counter *done);

/* Makes a reduction on the object: `sum` gets the sums of the statistics over all ranks, and for
 * `overflow_bytes_most` the maximum. @return as svs_reduce(). */
SVS_NODISCARD SVS_API svs_status svs_ranks_statistics_sum_sized(svs_distributed *object,
                                                                svs_ranks_statistics *sum,
                                                                size_t size, svs_counter *done);
SVS_NODISCARD static inline svs_status svs_ranks_statistics_sum(svs_distributed *svs_object_,
                                                                svs_ranks_statistics *svs_sum_,
                                                                svs_counter *svs_done_) {
    return svs_ranks_statistics_sum_sized(svs_object_, svs_sum_, sizeof *svs_sum_, svs_done_);
}

SVS_END_DECLARATIONS
#endif
