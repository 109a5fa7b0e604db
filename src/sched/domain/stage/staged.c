/* The staged algorithm (thesis 6.1.2, Algorithm 5), as non-blocking steps.
 *
 * A worker that finds no stage becomes the maker of the next one: it admits one instance after
 * another into one hold, and defers each instance that conflicts with the hold or with other
 * holders of the world. Workers claim instances of the stage and run them, while the maker still
 * searches for more. The worker that ends the last instance releases the hold, and the next maker
 * may begin. No worker waits: a worker that finds no instance to claim leaves. */
#include "sched/domain/stage/stage.h"

#include "sched/admission/lease.h"
#include "sched/domain/window/parts.h"

uint32_t svs__stage_run_only(svs_context *context) {
    svs__claimed *c = &context->claimed;
    svs__domain *domain = c->domain;
    uint32_t ran;
    /* sched.G2, sched.P2 */
    SVS__ASSERT(svs__load_relaxed(&domain->stage.left) > (c->group ? 1 : c->count));
    /* relaxed is enough: it is an estimate */
    context->between = svs__load_relaxed(&domain->stage.between);
    context->leased = domain->stage.hold.lease; /* sched.L4 */
    ran = svs__instances_run(context, domain->stage.run + c->begin, c->count, domain->stage.only);
    c->begin += ran;
    c->count -= ran;
    return ran;
}

/* Gives claimed instances back, if the lease is overdue (sched.W12). @return how many. */
static inline uint32_t give_back(svs_context *context) {
    if (SVS__LIKELY(!svs__admission_lease_is_wanted(context->env->admission))) return 0;
    return svs__window_cut(context);
}

void svs__stage_leave_claimed(svs_context *context, uint32_t ran) {
    svs__stage_count_ended(context, ran + give_back(context));
}

/* Gives the claim back, if the lease is overdue. @return whether it did. */
static bool gave_back(svs_context *context) {
    uint32_t given = give_back(context);
    if (given) svs__stage_count_ended(context, given);
    return given != 0;
}

bool svs__stage_claim_some(svs__domain *domain, svs_context *context) {
    svs__claimed *c = &context->claimed;
    if (!c->count && !svs__stage_claim(domain, context->worker, c)) return false;
    SVS__ASSERT(c->domain == domain);       /* sched.P5 */
    return !gave_back(context) || c->count; /* the end of the stage may have opened another stage */
}

bool svs__stage_run_some(svs__domain *domain, svs_context *context) {
    if (!svs__stage_claim_some(domain, context)) return false;
    svs__stage_leave_claimed(context, svs__stage_run_only(context));
    return true;
}

static bool has_work(svs__domain *domain) {
    return svs__domain_has_arrivals(domain) || svs__domain_may_unblock(domain);
}

static bool step(svs__domain *domain, svs__worker *worker) {
    svs_context *context = svs__context_of(domain->env, worker);
    bool made = false;
    context->worker = worker;
    if (svs__stage_run_some(domain, context)) return true;
    if (svs__load_acquire(&domain->stage.left) || !has_work(domain)) return false;
    if (!svs__lock_try(&domain->lock)) return false;
    if (svs__load_acquire(&domain->stage.left) == 0) made = svs__stage_make(domain, context, true);
    svs__lock_release(&domain->lock);
    if (!made) return false;
    svs__stage_leave(domain, context, 1); /* the maker's share (sched.P2) */
    (void)svs__stage_run_some(domain, context);
    return true;
}

/* Whether a step might find work. While a stage is being made, other workers have only the
 * instances that the stage offers, and the maker wakes them for those. The maker itself calls this
 * function before it sleeps, so that no later arrival is missed. */
static bool ready(svs__domain *domain) {
    if (svs__stage_has_unclaimed(domain, NULL)) return true;
    return !svs__load_acquire(&domain->stage.left) && !svs__lock_is_held(&domain->lock) &&
           has_work(domain);
}

const svs__algorithm svs__staged = {.name = "staged",
                                    .step = step,
                                    .ready = ready,
                                    .run_claimed = svs__stage_run_some,
                                    .in_stages = true};
