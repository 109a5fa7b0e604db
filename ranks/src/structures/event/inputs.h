/* The inputs of a node of a simulation, in a heap by their keys. Entries of the heap may be out of
 * date.
 *
 *     key of an input: the time of its first event, or its clock if it is empty
 *
 * If times are equal, an empty input comes first, because it holds up a step of that time. A key
 * never falls, as times rise (structures.M1, structures.E6). So an entry may keep the key that its
 * input had when it was looked at, and an arrival changes no heap. An entry is brought up to date
 * when it is the first; other inputs have no effect on what the node does next.
 *
 * A node with few inputs has no heap: all its entries are brought up to date each time, in the
 * order of inputs.
 *
 * An event that the node does not take (svs_simulation_options) is removed when its entry is
 * brought up to date, before it determines a key: it has the effect of a raised clock.
 *
 *   structures.M4  The key of an entry is at most the present key of its input, and at least the
 *                  key of its parent. So if the first entry is up to date, its input has the least
 *                  key of all. */
#ifndef SVS_STRUCTURES_EVENT_INPUTS_H
#define SVS_STRUCTURES_EVENT_INPUTS_H

#include "structures/event/event.h"
#include <svs/ranks/simulation.h>

#define SVS__EVENT_FEW 4u

typedef struct svs__event_entry {
    int64_t time;
    uint32_t input; /* position among the inputs of the node */
    /* 1: the input has an event, at `time`; 0: it is empty, and `time` is its clock */
    uint32_t full;
} svs__event_entry;

typedef struct svs__event_inputs { /* the inputs of one node */
    svs_event_graph *graph;
    const svs_simulation_options *options;
    const uint32_t *edges; /* for each input the position of its edge */
    svs__event_entry *heap;
    uint32_t count;
    uint32_t node; /* number of the node */
} svs__event_inputs;

static inline bool svs__event_is_before(const svs__event_entry *one,
                                        const svs__event_entry *other) {
    if (one->time != other->time) return one->time < other->time;
    return one->full < other->full;
}

/* @return the first event of an input, or NULL. */
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

/* Makes the up-to-date entry of an input. */
static inline svs__event_entry svs__event_look(const svs__event_inputs *me, uint32_t input) {
    if (me->options->takes != NULL) svs__event_skip(me, input);
    return svs__event_entry_of(me, input);
}

/* Restores the heap after the key of the first entry has risen. */
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

/* @return the entry of the input with the least key. For a node without inputs: one with an event
 * at time INT64_MAX. */
static inline svs__event_entry svs__event_earliest(const svs__event_inputs *me) {
    return svs__event_are_few(me) ? svs__event_least_of_few(me) : svs__event_least_of_heap(me);
}

#endif
