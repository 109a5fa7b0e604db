#include "sched/domain/domain.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/admission/memory.h"
#include "sched/domain/inbox.h"

void svs__domain_init(svs__domain *domain, svs__domain_env *env, const svs__algorithm *algorithm) {
    memset(domain, 0, sizeof *domain);
    domain->env = env;
    domain->algorithm = algorithm;
    /* Nothing was found blocked yet. */
    svs__store_relaxed(&domain->blocked_epoch, UINT64_MAX);
    svs__pending_init(&domain->pending);
}

void svs__domain_clean_up(svs__domain *domain) {
    svs_world *world;
    if (!domain->env) return;
    world = domain->env->world;
    svs__release(world->allocator, domain->stage.records,
                 domain->stage.capacity * sizeof(svs__record *), _Alignof(max_align_t));
    svs__hold_clean_up(&domain->stage.hold, world);
    svs__pending_clean_up(&domain->pending, world);
}

void svs__domain_attach(svs__domain *domain, svs_task *task) {
    svs_task *first = svs__load_relaxed(&domain->tasks);
    SVS__ASSERT(!svs__load_relaxed(&task->attached)); /* sched.G1 */
    do { /* Without the lock, which a maker may hold for long. */
        svs__store_relaxed(&task->next_in_domain, first);
        /* release: publishes the task's link; pairs with the acquire of each walk of the list. */
    } while (!svs__cas_weak_release(&domain->tasks, &first, task));
    /* relaxed: the run notifies after it has opened the task, and that fences. */
    svs__store_relaxed(&task->attached, 1);
}

void svs__domain_offer(svs__domain *domain, svs__record *record) {
    svs__lock_acquire(&domain->lock);
    record->next = domain->incoming;
    domain->incoming = record;
    /* release: a worker that sees the count finds the record under the lock. */
    (void)svs__fetch_add_release(&domain->incoming_count, 1);
    svs__lock_release(&domain->lock);
}

uint32_t svs__domain_arrivals(svs__domain *domain) {
    uint32_t count = svs__load_acquire(&domain->incoming_count);
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain))
        count += svs__inbox_waiting(&task->inbox);
    return count;
}

bool svs__domain_has_arrivals(svs__domain *domain) {
    if (svs__load_acquire(&domain->incoming_count)) return true;
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain))
        if (svs__inbox_waiting(&task->inbox)) return true;
    return false;
}

uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **record) {
    if (domain->incoming) {
        *record = domain->incoming;
        domain->incoming = domain->incoming->next;
        /* relaxed: under the lock. */
        (void)svs__fetch_sub_relaxed(&domain->incoming_count, 1);
        return 1;
    }
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain)) {
        uint32_t count = svs__inbox_take(task, limit, record);
        if (count) return count;
    }
    return 0;
}

void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch) {
    /* sched.A4: no later release was missed. */
    SVS__ASSERT(!blocked || epoch <= svs__admission_epoch(domain->env->admission));
    /* release: with `blocked`, for the racy read in svs__domain_may_unblock(). */
    svs__store_release(&domain->blocked_epoch, blocked ? epoch : UINT64_MAX);
    if (svs__load_relaxed(&domain->blocked) == blocked) return;
    svs__store_relaxed(&domain->blocked, blocked);
    svs__admission_await(domain->env->admission, blocked);
}

bool svs__domain_may_unblock(svs__domain *domain) {
    return svs__load_relaxed(&domain->pending.count) &&
           svs__load_acquire(&domain->blocked_epoch) !=
               svs__admission_epoch(domain->env->admission);
}

void svs__domain_settle(svs__domain *domain, const svs__record *record) {
    if (svs__domain_reserver(domain) != record) return;
    svs__store_relaxed(&domain->reserver, NULL);
    svs__env_wake(domain->env, svs__admission_unreserve(domain->env->admission, &domain->claim));
}
