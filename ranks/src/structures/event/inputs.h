/* The inputs of a node of a simulation, by their keys: a heap whose entries may be old.
 *
 *     key of an input: the time of its first event, or its clock if it is empty
 *
 * Of equal times the empty input is the first: it holds up a step of that time. A key never falls,
 * as times rise (structures.M1, structures.E6). So an entry may keep the key that its input had
 * when it was looked at, and an arrival changes no heap. An entry is looked at again when it is the
 * first: an input that is not has no effect on what the node does next.
 *
 * A node with few inputs has no heap: all of its entries are made anew, in the order of inputs.
 *
 * An event that the node does not take (svs_simulation_options) is removed when its input is looked
 * at, and before it has a key: it is as a clock that was raised.
 *
 *   structures.M4  The key of an entry is at most that of its input, and at least that of its
 *                  parent. So the first entry, when it is that of its input, is the least of all
 *                  inputs. */
#ifndef SVS_STRUCTURES_EVENT_INPUTS_H
#define SVS_STRUCTURES_EVENT_INPUTS_H

#include "structures/event/event.h"
#include <svs/ranks/simulation.h>

#define SVS__EVENT_FEW 4u

typedef struct svs__event_entry {
    int64_t time;
    uint32_t input; /* position among the inputs of the node */
    uint32_t full;  /* 1: it has an event; 0: it is empty, and the time is its clock */
} svs__event_entry;

typedef struct svs__event_inputs { /* of one node */
    svs_event_graph *graph;
    const svs_simulation_options *options;
    const uint32_t *edges; /* by inputs */
    svs__event_entry *heap;
    uint32_t count;
    uint32_t node; /* its number */
} svs__event_inputs;

static inline bool svs__event_is_before(const svs__event_entry *one,
                                        const svs__event_entry *other) {
    if (one->time != other->time) return one->time < other->time;
    return one->full < other->full;
}

/* The first event of an input, or NULL. */
static inline const void *svs__event_first(const svs__event_inputs *me, uint32_t input) {
    const svs__event_edge *edge = &me->graph->edges[me->edges[input]];
    const svs__event_in *in = &me->graph->ins[edge->stream];
    return edge->removed == in->received ? NULL : svs__event_queue_at(me->graph, in, edge->removed);
}

/* Removes the first events of an input that the node does not take (stepper.c). */
void svs__event_skip(const svs__event_inputs *me, uint32_t input);

static inline svs__event_entry svs__event_entry_of(const svs__event_inputs *me, uint32_t input) {
    const svs__event_edge *edge = &me->graph->edges[me->edges[input]];
    const svs__event_in *in = &me->graph->ins[edge->stream];
    uint32_t full = edge->removed != in->received;
    return (svs__event_entry){svs__event_edge_clock(me->graph, edge), input, full};
}

/* What the entry of an input should be. */
static inline svs__event_entry svs__event_look(const svs__event_inputs *me, uint32_t input) {
    if (me->options->takes != NULL) svs__event_skip(me, input);
    return svs__event_entry_of(me, input);
}

/* The first entry has a later key: others may rise above it. */
static inline void svs__event_sink(const svs__event_inputs *me) {
    svs__event_entry one = me->heap[0];
    uint32_t at = 0, child;
    while ((child = 2 * at + 1) < me->count) {
        if (child + 1 < me->count && svs__event_is_before(&me->heap[child + 1], &me->heap[child]))
            child++;
        if (!svs__event_is_before(&me->heap[child], &one)) break;
        me->heap[at] = me->heap[child];
        at = child;
    }
    me->heap[at] = one;
}

static inline bool svs__event_are_few(const svs__event_inputs *me) {
    return me->count <= SVS__EVENT_FEW;
}

static inline svs__event_entry svs__event_least_of_few(const svs__event_inputs *me) {
    svs__event_entry least = {INT64_MAX, SVS__EVENT_NONE, 1};
    for (uint32_t i = 0; i < me->count; i++) {
        me->heap[i] = svs__event_look(me, i);
        if (svs__event_is_before(&me->heap[i], &least)) least = me->heap[i];
    }
    return least;
}

static inline svs__event_entry svs__event_least_of_heap(const svs__event_inputs *me) {
    for (;;) {
        svs__event_entry now = svs__event_look(me, me->heap[0].input);
        SVS__ASSERT(!svs__event_is_before(&now, &me->heap[0])); /* structures.M4 */
        if (!svs__event_is_before(&me->heap[0], &now)) return now;
        me->heap[0] = now;
        svs__event_sink(me);
    }
}

/* The entry of the input with the least key. A node without inputs has a full one at the end of
 * time. */
static inline svs__event_entry svs__event_earliest(const svs__event_inputs *me) {
    return svs__event_are_few(me) ? svs__event_least_of_few(me) : svs__event_least_of_heap(me);
}

#endif
