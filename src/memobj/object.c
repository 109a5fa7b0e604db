#include <string.h>
#include <svs/footprint.h>

#include "base/check.h"
#include "hooks/object_hooks.h"
#include "memobj/addresses.h"
#include "memobj/core/header.h"
#include "memobj/core/storage.h"
#include "memobj/holder.h"
#include "memobj/reach/reach.h"
#include "memobj/reach/signature.h"
#include "memobj/world.h"

void svs__assign(void *field, void *to) { memcpy(field, &to, sizeof to); }

/* ---- initialisation, all or nothing ---- */

/* The part that the keys of all objects of one maker have in common. It is computed for the first
 * object. */
static inline uint64_t key_of(svs__holder *maker, uint64_t number) {
    uint64_t key;
    if (!maker->shared && number > 1) return maker->made_key;
    key = (uint64_t)svs__key(svs__holder_seed(maker), 0) << 32;
    if (!maker->shared) maker->made_key = key;
    return key;
}

/* The next identity: (order of the maker, count), never the worker, so that runs repeat. Asyncs of
 * one body that make objects in parallel take their counts in the order of the calls. The counts of
 * one maker are hashed as the indices of a space are, so that 1,000 objects of one maker share none
 * of 2^16 cells. With random keys, a few of them would. */
static uint32_t next_key(svs_world *world, svs__holder *maker) {
    uint64_t number;
    if (!maker) /* relaxed is enough: only the number matters. */
        return svs__index_key(0, svs__fetch_add_relaxed(&world->next_id, 1));
    number = svs__holder_number(maker, &maker->made, 1) + 1;
    return svs__index_key(key_of(maker, number), number);
}

static inline void name(svs_object *object, svs_world *world, const svs_type *type,
                        svs__holder *maker) {
    object->key = next_key(world, maker);
    object->type = (uint16_t)type->index;
    object->world = world->index;
    svs__store_relaxed(svs__object_reach(object), 0);
    svs__addresses_add(world, object, (char *)object - type->header);
}

static void name_members(const svs_object *object, svs_world *world, const svs_type *type,
                         svs__holder *maker) {
    for (uint32_t i = 0; i < type->member_count; i++) {
        svs_object *member = svs__member_of(object, type, i);
        name(member, world, type->members[i].type, maker);
        name_members(member, world, type->members[i].type, maker);
    }
}

/* Clears the headers of an object and its members to their state before the first use. */
static void unname(svs_object *object, const svs_type *type) {
    for (uint32_t i = 0; i < type->member_count; i++)
        unname(svs__member_of(object, type, i), type->members[i].type);
    *object = (svs_object){0};
}

/* Whether the calling thread may work on masters: it acts for a body, or holds `entry`. */
static inline bool may_change_masters(svs_world *world, const svs__holder *holder) {
    return holder || svs__lock_is_held(&world->entry);
}

static svs_status link_members(svs_world *world, svs_object *object, const svs_type *type) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < type->member_count && !status; i++) {
        svs_object *inner = svs__member_of(object, type, i);
        status = link_members(world, inner, type->members[i].type);
        if (!status) status = svs__reach_link(world, object, inner);
    }
    return status;
}

/* Removes the object and its members from their neighbourhoods for ever. */
static void leave(svs_world *world, svs_object *object) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < type->type->member_count; i++)
        leave(world, svs__object_member(object, type, i));
    svs__addresses_remove(world, object, svs__object_base(object, type));
    svs__reach_retire(world, object);
    svs__store_relaxed(svs__object_reach(object), SVS__REACH_DEAD);
}

/* [memobj.O6] No other thread changes reach yet. */
static void set_stored(svs_object *object) {
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    /* release: publishes the header; pairs with the acquire in link_room(). */
    svs__store_release(reach, svs__load_relaxed(reach) | SVS__REACH_STORED);
}

static svs_status initialise_members(svs_object *object, svs_world *world, const svs_type *type,
                                     svs__holder *maker) {
    SVS__ASSERT(may_change_masters(world, maker)); /* memobj.W4 */
    name_members(object, world, type, maker);
    return link_members(world, object, type);
}

/* The steps that can fail come after all headers are set, so that leave() can undo them. The last
 * step adds the object to the maker's write set. After a failure the caller clears the headers. */
static inline svs_status initialise(svs_object *object, svs_world *world, const svs_type *type,
                                    svs__holder *holder, bool stored) {
    svs__holder *maker = holder && holder->world == world ? holder : NULL;
    svs_status status = SVS_OK;
    name(object, world, type, maker);
    if (SVS__UNLIKELY(type->member_count != 0))
        status = initialise_members(object, world, type, maker);
    if (!status && maker) status = maker->fresh(maker, object, type);
    if (status) leave(world, object);
    else if (stored) set_stored(object);
    return status;
}

SVS__COLD static svs_status initialise_outside(svs_object *object, svs_world *world,
                                               const svs_type *type, svs__holder *holder,
                                               bool stored) {
    svs_status status;
    svs__lock_acquire(&world->entry);
    status = initialise(object, world, type, holder, stored);
    svs__lock_release(&world->entry);
    return status;
}

/* An object with members gets a master at once. So a caller outside of any body must hold `entry`
 * for it (memobj.W4). */
static inline svs_status make(svs_object *object, svs_world *world, const svs_type *type,
                              svs__holder *holder, bool stored) {
    bool outside = !holder || holder->world != world;
    return type->member_count && outside ? initialise_outside(object, world, type, holder, stored)
                                         : initialise(object, world, type, holder, stored);
}

static void tell_made(const svs_object *object) {
    const svs__object_watcher *watcher = svs__watching();
    if (SVS__UNLIKELY(watcher != NULL)) watcher->made(object);
}

static void tell_gone(const svs_object *object) {
    const svs__object_watcher *watcher = svs__watching();
    if (SVS__UNLIKELY(watcher != NULL)) watcher->gone(object);
}

/* Refuses to make an object: an argument is missing, or the world belongs to the parent of a fork.
 * `place` describes the argument `where`. */
SVS__COLD static svs_status refuse_making(const char *call, const svs_world *world,
                                          const svs_type *type, const void *where,
                                          const char *place) {
    if (!world)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no world: did svs_world_new() fail?", call);
    if (svs__world_is_forked(world))
        return svs__refuse(world->log, SVS_E_FORKED, "%s: %s", call, svs_status_text(SVS_E_FORKED));
    if (!type)
        return svs__refuse(world->log, SVS_E_NULL,
                           "%s: no type: pass the one that SVS_TYPE has made", call);
    SVS__ASSERT(!where);
    return svs__refuse(world->log, SVS_E_NULL,
                       "%s: no place for the object: pass the address of %s", call, place);
}

/* Checks whether an object of the type can be made. The first object of a type registers the
 * type. */
static inline svs_status check_making(const char *call, const svs_world *world, svs_type *type,
                                      const void *where, const char *place) {
    if (SVS__UNLIKELY(!world || !type || !where || svs__world_is_forked(world)))
        return refuse_making(call, world, type, where, place);
    return svs__type_is_registered(type) ? SVS_OK : svs__type_register(type, world->log);
}

svs_status svs_object_init(svs_object *object, svs_world *world, svs_type *type) {
    svs__holder *holder = svs__holder_self();
    svs_status status;
    status = check_making("svs_object_init", world, type, object, "the struct's header");
    if (status) return svs__holder_fail(holder, status);
    status = make(object, world, type, holder, false);
    if (status) unname(object, type);
    else tell_made(object);
    return svs__holder_fail(holder, status);
}

/* ---- clean-up ---- */

static inline bool has_master(const svs_object *object) {
    return svs__reach_master(svs__load_acquire(svs__object_reach(object))) != NULL;
}

/* Unlinks the target of each link of the object and of its members. For a target in no
 * neighbourhood there is nothing to undo. */
static void unlink_all(svs_world *world, svs_object *object) {
    const svs__type *type = svs__object_type(object);
    bool inside = has_master(object);
    for (uint32_t i = 0; inside && i < type->type->link_count; i++) {
        svs_object *to = svs__object_link(object, type, i);
        if (to) svs__reach_unlink(world, object, to);
    }
    for (uint32_t i = 0; i < type->type->member_count; i++)
        unlink_all(world, svs__object_member(object, type, i));
}

static void retire(svs_world *world, svs_object *object) {
    const svs__type *type = svs__object_type(object);
    SVS__ASSERT(may_change_masters(world, svs__holder_self())); /* memobj.W4 */
    if (SVS__LIKELY(!type->type->member_count && !has_master(object))) {
        svs__addresses_remove(world, object, svs__object_base(object, type));
        svs__store_relaxed(svs__object_reach(object), SVS__REACH_DEAD);
        return;
    }
    unlink_all(world, object);
    leave(world, object);
}

/* Refuses a call without an object, or with one that is not live. `world` is the object's world, or
 * NULL. */
SVS__COLD static svs_status refuse_dead(const char *call, const svs_object *object,
                                        const svs_world *world) {
    if (!object) return svs__refuse(NULL, SVS_E_NULL, "%s: no object: pass one", call);
    if (!world || !svs__object_type(object))
        return svs__refuse(world ? world->log : NULL, SVS_E_INVALID,
                           "%s: the header was never initialised, or its world was freed: use "
                           "svs_object_init() or svs_object_new() first",
                           call);
    if (svs__world_is_forked(world))
        return svs__refuse(world->log, SVS_E_FORKED, "%s: %s", call, svs_status_text(SVS_E_FORKED));
    return svs__refuse(world->log, SVS_E_FREED, "%s: an object of type %s: %s", call,
                       svs__object_type(object)->type->name, svs_status_text(SVS_E_FREED));
}

/* Checks whether the object is live. If so, sets `*world` to its world. */
static inline svs_status check_live(const char *call, const svs_object *object, svs_world **world) {
    *world = object ? svs__world_of(object) : NULL;
    if (SVS__UNLIKELY(!*world || !svs__object_type(object) || svs__world_is_forked(*world) ||
                      svs__object_is_dead(object)))
        return refuse_dead(call, object, *world);
    return SVS_OK;
}

/* Acquires `entry` for work on masters from outside of runs (memobj.W4). Refuses the call while a
 * run is inside. */
static svs_status enter_outside(svs_world *world, const char *refusal) {
    svs__lock_acquire(&world->entry);
    if (!svs__load_seq(&world->runs)) return SVS_OK;
    svs__lock_release(&world->entry);
    return svs__refuse(world->log, SVS_E_BUSY, "%s", refusal);
}

svs_status svs_object_clean_up(svs_object *object) {
    svs_world *world;
    svs_status status = check_live("svs_object_clean_up", object, &world);
    if (status) return svs__holder_fail(svs__holder_self(), status);
    status = enter_outside(
        world, "svs_object_clean_up: a graph runs in the world: clean up after the run");
    if (status) return status;
    tell_gone(object);
    retire(world, object);
    svs__lock_release(&world->entry);
    return SVS_OK;
}

/* Gives back the storage of an object that could not be made. If the caller is not in a body of the
 * world, another thread may reach quiescence (memobj.K5) or set links at the same time, so this
 * function refreshes nothing. */
SVS__COLD static void discard(svs_world *world, svs_object *object, const svs__holder *holder) {
    bool inside = holder && holder->world == world;
    svs__world_count(world, svs__worker_self(), offsetof(svs__link_counts, freed));
    if (!inside) svs__lock_acquire(&world->entry);
    svs__storage_quarantine(world, object, object);
    if (inside) return;
    if (!svs__load_seq(&world->runs)) svs__storage_release_freed(world);
    svs__lock_release(&world->entry);
}

svs_status svs_object_new(svs_world *world, svs_type *type, void **storage) {
    const svs__worker *self = svs__worker_self();
    svs__holder *holder = svs__holder_of(self);
    svs_object *object;
    char *memory;
    svs_status status;
    if (storage) *storage = NULL;
    status = check_making("svs_object_new", world, type, storage, "a pointer");
    if (status) return svs__holder_fail(holder, status);
    memory = svs__storage_new(world, holder && holder->world == world ? self : NULL, type);
    if (!memory) return svs__holder_fail(holder, SVS_E_NO_MEMORY);
    object = (svs_object *)(void *)(memory + type->header);
    status = make(object, world, type, holder, true);
    if (status) {
        discard(world, object, holder);
        return svs__holder_fail(holder, status);
    }
    tell_made(object);
    *storage = memory;
    return SVS_OK;
}

/* [memobj.O5] */
static void keep_freed(svs__holder *holder, svs_object *object) {
    /* relaxed is enough: only the object's holder changes `reach`, and svs__storage_quarantine()
     * publishes it. */
    svs__store_relaxed(svs__object_reach(object), (uintptr_t)holder->freed | SVS__REACH_DEAD);
    if (!holder->freed) holder->freed_first = object;
    holder->freed = object;
}

void svs__holder_quarantine(svs__holder *holder) {
    if (!holder->freed) return;
    svs__storage_quarantine(holder->world, holder->freed, holder->freed_first);
    holder->freed = NULL;
}

static void free_one(svs_world *world, svs_object *object, svs__holder *holder) {
    tell_gone(object);
    retire(world, object);
    svs__world_count(world, svs__worker_self(), offsetof(svs__link_counts, freed));
    if (!holder || holder->shared || holder->frees_at_once)
        svs__storage_quarantine(world, object, object);
    else keep_freed(holder, object);
}

static svs_status free_outside(svs_world *world, svs_object *object) {
    svs_status status = enter_outside(
        world, "svs_object_free: from outside of any body while a graph runs in the world: free it "
               "in a body that writes it, or after the run");
    if (status) return status;
    free_one(world, object, NULL);
    svs__world_tidy(world, NULL);
    svs__lock_release(&world->entry);
    return SVS_OK;
}

svs_status svs_object_free(svs_object *object) {
    svs_world *world;
    svs__holder *holder = svs__holder_self();
    svs_status status = check_live("svs_object_free", object, &world);
    if (!status && holder && holder->world != world)
        status = svs__refuse(world->log, SVS_E_WORLD,
                             "svs_object_free: an object of another world than the body's: free it "
                             "from a graph of its own world, or outside of runs");
    if (status) return svs__holder_fail(holder, status);
    if (!holder) return free_outside(world, object);
    free_one(world, object, holder);
    /* after a body that frees an object, a serial run checks the later items again (sched.W10) */
    svs__holder_use(holder);
    return SVS_OK;
}

/* The inline functions of svs/object.h as exported functions. */
#if defined(__GNUC__)
extern uint32_t svs_relaxed_load_u32(const uint32_t *field);
extern void svs_relaxed_store_u32(uint32_t *field, uint32_t value);
extern uint64_t svs_relaxed_load_u64(const uint64_t *field);
extern void svs_relaxed_store_u64(uint64_t *field, uint64_t value);
#else
uint32_t svs_relaxed_load_u32(const uint32_t *field) {
    return svs__load_relaxed((_Atomic(uint32_t) *)(uintptr_t)field);
}
void svs_relaxed_store_u32(uint32_t *field, uint32_t value) {
    svs__store_relaxed((_Atomic(uint32_t) *)field, value);
}
uint64_t svs_relaxed_load_u64(const uint64_t *field) {
    return svs__load_relaxed((_Atomic(uint64_t) *)(uintptr_t)field);
}
void svs_relaxed_store_u64(uint64_t *field, uint64_t value) {
    svs__store_relaxed((_Atomic(uint64_t) *)field, value);
}
#endif
