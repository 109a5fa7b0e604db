/* The path of a record: direct, or over a grid of ranks. Each pair of ranks has one fixed path,
 * which keeps the order of its records (ranks.P1).
 *
 * Rank r stands in row r / columns, column r % columns. A record goes along its row to the column
 * of its target, and then along that column. If the last row has no such column, the record goes
 * along its own column to the row of its target first. Records on their second hop wait for no
 * other hop, so that hops that wait for credit form no cycle. */
#ifndef SVS__RANKS_CHANNEL_ROUTE_H
#define SVS__RANKS_CHANNEL_ROUTE_H

#include "ranks/state.h"

/* The number of columns of the grid; 0: records go directly. */
static inline uint32_t svs__grid_columns(uint32_t count, uint32_t direct) {
    uint32_t columns = 1;
    if (count <= direct) return 0;
    while (columns * columns < count) columns++;
    return columns;
}

/* The first rank on the path to `to`, which is another rank than this one. */
static inline uint32_t svs__hop(const svs_ranks *ranks, uint32_t to) {
    uint32_t columns = ranks->columns, mine = ranks->index, via;
    if (columns == 0) return to;
    via = mine / columns * columns + to % columns;
    if (via >= ranks->count) via = to / columns * columns + mine % columns;
    return via == mine ? to : via;
}

#endif
