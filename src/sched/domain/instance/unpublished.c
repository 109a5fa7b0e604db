/* An object that a body or one of its asyncs makes is in the body's write set, until the body ends
 * or hands the object off (memobj.O4). */
#include "sched/domain/instance/context.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/program.h"
#include "hooks/object_hooks.h"
#include "sched/admission/lease.h"

#define NOT_THERE UINT32_MAX

/* The number of newest objects that a search compares before it uses the index. Most objects are
 * published soon after they were made. */
#define LATELY 16u
#define PLACES_MIN 64u

/* ---- the index (sched.O5) ---- */

static uint32_t home_of(const svs__fresh *f, const svs_object *object) {
    return object->key & f->mask;
}

static uint32_t after(const svs__fresh *f, uint32_t place) { return (place + 1) & f->mask; }

/* The place of the object in the table, or the free place where it belongs. */
static uint32_t place_of(const svs__fresh *f, const svs_object *object) {
    uint32_t place = home_of(f, object);
    while (f->places[place] && f->objects[f->places[place] - 1] != object) place = after(f, place);
    return place;
}

static void index_one(svs__fresh *f, uint32_t at) {
    f->places[place_of(f, f->objects[at])] = at + 1;
}

/* Frees a place. Later entries, which a search would then miss, are moved into it. */
static void free_place(svs__fresh *f, uint32_t place) {
    for (uint32_t next = after(f, place); f->places[next]; next = after(f, next)) {
        uint32_t home = home_of(f, f->objects[f->places[next] - 1]);
        if (((next - home) & f->mask) < ((next - place) & f->mask)) continue;
        f->places[place] = f->places[next];
        place = next;
    }
    f->places[place] = 0;
}

/* Makes the index. At first at most a quarter of its places is taken; later at most half. @return
 * false: no memory, and therefore no index. */
static bool make_index(svs__fresh *f, const svs_allocator *allocator) {
    uint64_t needed = PLACES_MIN;
    void *places = f->places;
    while (needed / 4 < f->count) needed *= 2;
    f->indexed = needed <= UINT32_MAX / 2 + 1u && svs__grow(allocator, &places, &f->place_capacity,
                                                            (uint32_t)needed, sizeof *f->places);
    if (!f->indexed) return false;
    f->places = places;
    f->mask = (uint32_t)needed - 1;
    memset(f->places, 0, (size_t)needed * sizeof *f->places);
    for (uint32_t i = 0; i < f->count; i++) index_one(f, i);
    return true;
}

/* ---- the list ---- */

static inline bool make_room(svs__fresh *f, const svs_allocator *allocator, uint64_t more) {
    uint64_t needed = f->count + more;
    void *objects = f->objects;
    if (needed <= f->capacity) return true;
    if (needed >= NOT_THERE ||
        !svs__grow(allocator, &objects, &f->capacity, (uint32_t)needed, sizeof(svs_object *)))
        return false;
    f->objects = objects;
    return true;
}

/* Appends an object to the list, which has room for it. */
static inline void append(svs__fresh *f, const svs_allocator *allocator, svs_object *object) {
    f->objects[f->count++] = object;
    if (!f->indexed) return;
    if (f->count > f->mask / 2) (void)make_index(f, allocator);
    else index_one(f, f->count - 1);
    SVS__ASSERT(!f->indexed || f->places[place_of(f, object)] == f->count); /* sched.O5 */
}

static uint32_t look_through(const svs__fresh *f, uint32_t begin, uint32_t end,
                             const svs_object *object) {
    while (end-- > begin)
        if (f->objects[end] == object) return end;
    return NOT_THERE;
}

static uint32_t find(svs__fresh *f, const svs_allocator *allocator, const svs_object *object) {
    uint32_t lately = f->count > LATELY ? f->count - LATELY : 0;
    if (!f->indexed) {
        uint32_t at = look_through(f, lately, f->count, object);
        if (at != NOT_THERE || !lately) return at;
        if (!make_index(f, allocator)) return look_through(f, 0, lately, object);
    }
    return f->places[place_of(f, object)] - 1; /* a free place: NOT_THERE */
}

/* Takes an object out of the list. In the array, it is then directly after the end of the list,
 * before the objects that were taken out earlier. */
static void take_out(svs__fresh *f, uint32_t at) {
    uint32_t last = f->count - 1;
    svs_object *object = f->objects[at], *moved = f->objects[last];
    if (f->indexed) {
        SVS__ASSERT(f->places[place_of(f, object)] == at + 1); /* sched.O5 */
        free_place(f, place_of(f, object));
        if (at != last) f->places[place_of(f, moved)] = at + 1;
    }
    f->objects[at] = moved;
    f->objects[last] = object;
    f->count = last;
}

void svs__fresh_clean_up(svs__fresh *fresh, const svs_allocator *allocator) {
    svs__array_release(allocator, fresh->objects, fresh->capacity, sizeof(svs_object *));
    svs__array_release(allocator, fresh->places, fresh->place_capacity, sizeof *fresh->places);
}

/* ---- while an object belongs to the body ---- */

static void lock(svs_context *context) {
    if (context->holder.shared) svs__lock_acquire(&context->fresh.lock);
}

static void unlock(svs_context *context) {
    if (context->holder.shared) svs__lock_release(&context->fresh.lock);
}

/* The number of members of a type, including members of members. */
static uint64_t count_members(const svs_type *type) {
    uint64_t count = type->member_count;
    for (uint32_t i = 0; i < type->member_count; i++) count += count_members(type->members[i].type);
    return count;
}

static inline void set_fresh(svs_object *object) {
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    /* relaxed is enough: no other thread changes the word of an object that is being made. */
    svs__store_relaxed(reach, svs__load_relaxed(reach) | SVS__REACH_FRESH);
}

static inline void hold(svs_context *context, svs_object *object) {
    append(&context->fresh, context->holder.world->allocator, object);
    if (!svs__context_is_leased(context))
        svs__admission_fresh(context->env->admission, object->key);
    set_fresh(object);
}

static void hold_members(svs_context *context, const svs_object *object, const svs_type *type) {
    for (uint32_t i = 0; i < type->member_count; i++) {
        svs_object *member = svs__member_of(object, type, i);
        hold(context, member);
        hold_members(context, member, type->members[i].type);
    }
}

/* Adds any object. */
static __attribute__((noinline)) svs_status add_any(svs_context *context, svs_object *object,
                                                    const svs_type *type) {
    bool room;
    lock(context);
    room = make_room(&context->fresh, context->holder.world->allocator, 1 + count_members(type));
    if (room) {
        hold(context, object);
        hold_members(context, object, type);
    }
    unlock(context);
    return room ? SVS_OK : SVS_E_NO_MEMORY;
}

svs_status svs__context_add_fresh(svs__holder *holder, svs_object *object, const svs_type *type) {
    svs_context *context = (svs_context *)(void *)holder;
    svs__fresh *f = &context->fresh;
    if (SVS__UNLIKELY(holder->shared || type->member_count || f->count == f->capacity ||
                      f->indexed || !svs__context_is_leased(context)))
        return add_any(context, object, type);
    f->objects[f->count++] = object;
    set_fresh(object);
    return SVS_OK;
}

/* Releases the objects in the range [first, end) of the array. @return whether a domain waits for a
 * release. */
static bool release(svs_context *context, uint32_t first, uint32_t end) {
    svs_object **objects = context->fresh.objects;
    if (first == end) return false;
    for (uint32_t i = first; i < end; i++)
        /* [memobj.R6] seq_cst: precedes the load in svs__reach_publish(). Other instances do not
         * know the object yet. */
        (void)svs__fetch_and_seq(svs__object_reach(objects[i]), ~SVS__REACH_FRESH);
    /* relaxed is enough: the asyncs that have linked the objects have ended, or the program orders
     * them before this call. */
    if (svs__load_relaxed(&context->holder.left_out))
        svs__reach_publish(context->holder.world, objects + first, end - first);
    if (svs__context_is_leased(context)) {
        SVS__ASSERT(context->env->admission->lease); /* sched.L4 */
        return false;
    }
    return svs__admission_fresh_leave(context->env->admission, objects + first, end - first);
}

/* Called after all asyncs of the body have ended. */
void svs__context_release_fresh(svs_context *context) {
    svs__env_wake(context->env, release(context, 0, context->fresh.count));
    context->fresh.count = 0;
    context->fresh.indexed = false;
    /* relaxed is enough: no other thread acts for the instance */
    svs__store_relaxed(&context->holder.left_out, false);
}

/* ---- publication ---- */

/* Takes the object out of the list if this body has made it. The list decides, because the tag
 * FRESH does not name a body. */
static void take_if_own(svs_context *context, svs_object *object) {
    svs__fresh *f = &context->fresh;
    uint32_t at;
    /* relaxed is enough: if the object is the instance's own, the instance has set the tag. */
    if (!object || !(svs__load_relaxed(svs__object_reach(object)) & SVS__REACH_FRESH)) return;
    at = find(f, context->holder.world->allocator, object);
    if (at != NOT_THERE) take_out(f, at);
}

static void take_targets(svs_context *context, const svs_object *object) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < svs__type_targets(type); i++)
        take_if_own(context, svs__object_target(object, type, i));
}

/* Publishes an object, and what it reaches through objects of the body. All these objects leave the
 * list before the first one is released, because after its release other instances may change its
 * links. They stay in the array, after the end of the list, while their links are followed. */
static bool publish(svs_context *context, svs_object *object) {
    svs__fresh *f = &context->fresh;
    uint32_t end = f->count;
    take_if_own(context, object);
    for (uint32_t i = end; i > f->count; i--) take_targets(context, f->objects[i - 1]);
    if (SVS__UNLIKELY(context->watched != NULL))
        for (uint32_t i = f->count; i < end; i++) svs__watching()->published(f->objects[i]);
    return release(context, f->count, end);
}

static svs_status check_publish(const svs_context *context, const svs_object *object) {
    const svs__log *log = context->holder.world->log;
    if (!object) return svs__refuse(log, SVS_E_NULL, "svs_publish: no object: pass one");
    if (object->world != context->holder.world->index)
        return svs__refuse(log, SVS_E_WORLD,
                           "svs_publish: an object of another world, or never initialised: "
                           "publish what this body has made");
    if (svs__object_is_dead(object))
        return svs__refuse(log, SVS_E_FREED,
                           "svs_publish: an object that was freed: publish it before you free it");
    return SVS_OK;
}

svs_status svs_publish(svs_context *context, svs_object *object) {
    svs_status status;
    bool blocked;
    if (!svs__context_is_own(context)) return svs__context_refuse(context, "svs_publish");
    status = check_publish(context, object);
    if (status) return svs__holder_fail(&context->holder, status);
    svs__program_publish();
    lock(context);
    blocked = publish(context, object);
    unlock(context);
    svs__env_wake(context->env, blocked);
    return SVS_OK;
}
