/* A weakly consistent object layer: objects of any size, each owned by one rank, and copies of them
 * in a cache of bounded size on the ranks that read them (section 2.3.2 of Wen's thesis).
 *
 *     // on each rank, outside of a run
 *     svs_object_layer_options_init(&options);
 *     options.name = "basis";
 *     svs_object_layer_new(ranks, &options, &layer);
 *     // in a fiber of rank 2: version 1 of object 7 of rank 2, and later version 2
 *     svs_object_layer_publish(layer, (svs_object_layer_name){2, 7}, data, bytes, &mine->done);
 *     // in a fiber of any rank
 *     svs_object_layer_read(layer, (svs_object_layer_name){2, 7}, &mine->view, &mine->done);
 *     // ... when `done` is 1
 *     use(mine->view.data, mine->view.bytes);
 *     svs_object_layer_release(layer, &mine->view);
 *
 * An object has versions 1, 2, ..., which its owner publishes. A version is plain bytes, and never
 * changes. A publish tells no other rank: it costs a copy of the bytes.
 *
 *   call        completes                              then
 *   read        at once with a copy of this rank's;    the view has a complete version, which may
 *               else when the owner has sent one       be old, but is never older than one that a
 *                                                      read of this rank has had before
 *   refresh     when the owner has answered; it sends  the view, and later reads of this rank, have
 *               bytes only if there is a newer one     what was published before the call, or newer
 *   invalidate  at the owner: when all ranks have      reads that begin later, on any rank, have
 *               dropped their older copies             what was published before the call, or newer
 *               elsewhere: at once                     the same for later reads of this rank
 *   sync        when all ranks have called it          reads that begin later have what any rank
 *                                                      had published before its call, or newer
 *
 * A view keeps its version in memory until it is released, also when a newer one arrives. Copies
 * that no view has are kept up to `cache_bytes`, and the one that was released longest ago is
 * replaced first. A copy that is larger than the cache is dropped when it is released.
 *
 * Large objects come in pieces of `piece_bytes`, and the owner sends them as fast as it has credit.
 * It keeps the version until the last piece is sent, so that pieces of two versions never mix.
 *
 * While the layer's snapshot is frozen, no version is published: publishes wait for the unfreeze.
 * All other calls work.
 *
 * Failures: a rank that has no memory for a copy that arrives ends the run.
 *
 * Threads: as <svs/ranks/rank.h> says. Each call that is refused says why in the log. */
#ifndef SVS_RANKS_OBJECT_LAYER_H
#define SVS_RANKS_OBJECT_LAYER_H

#include <svs/ranks/fiber.h>
#include <svs/ranks/snapshot.h>

SVS_BEGIN_DECLARATIONS

typedef struct svs_object_layer svs_object_layer;

#define SVS_OBJECT_LAYER_NAME 24u /* bytes of a layer's name, with the terminating zero */
#define SVS_OBJECT_LAYER_BYTES ((size_t)UINT32_MAX) /* bytes of the largest object */

/* Names an object. The program chooses the numbers, which need not be dense. */
typedef struct svs_object_layer_name {
    uint32_t rank; /* the rank that owns the object */
    uint32_t number;
} svs_object_layer_name;

/* The result of a read. It belongs to the layer until the read's counter has gone up by 1. */
typedef struct svs_object_layer_view {
    const void *data;  /* bytes of the version, aligned to 16; valid until the view is released */
    size_t bytes;      /* size of the object */
    uint64_t version;  /* 1 or more; 0: there is no such object */
    svs_status status; /* SVS_OK; SVS_E_INVALID: there is no such object, and no data */
    void *held;        /* used only by the library */
} svs_object_layer_view;

typedef struct svs_object_layer_options {
    size_t size;      /* size of this struct, filled by svs_object_layer_options_init() */
    const char *name; /* name of the layer, distinct from those of other layers */
    /* size of the cache: bytes of copies on this rank, and 64 more for each (16 MiB) */
    uint64_t cache_bytes;
    uint32_t piece_bytes; /* largest piece of an object in one record, at most 2^20 (8192) */
    uint32_t reserved;    /* 0 */
} svs_object_layer_options;

SVS_API void svs_object_layer_options_init_sized(svs_object_layer_options *options, size_t size);
static inline void svs_object_layer_options_init(svs_object_layer_options *svs_options_) {
    svs_object_layer_options_init_sized(svs_options_, sizeof *svs_options_);
}

/* Makes a layer. Collective, outside of a run. The options are the same on all ranks, except
 * `cache_bytes`.
 * @return as svs_structure_new(). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_new(svs_ranks *ranks,
                                                      const svs_object_layer_options *options,
                                                      svs_object_layer **layer);

/* Frees a layer. Collective, in a run or not, when no rank has an operation in progress: sync
 * first. A layer that is not freed by this call is freed with the rank.
 * @return as svs_structure_free(); SVS_E_BUSY (an operation of this rank is in progress, a view is
 * not released, or a version is being sent). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_free(svs_object_layer *layer, svs_counter *done);

/* ---- operations, in a run ----
 *
 * Each adds 1 to `done` when it is complete, at once or later.
 * @return SVS_OK (complete), SVS_WAIT; SVS_E_NULL, SVS_E_OUTSIDE (no run), SVS_E_INVALID (see each
 * call), SVS_E_NO_MEMORY (nothing was done). */

/* Publishes the next version of an object of this rank; version 1 creates the object. `data` is
 * copied.
 * @return SVS_WAIT (frozen); SVS_E_INVALID (another rank is the owner, or it has more than
 * SVS_OBJECT_LAYER_BYTES). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_publish(svs_object_layer *layer,
                                                          svs_object_layer_name name,
                                                          const void *data, size_t bytes,
                                                          svs_counter *done);

/* Pins a version of the object, which the view has until svs_object_layer_release(). If an object
 * of another rank does not exist, the view's status and the log say so.
 * @return SVS_E_INVALID (no such rank; or no such object, of this rank). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_read(svs_object_layer *layer,
                                                       svs_object_layer_name name,
                                                       svs_object_layer_view *view,
                                                       svs_counter *done);

/* Asks the owner for the newest version. @param view as of a read; NULL: the copy is brought up to
 * date, and nothing is pinned.
 * @return as a read. */
SVS_NODISCARD SVS_API svs_status svs_object_layer_refresh(svs_object_layer *layer,
                                                          svs_object_layer_name name,
                                                          svs_object_layer_view *view,
                                                          svs_counter *done);

/* Drops copies of the object, as the table above says. @return SVS_E_INVALID (no such rank). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_invalidate(svs_object_layer *layer,
                                                             svs_object_layer_name name,
                                                             svs_counter *done);

/* A sync of all copies (see the table above). Collective. Copies are kept; the first read of each
 * asks its owner, which sends a newer version if there is one. @return as svs_snapshot_sync(). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_sync(svs_object_layer *layer, svs_counter *done);

/* ---- calls that are complete when they return ---- */

/* Releases a view: it has no data any more. @return SVS_OK; SVS_E_NULL, SVS_E_STATE (the view holds
 * nothing: its read is not complete or has failed, or it was released before). */
SVS_NODISCARD SVS_API svs_status svs_object_layer_release(svs_object_layer *layer,
                                                          svs_object_layer_view *view);

/* The version of the object that this rank has, as its owner or as a copy; 0: none. */
SVS_API uint64_t svs_object_layer_version(const svs_object_layer *layer,
                                          svs_object_layer_name name);

/* The snapshot of the layer, for svs_snapshot_freeze() and svs_snapshot_unfreeze(). */
SVS_API svs_snapshot *svs_object_layer_snapshot(const svs_object_layer *layer);

/* Counts of this rank, since the layer was made. */
typedef struct svs_object_layer_statistics {
    uint64_t published; /* versions that this rank has published */
    /* reads of objects of this rank; the counts that follow are of other ranks' objects */
    uint64_t own_reads;
    uint64_t hits, hit_bytes;   /* reads that a copy has answered, and the bytes of these copies */
    uint64_t misses, refreshes; /* reads of objects without a usable copy; calls of refresh */
    uint64_t requests;          /* records to owners for reads and refreshes */
    /* requests answered without bytes, because the copy was the newest version */
    uint64_t unchanged;
    uint64_t fetches, fetched_bytes; /* versions that have arrived, and their bytes */
    /* versions that arrived after this rank had a newer one, or knew of one */
    uint64_t overtaken;
    uint64_t invalidations; /* copies dropped by an invalidate of this rank or of the owner */
    uint64_t replacements;  /* copies dropped for lack of space */
    uint64_t pieces;        /* records with bytes that this rank has sent */
    /* bytes of copies in memory now, and the most at one time, with 64 more for each copy */
    uint64_t kept_bytes, kept_most;
    uint64_t delayed; /* publishes that had to wait for an unfreeze */
} svs_object_layer_statistics;

/* @return SVS_OK, SVS_E_NULL. */
SVS_NODISCARD SVS_API svs_status svs_object_layer_statistics_get_sized(
    const svs_object_layer *layer, svs_object_layer_statistics *statistics, size_t size);
SVS_NODISCARD static inline svs_status svs_object_layer_statistics_get(
    const svs_object_layer *svs_layer_, svs_object_layer_statistics *svs_statistics_) {
    return svs_object_layer_statistics_get_sized(svs_layer_, svs_statistics_,
                                                 sizeof *svs_statistics_);
}

SVS_END_DECLARATIONS
#endif
