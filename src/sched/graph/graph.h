/* Graphs. Private to this folder. */
#ifndef SVS_SCHED_GRAPH_GRAPH_H
#define SVS_SCHED_GRAPH_GRAPH_H

#include "sched/domain/instance/contexts.h"
#include "sched/graph/run_state.h"

/* The maximum number of items of one send: it is added to a count of 32 bits (sched.T2). */
#define SVS__SEND_MAX ((size_t)1 << 31)

enum { SVS__IDLE, SVS__RUNS, SVS__BEGUN };

struct svs_graph {
    svs_world *world;
    svs_graph_options options;
    char name[64];
    svs__tasks tasks;
    svs__slab *slabs;                        /* slabs of the items of transforms */
    svs__tasks ordered;                      /* the tasks in a topological order */
    svs__tasks independent_a, independent_b; /* pairs that need no implicit dependency */
    bool prepared;
    _Atomic(uint32_t) running; /* sched.T5: one of the states above */
    /* number of sources of all tasks, including those that were shut; changes under run.lock */
    uint32_t sources;
    svs__run run;
    svs_task_type for_each; /* for a graph of svs_for_each(): a copy of its task type */
};

static inline svs__child *svs__child_of(const svs_task *task) {
    return &task->graph->run.children[svs__node_of(task)->position];
}
/* The child of the next implicit dependency of the iteration, at or after position *at; NULL: there
 * is none. *at becomes the position after the child. */
static inline svs_task *svs__implicit_next(const svs_task *parent, uint32_t *at) {
    const svs__implicit *i = &svs__node_of(parent)->implicit;
    for (uint32_t word = *at / 64; word < i->first + i->words; word++) {
        uint64_t bits = i->left[word - i->first];
        if (word == *at / 64) bits = bits >> *at % 64 << *at % 64;
        if (!bits) continue;
        *at = word * 64 + (uint32_t)__builtin_ctzll(bits) + 1;
        return parent->graph->ordered.items[*at - 1];
    }
    return NULL;
}

#endif
