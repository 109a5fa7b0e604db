/* The replay driver (Steal Tree section 7.2): each worker runs its phases of the tree in their
 * order, and hands each async that was stolen to its thief in the trace.
 *
 *     svs__replay *replay = svs__replay_new(runtime, tree, timed);   // takes the tree
 *     svs__runtime_guide(runtime, &replay->guide); ... runs ...
 *
 * operation              caller                         progress   order
 * take, resumes          worker of the spawner          wait-free  release of handed[p]
 * run, run_waiting       idle or waiting worker         wait-free  acquire of handed[p]
 * roots                  idle worker                    wait-free  acquire of `turn`
 * begins_root            worker with the turn           wait-free  release of `turn`
 * wants, ready, steals,  each worker, about itself      wait-free  relaxed, but for `free`
 * suspends, goes_on
 *
 *   stealtree.W1  A worker's next phase is the one after those that it has begun. It begins when
 *                 its slot or stack has been handed over, and when the worker is in the same state
 *                 as in the trace: idle, or in the wait that precedes the phase's first ordinal
 *                 (hooks.O2).
 *   stealtree.W2  The slot or stack of phase p of worker w is handed over in handed[p] of seat w:
 *                 once, by one worker, with a release; the begin of the phase acquires it.
 *   stealtree.W3  A program that does not spawn the tree of the trace diverges from it at some
 *                 phase: it completes without all of its steals, or all workers wait for each
 *                 other, and no body runs, for `still_ns` of a run. From then on the replay is
 *                 free: each worker runs the work that was handed to it in any order, no more work
 *                 is handed over, and workers steal at random, so that the run completes. A
 *                 sleeping worker counts as waiting, from the begin of the replay on.
 *   stealtree.W4  Roots begin in the order of the trace: `turn` is the worker that begins the next
 *                 root.
 *
 * Threads: workers call the guide's functions.
 *
 * Cache lines: a seat has none of its own; each steal that is replayed writes its thief's seat. */
#ifndef SVS_STEALTREE_REPLAY_H
#define SVS_STEALTREE_REPLAY_H

#include "stealtree/verify.h"
#include "worksteal/runtime.h"

/* A worker's state in a replay; private to the worker, except the atomic fields. */
typedef struct svs__seat {
    /* numbers of the worker's next async and phase at the start of the replay */
    uint64_t ordinal, phase;
    uint32_t *handed_over;   /* for each phase: number of its steals that were handed over */
    _Atomic(void *) *handed; /* for each phase: the slot or the stack that it begins with */
    /* the worker's next root phase; without one, its number of phases (stealtree.W4) */
    uint32_t root;
    _Atomic(uint32_t) handed_count; /* number of phases that were handed over and have not begun */
    const void **resumes; /* for each suspended phase: the phase of the tree that resumes it */
    uint32_t *resumed_by; /* for each suspended phase: the worker of that phase */
    uint32_t looks;       /* number of attempts without work */
    /* time since which the worker has found all workers waiting; 0: it has not */
    uint64_t still_ns;
    uint64_t moves; /* result of moves_of() at that time */
    /* 1: the worker waits for others; the end of a wait is counted in `moves` */
    _Atomic(uint32_t) idle;
} svs__seat;

typedef struct svs__replay {
    svs__guide guide; /* first member: its address is passed to the workers' calls */
    svs_runtime *runtime;
    svs__steal_tree *tree;
    svs__seat *seats;
    bool timed;
    uint64_t start_ns;
    /* the time of stealtree.W3; tests shorten it while workers may read it */
    _Atomic(uint64_t) still_ns;
    _Atomic(uint64_t) moves; /* number of waits that have ended */
    _Atomic(uint32_t) free;  /* 1: the replay is free (stealtree.W3) */
    /* The worker that alone may change the turn and the seats' `root` (stealtree.W4), or
     * SVS__TREE_NONE. */
    _Atomic(uint32_t) turn;
    _Atomic(uint64_t) turn_ns; /* time in the trace at which that worker's root began */
} svs__replay;

/* @return NULL when there is no memory: the tree stays with the caller. */
svs__replay *svs__replay_new(svs_runtime *runtime, svs__steal_tree *tree, bool timed);
void svs__replay_free(svs__replay *replay);

/* Passes the turn to the worker that begins the next root (stealtree.W4). */
void svs__replay_next_turn(svs__replay *replay);

/* @return a guide with the functions of a replay. */
svs__guide svs__replay_guide(void);

/* The replay of `guide`, or NULL. */
svs__replay *svs__replay_of(svs__guide *guide);

#endif
