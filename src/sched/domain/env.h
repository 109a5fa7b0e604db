/* The environment of a domain: its interface to a run. A domain knows no graph. */
#ifndef SVS_SCHED_DOMAIN_ENV_H
#define SVS_SCHED_DOMAIN_ENV_H

#include "hooks/trace_hooks.h"
#include "sched/admission/admission.h"
#include "sched/domain/task.h"
#include "worksteal/runtime.h"
#include <svs/observe.h>

/* A count of deferrals, with one of the objects, addresses or indices that caused them. The count
 * contains the number of its run, so that a new run need not clear it. */
typedef struct svs__blame {
    _Atomic(uint64_t) count; /* number of the run << 32 | number of deferrals in it */
    _Atomic(uintptr_t) what; /* object, address or space; 0: no single element caused them */
    _Atomic(uint64_t) index;
    _Atomic(uint32_t) kind; /* svs_access_kind */
} svs__blame;

/* The functions by which a domain reports to its run. Only the run ends tasks and fails. */
typedef struct svs__reports {
    /* `count` instances of the task have ended. */
    void (*ended)(svs_task *task, uint32_t count, svs__worker *worker);
    /* The instance of the item has failed: no further instance starts. */
    void (*failed)(const void *item, svs_status status, const char *text);
    /* `count` items that a body has sent to the task can be taken now: the run wakes workers.
     * `alone`: no other items wait (sched.I10). */
    void (*sent)(svs_task *to, uint32_t count, bool alone);
} svs__reports;

/* The observers of a run (seen.h), which are fixed from its begin to its end. */
typedef struct svs__seen_run {
    bool any; /* the run is watched, traced or observed */
    svs__observer *observer;
    /* the trace's observer of graphs; NULL: the run is not traced */
    const svs__graph_observer *graphs;
    const svs_observer *program; /* the program's callbacks, or NULL */
    const char *name;            /* name of the graph */
    uint32_t first_task;         /* number of the graph's first task in the trace */
} svs__seen_run;

/* The counts of a context's worker over all runs of the graph, stored here between two runs. */
typedef struct svs__counts {
    svs_graph_statistics statistics;
    uint64_t explain_at;
} svs__counts;

typedef struct svs__domain_env {
    svs_world *world;
    struct svs__common *common; /* the world's common memory */
    struct svs__kit *kit;       /* memory of the contexts and the blame; NULL between two runs */
    svs__admission *admission;
    const svs_graph_options *options;
    const svs__reports *reports;
    uint32_t threads;
    bool few_cpus; /* true: there are more workers than CPUs */
    uint32_t context_count;
    /* array of contexts by worker, and two more for refinement, which run.lock guards; NULL between
     * two runs */
    svs_context **contexts;
    svs__counts *counts; /* array of counts by context */
    _Atomic(uint32_t) cancelled;
    _Atomic(uint32_t) prioritized; /* 1: a task has, or had, a priority other than 0 */
    uint32_t number;               /* number of the run among those of the graph, from 1 */
    uint32_t iteration;
    /* SVS_THE_RUNNER: the thread (svs__thread_id) that has begun the run, or waited for it last */
    _Atomic(uintptr_t) runner;
    /* array by bucket: what to blame for its deferrals; NULL between two runs */
    svs__blame *blame;
    uint32_t blame_run;         /* number of the run whose counts `blame` contains */
    struct svs__sample *sample; /* sample for svs_explain(), or NULL (sample.h) */
    /* number of threads inside of calls that may end the run and access it afterwards (sched.R4) */
    _Atomic(uint32_t) visitors;
    void *watched; /* the watcher's handle of the run; NULL: it is not watched */
    svs__seen_run seen;
} svs__domain_env;

static inline bool svs__env_cancelled(svs__domain_env *env) {
    return svs__load_relaxed(&env->cancelled);
}

/* [sched.R4] A thread that is no worker of the run calls these before and after it accesses the
 * run. */
static inline void svs__env_visit(svs__domain_env *env) {
    /* relaxed is enough: the source or instance of the visitor keeps the run from ending until
     * later. */
    (void)svs__fetch_add_relaxed(&env->visitors, 1);
}
static inline void svs__env_leave(svs__domain_env *env) {
    /* release: the visitor's accesses precede the release of the graph's memory; pairs with the
     * acquire in svs__jobs_are_left(). */
    (void)svs__fetch_sub_release(&env->visitors, 1);
}

/* Called after a release by admission. `blocked`: a domain waits for a release, so a worker is
 * woken. */
static inline void svs__env_wake(const svs__domain_env *env, bool blocked) {
    if (blocked) svs__runtime_notify(env->world->runtime, 1);
}

/* The most recently freed object of the quarantine; 0: none. Each free changes the value. */
static inline uintptr_t svs__freed_last(const svs_world *world) {
    /* acquire: earlier freed objects are linked from it; pairs with svs_object_free(). */
    return svs__load_acquire(&((svs_world *)(uintptr_t)world)->quarantine);
}

#endif
