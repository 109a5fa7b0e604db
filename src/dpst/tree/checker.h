/* A check: the tree, the shadow, and the part of each worker (<svs/check.h>).
 *
 * There is one tree and one shadow for the process, because its threads share one memory. Each
 * checked runtime has a svs__check, which watches it.
 *
 * Roots. Runs of several threads that follow each other are ordered, because the check does not
 * know the order that the program gives them outside of the library. Runs that overlap are
 * parallel. That is an order of intervals, which a tree can only record in part:
 *
 *     root of the tree
 *     |- finish            a period in which at least one run is in progress: level 0
 *     |  |- async          the thread with the run that began the period
 *     |  |  |- finish      its runs
 *     |  |- finish         the runs that overlapped with that thread's runs: level 1
 *     |  |  |- async       the thread with the run that began it, and so on
 *     |  |- finish         later ones, after the one before
 *
 * dpst.X0. A run begins in the level of its thread if a run is in progress in that level or a
 *     deeper one; else one level below the deepest level with a run in progress. Deeper levels end
 *     before. So two runs that are ordered in the tree did not overlap, and the order of runs that
 *     are nested in time or apart is complete. If a run A overlaps with B and ends before C begins,
 *     and B also overlaps with C, the tree may lack the order of A and C (dpst.X11).
 * dpst.X1. Children of the top and of levels are appended under the lock.
 * dpst.X2. The past is forgotten (root.c) when everything that has run is before everything that
 *     will run: no run is in progress; or the root task of the only one has just drained a finish
 *     and has no other child; or the only one is a graph's and an iteration of it has ended. Then
 *     only the thread that forgets runs checked code, and only its task has numbers of nodes.
 *
 * dpst.X11. When a run that has a level begins, it notes for each existing level how many of the
 *     level's runs had ended, and how many of the levels in its finish. One number each is enough,
 *     because the runs of a level follow each other, and so do the levels in a finish. A step asks
 *     about another one only while its own run is in progress, so one note for each level is
 *     enough, however many runs there were; the note does not change during the run. Thus of two
 *     runs with levels the later one is ordered after the earlier one exactly if that had ended. An
 *     exception is a node that represents several runs (gc.h, dpst.X7): it is before everything
 *     that comes after all of them in the tree, or after their level.
 * dpst.X12. Two readers of a cell represent all readers if the order is a tree's (spd3.c). In an
 *     order of intervals each of three overlapping runs may be the only one that a later run
 *     overlaps with, so two steps of two runs represent the readers of these two runs only. When a
 *     step of a third run reads, the cell is *crowded* until it names no reader: its readers are
 *     compared by the tree alone, where two readers are enough (tested against an oracle in
 *     property_racecheck_roots).
 *
 * dpst.X10. A thread without a task holds `lives` while it clears the shadow of memory that it
 *     allocates. It does so only while a run is in progress: otherwise all accesses so far are
 *     before all later ones. The shadow is reset, and unmapped, with `lives` held.
 *
 * Threads: a worker's part belongs to the worker's thread; any thread may read its counters. */
#ifndef SVS_DPST_TREE_CHECKER_H
#define SVS_DPST_TREE_CHECKER_H

#include "base/lock.h"
#include "base/random.h"
#include "dpst/tree/node.h"
#include "dpst/tree/thread.h"
#include "hooks/task_hooks.h"
#include "worksteal/runtime.h"
#include <svs/check.h>

/* Sizes of the memo, which has answers for the running step and for pairs of readers: */
#define SVS__MEMO 64u
#define SVS__MEMO_FAR 256u
#define SVS__MEMO_GRAPH 64u
#define SVS__MEMO_TOLD_BITS 12
typedef struct svs__memo {
    uint32_t step, age; /* the step and the age of the answers; ages are epochs (gc.h, dpst.X3) */
    struct {
        uint32_t other, answer; /* depth << 1 | parallel */
    } steps[SVS__MEMO];
    struct {
        uint32_t a, b, depth, age;
    } pairs[SVS__MEMO];
    /* Results for labels and for the steal tree. An entry is for a step, or for a node that
     * represents all steps below it. */
    struct {
        uint32_t a, b, answer, age;
    } far[2][SVS__MEMO_FAR];
    /* Results for pairs of instances, by their ids, which are never reused. */
    struct svs__two {
        uint64_t one, other;
        /* the instance of the way from `other` to `one` (senders.c) */
        const struct svs__instance *way;
        bool knows_way, knows_apart;
        bool apart; /* admission keeps the two apart (dpst.G4) */
    } graph[SVS__MEMO_GRAPH];
    /* The pairs of kinds of instances (graph.h, dpst.G8) whose order was reported to depend on the
     * schedule. The next report of such a pair is dropped. */
    uint64_t told[1u << SVS__MEMO_TOLD_BITS];
} svs__memo;

/* Values of a worker's epoch without a task, and while the worker takes one up (gc.h). */
#define SVS__EPOCH_AWAY 0u
#define SVS__EPOCH_COMING UINT32_MAX

/* An atomic access that a step has noted (atomics.c, dpst.M3). */
#define SVS__NOTED 16u
typedef struct svs__noted {
    uintptr_t at;
    uint32_t step, age;
    uint32_t bytes;
    bool write;
} svs__noted;

typedef struct svs__check_worker {
    _Alignas(SVS__CACHE_LINE) svs__node_block block;
    /* the last epoch that the worker has seen; others read it now and then */
    _Atomic(uint32_t) epoch;
    struct svs__check_task *tasks; /* list of free tasks */
    struct svs__open *opens;       /* list of free finishes */
    svs__random random;
    /* Counters, which the owner changes by svs__worker_count(). */
    _Atomic(uint64_t) accesses, steps, queries, edges[3], races, lost, merged;
    svs__noted noted[SVS__NOTED]; /* notes, by address */
    svs__memo memo;
    svs__check_thread thread; /* the block of a thread without one of its own (thread.h, dpst.C6) */
} svs__check_worker;

typedef struct svs__check {
    svs__watcher watcher;
    svs_runtime *runtime;
    struct svs__check *next;
    svs__check_worker *workers; /* one for each worker of the runtime */
} svs__check;

/* The part of a level that had ended when a run began (dpst.X11). */
typedef struct svs__check_ended {
    uint32_t runs;   /* number of the last run that had ended */
    uint32_t levels; /* number of the first level in its finish that had not ended */
} svs__check_ended;

/* A level of nested runs of one thread (dpst.X0). The finish of level 0 spans the whole period of
 * checking. */
typedef struct svs__check_level {
    uint64_t thread; /* number of the thread whose runs are in the level */
    svs__scope finish, runs;
    bool going_on; /* a run of the thread is in progress */
    /* Recorded when the level's latest run began; the steps of that run read it: */
    uint32_t level_count; /* the number of levels when the run began */
    svs__check_ended ended[SVS__JOBS_MAX];
} svs__check_level;

/* The state of the collection (gc.h). All fields but `epoch` and `due` are accessed under `busy`,
 * or while no other thread is there. */
enum { SVS__SWEEP_RESTS, SVS__SWEEP_BEGINS, SVS__SWEEP_ENDS };
typedef struct svs__sweep {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) epoch; /* read at each step, written rarely */
    /* least number of nodes made between two sweeps */
    uint32_t least;
    /* the number of nodes made at which the next sweep begins */
    _Atomic(uint64_t) due;
    _Alignas(SVS__CACHE_LINE) svs__lock busy;
    int part;
    uint32_t dead, last_dead;              /* list of the tree's parts with dead nodes; 0: empty */
    uint32_t dead_phases, last_dead_phase; /* list of the tree's phases with dead nodes */
    /* number of nodes made: until the last sweep ended; until the present part began */
    uint64_t last, began;
    uint64_t kept;  /* number of nodes that the last sweep kept */
    uint64_t cells; /* number of cells that the sweep has visited */
    _Atomic(uint64_t) sweeps;
} svs__sweep;

typedef struct svs__checker {
    svs__lock lock;
    svs__dpst_tree tree;
    svs__sweep sweep;
    /* Called when a worker has taken numbers: now and then collects dead nodes (task/gc.h). */
    void (*collect)(svs__check_worker *worker);
    svs_check_options options;
    svs__check *checks;
    _Atomic(uint32_t) runs; /* number of runs in progress; changes under the lock */
    /* sum of the numbers of the threads that wait for runs: with one run, the number of its
     * thread */
    uint64_t waiting;
    svs__lock lives; /* the lock of dpst.X10; acquired inside of `lock` */
    svs__scope top;
    svs__node_block block;
    svs__check_level levels[SVS__JOBS_MAX];
    uint32_t level_count;
    _Atomic(uint32_t) most_levels; /* largest `level_count` in the period; changes under the lock */
    /* number of runs without a level; while there are any, no level ends */
    uint32_t strays;
    uint64_t collapses, nodes_before, phases_before; /* totals of the periods forgotten */
    /* largest number of nodes in use in one of those periods */
    uint32_t most_nodes;
    /* number of nodes at which the past is forgotten */
    uint32_t forget_at;
    uint32_t logged;   /* number of races that were logged */
    uint64_t rootless; /* number of runs for whose root there was no room */
} svs__checker;

extern svs__checker svs__the_checker;

/* The relation of the running step to another one, from the memo or the tree, and from the order of
 * runs (dpst.X11). */
svs__lca svs__relation(svs__check_worker *worker, uint32_t step, uint32_t other);
/* svs__relation() by the tree alone (dpst.X12). */
svs__lca svs__tree_relation(svs__check_worker *worker, uint32_t step, uint32_t other);
/* The depth of the lowest common ancestor of two other steps. */
uint32_t svs__pair_depth(svs__check_worker *worker, uint32_t a, uint32_t b);

/* ---- runs that overlap (order.c) ---- */

/* Is `other` in a run that had ended when the run of `step`, which is in progress, began
 * (dpst.X11)? In the tree the two steps are parallel, below an ancestor of this depth. */
bool svs__run_had_ended(uint32_t step, uint32_t other, uint32_t depth);
/* Are three steps, each parallel to the others in the tree, of three runs (dpst.X12)? `step` is
 * running. */
bool svs__are_of_three_runs(svs__check_worker *worker, uint32_t step, uint32_t one, uint32_t two);

/* May an ancestor at this depth be above the roots of two runs? Only if the period has had more
 * levels than `depth`: otherwise such an ancestor has one child. */
static inline bool svs__is_above_runs(uint32_t depth) {
    /* relaxed is enough: another run is known only by what it has written since its level was
     * added. */
    return depth < svs__load_relaxed(&svs__the_checker.most_levels);
}

/* Is this memory that the library itself uses for asyncs? Inline functions that are compiled with
 * the program write there; the library orders these writes. */
bool svs__check_is_own(uintptr_t address);

/* ---- tasks and their steps: by the thread that runs the task ---- */

/* An open finish of a task, in which the task has spawned. */
typedef struct svs__open {
    /* The finish's node, or the last scope after a stolen continuation (node.h, dpst.B3). */
    svs__scope scope;
    uint32_t node;
    const svs__slot *base; /* NULL: the task itself */
    struct svs__open *outer;
} svs__open;

typedef struct svs__check_task {
    svs__open self;
    svs__open *open; /* innermost open finish */
    char *top;       /* upper end of the task's part of a stack */
    /* lowest address used; this and the fields below are saved here while no thread runs the
     * task */
    const char *low;
    svs__check_worker *worker; /* the worker that ran it last */
    const svs__stack *stack;   /* the stack that it was begun on; NULL: the worker's own */
    svs__slot *base;           /* base of the async context that it was begun on */
    uint32_t step, ignored, frame, frames_lost;
    bool is_root;
    bool has_spawned;               /* the task itself has spawned, outside of a finish */
    struct svs__instance *instance; /* the instance of a graph that it belongs to, or NULL */
    struct svs__check_task *next;
} svs__check_task;

/* Gives the calling thread's step a number. @return the number, or 0: there is no room. */
uint32_t svs__step_make(svs__check_thread *self);

/* Is this address in the async context of the calling thread's task? Inline functions in the
 * program write there. */
bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address);

/* The upper end of the stack of the calling thread's task. */
uintptr_t svs__check_stack_top(const svs__check_thread *self);

/* Records that the stack of the running task has grown down to this address. */
void svs__check_stack_touched(svs__check_thread *self, uintptr_t address);

#endif
