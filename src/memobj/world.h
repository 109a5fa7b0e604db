/* A world: what memory objects live in, and who may touch them now.
 *
 *   W1  a run enters the world before it touches an object and leaves it after its last instance
 *       has ended;
 *   W2  quiescence: at most one run is inside and none of its instances runs. Refresh, clean-up and
 *       the release of what was freed happen only then, under `entry`, so that no other run enters
 *       meanwhile;
 *   W3  an object knows its world by its index in one table of the process, so that its header
 *       stays at 16 bytes. Indices are given out in turn: an index comes again only when all others
 *       have been given out since, so that until then an object of a world that is gone is known
 *       for one;
 *   W4  a thread that works on masters from outside of the world's runs (it makes an object with
 *       members, frees one or cleans one up) holds `entry` meanwhile: no refresh is beside it. What
 *       it frees or cleans up is refused while a run is inside.
 *
 * The scheduler above keeps its admission state in `gate`, made on first use and released with the
 * world. */
#ifndef SVS_MEMOBJ_WORLD_H
#define SVS_MEMOBJ_WORLD_H

#include <stdbool.h>
#include <svs/object.h>

#include "base/atomic.h"
#include "base/lock.h"
#include "base/log.h"
#include "memobj/signature.h"
#include "worksteal/runtime.h"

typedef struct svs__master svs__master;
typedef struct svs__storage svs__storage;

#define SVS__STORAGE_SHARDS 16u

/* Objects made by svs_object_new(), so that freeing the world frees them all. */
typedef struct svs__storage_shard {
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    _Atomic(svs__storage *) first; /* guarded by the lock */
} svs__storage_shard;

/* addresses.h. */
typedef struct svs__addresses {
    uintptr_t *slots;
    uint32_t count, capacity; /* a power of two, at least twice the count */
} svs__addresses;

struct svs_world {
    svs_runtime *runtime;
    const svs_allocator *allocator;
    const svs__log *log;
    svs_world_options options;
    uint32_t words;      /* of a signature */
    uint32_t bit_shift;  /* key >> bit_shift is the signature bit */
    uint32_t cell_shift; /* key >> cell_shift is the cell */
    uint16_t index;      /* in the process' table (W3) */

    svs__lock entry; /* guards `runs`; held through quiescence (W2) */
    _Atomic(uint32_t) runs;
    uint32_t graphs;

    void *gate; /* the scheduler's, guarded by `entry` until set */
    void (*gate_release)(svs_world *world);

    _Atomic(uint64_t) next_id; /* of objects made outside of bodies */
    _Atomic(uint64_t) next_space;

    /* all of them, linked by `next`; taken apart at quiescence only */
    _Atomic(svs__master *) masters;
    _Atomic(svs__master *) dirty; /* those that refresh must look at, linked by `next_dirty` */
    _Atomic(uint64_t) master_count;
    _Atomic(uint64_t) stale; /* links taken away and neighbourhoods shared since the last refresh */
    _Atomic(uint64_t) metadata_bytes;
    _Atomic(uint64_t) assignments;
    _Atomic(uint64_t) refreshes;
    _Atomic(uint64_t) masters_dirty;
    uint64_t refresh_mark; /* the number of the last refresh; guarded by `entry` */

    _Atomic(uintptr_t) quarantine; /* freed objects, linked through their headers */
    _Atomic(uint64_t) quarantined;
    svs__storage_shard storage[SVS__STORAGE_SHARDS];

    svs__lock addresses_lock; /* guards `addresses` */
    svs__addresses addresses;
};

struct svs_space {
    svs_world *world;
    uint64_t id;
    uint64_t count;
    char name[32];
};

/* The world of an object, or NULL when its header was never initialised or its world is gone. */
svs_world *svs__world_of(const svs_object *object);

/* That has the index, or NULL. */
svs_world *svs__world_at(uint32_t index);

/* Allocation on behalf of a world, counted in metadata_bytes. Aligned to a cache line, zeroed. */
void *svs__world_allocate(svs_world *world, size_t size);
void svs__world_release(svs_world *world, void *memory, size_t size);

/* Has it come over by a fork? */
static inline bool svs__world_is_forked(const svs_world *world) {
    return svs__runtime_is_forked(world->runtime);
}

/* W1. */
void svs__world_enter(svs_world *world);
void svs__world_leave(svs_world *world);

/* At the end of an iteration: refreshes when that is due and gives back what was freed, if the run
 * that calls is alone inside (W2). `worker` NULL: serially. Only the refresh can fail, which leaves
 * the signatures sound. */
void svs__world_quiesce(svs_world *world, svs__worker *worker);
/* The same for a caller that has `entry` and no run beside it. */
void svs__world_tidy(svs_world *world, svs__worker *worker);

static inline uint32_t svs__world_bit(const svs_world *world, uint32_t key) {
    return (uint32_t)((uint64_t)key >> world->bit_shift); /* by 32, when one bit is tested */
}

static inline uint32_t svs__object_bit(const svs_world *world, const svs_object *object) {
    return svs__world_bit(world, object->key);
}

#endif
