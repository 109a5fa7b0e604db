/* The tree of ranks (topology.h), for each number of ranks and each grid. */
#include "ranks/collective/topology.h"
#include "case.h"
#include "ranks/channel/route.h"

enum { RANKS_MAX = 300 };

/* How many ranks are reached from `rank` downward; each is counted in `seen`. */
static uint32_t reach(uint32_t count, uint32_t columns, uint32_t rank, uint32_t *seen) {
    svs__topology tree;
    uint32_t reached = 1;
    seen[rank]++;
    svs__topology_init(&tree, count, columns, rank);
    for (uint32_t i = 0; i < tree.child_count; i++)
        reached += reach(count, columns, tree.children[i], seen);
    return reached;
}

static uint32_t depth_of(uint32_t columns, uint32_t rank) {
    uint32_t depth = 0;
    for (; rank != 0; rank = svs__topology_parent(columns, rank)) depth++;
    return depth;
}

TEST_CASE(each_rank_is_reached_once) { /* ranks.T1 */
    for (uint32_t count = 1; count <= RANKS_MAX; count++)
        for (uint32_t grid = 0; grid < 2; grid++) {
            uint32_t seen[RANKS_MAX] = {0};
            uint32_t columns = grid == 0 ? 0 : svs__grid_columns(count, 1);
            assert_int_equal(reach(count, columns, 0, seen), count);
            for (uint32_t i = 0; i < count; i++) assert_int_equal(seen[i], 1);
        }
}

TEST_CASE(on_a_grid_each_edge_is_one_hop) { /* ranks.T2 */
    for (uint32_t count = 2; count <= RANKS_MAX; count++)
        for (uint32_t i = 1; i < count; i++) {
            static svs_ranks own;
            uint32_t parent;
            own.count = count;
            own.columns = svs__grid_columns(count, 1);
            parent = svs__topology_parent(own.columns, i);
            own.index = i;
            assert_int_equal(svs__hop(&own, parent), parent);
            own.index = parent;
            assert_int_equal(svs__hop(&own, i), i);
        }
}

TEST_CASE(the_tree_is_as_deep_as_the_logarithm_of_the_ranks) {
    for (uint32_t i = 0; i < 1024; i++) assert_in_range(depth_of(0, i), 0, 5);
    for (uint32_t i = 0; i < 1024; i++) assert_in_range(depth_of(32, i), 0, 10);
}

int main(void) { return run_cases(NULL, NULL); }
