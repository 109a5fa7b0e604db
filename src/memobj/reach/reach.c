/* Algorithm 1 (thesis 5.1.2) with two corrections: a parent in no neighbourhood becomes a master,
 * and the link is stored after the propagation. */
#include "memobj/reach/reach.h"

#include <string.h>

#include "base/check.h"

static size_t master_bytes(const svs_world *world) {
    return sizeof(svs__master) + svs__master_words(world) * sizeof(uint64_t);
}

svs_status svs__master_new(svs_world *world, svs_object *object, svs__master **master) {
    svs__master *made = svs__world_allocate(world, master_bytes(world));
    if (!made) return SVS_E_NO_MEMORY;
    uint32_t bit = svs__object_bit(world, object);
    svs__store_relaxed(&made->object, object);
    svs__store_relaxed(&made->signature[bit / 64], UINT64_C(1) << bit % 64);
    *master = made;
    return SVS_OK;
}

void svs__master_release(svs_world *world, svs__master *master) {
    svs__notify_clear(world, master);
    svs__list_clear(world, &master->members);
    svs__world_release(world, master, master_bytes(world));
}

/* Adds a master to the world's list. Called after an object's reach word has come to name the
 * master. */
void svs__master_enlist(svs_world *world, svs__master *master) {
    svs__master *first = svs__load_relaxed(&world->masters);
    do {
        svs__store_relaxed(&master->next, first);
        /* release: publishes `next`; pairs with the acquires of `masters`. */
    } while (!svs__cas_weak_release(&world->masters, &first, master));
    (void)svs__fetch_add_relaxed(&world->master_count, 1);
}

/* Makes a lone object a master. Sets *master to the primary of the object: the new master, or the
 * one that another thread set first. */
static svs_status become_master(svs_world *world, svs_object *object, svs__master **master) {
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    uintptr_t was = svs__load_acquire(reach);
    svs__master *own;
    svs_status status;
    if ((*master = svs__reach_master(was))) return SVS_OK;
    status = svs__master_new(world, object, &own);
    if (status) return status;
    while (!svs__reach_master(was)) {
        uintptr_t now = (uintptr_t)own | SVS__REACH_MASTER | (was & SVS__REACH_KEPT);
        /* acq_rel: publishes the master's state (memobj.O1); pairs with the acquire loads of
         * reach. */
        if (svs__cas_weak_acq_rel(reach, &was, now)) {
            svs__master_enlist(world, own);
            /* memobj.O1. relaxed is enough: the address is only compared. */
            SVS__ASSERT(svs__reach_master(svs__load_relaxed(reach)) == own);
            *master = own;
            return SVS_OK;
        }
    }
    svs__master_release(world, own);
    *master = svs__reach_master(was);
    return SVS_OK;
}

/* Adds an entry to M's list of members, then sets the object's reach word. If another thread has
 * put the object into a neighbourhood first, removes the entry again. The caller holds M's lock, so
 * that two workers do not add one object twice. */
static svs_status enter(svs_world *world, svs__master *m, svs_object *object, bool *joined) {
    _Atomic(uintptr_t) *reach = svs__object_reach(object);
    uintptr_t was = svs__load_acquire(reach);
    uint32_t first = world->options.neighbourhood < 8 ? world->options.neighbourhood : 8;
    if (svs__reach_master(was)) return SVS_OK;
    if (svs__list_add(world, &m->members, first, object)) return SVS_E_NO_MEMORY;
    while (!svs__reach_master(was)) {
        /* acq_rel: publishes the entry (memobj.O1); pairs with the acquire loads of reach. */
        if (svs__cas_weak_acq_rel(reach, &was, (uintptr_t)m | (was & SVS__REACH_KEPT))) {
            *joined = true;
            return SVS_OK;
        }
    }
    svs__list_take_out(&m->members, object);
    return SVS_OK;
}

/* Adds a lone object to M's neighbourhood if there is room. Sets *joined to whether the object was
 * added. */
static svs_status join(svs_world *world, svs__master *m, svs_object *object, bool *joined) {
    svs_status status;
    *joined = false;
    /* relaxed is enough: the size is a bound and publishes nothing. */
    if (svs__fetch_add_relaxed(&m->size, 1) >= svs__load_relaxed(&world->neighbourhood)) {
        (void)svs__fetch_sub_relaxed(&m->size, 1);
        return SVS_OK;
    }
    svs__lock_acquire(&m->lock);
    status = enter(world, m, object, joined);
    svs__lock_release(&m->lock);
    if (!*joined) (void)svs__fetch_sub_relaxed(&m->size, 1);
    return status;
}

/* Puts the child into M's neighbourhood if there is room, otherwise into one of its own. Sets
 * *primary to the child's primary. */
static svs_status admit(svs_world *world, svs__master *m, svs_object *child,
                        svs__master **primary) {
    bool joined;
    svs_status status;
    *primary = svs__reach_master(svs__load_acquire(svs__object_reach(child)));
    if (*primary) return SVS_OK;
    status = join(world, m, child, &joined);
    if (status) return status;
    if (joined) {
        *primary = m;
        return SVS_OK;
    }
    return become_master(world, child, primary);
}

static inline uint64_t missing_in_four(svs__master *m, const uint64_t *bits, uint32_t i) {
    _Atomic(uint64_t) *has = &m->signature[i];
    bits += i;
    /* relaxed is enough: bits are only added (memobj.R3). */
    return (bits[0] & ~svs__load_relaxed(&has[0])) | (bits[1] & ~svs__load_relaxed(&has[1])) |
           (bits[2] & ~svs__load_relaxed(&has[2])) | (bits[3] & ~svs__load_relaxed(&has[3]));
}

static inline bool has_all(svs__master *m, const uint64_t *bits, uint32_t words) {
    for (uint32_t i = 0; i < words; i += 4)
        if (missing_in_four(m, bits, i)) return false;
    return true;
}

static void add_word(_Atomic(uint64_t) *has, uint64_t bits) {
    /* relaxed is enough: only the holder writes the signature (memobj.N2). */
    svs__store_relaxed(has, svs__load_relaxed(has) | bits);
}

static void add_four(svs__master *m, const uint64_t *bits, uint32_t i) {
    add_word(&m->signature[i], bits[i]);
    add_word(&m->signature[i + 1], bits[i + 1]);
    add_word(&m->signature[i + 2], bits[i + 2]);
    add_word(&m->signature[i + 3], bits[i + 3]);
}

/* Adds bits to M's signature. @return whether a bit was new; if so, the version has grown
 * (memobj.R4). */
static bool gather(svs__master *m, const uint64_t *bits, uint32_t words) {
    /* acquire: the version is read before the words, which change only with the version
     * (memobj.N1); pairs with the release in svs__master_let_go(). */
    uint64_t version = svs__load_acquire(&m->version) & ~SVS__MASTER_HELD;
    if (has_all(m, bits, words)) return false;
    if (!svs__master_try(m, &version)) {
        version = svs__master_hold(m);
        if (has_all(m, bits, words)) {
            svs__master_let_go(m, version, false);
            return false;
        }
    }
    SVS__ASSERT(svs__load_relaxed(&m->version) & SVS__MASTER_HELD); /* memobj.N2 */
    for (uint32_t i = 0; i < words; i += 4) add_four(m, bits, i);
    /* memobj.R3, memobj.R4: the hold keeps the version unchanged until the bits are added. */
    SVS__ASSERT(has_all(m, bits, words) && svs__load_relaxed(&m->version) & SVS__MASTER_HELD);
    svs__master_let_go(m, version, true);
    return true;
}

/* Propagation without a stack: sweeps over all masters until no signature changes. Called after the
 * stack of svs__propagate() has overflowed. */
static void propagate_by_sweeps(const svs_world *world, const uint64_t *bits, uint32_t words) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (svs__master *m = svs__load_acquire(&((svs_world *)(uintptr_t)world)->masters); m;
             m = svs__load_acquire(&m->next)) {
            svs__notify_cursor cursor = svs__notify_begin(m);
            svs__master *up;
            if (!has_all(m, bits, words)) continue;
            while ((up = svs__notify_next(&cursor))) changed |= gather(up, bits, words);
        }
    }
}

#define PROPAGATION_STACK 512

void svs__propagate(svs_world *world, svs__master *master, const uint64_t *bits) {
    svs__master *stack[PROPAGATION_STACK];
    uint32_t depth = 0, words = svs__master_words(world);
    bool overflow = false;
    if (!gather(master, bits, words)) return;
    stack[depth++] = master;
    while (depth) {
        svs__notify_cursor cursor = svs__notify_begin(stack[--depth]);
        svs__master *up;
        while ((up = svs__notify_next(&cursor))) {
            if (!gather(up, bits, words)) continue;
            if (depth < PROPAGATION_STACK) stack[depth++] = up;
            else overflow = true;
        }
    }
    if (overflow) propagate_by_sweeps(world, bits, words);
}

/* Counts a cause of stale signature bits, for the next refresh. Before upkeep begins there are no
 * signatures, and nothing is counted. */
static void count_stale(svs_world *world) {
    if (!svs__reach_is_off(world)) svs__world_count_stale(world);
}

/* Puts the parent and the child into neighbourhoods. Sets *m and *primary to their primaries. */
static inline svs_status place(svs_world *world, svs_object *parent, svs_object *child,
                               svs__master **m, svs__master **primary) {
    svs_status status = become_master(world, parent, m);
    if (!status) status = admit(world, *m, child, primary);
    if (status) return status;
    SVS__ASSERT(*m && *primary);                           /* memobj.O2 */
    if (*primary != *m && !svs__object_is_master(child)) { /* two masters share the internal node */
        svs__master_flag(world, *primary, SVS__MASTER_DIRTY);
        count_stale(world);
    }
    return SVS_OK;
}

svs_status svs__reach_assign(svs_world *world, svs_object *parent, svs_object *child,
                             bool *left_out) {
    svs__master *m, *primary;
    /* relaxed is enough: only the body that makes an object removes the tag FRESH. */
    uintptr_t reach = svs__load_relaxed(svs__object_reach(parent));
    *left_out = false;
    if (!svs__reach_is_off(world)) return svs__reach_link(world, parent, child);
    if (reach & SVS__REACH_STORED) {
        *left_out = reach & SVS__REACH_FRESH;
        return SVS_OK;
    }
    return reach & SVS__REACH_FRESH ? svs__reach_link(world, parent, child)
                                    : place(world, parent, child, &m, &primary);
}

svs_status svs__reach_link(svs_world *world, svs_object *parent, svs_object *child) {
    uint64_t bits[SVS__SIGNATURE_WORDS_MAX];
    svs__master *m, *primary;
    svs_status status = place(world, parent, child, &m, &primary);
    if (status) return status;
    if (primary == m) {
        /* M's signature already covers the neighbourhood, except for a child that has just
         * joined. */
        memset(bits, 0, svs__master_words(world) * sizeof *bits);
    } else {
        status = svs__notify_join(world, primary, m, bits);
        if (status) return status;
    }
    /* The child's own bit is added here too: the thread that added the child to its neighbourhood
     * may not have added the bit yet. */
    svs__signature_set(bits, svs__object_bit(world, child));
    svs__propagate(world, m, bits);
    SVS__ASSERT(has_all(m, bits, svs__master_words(world))); /* memobj.R1, memobj.R4 */
    return SVS_OK;
}

void svs__master_flag(svs_world *world, svs__master *master, uint32_t flag) {
    svs__master *first;
    uint32_t flags = flag | SVS__MASTER_LISTED;
    /* relaxed is enough: flags and list are read at quiescence only. */
    if ((svs__load_relaxed(&master->flags) & flags) == flags) return;
    if (svs__fetch_or_relaxed(&master->flags, flags) & SVS__MASTER_LISTED) return;
    first = svs__load_relaxed(&world->dirty);
    do master->next_dirty = first;
    while (!svs__cas_weak_release(&world->dirty, &first, master));
}

void svs__reach_unlink(svs_world *world, svs_object *parent, svs_object *child) {
    svs__master *m = svs__reach_master(svs__load_acquire(svs__object_reach(parent)));
    svs__master *primary = svs__reach_master(svs__load_acquire(svs__object_reach(child)));
    if (!m) return;
    svs__master_flag(world, m, SVS__MASTER_DIRTY);
    count_stale(world);
    if (primary && primary != m) svs__master_flag(world, primary, SVS__MASTER_NOTIFY);
}

void svs__reach_retire(svs_world *world, svs_object *object) {
    uintptr_t reach = svs__load_acquire(svs__object_reach(object));
    svs__master *m = svs__reach_master(reach);
    if (!m) return;
    if (reach & SVS__REACH_MASTER) {
        svs__store_relaxed(&m->object, NULL);
    } else {
        svs__lock_acquire(&m->lock);
        svs__list_take_out(&m->members, object);
        /* relaxed is enough: `lock` is held (memobj.N4) */
        (void)svs__fetch_sub_relaxed(&m->size, 1);
        svs__lock_release(&m->lock);
    }
    svs__master_flag(world, m, SVS__MASTER_DIRTY);
    svs__world_count_stale(world);
}

void svs__reach_signature(const svs_object *object, uint64_t *words) {
    const svs_world *world = svs__world_of(object);
    svs__master *m = svs__reach_master(svs__load_acquire(svs__object_reach(object)));
    if (m) svs__master_snapshot(m, words, world->words);
    else memset(words, 0, world->words * sizeof *words);
    svs__signature_set(words, svs__object_bit(world, object));
}

svs__version svs__reach_version(const svs_object *object) {
    uintptr_t reach =
        svs__load_acquire(svs__object_reach(object)) & ~(SVS__REACH_KEPT | SVS__REACH_HANDED);
    svs__master *m = svs__reach_master(reach);
    /* acquire: a later snapshot has at least the bits of this version; pairs with the release in
     * svs__master_let_go(). */
    return (svs__version){reach, m ? svs__load_acquire(&m->version) & ~SVS__MASTER_HELD : 0};
}
