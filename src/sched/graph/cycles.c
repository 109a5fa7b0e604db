/* Tasks that send to each other in a cycle: the strongly connected components of the dataflow
 * edges, by Tarjan's algorithm. */
#include "sched/graph/cycles.h"

#include "base/check.h"

typedef struct search {
    svs_task *stack; /* tasks whose component is not complete, linked by `below` */
    uint32_t found;  /* number of tasks found so far */
} search;

/* Sets the lead of a task, and whether other tasks share it. The lock is that under which senders
 * read both. */
static void set_lead(svs_task *task, svs_task *lead, bool shares) {
    svs__lock_acquire(&task->inbox.lock);
    task->lead = lead;
    task->shares_lead = shares;
    svs__lock_release(&task->inbox.lock);
}

/* Makes one component of the tasks on the stack from the top down to `last`. Its lead is the one
 * among them that was added to the graph first. */
static void complete(search *s, svs_task *last) {
    svs_task *lead = last, *rest = NULL, *one, *below;
    bool shares;
    for (one = s->stack; one != last; one = svs__node_of(one)->below) {
        SVS__ASSERT(one != NULL); /* `last` is on the stack */
        if (one->index < lead->index) lead = one;
    }
    shares = s->stack != last;
    one = s->stack;
    s->stack = svs__node_of(last)->below;
    for (; one != s->stack; one = below) {
        below = svs__node_of(one)->below;
        svs__node_of(one)->stacked = false;
        set_lead(one, lead, shares);
        if (one == lead) continue;
        svs__node_of(one)->next_of_lead = rest;
        rest = one;
    }
    svs__node_of(lead)->next_of_lead = rest;
}

static svs_task *enter(search *s, svs_task *task, svs_task *from) {
    svs__node *node = svs__node_of(task);
    node->found = node->lowest = ++s->found;
    node->below = s->stack;
    node->stacked = true;
    node->from = from;
    node->looked_at = 0;
    s->stack = task;
    return task;
}

static void lower(svs__node *node, uint32_t least) {
    if (least < node->lowest) node->lowest = least;
}

/* Visits one more consumer of the task, or leaves the task. @return the task with which the search
 * continues. */
static svs_task *step_search(search *s, svs_task *task) {
    svs__node *node = svs__node_of(task);
    if (node->looked_at < node->sends.count) {
        svs__node *next = svs__node_of(node->sends.items[node->looked_at++]);
        if (!next->found) return enter(s, &next->task, task);
        if (next->stacked) lower(node, next->found);
        return task;
    }
    if (node->lowest == node->found) complete(s, task);
    if (node->from != NULL) lower(svs__node_of(node->from), node->lowest);
    return node->from;
}

/* Searches from a task. It is a loop and not a recursion, because a chain of itemizers may be as
 * long as the graph, and the caller's stack may be short. */
static void visit(search *s, svs_task *task) {
    for (svs_task *at = enter(s, task, NULL); at != NULL;) at = step_search(s, at);
}

/* The number of references of a task at the start of an iteration: one because it is closed, and
 * one for each producer outside of its cycle (sched.T2). */
static uint32_t references_of(const svs_task *task) {
    const svs__tasks *producers = &svs__node_of(task)->producers;
    uint32_t count = 1;
    for (uint32_t i = 0; i < producers->count; i++)
        count += producers->items[i]->lead != task->lead;
    return count;
}

void svs__cycles_find(svs_graph *graph) {
    search s = {NULL, 0};
    for (uint32_t i = 0; i < graph->tasks.count; i++)
        svs__node_of(graph->tasks.items[i])->found = 0;
    for (uint32_t i = 0; i < graph->tasks.count; i++)
        if (!svs__node_of(graph->tasks.items[i])->found) visit(&s, graph->tasks.items[i]);
    for (uint32_t i = 0; i < graph->tasks.count; i++)
        svs__node_of(graph->tasks.items[i])->references = references_of(graph->tasks.items[i]);
}
