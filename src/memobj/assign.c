/* svs_set: the write barrier of links. */
#include "base/check.h"
#include "memobj/holder.h"
#include "memobj/reach.h"

static const svs__type *find_link(const svs_object *parent, const void *field, uint32_t *link) {
    const svs__type *type = svs__object_type(parent);
    size_t offset;
    if (!type) return NULL;
    offset = (size_t)((const char *)field - svs__object_base(parent, type));
    for (uint32_t i = 0; i < type->type->link_count; i++)
        if (type->type->links[i].offset == offset) {
            *link = i;
            return type;
        }
    return NULL;
}

static svs_status check(svs_world *world, const svs__holder *holder, const svs_object *parent,
                        const svs_object *child) {
    if (svs__object_is_dead(parent)) return SVS_E_FREED;
    if (holder && holder->world != world) return SVS_E_WORLD;
    if (child && child->world != parent->world) return SVS_E_WORLD;
    if (child && svs__object_is_dead(child)) return SVS_E_FREED;
    /* acquire: nothing here depends on it but the answer. */
    if (!holder && svs__load_acquire(&world->runs)) return SVS_E_BUSY;
    return SVS_OK;
}

static svs_status refuse(svs_world *world, svs__holder *holder, const svs__type *type,
                         uint32_t link, svs_status status) {
    svs__log_write(world->log, SVS_LOG_ERROR, "svs_set of %s.%s: %s", type->type->name,
                   type->type->links[link].name, svs_status_text(status));
    return svs__holder_fail(holder, status);
}

svs_status svs_link_assign(svs_object *parent, void *field, const void *child) {
    svs__holder *holder = svs__holder_self();
    _Atomic(uintptr_t) *pointer = field;
    const svs__type *type;
    svs_world *world;
    svs_object *from, *to;
    uint32_t link;
    svs_status status;
    if (!parent || !field) return svs__holder_fail(holder, SVS_E_INVALID);
    world = svs__world_of(parent);
    if (!world) return svs__holder_fail(holder, SVS_E_INVALID);
    type = find_link(parent, field, &link);
    if (!type) {
        svs__log_write(world->log, SVS_LOG_ERROR,
                       "svs_set of a field that SVS_TYPE does not name as a link");
        return svs__holder_fail(holder, SVS_E_TYPE);
    }
    /* relaxed: who holds the parent is the only one to write its links. */
    if (svs__load_relaxed(pointer) == (uintptr_t)child) return SVS_OK;
    to = child ? (svs_object *)((uintptr_t)child + type->link_header[link]) : NULL;
    from = svs__link_target(field, type->link_header[link]);
    status = check(world, holder, parent, to);
    if (!status && to) status = svs__reach_link(world, parent, to);
    if (status) return refuse(world, holder, type, link, status);
    /* release: a traversal that finds the child finds it initialised, and, for R1, after the
     * propagation. */
    svs__store_release(pointer, (uintptr_t)child);
    if (from) svs__reach_unlink(world, parent, from);
    /* relaxed: a statistic. */
    (void)svs__fetch_add_relaxed(&world->assignments, 1);
    return SVS_OK;
}
