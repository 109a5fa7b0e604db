/* Serial runs: one worker runs light instances of a windowed domain one after another (sched.W10),
 * because comparing them with each other would cost more than their bodies. `./dev bench sends`,
 * two threads, time divided by that of locks: 4.25 without serial runs and 0.88 with them for a
 * wavefront, 5.14 and 0.82 for a maximum flow, 2.37 and 1.29 for a search. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_SERIAL_H
#define SVS_SCHED_DOMAIN_WINDOW_SERIAL_H

#include "sched/domain/window/pace.h"

/* Runs items that are left over, and arrivals, in a serial run, if the stage and the lease are
 * free. @return whether it has run any. */
bool svs__window_run_serially(svs__domain *domain, svs_context *context);

/* ---- running alone ---- */

/* The number of a worker in `alone` and `maker`. */
static inline uint32_t svs__name_of(const svs__worker *worker) { return worker->index + 1; }

/* [sched.W8] Whether this worker runs the domain alone. */
static inline bool svs__window_is_alone(svs__domain *domain, const svs__worker *worker) {
    /* relaxed is enough: the worker reads its own write, or the name of another one. */
    return svs__load_relaxed(&svs__windows_of(domain)->alone) == svs__name_of(worker);
}

static inline void svs__window_begin_alone(svs__domain *domain, const svs__worker *worker) {
    /* relaxed is enough: it may be stale */
    svs__store_relaxed(&svs__windows_of(domain)->alone, svs__name_of(worker));
}

/* @return whether the worker has run the domain alone, so that others must look for work now. */
static inline bool svs__window_end_alone(svs__domain *domain, const svs__worker *worker) {
    svs__windows *ws = svs__windows_of(domain);
    if (!svs__window_is_alone(domain, worker)) return false;
    svs__store_relaxed(&ws->alone, 0);
    /* The fence forbids this outcome: a check that comes after it misses work, and another worker,
     * which searches after the wake-up for that work, still finds this one running alone. */
    svs__fence_seq(&ws->alone);
    return true;
}

/* [sched.W4] Called when the stage is free: wakes another worker, unless this one runs alone. In
 * that case this worker checks again before it stops running alone (sched.W8). */
static inline void svs__window_tell_free(svs__domain *domain, const svs__worker *worker) {
    if (!svs__window_is_alone(domain, worker)) svs__env_wake(domain->env, true);
}

/* Records whether the last candidates were walked (window/keys.h). The caller owns the stage, or
 * holds the domain's lock. */
void svs__window_note_walks(svs__domain *domain, bool walks);

#endif
