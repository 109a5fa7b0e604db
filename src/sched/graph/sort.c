/* A topological order by explicit and dataflow edges. The tasks of a cycle of flows are sorted as
 * one, by their lead (sched.T7). */
#include "sched/graph/sort.h"

#include <stdio.h>

/* Whether the target of an edge gets its position only after the source. */
static bool is_kept_back(const svs_task *from, const svs_task *to, bool flow) {
    return !flow || from->lead != to->lead;
}

/* ---- the leads that may come next: a heap, whose top was added to the graph first ---- */

static void push(svs__tasks *ready, svs_task *lead) {
    uint32_t at = ready->count++;
    for (; at != 0 && ready->items[(at - 1) / 2]->index > lead->index; at = (at - 1) / 2)
        ready->items[at] = ready->items[(at - 1) / 2];
    ready->items[at] = lead;
}

static svs_task *pop(svs__tasks *ready) {
    svs_task *first = ready->items[0], *last = ready->items[--ready->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < ready->count; child = 2 * at + 1) {
        if (child + 1 < ready->count && ready->items[child + 1]->index < ready->items[child]->index)
            child++;
        if (last->index < ready->items[child]->index) break;
        ready->items[at] = ready->items[child];
        at = child;
    }
    ready->items[at] = last;
    return first;
}

/* ---- parents without a position ---- */

static void count_parents(const svs_task *from, const svs__tasks *to, bool flow) {
    for (uint32_t k = 0; k < to->count; k++)
        if (is_kept_back(from, to->items[k], flow))
            svs__node_of(to->items[k]->lead)->sort_parents++;
}

static void drop_parents(const svs_task *from, const svs__tasks *to, bool flow, svs__tasks *ready) {
    for (uint32_t k = 0; k < to->count; k++) {
        svs_task *lead = to->items[k]->lead;
        if (is_kept_back(from, to->items[k], flow) && --svs__node_of(lead)->sort_parents == 0)
            push(ready, lead);
    }
}

/* ---- a cycle ---- */

/* Records at the targets of `from`, a task without a position, that it keeps them back. */
static void note_parent(svs_task *from, const svs__tasks *to, bool flow) {
    for (uint32_t k = 0; k < to->count; k++) {
        svs__node *lead = svs__node_of(to->items[k]->lead);
        if (is_kept_back(from, to->items[k], flow) && !lead->kept_back_by)
            lead->kept_back_by = from;
    }
}

/* Records for each task without a position which targets it keeps back. @return the first such
 * task. */
static svs_task *note_parents(const svs_graph *graph) {
    svs_task *first = NULL;
    for (uint32_t i = graph->tasks.count; i-- > 0;) {
        svs__node_of(graph->tasks.items[i])->kept_back_by = NULL;
        if (!svs__node_of(graph->tasks.items[i])->sorted) first = graph->tasks.items[i];
    }
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs__node *node = svs__node_of(graph->tasks.items[i]);
        if (node->sorted) continue;
        note_parent(graph->tasks.items[i], &node->before, false);
        note_parent(graph->tasks.items[i], &node->sends, true);
    }
    return first;
}

/* A task that is not sorted yet and that precedes `of`, or a task of the same cycle of flows. */
static svs_task *waiting_parent(const svs_task *of) { return svs__node_of(of->lead)->kept_back_by; }

/* LCOV_EXCL_BR_START: the cycle is found, and its first task fits the text. */
/* Names a cycle in the report: walks from parent to parent among the remaining tasks, until a task
 * comes a second time. */
static void report_cycle(const svs_graph *graph, svs_report *report) {
    const svs_task *at = note_parents(graph), *first;
    size_t used;
    for (uint32_t i = 0; at && i < graph->tasks.count; i++) at = waiting_parent(at);
    first = at;
    used = (size_t)snprintf(report->text, sizeof report->text,
                            "the dependencies form a cycle (each waits for the next): %s",
                            first ? first->type->name : "?");
    do {
        at = at ? waiting_parent(at) : NULL;
        if (used < sizeof report->text)
            used += (size_t)snprintf(report->text + used, sizeof report->text - used, " <- %s",
                                     at ? at->type->name : "?");
    } while (at && at->lead != first->lead);
    report->status = SVS_E_CYCLE;
    report->task = first ? first->type->name : NULL;
}
/* LCOV_EXCL_BR_STOP */

/* ---- the order ---- */

/* Gives positions to the tasks of a lead. */
static void place(svs_graph *graph, svs_task *lead, svs__tasks *ready) {
    svs_task *one;
    for (one = lead; one; one = svs__node_of(one)->next_of_lead) {
        svs__node_of(one)->sorted = true;
        svs__node_of(one)->position = graph->ordered.count;
        graph->ordered.items[graph->ordered.count++] = one;
    }
    for (one = lead; one; one = svs__node_of(one)->next_of_lead) {
        drop_parents(one, &svs__node_of(one)->before, false, ready);
        drop_parents(one, &svs__node_of(one)->sends, true, ready);
    }
}

static void begin_sort(svs_graph *graph, svs__tasks *ready) {
    graph->ordered.count = 0;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs__node_of(graph->tasks.items[i])->sort_parents = 0;
        svs__node_of(graph->tasks.items[i])->sorted = false;
    }
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs__node *node = svs__node_of(graph->tasks.items[i]);
        count_parents(&node->task, &node->before, false);
        count_parents(&node->task, &node->sends, true);
    }
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs_task *task = graph->tasks.items[i];
        if (task->lead == task && svs__node_of(task)->sort_parents == 0) push(ready, task);
    }
}

svs_status svs__graph_sort(svs_graph *graph, svs_report *report) {
    svs_status status = SVS_OK;
    svs__tasks ready = {NULL, 0, 0};
    if (svs__tasks_reserve(graph->world, &graph->ordered, graph->tasks.count) &&
        svs__tasks_reserve(graph->world, &ready, graph->tasks.count)) {
        begin_sort(graph, &ready);
        while (ready.count != 0) place(graph, pop(&ready), &ready); /* sched.T10 */
        if (graph->ordered.count < graph->tasks.count) {
            report_cycle(graph, report);
            status = SVS_E_CYCLE;
        }
    } else {
        status = SVS_E_NO_MEMORY;
    }
    svs__tasks_clean_up(graph->world, &ready);
    return status;
}
