/* Random programs for event graphs: a graph with cycles, and for each node a list of sends and
 * reads. The lists are drawn by running them once, one action after the other: so with enough
 * places they come to an end, and what each node has computed then is known. */
#ifndef SVS_TESTS_RANKS_EVENT_PLAN_H
#define SVS_TESTS_RANKS_EVENT_PLAN_H

#include "base/random.h"
#include <string.h>
#include <svs/ranks/event_graph.h>

enum { PLAN_NODES = 7, PLAN_EDGES = 14, PLAN_ACTIONS = 48, PLAN_SEND = 255 };

typedef struct plan_node {
    uint8_t action[4 * PLAN_ACTIONS]; /* PLAN_SEND, or an edge that is read */
    uint32_t actions, reads, sends;
    uint64_t result;
} plan_node;

typedef struct plan {
    uint32_t nodes, edges;
    svs_event_edge edge[PLAN_EDGES];
    plan_node node[PLAN_NODES];
} plan;

static inline uint64_t plan_mix(uint64_t one, uint64_t other) {
    uint64_t mixed = (one ^ other) * 0x9e3779b97f4a7c15u + 1;
    return mixed ^ mixed >> 31;
}

/* The events that are on an edge while the lists are drawn. */
typedef struct plan_queue {
    uint64_t of[4 * PLAN_ACTIONS];
    uint32_t first, last;
} plan_queue;

static inline void plan_do(plan *made, plan_queue *queues, uint32_t node, uint8_t action) {
    plan_node *one = &made->node[node];
    one->action[one->actions++] = action;
    if (action != PLAN_SEND) {
        plan_queue *queue = &queues[action];
        one->reads++;
        one->result = plan_mix(one->result, queue->of[queue->first++]);
        return;
    }
    one->sends++;
    for (uint32_t i = 0; i < made->edges; i++)
        if (made->edge[i].from == node) queues[i].of[queues[i].last++] = one->result;
    one->result = plan_mix(one->result, 17);
}

/* @param capacity_max of an edge. */
static inline void plan_draw(plan *made, uint64_t seed, uint32_t capacity_max) {
    static const plan empty;
    plan_queue queues[PLAN_EDGES] = {{{0}, 0, 0}};
    svs__random random;
    *made = empty;
    svs__random_seed(&random, seed);
    made->nodes = 2 + svs__random_below(&random, PLAN_NODES - 1);
    made->edges = 1 + svs__random_below(&random, PLAN_EDGES);
    for (uint32_t i = 0; i < made->edges; i++)
        made->edge[i] = (svs_event_edge){svs__random_below(&random, made->nodes),
                                         svs__random_below(&random, made->nodes),
                                         1 + svs__random_below(&random, capacity_max)};
    for (uint32_t i = 0; i < made->nodes; i++) made->node[i].result = plan_mix(seed, i);
    for (uint32_t i = 0; i < PLAN_ACTIONS; i++) {
        uint32_t edge = svs__random_below(&random, made->edges);
        if (svs__random_below(&random, 3) == 0)
            plan_do(made, queues, svs__random_below(&random, made->nodes), PLAN_SEND);
        else if (queues[edge].first != queues[edge].last)
            plan_do(made, queues, made->edge[edge].to, (uint8_t)edge);
    }
    for (uint32_t i = 0; i < made->edges; i++)
        while (queues[i].first != queues[i].last)
            plan_do(made, queues, made->edge[i].to, (uint8_t)i);
}

#endif
