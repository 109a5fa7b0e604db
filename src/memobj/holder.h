/* A holder: the running instance on behalf of which a thread touches memory objects. The
 * scheduler's context begins with one. A worker's context points to it while the worker runs the
 * body, or an async that it stole from the body.
 *
 *   memobj.O3  all code of an instance, its body and each async of it, runs with the holder of the
 *       instance, on any worker. So a call has the same answer on each worker, and a refused call
 *       fails the instance;
 *   memobj.O4  only the holder for which an object was made releases it, once: when the object is
 *       handed off, or when the instance ends
 *       (not asserted: the tag FRESH does not name a holder; the list of the scheduler's context
 *       does);
 *   memobj.O5  objects that a body frees are linked in `freed`, and join the quarantine of the
 *       world together, before the instance ends and releases anything. So another instance that
 *       may access a freed object in its own traversal finds the quarantine changed. While asyncs
 *       act for the holder, or its footprint may be released before its end, each joins at once.
 *
 * Threads: the body's, and those of its asyncs. While `shared` is false, the body's is the only
 * one. `shared` changes in the body's thread, before the first async is spawned and after the last
 * has ended; so each thread that acts for the holder sees it. */
#ifndef SVS_MEMOBJ_HOLDER_H
#define SVS_MEMOBJ_HOLDER_H

#include <svs/detail/loops.h>

#include "memobj/core/world_state.h"

typedef struct svs__holder {
    /* The first three fields are svs__loop_head, which the loops of task types write and read: */
    const void *item;       /* the item of the running instance, which identifies the instance */
    _Atomic(uint32_t) used; /* 0: `made`, `status` and `shared` have their initial values */
    /* the argument of the running instance's task; NULL: no instance runs */
    void *argument;
    svs_world *world;
    _Atomic(uint64_t) made;     /* the number of objects that the instance has made */
    _Atomic(svs_status) status; /* the first failure of a call that the body may have ignored */
    _Atomic(bool) left_out;     /* the body has left out the upkeep of a link (memobj.R6) */
    bool shared;                /* asyncs of the body act for it as well */
    bool seed_is_known;         /* `seed` is valid; `used` is set as well */
    /* the instance's footprint may be released before its end (memobj.O5) */
    bool frees_at_once;
    svs_object *freed;       /* the last object that the body has freed (memobj.O5), or NULL, */
    svs_object *freed_first; /* and the first */
    uint64_t seed;           /* the seed of the instance's order, which is equal in each run */
    uint64_t made_key;       /* valid while `made` is not 0 and `shared` is false (object.c) */
    /* computes `seed` from the item; called by the body alone */
    uint64_t (*seed_of)(struct svs__holder *holder);
    /* Called for a new object: adds it with all of its members to the write set, until the holder
     * ends or hands it off. @return SVS_OK, or SVS_E_NO_MEMORY: nothing was added. */
    svs_status (*fresh)(struct svs__holder *holder, svs_object *object, const svs_type *type);
} svs__holder;

_Static_assert(offsetof(svs__holder, item) == offsetof(svs__loop_head, item) &&
                   offsetof(svs__holder, used) == offsetof(svs__loop_head, used) &&
                   offsetof(svs__holder, argument) == offsetof(svs__loop_head, argument),
               "the loops of task types find them");

/* The item as the watchdog reads it. */
#define SVS__HOLDER_ITEM(holder) ((_Atomic(uintptr_t) *)(uintptr_t) & (holder)->item)

/* The holder of the calling thread, which is the worker, or NULL outside of any body. */
static inline svs__holder *svs__holder_of(const svs__worker *self) {
    return self ? self->deque.context : NULL;
}
static inline svs__holder *svs__holder_self(void) { return svs__holder_of(svs__worker_self()); }

/* The end of the instance has something to undo. */
static inline void svs__holder_use(svs__holder *holder) {
    svs__store_relaxed(&holder->used, 1); /* relaxed: read by the end, after the body's asyncs */
}

/* The seed of the instance's order. It is computed at the first call; before asyncs act for the
 * holder, that one has been made. */
static inline uint64_t svs__holder_seed(svs__holder *holder) {
    if (holder->seed_is_known) return holder->seed;
    holder->seed = holder->seed_of(holder);
    holder->seed_is_known = true;
    svs__holder_use(holder);
    return holder->seed;
}

/* Takes `count` numbers from one of the holder's counters. @return the first. */
static inline uint64_t svs__holder_number(svs__holder *holder, _Atomic(uint64_t) *counter,
                                          uint64_t count) {
    uint64_t first;
    svs__holder_use(holder);
    /* relaxed, both: only the number matters. */
    if (holder->shared) return svs__fetch_add_relaxed(counter, count);
    first = svs__load_relaxed(counter);
    svs__store_relaxed(counter, first + count);
    return first;
}

/* [memobj.R6] Before the link is stored. */
static inline void svs__holder_leave_out(svs__holder *holder) {
    /* relaxed: read by the body's own thread, after the link's (worksteal/finish.h). */
    if (holder) svs__store_relaxed(&holder->left_out, true);
}

/* [memobj.O5] What the body has freed joins the quarantine. By the body's own thread. */
void svs__holder_quarantine(svs__holder *holder);

/* Records the first failure, which the end of the body reads after all of its asyncs have ended. */
static inline svs_status svs__holder_fail(svs__holder *holder, svs_status status) {
    svs_status none = SVS_OK;
    /* relaxed: the end of an async orders it before the end of the body (worksteal/finish.h). */
    if (holder && status) {
        (void)svs__cas_strong_relaxed(&holder->status, &none, status);
        svs__holder_use(holder);
    }
    return status;
}

#endif
