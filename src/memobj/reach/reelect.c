/* Re-election (refresh.c, step 2). Afterwards each master reaches all nodes of its neighbourhood by
 * links inside of the neighbourhood, and each link that leaves a neighbourhood leads to a master
 * (memobj.F1). */
#include "memobj/reach/refresh.h"
#include "worksteal/finish.h"

/* Called after list_target() failed: marks the primary for the next refresh. */
static void flag_target(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                        svs__master *primary) {
    (void)m, (void)from, (void)to;
    svs__master_flag(r->world, primary, SVS__MASTER_NOTIFY);
}

static void list_target(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                        svs__master *primary) {
    (void)m, (void)from, (void)to;
    svs__refresh_push(r, &r->listed, primary);
}

/* Gives an internal node a master of its own. It and the old primary become listeners of each
 * other, which keeps memobj.R1 (memobj.F3). */
static void elect(svs__refresh *r, svs_object *object, svs__master *old) {
    svs_world *world = r->world;
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    uintptr_t was;
    svs__master *own;
    svs_status status;
    svs__lock_acquire(&r->lock);
    was = svs__load_acquire(reach);
    if (svs__reach_master(was) != old || was & SVS__REACH_MASTER) {
        svs__lock_release(&r->lock);
        return; /* another worker elected it first */
    }
    status = svs__master_new(world, object, &own);
    if (!status) {
        status = svs__notify_add(world, own, old);
        if (!status) status = svs__notify_add(world, old, own);
        if (status) svs__master_release(world, own);
    }
    if (status) {
        svs__refresh_fail(r, status);
    } else {
        for (uint32_t i = 0; i < world->words; i++)
            svs__store_relaxed(&own->signature[i], svs__load_relaxed(&old->signature[i]));
        own->mark = world->refresh_mark;
        svs__store_release(reach, (uintptr_t)own | SVS__REACH_MASTER | (was & SVS__REACH_STORED));
        svs__master_enlist(world, own);
        svs__list_take_out(&old->members, object);
        (void)svs__fetch_sub_relaxed(&old->size, 1);
        svs__refresh_push(r, &r->dirty, own);
        svs__refresh_push(r, &r->next, own);
        svs__refresh_push(r, &r->next, old);
        svs__refresh_visit(r, own, object, list_target);
        if (svs__refresh_failed(r)) {
            svs__master_flag(world, own, SVS__MASTER_DIRTY);
            svs__refresh_visit(r, own, object, flag_target);
        }
    }
    svs__lock_release(&r->lock);
}

static void elect_shared(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                         svs__master *primary) {
    (void)from;
    if (primary != m && !svs__object_is_master(to)) elect(r, to, primary);
}

#define LOCAL_MAX 64u

/* The nodes of a neighbourhood that a search has found, in the order of the search. */
typedef struct local {
    svs_object *found[LOCAL_MAX];
    uint32_t count;
} local;

static bool local_has(const local *l, const svs_object *object) {
    for (uint32_t i = 0; i < l->count; i++)
        if (l->found[i] == object) return true;
    return false;
}

/* Whether the object is an internal node of M's neighbourhood. */
static bool is_member(const svs_object *object, const svs__master *m) {
    uintptr_t reach = svs__load_relaxed(svs__object_reach(object));
    return svs__reach_master(reach) == m && !(reach & SVS__REACH_MASTER);
}

static void local_add_targets(local *l, const svs__master *m, svs_object *object) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < svs__type_targets(type); i++) {
        svs_object *to = svs__object_target(object, type, i);
        /* Only a neighbourhood of many nodes fills the array. */
        if (to && l->count < LOCAL_MAX && /* LCOV_EXCL_BR_LINE */
            is_member(to, m) && !local_has(l, to))
            l->found[l->count++] = to;
    }
}

static bool is_handed(const svs_object *object) {
    return svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_HANDED;
}

/* Elects each internal node that the master does not reach inside of its neighbourhood, that tasks
 * were handed (memobj.D2), or that exceeds K (memobj.D1). With more than LOCAL_MAX nodes the search
 * may miss some: then there are more masters than needed, but the signatures are as exact. */
static void reelect(svs__refresh *r, svs__master *m) {
    local l = {.count = 0};
    svs_object *own = svs__load_relaxed(&m->object);
    svs__list_cursor cursor;
    uint32_t kept = 0;
    void *member;
    if (own) l.found[l.count++] = own;
    for (uint32_t i = 0; i < l.count; i++) local_add_targets(&l, m, l.found[i]);
    cursor = svs__list_begin(&m->members);
    while (svs__list_next(&cursor, &member)) {
        /* relaxed is enough: the world is quiescent. */
        bool stays = kept < svs__load_relaxed(&r->world->neighbourhood) && !is_handed(member) &&
                     local_has(&l, member);
        if (stays) kept++;
        else elect(r, member, m);
    }
    svs__refresh_visit_all(r, m, elect_shared);
}

static void reelect_range(size_t begin, size_t end, void *argument) {
    svs__refresh *r = argument;
    for (size_t i = begin; i < end && !svs__refresh_failed(r); i++) reelect(r, r->round.items[i]);
}

void svs__refresh_reelect(svs__refresh *r) {
    for (uint32_t i = 0; i < r->dirty.count; i++) svs__refresh_push(r, &r->next, r->dirty.items[i]);
    while (r->next.count && !svs__refresh_failed(r)) {
        svs__masters round = r->round;
        r->round = r->next;
        r->next = round;
        r->next.count = 0;
        svs__parallel_for(r->worker, r->round.count, 64, reelect_range, r);
    }
}
