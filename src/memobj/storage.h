/* The storage of svs_object_new(): each in a list of its world, so that it goes with the world. */
#ifndef SVS_MEMOBJ_STORAGE_H
#define SVS_MEMOBJ_STORAGE_H

#include "memobj/type.h"
#include "memobj/world.h"

/* In front of the storage of svs_object_new(): 16 bytes, so that small objects stay small. The
 * type's index shares a word with the previous storage's address, which has 48 bits on the machines
 * that we know (checked). */
struct svs__storage {
    _Atomic(svs__storage *) next; /* guarded by the lock of the shard, as `packed` is */
    uint64_t packed;
};

#define SVS__STORAGE_TYPE_SHIFT 48
#define SVS__STORAGE_ADDRESS ((UINT64_C(1) << SVS__STORAGE_TYPE_SHIFT) - 1)

static inline const svs_type *svs__storage_type(const svs__storage *storage) {
    return svs__type_get((uint32_t)(storage->packed >> SVS__STORAGE_TYPE_SHIFT))->type;
}

/* Room for a struct of a registered type, zeroed; NULL: no memory. Any thread. */
void *svs__storage_new(svs_world *world, const svs_type *type);

/* Releases what the above has returned. Any thread; objects, at quiescence (W2). */
void svs__storage_free(svs_world *world, void *room, const svs_type *type);

/* Releases all that is left, with the world: no other thread uses it any more. */
void svs__storage_free_all(svs_world *world);

#endif
