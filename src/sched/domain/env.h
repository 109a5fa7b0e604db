/* The environment of a domain: its interface to a run. A domain knows no graph. */
#ifndef SVS_SCHED_DOMAIN_ENV_H
#define SVS_SCHED_DOMAIN_ENV_H

#include "sched/admission/admission.h"
#include "sched/domain/task.h"
#include "worksteal/runtime.h"

/* A count of deferrals, and one of the objects, addresses or indices that caused them. It names its
 * run, so that a new run need not clear the counts. */
typedef struct svs__blame {
    _Atomic(uint64_t) count; /* number of the run << 32 | how often in it */
    _Atomic(uintptr_t) what;
    _Atomic(uint64_t) index;
} svs__blame;

/* The reports of a domain. Only the run ends tasks and fails. */
typedef struct svs__reports {
    /* `count` instances of the task have ended. */
    void (*ended)(svs_task *task, uint32_t count, svs__worker *worker);
    /* The record's instance has failed: nothing more starts. */
    void (*failed)(const svs__record *record, svs_status status, const char *text);
} svs__reports;

typedef struct svs__domain_env {
    svs_world *world;
    svs__admission *admission;
    const svs_graph_options *options;
    const svs__reports *reports;
    uint32_t threads;
    uint32_t context_count;
    svs_context **contexts; /* by worker; the last two are for refinement, under the run's lock */
    _Atomic(uint32_t) cancelled;
    uint32_t number; /* of the graph's runs, from 1 */
    uint32_t iteration;
    svs__blame *blame; /* by bucket */
    void *watched;     /* the watcher's handle of the run; NULL: it is not watched */
} svs__domain_env;

static inline bool svs__env_cancelled(svs__domain_env *env) {
    return svs__load_relaxed(&env->cancelled);
}

/* After a release; `blocked`: a domain waits for one. */
static inline void svs__env_wake(const svs__domain_env *env, bool blocked) {
    if (blocked) svs__runtime_notify(env->world->runtime, 1);
}

/* The object that was freed last and is in the quarantine; 0: none. Each free changes it. */
static inline uintptr_t svs__freed_last(const svs_world *world) {
    /* acquire: earlier freed objects are linked from it; pairs with svs_object_free(). */
    return svs__load_acquire(&((svs_world *)(uintptr_t)world)->quarantine);
}

#endif
