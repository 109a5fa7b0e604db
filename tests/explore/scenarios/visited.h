/* Nodes of a chain, which one body visits at a time. */
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

static void visit(node *n) {
    EXPLORE_CHECK(svs__fetch_add_relaxed(&n->inside, 1) == 0);
    explore_wrote(&n->written);
    n->written++;
    (void)svs__fetch_sub_relaxed(&n->inside, 1);
}

#endif
