/* Nodes of chains, which one body visits at a time. */
#ifndef SVS_TESTS_EXPLORE_VISITED_H
#define SVS_TESTS_EXPLORE_VISITED_H

#include "explore/scenarios/support.h"

typedef struct node {
    struct node *next;
    svs_object svs;
    _Atomic(uint32_t) inside;
    uint32_t written;
} node;
SVS_TYPE(node, svs, next)

static inline void visit(node *n) {
    EXPLORE_CHECK(svs__fetch_add_relaxed(&n->inside, 1) == 0);
    explore_wrote(&n->written);
    n->written++;
    (void)svs__fetch_sub_relaxed(&n->inside, 1);
}

/* Nodes 0 -> 1, 2 -> 3, and others without a link. */
static void make_chains(svs_world *world, node **nodes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) EXPLORE_CHECK(SVS_NEW(world, node, &nodes[i]) == SVS_OK);
    EXPLORE_CHECK(svs_link(nodes[0], next, nodes[1]) == SVS_OK);
    EXPLORE_CHECK(svs_link(nodes[2], next, nodes[3]) == SVS_OK);
}

#endif
