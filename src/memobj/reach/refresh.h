/* The state and the functions that the steps of a refresh share (refresh.c). */
#ifndef SVS_MEMOBJ_REACH_REFRESH_H
#define SVS_MEMOBJ_REACH_REFRESH_H

#include "memobj/reach/reach.h"

typedef struct svs__masters {
    svs__master **items;
    uint32_t count;
    uint32_t capacity;
} svs__masters;

typedef struct svs__refresh {
    svs_world *world;
    svs__worker *worker;
    svs__masters dirty;  /* D */
    svs__masters listed; /* F */
    svs__masters round;  /* step 2: the masters of the current round */
    /* step 2: the masters of the next round. During step 2, the lock guards `next`, `dirty` and
     * `listed` */
    svs__masters next;
    svs__masters stack;   /* step 5: the stack of the depth-first search */
    svs__masters ordered; /* step 5: D in the order of the search, children first */
    svs__lock lock;
    _Atomic(int32_t) status;
} svs__refresh;

static inline void svs__refresh_fail(svs__refresh *r, svs_status status) {
    svs__store_relaxed(&r->status, status);
}
static inline bool svs__refresh_failed(svs__refresh *r) {
    return svs__load_relaxed(&r->status) != SVS_OK;
}

/* Appends a master to a list. Without memory, marks the refresh as failed. */
void svs__refresh_push(svs__refresh *r, svs__masters *list, svs__master *m);

/* A visitor, called for each link from an object of M's neighbourhood to an object `to` that has a
 * primary. svs__refresh_visit() iterates over the links of one object, svs__refresh_visit_all()
 * over those of all objects of M's neighbourhood. */
typedef void svs__visit(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                        svs__master *primary);
void svs__refresh_visit(svs__refresh *r, svs__master *m, svs_object *object, svs__visit *visitor);
void svs__refresh_visit_all(svs__refresh *r, svs__master *m, svs__visit *visitor);

/* Step 2 (reelect.c). */
void svs__refresh_reelect(svs__refresh *r);

#endif
