/* The state of a world, and its place in the table of worlds.
 *
 *   memobj.W1  a run enters the world before it touches an object, and leaves it after its last
 *       instance has ended;
 *   memobj.W2  quiescence: at most one run is inside and none of its instances runs. Refresh,
 *       clean-up and the release of freed objects happen only then, under `entry`, so that no other
 *       run enters meanwhile;
 *   memobj.W3  an object names its world by an index into one table of the process, so that its
 *       header has 16 bytes. The table is a ring: an index is used again only after all others.
 *       Until then the library recognises an object of a freed world;
 *   memobj.W4  a thread outside of the world's runs holds `entry` while it works on masters: while
 *       it makes an object with members, frees an object or cleans one up. So no refresh runs at
 *       the same time. Free and clean-up are refused while a run is inside.
 *
 *   memobj.W5  each worker counts its assignments of links in a cache line of its own, after the
 *       store of the link. The thread that has made the world also has a line, for assignments
 *       while it is not a worker. All other threads share one more line. The sum of the counts only
 *       grows, so that two equal sums show that no assignment was counted between them (not
 *       asserted: one thread writes each line, except the shared one).
 *
 * The scheduler keeps its state in `admission`. It makes the state on first use, and the world
 * releases it. */
#ifndef SVS_MEMOBJ_CORE_WORLD_STATE_H
#define SVS_MEMOBJ_CORE_WORLD_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <svs/object.h>

#include "base/atomic.h"
#include "base/check.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/platform.h"
#include "memobj/core/type.h"
#include "worksteal/runtime.h"

typedef struct svs__master svs__master;
typedef struct svs__storage svs__storage;

#define SVS__STORAGE_SHARDS 16u

typedef struct svs__object_slab svs__object_slab;

typedef struct svs__pool_size {
    svs__object_slab *current, *rooms; /* memobj.K4 */
    uint32_t slots;                    /* slots of the last slab */
} svs__pool_size;

/* The pool from which one worker takes its slots, or the one that all other threads share
 * (pool.h). */
typedef struct svs__pool {
    _Alignas(SVS__CACHE_LINE) _Atomic(svs__object_slab *) slabs;
    svs__lock lock; /* lock of the shared pool (memobj.K2) */
    bool shared;
    /* a slab has lost its last object, so that svs__pools_trim() has a slab to release */
    bool emptied;
    svs__pool_size sizes[SVS__POOL_SIZES];
} svs__pool;

/* One of the lists of objects that svs_object_new() made and that have no slot. svs_world_free()
 * frees them. */
typedef struct svs__storage_shard {
    _Alignas(SVS__CACHE_LINE) svs__lock lock;
    _Atomic(svs__storage *) first; /* guarded by the lock */
} svs__storage_shard;

/* The table of addresses.h. */
typedef struct svs__addresses {
    uintptr_t *slots;
    uint32_t count, capacity; /* `capacity` is a power of two, at least twice the count */
} svs__addresses;

/* Counts of what one thread has done to links (memobj.W5) and objects. The thread writes them; any
 * thread reads them. */
typedef struct svs__link_counts {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) assigned;
    /* causes for a refresh: removed links, internal nodes that two masters came to share */
    _Atomic(uint64_t) stale;
    _Atomic(uint64_t) freed; /* objects that were freed */
} svs__link_counts;

/* The lines of memobj.W5, by number. */
enum { SVS__LINE_OF_OTHERS, SVS__LINE_OF_MAKER, SVS__LINE_OF_WORKERS };

/* The state of the counts at the last decision: explained deferrals, and those among them with the
 * cause that the decision is about. */
typedef struct svs__decided {
    uint32_t explained, caused;
} svs__decided;

/* What a world has learned from the causes of deferrals (memobj/adapt.h). */
typedef struct svs__adaptation {
    /* numbers of deferrals: all explained ones, and those by each of two causes; any worker adds to
     * them */
    _Atomic(uint32_t) explained, by_master, by_cells;
    /* number of decisions to elect masters, at most 2. From 1 on, instances tag the objects that
     * they are handed, and the next refresh elects these */
    _Atomic(uint32_t) elects;
    /* guarded by `entry` */
    svs__decided masters, cells;
    bool wants_refresh;
    /* the number of cells never grows: they are the bits of signatures, as in the thesis */
    bool cells_stay;
} svs__adaptation;

struct svs__admission; /* the scheduler's record of what running instances hold in this world */
struct svs__common;    /* the scheduler's memory that the runs in this world share */

struct svs_world {
    svs_runtime *runtime;
    const svs_allocator *allocator;
    const svs__log *log;
    svs_world_options options;
    uint32_t words;                  /* words of a signature */
    uint32_t bit_shift;              /* key >> bit_shift is the signature bit */
    uint32_t cell_bits;              /* there are 2^cell_bits cells now (memobj.D3) */
    uint32_t cell_shift;             /* key >> cell_shift is the cell */
    _Atomic(uint32_t) neighbourhood; /* K now (memobj.D1) */
    uint16_t index;                  /* in the table of worlds (memobj.W3) */

    svs__lock entry; /* guards `runs`; quiescence holds it throughout (memobj.W2) */
    _Atomic(uint32_t) runs;
    uint32_t graphs;

    struct svs__admission *admission; /* guarded by `entry` until it is set, constant afterwards */
    void (*admission_release)(struct svs__admission *admission);
    void (*admission_resize)(struct svs__admission *admission, uint32_t cell_bits);
    _Atomic(struct svs__common *) common; /* set under `entry` */
    void (*common_release)(struct svs__common *common);
    svs__adaptation adaptation;
    /* The graph that the last svs_for_each() has left for the next one; it counts in `graphs`
     * (sched.T9). */
    _Atomic(struct svs_graph *) kept;
    svs_status (*kept_free)(struct svs_graph *graph); /* guarded by `entry` */

    _Atomic(uint64_t) next_id; /* the next number of an object that is made outside of bodies */
    _Atomic(uint64_t) next_space;

    /* list of all masters, linked by `next`; only a refresh removes masters */
    _Atomic(svs__master *) masters;
    _Atomic(svs__master *)
        dirty; /* list of the masters that the next refresh visits, linked by `next_dirty` */
    _Atomic(uint64_t) master_count;
    /* array of `count_lines` cache lines with the counters of memobj.W5 */
    svs__link_counts *counts;
    uint32_t count_lines;
    uintptr_t made_by;        /* svs__thread_id() of the thread that made the world */
    _Atomic(uint32_t) upkeep; /* svs__upkeep (memobj.R5) */
    /* 1: a set needed a signature before there were signatures */
    _Atomic(uint32_t) upkeep_wanted;
    /* number of objects visited by walks beyond the budget (memobj.R5) */
    _Atomic(uint64_t) walked_on;
    _Atomic(uint64_t) stale_refreshed; /* the sum of `stale` at the last refresh */
    _Atomic(uint64_t) metadata_bytes;
    _Atomic(uint64_t) refreshes;
    _Atomic(uint64_t) masters_dirty;
    uint64_t refresh_mark; /* the number of the last refresh; guarded by `entry` */

    _Atomic(uintptr_t) quarantine;           /* freed objects, linked through their headers */
    _Atomic(svs__object_slab *) freed_slabs; /* memobj.K5 */
    /* 1: an object without a slot is in the quarantine (storage.h) */
    _Atomic(uint32_t) freed_in_lists;
    _Atomic(uint64_t) released; /* number of freed objects whose storage was released */
    svs__storage_shard storage[SVS__STORAGE_SHARDS];
    svs__pool *pools; /* pools by worker, indexed like `counts` (pool.h) */

    svs__lock addresses_lock; /* guards `addresses` */
    svs__addresses addresses;
};

struct svs_space {
    svs_world *world;
    uint64_t key; /* in its upper half: a hash of the space's number (svs__index_key) */
    uint64_t count;
    char name[32];
};

#define SVS__WORLDS_MAX 65536u
extern _Atomic(svs_world *) svs__worlds[SVS__WORLDS_MAX]; /* index 0 is no world */

/* The world of an object; NULL when the object's header was never initialised or its world was
 * freed. */
static inline svs_world *svs__world_of(const svs_object *object) {
    /* acquire: pairs with the release in svs__world_register(). */
    return svs__load_acquire(&svs__worlds[object->world]);
}

/* The world with the index, or NULL. */
svs_world *svs__world_at(uint32_t index);

/* Gives the world an index and enters it into the table. @return SVS_OK or SVS_E_LIMIT. */
svs_status svs__world_register(svs_world *world);
void svs__world_unregister(const svs_world *world);

/* Memory of the world's allocator, counted in metadata_bytes: aligned to a cache line, zeroed. */
void *svs__world_allocate(svs_world *world, size_t size);
void svs__world_release(svs_world *world, void *memory, size_t size);

/* Adds 1 to a counter of a line that only the calling thread writes, so that it needs no
 * read-modify-write. */
static inline void svs__link_counts_add(svs__link_counts *line, size_t offset) {
    _Atomic(uint64_t) *counter = (_Atomic(uint64_t) *)(void *)((char *)line + offset);
    /* release: a thread that reads a sum with this assignment also sees the stored link; pairs with
     * the acquire in sum(). */
    svs__store_release(counter, svs__load_relaxed(counter) + 1);
}

/* Does what svs__world_count() does, for a thread that is no worker of the world's runtime. */
void svs__world_count_outside(svs_world *world, size_t offset);

/* Adds 1 to a counter of the calling thread (memobj.W5). `self` is the worker that the thread is,
 * or NULL. `offset` is the counter's offset in svs__link_counts. */
static inline void svs__world_count(svs_world *world, const svs__worker *self, size_t offset) {
    if (SVS__LIKELY(self && self->runtime == world->runtime))
        svs__link_counts_add(&world->counts[SVS__LINE_OF_WORKERS + self->index], offset);
    else svs__world_count_outside(world, offset);
}
static inline void svs__world_count_assigned(svs_world *world, const svs__worker *self) {
    svs__world_count(world, self, offsetof(svs__link_counts, assigned));
}
static inline void svs__world_count_stale(svs_world *world) {
    svs__world_count(world, svs__worker_self(), offsetof(svs__link_counts, stale));
}

/* The sums over all threads. They may miss counts that other threads add during the call. */
uint64_t svs__world_assigned(const svs_world *world);
uint64_t svs__world_stale(const svs_world *world);
uint64_t svs__world_quarantined(const svs_world *world);

/* Whether the world belongs to a process that forked this one. */
static inline bool svs__world_is_forked(const svs_world *world) {
    return svs__runtime_is_forked(world->runtime);
}

/* number of objects from which their headers are not likely to be in a cache */
#define SVS__MANY_OBJECTS 65536u

/* Whether the world has more objects than a cache holds. Only objects that were made outside of
 * bodies count. */
static inline bool svs__world_is_large(const svs_world *world) {
    /* relaxed is enough: a stale value does no harm. */
    return svs__load_relaxed(&((svs_world *)(uintptr_t)world)->next_id) >= SVS__MANY_OBJECTS;
}

/* A run enters the world or leaves it (memobj.W1). */
void svs__world_enter(svs_world *world);
void svs__world_leave(svs_world *world);

/* The signature bit of a key. The shift is done in 64 bits, because tests with one signature bit
 * shift by 32. */
static inline uint32_t svs__world_bit(const svs_world *world, uint32_t key) {
    return (uint32_t)((uint64_t)key >> world->bit_shift);
}

static inline uint32_t svs__object_bit(const svs_world *world, const svs_object *object) {
    return svs__world_bit(world, object->key);
}

#endif
