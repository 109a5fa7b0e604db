/* svs_link_assign(), the write barrier of links, which svs_link() calls. */
#include "base/check.h"
#include "hooks/object_hooks.h"
#include "memobj/holder.h"
#include "memobj/reach/reach.h"

/* Why the assignment is refused; NULL: it is allowed. */
static const char *mistake(svs_world *world, const svs__holder *holder, const svs_object *parent,
                           const svs_object *child, svs_status *status) {
    *status = SVS_E_FREED;
    if (svs__object_is_dead(parent)) return "the parent was freed: set its links before";
    *status = SVS_E_WORLD;
    if (holder && holder->world != world)
        return "the parent is of another world than the body's: link in a graph of its own world";
    if (child && child->world != parent->world)
        return child->world ? "the child is of another world: link objects of one world"
                            : "the child was never initialised: use svs_object_init() first";
    *status = SVS_E_FREED;
    if (child && svs__object_is_dead(child)) return "the child was freed: link to a live object";
    if (holder) return NULL;
    *status = SVS_E_FORKED;
    if (svs__world_is_forked(world)) return svs_status_text(SVS_E_FORKED);
    *status = SVS_E_BUSY;
    /* acquire: nothing but this answer depends on the order. */
    if (svs__load_acquire(&world->runs))
        return "from outside of any body while a graph runs in the world: link in a body that "
               "writes the parent, or before or after the run";
    return NULL;
}

SVS__COLD static svs_status refuse(svs_world *world, svs__holder *holder, const svs__type *type,
                                   uint32_t link, svs_status status, const char *why) {
    (void)svs__refuse(world->log, status, "svs_link of %s.%s: %s", type->type->name,
                      type->type->links[link].name, why ? why : svs_status_text(status));
    return svs__holder_fail(holder, status);
}

/* Refuses an assignment to a parent without a world, whose log is therefore unknown. */
SVS__COLD static svs_status refuse_headless(svs__holder *holder, const svs_object *parent) {
    svs_status status = parent ? SVS_E_INVALID : SVS_E_NULL;
    (void)svs__refuse(NULL, status, "svs_link: %s",
                      parent ? "the parent was never initialised, or its world is gone: use "
                               "svs_object_init() or svs_object_new() first"
                             : "no parent: pass the struct that has the link");
    return svs__holder_fail(holder, status);
}

SVS__COLD static svs_status refuse_field(svs__holder *holder, const svs_world *world,
                                         const void *field) {
    svs_status status = field ? SVS_E_TYPE : SVS_E_NULL;
    (void)svs__refuse(world->log, status, "svs_link: %s",
                      field ? "a field that is no link of its type: name it in SVS_TYPE"
                            : "no field: pass the address of a link of the parent");
    return svs__holder_fail(holder, status);
}

/* Reports a store to the watcher of objects. A store of the value that the link already has is
 * reported as well; a refused one is not. */
static inline void tell(const void *field, const void *pc) {
    const svs__object_watcher *watcher = svs__watching();
    if (SVS__UNLIKELY(watcher != NULL)) watcher->links(field, pc);
}

/* ---- without upkeep ---- */

/* Whether the assignment needs no upkeep (memobj.R5). This holds if the parent and the child are
 * live objects of one world, and the parent, whose reach word is `reach`, is STORED and in no
 * neighbourhood. */
static inline bool is_left_out(svs_world *world, const svs_object *parent, uintptr_t reach,
                               const svs_object *child) {
    if ((reach & ~SVS__REACH_FRESH) != SVS__REACH_STORED || !svs__reach_is_off(world)) return false;
    return !child || (child->world == parent->world && !svs__object_is_dead(child));
}

/* Whether the caller may now assign links of the world; the same rule as in mistake(). */
static inline bool may_assign(svs_world *world, const svs__holder *holder) {
    if (holder) return holder->world == world;
    /* acquire: as in mistake(). */
    return !svs__load_acquire(&world->runs) && !svs__world_is_forked(world);
}

/* Assigns a link, if neither signatures nor a watcher are involved. `to` is the header of the
 * child, or NULL. @return false: nothing was done; the caller calls assign(), which makes the
 * assignment or returns the error. */
static inline bool assign_plainly(svs_world *world, svs_object *parent, _Atomic(uintptr_t) *field,
                                  const void *child, const svs_object *to) {
    const svs__worker *self = svs__worker_self();
    svs__holder *holder = svs__holder_of(self);
    /* relaxed is enough for `reach` and the field: only the holder of the parent changes them. */
    uintptr_t reach = svs__load_relaxed(svs__object_reach(parent));
    if (svs__watching() || !may_assign(world, holder) || !is_left_out(world, parent, reach, to))
        return false;
    if (svs__load_relaxed(field) == (uintptr_t)child) return true;
    if (to && (reach & SVS__REACH_FRESH)) svs__holder_leave_out(holder);
    svs__store_release(field, (uintptr_t)child); /* release: as in assign() */
    svs__world_count_assigned(world, self);
    return true;
}

/* ---- the general case ---- */

static __attribute__((noinline)) svs_status assign(svs_object *parent, _Atomic(uintptr_t) *field,
                                                   const void *child, const svs__type *type,
                                                   uint32_t link, const void *pc) {
    svs__holder *holder = svs__holder_self();
    svs_world *world = svs__world_of(parent);
    svs_object *to = child ? (svs_object *)((uintptr_t)child + type->link_header[link]) : NULL;
    svs_object *from;
    const char *why;
    svs_status status;
    bool left_out = false;
    /* relaxed is enough: only the holder of the parent writes its links. */
    if (svs__load_relaxed(field) == (uintptr_t)child) {
        tell(field, pc);
        return SVS_OK;
    }
    from = svs__link_target(field, type->link_header[link]);
    why = mistake(world, holder, parent, to, &status);
    if (!why) status = to ? svs__reach_assign(world, parent, to, &left_out) : SVS_OK;
    if (left_out) svs__holder_leave_out(holder);
    if (status) return refuse(world, holder, type, link, status, why);
    tell(field, pc);
    /* release: a traversal that finds the child sees it initialised, and sees its signature
     * propagated (memobj.R1, memobj.R4). */
    svs__store_release(field, (uintptr_t)child);
    if (from) svs__reach_unlink(world, parent, from);
    svs__world_count_assigned(world, svs__worker_self());
    return SVS_OK;
}

svs_status svs_link_assign(svs_object *parent, void *field, const void *child) {
    const svs__type *type;
    svs_world *world;
    const svs_object *to;
    uint32_t link;
    if (SVS__UNLIKELY(!parent)) return refuse_headless(svs__holder_self(), NULL);
    world = svs__world_of(parent);
    if (SVS__UNLIKELY(!world)) return refuse_headless(svs__holder_self(), parent);
    type = svs__object_type(parent);
    if (SVS__UNLIKELY(!type)) return refuse_field(svs__holder_self(), world, field);
    link = svs__type_link(type, (const char *)field - (const char *)parent);
    if (SVS__UNLIKELY(link == SVS_LINKS_MAX)) return refuse_field(svs__holder_self(), world, field);
    to = child ? (const svs_object *)((uintptr_t)child + type->link_header[link]) : NULL;
    if (SVS__LIKELY(assign_plainly(world, parent, field, child, to))) return SVS_OK;
    return assign(parent, field, child, type, link, __builtin_return_address(0));
}
