/* A world: what memory objects, index spaces and addresses live in (design: the face; thesis 5.1).
 *
 * The world owns the objects' identities, the masters and their signatures, admission (the only
 * gate: an instance starts when nothing that runs in its world conflicts with it), refresh of what
 * has become stale, and the quarantine of freed objects. Objects of two worlds never meet: crossing
 * worlds is SVS_E_WORLD.
 *
 * Threads: new, free and refresh are for one thread at a time, while no graph runs in the world.
 * Statistics may be read by any thread at any time until the world is freed.
 *
 * Limits: 65,535 worlds at once. An object of a world that is gone is refused (SVS_E_INVALID) until
 * 65,534 worlds have been made after its own. */
#ifndef SVS_WORLD_H
#define SVS_WORLD_H

#include <svs/runtime.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_world svs_world;

typedef enum svs_refresh_mode {
    /* at the end of an iteration, when enough links were taken away since the last one */
    SVS_REFRESH_AUTO,
    SVS_REFRESH_ALWAYS, /* at the end of each iteration that took a link away */
    SVS_REFRESH_MANUAL  /* only svs_world_refresh() */
} svs_refresh_mode;

typedef struct svs_world_options {
    size_t size;             /* of this struct, filled by svs_world_options_init() */
    uint32_t signature_bits; /* N: a power of two from 64 to 4096 (default 512) */
    /* exactly known sets are compared in 2^cell_bits cells, N <= 2^cell_bits <= 2^20 (default
     * 16); 0: on the signature's N bits, as the thesis does */
    uint32_t cell_bits;
    uint32_t neighbourhood; /* K: most internal nodes of a master, 0 to 4096 (default 8) */
    /* most objects that a forward traversal visits to know a reach exactly before the master's
     * signature is taken instead (default 64); 0: signatures only, as the thesis does */
    uint32_t examine_budget;
    svs_refresh_mode refresh;
    /* SVS_REFRESH_AUTO: refresh when the links taken away since the last refresh are at least
     * this many hundredths of the masters (default 10), and at least 32 */
    uint32_t refresh_percent;
} svs_world_options;

typedef struct svs_world_statistics {
    uint64_t link_assignments; /* svs_set() calls that changed a link */
    uint64_t refreshes;        /* those that had something to do */
    uint64_t masters;          /* now */
    uint64_t masters_dirty;    /* masters that the refreshes recomputed */
    uint64_t quarantined;      /* freed objects that wait for quiescence now */
    uint64_t metadata_bytes;   /* held now for masters and their lists, outside of the objects */
} svs_world_statistics;

/* Fills in the defaults. */
SVS_API void svs_world_options_init_sized(svs_world_options *options, size_t size);
static inline void svs_world_options_init(svs_world_options *svs_options_) {
    svs_world_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* @return SVS_OK, SVS_E_NULL, SVS_E_VERSION (the options), SVS_E_INVALID (what is wrong goes to the
 * log), SVS_E_NO_MEMORY, SVS_E_LIMIT (65,535 worlds at once). */
SVS_NODISCARD SVS_API svs_status svs_world_new(svs_runtime *runtime,
                                               const svs_world_options *options, svs_world **world);

/* In one call, for programs that need one runtime and one world: makes and starts a runtime of
 * `threads` workers (0: one for each CPU that the process may use), and a world in it, both with the
 * default options.
 * @return SVS_OK, or as svs_runtime_new(), svs_runtime_start() and svs_world_new(); then nothing is
 * left running. */
SVS_NODISCARD SVS_API svs_status svs_start(uint32_t threads, svs_world **world);

/* Frees a world, then its runtime: svs_world_free() and svs_runtime_free(). NULL is allowed.
 * @return SVS_OK, or what the first of the two that fails answers: SVS_E_FORKED; SVS_E_BUSY (a graph
 * runs or is left; or, with the world freed, another world of the runtime is left). */
SVS_NODISCARD SVS_API svs_status svs_stop(svs_world *world);

/* The runtime that the world was made in. */
SVS_API svs_runtime *svs_world_runtime(const svs_world *world);

/* Frees the world, its quarantine and the state of its masters. Storage made by svs_object_new()
 * that was never freed is the caller's leak no more: it goes too. Storage of the caller's own is
 * not touched, but its objects are dead. NULL is allowed.
 * @return SVS_OK, or SVS_E_BUSY while a graph runs in it or graphs of it are left. */
SVS_NODISCARD SVS_API svs_status svs_world_free(svs_world *world);

/* Makes every signature equal to what its master reaches now, and gives back what was freed.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (a graph runs), SVS_E_NO_MEMORY (the signatures stay
 * sound, but stale). */
SVS_NODISCARD SVS_API svs_status svs_world_refresh(svs_world *world);

/* From any thread, also while graphs run: then each number is a little old. @return SVS_OK,
 * SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_world_statistics_get_sized(const svs_world *world,
                                                                svs_world_statistics *statistics,
                                                                size_t size);
SVS_NODISCARD static inline svs_status svs_world_statistics_get(
    const svs_world *svs_world_, svs_world_statistics *svs_statistics_) {
    return svs_world_statistics_get_sized(svs_world_, svs_statistics_, sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
