#include "sched/domain/window/light.h"

#include "base/platform.h"

#define SHARE_NS 40u  /* bodies that take less are not shared, */
#define WALK_NS 300u  /* nor such ones of lanes in place of walks, which takes about as long */
#define MEASURED 16u  /* so many instances are worth measuring */
#define LOOK_NS 4000u /* a worker looks around so often */
#define BETWEEN 16u   /* and after so many bodies at the latest */

/* The explorer measures nothing, and the schedule chooses. */
static bool is_short(svs__domain *domain) {
#if defined(SVS_EXPLORE)
    (void)domain;
    return svs__time_ns() / 1000 % 8 != 0; /* its time is its steps */
#else
    /* relaxed, both: estimates. */
    return svs__load_relaxed(&domain->windows->body_ns) <
           (svs__load_relaxed(&domain->windows->lanes_walk) ? WALK_NS : SHARE_NS);
#endif
}

bool svs__window_is_light(svs__domain *domain) {
    return is_short(domain) && !domain->env->watched &&
           !svs__sources_crowded(&domain->env->world->runtime->sources);
}

/* How many bodies a worker runs without a look around, less 1: 2^n - 1. */
static uint32_t between_of(uint32_t body_ns) {
    uint32_t bodies = BETWEEN;
    while (bodies > 1 && (uint64_t)bodies * body_ns > LOOK_NS) bodies /= 2;
    return bodies - 1;
}

/* Workers read it far more often than it changes. */
static void set(_Atomic(uint32_t) *estimate, uint32_t value) {
    /* relaxed, both: an estimate. */
    if (svs__load_relaxed(estimate) != value) svs__store_relaxed(estimate, value);
}

void svs__window_note_walks(svs__domain *domain, bool walks) {
    set(&domain->windows->lanes_walk,
        walks && !domain->algorithm->in_order && svs__domain_is_fed(domain));
}

/* The time of an instance is the least of several pieces: a worker that lost its CPU in between
 * looks slow. */
void svs__window_measure(svs__domain *domain, svs_context *context, uint64_t ns, uint32_t ran) {
    _Atomic(uint32_t) *body_ns = &domain->windows->body_ns;
    uint32_t known = svs__load_relaxed(body_ns), one; /* relaxed: an estimate */
    context->piece_ns += ns;
    context->piece_ran += ran;
    if (context->piece_ran < MEASURED) return;
    one = (uint32_t)(context->piece_ns / context->piece_ran);
    set(body_ns, one < known ? one : known + (one - known) / 8);
    set(&domain->between, between_of(svs__load_relaxed(body_ns)));
    context->piece_ns = context->piece_ran = 0;
}
