/* The width meter: greedy colouring of instances by their exact sets, in the order of their arrival
 * (first fit: each gets the lowest colour of no conflicting instance). A colour is a set of
 * instances that could run in parallel. So instances / colours is the mean parallel width of a
 * scheduler with perfect knowledge and the same order.
 *
 *     greedy_begin(meter);
 *     for each instance: touch(greedy_footprint(meter), item); greedy_add(meter);
 *     meter->instances, meter->colours
 *
 * It uses the same footprints as the library, and its own traversal of the objects. */
#ifndef QUAKESQUAD_GREEDY_H
#define QUAKESQUAD_GREEDY_H

#include <stdbool.h>
#include <svs/footprint.h>

typedef struct greedy greedy;

/* `most` instances between two begins. NULL without memory. */
greedy *greedy_new(uint32_t most);
void greedy_free(greedy *meter);

/* Forgets the instances of before. */
void greedy_begin(greedy *meter);

/* Empty, for a touch function to fill. */
svs_footprint *greedy_footprint(greedy *meter);

/* Colours the instance of that footprint. @return SVS_OK, SVS_E_NO_MEMORY, SVS_E_LIMIT (the
 * footprint is too large, or of a form that the game does not use). */
svs_status greedy_add(greedy *meter);

uint32_t greedy_instances(const greedy *meter);
uint32_t greedy_colours(const greedy *meter);

#endif
