/* The storage of svs_object_new(), and the quarantine of freed objects. The world lists all
 * storage, so that the end of the world frees it. Small objects have slots (pool.h). Each other one
 * has an allocation of its own, in a list.
 *
 *   memobj.K1  a list changes under the lock of its shard, and loses a storage only at quiescence
 *       (memobj.W2). So it may be read without the lock meanwhile. */
#ifndef SVS_MEMOBJ_CORE_STORAGE_H
#define SVS_MEMOBJ_CORE_STORAGE_H

#include "memobj/core/pool.h"

/* The 16 bytes in front of an object in a list. The index of the type shares the front (pool.h)
 * with the address of the previous storage, which has 48 bits on the supported machines
 * (checked). */
struct svs__storage {
    _Atomic(svs__storage *) next; /* the lock of the shard guards it, and `front` */
    _Atomic(uint64_t) front;
};

/* Storage for a struct of a registered type, zeroed; NULL: no memory. Any thread. `inside`: the
 * worker that acts for an instance of the world, or NULL. */
void *svs__storage_new(svs_world *world, const svs__worker *inside, const svs_type *type);

/* Calls `visit` for each storage: it has an object, or will have, or the object is in the
 * quarantine and has no slot. While none is released: at quiescence, in a run, or without other
 * threads. */
void svs__storage_visit(const svs_world *world, svs__room_visitor *visit, void *argument);

/* Moves retired objects, the first of which links the others, into the quarantine of the world,
 * until quiescence. Any thread. */
void svs__storage_quarantine(svs_world *world, svs_object *first, svs_object *last);
/* Releases the storage of each object in the quarantine. At quiescence (memobj.W2). */
void svs__storage_release_freed(svs_world *world);

/* Releases all storage of a world that no other thread uses any more. */
void svs__storage_free_all(svs_world *world);

#endif
