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
    svs__masters round;  /* 2: the masters of this round */
    /* 2: the masters of the next round; the lock guards it, and `dirty` and `listed` during 2 */
    svs__masters next;
    svs__masters stack;   /* 5 */
    svs__masters ordered; /* 5 */
    svs__lock lock;
    _Atomic(int32_t) status;
} svs__refresh;

static inline void svs__refresh_fail(svs__refresh *r, svs_status status) {
    svs__store_relaxed(&r->status, status);
}
static inline bool svs__refresh_failed(svs__refresh *r) {
    return svs__load_relaxed(&r->status) != SVS_OK;
}

/* Appends a master. Without memory the refresh fails. */
void svs__refresh_push(svs__refresh *r, svs__masters *list, svs__master *m);

/* Called for each target with a primary: the link leads from an object of M's neighbourhood to it.
 * svs__refresh_visit() iterates over one object of M, svs__refresh_visit_all() over each. */
typedef void svs__visit(svs__refresh *r, svs__master *m, svs_object *from, svs_object *to,
                        svs__master *primary);
void svs__refresh_visit(svs__refresh *r, svs__master *m, svs_object *object, svs__visit *visitor);
void svs__refresh_visit_all(svs__refresh *r, svs__master *m, svs__visit *visitor);

/* Step 2 (reelect.c). */
void svs__refresh_reelect(svs__refresh *r);

#endif
