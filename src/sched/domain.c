#include <string.h>

#include "base/memory.h"
#include "sched/graph.h"

void svs__domain_init(svs__domain *domain, svs__run *run, svs_algorithm algorithm) {
    memset(domain, 0, sizeof *domain);
    domain->run = run;
    domain->algorithm = algorithm == SVS_ALGORITHM_PROGRESSIVE ? &svs__progressive : &svs__staged;
    /* Nothing was found blocked yet. */
    svs__store_relaxed(&domain->blocked_epoch, UINT64_MAX);
    svs__pending_init(&domain->pending);
}

void svs__domain_clean_up(svs__domain *domain) {
    svs_world *world;
    if (!domain->run) return;
    world = domain->run->graph->world;
    svs__release(world->allocator, domain->stage.records,
                 domain->stage.capacity * sizeof(svs__record *), _Alignof(max_align_t));
    svs__hold_clean_up(&domain->stage.hold, world);
    svs__pending_clean_up(&domain->pending, world);
}

void svs__domain_attach(svs__domain *domain, svs_task *task) {
    svs_task *first = svs__load_relaxed(&domain->tasks);
    do { /* No lock: a maker may have it for long. */
        svs__store_relaxed(&task->next_in_domain, first);
        /* release: publishes the task's link; pairs with the acquire of those who walk the list. */
    } while (!svs__cas_weak_release(&domain->tasks, &first, task));
    /* relaxed: whoever opens the task notifies afterwards, and that fences. */
    svs__store_relaxed(&task->attached, 1);
}

void svs__domain_offer(svs__domain *domain, svs__record *record) {
    svs__lock_acquire(&domain->lock);
    record->next = domain->incoming;
    domain->incoming = record;
    /* release: who sees the count finds the record under the lock. */
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
    /* release: with `blocked`, for the racy look of svs__domain_may_unblock(). */
    svs__store_release(&domain->blocked_epoch, blocked ? epoch : UINT64_MAX);
    if (svs__load_relaxed(&domain->blocked) == blocked) return;
    svs__store_relaxed(&domain->blocked, blocked);
    svs__admission_await(domain->run->admission, blocked);
}

bool svs__domain_may_unblock(svs__domain *domain) {
    return svs__load_relaxed(&domain->pending.count) &&
           svs__load_acquire(&domain->blocked_epoch) !=
               svs__admission_epoch(domain->run->admission);
}

/* Counts a deferral for the bucket that did it. @return whether it is time to look up its name: at
 * powers of two. */
static bool blame(const svs__run *run, svs__blame *b) {
    /* relaxed, in two steps: a count that another domain's increment swallows does not matter. */
    uint64_t was = svs__load_relaxed(&b->count);
    uint32_t count = was >> 32 == run->number ? (uint32_t)was + 1 : 1;
    if (count == 1) svs__store_relaxed(&b->what, 0);
    svs__store_relaxed(&b->count, (uint64_t)run->number << 32 | count);
    return !(count & (count - 1));
}

/* Who a reservation is for (A5). */
static const void *claimant(const svs__domain *domain, const svs__record *record) {
    return domain->algorithm == &svs__staged ? (const void *)&domain->stage.hold : record;
}

/* Whether a record that was refused reserves: it has waited long, and the domain claims for no
 * other. */
static bool reserves(svs__domain *domain, const svs__record *record) {
    const svs__record *reserver = svs__domain_reserver(domain);
    return reserver ? reserver == record : record->tries > SVS__TRIES_BEFORE_RESERVING;
}

static void reserve(svs__domain *domain, const svs__set *set, svs__record *record) {
    domain->claim.claimant = claimant(domain, record);
    svs__store_relaxed(&domain->reserver, record);
    (void)svs__admission_reserve(domain->run->admission, set, &domain->claim);
}

static void name_blamed(svs__blame *b, const svs__set *set, uint32_t key) {
    for (uint32_t i = 0; i < set->count; i++)
        if (set->elements[i].key == key) {
            svs__store_relaxed(&b->what, (uintptr_t)set->identities[i].what);
            svs__store_relaxed(&b->index, set->identities[i].index);
        }
}

static void defer_with_set(svs__domain *domain, svs_context *context, svs__record *record,
                           const svs__conflict *met, svs__blame *b) {
    svs__explain(context, domain, record);
    name_blamed(b, &context->set, met->key);
    if (reserves(domain, record)) reserve(domain, &context->set, record);
}

/* Not of the reserver: its set is made again at each try, until it settles. */
static void keep_note(svs__domain *domain, const svs_context *context, svs__record *record) {
    const svs__set *set = &context->set;
    if (svs__domain_reserver(domain) != record && svs__set_is_lasting(set))
        record->note = svs__note_keep(&domain->pending.notes, domain->run->graph->world,
                                      set->elements, set->count);
}

void svs__domain_defer(svs__domain *domain, svs_context *context, svs__record *record,
                       const svs__conflict *met, bool front, bool expanded) {
    svs__blame *b = &domain->run->blame[met->key >> (32 - SVS__BUCKET_BITS_MAX)];
    bool needs_set = domain->stage.count < SVS__WIDE_ENOUGH && blame(domain->run, b);
    context->statistics.deferrals++;
    svs__record_tire(record);
    needs_set |= svs__explain_is_due(context, domain) || reserves(domain, record);
    if (needs_set &&
        (expanded || !svs__instance_expand(context, svs__record_task(record), record + 1)))
        defer_with_set(domain, context, record, met, b);
    if (expanded) keep_note(domain, context, record);
    /* The reserver waits in front, or those that it keeps out would keep it in. */
    svs__pending_put(&domain->pending, record, met,
                     front || svs__domain_reserver(domain) == record);
}

void svs__domain_settle(svs__domain *domain, const svs__record *record) {
    if (svs__domain_reserver(domain) != record) return;
    svs__store_relaxed(&domain->reserver, NULL);
    if (svs__admission_unreserve(domain->run->admission, &domain->claim))
        svs__runtime_notify(domain->run->graph->world->runtime, 1);
}
