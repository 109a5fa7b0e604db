#include "sched/domain/window/attention.h"

#include "base/platform.h"
#include "sched/domain/queue/inbox.h"

#define ROUNDS_OF_RELAX 8u /* number of pause instructions between two reads of the inboxes */
/* a doze lasts this long, plus what the system's timers add: 50 us on Linux */
#define DOZE_NS 5000u
#if defined(SVS_EXPLORE) /* in the explorer, a few items are a rush, and a step takes 1 us */
#define COLLECT_NS 40000u
#define ATTEND_NS 100000u
#define FEW 2u
#define MANY 3u
#define RUSH 1u
#define ENOUGH 4u
#else
#define COLLECT_NS 2000u /* length of the pause that collects items */
#define ATTEND_NS 20000u /* the maximum time that a worker waits without an arrival */
#define FEW 64u          /* after fewer instances than this, the worker pauses to collect items */
#define MANY 512u        /* number of items that are worth a serial run: no others are awaited */
#define RUSH 16u         /* number of arrivals during a pause after which the worker dozes */
#define ENOUGH 4096u     /* number of waiting items that ends a doze */
#endif

void svs__attention_begin(svs__attention *a, svs__domain *domain, const svs_context *context) {
    a->count = 0;
    a->ran = context->statistics.instances;
    for (svs_task *task = svs__load_acquire(&domain->tasks); task && a->count < SVS__ATTENDED_MAX;
         task = svs__load_acquire(&task->next_in_domain)) {
        /* relaxed is enough: the answer may be stale */
        if (!svs__load_relaxed(&task->inbox.is_fed_outside)) continue;
        svs__inbox_attend(&task->inbox);
        a->tasks[a->count++] = task;
    }
}

/* The number of items that wait in the inboxes. */
static uint32_t arrived(const svs__attention *a) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++) count += svs__inbox_waiting(&a->tasks[i]->inbox);
    return count;
}

/* Whether the worker has something else to do. The function reads nothing that senders write. */
static bool is_called_away(const svs__domain *domain) {
    return svs__env_cancelled(domain->env) || svs__jobs_crowded(&domain->env->world->runtime->jobs);
}

/* Whether no item can arrive any more. */
static bool is_over(const svs__attention *a) {
    for (uint32_t i = 0; i < a->count; i++) /* relaxed is enough: the answer may be stale */
        if (svs__load_relaxed(&a->tasks[i]->lead->outstanding)) return false;
    return true;
}

static void relax(void) {
    for (uint32_t i = 0; i < ROUNDS_OF_RELAX; i++) svs__relax();
}

/* Pauses without reading the inboxes, so that their cache lines stay with the senders. */
static void pause_for(const svs__domain *domain, uint64_t ns) {
    uint64_t begin = svs__time_ns();
    do relax();
    while (svs__time_ns() - begin < ns && !is_called_away(domain));
}

/* Waits for an item. @return whether one arrives within `ns` nanoseconds. */
static bool find(const svs__attention *a, const svs__domain *domain, uint64_t ns) {
    uint64_t begin = svs__time_ns();
    while (!arrived(a)) {
        if (is_called_away(domain) || is_over(a) || svs__time_ns() - begin >= ns) return false;
        relax();
    }
    return true;
}

static svs__inbox *fullest(const svs__attention *a) {
    svs__inbox *most = &a->tasks[0]->inbox;
    for (uint32_t i = 1; i < a->count; i++)
        if (svs__inbox_waiting(&a->tasks[i]->inbox) > svs__inbox_waiting(most))
            most = &a->tasks[i]->inbox;
    return most;
}

bool svs__attention_may_collect(const svs_task *task, uint32_t taken) {
    /* relaxed is enough: the answer may be stale */
    return taken < MANY && svs__load_relaxed(&((svs_task *)(uintptr_t)task)->inbox.is_lent_to_body);
}

void svs__attention_collect(const svs__domain *domain) { pause_for(domain, COLLECT_NS); }

/* Pauses, so that more items gather. In a rush, the worker then dozes, so that the CPU and the
 * cache lines of the inbox are left to the senders. */
static void gather(const svs__attention *a, const svs__domain *domain) {
    uint32_t count = arrived(a);
    if (count >= MANY) return;
    pause_for(domain, COLLECT_NS);
    if (arrived(a) - count >= RUSH && !is_called_away(domain))
        svs__inbox_doze(fullest(a), ENOUGH, DOZE_NS);
}

bool svs__attention_wait(svs__attention *a, svs__domain *domain, const svs_context *context) {
    uint64_t ran = context->statistics.instances - a->ran;
    uint64_t span = domain->env->world->runtime->options.spin_ns;
    a->ran = context->statistics.instances;
    if (!a->count) return false;
    if (ran < FEW && !is_over(a)) pause_for(domain, COLLECT_NS);
    if (!find(a, domain, span < ATTEND_NS ? span : ATTEND_NS)) return false;
    if (ran >= FEW || arrived(a) >= RUSH) gather(a, domain);
    return true;
}

void svs__attention_end(const svs__attention *a, const svs__domain *domain) {
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t waiting = svs__inbox_leave(&a->tasks[i]->inbox);
        if (waiting) svs__runtime_notify(domain->env->world->runtime, waiting);
    }
}
