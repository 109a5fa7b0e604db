/* Makes a stage: chooses instances that conflict neither with a running instance nor with each
 * other.
 *
 * The deferred records come first (stage/deferred.c), then the arrivals (stage/arrivals.c).
 *
 *   sched.M1  room in the stage and in its hold is made before admission, so that each admitted
 *       instance enters the stage;
 *   sched.M2  no code of the user runs under admission's lock (not asserted: a lock does not name
 *       its holder). */
#include "sched/domain/stage/build.h"

#include "base/check.h"
#include "sched/domain/observe/seen.h"
#include "sched/domain/stage/arrivals.h"
#include "sched/domain/stage/deferred.h"
#include "sched/domain/stage/stage.h"

static void complete_stage(svs__domain *domain, svs_context *context) {
    const svs__stage *stage = &domain->stage;
    context->statistics.stages++;
    context->statistics.staged_instances += stage->count;
    if (stage->count > context->statistics.width_max) context->statistics.width_max = stage->count;
    if (SVS__UNLIKELY(context->env->seen.any))
        svs__seen_tell_stage(context, SVS__SEEN_STAGE, stage->items[0], stage->count);
    svs__stage_offer(domain);
}

bool svs__stage_make(svs__domain *domain, svs_context *context, bool arrivals) {
    uint64_t epoch = svs__admission_epoch(domain->env->admission);
    SVS__ASSERT(svs__lock_is_held(&domain->lock)); /* sched.P1 */
    svs__pending_fit(&domain->pending, domain->env->world);
    SVS__ASSERT_SLOW(svs__pending_is_valid(&domain->pending)); /* sched.Q1 to sched.Q5 */
    domain->stage.count = domain->stage.offered = 0;
    svs__domain_set_blocked(domain, false, 0);
    svs__stage_consider_deferred(domain, context);
    if (arrivals) svs__stage_consider_arrivals(domain, context);
    if (domain->stage.count) {
        complete_stage(domain, context);
        return true;
    }
    /* The set of a withdrawn instance may still be in the hold. */
    if (domain->stage.hold.count || domain->stage.hold.dense) {
        (void)svs__admission_release(domain->env->admission, &domain->stage.hold);
        return false;
    }
    if (svs__load_relaxed(&domain->pending.count)) svs__domain_set_blocked(domain, true, epoch);
    return false;
}
