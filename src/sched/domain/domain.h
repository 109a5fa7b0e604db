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

/* The stage of a staged domain. One worker makes it, many run it, and the last of them ends it
 * (stage/stage.h; stage.c describes the words `claim` and `width`). */
typedef struct svs__stage {
    void **items;
    uint32_t count, capacity;
    uint32_t offered; /* number of instances that workers may claim */
    uint32_t told;    /* number of workers that were woken for the offered instances */
    uint32_t cursor;  /* the bucket where the next search for records that are not known begins */
    svs__hold hold;
    /* the fields of this cache line after `width` are set when the stage begins */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim;
    _Atomic(uint64_t) width;
    void *const *run;     /* the offered instances: `items`, or a stage of a window */
    const svs_task *only; /* the task of all offered instances; NULL: they are of several tasks */
    _Atomic(uint32_t) piece;   /* number of instances of one claim; 0: a share of those left */
    _Atomic(uint32_t) soon;    /* 1: so short that idle workers wait a moment for the next stage */
    _Atomic(uint32_t) between; /* number of bodies between two checks for other work, minus 1 */
    /* made with the first window, if there are many workers (stage/deal.h); or NULL */
    _Atomic(struct svs__deal *) deal;
    /* called by the last worker that leaves, which then owns the stage */
    void (*end)(svs__domain *domain, svs_context *context);
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) left; /* sched.P2; 0: free for a maker */
} svs__stage;

struct svs__domain {
    const svs__algorithm *algorithm;
    svs__domain_env *env;
    /* guards the fields below, except the stage; a maker holds it until the stage is complete */
    svs__lock lock;
    /* list of the open tasks of this domain, linked by `next_in_domain`; within an iteration it
     * only grows, under run.lock */
    _Atomic(svs_task *) tasks;
    /* list of the tasks attached and not open yet, which continues into `tasks`; under run.lock */
    svs_task *opening;
    svs__record *incoming; /* list of instances of transforms, and of items given back by workers */
    _Atomic(uint32_t) incoming_count;
    svs__pending pending;
    svs__reservation reservation;
    _Atomic(svs__record *) reserver; /* the record for which the reservation is made (sched.A7) */
    _Atomic(uint64_t) blocked_epoch; /* the epoch at which all deferred records were blocked */
    _Atomic(uint32_t) blocked;       /* 1: the domain counts in admission's `blocked` */
    uint32_t cursor;                 /* the bucket at which the next search begins */
    svs__stage stage;
    void *state; /* data of the algorithm */
};

void svs__domain_init(svs__domain *domain, svs__domain_env *env, const svs__algorithm *algorithm);
/* Frees the domain's memory, with its state. */
void svs__domain_clean_up(svs__domain *domain);

/* Opens tasks: each is attached first, and then the domain opens all of them. So tasks that open at
 * once become visible to workers at once, and the order of their items does not depend on when a
 * worker reads the list (sched.W9). The caller holds run.lock. */
void svs__domain_attach(svs__domain *domain, svs_task *task);
void svs__domain_open(svs__domain *domain);

/* Adds the instance of a transform. */
void svs__domain_offer(svs__domain *domain, svs__record *record);

/* Whether items or transforms have arrived that were not taken; their number. */
bool svs__domain_has_arrivals(svs__domain *domain);
uint32_t svs__domain_arrivals(svs__domain *domain);

/* Whether there are arrivals of tasks to which sources, and not only bodies, have sent in this
 * iteration. */
bool svs__domain_has_from_outside(svs__domain *domain);

/* Whether there are fewer than `few` arrivals, and none for a task to which a body has sent in this
 * iteration. */
bool svs__domain_has_few_from_outside(svs__domain *domain, uint32_t few);

/* Whether items were sent to the domain's tasks in this iteration. */
bool svs__domain_is_fed(svs__domain *domain);

/* The highest priority among its open tasks with arrivals, or among all open tasks if there are no
 * arrivals. */
int32_t svs__domain_priority(svs__domain *domain);

/* Takes up to `limit` adjacent arrivals. @return how many. *first becomes the first item. `later`
 * is that of svs__inbox_take(). svs__domain_take() makes records, and *first becomes the first. */
uint32_t svs__domain_take_items(svs__domain *domain, uint32_t limit, void **first,
                                svs__generated *later);
uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **first);

/* Records that all deferred records were found blocked at `epoch` or, if `blocked` is false, that
 * this is no longer known. */
void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch);

/* Whether records are deferred and a release came after they were found blocked. */
bool svs__domain_may_unblock(svs__domain *domain);

/* The record that the domain's reservation is for. Called under the domain's lock. A caller without
 * the lock may compare the result with a record that it took out of its bucket: no other worker
 * reserves for that record. */
static inline svs__record *svs__domain_reserver(svs__domain *domain) {
    /* relaxed is enough: the lock is held, or the caller compares with its own write */
    return svs__load_relaxed(&domain->reserver);
}

/* Called when the record is admitted or dropped: ends the reservation, if it is for this record.
 * The caller holds the domain's lock. */
void svs__domain_settle(svs__domain *domain, const svs__record *record);

/* A stage with at least this many instances is not narrow: its deferrals are not counted for their
 * buckets. */
#define SVS__WIDE_ENOUGH 8u

/* Puts a record that was refused into the bucket of the conflict. After many refusals the record
 * reserves its set (sched.S4), and adds to the reservation with each further refusal (sched.A8).
 * The caller holds the domain's lock. `expanded`: the context's set is the record's set. */
void svs__domain_defer(svs__domain *domain, svs_context *context, svs__record *record,
                       const svs__conflict *met, bool front, bool expanded);

/* Attributes a deferral to the element with this key in the context's set. */
void svs__domain_blame(const svs__domain *domain, const svs_context *context, uint32_t key);

/* Whether the next deferral must be explained (explain.h); svs__explain_is_near(): whether one of
 * the next 64 must be. While instances of the stage may run, an explanation is postponed, because
 * it reads their items. */
static inline bool svs__explain_is_due(const svs_context *context, const svs__domain *domain) {
    return context->statistics.deferrals >= context->explain_at && !domain->stage.offered;
}
/* Whether a record is treated differently so that its deferral can be explained. Never in a domain
 * that repeats: there the choice of a stage depends on no count of a worker (sched.W9). */
static inline bool svs__explain_decides(const svs_context *context, const svs__domain *domain) {
    return !domain->algorithm->repeats && svs__explain_is_due(context, domain);
}
static inline bool svs__explain_is_near(const svs_context *context) {
    return context->explain_at - context->statistics.deferrals < 64 ||
           context->statistics.deferrals >= context->explain_at;
}

#endif
