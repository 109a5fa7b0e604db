/* The storage of svs_object_new(): a list of each world names it, so that the end of the world
 * frees it; and the quarantine of freed objects.
 *
 *   memobj.K1  a list changes under the lock of its shard. */
#ifndef SVS_MEMOBJ_STORAGE_H
#define SVS_MEMOBJ_STORAGE_H

#include "memobj/core/type.h"
#include "memobj/core/world_state.h"

/* The 16 bytes in front of each object from svs_object_new(). The index of the type shares a word
 * with the address of the previous storage, which has 48 bits on the supported machines (checked).
 */
struct svs__storage {
    _Atomic(svs__storage *) next; /* the lock of the shard guards it, and `packed` */
    uint64_t packed;
};

#define SVS__STORAGE_TYPE_SHIFT 48
#define SVS__STORAGE_ADDRESS ((UINT64_C(1) << SVS__STORAGE_TYPE_SHIFT) - 1)

static inline const svs_type *svs__storage_type(const svs__storage *storage) {
    return svs__type_get((uint32_t)(storage->packed >> SVS__STORAGE_TYPE_SHIFT))->type;
}

/* Storage for a struct of a registered type, zeroed; NULL: no memory. Any thread. */
void *svs__storage_new(svs_world *world, const svs_type *type);

/* Releases storage from svs__storage_new(). Any thread; storage that held an object, at quiescence
 * (memobj.W2). */
void svs__storage_free(svs_world *world, void *room, const svs_type *type);

/* Moves a retired object into the quarantine of the world, until quiescence. Any thread. */
void svs__storage_quarantine(svs_world *world, svs_object *object);
/* Releases the storage of each object in the quarantine. At quiescence (memobj.W2). */
void svs__storage_release_freed(svs_world *world);

/* Releases all storage of a world that no other thread uses any more. */
void svs__storage_free_all(svs_world *world);

#endif
