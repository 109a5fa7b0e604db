/* Applies what `svs scan` has found about the task types of a graph (svs__task_facts), when the
 * graph is prepared. */
#ifndef SVS_SCHED_GRAPH_FACTS_H
#define SVS_SCHED_GRAPH_FACTS_H

#include "sched/graph/graph.h"

/* A matrix of bits: a row for each task, and in it a bit for each task, both by position. */
typedef struct svs__rows {
    uint64_t *bits;
    size_t row; /* words */
} svs__rows;

static inline uint64_t *svs__row_of(const svs__rows *rows, uint32_t position) {
    return rows->bits + rows->row * position;
}

/* Computes for each task the tasks that open after its end: the targets of its explicit
 * dependencies, and the tasks that open after the ends of these. A consumer ends after its
 * producers, so the tasks that open after the end of a consumer count as well. Rows and bits are by
 * `index`. */
void svs__facts_after(const svs_graph *graph, uint64_t *after, uint32_t row);

/* Sets the bits of the pairs of independent tasks. @return false: no memory. */
bool svs__facts_add_independent(const svs_graph *graph, const svs__rows *rows);

/* Compares what touch functions read with the order of the graph (sched.T8). `unordered` has the
 * pairs that may be open at once although no refinement has removed a dependency. The dependencies
 * that refinement must keep are recorded as `kept` of the parents' implicit dependencies.
 * @return SVS_OK, SVS_E_INVALID (the report names both tasks), SVS_E_NO_MEMORY. */
svs_status svs__facts_check(svs_graph *graph, const svs__rows *unordered, svs_report *report);

#endif
