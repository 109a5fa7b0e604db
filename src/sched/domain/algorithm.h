/* The algorithms of domains. Each is a table of functions. A registry lists those that a program
 * may choose.
 *
 * A new algorithm is a file or a folder with its table, a line of algorithms.def, and a number of
 * svs_algorithm (svs/graph.h). What it stores for a domain is the domain's `state`, which no other
 * part reads. Its step never blocks: a worker that finds nothing to do returns, and moves to
 * another domain. It admits each instance before it runs the instance
 * (sched/admission/admission.h), and runs it by svs__instances_run() (sched.G2). */
#ifndef SVS_SCHED_DOMAIN_ALGORITHM_H
#define SVS_SCHED_DOMAIN_ALGORITHM_H

#include <svs/graph.h>

#include "worksteal/worker.h"

typedef struct svs__domain svs__domain;

/* The measured costs of an instance of a task, in nanoseconds. */
typedef struct svs__costs {
    bool alone;      /* true: one worker runs the instances, because this is faster */
    uint32_t body;   /* time of the body */
    uint32_t by_one; /* total time of an instance if one worker runs all instances */
    /* the same if all workers share them: their total time divided by the number of instances */
    uint32_t by_all;
} svs__costs;

typedef struct svs__algorithm {
    const char *name;

    /* Makes one step of the worker. @return whether the step did anything. If not, the domain needs
     * no more workers at present. */
    bool (*step)(svs__domain *domain, svs__worker *worker);
    /* Whether a step might do something. A worker calls it after it has announced that it will
     * sleep, and before it sleeps; other workers may change the answer. */
    bool (*ready)(svs__domain *domain);

    /* Each function below may be NULL: then there is nothing to do, or the answer is false. */

    /* Makes `state`. @param task the task that the domain is made for; NULL: the domain is the gate
     * of a run. @return SVS_OK or SVS_E_NO_MEMORY. */
    svs_status (*new)(svs__domain *domain, const svs_task *task);
    /* Frees `state`, if it is not NULL. */
    void (*free)(svs__domain *domain);
    /* `begin` is called when a run begins. @return false: no memory. `end` is called when the run
     * has ended, or could not begin. */
    bool (*begin)(svs__domain *domain);
    void (*end)(svs__domain *domain);
    /* Called when the tasks of the domain have probably ended for now: an occasion to give memory
     * back. */
    void (*rest)(svs__domain *domain);

    /* Runs instances that the worker has claimed in an earlier step (sched.P5), or claims some.
     * @return whether there were any. */
    bool (*run_claimed)(svs__domain *domain, svs_context *context);
    /* Called when no domain has work: waits a moment for instances that are about to be offered.
     * @return whether there are any, which run_claimed() then runs. */
    bool (*comes_soon)(svs__domain *domain, const svs__worker *worker);
    /* [sched.I10] Whether the worker that runs the waiting instances will run the next items as
     * well, so that a sender need not wake another worker. */
    bool (*stays)(svs__domain *domain);
    /* The time of a body of the task, in nanoseconds; UINT32_MAX: not measured. */
    uint32_t (*body_ns)(const svs__domain *domain, const svs_task *task);
    /* Gets the costs of the task's instances, for svs_explain(). Not called during a run. @return
     * false: they were not measured. */
    bool (*costs)(const svs__domain *domain, const svs_task *task, svs__costs *costs);
    /* Called when the calling thread leaves the worker's seat. */
    void (*left)(svs__domain *domain, svs__worker *worker);

    bool in_stages; /* true: all instances of a stage share one hold, which is also the reserver */
    bool repeats;   /* true: no choice depends on time or on a worker's counts (sched.W9) */
} svs__algorithm;

#define SVS__ALGORITHM(number, algorithm) extern const svs__algorithm algorithm;
#include "sched/domain/algorithms.def"
#undef SVS__ALGORITHM

/* @return NULL: no algorithm has this number. */
const svs__algorithm *svs__algorithm_of(svs_algorithm number);

#endif
