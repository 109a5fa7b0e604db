#include "sched/domain/window/pace.h"

#include "base/platform.h"

/* before a body was measured, fewer items than this, sent by bodies, are run by one worker */
#define GUESSED 64u
/* bodies that take more are always shared, because other work waits for them */
#define LONG_NS 4000u
/* a gap between two windows that is no longer than this belongs to their time */
#define GAP_NS 1000u
#define MEASURED 16u  /* number of bodies of a measurement; the time of fewer is none */
#define LOOK_NS 4000u /* the maximum time between two checks for other work */
#define BETWEEN 16u   /* the maximum number of bodies between two such checks */

/* ---- the present pace ---- */

static svs__pace *pace_of(svs__domain *domain, svs_task *only) {
    return only ? &only->pace : &svs__windows_of(domain)->mixed;
}

/* The number of bodies that a worker runs without a check for other work, minus 1. The number of
 * bodies is a power of two. */
static uint32_t between_of(uint64_t body_ns) {
    uint32_t bodies = BETWEEN;
    while (bodies > 1 && bodies * body_ns > LOOK_NS) bodies /= 2;
    return bodies - 1;
}

/* Sets an estimate, only if it changes, because workers read it far more often than it changes. */
static void set(_Atomic(uint32_t) *estimate, uint32_t value) {
    /* relaxed is enough for both: it is an estimate. */
    if (svs__load_relaxed(estimate) != value) svs__store_relaxed(estimate, value);
}

void svs__pace_set(svs__domain *domain, svs_task *only) {
    svs__pace *pace = pace_of(domain, only);
    if (svs__pace_of(domain) == pace) return;
    svs__store_relaxed(&svs__windows_of(domain)->pace, pace); /* relaxed is enough: a hint */
    set(&domain->stage.between, between_of(svs__pace_body_ns(domain)));
}

/* ---- light instances ---- */

/* Whether the next instances count among those that were sent during the run. */
static bool is_fed(svs__domain *domain) {
    return !svs__windows_of(domain)->in_order && svs__domain_is_fed(domain);
}

static bool is_faster_alone(svs__domain *domain, const svs__pace *pace, uint32_t taken) {
#if defined(SVS_EXPLORE) /* it measures nothing; the schedule decides */
    (void)domain, (void)pace, (void)taken;
    return svs__time_ns() / 1000 % 8 != 0; /* in the explorer, time counts steps */
#else
    /* relaxed is enough: it is an estimate. */
    uint32_t body_ns = svs__load_relaxed(&((svs__pace *)(uintptr_t)pace)->body_ns);
    if (domain->env->threads == 1) return body_ns < LONG_NS; /* nothing is shared */
    if (!svs__light_is_alone(&pace->light[is_fed(domain)])) return false;
    return body_ns < LONG_NS ||
           (body_ns == UINT32_MAX && taken + svs__domain_arrivals(domain) < GUESSED);
#endif
}

bool svs__pace_is_light(svs__domain *domain, const svs__pace *pace, uint32_t taken) {
    return is_faster_alone(domain, pace, taken) && !domain->env->watched &&
           !svs__jobs_crowded(&domain->env->world->runtime->jobs);
}

bool svs__window_is_trial(svs__domain *domain) {
    return is_fed(domain) && svs__light_tries_to_share(&svs__pace_of(domain)->light[1]);
}

svs__light *svs__pace_light(svs__domain *domain) {
    return &svs__pace_of(domain)->light[is_fed(domain)];
}

void svs__pace_note_ended(svs__domain *domain, svs__light *l, svs__way way, uint64_t begun_ns,
                          uint32_t ran) {
#if defined(SVS_EXPLORE)
    (void)domain, (void)l, (void)way, (void)begun_ns, (void)ran;
#else
    uint32_t body_ns = (uint32_t)svs__pace_body_ns(domain);
    uint64_t now = svs__time_ns(), from = begun_ns;
    if (l->closed_ns + GAP_NS > from) from = l->closed_ns;
    l->closed_ns = now;
    l->waits = svs__world_is_large(domain->env->world);
    l->has_idle = svs__runtime_has_idle(domain->env->world->runtime);
    if (body_ns != UINT32_MAX) svs__light_guess(l, body_ns);
    svs__light_add(l, way, now - from, ran, body_ns < LONG_NS ? body_ns : UINT32_MAX);
#endif
}

/* ---- measuring ---- */

/* Adds a measured time to an estimate: the least of several, because a worker that has lost its CPU
 * in between seems slow. */
static void estimate(_Atomic(uint32_t) *of, uint64_t ns) {
    uint32_t known = svs__load_relaxed(of); /* relaxed is enough: it is an estimate */
    uint32_t one = ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX - 1;
    set(of, one < known ? one : known + (one - known) / 8);
}

void svs__pace_measure_making(svs__domain *domain, svs_task *only, uint64_t ns,
                              uint32_t candidates) {
    estimate(&pace_of(domain, only)->make_ns, ns / candidates);
}

void svs__pace_measure(svs__domain *domain, svs_context *context, uint64_t ns, uint32_t ran) {
    svs__pace *pace = svs__pace_of(domain);
    if (context->piece_of != pace) context->piece_ns = context->piece_ran = 0;
    context->piece_of = pace;
    context->piece_ns += ns;
    context->piece_ran += ran;
    if (context->piece_ran < MEASURED) return;
    estimate(&pace->body_ns, context->piece_ns / context->piece_ran);
    set(&domain->stage.between, between_of(svs__pace_body_ns(domain)));
    context->piece_ns = context->piece_ran = 0;
}

void svs__pace_guess(svs__pace *pace, uint64_t body_ns) {
    set(&pace->body_ns, body_ns < UINT32_MAX ? (uint32_t)body_ns : UINT32_MAX - 1);
}
