/* Rank 0 has the waits of all nodes, and all full edges, under a freeze in which nothing is in
 * flight, and no clock can be raised.
 *
 *     u waits for a place on u->v ---> v waits for an event on w->v ---> w waits for one on u->w
 *     ^                                                                                 |
 *     '---------------------------------------------------------------------------------'
 *
 * A node that waits for a place waits for the nodes that its full edges enter; one that waits for
 * an event, for the nodes that its empty edges leave. The smallest full edge on a cycle of waits
 * grows. To let an edge grow is right at any time, since its source only continues earlier. A
 * deadlock is reported only if it is proven: all nodes that can be reached from the cycle wait as
 * well, or have ended.
 *
 * With time and recovery there may be no such edge. Clocks are raised to the earliest time of a
 * next event of any node, say of u. As that has not helped, u has this event, and waits for a
 * place. The node that its full edge enters may wait for events on a cycle of empty edges: u -> v,
 * v <-> w. Then the full edge of u grows. */
#include "structures/event/event.h"
#include <stdlib.h>
#include <string.h>

typedef struct search {
    svs_event_graph *graph;
    const svs__event_message *of; /* the waits on edges, sorted by the node that waits */
    uint32_t count;
    /* for each node the position of its first wait in `of`; one more marks the end */
    uint32_t *first;
    /* for each node a set of bits: 1: it waits for events, 2: for places, 4: it has ended */
    uint8_t *waits;
    /* for each node the wait by which a search has reached it; SVS__EVENT_NONE: not reached */
    uint32_t *through;
    uint32_t *queue;
} search;

void svs__event_hear_wait(svs_event_graph *graph, const svs__event_message *message) {
    svs__event_analysis *all = &graph->analysis;
    if (!svs__grow(&graph->allocator, (void **)&all->of, &all->capacity, all->count + 1,
                   sizeof *all->of)) {
        svs__event_no_memory(graph);
        return;
    }
    all->of[all->count++] = *message;
}

/* ---- the graph of waits ---- */

static int by_node(const void *one, const void *other) {
    const svs__event_message *a = one, *b = other;
    bool wait_a = a->word == SVS__EVENT_WAITER, wait_b = b->word == SVS__EVENT_WAITER;
    if (wait_a != wait_b) return wait_a ? 1 : -1; /* messages about waiting nodes come last */
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return a->c < b->c ? -1 : a->c > b->c;
}

static bool is_full(const svs__event_message *wait) { return wait->word == SVS__EVENT_FULL; }

/* Whether an edge holds up the node that waits. A full edge does if its source waits for places. */
static bool holds_up(const search *me, const svs__event_message *wait) {
    return !is_full(wait) || (me->waits[wait->a] & (1u << SVS__EVENT_WAITS_FOR_PLACES)) != 0;
}

static bool make(search *me) {
    svs__event_analysis *all = &me->graph->analysis;
    size_t nodes = me->graph->options.nodes;
    const svs_allocator *allocator = &me->graph->allocator;
    me->first = svs__allocate_zeroed(allocator, (nodes + 1) * 4, 4);
    me->waits = svs__allocate_zeroed(allocator, nodes, 1);
    me->through = svs__allocate(allocator, nodes * 4, 4);
    me->queue = svs__allocate(allocator, nodes * 4, 4);
    if (me->first == NULL || me->waits == NULL || me->through == NULL || me->queue == NULL)
        return false;
    if (all->count != 0) qsort(all->of, all->count, sizeof *all->of, by_node);
    me->of = all->of;
    while (me->count < all->count && all->of[me->count].word != SVS__EVENT_WAITER)
        me->first[all->of[me->count++].a + 1]++;
    for (size_t i = 0; i < nodes; i++) me->first[i + 1] += me->first[i];
    for (uint32_t i = me->count; i < all->count; i++)
        me->waits[all->of[i].a] |= (uint8_t)(1u << all->of[i].b);
    return true;
}

static void clean_up(search *me) {
    size_t nodes = me->graph->options.nodes;
    const svs_allocator *allocator = &me->graph->allocator;
    svs__release(allocator, me->first, (nodes + 1) * 4, 4);
    svs__release(allocator, me->waits, nodes, 1);
    svs__release(allocator, me->through, nodes * 4, 4);
    svs__release(allocator, me->queue, nodes * 4, 4);
}

/* Searches the waits breadth first, from a node. @return whether `to` was reached; if `to` is
 * SVS__EVENT_NONE: whether all nodes that were reached wait or have ended. */
static bool reach(search *me, uint32_t from, uint32_t to) {
    uint32_t head = 0, tail = 0;
    memset(me->through, 0xff, me->graph->options.nodes * sizeof(uint32_t));
    me->queue[tail++] = from;
    while (head != tail) {
        uint32_t node = me->queue[head++];
        if (me->waits[node] == 0 && to == SVS__EVENT_NONE) return false;
        for (uint32_t i = me->first[node]; i < me->first[node + 1]; i++) {
            uint32_t next = (uint32_t)me->of[i].b;
            if (!holds_up(me, &me->of[i]) || me->through[next] != SVS__EVENT_NONE) continue;
            me->through[next] = i;
            if (next == to) return true;
            if (next != from) me->queue[tail++] = next;
        }
    }
    return to == SVS__EVENT_NONE;
}

/* Looks for the smallest full edge that is on a cycle. @return its position; SVS__EVENT_NONE: there
 * is none.
 * */
static uint32_t find_full(search *me) {
    uint32_t found = SVS__EVENT_NONE;
    for (uint32_t i = 0; i < me->count; i++) {
        const svs__event_message *one = &me->of[i];
        if (!is_full(one) || !holds_up(me, one)) continue;
        if (found != SVS__EVENT_NONE && one->d >= me->of[found].d) continue;
        if (one->a == one->b || reach(me, (uint32_t)one->b, (uint32_t)one->a)) found = i;
    }
    return found;
}

/* Looks for the node that waits for places with the earliest next event. @return the position of
 * its smallest full edge; SVS__EVENT_NONE: there is none. */
static uint32_t find_earliest(const search *me) {
    const svs__event_analysis *all = &me->graph->analysis;
    const svs__event_message *node = NULL;
    uint32_t found = SVS__EVENT_NONE;
    for (uint32_t i = me->count; i < all->count; i++)
        if (all->of[i].b == SVS__EVENT_WAITS_FOR_PLACES && (node == NULL || all->of[i].c < node->c))
            node = &all->of[i];
    if (node == NULL) return SVS__EVENT_NONE;
    for (uint32_t i = me->first[node->a]; i < me->first[node->a + 1]; i++)
        if (is_full(&me->of[i]) && (found == SVS__EVENT_NONE || me->of[i].d < me->of[found].d))
            found = i;
    return found;
}

/* @return the position of a wait that is on a cycle; SVS__EVENT_NONE: there is no cycle. */
static uint32_t find_any(search *me) {
    for (uint32_t i = 0; i < me->count; i++) {
        const svs__event_message *one = &me->of[i];
        if (holds_up(me, one) && me->waits[one->b] != 0 &&
            (one->a == one->b || reach(me, (uint32_t)one->b, (uint32_t)one->a)))
            return i;
    }
    return SVS__EVENT_NONE;
}

/* ---- the report ---- */

#define SHOWN_MAX 1000u

static void name_node(const svs_event_graph *graph, uint32_t node, char *to, size_t bytes) {
    if (graph->options.describe != NULL)
        graph->options.describe(node, to, bytes, graph->options.argument);
    else (void)snprintf(to, bytes, "node %u", node);
}

static void describe(const search *me, const svs__event_message *wait, char *to, size_t bytes) {
    char from[48], other[48];
    name_node(me->graph, (uint32_t)wait->a, from, sizeof from);
    name_node(me->graph, (uint32_t)wait->b, other, sizeof other);
    if (is_full(wait))
        (void)snprintf(to, bytes, "%s waits for a place on edge %d (%s -> %s, capacity %d)", from,
                       (int)wait->c, from, other, (int)wait->d);
    else
        (void)snprintf(to, bytes, "%s waits for an event on edge %d (%s -> %s)", from, (int)wait->c,
                       other, from);
}

/* Lists the waits of the cycle that begins with wait `first` in `queue`, in order. @return how
 * many.
 * */
static uint32_t list_cycle(search *me, uint32_t first) {
    uint32_t from = (uint32_t)me->of[first].b, at = (uint32_t)me->of[first].a, count = 0;
    uint32_t half;
    if (from != at && !reach(me, from, at)) return 0;
    for (; at != from; at = (uint32_t)me->of[me->through[at]].a)
        me->queue[count++] = me->through[at];
    me->queue[count++] = first;
    half = count / 2;
    for (uint32_t i = 0; i < half; i++) {
        uint32_t one = me->queue[i];
        me->queue[i] = me->queue[count - 1 - i];
        me->queue[count - 1 - i] = one;
    }
    return count;
}

static void draw_wait(const search *me, FILE *dot, uint32_t which, bool on_cycle) {
    const svs__event_message *wait = &me->of[which];
    uint32_t from = (uint32_t)(is_full(wait) ? wait->a : wait->b);
    uint32_t to = (uint32_t)(is_full(wait) ? wait->b : wait->a);
    char one[48], other[48];
    name_node(me->graph, from, one, sizeof one);
    name_node(me->graph, to, other, sizeof other);
    fprintf(dot, "  n%u [label=\"%s\"];\n  n%u [label=\"%s\"];\n", from, one, to, other);
    if (is_full(wait))
        fprintf(dot, "  n%u -> n%u [label=\"edge %d, full: %d\"%s];\n", from, to, (int)wait->c,
                (int)wait->d, on_cycle ? ", color=red" : "");
    else
        fprintf(dot, "  n%u -> n%u [label=\"edge %d, %s\", style=dashed%s];\n", from, to,
                (int)wait->c, wait->d == 0 ? "empty" : "nothing new",
                on_cycle ? ", color=red" : "");
}

static void draw(const search *me, uint32_t cycle) {
    const char *name = me->graph->options.deadlock_file;
    FILE *dot = name == NULL ? NULL : fopen(name, "w");
    if (dot == NULL) return;
    fprintf(dot, "digraph deadlock {\n");
    for (uint32_t i = 0; i < cycle && i < SHOWN_MAX; i++) draw_wait(me, dot, me->queue[i], true);
    for (uint32_t i = 0, shown = cycle; i < me->count && shown < SHOWN_MAX; i++) {
        bool on_cycle = !holds_up(me, &me->of[i]);
        for (uint32_t k = 0; k < cycle && !on_cycle; k++) on_cycle = me->queue[k] == i;
        if (on_cycle) continue;
        draw_wait(me, dot, i, false);
        shown++;
    }
    fprintf(dot, "}\n");
    (void)fclose(dot);
}

static void report(search *me, uint32_t first) {
    char text[420] = "a cycle of waits: ";
    uint32_t count = list_cycle(me, first);
    size_t length = strlen(text);
    for (uint32_t i = 0; i < count; i++) {
        char one[240];
        describe(me, &me->of[me->queue[i]], one, sizeof one);
        if (length + strlen(one) + 32 > sizeof text) {
            (void)snprintf(text + length, sizeof text - length, "; and %u more", count - i);
            break;
        }
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s", i == 0 ? "" : "; ", one);
    }
    draw(me, count);
    (void)svs_structure_fail(me->graph->structure, SVS_E_DEADLOCK, text);
}

uint32_t svs__event_judge_waits(svs_event_graph *graph, uint32_t *enters) {
    search me = {.graph = graph};
    uint32_t grows = SVS__EVENT_NONE, wait;
    bool growth = (graph->options.cures & SVS_EVENT_GROWTH) != 0;
    if (make(&me)) {
        wait = find_full(&me);
        if (wait == SVS__EVENT_NONE && growth && svs__event_recovers(graph))
            wait = find_earliest(&me);
        if (wait != SVS__EVENT_NONE && growth && me.of[wait].d <= SVS_EVENT_CAPACITY_MAX / 2) {
            grows = (uint32_t)me.of[wait].c;
            *enters = (uint32_t)me.of[wait].b;
        } else {
            if (wait == SVS__EVENT_NONE) wait = find_any(&me);
            if (wait != SVS__EVENT_NONE && reach(&me, (uint32_t)me.of[wait].a, SVS__EVENT_NONE))
                report(&me, wait);
        }
    } else svs__event_no_memory(graph);
    clean_up(&me);
    graph->analysis.count = graph->analysis.lists = 0;
    return grows;
}

/* ---- waits of this rank, when another one has died ---- */

#define NAMED_MAX 2u

/* Finds an empty input of a node, from another rank if possible. @return SVS__EVENT_NONE: there is
 * none. */
static uint32_t find_empty(const svs_event_graph *graph, const svs__event_node *node) {
    uint32_t found = SVS__EVENT_NONE;
    for (uint32_t i = node->first_input; i < node[1].first_input; i++) {
        uint32_t slot = graph->inputs[i];
        const svs__event_edge *edge = &graph->edges[slot];
        if (svs__event_held(graph, edge) != 0) continue;
        found = slot;
        if (graph->ins[edge->stream].rank != graph->index) break;
    }
    return found;
}

static const svs__event_out *find_full_out(const svs_event_graph *graph,
                                           const svs__event_node *node) {
    for (uint32_t i = node->first_out; i < node[1].first_out; i++)
        if (graph->outs[i].sent == graph->outs[i].limit) return &graph->outs[i];
    return NULL;
}

static void describe_wait(const svs_event_graph *graph, const svs__event_node *node, char *to,
                          size_t bytes) {
    bool space = node->writer != NULL || node->hooked_space;
    const svs__event_out *out = space ? find_full_out(graph, node) : NULL;
    uint32_t slot = space ? SVS__EVENT_NONE : find_empty(graph, node);
    char one[48], other[48];
    name_node(graph, node->number, one, sizeof one);
    if (out != NULL) {
        (void)snprintf(to, bytes, "%s for a place on an edge to rank %u", one, out->rank);
    } else if (slot != SVS__EVENT_NONE) {
        const svs__event_in *in = &graph->ins[graph->edges[slot].stream];
        name_node(graph, in->source, other, sizeof other);
        (void)snprintf(to, bytes, "%s for an event on edge %u (from %s, rank %u)", one,
                       svs__event_index_number(&graph->edge_index, slot), other, in->rank);
    } else {
        (void)snprintf(to, bytes, "%s for the end of a freeze, or for news", one);
    }
}

void svs__event_describe_waits(const void *part, char *text, size_t bytes) {
    const svs_event_graph *graph = part;
    uint32_t named = 0;
    size_t length = 0;
    for (uint32_t i = 0; i < graph->node_count && named < NAMED_MAX; i++) {
        char one[200];
        if (!svs__event_is_waiting(&graph->nodes[i])) continue;
        describe_wait(graph, &graph->nodes[i], one, sizeof one);
        length = strlen(text);
        (void)snprintf(text + length, bytes - length, "%s%s", named++ == 0 ? "" : ", ", one);
    }
    length = strlen(text);
    if (graph->idle.waiting > named)
        (void)snprintf(text + length, bytes - length, ", and %u others",
                       graph->idle.waiting - named);
    if (!svs__event_is_open(graph)) {
        length = strlen(text);
        (void)snprintf(text + length, bytes - length, "%s",
                       graph->freezer.own ? "; in a recovery" : "; in a freeze");
    }
}
