/* A check: the tree, the shadow, and what each worker has of them (<svs/check.h>).
 *
 * There is one tree and one shadow for the process, as memory is the process' too; each runtime
 * that is checked has a svs__check, which watches it.
 *
 * Roots. Runs of several threads that follow each other are ordered, as what orders them outside of
 * the library is not known; runs that are going on at once are beside each other. A tree has room
 * for most of that:
 *
 *     root of the tree
 *     |- finish            a period in which something ran at any time: level 0
 *     |  |- async          the thread with the run that began it
 *     |  |  |- finish      its runs
 *     |  |- finish         what ran beside that thread's runs until none of it was going on: level
 *     1 |  |  |- async       the thread with the run that began it, and so on
 *     |  |- finish         what did later: behind the one before
 *
 * X0. A run begins in the level of its thread, if there is one with a run that is going on, there
 *     or deeper. If not, it begins a level below the deepest in which a run is going on. Levels in
 *     which none is end before. So what is in order here ended before the other began, and where
 *     runs are nested in time or apart, as when one lasts and others come and go, all of that is
 *     here. Of a run A that overlaps with B and ends before C begins, which B overlaps with, too,
 *     the order to C may be missing.
 * X1. The children of the top and of levels are appended under the lock.
 * X2. The past is forgotten (svs__checker_forget) when all that has been run is before all that
 *     will be: no run is going on, or the only one's root task has just drained a finish and has no
 *     other child, or the only one is a graph's and an iteration of it has ended. Then no thread
 *     but the one that forgets runs anything that is checked, and no number of a node is anywhere
 *     but in its task.
 *
 * X4. A thread without a task clears the shadow of what it allocates with `lives` held, while a run
 *     is going on. The shadow is cut down, and ends, with `lives` held. When no run is going on,
 *     all that was accessed is before all that will be, so there is nothing to clear.
 *
 * Threads: a worker's part is the thread's that is the worker; the counters in it may be read by
 * anybody. */
#ifndef SVS_DPST_CHECKER_H
#define SVS_DPST_CHECKER_H

#include "base/lock.h"
#include "base/random.h"
#include "dpst/access.h"
#include "dpst/lca.h"
#include "worksteal/events.h"
#include "worksteal/runtime.h"
#include <svs/check.h>

/* Answers for the step that runs, and for pairs of readers. */
#define SVS__MEMO 64u
#define SVS__MEMO_FAR 256u
#define SVS__MEMO_APART 16u
typedef struct svs__memo {
    uint32_t step, age; /* whose answers they are; ages are epochs (sweep.h, X3) */
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
    /* Of instances of graphs, by their ids, which no others ever have (graph.h, G4). */
    struct {
        uint64_t one, other;
        bool answer;
    } apart[SVS__MEMO_APART];
} svs__memo;

/* Epochs of a worker: no task, and between that and one (sweep.h). */
#define SVS__EPOCH_AWAY 0u
#define SVS__EPOCH_COMING UINT32_MAX

/* An atomic access that a step has noted (atomics.h, M3). */
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
    svs__check_thread thread; /* of a thread without a block of its own (access.h, C6) */
} svs__check_worker;

typedef struct svs__check {
    svs__watcher watcher;
    svs_runtime *runtime;
    struct svs__check *next;
    svs__check_worker *workers; /* as many as the runtime has */
} svs__check;

/* X0; the first one's finish is the period. */
typedef struct svs__check_level {
    uint64_t thread; /* its number */
    svs__scope finish, runs;
    bool going_on; /* a run of the thread */
} svs__check_level;

/* What is swept (sweep.h); all but `epoch` and `due` under `busy`, or alone. */
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
    svs__tree tree;
    svs__sweep sweep;
    svs_check_options options;
    svs__check *checks;
    _Atomic(uint32_t) runs; /* going on; changes under the lock */
    uint64_t waiting;       /* the sum of the threads that wait for them: of one run, the thread */
    svs__lock lives;        /* X4; taken inside of `lock` */
    svs__scope top;
    svs__node_block block;
    svs__check_level levels[SVS__SOURCES_MAX];
    uint32_t level_count;
    uint32_t strays; /* runs for which there was no level: as long as there are any, none ends */
    uint64_t collapses, nodes_before, phases_before; /* of what was forgotten */
    uint32_t most_nodes;                             /* before that, for how many there was room */
    uint32_t forget_at;                              /* so many nodes */
    uint32_t logged;                                 /* races */
    uint64_t rootless;                               /* runs for which there was no room */
} svs__checker;

extern svs__checker svs__the_checker;

/* The relation of the step that runs to another one, from the memo or the tree. */
svs__lca svs__relation(svs__check_worker *worker, uint32_t step, uint32_t other);
/* How deep the lowest common ancestor of two other steps is. */
uint32_t svs__pair_depth(svs__check_worker *worker, uint32_t a, uint32_t b);

/* X2, under the lock. */
void svs__checker_forget(void);

/* Fills in what a check's watcher calls. */
void svs__watcher_init(svs__watcher *watcher);
/* Gives back what a worker has kept. */
void svs__check_worker_clean_up(const svs_allocator *allocator, svs__check_worker *worker);

/* The step that the calling thread runs has its number from here on. @return 0: there is no
 * room. */
uint32_t svs__step_make(svs__check_thread *self);

/* Compares what the streams of the calling thread stand for (C4). */
void svs__streams_end(svs__check_thread *self);

/* Is this memory that the library itself uses for asyncs? Inline functions of the program's write
 * there, in an order that they know nothing of. */
bool svs__check_is_own(uintptr_t address);

/* The same of the async context of the calling thread's task. */
bool svs__check_is_of_async(const svs__check_thread *self, uintptr_t address);

void svs__check_ignore(svs__check_thread *self, bool begins);

/* The calling thread has no block from here on (access.h, C6). */
void svs__check_thread_reset(void);

/* What the calling thread does from here on is another step of its task. */
void svs__check_next_step(svs__check_thread *self);

/* The stack of the calling thread's task is below. */
uintptr_t svs__check_stack_top(const svs__check_thread *self);

/* The task that the calling thread runs has used its stack down to there. */
void svs__check_stack_touched(svs__check_thread *self, uintptr_t address);

#endif
