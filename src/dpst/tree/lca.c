/* The lowest common ancestor of two steps, found in three ways (Steal Tree section 8.1).
 *
 * walk         both go up, the deeper one first, until they are children of one node
 * steal tree   first to the phase that contains both: from the root of a phase, the search
 *              continues where that root was stolen, so the part of a phase above the step costs
 *              one edge; jumps over phases make it O(log thefts)
 * labels       eight levels at a time: the labels of both nodes show where their paths part;
 *              anchors and jumps lead to nodes with one anchor, O(log depth)
 *
 * All give the same answer. The steps differ, and neither is an ancestor of the other. */
#include "base/check.h"
#include "dpst/tree/node.h"
#include <string.h>

/* `a` and `b` are the labels of the two children that lead to the steps. The left child decides. */
static bool is_parallel(uint32_t a, uint32_t b) { return (a < b ? a : b) & 1; }

svs__lca svs__lca_walk(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges) {
    const svs__dpst_node *x = svs__tree_node(tree, a), *y = svs__tree_node(tree, b);
    uint64_t walked = 2; /* counts the last edge of each path */
    for (; x->depth > y->depth; walked++) x = svs__tree_node(tree, x->parent);
    for (; y->depth > x->depth; walked++) y = svs__tree_node(tree, y->parent);
    for (; x->parent != y->parent; walked += 2) {
        x = svs__tree_node(tree, x->parent);
        y = svs__tree_node(tree, y->parent);
    }
    *edges += walked;
    return (svs__lca){x->depth - 1, is_parallel(svs__node_label(x), svs__node_label(y))};
}

/* The phase at this level: `p`, or one above it. */
static uint32_t raise_phase(const svs__dpst_tree *tree, uint32_t p, uint32_t level,
                            uint64_t *edges) {
    for (; tree->phases[p].level > level; ++*edges) {
        const svs__phase_root *x = &tree->phases[p];
        p = tree->phases[x->jump].level >= level ? x->jump : x->up;
    }
    return p;
}

/* Climbs from phase `*p`, which is deeper than `q`. @return whether q is an ancestor of that phase:
 * `*deep` is then the root of the subtree that was climbed last. Else `*p` is the ancestor phase at
 * the level of q. */
static bool leave(const svs__dpst_tree *tree, uint32_t *deep, uint32_t *p, uint32_t q,
                  uint64_t *edges) {
    uint32_t below = raise_phase(tree, *p, tree->phases[q].level + 1, edges);
    ++*edges;
    *p = tree->phases[below].up;
    if (*p == q) *deep = tree->phases[below].root;
    return *p == q;
}

svs__lca svs__lca_steal_tree(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges) {
    uint32_t p = svs__tree_node(tree, a)->phase, q = svs__tree_node(tree, b)->phase;
    uint32_t level = tree->phases[p].level, other = tree->phases[q].level;
    if (p == q || (level > other && leave(tree, &a, &p, q, edges)) ||
        (other > level && leave(tree, &b, &q, p, edges)))
        return svs__lca_walk(tree, a, b, edges);
    for (;;) { /* Both are at the same level, so that both jump as far. */
        const svs__phase_root *x = &tree->phases[p], *y = &tree->phases[q];
        bool far = x->jump != y->jump;
        *edges += 2;
        if (x->up == y->up) return svs__lca_walk(tree, x->root, y->root, edges);
        p = far ? x->jump : x->up;
        q = far ? y->jump : y->up;
    }
}

/* Compares two nodes of the same eight levels, below the same anchor. */
static svs__lca compare(const svs__dpst_node *x, const svs__dpst_node *y) {
    uint32_t level = 0;
    while (level < SVS__LABELS - 1 && x->labels[level] == y->labels[level]) level++;
    SVS__ASSERT(x->labels[level] != y->labels[level]);
    return (svs__lca){x->depth / SVS__LABELS * SVS__LABELS + level - 1,
                      is_parallel(x->labels[level], y->labels[level])};
}

/* The node whose level belongs to the group of eight number `eight`: `x`, or one above it. */
static const svs__dpst_node *raise(const svs__dpst_tree *tree, const svs__dpst_node *x,
                                   uint32_t eight, uint64_t *edges) {
    for (; x->depth / SVS__LABELS > eight; ++*edges) {
        const svs__dpst_node *far = svs__tree_node(tree, x->jump);
        x = x->jump != 0 && far->depth / SVS__LABELS >= eight ? far
                                                              : svs__tree_node(tree, x->anchor);
    }
    return x;
}

uint32_t svs__tree_label(const svs__dpst_tree *tree, uint32_t node, uint32_t depth) {
    uint64_t edges = 0;
    const svs__dpst_node *x = raise(tree, svs__tree_node(tree, node), depth / SVS__LABELS, &edges);
    return x->labels[depth % SVS__LABELS];
}

svs__lca svs__lca_labels(const svs__dpst_tree *tree, uint32_t a, uint32_t b, uint64_t *edges) {
    const svs__dpst_node *x = svs__tree_node(tree, a), *y = svs__tree_node(tree, b);
    x = raise(tree, x, y->depth / SVS__LABELS, edges);
    y = raise(tree, y, x->depth / SVS__LABELS, edges);
    while (x->anchor != y->anchor) {
        bool far = x->jump != 0 && y->jump != 0 && x->jump != y->jump;
        x = svs__tree_node(tree, far ? x->jump : x->anchor);
        y = svs__tree_node(tree, far ? y->jump : y->anchor);
        *edges += 2;
    }
    return compare(x, y);
}
