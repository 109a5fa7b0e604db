/* Prefetches the objects that traversals are about to visit. A traversal waits for one object after
 * another, because each names the next one. If several traversals proceed in turn, their cache
 * misses overlap. */
#include "memobj/core/header.h"
#include "memobj/set.h"

#define CURSORS 32u
/* maximum number of links followed for one access; a longer walk overlaps with the next access */
#define STEPS 16u

/* The state of one access: the object that was fetched last, and how the traversal continues from
 * there. */
typedef struct cursor {
    const svs_object *at;
    bool by_path;
    /* if the access is a path: the numbers of the links to follow, the next one in the low bits */
    uint64_t path;
    uint32_t links; /* the mask of the links to follow next */
    uint32_t steps; /* the number of links that may still be followed */
} cursor;

/* Selects the next link of a path. */
static void aim(cursor *c) { c->links = UINT32_C(1) << (c->path & 15); }

static uint32_t least_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Starts a cursor at an access. @return whether the access may lead to objects that are `least`
 * links away. A wrong access is refused later. */
static bool begin(cursor *c, const svs__set *set, const svs_access *access, uint32_t least) {
    const svs_object *object = access->what;
    if (access->extent == SVS_EXTENT_HOPS && access->limit < least) return false;
    if (access->kind != SVS_KIND_OBJECT || !object || object->world != set->world->index)
        return false;
    *c = (cursor){.at = object, .links = UINT32_MAX, .steps = STEPS};
    switch (access->extent) {
    case SVS_EXTENT_OWN: return false;
    case SVS_EXTENT_HOPS: c->steps = least_of(access->limit, STEPS); break;
    case SVS_EXTENT_ALONG: c->links = access->limit; break;
    case SVS_EXTENT_PATH:
        c->steps = least_of(access->limit, STEPS);
        c->by_path = true;
        c->path = access->index;
        aim(c);
        break;
    default: break;
    }
    return true;
}

/* The first target of the object's selected links. The other targets are prefetched, but not
 * followed. */
static const svs_object *first_of(const cursor *c, const svs__type *type) {
    const svs_object *first = NULL;
    for (uint32_t i = 0; i < type->link_count; i++) {
        const svs_object *to;
        if (!(c->links >> i & 1)) continue;
        to = svs__object_link(c->at, type, i);
        if (!to) continue;
        if (first) __builtin_prefetch(to);
        else first = to;
    }
    return first;
}

static const svs_object *next_of(const cursor *c) {
    const svs__type *type = svs__object_type(c->at);
    if (!type || svs__object_is_dead(c->at)) return NULL;
    if (SVS__LIKELY(type->link_count == 1))
        return c->links & 1 ? svs__object_link(c->at, type, 0) : NULL;
    return first_of(c, type);
}

/* Advances a cursor by one link. @return whether there is a next object. */
static inline bool go_on(cursor *c) {
    if (!c->steps--) return false;
    c->at = next_of(c);
    if (!c->at) return false;
    __builtin_prefetch(c->at);
    if (c->by_path) {
        c->path >>= 4;
        aim(c);
    }
    return true;
}

void svs__set_warm(const svs__set *set, uint32_t count, uint32_t least) {
    cursor cursors[CURSORS];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count && used < CURSORS; i++)
        if (begin(&cursors[used], set, &set->footprint.accesses[i], least))
            __builtin_prefetch(cursors[used++].at);
    if (used < 2) return; /* there is nothing to overlap with */
    for (cursor *end = cursors + used; end > cursors;)
        for (cursor *c = cursors; c < end;)
            if (go_on(c)) c++;
            else *c = *--end;
}
