/* A simulation: its nodes, and the step in progress. stepper.c steps the nodes, simulation.c makes
 * the simulation and has the calls of a body. */
#ifndef SVS_STRUCTURES_EVENT_STEPPER_H
#define SVS_STRUCTURES_EVENT_STEPPER_H

#include "structures/event/inputs.h"

typedef struct svs__event_stepper { /* a node of the simulation */
    int64_t wake, last, lookahead;
    uint8_t pending; /* its last step has sent an event that has no place yet */
    uint8_t ready, promises, ended;
} svs__event_stepper;

typedef struct svs__event_ring { /* queue of nodes, each at most once */
    uint32_t *of, first, count;
} svs__event_ring;

struct svs_simulation {
    svs_event_graph *graph;
    svs_allocator allocator;
    uint32_t node_count;
    svs_simulation_options options;
    svs__event_stepper *nodes;
    unsigned char *events;     /* for each node the pending event */
    svs__event_entry *entries; /* heaps of inputs, in the order of graph->inputs */
    uint32_t inputs_most;      /* most inputs of one node */
    svs__event_inputs inputs;  /* inputs of the node that makes a step */
    /* state of the step in progress: */
    /* for each input the event of the step's time, or NULL; all NULL between steps */
    const void **seen;
    uint64_t *marks;  /* a bit for each input that has such an event */
    uint32_t *found;  /* list of these inputs, in the order of the heap */
    uint32_t *places; /* places of the heap that were looked at */
    uint32_t found_count;
    void *event; /* the event that the step has sent; in `events`, after those of all nodes */
    svs__event_ring ready, promises;
    /* number of steps of a slice; value of `steps` at which the present slice ends */
    uint64_t budget, slice_end;
    svs_counter *done;
    uint32_t left;    /* number of nodes that have not ended */
    uint32_t current; /* the node that makes a step; SVS__EVENT_NONE: none */
    int64_t now;
    uint64_t steps;
    bool started, running, sent;
};

/* The pending event of a node. For `node_count`: the event that the step in progress has sent. */
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

/* Functions of an svs__event_user, whose argument is the simulation. */
int64_t svs__event_next_sent(svs_event_graph *graph, uint32_t number, void *argument);
void svs__event_on_wake(void *argument, uint32_t local);
void svs__event_on_open(void *argument);
/* Makes all nodes ready, and starts the runner. */
svs_status svs__event_start_steps(svs_simulation *me);
/* The budget of the first slice. */
uint64_t svs__event_first_budget(uint32_t ranks);

#endif
