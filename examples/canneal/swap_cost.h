/* The cost of a swap (placement.h). It is a header because an engine may replace the read of a
 * location (PLACEMENT_READ). */
#ifndef CANNEAL_SWAP_COST_H
#define CANNEAL_SWAP_COST_H

#include <svs/scan.h>

#include "placement.h"

#ifndef PLACEMENT_READ
#define PLACEMENT_READ(p, element) svs_relaxed_load_u32(&(p)->at[element])
#endif

static inline uint32_t location_x(uint32_t location) { return location >> 16; }
static inline uint32_t location_y(uint32_t location) { return location & 0xffffu; }

static inline uint32_t location_distance(uint32_t a, uint32_t b) {
    uint32_t ax = location_x(a), bx = location_x(b), ay = location_y(a), by = location_y(b);
    return (ax > bx ? ax - bx : bx - ax) + (ay > by ? ay - by : by - ay);
}

/* A wire between the two keeps its length, and so does one from an element to itself. */
static inline int64_t move_cost(const placement *p, uint32_t element, uint32_t other, uint32_t from,
                                uint32_t to) {
    const netlist *nets = SVS_STABLE(p->nets);
    int64_t cost = 0;
    for (uint32_t i = nets->first[element]; i < nets->first[element + 1]; i++) {
        uint32_t neighbour = nets->neighbours[i];
        if (neighbour == element || neighbour == other) continue;
        uint32_t there = PLACEMENT_READ(p, neighbour);
        cost += (int64_t)location_distance(to, there) - (int64_t)location_distance(from, there);
    }
    return cost;
}

/* The growth of the cost when a, at `at_a`, and b, at `at_b`, change places. */
static inline int64_t swap_cost(const placement *p, uint32_t a, uint32_t b, uint32_t at_a,
                                uint32_t at_b) {
    return move_cost(p, a, b, at_a, at_b) + move_cost(p, b, a, at_b, at_a);
}

#endif
