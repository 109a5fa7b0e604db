/* Sources: where a worker looks for work when there is nothing to steal. The scheduler above
 * attaches one for each graph run.
 *
 * A source has a slot, and a slot counts the workers that are inside of it, so that detach can wait
 * until nobody is.
 *
 * operation  caller                    progress
 * attach     any, under the lock       wait-free
 * detach     any                       blocks until no worker is inside
 * enter      a worker, the watchdog    wait-free
 * leave      a worker, the watchdog    wait-free
 *
 * Q1. A worker touches a source only between enter and leave, and detach returns when the count is
 *     0 after it took the pointer away. It cannot be that the worker's enter still finds the
 *     pointer, and detach misses the worker's count: of (count + 1, load pointer) and (exchange
 *     pointer, load count), all sequentially consistent, one comes first.
 * Q2. `attached` has the bit of each slot that has a source; it is a hint, looked at without order
 *     by workers that are awake. A worker that is about to sleep looks at it after its fence (P2),
 *     and who attaches a source notifies after.
 * Q3. A slot is given out again only after its detach has returned, so that a detach waits for its
 *     own source's workers only.
 * Q4. While several sources are attached, workers serve them by turns. A worker's turn in a source
 *     ends with the first body, step or async that it has run to its end when SVS__TURN_NS have
 *     passed, and at once when it began alone. Then it goes on with the next source that has work;
 *     but a source that was attached since it looked last comes first, once, so that a thread that
 *     runs something begins with that. After a jump the round goes on where it was, so the others
 *     have every second turn. A root of asyncs is one body to the worker that begins it, and what a
 *     thief takes is one to the thief; a look for such children is a turn, too.
 *
 * So an item that is sent to a new run waits for no more than one body of each worker, or for
 * SVS__TURN_NS, and, per source that was there before, for one turn.
 *
 * Q5. A slot with a source names the runtime, and `outer`: the slot of the run whose body attached
 *     it and waits, or NULL. A worker's `inside` is the slot of the run that it works for: it has
 *     it from its step, from the victim of a steal (help-first: the victim waits for the child, so
 *     its own is still the same), or from the stack that it goes on with (work-first). So from any
 *     body, on any thread, the slots lead to all runtimes whose bodies wait for it.
 *
 * Cache lines: one for each slot, written by who enters and leaves; one for `attached`, which is
 * read at every look and written by attach and detach only. */
#ifndef SVS_WORKSTEAL_SOURCE_H
#define SVS_WORKSTEAL_SOURCE_H

#include "worksteal/worker.h"

typedef struct svs__source svs__source;

/* What a worker does in a source, for who watches it. `what` and `at` together stand for one
 * instance, or one stretch of asyncs; the name lives as long as the source is attached. */
typedef struct svs__activity {
    const void *what; /* NULL: nothing */
    uint64_t at;
    const char *kind; /* "task", "asyncs of" */
    const char *name; /* NULL: `what` has only its address */
} svs__activity;

struct svs__source {
    /* Takes one step, which never blocks. @return whether it did something. */
    bool (*step)(svs__source *source, svs__worker *worker);
    /* Might a step do something? Called before a worker sleeps, and while it spins. */
    bool (*ready)(svs__source *source);
    /* What `worker` does here now; from any thread that has entered. NULL: never mind. */
    void (*tells)(svs__source *source, svs__worker *worker, svs__activity *activity);
};

#define SVS__SOURCES_MAX 64u

typedef struct svs__source_slot {
    alignas(SVS__CACHE_LINE) _Atomic(svs__source *) source;
    _Atomic(uint32_t) users;
    svs_runtime *runtime; /* Q5: these two change while no source is there */
    const struct svs__source_slot *outer;
} svs__source_slot;

typedef struct svs__sources {
    alignas(SVS__CACHE_LINE) _Atomic(uint64_t) attached;
    _Atomic(uint32_t) attaches; /* so far */
    _Atomic(uint32_t) newest;   /* the slot of the last of them */
    svs__source_slot slots[SVS__SOURCES_MAX];
} svs__sources;

/* Puts a source into a slot that is free. */
void svs__sources_attach(svs__sources *sources, uint32_t slot, svs__source *source);

/* @return the slot that it was in, when no worker is inside any more; SVS__SOURCES_MAX when it was
 * in none. */
uint32_t svs__sources_detach(svs__sources *sources, svs__source *source);

/* Steps the sources in their order (Q4) until one does something; then the same one for as long as
 * it does, within the turn and a bound, and until `until`. @return whether one did something. */
bool svs__sources_step(svs__sources *sources, svs__worker *worker, const svs__until *until);

/* Enters each source that is attached, so that none is detached until the caller leaves them all:
 * for who watches the workers, from any thread. `inside` has SVS__SOURCES_MAX elements, NULL where
 * there is no source. */
void svs__sources_enter_all(svs__sources *sources, svs__source **inside);
void svs__sources_leave_all(svs__sources *sources, svs__source *const *inside);

#define SVS__TURN_NS 10000u

/* Are there several? */
static inline bool svs__sources_crowded(const svs__sources *sources) {
    /* [Q2] relaxed: a hint. */
    uint64_t mask = svs__load_relaxed(&((svs__sources *)(uintptr_t)sources)->attached);
    return SVS__UNLIKELY((mask & (mask - 1)) != 0);
}

/* For a step that goes on from one body to the next, after each: whether the worker is to leave the
 * source first, for the sake of the others (Q4). */
SVS__COLD bool svs__worker_turn_is_long(const svs__worker *worker);
static inline bool svs__sources_turn_is_over(const svs__sources *sources,
                                             const svs__worker *worker) {
    return svs__sources_crowded(sources) && svs__worker_turn_is_long(worker);
}

/* Is one of them ready? */
bool svs__sources_ready(svs__sources *sources, uint32_t first);

#endif
