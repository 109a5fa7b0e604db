#include "memobj/core/pool.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

#define SLOTS_FIRST 16u /* slots of the first slab of a size; the next has twice as many */
/* size of the largest slab; the part of it that fits no slot is small */
#define SLAB_BYTES 16320u
#define HEADER 120u /* a front and the first struct follow */

struct svs__object_slab {
    _Alignas(SVS__CACHE_LINE) _Atomic(svs__object_slab *) next; /* next slab of the pool */
    svs__object_slab *next_room;                                /* next slab in `rooms` */
    svs__pool *pool;
    /* the first of the free slots' fronts; each front contains the pointer to the next */
    svs__front *free;
    /* number of slots that have ever had an object: the first ones of the slab */
    _Atomic(uint32_t) begun;
    uint32_t live, slots;
    uint16_t bytes; /* bytes of a slot */
    bool has_room;  /* the slab is in the list `rooms` */
    /* The fields below have a cache line of their own, which all threads write (memobj.K5): */
    /* first of the freed slots' fronts, linked as in `free` */
    _Alignas(SVS__CACHE_LINE) _Atomic(uintptr_t) freed;
    svs__front *freed_end;         /* the last of the freed slots' fronts */
    _Atomic(uint32_t) freed_count; /* number of freed slots */
    svs__object_slab *next_freed;  /* next slab in the world's `freed_slabs` */
};

_Static_assert(offsetof(svs__object_slab, next_freed) + sizeof(svs__object_slab *) <= HEADER &&
                   (HEADER + SVS__SLOT_UNIT) % SVS__SLOT_ALIGNMENT == 0,
               "the first struct is aligned");

static size_t slab_bytes(const svs__object_slab *slab) {
    return HEADER + (size_t)slab->slots * slab->bytes;
}

static svs__front *front_at(const svs__object_slab *slab, uint32_t slot) {
    char *first = (char *)(uintptr_t)slab + HEADER;
    return (svs__front *)(void *)(first + (size_t)slot * slab->bytes);
}

static svs__pool_size *size_of(svs__pool *pool, uint32_t bytes) {
    return &pool->sizes[bytes / SVS__SLOT_UNIT - 1];
}

/* [memobj.K2] */
static inline void lock(svs__pool *pool) {
    if (pool->shared) svs__lock_acquire(&pool->lock);
}
static inline void unlock(svs__pool *pool) {
    if (pool->shared) svs__lock_release(&pool->lock);
}

/* ---- taking slots ---- */

static bool has_slot(const svs__object_slab *slab) {
    /* relaxed is enough: the caller is the pool's own worker or holds the pool's lock
     * (memobj.K2). */
    return slab && (slab->free ||
                    svs__load_relaxed(&((svs__object_slab *)(uintptr_t)slab)->begun) < slab->slots);
}

static svs__object_slab *slab_new(svs_world *world, svs__pool *pool, svs__pool_size *size,
                                  uint32_t bytes) {
    uint32_t slots = size->slots ? 2 * size->slots : SLOTS_FIRST, most = SLAB_BYTES / bytes;
    svs__object_slab made = {.pool = pool, .bytes = (uint16_t)bytes}, *slab;
    made.slots = slots < most ? slots : most;
    slab = svs__allocate(world->allocator, slab_bytes(&made), SVS__CACHE_LINE);
    if (!slab) return NULL;
    memcpy(slab, &made, HEADER);
    size->slots = made.slots;
    svs__store_relaxed(&slab->next, svs__load_relaxed(&pool->slabs));
    /* release: publishes the slab; pairs with the acquire in svs__pools_visit(). */
    svs__store_release(&pool->slabs, slab);
    return slab;
}

/* Selects the slab from which the next slot is taken, and makes it `current` (memobj.K4). */
SVS__COLD static svs__object_slab *next_slab(svs_world *world, svs__pool *pool, uint32_t bytes) {
    svs__pool_size *size = size_of(pool, bytes);
    svs__object_slab *slab = size->rooms;
    if (slab) {
        size->rooms = slab->next_room;
        slab->has_room = false;
    } else {
        slab = slab_new(world, pool, size, bytes);
    }
    if (slab) size->current = slab;
    return slab;
}

static svs__front *take_from(svs__object_slab *slab) {
    svs__front *front = slab->free;
    uint32_t begun;
    SVS__ASSERT(!slab->pool->shared || svs__lock_is_held(&slab->pool->lock)); /* memobj.K2 */
    slab->live++;
    if (front) { /* relaxed is enough: as in has_slot() */
        slab->free = (svs__front *)(uintptr_t)svs__load_relaxed(front);
        return front;
    }
    begun = svs__load_relaxed(&slab->begun);
    SVS__ASSERT(begun < slab->slots); /* memobj.K3 */
    front = front_at(slab, begun);
    svs__store_relaxed(front, 0);
    /* release: publishes the front, which names no type yet; pairs with the acquire in
     * svs__pools_visit(). */
    svs__store_release(&slab->begun, begun + 1);
    return front;
}

/* Clears a struct of 16 bytes or more. Up to 64 bytes need no call: they are cleared from both
 * ends, in steps of 16 bytes, which may overlap in the middle. */
static inline void clear(char *room, size_t size) {
    SVS__ASSERT(size >= 16);
    if (SVS__UNLIKELY(size > 64)) {
        memset(room, 0, size);
        return;
    }
    memset(room, 0, 16);
    memset(room + size - 16, 0, 16);
    if (size <= 32) return;
    memset(room + 16, 0, 16);
    memset(room + size - 32, 0, 16);
}

/* Takes a slot of a slab that has one. */
static inline void *slot_of(svs__object_slab *slab, const svs__type *type) {
    svs__front *front = take_from(slab);
    clear((char *)(front + 1), type->type->size);
    /* release: publishes the cleared storage; pairs with the acquire in svs__pools_visit(). */
    svs__store_release(front, (uint64_t)type->type->index << SVS__FRONT_TYPE_SHIFT |
                                  (uintptr_t)slab | SVS__FRONT_SLOT);
    return (void *)(front + 1);
}

SVS__COLD static void *take_of_next(svs_world *world, svs__pool *pool, const svs__type *type) {
    svs__object_slab *slab = next_slab(world, pool, type->slot_bytes);
    return slab ? slot_of(slab, type) : NULL;
}

static inline void *take(svs_world *world, svs__pool *pool, const svs__type *type) {
    svs__object_slab *slab = size_of(pool, type->slot_bytes)->current;
    return SVS__LIKELY(has_slot(slab)) ? slot_of(slab, type) : take_of_next(world, pool, type);
}

static __attribute__((noinline)) void *take_locked(svs_world *world, const svs__type *type) {
    svs__pool *pool = &world->pools[world->count_lines - 1];
    void *room;
    svs__lock_acquire(&pool->lock);
    room = take(world, pool, type);
    svs__lock_release(&pool->lock);
    return room;
}

void *svs__pool_take(svs_world *world, const svs__worker *inside, const svs__type *type) {
    return inside ? take(world, &world->pools[inside->index], type) : take_locked(world, type);
}

/* ---- giving slots back ---- */

void svs__slots_leave(svs_world *world, svs__freed_slots *slots) {
    svs__object_slab *slab = slots->slab;
    uintptr_t next;
    if (!slots->count) return;
    next = svs__load_relaxed(&slab->freed);
    do svs__store_relaxed(slots->last, next);
    while (!svs__cas_weak_release(&slab->freed, &next, (uintptr_t)slots->first));
    (void)svs__fetch_add_relaxed(&slab->freed_count, slots->count);
    slots->count = 0;
    if (next) return;
    slab->freed_end = slots->last;
    slab->next_freed = svs__load_relaxed(&world->freed_slabs);
    while (!svs__cas_weak_release(&world->freed_slabs, &slab->next_freed, slab)) {}
}

void svs__slots_add(svs_world *world, svs__freed_slots *slots, void *room) {
    svs__front *front = svs__front_of(room);
    /* relaxed is enough for all: only the caller accesses the freed object, and svs__slots_leave()
     * publishes the fronts. */
    svs__object_slab *slab =
        (svs__object_slab *)(uintptr_t)(svs__load_relaxed(front) & SVS__FRONT_ADDRESS);
    if (slots->count && slots->slab != slab) svs__slots_leave(world, slots);
    if (!slots->count) *slots = (svs__freed_slots){slab, NULL, front, 0};
    svs__store_relaxed(front, (uintptr_t)slots->first);
    slots->first = front;
    slots->count++;
}

/* Moves the freed slots of a slab to its list of free slots. The caller holds the pool's lock
 * (memobj.K2). @return the number of slots. */
static uint32_t settle(svs__object_slab *slab) {
    svs__pool_size *size = size_of(slab->pool, slab->bytes);
    /* relaxed is enough for all: the world is quiescent. */
    uint32_t count = svs__load_relaxed(&slab->freed_count);
    SVS__ASSERT(count && slab->live >= count); /* memobj.K3, memobj.K5 */
    svs__store_relaxed(slab->freed_end, (uintptr_t)slab->free);
    slab->free = (svs__front *)svs__load_relaxed(&slab->freed);
    svs__store_relaxed(&slab->freed, 0);
    svs__store_relaxed(&slab->freed_count, 0);
    slab->live -= count;
    if (slab != size->current && !slab->has_room) {
        slab->has_room = true;
        slab->next_room = size->rooms;
        size->rooms = slab;
    }
    slab->pool->emptied |= !slab->live && slab != size->current;
    return count;
}

uint64_t svs__pools_settle(svs_world *world) {
    svs__object_slab *slab = svs__exchange_acquire(&world->freed_slabs, NULL), *next;
    uint64_t settled = 0;
    SVS__ASSERT(!slab || svs__lock_is_held(&world->entry)); /* memobj.K2 */
    for (; slab; slab = next) {
        next = slab->next_freed;
        lock(slab->pool);
        settled += settle(slab);
        unlock(slab->pool);
    }
    return settled;
}

/* Removes the slabs that contain no object from the list `rooms`. */
static void trim_rooms(svs__pool_size *size) {
    svs__object_slab **to = &size->rooms;
    while (*to) {
        if ((*to)->live) to = &(*to)->next_room;
        else *to = (*to)->next_room;
    }
}

static void trim(svs_world *world, svs__pool *pool) {
    _Atomic(svs__object_slab *) *to = &pool->slabs;
    svs__object_slab *slab;
    for (uint32_t i = 0; i < SVS__POOL_SIZES; i++) trim_rooms(&pool->sizes[i]);
    /* relaxed is enough for all: the world is quiescent. */
    while ((slab = svs__load_relaxed(to)) != NULL) {
        if (slab->live || slab == size_of(pool, slab->bytes)->current) {
            to = &slab->next;
        } else {
            svs__store_relaxed(to, svs__load_relaxed(&slab->next));
            svs__release(world->allocator, slab, slab_bytes(slab), SVS__CACHE_LINE);
        }
    }
    pool->emptied = false;
}

void svs__pools_trim(svs_world *world) {
    for (uint32_t i = 0; i < world->count_lines; i++) {
        svs__pool *pool = &world->pools[i];
        lock(pool);
        if (pool->emptied) trim(world, pool);
        unlock(pool);
    }
}

/* ---- all pools of a world ---- */

void svs__pools_visit(const svs_world *world, svs__room_visitor *visit, void *argument) {
    for (uint32_t i = 0; i < world->count_lines; i++)
        /* acquire: pairs with the release in slab_new(). */
        for (svs__object_slab *slab = svs__load_acquire(&world->pools[i].slabs); slab;
             slab = svs__load_relaxed(&slab->next)) {
            uint32_t begun = svs__load_acquire(&slab->begun); /* pairs with take_from() */
            for (uint32_t slot = 0; slot < begun; slot++) {
                /* acquire: pairs with the release in svs__pool_take(). */
                uint64_t front = svs__load_acquire(front_at(slab, slot));
                uint32_t type = (uint32_t)(front >> SVS__FRONT_TYPE_SHIFT);
                if (type)
                    visit((void *)(front_at(slab, slot) + 1), svs__type_get(type)->type, argument);
            }
        }
}

svs_status svs__pools_new(svs_world *world) {
    world->pools = svs__allocate_zeroed(world->allocator, world->count_lines * sizeof(svs__pool),
                                        SVS__CACHE_LINE);
    if (!world->pools) return SVS_E_NO_MEMORY;
    world->pools[world->count_lines - 1].shared = true;
    return SVS_OK;
}

void svs__pools_free(svs_world *world) {
    for (uint32_t i = 0; world->pools && i < world->count_lines; i++) {
        svs__object_slab *next = svs__load_relaxed(&world->pools[i].slabs), *slab;
        while ((slab = next)) {
            next = svs__load_relaxed(&slab->next);
            svs__release(world->allocator, slab, slab_bytes(slab), SVS__CACHE_LINE);
        }
    }
    svs__release(world->allocator, world->pools, world->count_lines * sizeof(svs__pool),
                 SVS__CACHE_LINE);
}

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */
static bool slab_is_valid(const svs__object_slab *of) {
    svs__object_slab *slab = (svs__object_slab *)(uintptr_t)of;
    uint32_t begun = svs__load_relaxed(&slab->begun), live = 0, free = 0;
    for (uint32_t slot = 0; slot < begun; slot++)
        live += svs__load_relaxed(front_at(slab, slot)) >> SVS__FRONT_TYPE_SHIFT != 0;
    for (svs__front *front = slab->free; front;
         front = (svs__front *)(uintptr_t)svs__load_relaxed(front))
        free++;
    return live == slab->live && live + free == begun && begun <= slab->slots && /* memobj.K3 */
           !svs__load_relaxed(&slab->freed) &&                                   /* memobj.K5 */
           (!has_slot(slab) || slab->has_room ||
            slab == size_of(slab->pool, slab->bytes)->current) && /* memobj.K4 */
           (live || !slab->has_room);
}

bool svs__pools_are_valid(const svs_world *world) {
    for (uint32_t i = 0; i < world->count_lines; i++)
        for (svs__object_slab *slab = svs__load_relaxed(&world->pools[i].slabs); slab;
             slab = svs__load_relaxed(&slab->next))
            if (!slab_is_valid(slab)) return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */
