/* A placement: the locations of the elements of a netlist, and the cost of the wires (thesis
 * 7.3.2).
 *
 * The cost is the Manhattan length of all wires. A swap of two elements is judged by the lengths of
 * the wires at both.
 *
 * Locations are relaxed fields, as in PARSEC: a swap reads the locations of its neighbours while
 * other swaps may move them, and judges by the values that it reads. A swap must have exclusive
 * write access to its two locations; then each location stays used once. */
#ifndef CANNEAL_PLACEMENT_H
#define CANNEAL_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <svs/object.h>

#include "netlist.h"

typedef struct placement {
    const netlist *nets;
    uint32_t *at; /* place of each element and blank: x << 16 | y; relaxed */
} placement;

/* Elements and blanks column by column, in the order of their numbers. @return false: no memory. */
bool placement_init(placement *p, const netlist *nets);
void placement_clean_up(placement *p);

/* The length of all wires. Not while anything moves. */
int64_t placement_cost(const placement *p);

/* The growth of the cost when a and b change places; exact if none of their neighbours moves
 * meanwhile. */
int64_t placement_swap_cost(const placement *p, uint32_t a, uint32_t b);

/* a and b change places. */
void placement_swap(placement *p, uint32_t a, uint32_t b);

/* Checks that every location holds one element or blank. @return NULL, or an error text. */
const char *placement_check(const placement *p);

#endif
