#include "sched/graph/active.h"

#include "base/check.h"
#include "base/memory.h"
#include "sched/graph/graph.h"

bool svs__active_new(svs__run *run, uint32_t domains) {
    const svs_allocator *allocator = run->graph->world->allocator;
    run->active = svs__allocate_zeroed(allocator, domains * sizeof *run->active, SVS__CACHE_LINE);
    run->listed = svs__allocate_zeroed(allocator, domains * sizeof *run->listed, SVS__CACHE_LINE);
    return run->active && run->listed;
}

void svs__active_free(svs__run *run, uint32_t domains) {
    const svs_allocator *allocator = run->graph->world->allocator;
    svs__release(allocator, run->active, domains * sizeof *run->active, SVS__CACHE_LINE);
    svs__release(allocator, run->listed, domains * sizeof *run->listed, SVS__CACHE_LINE);
    run->active = NULL;
    run->listed = NULL;
    svs__store_relaxed(&run->active_count, 0);
    run->active_used = 0;
}

static svs__listed *listed_of(const svs__run *run, const svs__domain *domain) {
    return &run->listed[domain - run->domains];
}

static void set_at(svs__run *run, uint32_t at, svs__domain *domain) {
    listed_of(run, domain)->at = at;
    /* relaxed is enough: the domain was in the array before, or the count publishes it. */
    svs__store_relaxed(&run->active[at], domain);
}

bool svs__active_is_valid(const svs__run *run) {
    uint32_t count = svs__load_relaxed(&((svs__run *)(uintptr_t)run)->active_count);
    for (uint32_t i = 0; i < run->active_used; i++) {
        const svs__domain *domain = svs__load_relaxed(&run->active[i]);
        const svs__listed *listed = listed_of(run, domain);
        if (listed->at != i || (domain != run->gate && (listed->open != 0) != (i < count)))
            return false;
    }
    return count && count <= run->active_used && svs__load_relaxed(&run->active[0]) == run->gate;
}

/* Removes from a domain what the last iteration has left in it. */
static void forget(svs__domain *domain) {
    svs__lock_acquire(&domain->lock); /* a maker may still read its list */
    svs__store_relaxed(&domain->tasks, NULL);
    svs__domain_set_blocked(domain, false, 0);
    svs__pending_forget_freed(&domain->pending);
    SVS__ASSERT_SLOW(svs__pending_is_valid(&domain->pending)); /* sched.Q1 to sched.Q5 */
    svs__lock_release(&domain->lock);
}

void svs__active_begin(svs__run *run) {
    SVS__ASSERT_SLOW(!run->active_used || svs__active_is_valid(run)); /* sched.N1 */
    for (uint32_t i = 0; i < run->active_used; i++) {
        svs__domain *domain = svs__load_relaxed(&run->active[i]);
        /* sched.N1: all tasks of the domain have ended */
        SVS__ASSERT(!listed_of(run, domain)->open);
        forget(domain);
    }
    set_at(run, 0, run->gate);
    run->active_used = 1;
    svs__store_release(&run->active_count, 1);
}

/* Exchanges the domains at two places. */
static void exchange(svs__run *run, uint32_t at, uint32_t other) {
    svs__domain *moves = svs__load_relaxed(&run->active[at]);
    set_at(run, at, svs__load_relaxed(&run->active[other]));
    set_at(run, other, moves);
}

static bool is_used(const svs__run *run, const svs__domain *domain) {
    uint32_t at = listed_of(run, domain)->at;
    return at < run->active_used && svs__load_relaxed(&run->active[at]) == domain;
}

void svs__active_open(svs__run *run, svs__domain *domain) {
    uint32_t count = svs__load_relaxed(&run->active_count);
    SVS__ASSERT(svs__lock_is_held(&run->lock)); /* sched.T3 */
    if (listed_of(run, domain)->open++) return;
    if (!is_used(run, domain)) set_at(run, run->active_used++, domain);
    exchange(run, listed_of(run, domain)->at, count);
    /* release: publishes the domain; pairs with the acquire of each step. */
    svs__store_release(&run->active_count, count + 1);
}

void svs__active_end(svs__run *run, svs__domain *domain) {
    svs__listed *listed = listed_of(run, domain);
    uint32_t last = svs__load_relaxed(&run->active_count) - 1;
    SVS__ASSERT(listed->open); /* sched.N1 */
    if (--listed->open) return;
    exchange(run, listed->at, last);
    svs__store_release(&run->active_count, last); /* release: as in svs__active_open() */
    if (domain->algorithm->rest) domain->algorithm->rest(domain);
}
