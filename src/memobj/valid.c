/* The slow check of reachability: every invariant of reach.h that can be looked at from one
 * master. */
#include "memobj/reach.h"

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */

static bool notifies(svs__master *of, const svs__master *who) {
    svs__notify_cursor cursor = svs__notify_begin(of);
    svs__master *found;
    while ((found = svs__notify_next(&cursor)))
        if (found == who) return true;
    return false;
}

static bool covers(const svs_world *world, svs__master *m, const svs_object *object) {
    uint32_t bit = svs__object_bit(world, object);
    return svs__load_relaxed(&m->signature[bit / 64]) >> bit % 64 & 1;
}

/* The links of an object in M's neighbourhood. */
static bool links_are_valid(const svs_world *world, svs__master *m, const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < type->type->link_count; i++) {
        svs_object *to = svs__object_link(object, type, i);
        svs__master *primary;
        if (!to || svs__object_is_dead(to)) continue;
        primary = svs__reach_master(svs__load_acquire(svs__object_reach(to)));
        if (!primary || !covers(world, m, to)) return false;
        if (primary != m && !notifies(primary, m)) return false;
    }
    return true;
}

static bool master_is_valid(const svs_world *world, svs__master *m) {
    svs_object *own = svs__load_relaxed(&m->object);
    svs__cursor cursor = svs__list_begin(&m->members);
    uint32_t members = 0;
    void *entry;
    if (own &&
        (!svs__object_is_master(own) || !covers(world, m, own) || !links_are_valid(world, m, own)))
        return false;
    while (svs__list_next(&cursor, &entry)) {
        svs_object *member = entry;
        if (svs__reach_master(svs__load_acquire(svs__object_reach(member))) != m) return false;
        if (!covers(world, m, member) || !links_are_valid(world, m, member)) return false;
        members++;
    }
    return members == svs__load_relaxed(&m->size) &&
           svs__list_slots(&m->members) <= world->options.neighbourhood; /* N4 */
}

bool svs__reach_is_valid(svs_world *world) {
    for (svs__master *m = svs__load_acquire(&world->masters); m; m = svs__load_relaxed(&m->next))
        if (!master_is_valid(world, m)) return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */
