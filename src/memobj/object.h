/* Memory objects: their headers.
 *
 * The word `reach` of a header, by its low bits:
 *   0                 a lone object: in no neighbourhood, it reaches itself only
 *   master            an internal node, its primary master
 *   master | MASTER   a master, its own state
 * and besides FRESH: made by a body that still runs and has not handed it off; DEAD: freed or
 * cleaned up, the rest links the quarantine.
 *
 *   O1  reach leaves 0 once, by CAS, and changes again at quiescence only (or to DEAD, by the one
 *       who holds the object);
 *   O2  an object with a link that was ever set, or that a link was ever set to, is in a
 *       neighbourhood. */
#ifndef SVS_MEMOBJ_OBJECT_H
#define SVS_MEMOBJ_OBJECT_H

#include "memobj/type.h"
#include "memobj/world.h"

_Static_assert(sizeof(svs_object) <= 16, "a header costs its object 16 bytes");

#define SVS__REACH_MASTER ((uintptr_t)1)
#define SVS__REACH_FRESH ((uintptr_t)2)
#define SVS__REACH_DEAD ((uintptr_t)4)
#define SVS__REACH_TAGS ((uintptr_t)7)

static inline _Atomic(uintptr_t) *svs__object_reach(const svs_object *object) {
    return (_Atomic(uintptr_t) *)(uintptr_t)&object->reach;
}

static inline svs__master *svs__reach_master(uintptr_t reach) {
    return reach & SVS__REACH_DEAD ? NULL : (svs__master *)(reach & ~SVS__REACH_TAGS);
}

static inline bool svs__object_is_master(const svs_object *object) {
    uintptr_t reach = svs__load_acquire(svs__object_reach(object));
    return (reach & (SVS__REACH_MASTER | SVS__REACH_DEAD)) == SVS__REACH_MASTER;
}

static inline bool svs__object_is_dead(const svs_object *object) {
    return svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_DEAD;
}

static inline const svs__type *svs__object_type(const svs_object *object) {
    return svs__type_get(object->type);
}

/* Where a link of an item or an object points: the header of the struct at `*field`, or NULL. */
static inline svs_object *svs__link_target(const void *field, uint32_t header) {
    char *to = (char *)svs__load_acquire((_Atomic(uintptr_t) *)(uintptr_t)field);
    return to ? (svs_object *)(void *)(to + header) : NULL;
}

/* The object's struct. */
static inline char *svs__object_base(const svs_object *object, const svs__type *type) {
    return (char *)(uintptr_t)object - type->type->header;
}

/* Where its link leads; NULL: nowhere. */
static inline svs_object *svs__object_link(const svs_object *object, const svs__type *type,
                                           uint32_t link) {
    return svs__link_target(svs__object_base(object, type) + type->type->links[link].offset,
                            type->link_header[link]);
}

/* An object that is a member of it. */
static inline svs_object *svs__member_of(const svs_object *object, const svs_type *type,
                                         uint32_t member) {
    const svs_member_type *of = &type->members[member];
    char *base = (char *)(uintptr_t)object - type->header;
    return (svs_object *)(void *)(base + of->offset + of->type->header);
}
static inline svs_object *svs__object_member(const svs_object *object, const svs__type *type,
                                             uint32_t member) {
    return svs__member_of(object, type->type, member);
}

/* All that it leads to, one after the other: its links' targets, of which some are NULL, and its
 * members. */
static inline uint32_t svs__type_targets(const svs__type *type) {
    return type->type->link_count + type->type->member_count;
}
static inline svs_object *svs__object_target(const svs_object *object, const svs__type *type,
                                             uint32_t i) {
    uint32_t links = type->type->link_count;
    return i < links ? svs__object_link(object, type, i)
                     : svs__object_member(object, type, i - links);
}

/* Releases the storage of everything that was freed. At quiescence (W2). */
void svs__object_release_freed(svs_world *world);

#endif
