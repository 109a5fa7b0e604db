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
#include "sched/graph.h"

#define CLOSED UINT32_C(0x80000000) /* as the low half of claim: beyond every count */

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
    svs_context *context = svs__context_of(domain->run, worker);
    uint32_t ran = end - begin;
    context->worker = worker;
    svs__instances_run(context, domain->stage.records + begin, ran);
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
    if (svs__load_acquire(&domain->stage.left) == 0) made = svs__stage_make(domain, worker);
    svs__lock_release(&domain->lock);
    if (made) (void)run_some(domain, worker);
    return made;
}

/* While a stage is made there is nothing for others: the maker wakes them when it is released, and
 * looks here itself before it sleeps, so that what arrives meanwhile is not left. */
static bool ready(svs__domain *domain) {
    if (behind(&domain->stage, svs__load_acquire(&domain->stage.claim))) return true;
    return !svs__load_acquire(&domain->stage.left) && !svs__lock_is_held(&domain->lock) &&
           has_work(domain);
}

const svs__algorithm svs__staged = {"staged", step, ready};
