/* Slots for the small objects of svs_object_new(). A slab is an array of slots of one size. Each
 * worker has a pool of slabs, and all other threads share one more pool. A slot returns to its own
 * slab: the thread that frees objects links their slots into a list, and at quiescence the whole
 * list moves to the slab. So only the freeing thread and the slot's next owner access a slot.
 *
 *     slab [ header | front struct | front struct | ... ]
 *
 * The 8 bytes in front of a struct name its slab and, while an object has the slot, its type. A
 * struct without a slot (storage.h) follows 8 bytes of the same form, without the tag SLOT.
 *
 *   memobj.K2  a worker's pool is changed by that worker while it acts for an instance of the
 *       world, or by the holder of `entry` at quiescence (memobj.W2). The pool of all other threads
 *       is changed under its lock;
 *   memobj.K3  a slot has an object, or is in the list `free` of its slab, or in `freed`, or comes
 *       after the first `begun` slots and has never had an object. `live` counts the slots with an
 *       object and those in `freed`;
 *   memobj.K4  a slab with a slot that has no object is `current` of its size, or in the list
 *       `rooms` of its size. A slab that quiescence finds without objects is released at the end of
 *       that quiescence, unless it is `current`;
 *   memobj.K5  a slot in `freed` had an object that is in the quarantine. A slab with such slots is
 *       once in the world's list `freed_slabs`: the thread that adds the slab's first freed slot
 *       inserts the slab. At quiescence the whole list is taken. A thread hands over its freed
 *       slots while it acts for an instance of the world, which excludes quiescence, or while it
 *       holds `entry`.
 *
 * | operation          | caller                                        | progress | order         |
 * |--------------------|-----------------------------------------------|----------|---------------|
 * | svs__pool_take     | any (memobj.K2)                               | a lock   | release       |
 * | svs__slots_add     | any: one thread for each list                 | wait-free| -             |
 * | svs__slots_leave   | any that holds off quiescence (memobj.K5)     | lock-free| release       |
 * | svs__pools_settle, svs__pools_trim | the holder of `entry`         | a lock   | acquire       |
 * | svs__pools_visit   | any, while no slab is released                | wait-free| acquire       |
 *
 * A worker takes no lock; other threads share one. Cache lines: a pool is aligned to a line, and
 * its worker alone writes it. The worker alone writes the first line of a slab as well; all threads
 * write the second. */
#ifndef SVS_MEMOBJ_CORE_POOL_H
#define SVS_MEMOBJ_CORE_POOL_H

#include "base/memory.h"
#include "memobj/core/type.h"
#include "memobj/core/world_state.h"

#define SVS__FRONT_TYPE_SHIFT 48
#define SVS__FRONT_SLOT UINT64_C(1) /* the storage is a slot; addresses are even */
#define SVS__FRONT_ADDRESS ((UINT64_C(1) << SVS__FRONT_TYPE_SHIFT) - 2)

typedef _Atomic(uint64_t) svs__front;

/* The word in front of the struct. */
static inline svs__front *svs__front_of(const void *room) {
    return (svs__front *)(uintptr_t)room - 1;
}

/* Whether structs of the type have slots. In a race check, which follows each allocation, none
 * have. */
static inline bool svs__pool_has(const svs__type *type) {
    /* relaxed is enough: it changes only while nothing runs */
    return type->slot_bytes && !svs__load_relaxed(&svs__allocate_through);
}

/* A slot for a struct, cleared; NULL: no memory. `inside`: the worker that acts for an instance
 * of the world, or NULL. */
void *svs__pool_take(svs_world *world, const svs__worker *inside, const svs__type *type);

/* Slots of one slab, which a thread collects while it frees objects; all zero: no slots. */
typedef struct svs__freed_slots {
    svs__object_slab *slab;
    svs__front *first, *last;
    uint32_t count;
} svs__freed_slots;

/* Adds the slot of a freed object, and removes the type from the slot's front. If the collected
 * slots belong to another slab, hands those over first (svs__slots_leave). */
void svs__slots_add(svs_world *world, svs__freed_slots *slots, void *room);

/* Hands the collected slots over to their slab, where they wait for quiescence (memobj.K5). */
void svs__slots_leave(svs_world *world, svs__freed_slots *slots);

/* At quiescence: makes each slot in `freed` free. The caller calls svs__pools_trim() afterwards.
 * @return the number of slots. */
uint64_t svs__pools_settle(svs_world *world);
void svs__pools_trim(svs_world *world);

/* Calls `visit` for each slot that has an object. */
typedef void svs__room_visitor(void *room, const svs_type *type, void *argument);
void svs__pools_visit(const svs_world *world, svs__room_visitor *visit, void *argument);

svs_status svs__pools_new(svs_world *world);
void svs__pools_free(svs_world *world);

/* Checks memobj.K3 and memobj.K4. Called at quiescence. */
bool svs__pools_are_valid(const svs_world *world);

#endif
