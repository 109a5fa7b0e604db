/* The lowest common ancestor of two steps, three ways (node.h; Steal Tree section 8.1).
 *
 * walk         both go up, the deeper one first, until they are children of one node
 * steal tree   first to the phase in which both are: from a phase's root, which was stolen, the way
 *              goes on where it was stolen from, so that all of a phase above the step costs one
 *              edge; over many phases there are jumps, O(log thefts) of them
 * labels       eight levels at a time: the labels of both tell where they part; to get to eight
 *              levels that begin at one node, anchors and jumps are followed, O(log depth) of them
 *
 * All give the same answer. The steps are not the same; neither is above the other.
 *
 * Threads: any. */
#ifndef SVS_RACECHECK_TREE_LCA_H
#define SVS_RACECHECK_TREE_LCA_H

#include "racecheck/tree/node.h"

typedef struct svs__lca {
    uint32_t depth; /* of the ancestor */
    bool parallel;  /* may the steps run in parallel? */
} svs__lca;

/* @param edges grows by the edges that were followed. */
svs__lca svs__lca_walk(const svs__tree *tree, uint32_t a, uint32_t b, uint64_t *edges);
svs__lca svs__lca_steal_tree(const svs__tree *tree, uint32_t a, uint32_t b, uint64_t *edges);
svs__lca svs__lca_labels(const svs__tree *tree, uint32_t a, uint32_t b, uint64_t *edges);

#endif
