/* A topological order of explicit and dataflow edges. The tasks of a cycle of flows take one place
 * (sched.T7). */
#include "sched/graph/sort.h"

#include <stdio.h>

/* Whether an edge keeps its target back until its source has a position. */
static bool is_kept_back(const svs_task *from, const svs_task *to, bool flow) {
    return !flow || from->lead != to->lead;
}

/* Adds `by` to the parents of the targets of a list of edges. */
static void count_edges(const svs_task *from, const svs__tasks *to, bool flow, uint32_t by) {
    for (uint32_t k = 0; k < to->count; k++)
        if (is_kept_back(from, to->items[k], flow))
            svs__node_of(to->items[k]->lead)->sort_parents += by;
}

static void count_parents(const svs_task *task, uint32_t by) {
    count_edges(task, &svs__node_of(task)->before, false, by);
    count_edges(task, &svs__node_of(task)->sends, true, by);
}

/* The lead of the first task, in the order of addition, that has no parent and is not sorted yet,
 * or NULL. */
static svs_task *next_ready(const svs_graph *graph) {
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs_task *task = graph->tasks.items[i];
        if (!svs__node_of(task)->sorted && svs__node_of(task->lead)->sort_parents == 0)
            return task->lead;
    }
    return NULL;
}

/* LCOV_EXCL_BR_START: a task of a cycle has a parent in it. */
static bool keeps_back(const svs_task *parent, const svs__tasks *to, bool flow,
                       const svs_task *lead) {
    for (uint32_t k = 0; k < to->count; k++)
        if (to->items[k]->lead == lead && is_kept_back(parent, to->items[k], flow)) return true;
    return false;
}

/* A task that is not sorted, and that keeps `of`, or a task of the same cycle of flows, back. */
static svs_task *waiting_parent(const svs_graph *graph, const svs_task *of) {
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs_task *task = graph->tasks.items[i];
        const svs__node *node = svs__node_of(task);
        if (!node->sorted && (keeps_back(task, &node->before, false, of->lead) ||
                              keeps_back(task, &node->sends, true, of->lead)))
            return task;
    }
    return NULL;
}
/* LCOV_EXCL_BR_STOP */

/* LCOV_EXCL_BR_START: the cycle is found, and its first task fits the text. */
/* Names a cycle: walks from parent to parent among the tasks that are left until one comes again.
 */
static void report_cycle(const svs_graph *graph, svs_report *report) {
    const svs_task *at = NULL, *first;
    size_t used;
    for (uint32_t i = 0; i < graph->tasks.count && !at; i++)
        if (!svs__node_of(graph->tasks.items[i])->sorted) at = graph->tasks.items[i];
    for (uint32_t i = 0; at && i < graph->tasks.count; i++) at = waiting_parent(graph, at);
    first = at;
    used = (size_t)snprintf(report->text, sizeof report->text,
                            "the dependencies form a cycle (each waits for the next): %s",
                            first ? first->type->name : "?");
    do {
        at = at ? waiting_parent(graph, at) : NULL;
        if (used < sizeof report->text)
            used += (size_t)snprintf(report->text + used, sizeof report->text - used, " <- %s",
                                     at ? at->type->name : "?");
    } while (at && at->lead != first->lead);
    report->status = SVS_E_CYCLE;
    report->task = first ? first->type->name : NULL;
}
/* LCOV_EXCL_BR_STOP */

/* Gives positions to the tasks of a lead. */
static svs_status place(svs_graph *graph, svs_task *lead) {
    svs_task *one;
    for (one = lead; one; one = svs__node_of(one)->next_of_lead) {
        svs__node_of(one)->sorted = true;
        svs__node_of(one)->position = graph->ordered.count;
        if (!svs__tasks_add(graph->world, &graph->ordered, one)) return SVS_E_NO_MEMORY;
    }
    for (one = lead; one; one = svs__node_of(one)->next_of_lead) count_parents(one, UINT32_MAX);
    return SVS_OK;
}

svs_status svs__graph_sort(svs_graph *graph, svs_report *report) {
    svs_status status = SVS_OK;
    graph->ordered.count = 0;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs__node_of(graph->tasks.items[i])->sort_parents = 0;
        svs__node_of(graph->tasks.items[i])->sorted = false;
    }
    for (uint32_t i = 0; i < graph->tasks.count; i++) count_parents(graph->tasks.items[i], 1);
    while (!status && graph->ordered.count < graph->tasks.count) {
        svs_task *lead = next_ready(graph);
        if (lead) {
            status = place(graph, lead);
        } else {
            report_cycle(graph, report);
            status = SVS_E_CYCLE;
        }
    }
    return status;
}
