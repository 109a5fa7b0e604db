/* Breadth-first traversals over links and members. The elements of the set are the queue. */
#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "memobj/core/header.h"
#include "memobj/set.h"

/* @return false: no memory. */
static inline bool add_object(svs__set *set, const svs_object *object, uint32_t mode) {
    if (SVS__UNLIKELY(set->count == set->capacity))
        return svs__set_add(set, object->key, mode, object, 0);
    set->elements[set->count] = (svs__element){object->key, mode};
    set->identities[set->count++] = (svs__identity){object, 0};
    return true;
}

#define SCAN_MAX 64u /* a traversal of more elements looks them up in a hash table */

static uint32_t *visited_slot(svs__set *set, const svs_object *object) {
    uint32_t mask = set->visited_capacity - 1;
    uint32_t i = (uint32_t)((uintptr_t)object >> 4) * UINT32_C(2654435761) & mask;
    while (set->visited[i] && set->identities[set->visited[i] - 1].what != object)
        i = (i + 1) & mask;
    return &set->visited[i];
}

static bool visited_rehash(svs__set *set, uint32_t from) {
    uint32_t needed = 64;
    void *table = NULL;
    uint32_t capacity = 0;
    while (needed < 4 * (set->count - from)) needed *= 2;
    if (needed > set->visited_capacity) {
        if (!svs__grow(set->world->allocator, &table, &capacity, needed, sizeof(uint32_t))) {
            set->status = SVS_E_NO_MEMORY;
            return false;
        }
        svs__release(set->world->allocator, set->visited, set->visited_capacity * sizeof(uint32_t),
                     _Alignof(max_align_t));
        set->visited = table;
        set->visited_capacity = capacity;
    }
    memset(set->visited, 0, set->visited_capacity * sizeof(uint32_t));
    for (uint32_t i = from; i < set->count; i++)
        *visited_slot(set, set->identities[i].what) = i + 1;
    return true;
}

/* Whether the object is among the elements that begin with number `from`. Most objects are new, and
 * for most of these their bit of `seen` is clear. */
static inline bool is_among(svs__set *set, uint32_t from, const svs_object *object) {
    uint64_t *word = &set->seen[object->key >> 26 & (SVS__SEEN_WORDS - 1)];
    uint64_t bit = UINT64_C(1) << (object->key >> 20 & 63);
    bool maybe = *word & bit;
    *word |= bit;
    for (uint32_t i = from; maybe && i < set->count; i++)
        if (set->identities[i].what == object) return true;
    return false;
}

/* Adds the members of an object that was added, and their members. A member costs no hop. @return
 * as visit(). */
SVS__COLD static bool visit_members(svs__set *set, uint32_t from, const svs_object *object,
                                    const svs__type *type, uint32_t mode);

static inline bool visit_inside(svs__set *set, uint32_t from, const svs_object *object,
                                uint32_t mode) {
    const svs__type *type = svs__object_type(object);
    if (SVS__LIKELY(!type || !type->member_count)) return true;
    return visit_members(set, from, object, type, mode);
}

/* Does what visit() does, for a traversal that has visited more than SCAN_MAX objects. */
SVS__COLD static bool visit_one_of_many(svs__set *set, uint32_t from, const svs_object *object,
                                        uint32_t mode) {
    uint32_t *slot = visited_slot(set, object);
    if (*slot) return true;
    if (!add_object(set, object, mode)) return false;
    *slot = set->count;
    if (4 * (set->count - from) > 3 * set->visited_capacity && !visited_rehash(set, from))
        return false;
    return visit_inside(set, from, object, mode);
}

/* Adds the object and its members, unless the traversal, which began at element `from`, has visited
 * it. Members cost no hop. @return false: no memory. */
static inline __attribute__((always_inline)) bool visit(svs__set *set, uint32_t from,
                                                        const svs_object *object, uint32_t mode) {
    if (SVS__UNLIKELY(set->count - from > SCAN_MAX))
        return visit_one_of_many(set, from, object, mode);
    if (is_among(set, from, object)) return true;
    if (!add_object(set, object, mode)) return false;
    if (SVS__UNLIKELY(set->count - from == SCAN_MAX + 1) && !visited_rehash(set, from))
        return false;
    return visit_inside(set, from, object, mode);
}

SVS__COLD static bool visit_members(svs__set *set, uint32_t from, const svs_object *object,
                                    const svs__type *type, uint32_t mode) {
    for (uint32_t i = 0; i < type->member_count; i++)
        if (!visit(set, from, svs__object_member(object, type, i), mode)) return false;
    return true;
}

#define ALL_LINKS UINT32_MAX

/* Visits the targets of the object's links that the mask `links` selects. @return false: the budget
 * is exceeded, or there is no memory. */
static inline bool visit_targets(svs__set *set, uint32_t from, const svs_object *object,
                                 uint32_t links, uint32_t mode, uint32_t budget) {
    const svs__type *type = svs__object_type(object);
    uint32_t count;
    if (!type || svs__object_is_dead(object)) return true;
    count = type->link_count;
    for (uint32_t i = 0; i < count; i++) {
        const svs_object *to;
        if (SVS__UNLIKELY(links != ALL_LINKS) && !(links >> i & 1)) continue;
        to = svs__object_link(object, type, i);
        if (to && !visit(set, from, to, mode)) return false;
        if (SVS__UNLIKELY(set->count - from > budget)) return false;
    }
    return true;
}

/* Ends a traversal that cannot continue. @return false: the budget is exceeded, and the elements
 * are as before; true: there is no memory. */
SVS__COLD static bool stop(svs__set *set, uint32_t from) {
    if (set->status) return true;
    set->count = from;
    return false;
}

/* ---- one hop ---- */

/* The fields of an access from `limit` on, which are compared at once. */
static inline uint64_t form_of(const svs_access *access) {
    uint64_t form;
    _Static_assert(sizeof *access - offsetof(svs_access, limit) == sizeof form, "no other field");
    memcpy(&form, (const char *)access + offsetof(svs_access, limit), sizeof form);
    return form;
}

static inline bool is_step(const svs_access *access) {
    const svs_access read = {.kind = SVS_KIND_OBJECT, .extent = SVS_EXTENT_HOPS, .limit = 1};
    const svs_access write = {
        .kind = SVS_KIND_OBJECT, .extent = SVS_EXTENT_HOPS, .limit = 1, .mode = SVS_MODE_WRITE};
    uint64_t form = form_of(access);
    return form == form_of(&read) || form == form_of(&write);
}

/* Whether the object is among the first `count` of `identities`. */
static inline bool is_one_of(const svs__identity *identities, uint32_t count,
                             const svs_object *object) {
    for (uint32_t i = 0; i < count; i++)
        if (identities[i].what == object) return true;
    return false;
}

/* The places of an array in which a step stores what it finds. */
typedef struct places {
    svs__element *elements;
    svs__identity *identities;
} places;

static inline void store(places to, uint32_t i, const svs_object *object, uint32_t mode) {
    to.elements[i] = (svs__element){object->key, mode};
    to.identities[i] = (svs__identity){object, 0};
}

/* Adds the root and the targets of its links. @return their number; 0: a target has members. */
static inline uint32_t step(svs__set *set, places to, const svs_object *root, const svs__type *type,
                            uint32_t mode) {
    uint32_t count = 0;
    svs__set_learn(set, root->type);
    store(to, count++, root, mode);
    for (uint32_t i = 0; i < type->link_count; i++) {
        const svs_object *target = svs__object_link(root, type, i);
        const svs__type *of;
        if (!target || is_one_of(to.identities, count, target)) continue;
        of = svs__object_type(target);
        if (SVS__UNLIKELY(of && of->member_count)) return 0;
        svs__set_learn(set, target->type);
        store(to, count++, target, mode);
    }
    return count;
}

uint32_t svs__set_steps(svs__set *set, const svs_access *accesses, uint32_t count) {
    uint16_t world = set->world->index;
    uint32_t i, used = set->count;
    for (i = 0; i < count && is_step(&accesses[i]); i++) {
        const svs_object *root = accesses[i].what;
        const places to = {set->elements + used, set->identities + used};
        const svs__type *type;
        uint32_t found;
        if (!root || root->world != world || svs__object_is_dead(root)) break;
        type = svs__object_type(root);
        if (!type || type->member_count || set->capacity - used <= type->link_count) break;
        found = step(set, to, root, type, accesses[i].mode);
        if (!found) break;
        used += found;
    }
    set->walked = set->walked || i;
    set->count = used;
    return i;
}

/* ---- any number of hops ---- */

bool svs__set_traverse(svs__set *set, const svs_object *root, uint32_t mode, uint32_t links,
                       uint32_t hops, uint32_t budget) {
    uint32_t from = set->count, next = from;
    memset(set->seen, 0, sizeof set->seen);
    if (!visit(set, from, root, mode)) return stop(set, from);
    for (; hops && next < set->count; hops--) {
        /* end of the elements at the current distance */
        uint32_t end = hops == UINT32_MAX ? UINT32_MAX : set->count;
        for (; next < end && next < set->count; next++) {
            /* memobj.E2: the next object of the queue is an element. */
            SVS__ASSERT(set->elements[next].key ==
                        ((const svs_object *)set->identities[next].what)->key);
            if (!visit_targets(set, from, set->identities[next].what, links, mode, budget))
                return stop(set, from);
        }
    }
    set->walked = true;
    return true;
}
