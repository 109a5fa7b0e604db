/* A world: the container of memory objects, index spaces and addresses (thesis 5.1).
 *
 * A world owns the identities of its objects, the masters and their signatures, admission (an
 * instance starts only if it conflicts with no running instance of the world), the refresh of stale
 * signatures, and the quarantine of freed objects. Links and footprints never cross worlds: such a
 * call returns SVS_E_WORLD.
 *
 * Threads: one thread at a time may call new, free and refresh, while no graph runs in the world.
 * Any thread may read the statistics at any time until the world is freed.
 *
 * Limits: 65,535 worlds at once. Calls refuse an object of a freed world (SVS_E_INVALID) until
 * 65,534 further worlds have been created. */
#ifndef SVS_WORLD_H
#define SVS_WORLD_H

#include <svs/runtime.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_world svs_world;

typedef enum svs_refresh_mode {
    /* refreshes at the end of an iteration if enough links were removed since the last refresh */
    SVS_REFRESH_AUTO,
    SVS_REFRESH_ALWAYS, /* refreshes at the end of each iteration that removed a link */
    SVS_REFRESH_MANUAL  /* only svs_world_refresh() */
} svs_refresh_mode;

typedef struct svs_world_options {
    size_t size;             /* size of this struct, filled by svs_world_options_init() */
    uint32_t signature_bits; /* N: a power of two from 64 to 4096 (default 512) */
    /* admission compares exactly known sets in 2^cell_bits cells, N <= 2^cell_bits <= 2^20 (default
     * 16); 0: in the N bits of signatures, for the thesis' experiments */
    uint32_t cell_bits;
    /* K: the maximum number of internal nodes of a master, 0 to 4096 (default 8) */
    uint32_t neighbourhood;
    /* the most objects that a forward traversal visits to find a reach exactly; beyond it, the
     * master's signature is used (default 64). The first instance that needs a signature runs alone
     * in the world; from then on signatures are maintained. Before that, a traversal visits up to
     * 16 times as many objects, while that costs less than maintaining signatures. 0: signatures
     * only, for the thesis' experiments */
    uint32_t examine_budget;
    svs_refresh_mode refresh;
    /* SVS_REFRESH_AUTO: refresh if the links removed since the last refresh number at least this
     * percentage of the masters (default 10), and at least 32 */
    uint32_t refresh_percent;
    /* true (default): adapt to the causes that svs_graph_options.explain_every finds. If a shared
     * master defers instances, masters are elected at the objects that tasks receive; if that does
     * not help, K is halved. If cells collide, their number grows, up to 2^20. false: K and the
     * cells stay as given */
    bool adapt;
} svs_world_options;

typedef struct svs_world_statistics {
    uint64_t link_assignments; /* svs_link() calls that changed a link */
    uint64_t refreshes;        /* refreshes with at least one stale master */
    uint64_t masters;          /* now */
    uint64_t masters_dirty;    /* masters recomputed by refreshes */
    uint64_t quarantined;      /* freed objects that wait for a quiescent state */
    uint64_t
        metadata_bytes; /* allocated now for masters and their lists, not counting the objects */
} svs_world_statistics;

/* Fills in the defaults. */
SVS_API void svs_world_options_init_sized(svs_world_options *options, size_t size);
static inline void svs_world_options_init(svs_world_options *svs_options_) {
    svs_world_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a world on a runtime. @param options NULL: the defaults. @return SVS_OK, SVS_E_NULL,
 * SVS_E_VERSION (the options), SVS_E_INVALID (the log names the option), SVS_E_NO_MEMORY,
 * SVS_E_LIMIT (65,535 worlds at once). */
SVS_NODISCARD SVS_API svs_status svs_world_new(svs_runtime *runtime,
                                               const svs_world_options *options, svs_world **world);

/* One call for programs with one runtime and one world: creates and starts a runtime of `threads`
 * workers (0: one for each CPU that the process may use) and creates a world in it, both with
 * default options.
 * @return SVS_OK, or the failure of svs_runtime_new(), svs_runtime_start() or svs_world_new().
 * After a failure nothing is left to free. */
SVS_NODISCARD SVS_API svs_status svs_start(uint32_t threads, svs_world **world);

/* Frees a world, then its runtime: svs_world_free() and svs_runtime_free(). NULL is allowed.
 * @return SVS_OK, or the first failure of the two calls: SVS_E_FORKED; SVS_E_BUSY (a graph runs or
 * was not freed; or the world was freed, but the runtime has another world). */
SVS_NODISCARD SVS_API svs_status svs_stop(svs_world *world);

/* The runtime of the world. */
SVS_API svs_runtime *svs_world_runtime(const svs_world *world);

/* Frees the world, its quarantine, its masters, and every object from svs_object_new() that is
 * still allocated. Objects in the caller's own storage become invalid; their storage is not
 * accessed. NULL is allowed.
 * @return SVS_OK, or SVS_E_BUSY if a graph runs in it or a graph of it was not freed. */
SVS_NODISCARD SVS_API svs_status svs_world_free(svs_world *world);

/* Recomputes each stale signature from what its master reaches now, and releases the quarantine.
 * @return SVS_OK, SVS_E_NULL, SVS_E_BUSY (a graph runs), SVS_E_NO_MEMORY (the signatures stay
 * stale; they are still sound). */
SVS_NODISCARD SVS_API svs_status svs_world_refresh(svs_world *world);

/* Any thread may call it, also while graphs run; the numbers may then lag. @return SVS_OK,
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
