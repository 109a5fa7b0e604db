/* A holder: the running instance on behalf of which a thread touches memory objects. The
 * scheduler's context begins with one, and a worker's `context` points to it while a body runs.
 * Used by its own thread only. */
#ifndef SVS_MEMOBJ_HOLDER_H
#define SVS_MEMOBJ_HOLDER_H

#include "memobj/world.h"

typedef struct svs__holder {
    svs_world *world;
    uint64_t order;    /* names the instance, the same in every run */
    uint64_t made;     /* objects that it has made */
    svs_status status; /* the first failure of a call that the body may have ignored */
    /* Something was made: it joins the write set until the holder ends or hands it off. */
    svs_status (*fresh)(struct svs__holder *holder, svs_object *object);
} svs__holder;

/* The watchdog looks at the order, too. */
#define SVS__HOLDER_ORDER(holder) ((_Atomic(uint64_t) *)&(holder)->order)

/* The calling thread's holder, or NULL outside of any body. */
static inline svs__holder *svs__holder_self(void) {
    svs__worker *worker = svs__worker_self();
    return worker ? (svs__holder *)worker->context : NULL;
}

/* Notes a failure for the body's end. */
static inline svs_status svs__holder_fail(svs__holder *holder, svs_status status) {
    if (holder && status && !holder->status) holder->status = status;
    return status;
}

#endif
