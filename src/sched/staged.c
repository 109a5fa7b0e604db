/* The staged algorithm (thesis 6.1.2, Algorithm 5), as non-blocking steps.
 *
 * A worker that finds no stage becomes its maker: it admits instance after instance into one hold,
 * those that conflict with it or with the rest of the world are deferred. Workers claim instances
 * of the stage and run them, from the first on while the maker still looks for more; the last to
 * end one gives the hold back, and the next maker may begin. Nobody waits: a worker that finds
 * nothing to claim leaves.
 *
 *   P1  one maker at a time: it holds the domain's lock, taken only by try;
 *   P2  a stage is begun when `left` is 0. It counts the instances that may be claimed and have not
 *       ended, one for the maker until the stage is complete, and one until the stage has ended;
 *       it is raised before `width` lets anyone in. A claim is a compare-exchange from a value that
 *       is of the width's number and below it: as long as that stands, something is left to claim,
 *       so that the stage cannot have ended;
 *   P3  the hold is released after the last instance ended, and before `left` becomes 0;
 *   P4  while instances may be claimed, `records` does not move: there was room for all that may
 *       come in when the first of them was offered. */
#include "sched/graph.h"

/* ---- offering ---- */

static void begin_stage(svs__stage *stage, uint32_t count) {
    /* relaxed: only makers write it, under the domain's lock; claims leave the number as it is. */
    uint64_t number = (uint32_t)(svs__load_relaxed(&stage->claim) >> 32) + UINT32_C(1);
    svs__store_relaxed(&stage->left, 2 + count);
    /* release: publishes the records and `left` (P2); pairs with the acquire in behind(). */
    svs__store_release(&stage->width, number << 32 | count);
    svs__store_release(&stage->claim, number << 32);
}

static void widen_stage(svs__stage *stage, uint32_t added) {
    /* relaxed: only the maker writes it. */
    uint64_t width = svs__load_relaxed(&stage->width);
    (void)svs__fetch_add_relaxed(&stage->left, added);
    /* release: as above. */
    svs__store_release(&stage->width, width + added);
}

/* Wakes others for what was added to what they were offered before. As long as something of that is
 * left and all have been told, they are on their way: to wake them once more is a system call. It
 * does no harm to miss that they fall asleep just now, since the maker runs what is left. */
static void tell(svs__domain *domain, uint32_t before, uint32_t added) {
    svs__stage *stage = &domain->stage;
    if (!before) stage->told = 0;
    /* relaxed: a guess; the stage is the maker's own. */
    else if ((uint32_t)svs__load_relaxed(&stage->claim) < before &&
             stage->told >= domain->run->threads - 1)
        return;
    stage->told += added;
    svs__runtime_notify(domain->run->graph->world->runtime, added);
}

void svs__stage_offer(svs__domain *domain) {
    svs__stage *stage = &domain->stage;
    uint32_t before = stage->offered, added = stage->count - before;
    if (!added) return;
    if (before) widen_stage(stage, added);
    else begin_stage(stage, added);
    stage->offered = stage->count;
    tell(domain, before, added);
}

/* ---- running ---- */

static void end_stage(svs__domain *domain, svs__worker *worker) {
    svs__stage *stage = &domain->stage;
    svs__run *run = domain->run;
    bool blocked = svs__admission_release(run->admission, &stage->hold);
    if (blocked) svs__runtime_notify(run->graph->world->runtime, 1);
    svs__records_retire(stage->records, stage->count, worker);
    /* release: the next maker's acquire sees the stage ended (P3). */
    svs__store_release(&stage->left, 0);
    svs__runtime_notify(run->graph->world->runtime, 1);
}

/* `count` of what is left of the stage is done with. */
static void leave_stage(svs__domain *domain, svs__worker *worker, uint32_t count) {
    /* acq_rel: the last one to count down sees what all the others did. */
    if (svs__fetch_sub_acq_rel(&domain->stage.left, count) == count + 1) end_stage(domain, worker);
}

/* While other runs have their turns, what is claimed waits for theirs. */
static bool is_crowded(const svs__domain *domain) {
    return svs__sources_crowded(&domain->run->graph->world->runtime->sources);
}

/* The fewer are left, the fewer at once, so that all end together; but not so few that those who
 * run a wide stage are busy claiming. */
static uint32_t grain_of(const svs__domain *domain, uint32_t left, uint32_t width) {
    uint32_t threads = domain->run->threads, grain = left / (2 * threads),
             least = width / (32 * threads);
    if (domain->run->watched || is_crowded(domain)) return 1;
    if (grain < least) grain = least;
    return grain < 1 ? 1 : grain > 64 ? 64 : grain;
}

/* How many instances are behind a claim in the stage of its number; 0 when it is another stage's.
 */
static uint32_t behind(svs__stage *stage, uint64_t claim) {
    /* acquire: pairs with the release of who offered them. */
    uint64_t offered = svs__load_acquire(&stage->width);
    if (offered >> 32 != claim >> 32 || (uint32_t)claim >= (uint32_t)offered) return 0;
    return (uint32_t)offered - (uint32_t)claim;
}

/* @return how many were claimed, from *begin on. */
static uint32_t claim_some(svs__domain *domain, uint32_t *begin) {
    svs__stage *stage = &domain->stage;
    uint64_t claim = svs__load_acquire(&stage->claim);
    uint32_t count, grain;
    while ((count = behind(stage, claim)) != 0) {
        grain = grain_of(domain, count, (uint32_t)claim + count);
        if (count > grain) count = grain;
        *begin = (uint32_t)claim;
        /* acquire: the next try's look at the width comes after it. What is claimed was published
         * by the width (P2). */
        if (svs__cas_weak_acquire(&stage->claim, &claim, claim + count)) return count;
    }
    return 0;
}

void svs__stage_run_claimed(svs_context *context) {
    svs__claimed *c = &context->claimed;
    svs__domain *domain = c->domain;
    uint32_t ran = svs__instances_run(context, domain->stage.records + c->begin, c->count);
    c->begin += ran;
    c->count -= ran;
    leave_stage(domain, context->worker, ran);
}

/* Claims some instances of the stage and runs them. */
static bool run_some(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->run, worker);
    uint32_t begin, count = claim_some(domain, &begin);
    if (!count) return false;
    context->worker = worker;
    context->claimed = (svs__claimed){domain, begin, count};
    svs__stage_run_claimed(context);
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
    if (svs__load_acquire(&domain->stage.left) == 0) made = svs__stage_make(domain, worker);
    svs__lock_release(&domain->lock);
    if (!made) return false;
    leave_stage(domain, worker, 1); /* the maker's share (P2) */
    (void)run_some(domain, worker);
    return true;
}

/* While a stage is made there is nothing for others but what it offers: then the maker wakes them.
 * It looks here itself before it sleeps, so that what arrives meanwhile is not left. */
static bool ready(svs__domain *domain) {
    if (behind(&domain->stage, svs__load_acquire(&domain->stage.claim))) return true;
    return !svs__load_acquire(&domain->stage.left) && !svs__lock_is_held(&domain->lock) &&
           has_work(domain);
}

const svs__algorithm svs__staged = {"staged", step, ready};
