/* Serial runs: light instances of a windowed domain that one worker runs in turn (sched.W10). To
 * compare them with each other would cost more than their bodies. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_SERIAL_H
#define SVS_SCHED_DOMAIN_WINDOW_SERIAL_H

#include "sched/domain/window/window.h"

/* Runs what is left over and arrivals in a serial run, if the stage and the lease are free. @return
 * whether it has run any. */
bool svs__window_run_serially(svs__domain *domain, svs_context *context);

/* ---- light instances: to share their bodies among workers costs more than to run them ---- */

/* A worker, in `alone` and `maker`. */
static inline uint32_t svs__name_of(const svs__worker *worker) { return worker->index + 1; }

/* [sched.W8] Whether it is this worker that runs alone. */
static inline bool svs__window_is_alone(svs__domain *domain, const svs__worker *worker) {
    /* relaxed: the worker's own writes, or another's name. */
    return svs__load_relaxed(&svs__windows_of(domain)->alone) == svs__name_of(worker);
}

/* [sched.W4] The stage is free: wakes another worker, unless this one runs alone, and looks again
 * before it ends that (sched.W8). */
static inline void svs__window_tell_free(svs__domain *domain, const svs__worker *worker) {
    if (!svs__window_is_alone(domain, worker)) svs__env_wake(domain->env, true);
}

/* The way in which the domain's stages are opened just now. */
static inline svs__way svs__window_way(svs__domain *domain) {
    /* relaxed: a hint. */
    return svs__load_relaxed(&svs__windows_of(domain)->alone) ? SVS__ALONE : SVS__SHARED;
}

/* A window or a serial run has ended, with `ran` instances. By the owner of the stage, with several
 * workers. */
void svs__window_note_ended(svs__domain *domain, svs__way way, uint64_t begun_ns, uint32_t ran);

/* Whether the domain's instances are light, as far as they were measured (window/light.h). */
bool svs__window_is_light(svs__domain *domain);

/* Whether the next window is made for a trial to share what runs in serial runs (sched.W18). */
bool svs__window_is_trial(svs__domain *domain);

/* Notes whether the last candidates were walked (window/keys.h). By the owner of the stage, or
 * under the domain's lock. */
void svs__window_note_walks(svs__domain *domain, bool walks);

/* `ran` instances took `ns` together. */
void svs__window_measure(svs__domain *domain, svs_context *context, uint64_t ns, uint32_t ran);

#endif
