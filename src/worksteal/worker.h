/* A worker: one member of the runtime's team, with its deque and its counters.
 *
 * Worker 0 is a seat: a slot for threads of the program that wait for a run or help (seat.h), one
 * at a time. The other workers are threads of the runtime, or seats as well.
 *
 * Threads: all fields are private to the owner, except the atomic ones, which any thread may read,
 * and the deque, which has rules of its own.
 *
 *   worksteal.W1  Between tasks the worker's deque is empty: a task waits for its children before
 *                 it completes (finish.h), and all that a stack pushed has been popped or stolen
 *                 before the worker switches back to its own stack (workfirst.h). */
#ifndef SVS_WORKSTEAL_WORKER_H
#define SVS_WORKSTEAL_WORKER_H

#include "base/random.h"
#include "worksteal/deque.h"
#include "worksteal/stack.h"
#include <svs/runtime.h>

struct svs__worker {
    alignas(SVS__CACHE_LINE) uint32_t index;
    uint32_t victim;   /* the worker to steal from first */
    uint32_t next_job; /* the slot at which the next round over the jobs begins */
    /* number of attaches of jobs to which the worker has responded (worksteal.Q4) */
    uint32_t attaches;
    uint32_t turns; /* number of turns begun while some job had a priority (worksteal.Q6) */
    /* slot at which the next turn without regard to priorities begins (worksteal.Q6) */
    uint32_t next_fair;
    bool jumped; /* the last turn was a jump to a new job (worksteal.Q4) */
    /* number of runs whose instances the worker has claimed (worksteal.K2) */
    uint32_t keeps;
    bool sources_first; /* the last search for work began with the jobs */
    /* time at which the turn in a job began; 0: it is the only job (worksteal.Q4) */
    uint64_t turn;
    uint32_t failures; /* number of rounds without work since the last one with work */
    svs_runtime *runtime;
    const struct svs__job_slot
        *inside; /* slot of the run that the worker works for (job.h, worksteal.Q5) */
    svs__random random;
    uint64_t phase, phases; /* number of the current phase; number of phases begun */
    /* Used under work-first: */
    /* state of the worker's own stack, while the worker runs on another one */
    svs__place home;
    svs__stack *left;      /* the stack that the worker has just left */
    svs__join *left_waits; /* the join that `left` waits for; NULL: its task has completed */
    svs__stack_cache stacks;
    /* slot for the arguments of children that do not run: there is no room for them, or they are
     * dropped */
    svs__slot nowhere;
    svs__slot called; /* the slot of a child that is called in place, while asyncs are watched */
    /* for each slot, the watcher's number of the child in it (events.h); or NULL */
    uint32_t *watched;
    _Atomic(uint32_t) guided; /* 1: the worker is idle, and inside of the guide (hooks.G3) */
    struct svs__meter *meter; /* if not NULL, each async is called at its spawn and measured */
    /* futex word: the worker sleeps on it in a wait, and the thieves of its children change it */
    _Atomic(uint32_t) wake;
    _Atomic(uint32_t) stretch; /* svs__stretch, updated by phase.h for the watchdog */
    /* 1: the worker's last sleep ended soon (worksteal.W3); used only by the worker itself */
    _Atomic(uint32_t) pauses_briefly;
    /* Counters: written by the owner, with svs__worker_count(), and read by any thread. */
    _Atomic(uint64_t) instances; /* counted by the scheduler */
    _Atomic(uint64_t) steals;
    _Atomic(uint64_t) sleeps;
    svs__thread thread;
    _Atomic(uint32_t) seated; /* a seat: 1 while a thread is this worker (seat.h) */
    svs__deque deque;
};

#define SVS__NO_PHASE UINT64_MAX

/* A worker's state with regard to asyncs: runs none, runs some, waits for other workers. */
typedef enum svs__stretch { SVS__IN_NONE, SVS__IN_ASYNCS, SVS__IN_WAIT } svs__stretch;

/* The condition under which a participant leaves. If `done` is NULL, it never holds. */
typedef struct svs__until {
    bool (*done)(void *argument);
    void *argument;
    bool idle; /* it also leaves when it finds no work */
    /* time at which `done` may become true by itself: no sleep lasts longer */
    uint64_t deadline_ns;
    /* Is there work that this thread alone may run (worksteal.K4)? NULL: never. */
    bool (*needs)(void *argument);
} svs__until;

#define SVS__NO_DEADLINE UINT64_MAX

/* The worker that the calling thread is, or NULL. A variable instead of a function, because nearly
 * each call of a body reads it. */
extern _Thread_local svs__worker *svs__self SVS__TLS_NEAR;
static inline svs__worker *svs__worker_self(void) { return svs__self; }

/* Makes the calling thread `worker`; NULL: it is no worker any more. */
void svs__worker_become(svs__worker *worker);

/* Owner: adds `by` to one of its counters. */
static inline void svs__worker_count(_Atomic(uint64_t) *counter, uint64_t by) {
    /* relaxed, and no read-modify-write: the owner is the only writer, and readers need the number
     * only. */
    svs__store_relaxed(counter, svs__load_relaxed(counter) + by);
}

#endif
