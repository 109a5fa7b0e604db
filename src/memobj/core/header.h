/* The header of a memory object.
 *
 * The word `reach` of a header, by its low bits:
 *   0                 a lone object: it is in no neighbourhood and reaches only itself
 *   master            an internal node; the word points to its primary master
 *   master | MASTER   a master; the word points to its own state
 * There are three more tags. FRESH: a running body made the object and has not handed it off.
 * STORED: svs_object_new() made the object, so that svs__storage_visit() finds it. DEAD: the object
 * was freed or cleaned up, and the rest of the word is its link in the quarantine.
 *
 *   memobj.O1  the master in reach leaves 0 once, by CAS. Afterwards reach changes at quiescence
 *       only, or to DEAD by the holder of the object. So an object has at most one master that
 *       names it;
 *   memobj.O2  the two objects of each link that was ever set are in neighbourhoods, unless upkeep
 *       has not begun and the object with the link is STORED (memobj.R5);
 *   memobj.O6  STORED is set after all other fields of the header and after FRESH. So a thread that
 *       visits storage finds complete headers, and recognises objects that a body is still making
 *       (not asserted: about the order of stores; tests/explore/scenarios/publishing.c). */
#ifndef SVS_MEMOBJ_CORE_HEADER_H
#define SVS_MEMOBJ_CORE_HEADER_H

#include <svs/detail/loops.h>

#include "memobj/core/type.h"
#include "memobj/core/world_state.h"

_Static_assert(sizeof(svs_object) <= 16, "a header costs its object 16 bytes");

#define SVS__REACH_MASTER ((uintptr_t)1)
#define SVS__REACH_FRESH ((uintptr_t)2)
#define SVS__REACH_DEAD ((uintptr_t)SVS__HEADER_FREED)
#define SVS__REACH_STORED ((uintptr_t)8)
#define SVS__REACH_HANDED ((uintptr_t)16) /* memobj.D2 */
#define SVS__REACH_TAGS ((uintptr_t)31)
/* the tags that stay when the master in `reach` changes */
#define SVS__REACH_KEPT (SVS__REACH_FRESH | SVS__REACH_STORED)
#define SVS__REACH_NEXT (~(uintptr_t)7) /* for a DEAD object: the next object in the quarantine */

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

static inline bool svs__object_is_stored(const svs_object *object) {
    return svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_STORED;
}

static inline const svs__type *svs__object_type(const svs_object *object) {
    return svs__type_get(object->type);
}

/* The target of a link of an item or an object: the header of the struct that `*field` points to,
 * or NULL. */
static inline svs_object *svs__link_target(const void *field, uint32_t header) {
    char *to = (char *)svs__load_acquire((_Atomic(uintptr_t) *)(uintptr_t)field);
    return to ? (svs_object *)(void *)(to + header) : NULL;
}

/* The object's struct. */
static inline char *svs__object_base(const svs_object *object, const svs__type *type) {
    return (char *)(uintptr_t)object - type->type->header;
}

/* The target of the object's link, or NULL. */
static inline svs_object *svs__object_link(const svs_object *object, const svs__type *type,
                                           uint32_t link) {
    return svs__link_target((const char *)object + type->link_field[link], type->link_header[link]);
}

/* The header of a member of the object. */
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

/* The targets of an object, by number: the targets of its links, some of them NULL, then its
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

#endif
