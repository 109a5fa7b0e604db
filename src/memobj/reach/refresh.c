/* Refresh: removes stale bits from signatures at quiescence (the thesis' open problem, ch. 9).
 *
 *   1  collect   D: the dirty masters and, transitively, their listeners; F: the masters
 *      with notify lists that may have stale edges to masters of D
 *   2  reelect   until nothing changes: an internal node of D becomes a master (re-election) if its
 *      master does not reach it inside of the neighbourhood, or if another neighbourhood links to
 *      it
 *   3  clear     sets the signatures of D to the bits of their own neighbourhoods; clears the
 *      notify lists of D; removes the edges to D from the lists of F
 *   4  relink    adds the notify edge of each link that leaves a neighbourhood of D
 *   5  gather    propagates along those links again, children first, as an assignment does
 *
 *   memobj.F1  after step 2, a link that leaves a neighbourhood of D leads to a master, and a
 *       master of D reaches its neighbourhood within it. So step 5 gathers exactly the bits that
 *       each master reaches;
 *   memobj.F2  each listener of a master of D is in D. So the notify lists of D can be rebuilt from
 *       the links of D alone;
 *   memobj.F3  steps 1 and 2 keep memobj.R1, so that a refresh without memory may stop there. From
 *       step 3 on a failure fills the signatures of D with ones
 *       (not asserted: soundness is memobj.R1, which the end of a refresh asserts);
 *   memobj.F4  a master's mark is the number of the last refresh that had it in D. Each refresh
 *       with dirty masters has a number of its own, above 0. So the mark shows whether a master is
 *       in D.
 *
 * Each step is a parallel loop over D, except for step 1 and the order of step 5. */
#include "memobj/reach/refresh.h"
#include "base/check.h"
#include "base/memory.h"
#include "worksteal/finish.h"

void svs__refresh_push(svs__refresh *r, svs__masters *list, svs__master *m) {
    if (list->count == list->capacity &&
        !svs__grow(r->world->allocator, (void **)&list->items, &list->capacity, list->count + 1,
                   sizeof(svs__master *))) {
        svs__refresh_fail(r, SVS_E_NO_MEMORY);
        return;
    }
    list->items[list->count++] = m;
}

static void give_back(svs__refresh *r, svs__masters *list) {
    svs__release(r->world->allocator, list->items, list->capacity * sizeof(svs__master *),
                 _Alignof(max_align_t));
}

/* ---- iteration over links ---- */

void svs__refresh_visit(svs__refresh *r, svs__master *m, svs_object *object, svs__visit *visitor) {
    const svs__type *type = svs__object_type(object);
    for (uint32_t i = 0; i < svs__type_targets(type); i++) {
        svs_object *to = svs__object_target(object, type, i);
        svs__master *primary;
        if (!to) continue;
        primary = svs__reach_master(svs__load_acquire(svs__object_reach(to)));
        if (primary) visitor(r, m, object, to, primary);
    }
}

void svs__refresh_visit_all(svs__refresh *r, svs__master *m, svs__visit *visitor) {
    svs__list_cursor cursor = svs__list_begin(&m->members);
    svs_object *own = svs__load_relaxed(&m->object);
    void *member;
    if (own) svs__refresh_visit(r, m, own, visitor);
    while (svs__list_next(&cursor, &member)) svs__refresh_visit(r, m, member, visitor);
}

/* ---- 1 collect ---- */

static void collect_upward(svs__refresh *r, svs__master *m) {
    uint32_t from = r->dirty.count;
    if (m->mark == r->world->refresh_mark) return;
    m->mark = r->world->refresh_mark;
    svs__refresh_push(r, &r->dirty, m);
    for (; from < r->dirty.count && !svs__refresh_failed(r); from++) {
        svs__notify_cursor cursor = svs__notify_begin(r->dirty.items[from]);
        svs__master *up;
        while ((up = svs__notify_next(&cursor))) {
            if (up->mark == r->world->refresh_mark) continue;
            up->mark = r->world->refresh_mark;
            svs__refresh_push(r, &r->dirty, up);
        }
    }
}

static void collect(svs__refresh *r) {
    svs__master *m = svs__exchange_acquire(&r->world->dirty, NULL);
    while (m) {
        svs__master *next = m->next_dirty;
        uint32_t flags = svs__exchange_relaxed(&m->flags, 0);
        svs__refresh_push(r, &r->listed, m);
        if (flags & SVS__MASTER_DIRTY) collect_upward(r, m);
        /* the next refresh visits it again */
        if (svs__refresh_failed(r)) svs__master_flag(r->world, m, flags);
        m = next;
    }
}

/* Puts D and F back on the world's list, for the next refresh. */
static void put_back(svs__refresh *r) {
    for (uint32_t i = 0; i < r->dirty.count; i++)
        svs__master_flag(r->world, r->dirty.items[i], SVS__MASTER_DIRTY);
    for (uint32_t i = 0; i < r->listed.count; i++)
        svs__master_flag(r->world, r->listed.items[i], SVS__MASTER_NOTIFY);
}

/* ---- 3 clear ---- */

static inline bool listeners_have_mark(svs__master *m, uint64_t mark) {
    svs__notify_cursor cursor = svs__notify_begin(m);
    svs__master *listener;
    while ((listener = svs__notify_next(&cursor)))
        if (listener->mark != mark) return false;
    return true;
}

static void clear_range(size_t begin, size_t end, void *argument) {
    svs__refresh *r = argument;
    for (size_t i = begin; i < end; i++) {
        svs__master *m = r->dirty.items[i];
        uint64_t bits[SVS__SIGNATURE_WORDS_MAX] = {0};
        svs_object *own = svs__load_relaxed(&m->object);
        svs__list_cursor cursor = svs__list_begin(&m->members);
        void *member;
        if (own) svs__signature_set(bits, svs__object_bit(r->world, own));
        while (svs__list_next(&cursor, &member))
            svs__signature_set(bits, svs__object_bit(r->world, member));
        for (uint32_t w = 0; w < r->world->words; w++)
            svs__store_relaxed(&m->signature[w], bits[w]);
        svs__master_let_go(m, svs__master_hold(m), true);
        SVS__ASSERT_SLOW(listeners_have_mark(m, r->world->refresh_mark)); /* memobj.F2 */
        /* memobj.D1. relaxed is enough for both: the world is quiescent. */
        SVS__ASSERT(svs__load_relaxed(&m->size) <= svs__load_relaxed(&r->world->neighbourhood));
        svs__notify_clear(r->world, m);
        m->order = 0;
    }
}

static void clear_listed(svs__refresh *r) {
    for (uint32_t i = 0; i < r->listed.count; i++) {
        svs__master *m = r->listed.items[i];
        if (m->mark != r->world->refresh_mark)
            svs__notify_filter(r->world, m, r->world->refresh_mark);
    }
}

/* ---- 4 relink ---- */

static void relink(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                   svs__master *primary) {
    (void)from, (void)to;
    if (primary == m) return;
    SVS__ASSERT(svs__object_is_master(to)); /* memobj.F1 */
    if (svs__notify_add(r->world, primary, m)) svs__refresh_fail(r, SVS_E_NO_MEMORY);
}

static void relink_range(size_t begin, size_t end, void *argument) {
    svs__refresh *r = argument;
    for (size_t i = begin; i < end; i++) svs__refresh_visit_all(r, r->dirty.items[i], relink);
}

/* ---- 5 gather ---- */

static void push_child(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                       svs__master *primary) {
    (void)m, (void)from, (void)to;
    if (primary->mark == r->world->refresh_mark && primary->order == 0)
        svs__refresh_push(r, &r->stack, primary);
}

/* Sorts D so that children come first, as far as cycles allow. `order` of a master is 0 if it was
 * not visited, 1 while it is on the stack of the search, 2 when it is complete. */
static void order(svs__refresh *r) {
    for (uint32_t i = 0; i < r->dirty.count; i++) {
        if (r->dirty.items[i]->order == 0) svs__refresh_push(r, &r->stack, r->dirty.items[i]);
        while (r->stack.count && !svs__refresh_failed(r)) {
            svs__master *m = r->stack.items[r->stack.count - 1];
            if (m->order == 0) {
                m->order = 1;
                svs__refresh_visit_all(r, m, push_child);
                continue;
            }
            r->stack.count--;
            if (m->order == 1) svs__refresh_push(r, &r->ordered, m);
            m->order = 2;
        }
    }
}

static void gather_link(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                        svs__master *primary) {
    uint64_t bits[SVS__SIGNATURE_WORDS_MAX];
    (void)from;
    if (primary == m) return;
    /* No handshake is needed: the edge exists, so that each later addition to the primary is
     * propagated to M as well. */
    svs__master_snapshot(primary, bits, svs__master_words(r->world));
    svs__signature_set(bits, svs__object_bit(r->world, to));
    svs__propagate(r->world, m, bits);
}

static void gather_range(size_t begin, size_t end, void *argument) {
    svs__refresh *r = argument;
    for (size_t i = begin; i < end; i++)
        svs__refresh_visit_all(r, r->ordered.items[i], gather_link);
}

/* After a failure in step 3 or later: fills the signatures with ones, which keeps memobj.R1
 * (memobj.F3). */
static void saturate(svs__refresh *r) {
    for (uint32_t i = 0; i < r->dirty.count; i++)
        for (uint32_t w = 0; w < r->world->words; w++)
            svs__store_relaxed(&r->dirty.items[i]->signature[w], UINT64_MAX);
}

/* ---- masters of freed objects ---- */

static void set_previous(svs_world *world) {
    svs__master *previous = NULL;
    for (svs__master *m = svs__load_acquire(&world->masters);
         m && (!previous || m->previous != previous); m = svs__load_relaxed(&m->next)) {
        m->previous = previous;
        previous = m;
    }
}

static void release_dead(svs__refresh *r) {
    svs_world *world = r->world;
    set_previous(world);
    for (uint32_t i = 0; i < r->dirty.count; i++) {
        svs__master *m = r->dirty.items[i];
        svs__master *next = svs__load_relaxed(&m->next);
        if (svs__load_relaxed(&m->object)) continue;
        if (m->previous) svs__store_relaxed(&m->previous->next, next);
        else svs__store_relaxed(&world->masters, next);
        if (next) next->previous = m->previous;
        svs__master_release(world, m);
        (void)svs__fetch_sub_relaxed(&world->master_count, 1);
    }
}

static void rebuild(svs__refresh *r) {
    svs__parallel_for(r->worker, r->dirty.count, 64, clear_range, r);
    clear_listed(r);
    svs__parallel_for(r->worker, r->dirty.count, 64, relink_range, r);
    order(r);
    if (svs__refresh_failed(r)) {
        saturate(r);
        put_back(r);
        return;
    }
    svs__parallel_for(r->worker, r->ordered.count, 64, gather_range, r);
    release_dead(r);
    /* relaxed is enough: these are statistics; a stale value only shifts the next refresh. */
    (void)svs__fetch_add_relaxed(&r->world->refreshes, 1);
    (void)svs__fetch_add_relaxed(&r->world->masters_dirty, r->dirty.count);
    svs__store_relaxed(&r->world->stale_refreshed, svs__world_stale(r->world));
}

/* Puts all masters into D. Without upkeep, links of stored objects have no edges (memobj.R5), so
 * that only the set of all masters contains all listeners of its masters (memobj.F2). */
static void take_all(svs_world *world) {
    for (svs__master *m = svs__load_acquire(&world->masters); m; m = svs__load_acquire(&m->next))
        svs__master_flag(world, m, SVS__MASTER_DIRTY);
}

svs_status svs__reach_refresh(svs_world *world, svs__worker *worker) {
    svs__refresh r = {.world = world, .worker = worker};
    SVS__ASSERT(svs__lock_is_held(&world->entry)); /* memobj.W2 */
    world->adaptation.wants_refresh = false;
    if (!svs__reach_is_kept(world)) take_all(world);
    /* relaxed is enough: the caller holds `entry`, so that each flag was set before (memobj.W2). */
    if (!svs__load_relaxed(&world->dirty)) return SVS_OK;
    world->refresh_mark++;                /* 64 bits: no mark is used again */
    SVS__ASSERT(world->refresh_mark > 0); /* memobj.F4 */
    collect(&r);
    if (!svs__refresh_failed(&r)) svs__refresh_reelect(&r);
    if (svs__refresh_failed(&r)) put_back(&r);
    else rebuild(&r);
    /* memobj.R1, memobj.R2 */
    SVS__ASSERT_SLOW(svs__refresh_failed(&r) || svs__reach_is_valid(world));
    give_back(&r, &r.dirty);
    give_back(&r, &r.listed);
    give_back(&r, &r.round);
    give_back(&r, &r.next);
    give_back(&r, &r.stack);
    give_back(&r, &r.ordered);
    return svs__load_relaxed(&r.status);
}

bool svs__reach_refresh_due(const svs_world *world) {
    uint64_t stale = svs__world_stale(world) -
                     svs__load_relaxed(&((svs_world *)(uintptr_t)world)->stale_refreshed);
    uint64_t count = svs__load_relaxed(&((svs_world *)(uintptr_t)world)->master_count);
    if (world->options.refresh == SVS_REFRESH_MANUAL) return false;
    if (world->adaptation.wants_refresh) return true;
    if (world->options.refresh == SVS_REFRESH_ALWAYS) return stale > 0;
    return stale >= 32 && stale * 100 >= count * world->options.refresh_percent;
}
