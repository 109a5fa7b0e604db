/* The algorithms of domains: a table of functions each, and the registry of those that a program
 * may choose.
 *
 * A new algorithm is a file or a folder with its table, a line of algorithms.def, and a number of
 * svs_algorithm (svs/graph.h). What it keeps for a domain is its `state`, which no other part
 * reads. Its step never blocks: a worker that finds nothing to do returns, and moves to another
 * domain. It admits each instance before it runs the instance (sched/admission/admission.h), and
 * runs it by svs__instances_run() (sched.G2). */
#ifndef SVS_SCHED_DOMAIN_ALGORITHM_H
#define SVS_SCHED_DOMAIN_ALGORITHM_H

#include <svs/graph.h>

#include "worksteal/worker.h"

typedef struct svs__domain svs__domain;

/* What an instance of a domain takes, as measured, ns. */
typedef struct svs__costs {
    bool alone;      /* one worker runs the instances, as this is faster */
    uint32_t body;   /* its body */
    uint32_t by_one; /* all of it, if one worker runs them, */
    uint32_t by_all; /* and if all workers do: the time of all divided by the instances */
} svs__costs;

typedef struct svs__algorithm {
    const char *name;

    /* One step of the worker. @return whether it did anything: if not, the domain needs no more
     * workers now. */
    bool (*step)(svs__domain *domain, svs__worker *worker);
    /* Whether a step might do something. Racy: called before a worker sleeps, after it has
     * announced its sleep. */
    bool (*ready)(svs__domain *domain);

    /* The functions from here on may be NULL: then there is nothing to do, or the answer is no. */

    /* Makes `state`. @param task the task that the domain is made for; NULL: the domain is the gate
     * of a run. @return SVS_OK or SVS_E_NO_MEMORY. */
    svs_status (*new)(svs__domain *domain, const svs_task *task);
    /* Frees `state`, if it is not NULL. */
    void (*free)(svs__domain *domain);
    /* A run begins. @return false: no memory. It has ended, or has not begun after all. */
    bool (*begin)(svs__domain *domain);
    void (*end)(svs__domain *domain);
    /* The tasks of the domain have ended for now, as far as is known: a time to give memory
     * back. */
    void (*rest)(svs__domain *domain);

    /* Runs instances that the worker has claimed in a step before (sched.P5), or claims some.
     * @return whether there were any. */
    bool (*run_claimed)(svs__domain *domain, svs_context *context);
    /* No domain has work. Waits a moment for instances that are about to be offered.
     * @return whether there are any, for run_claimed(). */
    bool (*comes_soon)(svs__domain *domain);
    /* [sched.I10] Whether the worker that runs what waits runs the next items as well, so that a
     * sender need not wake another one. */
    bool (*stays)(svs__domain *domain);
    /* What instances take, for svs_explain(). Not during a run. @return false: not measured. */
    bool (*costs)(const svs__domain *domain, svs__costs *costs);
    /* The calling thread leaves the worker's seat. */
    void (*left)(svs__domain *domain, svs__worker *worker);

    bool in_stages; /* one hold for all instances of a stage, so the hold is the reserver */
    bool repeats;   /* no choice depends on time or on the count of a worker (sched.W9) */
} svs__algorithm;

#define SVS__ALGORITHM(number, algorithm) extern const svs__algorithm algorithm;
#include "sched/domain/algorithms.def"
#undef SVS__ALGORITHM

/* @return NULL: no algorithm has this number. */
const svs__algorithm *svs__algorithm_of(svs_algorithm number);

#endif
