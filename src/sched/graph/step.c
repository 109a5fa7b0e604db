/* A run as a job of the workers: its steps, and the answers to the watchdog. */
#include "sched/graph/step.h"

#include "sched/domain/progressive/pinned.h"
#include "sched/graph/failure.h"
#include "sched/graph/source.h"
#include "worksteal/watchdog.h"

/* 2^STREAK_BITS successive steps of a worker begin at the same domain, for warm caches */
#define STREAK_BITS 4u

static svs__domain *domain_at(svs__run *run, uint32_t i) {
    return svs__load_acquire(&run->active[i % svs__load_acquire(&run->active_count)]);
}

/* Steps the domains by priority, the highest first, and those of one priority in turn. */
SVS__COLD static bool step_by_priority(svs__run *run, uint32_t first, svs__worker *worker) {
    uint32_t count = svs__load_acquire(&run->active_count);
    int64_t below = INT64_MAX, next;
    do {
        next = INT64_MIN;
        for (uint32_t i = 0; i < count; i++) {
            int64_t priority = svs__domain_priority(domain_at(run, i));
            if (priority < below && priority > next) next = priority;
        }
        for (uint32_t i = 0; i < count && next != INT64_MIN; i++) {
            svs__domain *domain = domain_at(run, i + first);
            if (svs__domain_priority(domain) == next && domain->algorithm->step(domain, worker))
                return true;
        }
        below = next;
    } while (next != INT64_MIN);
    return false;
}

/* [sched.P5] */
static void run_claimed(svs_context *context) {
    svs__domain *domain = context->claimed.domain;
    (void)domain->algorithm->run_claimed(domain, context);
}

/* Called when no domain has work: waits a moment if a domain is about to open a stage. */
static bool await_stage(svs__run *run, svs_context *context) {
    uint32_t count = svs__load_acquire(&run->active_count);
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = domain_at(run, i);
        const svs__algorithm *algorithm = domain->algorithm;
        if (algorithm->comes_soon && algorithm->comes_soon(domain, context->worker))
            return algorithm->run_claimed(domain, context);
    }
    return false;
}

static bool step_domains(svs__run *run, svs_context *context, svs__worker *worker) {
    uint32_t count = svs__load_acquire(&run->active_count);
    uint32_t first = worker->index + (context->steps++ >> STREAK_BITS);
    if (context->claimed.count) {
        run_claimed(context);
        return true;
    }
    if (SVS__UNLIKELY(svs__load_relaxed(&run->env.prioritized)))
        return step_by_priority(run, first, worker);
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_acquire(&run->active[(i + first) % count]);
        if (domain->algorithm->step(domain, worker)) return true;
    }
    return await_stage(run, context);
}

/* Whether the run was cancelled and its sources must still be shut (sched.R2). */
static bool has_sources_to_shut(svs__run *run) {
    /* relaxed is enough: a thread that cancels notifies the workers afterwards, and a thread that
     * makes a source takes the lock. */
    return SVS__UNLIKELY(svs__env_cancelled(&run->env)) && svs__load_relaxed(&run->sources);
}

static bool step(svs__job *job, svs__worker *worker) {
    svs__run *run = (svs__run *)(void *)job;
    svs_context *context = svs__context_of(&run->env, worker);
    bool kept = context->claimed.count != 0;
    bool ran;
    if (has_sources_to_shut(run)) {
        svs__sources_shut(run, worker);
        return true;
    }
    ran = step_domains(run, context, worker);
    worker->keeps += (context->claimed.count != 0) - (uint32_t)kept; /* worksteal.K2 */
    return ran;
}

static bool ready(svs__job *job) {
    svs__run *run = (svs__run *)(void *)job;
    uint32_t count = svs__load_acquire(&run->active_count);
    if (has_sources_to_shut(run)) return true;
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_acquire(&run->active[i]);
        if (domain->algorithm->ready(domain)) return true;
    }
    return false;
}

/* Reports what the worker runs. The task, the address of the item and the number of instances that
 * the worker has run before together identify the instance. All three may change while they are
 * read, but the watchdog acts only on values that stay the same for long. The task lives as long as
 * the graph. The item is not accessed, because its batch may be new and not published to this
 * thread. */
static void tells(svs__job *job, svs__worker *worker, svs__activity *activity) {
    svs__run *run = (svs__run *)(void *)job;
    svs_context *context = svs__context_of(&run->env, worker);
    svs_task *task = svs__load_relaxed(&context->task);
    uintptr_t item = svs__load_relaxed(SVS__HOLDER_ITEM(&context->holder));
    if (!task || !item) {
        svs__watchdog_asyncs(worker, run, "asyncs of a body in graph", run->graph->name, activity);
        return;
    }
    if (svs__load_relaxed(&worker->stretch) == SVS__IN_WAIT) return;
    *activity = (svs__activity){task, svs__order_seed(svs__load_relaxed(&context->ended), item),
                                "task", task->type->name};
}

static void left(svs__job *job, svs__worker *worker) {
    svs__run *run = (svs__run *)(void *)job;
    uint32_t count = svs__load_acquire(&run->active_count);
    for (uint32_t i = 0; i < count; i++) {
        svs__domain *domain = svs__load_acquire(&run->active[i]);
        if (domain->algorithm->left) domain->algorithm->left(domain, worker);
    }
}

static svs_status cancel(svs__job *job, svs_status status) {
    svs__run *run = (svs__run *)(void *)job;
    if (!svs__run_cancel(run, status)) return SVS_E_STATE;
    svs__runtime_notify(run->graph->world->runtime, UINT32_MAX);
    return SVS_OK;
}

void svs__run_make_source(svs__run *run) {
    run->job = (svs__job){step, ready, tells, run->pinned ? left : NULL, cancel};
}

bool svs__run_needs_runner(svs__run *run) {
    uint32_t count = svs__load_acquire(&run->active_count);
    for (uint32_t i = 0; i < count; i++)
        if (svs__pinned_needs_runner(svs__load_acquire(&run->active[i]))) return true;
    return false;
}
