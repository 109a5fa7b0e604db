/* Scheduling domains (thesis 6.1): where the instances of one or several tasks are chosen to run
 * together.
 *
 * A domain's algorithm is one small table, so that a new algorithm is one new file. Its steps never
 * block: a worker takes one and moves to another domain when this one has no use for it.
 *
 *   G1  a task belongs to one domain from the moment it is open until the iteration ends (strict
 *       propagation, property 4);
 *   G2  nothing runs but by svs__instances_run() after admission. */
#ifndef SVS_SCHED_DOMAIN_DOMAIN_H
#define SVS_SCHED_DOMAIN_DOMAIN_H

#include "sched/domain/context.h"
#include "sched/domain/instance.h"
#include "sched/domain/pending.h"

typedef struct svs__algorithm {
    const char *name;
    /* Takes one step on behalf of the worker. @return whether it did anything: if not, the domain
     * needs no more threads now. */
    bool (*step)(svs__domain *domain, svs__worker *worker);
    /* Whether a step might do something. Racy: asked before a worker sleeps, after it has announced
     * that it will. */
    bool (*ready)(svs__domain *domain);
    bool in_stages; /* a stage holds for all of its instances, so a claim reserves for the stage */
} svs__algorithm;

/* A staged domain's stage: built by one worker, run by many, ended by the last. `width` is number
 * << 32 | how many are offered, `claim` is number << 32 | next: a worker that moves it on has
 * claimed the instances from `next` on. P1 to P4 in stage.h. */
typedef struct svs__stage {
    svs__record **records;
    uint32_t count, capacity;
    uint32_t offered; /* of them: workers may claim them */
    uint32_t told;    /* how many others were woken for them */
    svs__hold hold;
    _Alignas(SVS__CACHE_LINE) _Atomic(uint64_t) claim; /* every worker of the stage writes it */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) left;  /* P2; 0: free for a maker */
    _Atomic(uint64_t) width; /* written by makers, read with every claim */
} svs__stage;

struct svs__domain {
    const svs__algorithm *algorithm;
    svs__domain_env *env;
    svs__lock lock; /* guards what follows, but for the stage; a staged maker holds it throughout */
    /* open in this domain, linked by next_in_domain; grows only within an iteration */
    _Atomic(svs_task *) tasks;
    svs__record *incoming; /* instances of transforms, linked */
    _Atomic(uint32_t) incoming_count;
    svs__pending pending;
    svs__claim claim;
    _Atomic(svs__record *) reserver; /* the record that the claim is for (A7) */
    uint64_t reserver_epoch;         /* progressive: the epoch of before its last try */
    _Atomic(uint64_t) blocked_epoch; /* the epoch at which everything deferred was found blocked */
    _Atomic(uint32_t) blocked;       /* counted in admission's `blocked` */
    uint32_t cursor;                 /* the bucket where the search for what is free goes on */
    uint32_t set_cursor;             /* staged: and for what is not known */
    svs__stage stage;
};

void svs__domain_init(svs__domain *domain, svs__domain_env *env, const svs__algorithm *algorithm);
void svs__domain_clean_up(svs__domain *domain);

/* Opens a task in the domain. */
void svs__domain_attach(svs__domain *domain, svs_task *task);

/* Offers the instance of a transform. */
void svs__domain_offer(svs__domain *domain, svs__record *record);

/* Whether items or transforms have arrived and were not taken. */
bool svs__domain_has_arrivals(svs__domain *domain);
uint32_t svs__domain_arrivals(svs__domain *domain);

/* Takes up to `limit` arrivals that follow each other. */
uint32_t svs__domain_take(svs__domain *domain, uint32_t limit, svs__record **record);

/* Notes that all that is deferred was found blocked at `epoch`, or that this is over. */
void svs__domain_set_blocked(svs__domain *domain, bool blocked, uint64_t epoch);

/* Whether something is deferred and admission has released something since it was found blocked. */
bool svs__domain_may_unblock(svs__domain *domain);

/* The record that the domain's claim is for. Under the domain's lock, or to learn whether it is one
 * that the caller has taken out of its bucket, which no other worker reserves for or settles
 * meanwhile. */
static inline svs__record *svs__domain_reserver(svs__domain *domain) {
    return svs__load_relaxed(&domain->reserver); /* relaxed: as said */
}

/* The record is admitted or dropped: gives up the claim, if it is for this record. Under the
 * domain's lock. */
void svs__domain_settle(svs__domain *domain, const svs__record *record);

#endif
