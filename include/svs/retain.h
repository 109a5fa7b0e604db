/* Retentive stealing: an iterative program keeps, from iteration to iteration, which worker ran
 * what (Steal Tree section 8.2).
 *
 *     svs_retained *retained;
 *     svs_retained_new(runtime, &retained);
 *     for (int i = 0; i < iterations; i++) svs_retained_run(retained, iterate, &grid);
 *     svs_retained_free(retained);
 *
 * In the first iteration idle workers steal as ever. What was stolen is kept, as the path of the
 * stolen async from the root and the worker that got it: in the next iteration it goes there as
 * soon as it is spawned, and only what is then out of balance is stolen. Iterations that change
 * slowly come to balance within a few. What is kept grows with what was stolen, not with the number
 * of tasks.
 *
 * Asyncs are known by the path of spawns from the root, so the tree of an iteration may differ from
 * the one before: what is not spawned any more is forgotten.
 *
 * Threads: one at a time for each runtime, not from a body. */
#ifndef SVS_RETAIN_H
#define SVS_RETAIN_H

#include <svs/async.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_retained svs_retained;

/* Of the last iteration. */
typedef struct svs_retained_statistics {
    uint64_t iterations; /* so far */
    uint64_t kept;       /* asyncs that were run by the worker that they were kept for */
    uint64_t steals;    /* asyncs that were stolen, whether kept for another worker or for nobody */
    uint64_t fragments; /* what is kept for the next iteration: asyncs with their workers */
    uint64_t bytes;     /* of memory for that */
} svs_retained_statistics;

/* Nothing is kept yet. @return SVS_OK, SVS_E_NULL, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_retained_new(svs_runtime *runtime, svs_retained **retained);

/* One iteration: svs_async_run(), with what was kept of the last one. @return as svs_async_run();
 * SVS_E_BUSY (the runtime is traced, or something else runs on it); SVS_E_NO_MEMORY (it has run,
 * and nothing is kept of it). */
SVS_NODISCARD SVS_API svs_status svs_retained_run(svs_retained *retained, svs_async_function *root,
                                                  void *argument);

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_retained_statistics_get_sized(
    const svs_retained *retained, svs_retained_statistics *statistics, size_t size);
SVS_NODISCARD static inline svs_status svs_retained_statistics_get(
    const svs_retained *svs_retained_, svs_retained_statistics *svs_statistics_) {
    return svs_retained_statistics_get_sized(svs_retained_, svs_statistics_,
                                             sizeof *svs_statistics_);
}

/* Before its runtime is freed. NULL is allowed. @return SVS_OK, SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_retained_free(svs_retained *retained);

SVS_END_DECLARATIONS
#endif
