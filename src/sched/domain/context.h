/* A context: what a worker knows of the instance that it runs, and what the body may ask of it. */
#ifndef SVS_SCHED_DOMAIN_CONTEXT_H
#define SVS_SCHED_DOMAIN_CONTEXT_H

#include "memobj/holder.h"
#include "sched/domain/env.h"

typedef struct svs__domain svs__domain;

/* The objects that the running instance has made and not handed off (memobj.O4). It is followed and
 * released what stands here, and nothing else: the tag FRESH of an object says only that some body
 * has it.
 *
 *   O5  `places`, while `indexed`, has for each object of the list its place in the list, from 1,
 *       at the first free place from the one that its key names, cyclically, when it was put in;
 *       an index of a list is made by the first search that a look at the newest does not answer.
 *
 * Threads: the body's and those of its asyncs; under the lock while the holder is shared. */
typedef struct svs__fresh {
    svs__lock lock;
    uint32_t count, capacity;
    svs_object **objects;
    uint32_t *places;
    uint32_t place_capacity, mask; /* of the places that are in use: a power of two, less 1 */
    bool indexed;
} svs__fresh;

/* Instances of a stage that a worker has claimed and not run yet, as its turn was over (Q4). They
 * keep the stage from its end. The worker is the next one in its seat, too, so that a participant
 * that leaves leaves them to the thread that takes the seat, as that of their run does. */
typedef struct svs__claimed {
    svs__domain *domain;
    uint32_t begin, count;
} svs__claimed;

/* What a worker knows of the instance that it runs. Asyncs of the body, on other workers, use the
 * holder, `sent` and `fresh`, and read what does not change while the body runs. */
struct svs_context {
    svs__holder holder; /* first: a worker's context points to it (memobj.O3) */
    svs__domain_env *env;
    svs__worker *worker;
    _Atomic(svs_task *) task; /* of the instance that runs; NULL: none does */
    _Atomic(uint64_t) sent;   /* items, by the body and its asyncs */
    svs__lock set_lock; /* progressive: held to read the set of a running instance, to explain */
    const svs__domain *set_of; /* under set_lock: of the admitted instance in the set, or NULL */
    svs__set set;              /* of the instance that is being admitted, or runs */
    svs__hold hold;            /* progressive: of the running instance */
    svs__fresh fresh;          /* what the running instance has made and not handed off */
    svs__claimed claimed;      /* staged */
    uint32_t steps;            /* so far, of the worker in this run */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) running;
    svs_graph_statistics statistics; /* this worker's part */
    uint64_t explain_at;             /* the deferral that is looked into next */
    svs__set explain[2];             /* made when the first deferral is looked into */
    void *watched;                   /* the instance that runs, as its watcher knows it, or NULL */
    svs__set watched_set;            /* its set; made when the first run is watched */
};

static inline svs_context *svs__context_of(const svs__domain_env *env, const svs__worker *worker) {
    return env->contexts[worker->index];
}
/* Whether the caller is the body that the context was handed to, or an async of it (memobj.O3). */
bool svs__context_is_own(const svs_context *context);
/* What `call` answers when it was called with a context that is not the caller's own. */
svs_status svs__context_refuse(const svs_context *context, const char *call);
static inline svs_task *svs__context_task(const svs_context *context) {
    return svs__load_relaxed(&((svs_context *)(uintptr_t)context)->task); /* relaxed: its own */
}

#endif
