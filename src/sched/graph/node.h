/* Tasks in a graph: their edges, and their state in an iteration.
 *
 * In an iteration a task is first closed, while logical dependencies are left. Then it is open:
 * refinement has compared it with its implicit children, and its instances are offered to a domain.
 * It ends when its instances have ended and no task can send to it any more.
 *
 *   sched.S3  a task opens after the end of each task that an explicit dependency puts before it,
 *       and an iteration begins after the end of the last one;
 *   sched.T1  a task opens once in an iteration, when `parents` is 0;
 *   sched.T2  `outstanding` counts the instances of the task that have not ended or completed, and
 *       references: one for each producer that has not ended, one for each source (source.h), and
 *       one while the task is closed. The task ends when it is 0, and it stays 0 until the next
 *       iteration;
 *   sched.T3  states of tasks change under run.lock only;
 *   sched.T4  an implicit dependency is removed once: by the end of its parent, or by refinement;
 *   sched.T7  tasks that send to each other in a cycle share one `outstanding`, that of their lead,
 *       in which producers of the same cycle have no reference. The items that a body sends are
 *       counted before the body's own instance is subtracted. So the count is 0 only when nothing
 *       is pending in any of these tasks, and then all of them end together. They are adjacent in
 *       the topological order, so that no dependency leads from one of them to a task and back;
 *   sched.T8  a touch function that reads what bodies of a task write (svs__task_facts) is called
 *       while that task does not run: the pair is ordered, or refinement keeps its dependency and
 *       all other dependencies of the touch function's task. (not asserted: about what a program's
 *       touch functions read; unit_face_facts) */
#ifndef SVS_SCHED_GRAPH_NODE_H
#define SVS_SCHED_GRAPH_NODE_H

#include "sched/domain/domain.h"

/* A list of tasks. */
typedef struct svs__tasks {
    svs_task **items;
    uint32_t count, capacity;
} svs__tasks;

/* The implicit dependencies of a parent: a bit for each later task of the topological order. The
 * first word is the one with the parent's own bit. */
typedef struct svs__implicit {
    uint64_t *all;  /* NULL: none */
    uint64_t *left; /* implicit dependencies of the iteration that refinement has not removed */
    uint64_t *kept; /* implicit dependencies that refinement must keep (sched.T8), or NULL */
    uint32_t first, words;
} svs__implicit;

/* The fields of a child that the opening and the end of each parent read, in one array for all
 * tasks in topological order. They hold for one iteration (sched.T3). */
#define SVS__CHILD_ELEMENTS 3u
typedef struct svs__child {
    uint32_t parents; /* number of dependencies that are left */
    bool open;
    uint8_t set;   /* svs__child_set, of a transform */
    uint8_t count; /* number of elements of its set */
    svs__element elements[SVS__CHILD_ELEMENTS];
} svs__child;
_Static_assert(sizeof(svs__child) == 32, "two in a cache line");

/* The state of a transform's set, in this order: it is unknown; it is in `elements`, where it stays
 * valid (waiting.h); it must be made for each comparison; it could not be made. */
typedef enum svs__child_set {
    SVS__SET_UNKNOWN,
    SVS__SET_LASTS,
    SVS__SET_TO_MAKE,
    SVS__SET_FAILED
} svs__child_set;

/* A task with its place in the graph. */
typedef struct svs__node {
    svs_task task; /* first */
    svs_algorithm algorithm;
    uint32_t position; /* in the topological order */
    svs__tasks sends;  /* consumers */
    svs__tasks producers;
    /* targets of explicit dependencies: the tasks that open after the end of this one */
    svs__tasks before;
    /* while the graph is sorted: the number of a lead's parents that have no position yet */
    uint32_t sort_parents;
    bool sorted;
    svs_task *kept_back_by; /* of a lead without a position: a parent without a position (sort.c) */
    /* while cycles are searched (cycles.c): */
    /* numbers in the order in which the search finds tasks, from 1 (Tarjan's index and low link) */
    uint32_t found, lowest;
    bool stacked;
    svs_task *below;
    svs_task *from;     /* the producer from which the search came to this task, or NULL */
    uint32_t looked_at; /* number of consumers that the search has visited */
    /* next in the list of the tasks that share a lead, which begins with the lead (sched.T7) */
    svs_task *next_of_lead;
    /* references at the start of an iteration, without those of sources (sched.T2) */
    uint32_t references;
    uint32_t sources; /* number of sources that are not shut; changes under run.lock */
    svs__implicit implicit;
    uint32_t explicit_parents, implicit_parents;

    /* state in the iteration; sched.T3 */
    uint32_t parents_not_ready; /* number of implicit parents that have not opened (Algorithm 2) */
    bool propagated;
    svs_task *next_ended; /* the next lead that svs__tasks_end() still has to end */
    svs__domain *domain;
} svs__node;

static inline svs__node *svs__node_of(const svs_task *task) { return (svs__node *)(uintptr_t)task; }

/* Whether a worker may take the items that were just sent. If not, the task is closed or has ended,
 * and the run notifies when it opens the task. */
static inline bool svs__task_takes_items(svs_task *task) {
    /* The fence forbids this outcome: the load finds the task closed, and a worker that searches
     * after the task has opened misses the items. */
    svs__fence_seq(&task->inbox.waiting);
    /* acquire: the sender reads the task's domain; pairs with svs__domain_open(). */
    return svs__load_acquire(&task->attached) && svs__load_relaxed(&task->lead->outstanding);
}

bool svs__tasks_add(const svs_world *world, svs__tasks *tasks, svs_task *task);
/* Makes room for `count` tasks in total. */
bool svs__tasks_reserve(const svs_world *world, svs__tasks *tasks, uint32_t count);
void svs__tasks_clean_up(const svs_world *world, svs__tasks *tasks);

/* Restores all implicit dependencies at the start of an iteration. */
void svs__implicit_reset(svs_task *parent);
void svs__implicit_clean_up(svs_task *parent);

#endif
