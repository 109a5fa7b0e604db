/* How fast the instances of a windowed domain run: alone on one worker, and shared by all. It
 * decides whether they are light: sharing light instances takes longer than running them
 * (window/light.h).
 *
 * The tasks of one domain may differ much, as the phases of a frame do. So each task is measured by
 * itself, while its instances run without others. Windows and serial runs with instances of several
 * tasks are measured together. The *present* pace is that of the instances that run, or ran last.
 *
 * Threads: the owner of the stage (sched.W3) changes the present pace, and notes what has ended;
 * any worker may read it and measure. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_PACE_H
#define SVS_SCHED_DOMAIN_WINDOW_PACE_H

#include "sched/domain/window/window.h"

/* The present pace. */
static inline svs__pace *svs__pace_of(const svs__domain *domain) {
    /* relaxed is enough: it may be stale, and is as old as the domain. */
    return svs__load_relaxed(&svs__windows_of(domain)->pace);
}

/* The time of a body at present; UINT32_MAX: not measured. */
static inline uint64_t svs__pace_body_ns(const svs__domain *domain) {
    return svs__load_relaxed(&svs__pace_of(domain)->body_ns); /* relaxed: it is an estimate */
}

/* The instances that run next are of this task, or, with NULL, of several. */
void svs__pace_set(svs__domain *domain, svs_task *only);

/* Whether the next instances, which are at this pace, are light. Before a body was measured, they
 * are light only if they are few: the arrivals and `taken` others, which were taken already. */
bool svs__pace_is_light(svs__domain *domain, const svs__pace *pace, uint32_t taken);

/* The same at the present pace. */
static inline bool svs__window_is_light(svs__domain *domain) {
    return svs__pace_is_light(domain, svs__pace_of(domain), 0);
}

/* The measurement that the instances count in which run next. */
svs__light *svs__pace_light(svs__domain *domain);

/* Whether the next window is made for a trial, in which workers share the instances of serial runs
 * (sched.W18). */
bool svs__window_is_trial(svs__domain *domain);

/* Called by the owner of the stage, if there are several workers, when a window or a serial run
 * with `ran` instances, which count in `l`, has ended. */
void svs__pace_note_ended(svs__domain *domain, svs__light *l, svs__way way, uint64_t begun_ns,
                          uint32_t ran);

/* Adds a measurement: a window with `candidates` candidates, of the task `only` or of several, was
 * made in `ns` nanoseconds. */
void svs__pace_measure_making(svs__domain *domain, svs_task *only, uint64_t ns,
                              uint32_t candidates);

/* Adds a measurement: `ran` bodies took `ns` nanoseconds together. */
void svs__pace_measure(svs__domain *domain, svs_context *context, uint64_t ns, uint32_t ran);

/* Sets a pace's `body_ns` before the first measurement. */
void svs__pace_guess(svs__pace *pace, uint64_t body_ns);

#endif
