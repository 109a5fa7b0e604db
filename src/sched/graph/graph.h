/* Graphs and their runs. Private to this folder. */
#ifndef SVS_SCHED_GRAPH_GRAPH_H
#define SVS_SCHED_GRAPH_GRAPH_H

#include "sched/graph/node.h"
#include "worksteal/source.h"

/* Most items of one send: their count is added to 32 bits (sched.T2). */
#define SVS__SEND_MAX ((size_t)1 << 31)

typedef struct svs__run {
    svs__source source; /* first */
    svs_graph *graph;
    svs__domain_env env;
    /* one a task, made when the graph is prepared; the last is the gate of transforms */
    svs__domain *domains;
    svs__child *children; /* one a task, by position */
    svs__tasks opened; /* tasks that have just lost their last logical dependency; under the lock */
    svs__domain *gate;
    _Atomic(svs__domain *) *active; /* those that steps are taken in */
    _Atomic(uint32_t) active_count;
    svs__lock lock;
    uint32_t tasks_left;
    uint32_t iterations;
    _Atomic(uint32_t) done;
    svs_report report;
    svs_graph_statistics statistics; /* what is counted under the lock, and sums of earlier runs */
    bool told;                       /* the line about a narrow run was written */
} svs__run;

struct svs_graph {
    svs_world *world;
    svs_graph_options options;
    char name[64];
    svs__tasks tasks;
    svs__tasks ordered;                      /* in a topological order */
    svs__tasks independent_a, independent_b; /* pairs that need no implicit dependency */
    bool prepared;
    _Atomic(uint32_t) running;
    svs__run run;
};

static inline svs__child *svs__child_of(const svs_task *task) {
    return &task->graph->run.children[svs__node_of(task)->position];
}
/* The next child at or behind position *at that depends on the task implicitly and was not removed,
 * or NULL; *at is behind it then. */
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
