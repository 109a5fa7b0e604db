#include "sched/domain/progressive/pinned.h"

#include "base/check.h"
#include "base/memory.h"
#include "sched/domain/progressive/progressive.h"

typedef struct pinned {
    svs__progress progress;    /* first: the steps are those of the progressive algorithm */
    uint32_t pin;              /* `pin` of the domain's task */
    _Atomic(uint32_t) stepped; /* 1 while a thread steps the domain (sched.D2) */
} pinned;

static pinned *state_of(const svs__domain *domain) { return domain->state; }

/* Whether the calling thread may step the domain. */
static bool is_mine(svs__domain *domain) {
    const svs__worker *self;
    uint32_t pin = state_of(domain)->pin;
    /* relaxed is enough: before a new runner sleeps, it calls this again, after a fence. */
    if (pin == SVS_THE_RUNNER) return svs__load_relaxed(&domain->env->runner) == svs__thread_id();
    self = svs__worker_self();
    return self && self->runtime == domain->env->world->runtime && self->index == pin;
}

static bool step_alone(svs__domain *domain, svs__worker *worker) {
    _Atomic(uint32_t) *stepped = &state_of(domain)->stepped;
    uint32_t free = 0;
    bool any;
    /* acquire: sees the writes of the thread that stepped before; pairs with the release below. */
    if (!svs__cas_strong_acquire(stepped, &free, 1)) return false;
    any = svs__progressive.step(domain, worker);
    SVS__ASSERT(svs__load_relaxed(stepped)); /* sched.D2 */
    svs__store_release(stepped, 0);
    /* [sched.D2] The fence forbids this outcome: another thread that has become the runner finds
     * this one inside, and this thread does not see the new runner. */
    svs__fence_seq(stepped);
    if (SVS__UNLIKELY(!is_mine(domain))) svs__runtime_notify(worker->runtime, 1);
    return any;
}

static bool step(svs__domain *domain, svs__worker *worker) {
    if (SVS__UNLIKELY(svs__env_cancelled(domain->env)))
        return svs__progressive.step(domain, worker); /* sched.D2 */
    return is_mine(domain) && step_alone(domain, worker);
}

static bool ready(svs__domain *domain) {
    bool may = svs__env_cancelled(domain->env) ||
               /* relaxed is enough: the caller has passed the fence before its sleep, or the answer
                * may be stale. */
               (is_mine(domain) && !svs__load_relaxed(&state_of(domain)->stepped));
    return may && svs__progressive.ready(domain);
}

/* Withdraws the reservation. The release must not make the domain try the record again, because the
 * record would reserve again, and so on for ever. */
static void give_up(svs__domain *domain, const svs__record *reserver) {
    svs__admission *a = domain->env->admission;
    uint64_t epoch = svs__admission_epoch(a);
    /* acquire: as in the other readers */
    bool blocked = svs__load_acquire(&domain->blocked_epoch) == epoch;
    svs__domain_settle(domain, reserver);
    if (blocked && svs__admission_epoch(a) == epoch + 1)
        svs__domain_set_blocked(domain, true, epoch + 1);
}

/* sched.D3 */
static void left(svs__domain *domain, svs__worker *worker) {
    const svs__record *reserver;
    (void)worker;
    if (!svs__domain_reserver(domain) || !is_mine(domain)) return;
    svs__lock_acquire(&domain->lock);
    reserver = svs__domain_reserver(domain);
    if (reserver) give_up(domain, reserver);
    svs__lock_release(&domain->lock);
}

bool svs__pinned_needs_runner(svs__domain *domain) {
    return domain->algorithm == &svs__pinned && state_of(domain)->pin == SVS_THE_RUNNER &&
           ready(domain);
}

static svs_status make(svs__domain *domain, const svs_task *task) {
    pinned *made =
        svs__allocate_zeroed(domain->env->world->allocator, sizeof *made, _Alignof(pinned));
    if (!made) return SVS_E_NO_MEMORY;
    made->pin = task->pin;
    domain->state = made;
    return SVS_OK;
}

static void release(svs__domain *domain) {
    svs__release(domain->env->world->allocator, domain->state, sizeof(pinned), _Alignof(pinned));
}

const svs__algorithm svs__pinned = {
    .name = "pinned", .step = step, .ready = ready, .new = make, .free = release, .left = left};
