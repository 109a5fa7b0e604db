/* Scheduling domains (thesis 6.1). A domain chooses which instances of its tasks run together.
 *
 * The algorithm of a domain is a table of functions (algorithm.h). Data of one algorithm is in the
 * domain's `state`. Data of several algorithms is in the domain itself: arrivals, deferred records,
 * the reservation, and the stage.
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

/* The stage of a staged domain. One worker makes it, many run it, and the last of them ends it.
 * `width` is number << 32 | both << 31 | the count of offered instances. `claim` is number << 32 |
 * the count of claimed instances; with `both`, its lower half is the count of those claimed from
 * the back << 16 | the count from the front (stage.h). */
typedef struct svs__stage {
    void **items;
    uint32_t count, capacity;
    uint32_t offered; /* instances that workers may claim */
    uint32_t told;    /* workers that were woken for the offered instances */
    uint32_t cursor;  /* where the next search among records that are not known begins */
    svs__hold hold;
    /* the other fields of the line are set when the stage begins */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim;
    _Atomic(uint64_t) width;
    void *const *run;          /* the offered instances: `items`, or a stage of a window */
    const svs_task *only;      /* the task of all offered instances, or NULL */
    _Atomic(uint32_t) piece;   /* instances of one claim; 0: a share of the rest */
    _Atomic(uint32_t) soon;    /* 1: so short that idle workers wait a moment for the next */
    _Atomic(uint32_t) between; /* bodies between two checks for other work, minus 1 */
    /* called by the last worker to leave, which then owns the stage */
    void (*end)(svs__domain *domain, svs_context *context);
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) left; /* sched.P2; 0: free for a maker */
} svs__stage;

struct svs__domain {
    const svs__algorithm *algorithm;
    svs__domain_env *env;
    /* guards the fields below, except the stage; a maker holds it until the stage is complete */
    svs__lock lock;
    /* open in this domain, linked by next_in_domain; grows only within an iteration, under run.lock
     */
    _Atomic(svs_task *) tasks;
    svs_task *opening;     /* attached and not open yet, linked in front of them; under run.lock */
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
/* Frees the domain's memory, with its state. */
void svs__domain_clean_up(svs__domain *domain);

/* Tasks of one domain that open at once become visible to workers at once, so that the order of
 * their items does not depend on when a worker looks (sched.W9): each is attached, and then the
 * domain opens all of them. Under run.lock. */
void svs__domain_attach(svs__domain *domain, svs_task *task);
void svs__domain_open(svs__domain *domain);

/* Adds the instance of a transform. */
void svs__domain_offer(svs__domain *domain, svs__record *record);

/* Whether items or transforms have arrived and were not taken; how many. */
bool svs__domain_has_arrivals(svs__domain *domain);
uint32_t svs__domain_arrivals(svs__domain *domain);

/* Whether tasks that get items from outside of bodies in this iteration have arrivals. */
bool svs__domain_has_from_outside(svs__domain *domain);

/* Whether there are fewer than `few` arrivals, none of which is of a task that a body has sent to
 * in this iteration. */
bool svs__domain_has_few_from_outside(svs__domain *domain, uint32_t few);

/* Whether items were sent to it in this iteration. */
bool svs__domain_is_fed(svs__domain *domain);

/* The highest priority of its open tasks with arrivals, or of all open tasks if none has one. */
int32_t svs__domain_priority(svs__domain *domain);

/* Takes up to `limit` adjacent arrivals. @return how many. *first becomes the first item; in
 * svs__domain_take(), the record of the first item, and records are made for all of them. */
uint32_t svs__domain_take_items(svs__domain *domain, uint32_t limit, void **first);
uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **first);

/* All deferred records were found blocked at `epoch` (`blocked`), or this is no longer known. */
void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch);

/* Whether records are deferred and a release came after they were found blocked. */
bool svs__domain_may_unblock(svs__domain *domain);

/* The record that the domain's reservation is for. Called under the domain's lock. A caller without
 * the lock may compare the result with a record that it took out of its bucket: no other worker
 * reserves for that record. */
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

/* Attributes a deferral to the element with this key in the context's set. */
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
