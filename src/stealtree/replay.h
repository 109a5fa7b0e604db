/* Replaying a trace (Steal Tree section 7.2): each worker runs the phases of the tree in their
 * order, and at each async that was stolen hands it to whoever stole it.
 *
 *     svs__replay *replay = svs__replay_new(runtime, tree, timed);   // takes the tree
 *     svs__runtime_guide(runtime, &replay->guide); ... runs ...
 *
 * W1. A worker's next phase is the one after those that it has begun. It begins when it has been
 *     handed what it begins with, and when the worker is where it was: at nothing, or in the wait
 *     whose ordinal the phase began after (O2).
 * W2. What begins phase p of worker w is handed over in handed[p] of seat w: once, by one worker,
 *     with a release that the beginning acquires.
 * W3. A program that does not spawn the tree of the trace parts from it at some phase: it ends
 *     without having come to all of its steals, or all workers wait for each other, and no body
 *     runs, for `still_ns` of a run. From then on the replay is free: whatever was handed over is
 *     run by its worker in any order, nothing more is handed over, and workers steal as ever, so
 *     that the run comes to its end. A worker that sleeps counts as waiting.
 *
 * W4. Roots begin in the order in which they began: `turn` is whose root is the next.
 *
 * Threads: the guide's functions are called by workers. */
#ifndef SVS_STEALTREE_REPLAY_H
#define SVS_STEALTREE_REPLAY_H

#include "stealtree/verify.h"
#include "worksteal/runtime.h"

/* A worker in a replay. All but `handed` is its own. */
typedef struct svs__seat {
    uint64_t ordinal, phase; /* of the worker's next async and phase, when the replay began */
    uint32_t *handed_over;   /* for each phase: how many of its steals it has come to */
    _Atomic(void *) *handed; /* for each phase: the slot or the stack that it begins with */
    uint32_t root;           /* its next phase that is a root's, or how many phases it has (W4) */
    _Atomic(uint32_t) handed_count; /* how many are handed over, and have not begun */
    const void **resumes;   /* for each phase that was suspended: the tree's phase after it */
    uint32_t *resumed_by;   /* and whose that is */
    uint32_t looks;         /* in vain */
    uint64_t still_ns;      /* since when it has seen all workers wait; 0: it has not */
    uint64_t moves;         /* at that time */
    _Atomic(uint32_t) idle; /* 1: it waits for others; what it goes on with is counted in `moves` */
} svs__seat;

typedef struct svs__replay {
    svs__guide guide; /* first: the workers' calls get its address */
    svs_runtime *runtime;
    svs__tree *tree;
    svs__seat *seats;
    bool timed;
    uint64_t start_ns;
    uint64_t still_ns;       /* W3; tests make it shorter */
    _Atomic(uint64_t) moves; /* how often a worker that waited has gone on */
    _Atomic(uint32_t) free;  /* W3 */
    /* W4. A worker, which alone may change the turn and the seats' `root`, or SVS__TREE_NONE. */
    _Atomic(uint32_t) turn;
    _Atomic(uint64_t) turn_ns; /* when its root began */
} svs__replay;

/* @return NULL when there is no memory: the tree is the caller's still. */
svs__replay *svs__replay_new(svs_runtime *runtime, svs__tree *tree, bool timed);
void svs__replay_free(svs__replay *replay);

/* Gives the turn to the worker whose root is the next to begin (W4). */
void svs__replay_next_turn(svs__replay *replay);

/* How a replay guides. */
svs__guide svs__replay_guide(void);

/* The replay that `guide` is of, or NULL. */
svs__replay *svs__replay_of(svs__guide *guide);

#endif
