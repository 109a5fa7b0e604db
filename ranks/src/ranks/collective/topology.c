#include "ranks/collective/topology.h"
#include "base/check.h"

uint32_t svs__topology_parent(uint32_t columns, uint32_t rank) {
    uint32_t row, column;
    if (rank == 0) return UINT32_MAX;
    if (columns == 0) return (rank - 1) / SVS__CHILDREN_MAX;
    row = rank / columns;
    column = rank % columns;
    return column != 0 ? row * columns + (column - 1) / 2 : (row - 1) / 2 * columns;
}

static void add(svs__topology *topology, uint32_t count, uint64_t rank) {
    if (rank < count) topology->children[topology->child_count++] = (uint32_t)rank;
}

/* Adds the children of a rank on a grid. Those in the same row come first, because their numbers
 * are lower. */
static void add_of_grid(svs__topology *topology, uint32_t count, uint32_t columns, uint32_t rank) {
    uint64_t row = rank / columns, column = rank % columns;
    for (uint64_t next = 2 * column + 1; next <= 2 * column + 2 && next < columns; next++)
        add(topology, count, row * columns + next);
    for (uint64_t next = 2 * row + 1; column == 0 && next <= 2 * row + 2; next++)
        add(topology, count, next * columns);
}

void svs__topology_init(svs__topology *topology, uint32_t count, uint32_t columns, uint32_t rank) {
    topology->parent = svs__topology_parent(columns, rank);
    topology->child_count = 0;
    if (columns != 0) add_of_grid(topology, count, columns, rank);
    for (uint64_t i = 1; columns == 0 && i <= SVS__CHILDREN_MAX; i++)
        add(topology, count, (uint64_t)rank * SVS__CHILDREN_MAX + i);
    SVS__ASSERT(rank == 0 || topology->parent < rank); /* ranks.T1 */
    for (uint32_t i = 0; i < topology->child_count; i++)
        SVS__ASSERT(svs__topology_parent(columns, topology->children[i]) == rank); /* ranks.T1 */
}
