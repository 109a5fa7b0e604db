/* A context: the state of the instance that a worker runs, for the worker and for the body. */
#ifndef SVS_SCHED_DOMAIN_INSTANCE_CONTEXT_H
#define SVS_SCHED_DOMAIN_INSTANCE_CONTEXT_H

#include "memobj/holder.h"
#include "sched/domain/env.h"
#include "sched/domain/queue/strip.h"
#include "sched/domain/window/table.h"

typedef struct svs__domain svs__domain;

/* The objects that the running instance has made and not published (memobj.O4). Only objects of
 * this list are followed and released: the tag FRESH of an object does not name its body.
 *
 *   sched.O5  while `indexed`, `places` is a hash table with linear probing by the objects' keys.
 *       It contains the position of each object in the list, counted from 1. The table is made by
 *       the first search that does not find its object among the newest ones.
 *
 * Threads: the thread of the body and the threads of its asyncs, which take the lock while the
 * holder is shared. */
typedef struct svs__fresh {
    svs__lock lock;
    uint32_t count, capacity;
    svs_object **objects;
    uint32_t *places;
    /* `mask`: the number of places in use, which is a power of two, minus 1 */
    uint32_t place_capacity, mask;
    bool indexed;
} svs__fresh;

/* Instances of a stage that a worker has claimed and not run yet, because its turn was over
 * (worksteal.Q4), or because it has just begun the stage (sched.P5). The stage does not end before
 * they have ended. They belong to the worker's seat: when a thread leaves the seat, the next thread
 * that takes it runs them. */
typedef struct svs__claimed {
    svs__domain *domain;
    uint32_t begin, count;
    uint32_t group; /* 1 + the group of the piece, if the stage is dealt by worker index; else 0 */
} svs__claimed;

/* Used in traced runs: instances of a serial run that have run and are not reported yet. Their
 * seeds are consecutive. */
typedef struct svs__seen_open {
    const svs_task *task;
    uint64_t seed;        /* seed of the first instance */
    uint32_t count, room; /* `room`: how many more instances fit */
    /* adjacent items that may be added to the group: they begin at `next` and end before `end` */
    const char *next, *end;
} svs__seen_open;

#define SVS__REASON_BYTES 128u

/* The state of the instance that a worker runs. Asyncs of the body, on other workers, use the
 * holder, `sent` and `fresh`, and read the fields that do not change while the body runs. */
struct svs_context {
    svs__holder holder; /* first: a worker's context points to it (memobj.O3) */
    svs__domain_env *env;
    svs__worker *worker;
    _Atomic(svs_task *) task; /* the task of the running instance; NULL: none runs */
    _Atomic(uint64_t) sent;   /* number of items that the body and its asyncs have sent */
    /* progressive: guards the set of a running instance, which explanations read */
    svs__lock set_lock;
    /* under set_lock: the domain of the admitted instance whose set is in `set`, or NULL */
    const svs__domain *set_of;
    svs__set set;         /* the set of the instance that is being admitted or that runs */
    svs__hold hold;       /* progressive: the hold of the running instance */
    svs__fresh fresh;     /* objects that the running instance made */
    svs__claimed claimed; /* claimed instances of a stage that have not run yet */
    svs__table table;     /* windowed: for the windows that the worker makes */
    /* the running instance belongs to a stage under the lease, not to a serial run */
    bool leased;
    uint32_t sent_at;    /* number, in its batch, of the send to which the last seed belongs */
    bool in_row;         /* in a serial run: its items are adjacent in memory */
    bool serial_goes_on; /* in a serial run: other instances have run before this one */
    bool in_serial_run;  /* in a serial run, whose items after the running one were checked */
    bool serial_ends;    /* in a serial run: this instance keeps its set, so no further one runs */
    /* in a serial run: the object that was freed last before the items were checked */
    uintptr_t freed;
    uint32_t steps;     /* number of steps of the worker in this run */
    uint32_t between;   /* number of bodies between two tests, minus 1 (svs__loop) */
    uint32_t piece_ran; /* windowed: number of instances whose time was measured together */
    uint64_t piece_ns;  /* windowed: the time of these `piece_ran` instances */
    const struct svs__pace *piece_of; /* windowed: their pace */
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) running;
    _Atomic(uint64_t) ended;         /* number of instances that have ended in this run */
    svs_graph_statistics statistics; /* the counts of this worker */
    uint64_t explain_at;             /* the number of the deferral that is explained next */
    /* sets for explanations, made when the first deferral is explained */
    svs__set explain[2];
    svs__lock reason_lock;
    char reason[SVS__REASON_BYTES]; /* the text passed to svs_context_fail(); empty: none */
    void *watched;                  /* the watcher's handle of the running instance, or NULL */
    /* the set of the watched instance; made for the first watched run */
    svs__set watched_set;
    svs__strip strip;        /* in which bodies store the items that they send */
    const svs_task *sent_to; /* the task of the last send by a lock */
    svs__seen_open seen_open;
    uint64_t seen_ns; /* traced: time at which the last group of instances ended */
    /* traced: the seed and the task of the running instance; the seed is 0 between two instances
     * (explain.c) */
    _Atomic(uint64_t) seen_seed;
    _Atomic(const svs_task *) seen_task;
    uint64_t seen_deferrals; /* the number of deferrals reported to the trace */
    /* the time after which conflicts of windows may be searched again */
    uint64_t seen_next_ns;
    uint64_t seen_due_ns;       /* the time after which deferrals may be explained again */
    uint64_t seen_explained_ns; /* the time at which the last deferral was explained */
    uint64_t seen_explained_at; /* the number of the last explained deferral */
};

static inline svs_context *svs__context_of(const svs__domain_env *env, const svs__worker *worker) {
    return env->contexts[worker->index];
}
/* Whether, in a serial run, the remaining items must be checked again, or must wait (sched.W10). */
static inline bool svs__context_is_outdated(const svs_context *context) {
    return SVS__UNLIKELY(context->in_serial_run) &&
           (context->serial_ends || svs__freed_last(context->holder.world) != context->freed);
}
/* [sched.L4] Whether the running instance runs under the lease. */
static inline bool svs__context_is_leased(const svs_context *context) {
    return context->leased || context->in_serial_run;
}
/* Closes the strip, before the running instance sends in another way. The count of the items that
 * it has sent continues. */
void svs__context_close_strip(svs_context *context);
/* Whether the caller is the body that received the context, or an async of the body (memobj.O3). */
bool svs__context_is_own(const svs_context *context);
/* Refuses `call` because its context belongs to another thread. */
svs_status svs__context_refuse(const svs_context *context, const char *call);
static inline svs_task *svs__context_task(const svs_context *context) {
    /* relaxed is enough: only the context's worker writes it */
    return svs__load_relaxed(&((svs_context *)(uintptr_t)context)->task);
}

/* The calls of a watcher for an instance (hooks/object_hooks.h). */

/* @return the watcher's handle of the instance. */
void *svs__watched_begin(svs_context *context, const void *item, void *top);
void svs__watched_end(svs_context *context);
void svs__watched_send(const svs_context *context, uint64_t from, size_t count);

/* The objects that the running instance has made and not published (context.h, svs__fresh). */

/* holder->fresh */
svs_status svs__context_add_fresh(svs__holder *holder, svs_object *object, const svs_type *type);
/* Called at the end of the instance: releases all of its fresh objects. */
void svs__context_release_fresh(svs_context *context);
void svs__fresh_clean_up(svs__fresh *fresh, const svs_allocator *allocator);

#endif
