#include "racecheck/tree/path.h"
#include "racecheck/tree/checker.h"

/* The root of the tree, the period and the thread that waits (checker.h). */
#define LEVELS_ABOVE_RUNS 3u

/* Is `parent` no scope of the program's, but what is behind a continuation that was stolen? Then
 * its children's phase begins with it. */
static bool divides(const svs__tree *tree, uint32_t parent, const svs__node *child) {
    return parent > 1 && svs__tree_node(tree, parent)->kind == SVS__NODE_FINISH &&
           tree->phases[child->phase].root == parent;
}

/* The step's own node, and those above it, from the last on. */
size_t svs__check_path(uint32_t step, svs__path_item *items, size_t most) {
    const svs__tree *tree = &svs__the_checker.tree;
    size_t count = 0;
    for (uint32_t at = step; at > 1 && count < most;) {
        const svs__node *node = svs__tree_node(tree, at);
        if (node->depth < LEVELS_ABOVE_RUNS) break;
        items[count] = (svs__path_item){node->kind, svs__node_label(node) >> 1, node->site};
        for (at = node->parent; divides(tree, at, node); at = node->parent) {
            node = svs__tree_node(tree, at);
            items[count].number += (svs__node_label(node) >> 1) - 1;
        }
        count++;
    }
    for (size_t i = 0; i < count / 2; i++) {
        svs__path_item item = items[i];
        items[i] = items[count - 1 - i];
        items[count - 1 - i] = item;
    }
    return count;
}
