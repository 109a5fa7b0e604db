/* A holder: the running instance on behalf of which a thread touches memory objects. The
 * scheduler's context begins with one, and a worker's context points to it while the worker runs
 * the body, or an async of the body that it stole.
 *
 *   O3  everything that runs for an instance has the instance's holder, on whatever worker: its
 *       body, and each async of it (worksteal/finish.h, F5). So a call answers the same whichever
 *       worker runs it, and what a call refuses fails the instance;
 *   O4  an object that was made for a holder is released by that holder only, once: when it is
 *       handed off, or when the instance ends.
 *
 * Threads: the body's, and those of its asyncs. While `shared` is false the body's is the only one.
 * It changes in the body's thread, before the first async is spawned and after the last has ended;
 * so each thread that acts for the holder sees it. */
#ifndef SVS_MEMOBJ_HOLDER_H
#define SVS_MEMOBJ_HOLDER_H

#include "memobj/world.h"

typedef struct svs__holder {
    svs_world *world;
    uint64_t order;             /* names the instance, the same in every run */
    _Atomic(uint64_t) made;     /* objects that it has made */
    _Atomic(svs_status) status; /* the first failure of a call that the body may have ignored */
    bool shared;                /* asyncs of the body act for it, too */
    /* Something was made: it joins the write set with all of its members, or none of them does,
     * until the holder ends or hands it off. @return SVS_OK or SVS_E_NO_MEMORY. */
    svs_status (*fresh)(struct svs__holder *holder, svs_object *object, const svs_type *type);
} svs__holder;

/* The watchdog looks at the order, too. */
#define SVS__HOLDER_ORDER(holder) ((_Atomic(uint64_t) *)&(holder)->order)

/* The calling thread's holder, or NULL outside of any body. */
static inline svs__holder *svs__holder_self(void) {
    svs__worker *worker = svs__worker_self();
    return worker ? (svs__holder *)worker->deque.context : NULL;
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

/* Notes a failure for the body's end, which comes after the ends of its asyncs. */
static inline svs_status svs__holder_fail(svs__holder *holder, svs_status status) {
    svs_status none = SVS_OK;
    /* relaxed: the end of an async orders it before the body's end (F3). */
    if (holder && status) (void)svs__cas_strong_relaxed(&holder->status, &none, status);
    return status;
}

#endif
