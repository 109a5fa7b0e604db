/* Scheduling domains (thesis 6.1). A domain chooses which instances of its tasks run together.
 *
 * The algorithm of a domain is a table of functions (algorithm.h). What one algorithm alone needs
 * is in the domain's `state`. A domain has what several of them use: arrivals, the deferred, the
 * reservation, and the stage.
 *
 *   sched.G1  a task belongs to one domain from its opening to the end of the iteration (strict
 *       propagation, property 4);
 *   sched.G2  svs__instances_run() alone runs bodies, and only those of admitted instances. */
#ifndef SVS_SCHED_DOMAIN_DOMAIN_H
#define SVS_SCHED_DOMAIN_DOMAIN_H

#include "sched/domain/algorithm.h"
#include "sched/domain/deferred/pending.h"
#include "sched/domain/instance/context.h"
#include "sched/domain/instance/instance.h"

/* A staged domain's stage. One worker makes it, many run it, and the last of them ends it. `width`
 * is number << 32 | both << 31 | how many are offered. `claim` is number << 32 | how many are
 * claimed; with `both`, those from the back << 16 | those from the front (stage.h). */
typedef struct svs__stage {
    void **items;
    uint32_t count, capacity;
    uint32_t offered; /* instances that workers may claim */
    uint32_t told;    /* workers that were woken for them */
    uint32_t cursor;  /* where the next search among records that are not known begins */
    svs__hold hold;
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim; /* the rest of the line: as it begins */
    _Atomic(uint64_t) width;
    void *const *run;          /* the offered instances: `items`, or a stage of a window */
    const svs_task *only;      /* the task of all of them, or NULL */
    _Atomic(uint32_t) piece;   /* instances of one claim; 0: a share of the rest */
    _Atomic(uint32_t) soon;    /* 1: so short that idle workers wait a moment for the next */
    _Atomic(uint32_t) between; /* bodies between two looks for other work, less 1 */
    void (*end)(svs__domain *domain, svs_context *context); /* by the last to leave, the owner */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) left;       /* sched.P2; 0: free for a maker */
} svs__stage;

struct svs__domain {
    const svs__algorithm *algorithm;
    svs__domain_env *env;
    /* guards the fields below, except the stage; a maker holds it until the stage is complete */
    svs__lock lock;
    /* open in this domain, linked by next_in_domain; grows only within an iteration */
    _Atomic(svs_task *) tasks;
    svs__record *incoming; /* linked: instances of transforms, and items that are given back */
    _Atomic(uint32_t) incoming_count;
    svs__pending pending;
    svs__reservation reservation;
    _Atomic(svs__record *) reserver; /* the record that the reservation is for (sched.A7) */
    _Atomic(uint64_t) blocked_epoch; /* the epoch at which everything deferred was found blocked */
    _Atomic(uint32_t) blocked;       /* counted in admission's `blocked` */
    uint32_t cursor;                 /* the bucket where the next search begins */
    svs__stage stage;
    void *state; /* the algorithm's */
};

void svs__domain_init(svs__domain *domain, svs__domain_env *env, const svs__algorithm *algorithm);
/* With its state. */
void svs__domain_clean_up(svs__domain *domain);

/* Opens a task in the domain. */
void svs__domain_attach(svs__domain *domain, svs_task *task);

/* Adds the instance of a transform. */
void svs__domain_offer(svs__domain *domain, svs__record *record);

/* Whether items or transforms have arrived and were not taken; how many. */
bool svs__domain_has_arrivals(svs__domain *domain);
uint32_t svs__domain_arrivals(svs__domain *domain);

/* The same, of tasks that are fed from outside of bodies in this iteration. */
bool svs__domain_has_from_outside(svs__domain *domain);

/* Whether those that have arrived are fewer than `few`, and of tasks that bodies have sent nothing
 * in this iteration. */
bool svs__domain_has_few_from_outside(svs__domain *domain, uint32_t few);

/* Whether items were sent to it in this iteration. */
bool svs__domain_is_fed(svs__domain *domain);

/* The highest priority of its open tasks with arrivals, or of all open tasks if none has one. */
int32_t svs__domain_priority(svs__domain *domain);

/* Takes up to `limit` adjacent arrivals. @return how many. *first becomes the
 * first item; or the first record, when records are made for all of them. */
uint32_t svs__domain_take_items(svs__domain *domain, uint32_t limit, void **first);
uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **first);

/* All deferred records were found blocked at `epoch`, or are no longer. */
void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch);

/* Whether records are deferred and a release came after they were found blocked. */
bool svs__domain_may_unblock(svs__domain *domain);

/* The record that the domain's reservation is for. Under the domain's lock; or without it, to
 * compare it with a record taken out of its bucket, for which no other worker reserves. */
static inline svs__record *svs__domain_reserver(svs__domain *domain) {
    return svs__load_relaxed(&domain->reserver); /* relaxed: the lock, or the caller's own write */
}

/* The record is admitted or dropped: the reservation ends, if it is for this record. Under the
 * domain's lock. */
void svs__domain_settle(svs__domain *domain, const svs__record *record);

/* A stage as wide as this is not narrow: deferrals of its buckets are not counted. */
#define SVS__WIDE_ENOUGH 8u

/* Puts a record that was refused into the bucket of the conflict. After many refusals the record
 * reserves its set (sched.S4), and adds to the reservation with each further refusal
 * (sched.A8). Under the domain's lock. `expanded`: the context's set is the record's. */
void svs__domain_defer(svs__domain *domain, svs_context *context, svs__record *record,
                       const svs__conflict *met, bool front, bool expanded);

/* Counts a deferral by the element with the key, which is of the context's set. */
void svs__domain_blame(const svs__domain *domain, const svs_context *context, uint32_t key);

/* Whether the next deferral is to be explained (explain.h), or one of the next 64. Not while
 * instances of the stage may run, because the explanation reads their items: it is postponed. */
static inline bool svs__explain_is_due(const svs_context *context, const svs__domain *domain) {
    return context->statistics.deferrals >= context->explain_at && !domain->stage.offered;
}
/* Whether a record waits elsewhere so that its deferral can be explained. Not in a domain
 * that repeats: there the choice of a stage depends on no count of a worker (sched.W9). */
static inline bool svs__explain_decides(const svs_context *context, const svs__domain *domain) {
    return !domain->algorithm->repeats && svs__explain_is_due(context, domain);
}
static inline bool svs__explain_is_near(const svs_context *context) {
    return context->explain_at - context->statistics.deferrals < 64 ||
           context->statistics.deferrals >= context->explain_at;
}

#endif
