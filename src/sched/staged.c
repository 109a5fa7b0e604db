/* The staged algorithm (thesis 6.1.2, Algorithm 5), as non-blocking steps.
 *
 * A worker that finds no stage becomes its maker: it admits instance after instance into one hold,
 * those that conflict with it or with the rest of the world are deferred. The stage is released;
 * workers claim its instances and run them; the last to end one gives the hold back, and the next
 * maker may begin. Nobody waits: a worker that finds nothing to claim leaves.
 *
 *   P1  one maker at a time: it holds the domain's lock, taken only by try;
 *   P2  a stage is made when `left` is 0; `left` and `width` are set before `claim` lets anyone in;
 *       a claim is good if its number is the width's and it begins below it: then the stage cannot
 *       end before that claim is through;
 *   P3  the hold is released after the last instance ended, and before `left` becomes 0. */
#include "base/check.h"
#include "base/memory.h"
#include "sched/graph.h"

#define CLOSED UINT32_C(0x80000000) /* as the low half of claim: beyond every count */

static svs_context *context_of(svs__domain *domain, svs__worker *worker) {
    return svs__context_of(domain->run, worker);
}

/* ---- making ---- */

static bool stage_is_full(const svs__domain *domain) {
    uint32_t width = domain->run->graph->options.stage_width;
    return width && domain->stage.count >= width;
}

/* Room for one more comes first, so that an admitted instance is never left out of its stage. */
static bool stage_has_room(svs__domain *domain) {
    svs__stage *stage = &domain->stage;
    void *records = stage->records;
    if (stage->count < stage->capacity) return true;
    if (!svs__grow(domain->run->graph->world->allocator, &records, &stage->capacity,
                   stage->count + 1, sizeof(svs__record *)))
        return false;
    stage->records = records;
    return true;
}

/* The number of the stage that is being made. */
static uint32_t next_number(const svs__stage *stage) {
    return (uint32_t)(svs__load_relaxed(&((svs__stage *)(uintptr_t)stage)->claim) >> 32) + 1;
}

static void note_written(svs__domain *domain, const svs__set *set) {
    uint32_t number = next_number(&domain->stage);
    for (uint32_t i = 0; i < set->count; i++) {
        svs__element e = set->elements[i];
        if (e.mode == SVS_WRITE)
            domain->stage.written[svs__pending_bucket(&domain->pending, e.key)] =
                (svs__written){number, e.key >> set->world->cell_shift};
    }
}

/* Whether the stage writes the very cell that blocked the record. */
static bool is_written(const svs__domain *domain, const svs__record *record) {
    const svs__written *w =
        &domain->stage.written[svs__pending_bucket(&domain->pending, record->blocked_key)];
    return w->stage == next_number(&domain->stage) &&
           w->cell == record->blocked_key >> domain->run->graph->world->cell_shift;
}

/* Takes a record out of the world unseen: the run is cancelled, or has just failed. */
static bool drop(svs__domain *domain, svs_context *context, svs__record *record) {
    svs__domain_settle(domain, record);
    svs__record_retire(record, context->worker);
    return true;
}

/* Admits the record into the stage. @return whether it is out of the way; else `met` says why. */
static bool consider(svs__domain *domain, svs_context *context, svs__record *record,
                     svs__conflict *met) {
    if (svs__run_cancelled(domain->run)) return drop(domain, context, record);
    if (!stage_has_room(domain)) {
        svs__run_fail(domain->run, SVS_E_NO_MEMORY, record, "no memory for its stage");
        return drop(domain, context, record);
    }
    switch (svs__instance_admit(context, record, &domain->stage.hold, false, domain, met)) {
    case SVS__BLOCKED: return false;
    case SVS__FAILED: return drop(domain, context, record);
    default: break;
    }
    svs__domain_settle(domain, record);
    note_written(domain, &context->set);
    domain->stage.records[domain->stage.count++] = record;
    return true;
}

/* Looks at a bucket until it is empty, an instance stays in it, or too many had to move to other
 * buckets. */
static void consider_bucket(svs__domain *domain, svs_context *context, uint32_t bucket) {
    uint32_t moves = domain->run->graph->options.stage_conflicts;
    while (!stage_is_full(domain)) {
        svs__conflict met;
        svs__record *record = domain->pending.buckets[bucket].first;
        bool stays;
        if (!record || is_written(domain, record)) return;
        (void)svs__pending_take(&domain->pending, bucket);
        if (consider(domain, context, record, &met)) continue;
        stays = svs__pending_bucket(&domain->pending, met.key) == bucket;
        svs__domain_defer(domain, context, record, &met, stays);
        if (stays || moves-- == 0) return;
    }
}

static void consider_deferred(svs__domain *domain, svs_context *context) {
    uint32_t bucket;
    /* Who waited longest has the first word; it is in the bucket of what it met last. */
    if (domain->reserver)
        consider_bucket(domain, context,
                        svs__pending_bucket(&domain->pending, domain->reserver->blocked_key));
    for (bucket = svs__pending_next(&domain->pending, 0);
         bucket != UINT32_MAX && !stage_is_full(domain);
         bucket = svs__pending_next(&domain->pending, bucket + 1))
        consider_bucket(domain, context, bucket);
}

#define ARRIVALS 64u

/* Looks at what has arrived, until too many in a row conflict: then the stage is about as full as
 * it gets (doRelease). */
static void consider_arrivals(svs__domain *domain, svs_context *context) {
    uint32_t in_a_row = 0, limit = domain->run->graph->options.stage_conflicts;
    while (!stage_is_full(domain) && in_a_row <= limit) {
        svs__record *record;
        uint32_t count = svs__domain_take(domain, ARRIVALS, &record);
        if (!count) return;
        while (count--) {
            svs__conflict met;
            svs__record *after = count ? svs__record_after(record) : NULL;
            if (consider(domain, context, record, &met)) {
                in_a_row = 0;
            } else {
                in_a_row++;
                svs__domain_defer(domain, context, record, &met, false);
            }
            record = after;
        }
    }
}

static void release_stage(svs__domain *domain, svs_context *context) {
    svs__stage *stage = &domain->stage;
    uint64_t number = next_number(stage);
    context->statistics.stages++;
    context->statistics.staged_instances += stage->count;
    if (stage->count > context->statistics.width_max) context->statistics.width_max = stage->count;
    svs__store_relaxed(&stage->left, stage->count + 1);
    svs__store_relaxed(&stage->width, number << 32 | stage->count);
    /* release: publishes the stage to those whose claim sees this number (P2). */
    svs__store_release(&stage->claim, number << 32);
    if (stage->count > 1) svs__runtime_notify(domain->run->graph->world->runtime, stage->count - 1);
}

/* @return whether there is a stage now. Under the lock. */
static bool make_stage(svs__domain *domain, svs__worker *worker) {
    svs_context *context = context_of(domain, worker);
    uint64_t epoch = svs__admission_epoch(domain->run->admission);
    context->worker = worker;
    SVS_ASSERT_SLOW(svs__pending_is_valid(&domain->pending));
    domain->stage.count = 0;
    svs__domain_set_blocked(domain, false, 0);
    consider_deferred(domain, context);
    consider_arrivals(domain, context);
    if (domain->stage.count) {
        release_stage(domain, context);
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

/* ---- running ---- */

static void end_stage(svs__domain *domain, svs__worker *worker) {
    svs__stage *stage = &domain->stage;
    svs__run *run = domain->run;
    bool blocked = svs__admission_release(run->admission, &stage->hold);
    uint32_t count = stage->count;
    /* Nobody can claim until the next release; who tries meanwhile finds no room. */
    svs__store_relaxed(&stage->claim, svs__load_relaxed(&stage->claim) | CLOSED);
    if (blocked) svs__runtime_notify(run->graph->world->runtime, 1);
    svs__records_retire(stage->records, count, worker);
    /* release: the next maker's acquire sees the stage ended (P3). */
    svs__store_release(&stage->left, 0);
    svs__runtime_notify(run->graph->world->runtime, 1);
}

static uint32_t grain_of(const svs__domain *domain, uint32_t width) {
    uint32_t grain = width / (domain->run->threads * 8);
    return grain < 1 ? 1 : grain > 64 ? 64 : grain;
}

static void run_range(svs__domain *domain, svs__worker *worker, uint32_t begin, uint32_t end) {
    svs_context *context = context_of(domain, worker);
    uint32_t ran = end - begin;
    context->worker = worker;
    for (uint32_t i = begin; i < end; i++) svs__instance_run(context, domain->stage.records[i]);
    /* acq_rel: the last one to count down sees what all the others did. */
    if (svs__fetch_sub_acq_rel(&domain->stage.left, ran) == ran + 1) end_stage(domain, worker);
}

/* How many instances are behind a claim in the stage of its number; 0 when it is another stage's.
 */
static uint32_t behind(svs__stage *stage, uint64_t claim) {
    /* relaxed: written before the claim's release; a later stage's shows another number. */
    uint64_t width = svs__load_relaxed(&stage->width);
    if (width >> 32 != claim >> 32 || (uint32_t)claim >= (uint32_t)width) return 0;
    return (uint32_t)width - (uint32_t)claim;
}

/* Claims some instances of the stage and runs them. */
static bool run_some(svs__domain *domain, svs__worker *worker) {
    svs__stage *stage = &domain->stage;
    uint64_t claim = svs__load_acquire(&stage->claim);
    uint32_t count = behind(stage, claim), grain;
    if (!count) return false;
    grain = grain_of(domain, (uint32_t)svs__load_relaxed(&stage->width));
    /* acquire: pairs with the release of the stage (P2). */
    claim = svs__fetch_add_acquire(&stage->claim, grain);
    count = behind(stage, claim);
    if (!count) return false;
    run_range(domain, worker, (uint32_t)claim, (uint32_t)claim + (count < grain ? count : grain));
    return true;
}

static bool has_work(svs__domain *domain) {
    return svs__domain_has_arrivals(domain) || svs__domain_may_unblock(domain);
}

static bool step(svs__domain *domain, svs__worker *worker) {
    bool made = false;
    if (run_some(domain, worker)) return true;
    if (svs__load_acquire(&domain->stage.left) || !has_work(domain)) return false;
    if (!svs__lock_try(&domain->lock)) return false;
    if (svs__load_acquire(&domain->stage.left) == 0) made = make_stage(domain, worker);
    svs__lock_release(&domain->lock);
    if (made) (void)run_some(domain, worker);
    return made;
}

static bool ready(svs__domain *domain) {
    if (behind(&domain->stage, svs__load_acquire(&domain->stage.claim))) return true;
    return !svs__load_acquire(&domain->stage.left) && has_work(domain);
}

const svs__algorithm svs__staged = {"staged", step, ready};
