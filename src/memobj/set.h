/* The set, with modes, that an instance may touch: what a footprint's accesses come to when they
 * are looked up now (thesis, Algorithm 3).
 *
 * Two parts. Elements are known exactly: objects, addresses, indices, each by its key and mode.
 * Signatures stand for what was not walked: all that the masters of some roots reach. Both are
 * compared by admission.
 *
 *   E1  a set is sound for its instance from the moment when the instance is admitted with it, if
 *       afterwards svs__set_confirm() says so: a traversal is repeated and must find the same, a
 *       version must be the same (findings: revalidate on start);
 *   E2  everything that is walked is in the set, the parents of the links that were followed
 *       included.
 *
 * Threads: a set belongs to one thread at a time; others may relink meanwhile what it walks, which
 * E1 finds. */
#ifndef SVS_MEMOBJ_SET_H
#define SVS_MEMOBJ_SET_H

#include <svs/footprint.h>

#include "memobj/reach.h"

typedef struct svs__element {
    uint32_t key;
    uint32_t mode; /* svs_access_mode */
} svs__element;

/* Who an element is, for exact comparison: an object or address, or a space and index. */
typedef struct svs__identity {
    const void *what;
    uint64_t index;
} svs__identity;

/* A root whose master's signature was taken. */
typedef struct svs__root {
    const svs_object *object;
    svs__version version;
    uint32_t mode;
} svs__root;

/* The elements of the walk before, while a set is confirmed. */
typedef struct svs__kept {
    svs__element *elements;
    svs__identity *identities;
    uint32_t capacity, identity_capacity;
} svs__kept;

typedef struct svs__set {
    svs_world *world;
    svs_footprint footprint; /* the accesses, as the touch function gave them */
    svs__element *elements;
    svs__identity *identities; /* of the elements */
    uint32_t count, capacity, identity_capacity;
    svs__root *roots;
    uint32_t root_count, root_capacity;
    uint64_t *signature[2]; /* by mode, `words` each; valid when dense */
    bool dense;
    bool everything;
    bool walked;     /* a traversal found some of the elements */
    uint32_t budget; /* of a traversal */
    svs__kept kept;
    /* a table of element numbers + 1, for a traversal that is longer than a few objects */
    uint32_t *visited;
    uint32_t visited_capacity;
    /* the two types without members that svs__set_single_of_any() saw last */
    uint16_t plain_types[2];
    svs_status status;
} svs__set;

svs_status svs__set_init(svs__set *set, svs_world *world);
void svs__set_clean_up(svs__set *set);

/* Before a touch function fills set->footprint. */
void svs__set_begin(svs__set *set);

/* Looks up what the accesses come to. @return SVS_OK, SVS_E_NO_MEMORY, SVS_E_WORLD, SVS_E_FREED,
 * SVS_E_NULL, SVS_E_INVALID. */
svs_status svs__set_expand(svs__set *set);

/* Several sets in one, for who looks at many footprints: svs__set_clear(), then for the accesses
 * from `first` up to `end` of each, of those that stand in the footprint, svs__set_expand_more()
 * adds the elements behind those that are there.
 * @return whether they are all that the accesses come to: no master was asked, and nothing was
 * wrong. If not, nothing was added. */
void svs__set_clear(svs__set *set);
bool svs__set_expand_more(svs__set *set, uint32_t first, uint32_t end);

/* The short way for the commonest accesses: an address, an index, or an object of a type without
 * members, itself.
 * @return false when the access is anything else, or wrong: then it takes the long way. */
bool svs__set_single_of_any(svs__set *set, const svs_access *access, svs__element *element);

/* Shorter yet: an object of a type that was seen lately. Footprints go to and fro between two types
 * more often than among three. */
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

/* Adds one element. @return false: no memory, which is the set's status then. */
bool svs__set_add(svs__set *set, uint32_t key, uint32_t mode, const void *what, uint64_t index);

/* Adds the object with its members, which are its own memory. */
void svs__set_add_own(svs__set *set, const svs_object *object, uint32_t mode);

/* Adds all that is at most `hops` of the chosen links away (a bit each). @return false when there
 * were more than `budget`: the elements are as before. */
bool svs__set_traverse(svs__set *set, const svs_object *root, uint32_t mode, uint32_t links,
                       uint32_t hops, uint32_t budget);

/* After admission (E1): whether the set still holds; when it does not, expand it again before the
 * next try. */
bool svs__set_confirm(svs__set *set);

/* Adds an access for each of an item's links, written with all that they reach: the footprint
 * without a touch function. */
void svs__set_touch_links(svs__set *set, const void *item, const svs_link_type *links,
                          uint32_t count);

#endif
