/* How the instances of a stage come to the workers. A short stage is dealt: each worker claims one
 * piece of it. While all workers run, the owner has claimed the first piece by the begin
 * (sched.P5), and the others wait for the begin a moment, because the stage before was as short. So
 * a stage costs a worker one claim and one leave, and two cache lines go from one to the other. */
#include "base/check.h"
#include "base/platform.h"
#include "sched/domain/stage/stage.h"
#include "sched/domain/window/parts.h"

#if defined(SVS_EXPLORE)
#define WIDE 1u
#define LOOKS 1u
#else
#define WIDE 64u  /* instances a worker: the stage is claimed from both ends (sched.P6) */
#define LOOKS 32u /* for a stage: they take less time than a search for work */
#endif
#define WHOLE 256u      /* instances after which a worker that runs alone looks around */
#define SHORT_NS 16000u /* of a worker's share: claims of less would cost more than they even out */
#define BESIDE_MAKER 4u /* pieces of a share, while another worker makes a window: it comes back */

/* Bodies that take so little time are dealt. The explorer measures nothing, and the schedule
 * chooses. */
static bool is_short(const svs__domain *domain, uint32_t count) {
#if defined(SVS_EXPLORE)
    (void)domain, (void)count;
    return svs__time_ns() / 1000 % 2 != 0; /* its time is its steps */
#else
    /* relaxed: an estimate. */
    uint64_t body_ns = svs__load_relaxed(&domain->windows->body_ns);
    return count * body_ns <= (uint64_t)domain->env->threads * SHORT_NS;
#endif
}

/* How many instances a worker claims at once of a stage that is dealt; 0: this one is not. */
static uint32_t deal(svs__domain *domain, uint32_t count) {
    uint32_t pieces = domain->env->threads;
    if (domain->env->watched || svs__sources_crowded(&domain->env->world->runtime->sources) ||
        !is_short(domain, count))
        return 0;
    if (svs__lock_is_held(&domain->lock)) pieces *= BESIDE_MAKER; /* a hint */
    return (count + pieces - 1) / pieces;
}

/* Whether all workers are awake, each on a CPU. Otherwise one that is woken may take the owner's
 * CPU, and the owner's piece would wait. */
static bool all_run(const svs__domain *domain) {
    /* relaxed: a hint. */
    return !domain->env->few_cpus &&
           !svs__load_relaxed(&domain->env->world->runtime->parking.sleepers);
}

void svs__window_begin_stage(svs__domain *domain, svs_context *context, uint32_t count,
                             void (*end)(svs__domain *domain, svs_context *context)) {
    svs__windows *ws = domain->windows;
    const svs__window *w = ws->open;
    svs__stage *stage = &domain->stage;
    /* relaxed, these: hints. */
    bool alone = domain->env->threads == 1 || svs__load_relaxed(&ws->alone);
    bool both_ends = !alone && count >= WIDE * domain->env->threads;
    uint32_t piece = alone ? 0 : deal(domain, count), kept = all_run(domain) ? piece : 0, begin;
    svs__store_relaxed(&stage->piece, alone ? WHOLE : piece);
    svs__store_relaxed(&stage->soon, piece && !domain->env->few_cpus);
    SVS__ASSERT(!kept || !context->claimed.count); /* sched.P5 */
    stage->run = w->items[w->stage];
    stage->only = w->only;
    stage->end = end;
    begin = svs__stage_begin(stage, context->worker, both_ends, kept, count);
    if (kept) context->claimed = (svs__claimed){domain, begin, kept};
    if (!alone && count > 1) svs__runtime_notify(domain->env->world->runtime, count - 1);
}

bool svs__window_comes_soon(svs__domain *domain) {
    svs__stage *stage = &domain->stage;
    /* relaxed, both: hints. */
    if (!svs__load_relaxed(&stage->soon) || !svs__load_relaxed(&stage->left)) return false;
    for (uint32_t i = 1; !svs__stage_has_unclaimed(domain); i++, svs__relax())
        if (i == LOOKS) return false;
    return true;
}
