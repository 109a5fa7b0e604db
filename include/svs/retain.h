/* Retentive stealing: each iteration of an iterative program starts with the steals of the previous
 * iteration (Steal Tree section 8.2).
 *
 *     svs_retained *retained;
 *     svs_retained_new(runtime, &retained);
 *     for (int i = 0; i < iterations; i++) svs_retained_run(retained, iterate, &grid);
 *     svs_retained_free(retained);
 *
 * In the first iteration, idle workers steal as usual. The library retains for each steal the path
 * of the stolen async from the root and the index of the thief. In the next iteration, the spawn of
 * that async hands it to the same worker at once, and workers steal only to correct the remaining
 * imbalance. If iterations change slowly, the load balances within a few iterations. The retained
 * memory grows with the number of steals, not with the number of asyncs.
 *
 * An async is identified by the path of spawns from the root. The tree may differ from iteration to
 * iteration: retained steals of asyncs that are no longer spawned are dropped.
 *
 * Threads: one thread at a time for each runtime; not from a body. */
#ifndef SVS_RETAIN_H
#define SVS_RETAIN_H

#include <svs/async.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_retained svs_retained;

/* Counts of the last iteration. */
typedef struct svs_retained_statistics {
    uint64_t iterations; /* iterations so far */
    uint64_t kept;       /* asyncs run by the worker that they were retained for */
    uint64_t steals;     /* asyncs stolen, retained for another worker or not at all */
    uint64_t fragments;  /* retained for the next iteration: asyncs with their workers */
    uint64_t bytes;      /* memory of the fragments */
} svs_retained_statistics;

/* Creates an empty set of retained steals. @return SVS_OK, SVS_E_NULL, SVS_E_NO_MEMORY. */
SVS_NODISCARD SVS_API svs_status svs_retained_new(svs_runtime *runtime, svs_retained **retained);

/* Runs one iteration as svs_async_run() does, with the retained steals. @return as svs_async_run();
 * SVS_E_BUSY (the runtime is traced, or another run is active on it); SVS_E_NO_MEMORY (the
 * iteration ran, but its steals were not retained). */
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

/* Must be called before svs_runtime_free(). NULL is allowed. @return SVS_OK, SVS_E_FORKED. */
SVS_NODISCARD SVS_API svs_status svs_retained_free(svs_retained *retained);

SVS_END_DECLARATIONS
#endif
