/* Sources: work that workers step when there is nothing to steal. The scheduler above attaches one
 * source for each graph run.
 *
 * Each source occupies a slot. The slot counts the threads inside of the source, so that detach can
 * wait until there is none.
 *
 * operation  caller                         progress                       order
 * attach     any, under the runtime's lock  wait-free                      sequentially consistent
 * detach     any                            blocks while a thread is       sequentially consistent
 *                                           inside
 * enter      worker, watchdog               wait-free                      sequentially consistent
 * leave      worker, watchdog               wait-free                      release
 *
 *   worksteal.Q1  A thread accesses a source only between enter and leave. Detach returns when it
 *                 has read a count of 0 after it removed the pointer. It is impossible that a
 *                 thread's enter reads the pointer, and detach misses the thread's count: of
 *                 (increment count, load pointer) and (exchange pointer, load count), all
 *                 sequentially consistent, one comes first.
 *   worksteal.Q2  `attached` has the bit of each occupied slot. It is a hint: workers that are
 *                 awake read it without order. A worker reads it after its fence and before it
 *                 sleeps (worksteal.P2); a thread notifies the workers after it has attached a
 *                 source. (not asserted: a hint may be outdated)
 *   worksteal.Q3  A slot is reused only after the detach of its last source has returned, so that a
 *                 detach waits only for threads inside of its own source.
 *   worksteal.Q4  While several sources are attached, workers serve them in turns. A worker's turn
 *                 in a source ends with the first body, step or async that completes after
 *                 SVS__TURN_NS, or with the first one if the source was the only one at the begin
 *                 of the turn. The worker continues with the next source that has work. A source
 *                 that was attached since the worker's last search comes first, once, so that a
 *                 thread that begins a run serves that run first. After such a jump the round
 *                 continues at its old position, so the other sources have every second turn. A
 *                 root of asyncs is one body to the worker that begins it; a stolen child is one
 *                 body to its thief; a search for work to steal counts as a turn. (not asserted: a
 *                 bound on waiting times; tests/unit/sched/turns.c and
 *                 tests/explore/scenarios/turns.c)
 *
 * So an item that is sent to a new run waits for at most one body of each worker, or for
 * SVS__TURN_NS, and for one turn of each source that was attached before.
 *
 *   worksteal.Q5  An occupied slot names its runtime, and `outer`: the slot of the run with the
 *                 body that attached it and waits, or NULL. A worker's `inside` is the slot of the
 *                 run that it works for. It comes from its step, from the victim of a steal
 *                 (help-first: the victim waits for the child, so its `inside` is still the same),
 *                 or from the stack that it resumes (work-first). So from each body, on any thread,
 *                 the slots lead to all runtimes with a body that waits for it.
 *
 * Cache lines: one for each slot, written by each enter and leave; one for `attached`, which each
 * search reads and only attach and detach write. */
#ifndef SVS_WORKSTEAL_SOURCE_H
#define SVS_WORKSTEAL_SOURCE_H

#include "worksteal/worker.h"

typedef struct svs__source svs__source;

/* A worker's activity in a source, for the watchdog. `what` and `at` together identify one
 * instance, or one region of asyncs; the name is valid as long as the source is attached. */
typedef struct svs__activity {
    const void *what; /* NULL: nothing */
    uint64_t at;
    const char *kind; /* "task", "asyncs of" */
    const char *name; /* NULL: `what` has only its address */
} svs__activity;

struct svs__source {
    /* Takes one step; never blocks. @return whether it ran any work. */
    bool (*step)(svs__source *source, svs__worker *worker);
    /* Might a step find work? Called before a worker sleeps, and while it spins. */
    bool (*ready)(svs__source *source);
    /* Describes the present activity of `worker`; called by any thread that has entered. May be
     * NULL. */
    void (*tells)(svs__source *source, svs__worker *worker, svs__activity *activity);
};

#define SVS__SOURCES_MAX 64u

typedef struct svs__source_slot {
    alignas(SVS__CACHE_LINE) _Atomic(svs__source *) source;
    _Atomic(uint32_t) users;
    svs_runtime *runtime; /* worksteal.Q5: these two change only while the slot is free */
    const struct svs__source_slot *outer;
} svs__source_slot;

typedef struct svs__sources {
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) attached;
    _Atomic(uint32_t) attaches; /* number of attaches so far */
    _Atomic(uint32_t) newest;   /* the slot of the latest attach */
    svs__source_slot slots[SVS__SOURCES_MAX];
} svs__sources;

/* Attaches a source in a free slot. */
void svs__sources_attach(svs__sources *sources, uint32_t slot, svs__source *source);

/* Returns when no thread is inside any more. @return the slot of the source, SVS__SOURCES_MAX when
 * it was not attached. */
uint32_t svs__sources_detach(svs__sources *sources, svs__source *source);

/* Steps the sources in their order (worksteal.Q4) until one has work; then steps that one as long
 * as it has work, within the turn and a bound, and until `until`. @return whether any work was
 * run. */
bool svs__sources_step(svs__sources *sources, svs__worker *worker, const svs__until *until);

/* Does the calling thread run a body of the runtime, or a body of a run that such a body waits for,
 * directly or through further runtimes? (source.h, worksteal.Q5) */
bool svs__worker_is_within(const svs_runtime *runtime);

/* For the watchdog: enters each attached source, so that no detach returns until the caller leaves
 * them all. Any thread. `inside` has SVS__SOURCES_MAX elements, NULL for a free slot. */
void svs__sources_enter_all(svs__sources *sources, svs__source **inside);
void svs__sources_leave_all(svs__sources *sources, svs__source *const *inside);

#define SVS__TURN_NS 10000u

/* Are several sources attached? */
static inline bool svs__sources_crowded(const svs__sources *sources) {
    /* [worksteal.Q2] relaxed: a hint. */
    uint64_t mask = svs__load_relaxed(&((svs__sources *)(uintptr_t)sources)->attached);
    return SVS__UNLIKELY((mask & (mask - 1)) != 0);
}

/* For a step that runs several bodies, after each of them: is the worker to leave the source, for
 * the other sources (worksteal.Q4)? */
SVS__COLD bool svs__worker_turn_is_long(const svs__worker *worker);
static inline bool svs__sources_turn_is_over(const svs__sources *sources,
                                             const svs__worker *worker) {
    return svs__sources_crowded(sources) && svs__worker_turn_is_long(worker);
}

/* Is any source ready? */
bool svs__sources_ready(svs__sources *sources, uint32_t first);

#endif
