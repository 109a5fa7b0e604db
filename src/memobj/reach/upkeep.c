/* The begin of upkeep (memobj.R5): runs Algorithm 1 for each existing link. */
#include "base/check.h"
#include "memobj/core/storage.h"
#include "memobj/reach/reach.h"

static svs_status link_targets(svs_world *world, svs_object *object) {
    const svs__type *type = svs__object_type(object);
    svs_status status = SVS_OK;
    if (svs__object_is_dead(object)) return SVS_OK;
    for (uint32_t i = 0; i < svs__type_targets(type) && !status; i++) {
        svs_object *to = svs__object_target(object, type, i);
        if (to && !svs__object_is_dead(to)) status = svs__reach_link(world, object, to);
    }
    return status;
}

/* Links all objects of M's neighbourhood. A later refresh makes the signatures exact, since
 * neighbourhoods may be divided during the loop. */
static svs_status link_neighbourhood(svs_world *world, svs__master *m) {
    svs__list_cursor cursor = svs__list_begin(&m->members);
    svs_object *own = svs__load_relaxed(&m->object);
    svs_status status = own ? link_targets(world, own) : SVS_OK;
    void *member;
    while (!status && svs__list_next(&cursor, &member)) status = link_targets(world, member);
    svs__master_flag(world, m, SVS__MASTER_DIRTY);
    svs__world_count_stale(world);
    return status;
}

typedef struct linking {
    svs_world *world;
    svs_status status;
} linking;

/* Links the targets of a stored object, unless a body is still making the object (memobj.R6). */
static void link_room(void *room, const svs_type *type, void *argument) {
    linking *l = argument;
    svs_object *object = (svs_object *)(void *)((char *)room + type->header);
    /* seq_cst: the load follows the store of SVS__UPKEEP_BEGINS (memobj.R6), and sees the header
     * (memobj.O6). */
    uintptr_t reach = svs__load_seq(svs__object_reach(object));
    if (reach & (SVS__REACH_DEAD | SVS__REACH_FRESH) || !(reach & SVS__REACH_STORED)) return;
    if (!l->status) l->status = link_targets(l->world, object);
}

/* [memobj.R6] Stores the state of upkeep. seq_cst: the store precedes the loads of tags. */
static void say(svs_world *world, svs__upkeep upkeep) { svs__store_seq(&world->upkeep, upkeep); }

svs_status svs__reach_begin_upkeep(svs_world *world) {
    linking l = {world, SVS_OK};
    uint32_t begun = SVS__UPKEEP_BEGINS;
    if (svs__reach_is_kept(world)) return SVS_OK;
    say(world, SVS__UPKEEP_BEGINS);
    for (svs__master *m = svs__load_acquire(&world->masters); m && !l.status;
         m = svs__load_acquire(&m->next))
        l.status = link_neighbourhood(world, m);
    svs__storage_visit(world, link_room, &l);
    if (l.status) say(world, SVS__UPKEEP_OFF);
    /* release: publishes the signatures; pairs with the acquire in svs__reach_is_kept(). */
    else if (!svs__cas_strong_acq_rel(&world->upkeep, &begun, SVS__UPKEEP_ON))
        l.status = SVS_E_NO_MEMORY; /* a body that handed objects off found no memory (memobj.R6) */
    return l.status;
}

void svs__reach_publish(svs_world *world, svs_object *const *objects, uint32_t count) {
    svs_status status = SVS_OK;
    /* [memobj.R6] seq_cst: the load follows the removal of the tags. */
    if (svs__load_seq(&world->upkeep) == SVS__UPKEEP_OFF) return;
    for (uint32_t i = 0; i < count && !status; i++) status = link_targets(world, objects[i]);
    if (!status) return;
    svs__store_relaxed(&world->upkeep_wanted, 1); /* relaxed is enough: read at quiescence only */
    say(world, SVS__UPKEEP_GAPS);
}
