/* Tasks in a graph: their edges, and their state in an iteration.
 *
 * The life of a task in an iteration: closed (logical dependencies are left) -> open (runnable:
 * refinement has looked at its implicit children; its instances are offered) -> ended (its
 * instances have, and no task can send to it any more).
 *
 *   sched.T1  a task opens once an iteration, when `parents` is 0;
 *   sched.T2  `outstanding` counts its instances that have not ended, one for each producer that has not
 *       ended, and one while it is closed: it ends when that is 0;
 *   sched.T3  all changes of states of tasks are made under run.lock;
 *   sched.T4  an implicit dependency is there until its parent ends or refinement takes it away, never
 *       both. */
#ifndef SVS_SCHED_GRAPH_NODE_H
#define SVS_SCHED_GRAPH_NODE_H

#include "sched/domain/domain.h"

/* A list of tasks. */
typedef struct svs__tasks {
    svs_task **items;
    uint32_t count, capacity;
} svs__tasks;

/* Implicit dependencies, at their parent: a bit for each task that comes later in the order, from
 * the word with the parent's own bit on. */
typedef struct svs__implicit {
    uint64_t *all;  /* NULL: none */
    uint64_t *left; /* of the iteration: what refinement has not removed */
    uint32_t first, words;
} svs__implicit;

/* What is asked of a child of many parents, each time that one of them opens or ends: side by side
 * for all tasks, in their topological order. Of the iteration; sched.T3. */
#define SVS__CHILD_ELEMENTS 3u
typedef struct svs__child {
    uint32_t parents; /* logical dependencies that are left */
    bool open;
    uint8_t set;   /* svs__child_set, of a transform */
    uint8_t count; /* of the elements that its set comes to */
    svs__element elements[SVS__CHILD_ELEMENTS];
} svs__child;
_Static_assert(sizeof(svs__child) == 32, "two in a cache line");

/* What is known of a transform's set: nothing yet; its elements, which last (saved_elements.h);
 * that it has to be made each time; that it cannot be made. */
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
    svs__tasks before;     /* explicit: those that start after this one */
    uint32_t sort_parents; /* while the graph is sorted: those that have no position yet */
    bool sorted;
    svs__implicit implicit;
    uint32_t explicit_parents, implicit_parents; /* of it */

    /* of the iteration; sched.T3 */
    uint32_t parents_not_ready; /* implicit parents that refinement has not come to (Algorithm 2) */
    bool propagated;
    svs__domain *domain;
} svs__node;

static inline svs__node *svs__node_of(const svs_task *task) { return (svs__node *)(uintptr_t)task; }

bool svs__tasks_add(const svs_world *world, svs__tasks *tasks, svs_task *task);
void svs__tasks_clean_up(const svs_world *world, svs__tasks *tasks);

/* All implicit dependencies are left again, at the begin of an iteration. */
void svs__implicit_reset(svs_task *parent);
void svs__implicit_clean_up(svs_task *parent);

#endif
