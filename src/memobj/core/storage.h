/* The storage of svs_object_new(), and the quarantine of freed objects. The world lists all
 * storage, so that svs_world_free() can free it. Small objects have slots (pool.h). Each other
 * object has an allocation of its own, which is in a list.
 *
 *   memobj.K1  a list changes under the lock of its shard, and a storage leaves it only at
 *       quiescence (memobj.W2). So, outside of quiescence, any thread may read the list without the
 *       lock. */
#ifndef SVS_MEMOBJ_CORE_STORAGE_H
#define SVS_MEMOBJ_CORE_STORAGE_H

#include "memobj/core/pool.h"

/* The 16 bytes before an object that is in a list. The front (pool.h) contains the index of the
 * type and the address of the previous storage, which has 48 bits on the supported machines
 * (checked). */
struct svs__storage {
    _Atomic(svs__storage *) next; /* the lock of the shard guards `next` and `front` */
    _Atomic(uint64_t) front;
};

/* Storage with an allocation of its own. */
void *svs__storage_new_in_list(svs_world *world, const svs_type *type);

/* Storage for a struct of a registered type, zeroed; NULL: no memory. Any thread. `inside`: the
 * worker that acts for an instance of the world, or NULL. */
static inline void *svs__storage_new(svs_world *world, const svs__worker *inside,
                                     const svs_type *type) {
    const svs__type *record = svs__type_get((uint16_t)type->index);
    return SVS__LIKELY(svs__pool_has(record)) ? svs__pool_take(world, inside, record)
                                              : svs__storage_new_in_list(world, type);
}

/* Calls `visit` for each storage that has an object or is about to get one; this includes objects
 * in the quarantine that have no slot. Called only while no storage can be released: at quiescence,
 * in a run, or without other threads. */
void svs__storage_visit(const svs_world *world, svs__room_visitor *visit, void *argument);

/* Moves a linked list of retired objects, `first` to `last`, into the quarantine of the world,
 * where they stay until quiescence. Any thread. */
void svs__storage_quarantine(svs_world *world, svs_object *first, svs_object *last);
/* Releases the storage of each object in the quarantine. Called at quiescence (memobj.W2). */
void svs__storage_release_freed(svs_world *world);

/* Releases all storage of a world that no other thread uses any more. */
void svs__storage_free_all(svs_world *world);

#endif
