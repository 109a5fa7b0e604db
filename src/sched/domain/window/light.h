/* Light instances: those that one worker runs faster in turn than all workers share them. Which of
 * the two ways is faster is measured, for each domain by itself: the time from the begin to the end
 * of a window or of a serial run, divided by its instances. What a stage costs is part of it, so
 * that narrow windows show.
 *
 *     svs__light_add(l, way, ns, ran, guess);   a window or a serial run has ended
 *     svs__light_is_alone(l)                    which way the next instances go
 *
 * A domain goes the *preferred* way. From time to time a *trial* goes the other way for some 0.2
 * ms. If that is measured to be faster, it is preferred from then on. The time of a way is the
 * least of several pieces, because a worker that lost its CPU in between looks slow; what is
 * slower is believed by and by. The first half of a trial is not judged: other workers wake up
 * meanwhile, and caches fill.
 *
 *   sched.W18 all trials together take at most 1 / SVS__TRIAL_PART of the time that has passed in
 *       the preferred way when the next one begins. The time between two trials doubles with each
 *       trial that changes nothing, up to SVS__TRIAL_PART_MOST times the trial, and is short again
 *       after the time of an instance has changed to its double or half. No trial runs instances
 *       alone whose bodies take more time than an instance that is shared.
 *
 * Threads: the owner of the stage (sched.W3) adds; any worker may ask. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_LIGHT_H
#define SVS_SCHED_DOMAIN_WINDOW_LIGHT_H

#include "base/atomic.h"

#define SVS__TRIAL_PART 64u
#define SVS__TRIAL_PART_MOST 1024u
#define SVS__TRIAL_WINDOW 512u /* instances of a window in a trial to share */

typedef enum svs__way { SVS__SHARED, SVS__ALONE } svs__way;

typedef struct svs__light {
    _Atomic(uint32_t) way;   /* svs__way of the next instances: the preferred one, */
    _Atomic(uint32_t) tries; /* or, if this is 1, that of a trial */
    svs__way preferred;
    uint32_t cost[2];          /* of an instance, in 1/16 ns, by way; 0: not measured */
    uint32_t judged;           /* the cost of the preferred way when the last trial ended */
    uint32_t part;             /* the trial is that part of the time between two; 0: none yet */
    uint32_t piece_ran;        /* of the piece that is measured, */
    uint64_t piece_ns;         /* and its time */
    uint32_t pieces;           /* since the last trial */
    uint64_t trial_ns;         /* of the trial so far, or of the last one */
    uint64_t rest_ns;          /* since the last trial */
    uint64_t closed_ns;        /* the caller's: when the last window or serial run ended */
    uint64_t all_ns, tried_ns; /* of all that was preferred, and of all trials */
} svs__light;

/* One worker runs the next instances. */
static inline bool svs__light_is_alone(const svs__light *l) {
    return svs__load_relaxed(&l->way) == SVS__ALONE; /* relaxed: an estimate */
}

/* Whether they are shared for a trial only. */
static inline bool svs__light_tries_to_share(const svs__light *l) {
    return !svs__light_is_alone(l) && svs__load_relaxed(&l->tries); /* relaxed: an estimate */
}

/* Prefers the way, until both were measured. */
void svs__light_begin(svs__light *l, svs__way way);

/* Whether both ways were measured. Not concurrently with svs__light_add(). */
static inline bool svs__light_is_known(const svs__light *l) {
    return l->cost[SVS__SHARED] && l->cost[SVS__ALONE];
}

/* `ran` instances took `ns`, by one worker or by all; the body of one of them takes `body_ns`,
 * or UINT32_MAX: too long for one worker. */
void svs__light_add(svs__light *l, svs__way way, uint64_t ns, uint32_t ran, uint32_t body_ns);

#endif
