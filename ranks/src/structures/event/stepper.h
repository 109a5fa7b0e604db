/* A simulation: its nodes, and the step in progress. stepper.c steps the nodes, simulation.c makes
 * the simulation and has the calls of a body. */
#ifndef SVS_STRUCTURES_EVENT_STEPPER_H
#define SVS_STRUCTURES_EVENT_STEPPER_H

#include "structures/event/inputs.h"

typedef struct svs__event_stepper { /* a node */
    int64_t wake, last, lookahead;
    uint8_t pending; /* an event that has no place yet */
    uint8_t ready, promises, ended;
} svs__event_stepper;

typedef struct svs__event_ring { /* each node at most once */
    uint32_t *of, first, count;
} svs__event_ring;

struct svs_simulation {
    svs_event_graph *graph;
    svs_allocator allocator;
    uint32_t node_count;
    svs_simulation_options options;
    svs__event_stepper *nodes;
    unsigned char *events;     /* pending, of each node */
    svs__event_entry *entries; /* heaps of inputs, in the order of graph->inputs */
    uint32_t inputs_most;      /* of a node */
    svs__event_inputs inputs;  /* of the node that steps */
    /* of the step in progress */
    const void **seen; /* by inputs: the event of its time, or NULL; all NULL between steps */
    uint64_t *marks;   /* a bit for each input that has one */
    uint32_t *found;   /* these inputs, in the order of the heap */
    uint32_t *places;  /* of the heap, that were looked at */
    uint32_t found_count;
    void *event; /* what it has sent; in `events`, after those of all nodes */
    svs__event_ring ready, promises;
    uint64_t budget, slice_end; /* steps of a slice; `steps` at the end of the present one */
    svs_counter *done;
    uint32_t left;    /* nodes that have not ended */
    uint32_t current; /* in a step; SVS__EVENT_NONE */
    int64_t now;
    uint64_t steps;
    bool started, running, sent;
};

/* The pending event of a node; of `node_count`: what the step in progress has sent. */
static inline void *svs__event_pending(const svs_simulation *me, uint32_t local) {
    return me->events + (size_t)local * me->graph->kept_bytes;
}

static inline svs__event_inputs svs__event_inputs_of(const svs_simulation *me, uint32_t local) {
    svs_event_graph *graph = me->graph;
    const svs__event_node *node = &graph->nodes[local];
    return (svs__event_inputs){.graph = graph,
                               .options = &me->options,
                               .edges = graph->inputs + node->first_input,
                               .heap = me->entries + node->first_input,
                               .count = node[1].first_input - node->first_input,
                               .node = node->number};
}

/* Of an svs__event_user, whose argument is the simulation. */
int64_t svs__event_next_sent(svs_event_graph *graph, uint32_t number, void *argument);
void svs__event_on_wake(void *argument, uint32_t local);
void svs__event_on_open(void *argument);
/* All nodes are ready. */
svs_status svs__event_start_steps(svs_simulation *me);
/* The budget of the first slice. */
uint64_t svs__event_first_budget(uint32_t ranks);

#endif
