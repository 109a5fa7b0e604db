/* A holder: the running instance on whose behalf a thread touches memory objects. The
 * scheduler's context begins with one. A worker's context points to it while the worker runs the
 * body, or an async that it stole from the body.
 *
 *   memobj.O3  all code of an instance, its body and each async of it, runs with the holder of the
 *       instance, on any worker. So a call has the same answer on each worker, and a refused call
 *       fails the instance;
 *   memobj.O4  only the holder for which an object was made releases it, and does so once: when the
 *       object is published, or when the instance ends (not asserted: the tag FRESH does not name
 *       a holder; the list of the scheduler's context does);
 *   memobj.O5  objects that a body frees are linked in `freed`, and join the quarantine of the
 *       world together, before the instance ends and releases anything. So another instance that
 *       may access a freed object in its own traversal finds the quarantine changed. Each freed
 *       object joins at once while asyncs act for the holder, or if the holder's footprint may be
 *       released before its end.
 *
 * Threads: the thread of the body and the threads of its asyncs; while `shared` is false, only the
 * thread of the body. The body's thread changes `shared` before it spawns the first async and after
 * the last async has ended. So each thread that acts for the holder sees the right value. */
#ifndef SVS_MEMOBJ_HOLDER_H
#define SVS_MEMOBJ_HOLDER_H

#include <svs/detail/loops.h>

#include "memobj/core/world_state.h"

typedef struct svs__holder {
    /* The first three fields are svs__loop_head, which the loops of task types write and read: */
    const void *item; /* the item of the running instance, which identifies the instance */
    /* 0: the instance has left `made`, `status` and `shared` at their initial values */
    _Atomic(uint32_t) used;
    /* the argument of the running instance's task; NULL: no instance runs */
    void *argument;
    svs_world *world;
    _Atomic(uint64_t) made;     /* the number of objects that the instance has made */
    _Atomic(svs_status) status; /* the first failure of a call that the body may have ignored */
    _Atomic(bool) left_out;     /* the body has left out the upkeep of a link (memobj.R6) */
    bool shared;                /* asyncs of the body act for the holder as well */
    bool seed_is_known;         /* `seed` is valid; `used` is set as well */
    /* the instance's footprint may be released before its end (memobj.O5) */
    bool frees_at_once;
    /* list of the objects that the body has freed, the last one first (memobj.O5); NULL: none */
    svs_object *freed;
    svs_object *freed_first; /* the object that the body freed first, the end of `freed` */
    /* seed made from the instance's place in the order of sends; it is equal in each run */
    uint64_t seed;
    /* part that the keys of the instance's objects share; valid while `made` is not 0 and `shared`
     * is false (object.c) */
    uint64_t made_key;
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

/* The field `item` as an atomic word, which the watchdog reads. */
#define SVS__HOLDER_ITEM(holder) ((_Atomic(uintptr_t) *)(uintptr_t) & (holder)->item)

/* The holder for which the worker `self`, the calling thread, acts; NULL outside of any body. */
static inline svs__holder *svs__holder_of(const svs__worker *self) {
    return self ? self->deque.context : NULL;
}
static inline svs__holder *svs__holder_self(void) { return svs__holder_of(svs__worker_self()); }

/* Records that the end of the instance has something to undo. */
static inline void svs__holder_use(svs__holder *holder) {
    /* relaxed is enough: the end of the instance reads it after all asyncs have ended */
    svs__store_relaxed(&holder->used, 1);
}

/* Returns `seed`, which the first call computes. The first call is made before any async acts for
 * the holder. */
static inline uint64_t svs__holder_seed(svs__holder *holder) {
    if (holder->seed_is_known) return holder->seed;
    holder->seed = holder->seed_of(holder);
    holder->seed_is_known = true;
    svs__holder_use(holder);
    return holder->seed;
}

/* Takes `count` numbers from one of the holder's counters. @return the first number. */
static inline uint64_t svs__holder_number(svs__holder *holder, _Atomic(uint64_t) *counter,
                                          uint64_t count) {
    uint64_t first;
    svs__holder_use(holder);
    /* relaxed is enough for both: only the number matters. */
    if (holder->shared) return svs__fetch_add_relaxed(counter, count);
    first = svs__load_relaxed(counter);
    svs__store_relaxed(counter, first + count);
    return first;
}

/* [memobj.R6] Records that the body leaves out the upkeep of a link. Called before the link is
 * stored. */
static inline void svs__holder_leave_out(svs__holder *holder) {
    /* relaxed is enough: the body's own thread reads it, after the async that stores the link has
     * ended (worksteal/finish.h). */
    if (holder) svs__store_relaxed(&holder->left_out, true);
}

/* [memobj.O5] Moves the objects that the body has freed into the quarantine. Called by the body's
 * own thread. */
void svs__holder_quarantine(svs__holder *holder);

/* Records the first failure, which the end of the body reads after all of its asyncs have ended. */
static inline svs_status svs__holder_fail(svs__holder *holder, svs_status status) {
    svs_status none = SVS_OK;
    /* relaxed is enough: an async ends before the body does, and the end of the body reads the
     * status (worksteal/finish.h). */
    if (holder && status) {
        (void)svs__cas_strong_relaxed(&holder->status, &none, status);
        svs__holder_use(holder);
    }
    return status;
}

#endif
