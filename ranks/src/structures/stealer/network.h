/* The neighbours of a rank in a network. The network is a ring, a hypercube, a crossbar, or one
 * that a function of the program describes. Neighbours are sorted. A network is symmetric and
 * connected, so that work can get from any rank to any other. */
#ifndef SVS_STRUCTURES_STEALER_NETWORK_H
#define SVS_STRUCTURES_STEALER_NETWORK_H

#include "base/memory.h"
#include <svs/ranks/stealer.h>

typedef struct svs__network {
    uint32_t *ranks; /* the neighbours */
    uint32_t count, capacity;
} svs__network;

/* The function of a network of this kind. With random victims, lifelines are along a hypercube.
 * NULL: SVS_STEALER_OWN, for which the program passes its function. */
svs_stealer_neighbour *svs__network_function(svs_stealer_network kind);

/* @return SVS_OK, SVS_E_NO_MEMORY; SVS_E_INVALID, with a text in `fault`. */
svs_status svs__network_init(svs__network *network, const svs_allocator *allocator, uint32_t rank,
                             uint32_t ranks, svs_stealer_neighbour *neighbour, void *argument,
                             char *fault, size_t fault_bytes);
void svs__network_clean_up(svs__network *network, const svs_allocator *allocator);

/* The position of a rank among the neighbours; `count`: it is no neighbour. */
uint32_t svs__network_find(const svs__network *network, uint32_t rank);

#endif
