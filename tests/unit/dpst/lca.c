/* Common ancestors in random trees: found in three ways, they are what sets of ancestors say; deep
 * trees, many phases. */
#include "../base/helpers.h"
#include "base/random.h"
#include "dpst/tree/node.h"

#define NODES 4000u

static svs__dpst_tree tree;
static uint32_t leaves[NODES], leaf_count;

/* Appends a child here, or below, or divides the scope as a theft does. */
static void grow(svs__random *random, svs__node_block *block, svs__scope *scope, uint32_t depth,
                 uint32_t *left) {
    while (*left != 0 && svs__random_below(random, depth > 40 ? 3 : 12) != 0) {
        uint32_t choice = svs__random_below(random, 20);
        svs__node_kind kind = choice < 7    ? SVS__NODE_STEP
                              : choice < 14 ? SVS__NODE_ASYNC
                                            : SVS__NODE_FINISH;
        uint32_t node = svs__tree_append(&tree, block, scope, kind, NULL);
        assert_int_not_equal(node, 0);
        --*left;
        if (kind == SVS__NODE_STEP) leaves[leaf_count++] = node;
        else if (kind == SVS__NODE_FINISH &&
                 choice == 19) /* dpst.B3: what follows is behind a theft */
            *scope = (svs__scope){node, 1, svs__tree_add_phase(&tree, node, scope->phase)};
        else {
            bool stolen = kind == SVS__NODE_ASYNC && svs__random_below(random, 3) == 0;
            uint32_t phase = stolen ? svs__tree_add_phase(&tree, node, scope->phase) : scope->phase;
            svs__scope below = {node, 1, phase};
            grow(random, block, &below, depth + 1, left);
        }
    }
}

/* The lowest of a's ancestors that is also one of b's, and its children on the two ways. */
static svs__lca by_sets(uint32_t a, uint32_t b) {
    for (uint32_t x = a; x != 0; x = tree.nodes[x].parent) {
        for (uint32_t y = b; y != 0; y = tree.nodes[y].parent) {
            const svs__dpst_node *left = &tree.nodes[x], *right = &tree.nodes[y];
            if (left->parent != right->parent || x == y) continue;
            if (svs__node_label(left) > svs__node_label(right)) left = right;
            return (svs__lca){left->depth - 1, left->kind == SVS__NODE_ASYNC};
        }
    }
    fail_msg("steps %u and %u have no common ancestor", a, b);
    return (svs__lca){0, false};
}

static void compare(uint32_t a, uint32_t b) {
    svs__lca expected = by_sets(a, b), found[3];
    uint64_t edges[3] = {0, 0, 0};
    found[0] = svs__lca_labels(&tree, a, b, &edges[0]);
    found[1] = svs__lca_steal_tree(&tree, a, b, &edges[1]);
    found[2] = svs__lca_walk(&tree, a, b, &edges[2]);
    for (int way = 0; way < 3; way++) {
        assert_int_equal(found[way].depth, expected.depth);
        assert_int_equal(found[way].parallel, expected.parallel);
    }
    assert_true(edges[0] <= edges[2]);
    assert_int_equal(edges[2], tree.nodes[a].depth + tree.nodes[b].depth - 2 * expected.depth);
}

TEST_CASE(all_three_ways_agree_with_sets_of_ancestors) {
    uint64_t trees = scaled(60, 3);
    assert_true(svs__tree_init(&tree, (size_t)1 << 20));
    for (uint64_t seed = 0; seed < trees; seed++) {
        svs__node_block block = {0};
        svs__scope top = svs__tree_top();
        svs__random random;
        uint32_t left = NODES;
        svs__random_seed(&random, seed);
        leaf_count = 0;
        while (left != 0 && leaf_count < NODES / 4) grow(&random, &block, &top, 1, &left);
        for (uint32_t i = 0; i < 2000; i++) {
            uint32_t a = leaves[svs__random_below(&random, leaf_count)];
            uint32_t b = leaves[svs__random_below(&random, leaf_count)];
            if (a != b) compare(a, b);
        }
        svs__tree_cut(&tree);
    }
    svs__tree_clean_up(&tree);
}

/* A chain of asyncs, with a step at each, and a theft at each `thefts`th: 0 for none. */
static void grow_chain(svs__node_block *block, uint32_t depth, uint32_t thefts) {
    svs__scope scope = svs__tree_top();
    leaf_count = 0;
    for (uint32_t i = 0; i < depth; i++) {
        uint32_t async = svs__tree_append(&tree, block, &scope, SVS__NODE_ASYNC, NULL);
        uint32_t phase = scope.phase;
        leaves[leaf_count++] = svs__tree_append(&tree, block, &scope, SVS__NODE_STEP, NULL);
        if (thefts != 0 && i % thefts == 0) phase = svs__tree_add_phase(&tree, async, phase);
        scope = (svs__scope){async, 1, phase};
    }
}

TEST_CASE(deep_trees_cost_labels_little_and_the_steal_tree_a_phase_each) {
    assert_true(svs__tree_init(&tree, (size_t)4 << 20));
    for (uint32_t thefts = 0; thefts <= 100; thefts += 50) {
        svs__node_block block = {0};
        uint64_t edges[3] = {0, 0, 0};
        grow_chain(&block, 3000, thefts);
        (void)svs__lca_labels(&tree, leaves[0], leaves[2999], &edges[0]);
        (void)svs__lca_steal_tree(&tree, leaves[0], leaves[2999], &edges[1]);
        (void)svs__lca_walk(&tree, leaves[0], leaves[2999], &edges[2]);
        assert_int_equal(edges[2], 3001);
        assert_true(edges[0] <= 32);
        if (thefts == 0) assert_int_equal(edges[1], edges[2]);
        else assert_true(edges[1] <= 3000 / thefts + thefts + 2);
        compare(leaves[17], leaves[2500]);
        svs__tree_cut(&tree);
    }
    svs__tree_clean_up(&tree);
}

TEST_CASE(a_full_tree_says_so) {
    svs__node_block block = {0};
    svs__scope top = svs__tree_top();
    uint32_t count = 0;
    assert_true(svs__tree_init(&tree, 1));
    while (svs__tree_append(&tree, &block, &top, SVS__NODE_STEP, NULL) != 0) count++;
    assert_in_range(count, 1, tree.max);
    svs__tree_cut(&tree);
    top = svs__tree_top();
    assert_int_not_equal(svs__tree_append(&tree, &block, &top, SVS__NODE_STEP, NULL), 0);
    svs__tree_clean_up(&tree);
}

int main(void) { return run_cases(NULL, NULL); }
