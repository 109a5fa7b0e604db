#include "sched/domain/window/light.h"

#include "base/check.h"

/* number of instances of a measured piece; the time of fewer is no measurement */
#define PIECE 64u
/* the minimum number of pieces between two trials; the fastest of them is compared */
#define PIECES 4u
#define FIRST_NS 100000u /* time in the preferred way before the first trial */
/* if bodies take less than this, the first trial comes LATER times as late, because sharing is
 * likely to be slow */
#define LIKELY_NS 100u
#define LATER SVS__TRIAL_PART
/* or, if it `waits` and one worker takes at least this much longer for an instance than for its
 * body, only LATER_IF_COSTLY times as late, but after the first pieces, which fill the caches */
#define COSTLY_NS 12u
#define LATER_IF_COSTLY 8u
#define COLD_PIECES 16u
#define WARM_NS 100000u  /* windows that begin in this first part of a trial are not judged */
#define TRIAL_NS 100000u /* the judged part of a trial */
/* a trial ends early if the tried way takes this many times as long as the preferred one */
#define SLOWER 2u
/* a way becomes the preferred one if it takes less than 15 / 16 of the other one's time */
#define FASTER_NUMERATOR 15

static svs__way other(svs__way way) { return way == SVS__SHARED ? SVS__ALONE : SVS__SHARED; }

static void go(svs__light *l, svs__way way) {
    svs__store_relaxed(&l->way, way); /* relaxed is enough for both: they are estimates */
    svs__store_relaxed(&l->tries, way != l->preferred);
    l->piece_ns = l->piece_ran = 0;
}

static void see(uint32_t *cost, uint32_t one) {
    uint32_t more = one > *cost ? (one - *cost) / 8 : 0;
    if (!*cost || one < *cost) *cost = one;
    /* a far longer time means that a CPU was lost */
    else *cost += more < *cost / 4 ? more : *cost / 4;
}

/* ---- trials ---- */

static uint32_t part_after(const svs__light *l, bool changes) {
    uint32_t part = changes || !l->part ? SVS__TRIAL_PART : 2 * l->part;
    return part < SVS__TRIAL_PART_MOST ? part : SVS__TRIAL_PART_MOST;
}

static void end_trial(svs__light *l) {
    svs__way tried = other(l->preferred);
    bool changes =
        (uint64_t)l->cost[tried] * 16 < (uint64_t)l->cost[l->preferred] * FASTER_NUMERATOR;
    l->part = part_after(l, changes);
    l->tried_ns += l->trial_ns;
    if (changes) l->preferred = tried;
    l->judged = l->cost[l->preferred];
    l->rest_ns = l->pieces = 0;
    go(l, l->preferred);
}

/* Adds a piece that has taken `piece_ns` of the trial. */
static void add_to_trial(svs__light *l, uint32_t one, uint64_t piece_ns) {
    uint32_t *cost = &l->cost[other(l->preferred)];
    uint64_t warm_ns = l->preferred == SVS__ALONE ? WARM_NS : 0;
    if (l->trial_ns - piece_ns < warm_ns) return;
    see(cost, one);
    if (l->trial_ns >= warm_ns + TRIAL_NS || *cost > SLOWER * (uint64_t)l->cost[l->preferred])
        end_trial(l);
}

/* Whether the way that is not preferred may be the faster one. */
static bool may_pay(const svs__light *l, uint32_t body_ns) {
    if (l->preferred == SVS__ALONE) return l->has_idle;
    /* the body takes at most 5/4 of the time of a shared instance */
    return (uint64_t)body_ns * 64 <= (uint64_t)l->cost[SVS__SHARED] * 5;
}

/* Whether the instances have changed since the last trial so that the other way may now be
 * faster. */
static bool has_changed(const svs__light *l) {
    uint64_t cost = l->cost[l->preferred];
    if (l->preferred == SVS__SHARED) return 2 * cost < l->judged;
    return cost > 2 * (uint64_t)l->judged && 2 * cost > l->cost[SVS__SHARED];
}

/* Whether one worker waits for memory, and takes much longer for an instance than for its body. */
static bool is_costly(const svs__light *l, uint32_t body_ns) {
    return l->waits && l->cost[SVS__ALONE] >= 16 * (body_ns + COSTLY_NS);
}

static bool is_due(const svs__light *l, uint32_t body_ns) {
    if (l->pieces < PIECES) return false;
    if (l->part) return l->rest_ns >= l->trial_ns * (has_changed(l) ? SVS__TRIAL_PART : l->part);
    if (l->preferred == SVS__SHARED && (uint64_t)body_ns * 32 <= l->cost[SVS__SHARED]) return true;
    if (l->preferred == SVS__SHARED || body_ns >= LIKELY_NS) return l->rest_ns >= FIRST_NS;
    if (is_costly(l, body_ns) && l->pieces >= COLD_PIECES)
        return l->rest_ns / LATER_IF_COSTLY >= FIRST_NS;
    return l->rest_ns / LATER >= FIRST_NS;
}

static void add_to_preferred(svs__light *l, uint32_t one, uint32_t body_ns) {
    see(&l->cost[l->preferred], one);
    l->pieces++;
    if (!is_due(l, body_ns) || !may_pay(l, body_ns)) return;
    SVS__ASSERT(l->tried_ns * SVS__TRIAL_PART <= l->all_ns); /* sched.W18 */
    l->trial_ns = l->cost[other(l->preferred)] = 0;
    go(l, other(l->preferred));
}

static uint32_t cost_of(uint64_t ns, uint32_t ran) {
    uint64_t one = ns * 16 / ran;
    return one < UINT32_MAX ? (uint32_t)one : UINT32_MAX;
}

static void count_time(svs__light *l, svs__way way, uint64_t ns) {
    if (way != l->preferred) {
        l->trial_ns += ns;
        return;
    }
    l->rest_ns += ns;
    l->all_ns += ns;
}

void svs__light_begin(svs__light *l, svs__way way) {
    if (l->part || l->cost[SVS__SHARED] || l->cost[SVS__ALONE] || l->preferred == way) return;
    l->preferred = way;
    go(l, way);
}

void svs__pace_begin(svs__pace *pace) {
    svs__store_relaxed(&pace->body_ns, UINT32_MAX);
    svs__store_relaxed(&pace->make_ns, UINT32_MAX);
    svs__light_begin(&pace->light[1], SVS__ALONE);
}

void svs__light_guess(svs__light *l, uint32_t body_ns) {
    if (body_ns < SVS__SHORT_NS) svs__light_begin(l, SVS__ALONE);
    if (body_ns >= SVS__HEAVY_NS) svs__light_begin(l, SVS__SHARED);
}

void svs__light_add(svs__light *l, svs__way way, uint64_t ns, uint32_t ran, uint32_t body_ns) {
    uint64_t piece_ns;
    uint32_t one;
    /* relaxed is enough: only the owner of the stage writes it */
    if (way != svs__load_relaxed(&l->way)) return;
    count_time(l, way, ns);
    l->piece_ns += ns;
    l->piece_ran += ran;
    if (l->piece_ran < PIECE) return;
    piece_ns = l->piece_ns;
    one = cost_of(piece_ns, l->piece_ran);
    l->piece_ns = l->piece_ran = 0;
    if (way == l->preferred) add_to_preferred(l, one, body_ns);
    else add_to_trial(l, one, piece_ns);
}
