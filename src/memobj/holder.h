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
 *       does).
 *
 * Threads: the body's, and those of its asyncs. While `shared` is false, the body's is the only
 * one. `shared` changes in the body's thread, before the first async is spawned and after the last
 * has ended; so each thread that acts for the holder sees it. */
#ifndef SVS_MEMOBJ_HOLDER_H
#define SVS_MEMOBJ_HOLDER_H

#include "memobj/core/world_state.h"

typedef struct svs__holder {
    svs_world *world;
    uint64_t order;             /* identifies the instance; equal in each run */
    _Atomic(uint64_t) made;     /* the number of objects that it made */
    _Atomic(svs_status) status; /* the first failure of a call that the body may have ignored */
    bool shared;                /* asyncs of the body act for it as well */
    /* Called for a new object: adds it with all of its members to the write set, until the holder
     * ends or hands it off. @return SVS_OK, or SVS_E_NO_MEMORY: nothing was added. */
    svs_status (*fresh)(struct svs__holder *holder, svs_object *object, const svs_type *type);
} svs__holder;

/* The order as the watchdog reads it. */
#define SVS__HOLDER_ORDER(holder) ((_Atomic(uint64_t) *)&(holder)->order)

/* The calling thread's holder, or NULL outside of any body. */
static inline svs__holder *svs__holder_self(void) {
    svs__worker *worker = svs__worker_self();
    return worker ? worker->deque.context : NULL;
}

/* Takes `count` numbers from one of the holder's counters. @return the first. */
static inline uint64_t svs__holder_number(const svs__holder *holder, _Atomic(uint64_t) *counter,
                                          uint64_t count) {
    uint64_t first;
    /* relaxed, both: only the number matters. */
    if (holder->shared) return svs__fetch_add_relaxed(counter, count);
    first = svs__load_relaxed(counter);
    svs__store_relaxed(counter, first + count);
    return first;
}

/* Records the first failure, which the end of the body reads after all of its asyncs have ended. */
static inline svs_status svs__holder_fail(svs__holder *holder, svs_status status) {
    svs_status none = SVS_OK;
    /* relaxed: the end of an async orders it before the end of the body (worksteal/finish.h). */
    if (holder && status) (void)svs__cas_strong_relaxed(&holder->status, &none, status);
    return status;
}

#endif
