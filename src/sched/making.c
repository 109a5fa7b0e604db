/* Making a stage: choosing instances that conflict with nothing that runs, nor with each other.
 *
 * First come the deferred, bucket by bucket, then what has arrived (arrivals.c). A deferred
 * instance that is single, its set being the one element that blocked it, needs neither its touch
 * function nor its set again: those at the front of their buckets are admitted together, a cell
 * each. The rest is admitted one by one.
 *
 *   M1  room in the stage and in its hold comes before admission, so that what is
 *       admitted is in the stage;
 *   M2  no code of the user runs under admission's lock. */
#include "base/check.h"
#include "base/memory.h"
#include "sched/graph.h"

#define TOGETHER 64u /* singles that are admitted before the lock is given back */

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
    if (stage->count + records > stage->capacity) {
        SVS_CHECK(!stage->offered); /* P4 */
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

/* ---- the deferred ---- */

/* Whether a deferred record should be tried: what it met is gone, or it has waited so long that it
 * may reserve. */
static bool is_worth_a_try(svs__domain *domain, svs__record *record) {
    svs__conflict met = svs__record_conflict(record);
    if (svs__run_cancelled(domain->run) ||
        svs__admission_is_free(domain->run->admission, &met, &domain->stage.hold))
        return true;
    if (met.single) svs__pending_tire(&domain->pending, record);
    else svs__record_tire(record);
    return record->tries > SVS__TRIES_BEFORE_RESERVING && !svs__domain_reserver(domain);
}

/* Looks at a bucket until it is empty, an instance stays in it, or too many had to move to other
 * buckets. */
static void consider_bucket(svs__domain *domain, svs_context *context, uint32_t bucket) {
    uint32_t moves = domain->run->graph->options.stage_conflicts;
    while (svs__stage_room(domain)) {
        svs__conflict met;
        svs__record *record = svs__pending_first(&domain->pending, bucket);
        bool stays;
        if (!record || !is_worth_a_try(domain, record)) return;
        (void)svs__pending_take(&domain->pending, bucket);
        if (svs__stage_consider(domain, context, record, &met)) continue;
        stays = svs__pending_bucket(&domain->pending, met.key) == bucket;
        svs__domain_defer(domain, context, record, &met, stays, true);
        if (stays || moves-- == 0) return;
    }
}

/* Takes single records from the front of a bucket while they are free, `room` at most. @return how
 * many. Under admission's lock. */
static uint32_t take_from_bucket(svs__domain *domain, uint32_t bucket, uint32_t room) {
    svs__stage *stage = &domain->stage;
    svs__record *record = svs__pending_first(&domain->pending, bucket);
    bool one_cell = svs__pending_is_cell(&domain->pending, domain->run->graph->world);
    uint32_t taken = 0;
    while (record && taken < room && svs__record_is_single(record)) {
        svs__element e = svs__record_element(record);
        if (!svs__admission_try_element(domain->run->admission, &stage->hold, e, &stage->hold))
            break;
        stage->records[stage->count++] = record;
        record = record->next;
        taken++;
        if (one_cell && e.mode == SVS_WRITE) break; /* what is behind waits for the same */
    }
    if (taken) svs__pending_advance(&domain->pending, bucket, taken, record);
    else if (record && svs__record_is_single(record)) svs__pending_tire(&domain->pending, record);
    return taken;
}

/* The single ones, many under one lock. @return whether all buckets were looked at, so that what is
 * single and still first in one has to wait. */
static bool take_singles(svs__domain *domain, const svs_context *context) {
    svs__admission *admission = domain->run->admission;
    uint32_t bucket = svs__pending_next(&domain->pending, 0);
    if (svs__run_cancelled(domain->run)) return false;
    while (bucket != UINT32_MAX && svs__stage_room(domain)) {
        uint32_t room = svs__stage_room(domain) < TOGETHER ? svs__stage_room(domain) : TOGETHER;
        if (!svs__stage_make_room(domain, room, room)) return false;
        svs__admission_begin(admission, &domain->stage.hold);
        while (bucket != UINT32_MAX && room) {
            room -= take_from_bucket(domain, bucket, room);
            if (room) bucket = svs__pending_next(&domain->pending, bucket + 1);
        }
        svs__admission_end(admission, &domain->stage.hold);
        svs__stage_offer_early(domain, context);
    }
    return true;
}

/* Who waited longest has the first word, whatever is in front of it: so it waits for other domains
 * only, and those are kept off by its reservation (S4). */
static void consider_reserver(svs__domain *domain, svs_context *context) {
    svs__record *record = svs__domain_reserver(domain);
    svs__conflict met;
    svs__pending_take_out(&domain->pending, record);
    if (!svs__stage_consider(domain, context, record, &met))
        svs__domain_defer(domain, context, record, &met, true, true);
}

static void consider_deferred(svs__domain *domain, svs_context *context) {
    svs__pending *pending = &domain->pending;
    uint32_t bucket;
    bool looked;
    if (svs__domain_reserver(domain)) consider_reserver(domain, context);
    looked = take_singles(domain, context);
    if (looked && !pending->sets) return;
    for (bucket = svs__pending_next(pending, 0); bucket != UINT32_MAX && svs__stage_room(domain);
         bucket = svs__pending_next(pending, bucket + 1))
        if (!looked || !svs__record_is_single(svs__pending_first(pending, bucket))) {
            consider_bucket(domain, context, bucket);
            svs__stage_offer_early(domain, context);
        }
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
    SVS_ASSERT_SLOW(svs__pending_is_valid(&domain->pending));
    domain->stage.count = domain->stage.offered = 0;
    svs__domain_set_blocked(domain, false, 0);
    consider_deferred(domain, context);
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
