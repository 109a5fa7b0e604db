/* Light instances: those that one worker alone runs faster than all workers together. Which of the
 * two ways is faster is measured for each domain: the time from the begin to the end of a window or
 * of a serial run, divided by the number of its instances. This time includes the costs of stages,
 * which are high for narrow windows.
 *
 *     svs__light_add(l, way, ns, ran, guess);   a window or a serial run has ended
 *     svs__light_is_alone(l)                    in which way the next instances are run
 *
 * A domain runs its instances in the *preferred* way. From time to time, a *trial* uses the other
 * way for about 0.2 ms. If the trial is faster, its way is preferred from then on. The time of a
 * way is the least of several pieces, because a worker that has lost its CPU in between seems slow;
 * if later pieces are slower, the time is increased by small steps. In a trial to share, windows
 * that begin in its first half are not judged, because other workers wake up and caches fill. It
 * does not begin while all workers are busy, for instance with the body that sends the items.
 *
 *   sched.W18 all trials together take at most 1 / SVS__TRIAL_PART of the time that has passed in
 *       the preferred way when the next one begins. The time between two trials doubles with each
 *       trial that changes nothing, up to SVS__TRIAL_PART_MOST times the trial, and is short again
 *       after the time of an instance has changed to its double or half. No trial runs instances
 *       alone whose bodies take more time than an instance that is shared.
 *
 * Threads: the owner of the stage (sched.W3) calls add; any worker may read the way. */
#ifndef SVS_SCHED_DOMAIN_WINDOW_LIGHT_H
#define SVS_SCHED_DOMAIN_WINDOW_LIGHT_H

#include "base/atomic.h"

#define SVS__TRIAL_PART 64u
#define SVS__TRIAL_PART_MOST 1024u
#define SVS__TRIAL_WINDOW 1024u /* number of instances of a window in a trial to share */

typedef enum svs__way { SVS__SHARED, SVS__ALONE } svs__way;

typedef struct svs__light {
    _Atomic(uint32_t) way;   /* svs__way in which the next instances are run */
    _Atomic(uint32_t) tries; /* 1: `way` is that of a trial; 0: it is the preferred one */
    svs__way preferred;
    uint32_t cost[2]; /* time of an instance in 1/16 ns, by way; 0: not measured */
    uint32_t judged;  /* `cost` of the preferred way when the last trial ended */
    /* the time between two trials is `part` times that of a trial; 0: there was no trial yet */
    uint32_t part;
    uint32_t piece_ran; /* number of instances of the piece that is being measured */
    uint64_t piece_ns;  /* time of that piece */
    uint32_t pieces;    /* number of pieces since the last trial */
    uint64_t trial_ns;  /* time of the current trial so far, or of the last one */
    uint64_t rest_ns;   /* time since the last trial */
    /* set by the caller: the time at which the last window or serial run ended; whether looks at
     * footprints wait for memory, which other workers could do in the meantime; and whether there
     * is an idle worker, which would share */
    uint64_t closed_ns;
    bool waits, has_idle;
    uint64_t all_ns, tried_ns; /* total time in the preferred way, and total time of all trials */
} svs__light;

/* Whether one worker runs the next instances alone. */
static inline bool svs__light_is_alone(const svs__light *l) {
    return svs__load_relaxed(&l->way) == SVS__ALONE; /* relaxed is enough: it is an estimate */
}

/* Whether the next instances are shared only for a trial. */
static inline bool svs__light_tries_to_share(const svs__light *l) {
    /* relaxed is enough: it is an estimate */
    return !svs__light_is_alone(l) && svs__load_relaxed(&l->tries);
}

/* Makes a way the preferred one, unless one was measured before. */
void svs__light_begin(svs__light *l, svs__way way);

/* Guesses the preferred way by the time of a body, unless one was measured before. Bodies between
 * the two limits change nothing. */
#define SVS__SHORT_NS 40u
#define SVS__HEAVY_NS 400u
void svs__light_guess(svs__light *l, uint32_t body_ns);

/* Whether both ways were measured. Not called concurrently with svs__light_add(). */
static inline bool svs__light_is_known(const svs__light *l) {
    return l->cost[SVS__SHARED] && l->cost[SVS__ALONE];
}

/* Adds a measurement: in the given way, `ran` instances took `ns` nanoseconds in total. The body of
 * one of them takes `body_ns`; UINT32_MAX: too long for one worker. */
void svs__light_add(svs__light *l, svs__way way, uint64_t ns, uint32_t ran, uint32_t body_ns);

/* What was measured of the instances of one task, or of those that were mixed with instances of
 * other tasks (window/pace.h). Times are estimates in nanoseconds; UINT32_MAX: not measured. */
typedef struct svs__pace {
    svs__light light[2]; /* sched.W18: of windows; of serial runs and the windows in their place */
    _Atomic(uint32_t) body_ns; /* time of a body */
    _Atomic(uint32_t) make_ns; /* time to make a window, divided by its candidates */
} svs__pace;

/* Initialises a pace whose memory is zeroed. */
void svs__pace_begin(svs__pace *pace);

#endif
