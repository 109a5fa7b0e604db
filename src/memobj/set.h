/* The set of memory that an instance may touch, with modes. It results from looking up the accesses
 * of a footprint (thesis, Algorithm 3).
 *
 * A set has two parts, and admission compares both. Elements are known exactly: objects, addresses
 * and indices, each by its key and mode. Signatures represent objects that were not walked: all
 * objects that the masters of some roots reach.
 *
 *   memobj.E1  once it is admitted, a set is sound for its instance, if svs__set_confirm() confirms
 *       it afterwards: each traversal, repeated, finds the same elements, and the version of each
 *       root is the same (not asserted: it holds for bodies that write only what they have
 *       declared);
 *       It is sound without that confirmation if no link was assigned between the start of the
 *       first traversal and the admission (memobj.W5): an instance that has assigned a link and
 *       ended has counted the assignment, and an instance that has not ended holds the parent,
 *       which is in the set (memobj.E2);
 *   memobj.E2  each object that a traversal visits is in the set, including the parents of the
 *       followed links: the elements are the queue of the traversal.
 *
 * Threads: a set belongs to one thread at a time. Other threads may change the links during a
 * traversal, which svs__set_confirm() detects (memobj.E1). */
#ifndef SVS_MEMOBJ_SET_H
#define SVS_MEMOBJ_SET_H

#include <svs/footprint.h>

#include "memobj/reach/reach.h"

typedef struct svs__element {
    uint32_t key;
    uint32_t mode; /* svs_access_mode */
} svs__element;

/* The identity of an element, for exact comparison: an object, an address, or a space with an
 * index. */
typedef struct svs__identity {
    const void *what;
    uint64_t index;
} svs__identity;

/* A root of a traversal in the set; the set has a snapshot of the signature of the root's
 * master. */
typedef struct svs__root {
    const svs_object *object;
    svs__version version;
    uint32_t mode;
} svs__root;

/* The elements of the previous traversal, for svs__set_confirm(). */
typedef struct svs__kept_elements {
    svs__element *elements;
    svs__identity *identities;
    uint32_t capacity, identity_capacity;
} svs__kept_elements;

#define SVS__SEEN_WORDS 8u /* a power of two */

typedef struct svs__set {
    svs_world *world;
    svs_footprint footprint; /* the accesses that the touch function added */
    svs__element *elements;
    svs__identity *identities; /* identities of the elements */
    uint32_t count, capacity, identity_capacity;
    svs__root *roots;
    uint32_t root_count, root_capacity;
    uint64_t *signature[2]; /* signatures by mode, `words` words each; valid when dense */
    bool dense;
    bool everything;
    bool unkept; /* `everything` is set because the world has no signatures yet (memobj.R5) */
    bool walked; /* a traversal found some of the elements */
    /* if the set was walked or has roots: the value of svs__world_assigned() before the first
     * traversal */
    uint64_t assigned;
    uint32_t budget; /* the maximum number of objects that a traversal visits */
    svs__kept_elements kept;
    /* in a traversal: a bit for each visited key; several keys may share a bit */
    uint64_t seen[SVS__SEEN_WORDS];
    /* hash table of element numbers + 1, for a traversal of more than a few objects */
    uint32_t *visited;
    uint32_t visited_capacity;
    /* the last two types without members (svs__set_learn) */
    uint16_t plain_types[2];
    svs_status status;
} svs__set;

svs_status svs__set_init(svs__set *set, svs_world *world);
void svs__set_clean_up(svs__set *set);

/* Empties set->footprint, before a touch function fills it. */
void svs__set_begin(svs__set *set);

/* Called after a touch function. If the accesses did not fit, enlarges the footprint, and keeps
 * only the first `count` accesses. @return whether the touch function must be called again. */
bool svs__set_make_room(svs__set *set, uint32_t count);

/* Looks up the elements and signatures of the accesses. @return SVS_OK, SVS_E_NO_MEMORY,
 * SVS_E_WORLD, SVS_E_FREED, SVS_E_NULL, SVS_E_INVALID. */
svs_status svs__set_expand(svs__set *set);

/* Several footprints in one set: svs__set_clear() once, then svs__set_expand_more() for each, with
 * the range of its accesses in set->footprint. It appends the elements of the accesses from `first`
 * up to `end`.
 * @return whether the elements represent the accesses completely: no access needs a signature, and
 * none is refused. Otherwise nothing was added. */
void svs__set_clear(svs__set *set);
bool svs__set_expand_more(svs__set *set, uint32_t first, uint32_t end);

/* Prefetches the objects to which the first `count` accesses lead, so that expanding them waits
 * less for memory. Leaves out accesses of fewer than `least` hops. Changes nothing. Called only
 * while no link of these objects is assigned, and none of them is freed. */
void svs__set_warm(const svs__set *set, uint32_t count, uint32_t least);

/* What kinds of elements a footprint may have, judged by its accesses alone: */
typedef enum svs__sight {
    /* fixed elements only: no access is refused until an object is freed */
    SVS__SIGHT_PLAIN,
    /* also elements found along links; no access is refused until an object is freed */
    SVS__SIGHT_OF_ROOTS,
    /* also ends of paths; no access is refused until an object is freed or linked */
    SVS__SIGHT_OF_LINKS,
    SVS__SIGHT_ODD /* an access is refused, or names everything */
} svs__sight;

/* Judges the accesses in set->footprint. The call overwrites elements of the set. */
svs__sight svs__set_look(svs__set *set);

/* Records that a type has no members. The next accesses to its objects need no look at the type. */
static inline void svs__set_learn(svs__set *set, uint16_t type) {
    if (type == set->plain_types[0] || type == set->plain_types[1]) return;
    set->plain_types[1] = set->plain_types[0];
    set->plain_types[0] = type;
}

/* Fast path for the commonest accesses: an address, an index, or an object of a type without
 * members with the extent SVS_EXTENT_OWN.
 * @return false for any other access, and for a wrong one; svs__set_expand() handles both. */
bool svs__set_single_of_any(svs__set *set, const svs_access *access, svs__element *element);

/* The same fast path with a cache of two types: most footprints have objects of at most two
 * types. */
static inline bool svs__set_single(svs__set *set, const svs_access *access, svs__element *element) {
    const svs_object *object = access->what;
    if (access->kind != SVS_KIND_OBJECT || access->extent != SVS_EXTENT_OWN ||
        access->mode > SVS_MODE_WRITE || !object ||
        (object->type != set->plain_types[0] && object->type != set->plain_types[1]) ||
        object->world != set->world->index || svs__object_is_dead(object))
        return svs__set_single_of_any(set, access, element);
    *element = (svs__element){object->key, access->mode};
    return true;
}

/* Adds one element. @return false: no memory; the set's status says so. */
bool svs__set_add(svs__set *set, uint32_t key, uint32_t mode, const void *what, uint64_t index);

/* Adds the object with its members, which are part of its memory. */
void svs__set_add_own(svs__set *set, const svs_object *object, uint32_t mode);

/* Adds each object within `hops` links of the root. `links` has a bit for each link to follow.
 * @return false: there are more than `budget` objects, and the elements are as before. */
bool svs__set_traverse(svs__set *set, const svs_object *root, uint32_t mode, uint32_t links,
                       uint32_t hops, uint32_t budget);

/* Adds consecutive accesses, each a traversal of one hop along all links, as svs__set_traverse()
 * does. It stops at any other access, at a root or a target with members, and when the arrays may
 * have no room for all targets. The caller has noted `assigned`.
 * @return the number of accesses added. */
uint32_t svs__set_steps(svs__set *set, const svs_access *accesses, uint32_t count);

/* Called after admission: whether the set is still sound (memobj.E1). If not, the caller expands it
 * again before the next admission. */
bool svs__set_confirm(svs__set *set);

/* Whether no link was assigned since the set was walked, so that it needs no confirmation. */
static inline bool svs__set_is_current(const svs__set *set) {
    return (!set->walked && !set->root_count) || svs__world_assigned(set->world) == set->assigned;
}

/* Adds an access for each link of an item: a write with the extent SVS_EXTENT_REACH. This is the
 * footprint of a task without a touch function. */
void svs__set_touch_links(svs__set *set, const void *item, const svs_link_type *links,
                          uint32_t count);

#endif
