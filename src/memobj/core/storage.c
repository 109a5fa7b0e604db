#include "memobj/core/storage.h"

#include "base/check.h"
#include "base/memory.h"
#include "memobj/core/header.h"

static size_t front_of(const svs_type *type) {
    return type->alignment > sizeof(svs__storage) ? type->alignment : sizeof(svs__storage);
}

static svs__storage_shard *shard_of(svs_world *world, const svs__storage *storage) {
    return &world->storage[(uintptr_t)storage / 64 % SVS__STORAGE_SHARDS];
}

/* The lock is held for each change (memobj.K1), so all accesses are relaxed except the one that
 * publishes a storage. They are atomic because other threads read the list without the lock. */
static svs__storage *previous_of(svs__storage *storage) {
    return (svs__storage *)(uintptr_t)(svs__load_relaxed(&storage->front) & SVS__FRONT_ADDRESS);
}

static void set_previous(svs__storage *storage, const svs__storage *previous) {
    uint64_t front = svs__load_relaxed(&storage->front) & ~SVS__FRONT_ADDRESS;
    svs__store_relaxed(&storage->front, front | (uint64_t)(uintptr_t)previous);
}

static void link_first(svs__storage_shard *list, svs__storage *storage) {
    svs__storage *next = svs__load_relaxed(&list->first);
    SVS__ASSERT(svs__lock_is_held(&list->lock)); /* memobj.K1 */
    svs__store_relaxed(&storage->next, next);
    if (next) set_previous(next, storage);
    /* release: publishes the storage; pairs with the acquire in svs__storage_visit(). */
    svs__store_release(&list->first, storage);
}

static void link_out(svs__storage_shard *list, svs__storage *storage) {
    svs__storage *previous = previous_of(storage), *next = svs__load_relaxed(&storage->next);
    SVS__ASSERT(svs__lock_is_held(&list->lock)); /* memobj.K1 */
    svs__store_relaxed(previous ? &previous->next : &list->first, next);
    if (next) set_previous(next, previous);
}

static void insert(svs_world *world, svs__storage *storage, const svs_type *type) {
    svs__storage_shard *list = shard_of(world, storage);
    SVS__CHECK(((uint64_t)(uintptr_t)storage & ~SVS__FRONT_ADDRESS) == 0);
    svs__store_relaxed(&storage->front, (uint64_t)type->index << SVS__FRONT_TYPE_SHIFT);
    svs__lock_acquire(&list->lock);
    link_first(list, storage);
    svs__lock_release(&list->lock);
}

static void take_out(svs_world *world, svs__storage *storage) {
    svs__storage_shard *list = shard_of(world, storage);
    svs__lock_acquire(&list->lock);
    link_out(list, storage);
    svs__lock_release(&list->lock);
}

static void release(svs_world *world, svs__storage *storage, const svs_type *type) {
    size_t front = front_of(type);
    size_t alignment = front > 16 ? front : 16;
    svs__release(world->allocator, (char *)(storage + 1) - front, front + type->size, alignment);
}

void *svs__storage_new_in_list(svs_world *world, const svs_type *type) {
    size_t front = front_of(type);
    char *room =
        svs__allocate_zeroed(world->allocator, front + type->size, front > 16 ? front : 16);
    if (!room) return NULL;
    insert(world, (svs__storage *)(void *)(room + front) - 1, type);
    return room + front;
}

static const svs_type *type_of(svs__storage *storage) {
    /* relaxed is enough: the type of a storage never changes. */
    uint64_t front = svs__load_relaxed(&storage->front);
    return svs__type_get((uint16_t)(front >> SVS__FRONT_TYPE_SHIFT))->type;
}

void svs__storage_free_all(svs_world *world) {
    for (uint32_t shard = 0; shard < SVS__STORAGE_SHARDS; shard++) {
        svs__storage *next = svs__load_relaxed(&world->storage[shard].first);
        while (next) {
            svs__storage *storage = next;
            next = svs__load_relaxed(&storage->next);
            release(world, storage, type_of(storage));
        }
    }
}

void svs__storage_visit(const svs_world *world, svs__room_visitor *visit, void *argument) {
    svs__pools_visit(world, visit, argument);
    for (uint32_t i = 0; i < SVS__STORAGE_SHARDS; i++)
        /* acquire: pairs with the release in link_first(). */
        for (svs__storage *at =
                 svs__load_acquire(&((svs_world *)(uintptr_t)world)->storage[i].first);
             at; at = svs__load_relaxed(&at->next))
            visit(at + 1, type_of(at), argument);
}

/* relaxed is enough: the tag SLOT stays until the slot is added to a list of freed slots. */
static bool is_slot(const void *room) {
    return svs__load_relaxed(svs__front_of(room)) & SVS__FRONT_SLOT;
}

static void *room_of(const svs_object *object) {
    return svs__object_base(object, svs__object_type(object));
}

/* The next object in a list of freed objects. */
static svs_object *after(const svs_object *object) {
    return (svs_object *)(svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_NEXT);
}

void svs__storage_quarantine(svs_world *world, svs_object *first, svs_object *last) {
    uintptr_t next = svs__load_relaxed(&world->quarantine);
    svs__freed_slots slots = {0};
    /* memobj.K5 */
    SVS__ASSERT(svs__load_relaxed(&world->runs) || svs__lock_is_held(&world->entry));
    for (svs_object *object = first;; object = after(object)) {
        void *room = room_of(object);
        if (is_slot(room)) svs__slots_add(world, &slots, room);
        /* relaxed is enough: read at quiescence only */
        else svs__store_relaxed(&world->freed_in_lists, 1);
        if (object == last) break;
    }
    svs__slots_leave(world, &slots);
    do { /* A header is aligned to 8 bytes, so the low bits of its address are free for the tag. */
        svs__store_relaxed(svs__object_reach(last), next | SVS__REACH_DEAD);
        /* release: publishes the next pointers; pairs with the acquire in
         * svs__storage_release_freed(). */
    } while (!svs__cas_weak_release(&world->quarantine, &next, (uintptr_t)first));
}

/* Releases each storage of the quarantine that has no slot: such a storage still has a type in its
 * front. @return the number released. */
static uint64_t release_lists(svs_world *world, svs_object *first) {
    uint64_t released = 0;
    for (svs_object *object = first, *next; object; object = next) {
        void *room = room_of(object);
        svs__storage *storage = (svs__storage *)room - 1;
        next = after(object);
        if (!(svs__load_relaxed(svs__front_of(room)) >> SVS__FRONT_TYPE_SHIFT)) continue;
        take_out(world, storage);
        release(world, storage, svs__object_type(object)->type);
        released++;
    }
    return released;
}

void svs__storage_release_freed(svs_world *world) {
    svs_object *first = (svs_object *)svs__exchange_acquire(&world->quarantine, 0);
    uint64_t released = 0;
    /* relaxed is enough for both: the world is quiescent. */
    if (svs__load_relaxed(&world->freed_in_lists)) released = release_lists(world, first);
    svs__store_relaxed(&world->freed_in_lists, 0);
    released += svs__pools_settle(world);
    /* release: pairs with the acquire in svs__world_quarantined(). */
    (void)svs__fetch_add_release(&world->released, released);
    svs__pools_trim(world);
}
