#include "sched/domain/domain.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "sched/admission/memory.h"
#include "sched/domain/observe/sample.h"
#include "sched/domain/queue/inbox.h"

void svs__domain_init(svs__domain *domain, svs__domain_env *env, const svs__algorithm *algorithm) {
    memset(domain, 0, sizeof *domain);
    domain->env = env;
    domain->algorithm = algorithm;
    /* No records have been found blocked yet. */
    svs__store_relaxed(&domain->blocked_epoch, UINT64_MAX);
    svs__pending_init(&domain->pending);
}

void svs__domain_clean_up(svs__domain *domain) {
    svs_world *world;
    if (!domain->env) return;
    world = domain->env->world;
    if (domain->algorithm->free) domain->algorithm->free(domain);
    svs__release(world->allocator, domain->stage.items, domain->stage.capacity * sizeof(void *),
                 _Alignof(max_align_t));
    svs__hold_clean_up(&domain->stage.hold, world);
    svs__pending_clean_up(&domain->pending, world);
}

void svs__domain_attach(svs__domain *domain, svs_task *task) {
    SVS__ASSERT(!svs__load_relaxed(&task->attached)); /* sched.G1 */
    /* relaxed is enough for both: svs__domain_open() publishes them. */
    svs__store_relaxed(&task->next_in_domain,
                       domain->opening ? domain->opening : svs__load_relaxed(&domain->tasks));
    domain->opening = task;
}

void svs__domain_open(svs__domain *domain) {
    svs_task *first = domain->opening, *open = svs__load_relaxed(&domain->tasks);
    if (!first) return;
    domain->opening = NULL;
    /* release: publishes the links of the tasks; pairs with the acquire in each walk over the
     * list. */
    svs__store_release(&domain->tasks, first);
    /* release: a sender that sees `attached` also sees the task's domain. The run notifies workers
     * after it has opened the task, which includes a fence. */
    for (; first != open; first = svs__load_relaxed(&first->next_in_domain))
        svs__store_release(&first->attached, 1);
}

void svs__domain_offer(svs__domain *domain, svs__record *record) {
    svs__lock_acquire(&domain->lock);
    record->next = domain->incoming;
    domain->incoming = record;
    /* release: a worker that sees the count will find the record under the lock. */
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

bool svs__domain_has_from_outside(svs__domain *domain) {
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain))
        /* relaxed is enough: the answer may be stale */
        if (svs__load_relaxed(&task->inbox.is_fed_outside) && svs__inbox_waiting(&task->inbox))
            return true;
    return false;
}

bool svs__domain_has_few_from_outside(svs__domain *domain, uint32_t few) {
    uint32_t count = 0;
    for (svs_task *task = svs__load_acquire(&domain->tasks); task && count < few;
         task = svs__load_acquire(&task->next_in_domain)) {
        uint32_t waiting = svs__inbox_waiting(&task->inbox);
        /* relaxed is enough: the answer may be stale. */
        if (waiting && svs__load_relaxed(&task->inbox.is_fed_inside)) return false;
        count += waiting;
    }
    return count < few;
}

/* Samples arrivals before any of them starts (sched.X1). */
SVS__COLD static void sample(const svs__domain *domain, void *first, uint32_t count) {
    svs__batch *batch = svs__batch_of(first);
    for (uint32_t i = 0; i < count; i++)
        svs__sample_add(domain->env->sample, batch->task,
                        (char *)first + (size_t)i * batch->item_bytes);
}

/* Drops all arrivals at once, in a cancelled run. */
SVS__COLD static void discard(svs__domain *domain) {
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain)) {
        uint32_t count = svs__inbox_discard(task);
        if (count) domain->env->reports->ended(task, count, svs__worker_self());
    }
}

bool svs__domain_is_fed(svs__domain *domain) {
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain))
        /* relaxed is enough for both: the answer may be stale */
        if (svs__load_relaxed(&task->inbox.is_fed_inside) ||
            svs__load_relaxed(&task->inbox.is_fed_outside))
            return true;
    return false;
}

/* relaxed is enough, here and below: a new priority may take effect one step later. */
static int32_t priority_of(svs_task *task) { return svs__load_relaxed(&task->priority); }

int32_t svs__domain_priority(svs__domain *domain) {
    int32_t of_all = INT32_MIN, of_waiting = INT32_MIN;
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain)) {
        int32_t priority = priority_of(task);
        if (priority > of_all) of_all = priority;
        if (priority > of_waiting && svs__inbox_waiting(&task->inbox)) of_waiting = priority;
    }
    if (of_waiting != INT32_MIN) return of_waiting;
    return of_all == INT32_MIN ? 0 : of_all; /* the gate has no list of tasks */
}

/* Samples a transform's item that arrives. The item of an itemizer was given back here by a piece,
 * and the sample has it already. */
SVS__COLD static void sample_arrival(const svs__domain *domain, void *item) {
    if (!svs__batch_of(item)->task->itemizer) sample(domain, item, 1);
}

static inline bool take_incoming(svs__domain *domain, svs__record **record) {
    if (SVS__LIKELY(!domain->incoming)) return false;
    *record = domain->incoming;
    domain->incoming = domain->incoming->next;
    /* relaxed is enough: the lock is held. */
    (void)svs__fetch_sub_relaxed(&domain->incoming_count, 1);
    if (SVS__UNLIKELY(domain->env->sample != NULL))
        sample_arrival(domain, svs__record_item(*record));
    return true;
}

/* Takes arrivals of the task with the highest priority. */
SVS__COLD static uint32_t take_urgent(svs__domain *domain, uint32_t limit, void **first,
                                      svs__generated *later) {
    svs_task *most = NULL;
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain))
        if (svs__inbox_waiting(&task->inbox) && (!most || priority_of(task) > priority_of(most)))
            most = task;
    return most ? svs__inbox_take(most, limit, first, later) : 0;
}

static inline uint32_t take_in_order(svs__domain *domain, uint32_t limit, void **first,
                                     svs__generated *later) {
    for (svs_task *task = svs__load_acquire(&domain->tasks); task;
         task = svs__load_acquire(&task->next_in_domain)) {
        uint32_t count = svs__inbox_take(task, limit, first, later);
        if (count) return count;
    }
    return 0;
}

static inline uint32_t take_sent(svs__domain *domain, uint32_t limit, void **first,
                                 svs__generated *later) {
    bool samples = domain->env->sample != NULL;
    uint32_t count;
    if (SVS__UNLIKELY(samples)) later = NULL; /* the sample reads the items */
    if (SVS__UNLIKELY(svs__env_cancelled(domain->env))) discard(domain);
    count = SVS__UNLIKELY(svs__load_relaxed(&domain->env->prioritized))
                ? take_urgent(domain, limit, first, later)
                : take_in_order(domain, limit, first, later);
    if (SVS__UNLIKELY(samples) && count) sample(domain, *first, count);
    return count;
}

uint32_t svs__domain_take_items(svs__domain *domain, uint32_t limit, void **first,
                                svs__generated *later) {
    svs__record *record;
    if (later) later->function = NULL;
    if (!take_incoming(domain, &record)) return take_sent(domain, limit, first, later);
    *first = svs__record_item(record);
    return 1;
}

uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **first) {
    void *item;
    uint32_t count;
    if (take_incoming(domain, first)) return 1;
    count = take_sent(domain, limit, &item, NULL);
    if (count) *first = svs__records_of_taken(item, count);
    return count;
}

void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch) {
    /* sched.A4: `epoch` is not later than the current one, so no release was missed. */
    SVS__ASSERT(!blocked || epoch <= svs__admission_epoch(domain->env->admission));
    /* release: pairs with the read in svs__domain_may_unblock(), which takes no lock. */
    svs__store_release(&domain->blocked_epoch, blocked ? epoch : UINT64_MAX);
    if (svs__load_relaxed(&domain->blocked) == blocked) return;
    svs__store_relaxed(&domain->blocked, blocked);
    svs__admission_await(domain->env->admission, blocked);
}

bool svs__domain_may_unblock(svs__domain *domain) {
    return svs__load_relaxed(&domain->pending.count) &&
           (svs__load_acquire(&domain->blocked_epoch) !=
                svs__admission_epoch(domain->env->admission) ||
            svs__env_cancelled(domain->env));
}

void svs__domain_settle(svs__domain *domain, const svs__record *record) {
    if (svs__domain_reserver(domain) != record) return;
    svs__store_relaxed(&domain->reserver, NULL);
    svs__env_wake(domain->env,
                  svs__admission_unreserve(domain->env->admission, &domain->reservation));
}
