/* Making a stage: choosing instances that conflict with nothing that runs, nor with each other.
 *
 * First come the deferred (deferred.c), then what has arrived (arrivals.c).
 *
 *   M1  room in the stage and in its hold comes before admission, so that what is
 *       admitted is in the stage;
 *   M2  no code of the user runs under admission's lock. */
#include "base/check.h"
#include "base/memory.h"
#include "sched/graph.h"

/* ---- the stage ---- */

uint32_t svs__stage_room(const svs__domain *domain) {
    const svs__stage *stage = &domain->stage;
    uint32_t width = domain->run->graph->options.stage_width;
    uint32_t room = width ? width - stage->count : UINT32_MAX;
    if (!stage->offered) return room;
    return room < stage->capacity - stage->count ? room : stage->capacity - stage->count; /* P4 */
}

bool svs__stage_make_room(svs__domain *domain, uint32_t records, uint32_t elements) {
    const svs_world *world = domain->run->graph->world;
    svs__stage *stage = &domain->stage;
    void *grown = stage->records;
    if (records > stage->capacity - stage->count) {
        SVS__CHECK(!stage->offered); /* P4 */
        if (records > UINT32_MAX - stage->count) return false;
        if (!svs__grow(world->allocator, &grown, &stage->capacity, stage->count + records,
                       sizeof(svs__record *)))
            return false;
        stage->records = grown;
    }
    return !svs__hold_make_room(&stage->hold, world, elements);
}

void svs__stage_enter(svs__domain *domain, svs__record *record) {
    svs__domain_settle(domain, record);
    domain->stage.records[domain->stage.count++] = record;
}

#define OFFER_LEAST 16u /* instances that are worth waking somebody for */

/* Lets others run what is in the stage while the maker looks for more. Not while a deferral is to
 * be explained soon, as that reads items of the stage, which their bodies may change. */
void svs__stage_offer_early(svs__domain *domain, const svs_context *context) {
    svs__stage *stage = &domain->stage;
    if (domain->run->threads == 1 || stage->count < stage->offered + OFFER_LEAST) return;
    if (!stage->offered) {
        uint32_t waiting = svs__load_relaxed(&domain->pending.count) + svs__domain_arrivals(domain);
        if (svs__explain_is_near(context) || !svs__stage_make_room(domain, waiting, 0)) return;
    }
    svs__stage_offer(domain);
}

/* Takes a record out of the world unseen: the run is cancelled, or has just failed. */
static bool drop(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__records_retire_of(record->batch, 1, context->worker);
    return true;
}

bool svs__stage_consider(svs__domain *domain, svs_context *context, svs__record *record,
                         svs__conflict *met) {
    if (svs__run_cancelled(domain->run)) return drop(domain, context, record);
    if (!svs__stage_make_room(domain, 1, 0)) {
        svs__run_fail(domain->run, SVS_E_NO_MEMORY, record, "no memory for its stage");
        return drop(domain, context, record);
    }
    switch (svs__instance_admit(context, record, &domain->stage.hold, false, met)) {
    case SVS__BLOCKED: return false;
    case SVS__FAILED: return drop(domain, context, record);
    default: break;
    }
    svs__stage_enter(domain, record);
    return true;
}

/* ---- the whole ---- */

static void complete_stage(svs__domain *domain, svs_context *context) {
    const svs__stage *stage = &domain->stage;
    context->statistics.stages++;
    context->statistics.staged_instances += stage->count;
    if (stage->count > context->statistics.width_max) context->statistics.width_max = stage->count;
    svs__stage_offer(domain);
}

bool svs__stage_make(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->run, worker);
    uint64_t epoch = svs__admission_epoch(domain->run->admission);
    context->worker = worker;
    svs__pending_fit(&domain->pending, domain->run->graph->world);
    SVS__ASSERT_SLOW(svs__pending_is_valid(&domain->pending));
    domain->stage.count = domain->stage.offered = 0;
    svs__domain_set_blocked(domain, false, 0);
    svs__stage_consider_deferred(domain, context);
    svs__stage_consider_arrivals(domain, context);
    if (domain->stage.count) {
        complete_stage(domain, context);
        return true;
    }
    /* A withdrawn instance may have left something in the hold. */
    if (domain->stage.hold.count || domain->stage.hold.dense) {
        (void)svs__admission_release(domain->run->admission, &domain->stage.hold);
        return false;
    }
    if (svs__load_relaxed(&domain->pending.count)) svs__domain_set_blocked(domain, true, epoch);
    return false;
}
