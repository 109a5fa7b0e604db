/* Waits of nodes (structures.E7): one for inputs and one for space at a time. Arrivals, promises,
 * returned places and the end of a freeze end them. */
#include "structures/event/event.h"

bool svs__event_is_waiting(const svs__event_node *node) {
    return node->reader != NULL || node->writer != NULL || node->hooked || node->hooked_space;
}

static void add_wait(svs_event_graph *graph) {
    graph->idle.waiting++;
    svs__event_stir(graph);
}

/* Forgets the news of a node: an event ends one wait, and no later one. */
static void forget_all_news(svs_event_graph *graph, const svs__event_node *node) {
    for (uint32_t i = node->first_input; i < node[1].first_input && node->fresh != 0; i++)
        svs__event_forget_news(graph, &graph->edges[graph->inputs[i]], true);
}

static void finish(svs_event_graph *graph, svs__event_node *node, svs_counter **wait) {
    svs_counter *counter = *wait;
    SVS__ASSERT(svs__event_is_open(graph) && counter != NULL); /* structures.E7 */
    *wait = NULL;
    graph->idle.waiting--;
    if (wait == &node->reader) forget_all_news(graph, node);
    svs_counter_add(graph->ranks, counter, 1);
}

static void unhook(svs_event_graph *graph, uint8_t *hooked, uint32_t local) {
    *hooked = 0;
    graph->idle.waiting--;
    graph->user.wake(graph->user.argument, local);
}

/* ---- news ---- */

static void set_news(svs_event_graph *graph, svs__event_edge *edge, bool was_empty) {
    svs__event_node *node = &graph->nodes[edge->node];
    node->fresh += !edge->fresh;
    edge->fresh = 1;
    if (!was_empty) return;
    node->filled += !edge->filled;
    edge->filled = 1;
}

void svs__event_forget_news(svs_event_graph *graph, svs__event_edge *edge, bool all) {
    svs__event_node *node = &graph->nodes[edge->node];
    node->filled -= edge->filled;
    edge->filled = 0;
    if (!all) return;
    node->fresh -= edge->fresh;
    edge->fresh = 0;
}

static bool is_satisfied(const svs_event_graph *graph, const svs__event_node *node,
                         svs_event_awaited what) {
    switch (what) {
    case SVS_EVENT_EMPTY_EDGE: return node->filled != 0;
    case SVS_EVENT_ANY_EDGE: return node->fresh != 0;
    case SVS_EVENT_SPACE: return svs__event_has_space(graph, node);
    default: return true;
    }
}

void svs__event_wake_reader(svs_event_graph *graph, svs__event_edge *edge, bool was_empty) {
    svs__event_node *node = &graph->nodes[edge->node];
    if (node->hooked) {
        if (!was_empty) return;
        if (svs__event_is_open(graph)) unhook(graph, &node->hooked, edge->node);
        else node->due = 1;
        return;
    }
    set_news(graph, edge, was_empty);
    if (node->reader == NULL || !is_satisfied(graph, node, node->awaited)) return;
    if (svs__event_is_open(graph)) finish(graph, node, &node->reader);
    else node->due = 1;
}

void svs__event_wake_writer(svs_event_graph *graph, uint32_t local) {
    svs__event_node *node = &graph->nodes[local];
    if (!svs__event_is_open(graph) || !svs__event_has_space(graph, node)) return;
    if (node->writer != NULL) finish(graph, node, &node->writer);
    else unhook(graph, &node->hooked_space, local);
}

void svs__event_tell_all(svs_event_graph *graph) {
    for (uint32_t i = 0; i < graph->node_count; i++) {
        svs__event_node *node = &graph->nodes[i];
        bool due = node->due || node->awaited == SVS_EVENT_OPEN;
        node->due = 0;
        if (due && node->reader != NULL) finish(graph, node, &node->reader);
        if (due && node->hooked) unhook(graph, &node->hooked, i);
        svs__event_tell_writer(graph, i);
    }
}

void svs__event_hook(svs_event_graph *graph, uint32_t local, bool space) {
    svs__event_node *node = &graph->nodes[local];
    if (space) node->hooked_space = 1;
    else node->hooked = 1;
    graph->counts.waits_space += space;
    graph->counts.waits_data += !space;
    add_wait(graph);
}

/* ---- the public wait, after its arguments were checked ---- */

static void count_wait(svs_event_graph *graph, svs_event_awaited what) {
    if (!svs__event_is_open(graph)) graph->counts.waits_frozen++;
    else if (what == SVS_EVENT_SPACE) graph->counts.waits_space++;
    else graph->counts.waits_data++;
}

svs_status svs__event_wait(svs_event_graph *graph, svs__event_node *node, svs_event_awaited what,
                           svs_counter *done) {
    bool satisfied = is_satisfied(graph, node, what);
    if (satisfied && svs__event_is_open(graph)) {
        if (what != SVS_EVENT_SPACE) forget_all_news(graph, node);
        svs_counter_add(graph->ranks, done, 1);
        return SVS_OK;
    }
    count_wait(graph, what);
    if (what == SVS_EVENT_SPACE) {
        node->writer = done;
    } else {
        node->reader = done;
        node->awaited = (uint8_t)what;
        node->due = satisfied;
    }
    add_wait(graph);
    return SVS_WAIT;
}

void svs__event_withdraw(svs_event_graph *graph, svs__event_node *node, const svs_counter *done) {
    svs_counter **wait = node->reader == done ? &node->reader : &node->writer;
    if (*wait != done) return;
    *wait = NULL;
    graph->idle.waiting--;
}
