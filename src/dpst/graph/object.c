/* Memory objects, as they are made, linked and freed, and the owners of their bytes. */
#include "dpst/graph/report.h"
#include "dpst/shadow/access.h"
#include "memobj/core/header.h"
#include "memobj/core/storage.h"

static const svs_object *member_of(const char *base, const svs_member_type *member) {
    return (const svs_object *)(const void *)(base + member->offset + member->type->header);
}

static void own_object(const svs_object *object, const svs_world *world, uint64_t maker) {
    const svs__type *type = svs__object_type(object);
    const char *base = svs__object_base(object, type);
    svs__owner owner = {.begin = (uintptr_t)base,
                        .end = (uintptr_t)base + type->type->size,
                        .what = object,
                        .kind = SVS__OWNER_OBJECT,
                        .maker = maker,
                        .world = world,
                        .type = type->type,
                        .name = type->type->name};
    if (!svs__own(&owner)) svs__graph_lose();
    for (uint32_t i = 0; i < type->type->member_count; i++)
        own_object(member_of(base, &type->type->members[i]), world, maker);
}

static void disown_object(const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    const char *base = svs__object_base(object, type);
    for (uint32_t i = 0; i < type->type->member_count; i++)
        disown_object(member_of(base, &type->type->members[i]));
    svs__disown(object);
}

static bool is_checked(const svs_world *world) {
    return world != NULL && world->runtime->watcher != NULL;
}

void svs__graph_made(const svs_object *object) {
    const svs_world *world = svs__world_of(object);
    const svs__instance *instance = svs__check_self->instance;
    if (is_checked(world)) own_object(object, world, instance != NULL ? instance->id : 0);
}

/* Notes a write by the library, which may write links. */
static void write_links(const void *memory, size_t bytes, const void *pc) {
    svs__check_thread *self = svs__check_self;
    if (self->step == 0) return;
    self->linking = true;
    svs__check_access(memory, bytes, true, pc);
    self->linking = false;
}

void svs__graph_gone(const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    const char *base = svs__object_base(object, type);
    if (!is_checked(svs__world_of(object))) return;
    /* A write of the object with all its links, but no store to a link. */
    write_links(base, type->type->size, __builtin_return_address(0));
    disown_object(object);
}

void svs__graph_links(const void *field, const void *pc) { write_links(field, sizeof(void *), pc); }

/* ---- the library's own objects, as a check begins ---- */

/* Records the object in a room of the storage, unless it is dead. No thread makes or frees objects
 * while a check begins. */
static void own_room(void *room, const svs_type *type, void *world) {
    const svs_object *object =
        (const svs_object *)(const void *)((const char *)room + type->header);
    if (!svs__object_is_dead(object)) own_object(object, world, 0);
}

void svs__graph_begin(svs_runtime *runtime) {
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
        svs_world *world = svs__world_at(i);
        if (world != NULL && world->runtime == runtime) svs__storage_visit(world, own_room, world);
    }
}
