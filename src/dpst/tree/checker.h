/* A check: the tree, the shadow, and the part of each worker (<svs/check.h>).
 *
 * There is one tree and one shadow for the process, as memory is the process' too; each checked
 * runtime has a svs__check, which watches it.
 *
 * Roots. Runs of several threads that follow each other are ordered, because the check does not
 * know the order that the program gives them outside of the library. Runs that overlap are
 * parallel. That is an order of intervals, and no tree says all of it. The tree records most:
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
 *     and B overlaps with C, too, the tree may lack the order of A and C (dpst.X11).
 * dpst.X1. Children of the top and of levels are appended under the lock.
 * dpst.X2. The past is forgotten (root.c) when all that has been run is before all that will
 *     be: no run is in progress; or the root task of the only one has just drained a finish and has
 *     no other child; or the only one is a graph's and an iteration of it has ended. Then only the
 *     thread that forgets runs checked code, and only its task has numbers of nodes.
 *
 * dpst.X11. A run that has a level notes of each level that there is when it begins which of
 *     its runs had ended, and which of the levels in its finish: those up to a number, as a level's
 *     runs follow each other, and so do the levels in a finish. A step only asks about another one
 *     while its own run goes on, so a note for each level is enough, however many runs there were;
 *     it does not change meanwhile. Thus of two runs with levels the later one is ordered behind
 *     the earlier one exactly if that had ended. An exception is a node that stands for several
 *     runs (gc.h, dpst.X7): it is before what is behind all of them in the tree, or behind
 *     their level.
 * dpst.X12. Two readers of a cell stand for all if the order is a tree's (spd3.c). In an order
 *     of intervals each of three runs that overlap may be the only one that a later run overlaps
 *     with, so two steps of two runs stand for those of these runs only. When a third one reads,
 *     the cell is *crowded* until it names no reader: its readers are compared by the tree alone,
 *     in which two of three are enough (tested against an oracle in property_racecheck_roots).
 *
 * dpst.X10. A thread without a task holds `lives` while it clears the shadow of memory that it
 *     allocates. It does so only while a run is in progress: otherwise all accesses are before all
 *     later ones. The shadow is reset, and unmapped, with `lives` held.
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

/* Answers for the step that runs, and for pairs of readers. */
#define SVS__MEMO 64u
#define SVS__MEMO_FAR 256u
#define SVS__MEMO_GRAPH 64u
#define SVS__MEMO_TOLD_BITS 12
typedef struct svs__memo {
    uint32_t step, age; /* of the answers; ages are epochs (gc.h, dpst.X3) */
    struct {
        uint32_t other, answer; /* depth << 1 | parallel */
    } steps[SVS__MEMO];
    struct {
        uint32_t a, b, depth, age;
    } pairs[SVS__MEMO];
    /* For labels and for the steal tree: of steps, or of a node that stands for all below it. */
    struct {
        uint32_t a, b, answer, age;
    } far[2][SVS__MEMO_FAR];
    struct svs__two {
        uint64_t one, other;
        const struct svs__instance *way; /* from the other to the one (senders.c) */
        bool knows_way, knows_apart;
        bool apart;           /* dpst.G4 */
    } graph[SVS__MEMO_GRAPH]; /* of instances, by their ids, which no others ever have */
    /* Pairs of kinds of instances (graph.h, dpst.G8) for which it was told that the schedule
     * chooses their order: nothing that owns bytes says more (report.h). */
    uint64_t told[1u << SVS__MEMO_TOLD_BITS];
} svs__memo;

/* Epochs of a worker: no task, and between that and one (gc.h). */
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
    _Atomic(uint32_t) epoch;       /* that it has seen; others read it now and then */
    struct svs__check_task *tasks; /* free ones */
    struct svs__open *opens;       /* free ones */
    svs__random random;
    /* Counters, by the owner with svs__worker_count(). */
    _Atomic(uint64_t) accesses, steps, queries, edges[3], races, lost, merged;
    svs__noted noted[SVS__NOTED]; /* by address */
    svs__memo memo;
    svs__check_thread thread; /* of a thread without a block of its own (thread.h, dpst.C6) */
} svs__check_worker;

typedef struct svs__check {
    svs__watcher watcher;
    svs_runtime *runtime;
    struct svs__check *next;
    svs__check_worker *workers; /* as many as the runtime has */
} svs__check;

/* What there was of a level had ended (dpst.X11), */
typedef struct svs__check_ended {
    uint32_t runs;   /* up to this run */
    uint32_t levels; /* and before this child of its finish: that one went on, or came later */
} svs__check_ended;

/* dpst.X0; the first one's finish is the period. */
typedef struct svs__check_level {
    uint64_t thread; /* its number */
    svs__scope finish, runs;
    bool going_on; /* a run of the thread */
    /* Of its last run, which the run's steps read: */
    uint32_t level_count; /* when it began */
    svs__check_ended ended[SVS__JOBS_MAX];
} svs__check_level;

/* The state of the collection (gc.h); all but `epoch` and `due` under `busy`, or alone. */
enum { SVS__SWEEP_RESTS, SVS__SWEEP_BEGINS, SVS__SWEEP_ENDS };
typedef struct svs__sweep {
    _Alignas(SVS__CACHE_LINE) _Atomic(uint32_t) epoch; /* read at each step, written rarely */
    uint32_t least;                                    /* nodes that are made between two sweeps */
    _Atomic(uint64_t) due;                             /* when so many nodes have been made */
    _Alignas(SVS__CACHE_LINE) svs__lock busy;
    int part;
    uint32_t dead, last_dead;              /* parts of the tree: a list, 0: none */
    uint32_t dead_phases, last_dead_phase; /* the same */
    uint64_t last, began; /* nodes that had been made: at the last one's end; when its part began */
    uint64_t kept;        /* nodes that the last one found needed */
    uint64_t cells;       /* that were looked at */
    _Atomic(uint64_t) sweeps;
} svs__sweep;

typedef struct svs__checker {
    svs__lock lock;
    svs__dpst_tree tree;
    svs__sweep sweep;
    /* A worker has taken numbers: what was dead is gathered now and then (task/gc.h). */
    void (*collect)(svs__check_worker *worker);
    svs_check_options options;
    svs__check *checks;
    _Atomic(uint32_t) runs; /* going on; changes under the lock */
    uint64_t waiting;       /* the sum of the threads that wait for them: of one run, the thread */
    svs__lock lives;        /* dpst.X10; taken inside of `lock` */
    svs__scope top;
    svs__node_block block;
    svs__check_level levels[SVS__JOBS_MAX];
    uint32_t level_count;
    _Atomic(uint32_t) most_levels; /* of the period; changes under the lock */
    uint32_t strays; /* runs for which there was no level: as long as there are any, none ends */
    uint64_t collapses, nodes_before, phases_before; /* of what was forgotten */
    uint32_t most_nodes;                             /* before that, for how many there was room */
    uint32_t forget_at;                              /* so many nodes */
    uint32_t logged;                                 /* races */
    uint64_t rootless;                               /* runs for which there was no room */
} svs__checker;

extern svs__checker svs__the_checker;

/* The relation of the step that runs to another one, from the memo or the tree, and from the order
 * of runs (dpst.X11). */
svs__lca svs__relation(svs__check_worker *worker, uint32_t step, uint32_t other);
/* The same by the tree alone (dpst.X12). */
svs__lca svs__tree_relation(svs__check_worker *worker, uint32_t step, uint32_t other);
/* How deep the lowest common ancestor of two other steps is. */
uint32_t svs__pair_depth(svs__check_worker *worker, uint32_t a, uint32_t b);

/* ---- runs that overlap (order.c) ---- */

/* By dpst.X11: `other`, which is beside `step` in the tree, below an ancestor of this depth,
 * is in a run that had ended when the run of `step` began, which goes on. */
bool svs__run_had_ended(uint32_t step, uint32_t other, uint32_t depth);
/* By dpst.X12: three steps, each beside the others in the tree, are of three runs. The first
 * one runs. */
bool svs__are_of_three_runs(svs__check_worker *worker, uint32_t step, uint32_t one, uint32_t two);

/* Might a common ancestor of parallel steps at this depth be above the roots of their runs? Not
 * where the period has had too few levels for one there that has two children. */
static inline bool svs__is_above_runs(uint32_t depth) {
    /* relaxed: a run is known only by what it has written since its level was added. */
    return depth < svs__load_relaxed(&svs__the_checker.most_levels);
}

/* Is this memory that the library itself uses for asyncs? Inline functions of the program's write
 * there, in an order that they know nothing of. */
bool svs__check_is_own(uintptr_t address);

/* ---- tasks and their steps: by the thread that runs the task ---- */

/* A finish of a task, in which it has spawned. */
typedef struct svs__open {
    /* Its node, or the last that is behind a stolen continuation (node.h, dpst.B3). */
    svs__scope scope;
    uint32_t node;
    const svs__slot *base; /* NULL: the task itself */
    struct svs__open *outer;
} svs__open;

typedef struct svs__check_task {
    svs__open self;
    svs__open *open;           /* the innermost */
    char *top;                 /* of what the task has of a stack */
    const char *low;           /* while it is not on a thread; as the fields below */
    svs__check_worker *worker; /* the last one */
    const svs__stack *stack;   /* that it was begun on; NULL: a worker's own */
    svs__slot *base;           /* of the async context that it was begun on */
    uint32_t step, ignored, frame, frames_lost;
    bool is_root;
    bool has_spawned;               /* itself, not in a finish */
    struct svs__instance *instance; /* of a graph, that it belongs to; or NULL */
    struct svs__check_task *next;
} svs__check_task;

/* The step that the calling thread runs has its number from here on. @return 0: there is no
 * room. */
uint32_t svs__step_make(svs__check_thread *self);

/* Is this in the async context of the calling thread's task, which inline functions of the
 * program write to? */
bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address);

/* The stack of the calling thread's task is below. */
uintptr_t svs__check_stack_top(const svs__check_thread *self);

/* The task that the calling thread runs has used its stack down to there. */
void svs__check_stack_touched(svs__check_thread *self, uintptr_t address);

#endif
