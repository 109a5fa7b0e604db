/* The stacks of tasks under work-first: a pool for each runtime, with a cache at each worker.
 *
 *     mapping: | guard page |  ... the task's frames, downwards ... | svs__stack |
 *
 * A task that was spawned runs on a stack of its own, so that its spawner's can go on elsewhere.
 * When a worker finds no stack, a spawn is a plain call: always legal. A part of the stacks is kept
 * for spawns that find their stack nearly full, so that recursion may go as deep as all stacks
 * together allow.
 *
 * T1. A stack is in the pool, in the cache of one worker, or in use: running on one worker, or left
 *     with its place saved, for a thief to take, or for the last child to resume.
 * T2. The worker that switches to a stack has it alone: it popped or stole the continuation, or it
 *     ended the last child that the stack waited for.
 * T3. A worker has an empty cache while it sleeps, and so has worker 0 while its seat is empty. A
 *     worker that has found no work empties its cache, too, once a root or a full stack has found
 *     no stack (`wanted`). So a root that finds none waits for runs that go on, not for idle
 *     workers.
 *
 * Threads: a cache is its worker's; the pool has a lock. */
#ifndef SVS_WORKSTEAL_STACK_H
#define SVS_WORKSTEAL_STACK_H

#include "base/lock.h"
#include "worksteal/place.h"
#include <svs/allocator.h>
#include <svs/detail/async_context.h>

typedef struct svs__worker svs__worker;

/* Finishes of one stack at once that wait for children whose continuation was stolen; with more, a
 * spawn is a plain call. */
#define SVS__RECORDS 32u
/* While asyncs are watched (events.h, V1), those of children that were called in place take some,
 * too: not the last, or the next child could have no stack of its own when this one is full. */
#define SVS__RECORDS_CALLED (SVS__RECORDS - 8u)

/* What a finish under work-first has in the slot at its base (workfirst.h). */
typedef struct svs__join {
    _Atomic(uint64_t) left; /* SVS__JOIN_OPEN less the children that have ended */
    uint64_t stolen; /* continuations: as many children are awaited. Of who runs the finish */
} svs__join;

typedef struct svs__stack {
    svs_async_context async; /* its limit is NULL: each spawn goes the slow way */
    svs__slot slots[SVS__RECORDS + 1];
    svs__place place;          /* where it was left */
    struct svs__stack *parent; /* whose continuation waits behind it; NULL: a root */
    svs__join *join;           /* of the parent's finish, to which its end is reported */
    uint64_t ordinal;          /* of the child whose continuation it is, while that can be stolen */
    uint32_t suspended_worker; /* the phase that ended when it was suspended */
    uint64_t suspended_phase;
    const struct svs__source_slot *inside; /* of the run that it belongs to (source.h, Q5) */
    void (*ended)(svs__worker *worker, void *argument); /* a root's completion */
    void *ended_argument;
    _Atomic(uint32_t) *failed; /* a root's: the svs_status for which a child was not run, or 0 */
    struct svs__stack *next;   /* in the pool */
    char *low;                 /* the lowest byte above the guard */
} svs__stack;

typedef struct svs__stacks {
    svs__lock lock;
    svs__stack *free; /* the pool */
    size_t bytes;     /* of one, without its guard */
    uint32_t made, pooled, max;
    uint32_t reserve; /* the last so many are for spawns on full stacks */
    uint32_t cached;  /* at most so many in a worker's cache: half of all, shared by the workers,
                         but one at least, which T3 makes up for */
    _Atomic(uint32_t) wanted; /* the last urgent search found all stacks in use or in caches */
} svs__stacks;

/* Stacks in a worker's cache. */
#define SVS__STACK_CACHE 64u

typedef struct svs__stack_cache {
    svs__stack *free[SVS__STACK_CACHE];
    uint32_t count;
} svs__stack_cache;

/* A stack with fewer bytes left is full: the next spawn from it takes another, if need be from the
 * reserve. */
#define SVS__STACK_FULL ((size_t)32 * 1024)

void svs__stacks_init(svs__stacks *stacks, size_t bytes, uint32_t max, uint32_t workers);
/* All stacks are back. */
void svs__stacks_clean_up(svs__stacks *stacks);

/* Fills an empty cache. @param urgent down to the reserve's last. @return SVS_OK (there is one),
 * SVS_E_LIMIT (all that there may be are in use or in caches), SVS_E_NO_MEMORY (the pool is empty,
 * and the system has none for another). */
svs_status svs__stack_refill(svs__stacks *stacks, svs__stack_cache *cache, bool urgent);
/* Gives back what a full cache need not have. */
void svs__stack_spill(svs__stacks *stacks, svs__stack_cache *cache);
void svs__stack_return_all(svs__stacks *stacks, svs__stack_cache *cache);

/* T3: does a root or a full stack want what an idle worker has in its cache? A hint. */
static inline bool svs__stacks_are_wanted(svs__stacks *stacks) {
    return svs__load_relaxed(&stacks->wanted) != 0; /* relaxed: a hint; the lock decides */
}

/* Has the stack that the caller runs on fewer than SVS__STACK_FULL bytes left? */
bool svs__stack_is_full(const svs__stack *stack);

static inline void svs__stack_release(svs__stacks *stacks, svs__stack_cache *cache,
                                      svs__stack *stack) {
    if (SVS__RARELY(cache->count == stacks->cached)) svs__stack_spill(stacks, cache);
    cache->free[cache->count++] = stack;
}

/* Where the frames of a stack begin. */
static inline void *svs__stack_top(svs__stack *stack) { return stack; }

#endif
