/* Traversals are breadth first over links and members. The elements are the queue. */
#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "memobj/core/header.h"
#include "memobj/set.h"

static void add_object(svs__set *set, const svs_object *object, uint32_t mode) {
    svs__set_add(set, object->key, mode, object, 0);
}

#define SCAN_MAX 16u

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

/* Adds the object unless the traversal, which began at element `from`, has visited it. @return
 * whether it was added. */
static bool visit_one(svs__set *set, uint32_t from, const svs_object *object, uint32_t mode) {
    uint32_t *slot;
    if (set->count - from <= SCAN_MAX) {
        for (uint32_t i = from; i < set->count; i++)
            if (set->identities[i].what == object) return false;
        add_object(set, object, mode);
        if (set->count - from == SCAN_MAX + 1 && !set->status) visited_rehash(set, from);
        return true;
    }
    slot = visited_slot(set, object);
    if (*slot) return false;
    add_object(set, object, mode);
    if (set->status) return true;
    *slot = set->count;
    if (4 * (set->count - from) > 3 * set->visited_capacity) visited_rehash(set, from);
    return true;
}

/* Adds the object and its members, without a hop. */
static void visit(svs__set *set, uint32_t from, const svs_object *object, uint32_t mode) {
    const svs__type *type = svs__object_type(object);
    if (!visit_one(set, from, object, mode) || !type) return;
    for (uint32_t i = 0; i < type->type->member_count && !set->status; i++)
        visit(set, from, svs__object_member(object, type, i), mode);
}

/* Visits the targets of the object's chosen links. @return false when the budget is exceeded. */
static bool visit_targets(svs__set *set, uint32_t from, const svs_object *object, uint32_t links,
                          uint32_t mode, uint32_t budget) {
    const svs__type *type = svs__object_type(object);
    if (!type || svs__object_is_dead(object)) return true;
    for (uint32_t i = 0; i < type->type->link_count; i++) {
        const svs_object *to;
        if (!(links >> i & 1)) continue;
        to = svs__object_link(object, type, i);
        if (to) visit(set, from, to, mode);
        if (set->status || set->count - from > budget) return false;
    }
    return true;
}

bool svs__set_traverse(svs__set *set, const svs_object *root, uint32_t mode, uint32_t links,
                       uint32_t hops, uint32_t budget) {
    uint32_t from = set->count, end, next = from;
    visit(set, from, root, mode);
    for (; hops && next < set->count && !set->status; hops--) {
        for (end = set->count; next < end; next++) {
            /* memobj.E2: the next object of the queue is an element. */
            SVS__ASSERT(set->elements[next].key ==
                        ((const svs_object *)set->identities[next].what)->key);
            if (visit_targets(set, from, set->identities[next].what, links, mode, budget)) continue;
            if (set->status) return true;
            set->count = from;
            return false;
        }
    }
    set->walked = true;
    return true;
}
