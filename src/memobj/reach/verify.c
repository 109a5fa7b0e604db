/* The slow check of reachability: the invariants of reach.h and master.h that can be checked for
 * one master at a time. */
#include "memobj/core/storage.h"
#include "memobj/reach/reach.h"

/* LCOV_EXCL_BR_START: false only when an invariant is broken. */

static bool notifies(svs__master *of, const svs__master *listener) {
    svs__notify_cursor cursor = svs__notify_begin(of);
    svs__master *found;
    while ((found = svs__notify_next(&cursor)))
        if (found == listener) return true;
    return false;
}

static bool covers(const svs_world *world, svs__master *m, const svs_object *object) {
    uint32_t bit = svs__object_bit(world, object);
    return svs__load_relaxed(&m->signature[bit / 64]) >> bit % 64 & 1;
}

/* Whether a link from an object of M's neighbourhood to another object is valid. */
static bool link_is_valid(const svs_world *world, svs__master *m, const svs_object *from,
                          const svs_object *to) {
    svs__master *primary = svs__reach_master(svs__load_acquire(svs__object_reach(to)));
    if (!svs__reach_is_kept(world))
        return primary || svs__object_is_stored(from); /* memobj.O2, memobj.R5 */
    if (!primary) return false;                        /* memobj.O2 */
    return covers(world, m, to) &&                     /* memobj.R1 for one step */
           (primary == m || notifies(primary, m));     /* memobj.R2 */
}

static bool links_are_valid(const svs_world *world, svs__master *m, const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < type->type->link_count; i++) {
        const svs_object *to = svs__object_link(object, type, i);
        if (to && !svs__object_is_dead(to) && !link_is_valid(world, m, object, to)) return false;
    }
    return true;
}

static bool notify_is_valid(svs__master *m) {
    uint32_t used = 0;
    /* memobj.N3: the slots are filled in order, each with another listener, before a table is used.
     */
    while (used < SVS__NOTIFY_SLOTS && svs__load_relaxed(&m->notify[used])) used++;
    for (uint32_t i = used; i < SVS__NOTIFY_SLOTS; i++)
        if (svs__load_relaxed(&m->notify[i])) return false;
    for (uint32_t i = 0; i < used; i++)
        for (uint32_t j = 0; j < i; j++)
            if (svs__load_relaxed(&m->notify[i]) == svs__load_relaxed(&m->notify[j])) return false;
    return used == SVS__NOTIFY_SLOTS || !svs__load_relaxed(&m->more);
}

static bool own_is_valid(const svs__master *m, const svs_object *own) {
    uintptr_t reach = svs__load_acquire(svs__object_reach(own));
    return svs__object_is_master(own) && svs__reach_master(reach) == m; /* memobj.O1 */
}

static bool master_is_valid(const svs_world *world, svs__master *m) {
    svs_object *own = svs__load_relaxed(&m->object);
    svs__list_cursor cursor = svs__list_begin(&m->members);
    uint32_t members = 0;
    void *entry;
    if (!notify_is_valid(m) || svs__load_relaxed(&m->version) & SVS__MASTER_HELD || /* memobj.N1 */
        m->mark > world->refresh_mark)                                              /* memobj.F4 */
        return false;
    if (own && (!own_is_valid(m, own) || !covers(world, m, own) || !links_are_valid(world, m, own)))
        return false;
    while (svs__list_next(&cursor, &entry)) {
        svs_object *member = entry;
        uintptr_t reach = svs__load_acquire(svs__object_reach(member));
        if (svs__reach_master(reach) != m) return false;
        if (reach & SVS__REACH_HANDED && !(svs__load_relaxed(&m->flags) & SVS__MASTER_DIRTY))
            return false; /* memobj.D2 */
        if (svs__reach_is_kept(world) && !covers(world, m, member)) return false;
        if (!links_are_valid(world, m, member)) return false;
        members++;
    }
    return members == svs__load_relaxed(&m->size) &&
           svs__list_slots(&m->members) <= world->options.neighbourhood; /* memobj.N4 */
}

/* memobj.O2, for a stored object: an object with a link is in a neighbourhood. */
static void room_is_valid(void *room, const svs_type *type, void *valid) {
    const svs_object *object = (const svs_object *)(const void *)((char *)room + type->header);
    uintptr_t reach = svs__load_acquire(svs__object_reach(object));
    if (reach & (SVS__REACH_DEAD | SVS__REACH_FRESH) || !(reach & SVS__REACH_STORED)) return;
    for (uint32_t i = 0; i < type->link_count && !svs__reach_master(reach); i++)
        if (svs__object_link(object, svs__object_type(object), i)) *(bool *)valid = false;
}

bool svs__reach_is_valid(svs_world *world) {
    bool valid = true;
    if (svs__reach_is_kept(world)) svs__storage_visit(world, room_is_valid, &valid);
    if (!valid) return false;
    for (svs__master *m = svs__load_acquire(&world->masters); m; m = svs__load_relaxed(&m->next))
        if (!master_is_valid(world, m)) return false;
    return true;
}
/* LCOV_EXCL_BR_STOP */
