/* The current working phase of a worker (hooks/trace_hooks.h). Only the paths of steals and of ends
 * update it. */
#ifndef SVS_WORKSTEAL_PHASE_H
#define SVS_WORKSTEAL_PHASE_H

#include "worksteal/runtime.h"

/* Begins a phase. @return the enclosing phase, for svs__phase_end(). */
static inline uint64_t svs__phase_begin(svs__worker *worker, svs__phase_kind kind, uint32_t victim,
                                        uint64_t at) {
    svs__observer *observer = worker->runtime->observer;
    uint64_t outer = worker->phase;
    worker->phase = worker->phases++;
    /* relaxed is enough, here and below: the watchdog reads it as a hint */
    svs__store_relaxed(&worker->stretch, SVS__IN_ASYNCS);
    if (observer != NULL) {
        svs__phase_start start = {kind, victim, at, worker->deque.async.ordinal};
        observer->phase_begins(observer, worker->index, &start);
    }
    return outer;
}

static inline uint64_t svs__phase_begin_root(svs__worker *worker) {
    svs__guide *guide = svs__runtime_guided(worker->runtime);
    if (guide != NULL && guide->begins_root != NULL) guide->begins_root(guide, worker);
    return svs__phase_begin(worker, SVS__PHASE_ROOT, 0, 0);
}

static inline void svs__phase_end(svs__worker *worker, uint64_t outer, bool suspended) {
    svs__observer *observer = worker->runtime->observer;
    if (observer != NULL)
        observer->phase_ends(observer, worker->index, worker->deque.async.ordinal, suspended);
    worker->phase = outer;
    /* The enclosing phase, if there is one, continues its wait (hooks.O2). */
    svs__store_relaxed(&worker->stretch, outer == SVS__NO_PHASE ? SVS__IN_NONE : SVS__IN_WAIT);
}

/* Help-first: called when the worker begins a wait for stolen children, or ends it. */
static inline void svs__phase_waits(svs__worker *worker, bool begins) {
    svs__observer *observer = worker->runtime->observer;
    svs__store_relaxed(&worker->stretch, begins ? SVS__IN_WAIT : SVS__IN_ASYNCS);
    if (observer != NULL && observer->waits != NULL)
        observer->waits(observer, worker->index, begins);
}

#endif
