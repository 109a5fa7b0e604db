/* A worker: a seat in the runtime's team with its deque, its counters, and whatever the scheduler
 * above keeps there.
 *
 * Worker 0 is the seat of the threads that wait for something (svs__runtime_participate), one at a
 * time; the others are threads of the runtime. A worker without work tries, over and over: to steal
 * a child task; to step the sources; to look for both while it spins; to sleep.
 *
 * Threads: all fields are the owner's, but for the counters, which anybody may read, and the
 * deque's own rules.
 * W1. Between tasks the worker's deque is empty: a task that pushed children waits for them before
 *     it ends (finish.h), and what a stack pushed is popped or stolen before the worker comes back
 *     from it to its own (workfirst.h).
 * W2. A worker sleeps only after it has announced itself and then seen no child to steal, no source
 *     that is ready, and no reason to leave (P2). */
#ifndef SVS_WORKSTEAL_WORKER_H
#define SVS_WORKSTEAL_WORKER_H

#include "base/random.h"
#include "worksteal/deque.h"
#include "worksteal/stack.h"
#include <svs/runtime.h>

struct svs__worker {
    alignas(SVS__CACHE_LINE) uint32_t index;
    uint32_t victim;      /* whom to steal from first */
    uint32_t next_source; /* where to begin the round over the sources */
    uint32_t attaches;    /* of sources, which it has looked at since (Q4) */
    bool jumped;          /* its last turn was out of order (Q4) */
    bool sources_first;   /* its last look for work was at the sources first */
    uint64_t turn;        /* when its turn in a source began; 0: alone there (Q4) */
    uint32_t failures;    /* rounds without work since the last success */
    svs_runtime *runtime;
    const struct svs__source_slot *inside; /* of the run that it works for (source.h, Q5) */
    svs__random random;
    uint64_t phase, phases; /* the number of the one that it is in; how many have begun */
    /* Work-first: */
    svs__place home;       /* its own stack, while it runs on another */
    svs__stack *left;      /* which it has just left, */
    svs__join *left_waits; /* and for what; NULL: it has ended */
    svs__stack_cache stacks;
    svs__slot nowhere;         /* of children that there is no room for */
    svs__slot called;          /* of one that is called in place, while asyncs are watched */
    uint32_t *watched;         /* what is watched of the child in each slot (events.h), or NULL */
    _Atomic(uint32_t) guided;  /* 1: it is in the guide, with nothing of its own to run (G3) */
    struct svs__meter *meter;  /* NULL, or: each async is called and measured */
    _Atomic(uint32_t) wake;    /* it sleeps on this for its children's thieves; they change it */
    _Atomic(uint32_t) stretch; /* svs__stretch, kept up by phase.h for the watchdog */
    /* Counters: written by the owner, with svs__worker_count(), and read by anybody. */
    _Atomic(uint64_t) instances; /* the scheduler counts these */
    _Atomic(uint64_t) steals;
    _Atomic(uint64_t) sleeps;
    svs__thread thread;
    svs__deque deque;
};

#define SVS__NO_PHASE UINT64_MAX

/* What a worker does in asyncs: nothing, runs some, waits for other workers. */
typedef enum svs__stretch { SVS__IN_NONE, SVS__IN_ASYNCS, SVS__IN_WAIT } svs__stretch;

/* When a participant leaves; `done` NULL: never. */
typedef struct svs__until {
    bool (*done)(void *argument);
    void *argument;
} svs__until;

/* The worker that the calling thread is now, or NULL. */
svs__worker *svs__worker_self(void);

/* Is the calling thread in a body of the runtime, or of a run that such a body waits for, through
 * however many runtimes? (source.h, Q5) */
bool svs__worker_is_within(const svs_runtime *runtime);

/* Makes the calling thread that worker; NULL: none. */
void svs__worker_become(svs__worker *worker);

/* Works until `until`, or until the runtime stops. The caller is the worker. */
void svs__worker_run(svs__worker *worker, const svs__until *until);

/* Gives thieves a part of the private children, and wakes sleepers for them. */
SVS__COLD void svs__worker_share(svs__worker *worker);

/* For a spawn that pushes nothing: gives what is asked for (D6), or shows that the worker came
 * by. */
SVS__COLD void svs__worker_show(svs__worker *worker);
static inline void svs__worker_answer(svs__worker *worker) {
    /* relaxed: a hint, beside the word, which is looked at anyway. */
    if (SVS__UNLIKELY(svs__load_relaxed(&worker->deque.hungry))) svs__worker_show(worker);
}

/* Owner: one of the counters grows. */
static inline void svs__worker_count(_Atomic(uint64_t) *counter, uint64_t by) {
    /* relaxed, and no read-modify-write: the owner is the only writer, and readers want a number,
     * not an order. */
    svs__store_relaxed(counter, svs__load_relaxed(counter) + by);
}

#endif
