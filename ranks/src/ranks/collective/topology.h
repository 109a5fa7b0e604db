/* The tree of ranks that collective calls, waves and global operations go up and down.
 *
 *     direct, fan-out 4:   0 -> 1 2 3 4,  1 -> 5 6 7 8, ...
 *     a grid of 3 columns: 0 -> 1 2 in its row, 3 6 in its column;  3 -> 4 5;  6 -> 7 8
 *
 *   ranks.T1  Each rank but 0 has one parent, of a lower number, and is among its children.
 *   ranks.T2  On a grid each edge is one hop (route.h): the first ranks of the rows form a binary
 *             tree, and so do the ranks of each row. (not asserted: tests look at all edges)
 *
 * So no rank has more than four children, and the depth is O(log N). */
#ifndef SVS__RANKS_COLLECTIVE_TOPOLOGY_H
#define SVS__RANKS_COLLECTIVE_TOPOLOGY_H

#include <stdint.h>

#define SVS__CHILDREN_MAX 4u

typedef struct svs__topology {
    uint32_t parent; /* parent of this rank; UINT32_MAX: it is rank 0, which has none */
    uint32_t child_count;
    uint32_t children[SVS__CHILDREN_MAX]; /* children of this rank, ascending */
} svs__topology;

/* @param columns the columns of the grid; 0: direct. */
uint32_t svs__topology_parent(uint32_t columns, uint32_t rank);
void svs__topology_init(svs__topology *topology, uint32_t count, uint32_t columns, uint32_t rank);

/* The position of a rank among the children, or SVS__CHILDREN_MAX if it is not a child. */
static inline uint32_t svs__topology_child(const svs__topology *topology, uint32_t rank) {
    for (uint32_t i = 0; i < topology->child_count; i++)
        if (topology->children[i] == rank) return i;
    return SVS__CHILDREN_MAX;
}

#endif
