/* The stacks of tasks under work-first: a pool for each runtime, with a cache at each worker.
 *
 *     mapping: | guard page |  ... the task's frames, downwards ... | svs__stack |
 *
 * A spawned task runs on a stack of its own, so that its spawner's stack can continue on another
 * worker. When a worker finds no stack, a spawn is a plain call, which is always correct. A reserve
 * of stacks is kept for spawns on nearly full stacks, so that the depth of recursion is limited by
 * all stacks together.
 *
 * operation   caller                       progress
 * release     owner of the cache           wait-free; the pool's lock when the cache is full
 * refill      owner of an empty cache      the pool's lock; may map memory
 * spill       owner of the cache           the pool's lock
 * return_all  owner of the cache           the pool's lock, unless the cache is empty
 *
 *   worksteal.T1  A stack is in the pool, in the cache of one worker, or in use: running on one
 *                 worker, or saved, to be resumed by a thief or by the worker of the last child.
 *   worksteal.T2  The worker that switches to a stack owns it exclusively: it has popped or stolen
 *                 the continuation, or has completed the last child that the stack waited for. (not
 *                 asserted: a consequence of worksteal.D5 and worksteal.J1, which leaves no mark;
 *                 tests/stress/worksteal_trees.c checks it)
 *   worksteal.T3  A worker's cache is empty while the worker sleeps, and that of worker 0 while the
 *                 seat is free. An idle worker also empties its cache when a root or a full stack
 *                 has found no stack (`wanted`). So a root without a stack waits for runs that make
 *                 progress, not for idle workers.
 *   worksteal.T4  A forked process does not acquire the pool's lock: a worker of its parent may
 *                 have held it at the fork, and no thread releases it. A refill finds no stack, so
 *                 that a spawn is a plain call; what a cache returns is dropped. The process ends
 *                 when it leaves the body. (not asserted: the lock would not be released)
 *
 * Threads: a cache is private to its worker; the pool has a lock. */
#ifndef SVS_WORKSTEAL_STACK_H
#define SVS_WORKSTEAL_STACK_H

#include "base/lock.h"
#include "worksteal/place.h"
#include <svs/allocator.h>
#include <svs/detail/async_context.h>

typedef struct svs__worker svs__worker;

/* Maximal number of open finishes of one stack that may have stolen continuations; in a further
 * one, a spawn is a plain call. */
#define SVS__RECORDS 32u
/* While asyncs are watched (events.h, hooks.V1), finishes of children that were called in place
 * also use these records, except the last 8: when this stack is full, the next child needs one. */
#define SVS__RECORDS_CALLED (SVS__RECORDS - 8u)

/* The join counters of a work-first finish, in the slot at its base (workfirst.h, worksteal.J1). */
typedef struct svs__join {
    _Atomic(uint64_t) left; /* SVS__JOIN_OPEN minus the number of completed children */
    /* number of stolen continuations; private to the worker of the finish */
    uint64_t stolen;
} svs__join;

typedef struct svs__stack {
    svs_async_context async; /* its limit is NULL: each spawn takes the slow path */
    svs__slot slots[SVS__RECORDS + 1];
    svs__place place;          /* the saved state */
    struct svs__stack *parent; /* the spawner's stack, which continues next; NULL: a root */
    /* join of the parent's finish, to which the task of this stack reports its completion */
    svs__join *join;
    /* ordinal of the async whose spawn the continuation follows, while the continuation is
     * stealable */
    uint64_t ordinal;
    /* worker and number of the phase that ended when the stack was suspended */
    uint32_t suspended_worker;
    uint64_t suspended_phase;
    /* slot of the run that the task belongs to (job.h, worksteal.Q5) */
    const struct svs__job_slot *inside;
    /* only of a root: called when the root has completed */
    void (*ended)(svs__worker *worker, void *argument);
    void *ended_argument;
    /* only of a root: the svs_status that kept a child from running, or 0 */
    _Atomic(uint32_t) *failed;
    struct svs__stack *next; /* next stack in the list of the pool */
    char *low;               /* the lowest byte above the guard */
    /* used by the watcher: a task has begun on this stack while a check ran */
    bool seen;
} svs__stack;

typedef struct svs__stacks {
    svs__lock lock;
    uint32_t process; /* the process that made the pool (worksteal.T4) */
    svs__stack *free; /* list of the stacks in the pool */
    size_t bytes;     /* bytes of a stack, without its guard page */
    uint32_t made, pooled, max;
    uint32_t reserve; /* number of stacks reserved for spawns on full stacks */
    /* capacity of a worker's cache. All caches together may hold half of the stacks, but each holds
     * at least one, for which worksteal.T3 compensates */
    uint32_t cached;
    _Atomic(uint32_t) wanted; /* 1: the last urgent refill found all stacks in use or in caches */
} svs__stacks;

/* Largest capacity of a worker's cache. */
#define SVS__STACK_CACHE 64u

typedef struct svs__stack_cache {
    svs__stack *free[SVS__STACK_CACHE];
    uint32_t count;
} svs__stack_cache;

/* A stack with fewer free bytes than this is full: the next spawn on it uses another stack, also
 * one of the reserve. */
#define SVS__STACK_FULL ((size_t)32 * 1024)

void svs__stacks_init(svs__stacks *stacks, size_t bytes, uint32_t max, uint32_t workers);
/* Precondition: all stacks are in the pool. */
void svs__stacks_clean_up(svs__stacks *stacks);

/* Fills an empty cache. @param urgent may use the reserve. @return SVS_OK (at least one stack),
 * SVS_E_LIMIT (all stacks are in use or in caches), SVS_E_NO_MEMORY (the pool is empty, and the
 * system has no memory for another). */
svs_status svs__stack_refill(svs__stacks *stacks, svs__stack_cache *cache, bool urgent);
/* Returns half of a full cache to the pool. */
void svs__stack_spill(svs__stacks *stacks, svs__stack_cache *cache);
void svs__stack_return_all(svs__stacks *stacks, svs__stack_cache *cache);

/* Does a root or a full stack need what idle workers have in their caches (worksteal.T3)? The
 * answer is a hint, which may be stale. */
static inline bool svs__stacks_are_wanted(svs__stacks *stacks) {
    /* relaxed is enough: a hint; what counts is decided under the pool's lock */
    return svs__load_relaxed(&stacks->wanted) != 0;
}

/* Has the stack that the caller runs on fewer than SVS__STACK_FULL bytes left? */
bool svs__stack_is_full(const svs__stack *stack);

static inline void svs__stack_release(svs__stacks *stacks, svs__stack_cache *cache,
                                      svs__stack *stack) {
    if (SVS__RARELY(cache->count == stacks->cached)) svs__stack_spill(stacks, cache);
    cache->free[cache->count++] = stack;
}

/* The address below which the frames of a stack begin. */
static inline void *svs__stack_top(svs__stack *stack) { return stack; }

#endif
