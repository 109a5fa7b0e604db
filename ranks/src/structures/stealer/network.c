#include "structures/stealer/network.h"
#include <stdio.h>

/* ---- the networks by name ---- */

static uint32_t of_ring(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    uint32_t before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    (void)argument;
    if (which == 0 && after != rank) return after;
    return which == 1 && before != after ? before : SVS_STEALER_ANY;
}

/* Connected for any number of ranks: each rank but 0 has the neighbour without its highest bit,
 * which is lower. */
static uint32_t of_hypercube(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    (void)argument;
    for (uint32_t bit = 1; bit != 0 && bit < ranks; bit <<= 1)
        if ((rank ^ bit) < ranks && which-- == 0) return rank ^ bit;
    return SVS_STEALER_ANY;
}

static uint32_t of_crossbar(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    (void)argument;
    if (which + 1 >= ranks) return SVS_STEALER_ANY;
    return which < rank ? which : which + 1;
}

svs_stealer_neighbour *svs__network_function(svs_stealer_network kind) {
    switch (kind) {
    case SVS_STEALER_RING: return of_ring;
    case SVS_STEALER_CROSSBAR: return of_crossbar;
    case SVS_STEALER_RANDOM:
    case SVS_STEALER_HYPERCUBE: return of_hypercube;
    default: return NULL;
    }
}

/* ---- checks ---- */

typedef struct graph {
    svs_stealer_neighbour *neighbour;
    void *argument;
    uint32_t ranks;
} graph;

static uint32_t at(const graph *of, uint32_t rank, uint32_t which) {
    return of->neighbour(rank, of->ranks, which, of->argument);
}

static bool is_neighbour(const graph *of, uint32_t rank, uint32_t other) {
    for (uint32_t i = 0, each; i < of->ranks && (each = at(of, rank, i)) != SVS_STEALER_ANY; i++)
        if (each == other) return true;
    return false;
}

static svs_status check_rank(const graph *of, uint32_t rank, char *fault, size_t bytes) {
    uint32_t other, which = 0;
    for (; (other = at(of, rank, which)) != SVS_STEALER_ANY; which++) {
        if (other >= of->ranks || other == rank || which + 1 >= of->ranks) {
            (void)snprintf(fault, bytes,
                           "neighbour %u of rank %u is rank %u: name other ranks, each once", which,
                           rank, other);
            return SVS_E_INVALID;
        }
        if (!is_neighbour(of, other, rank)) {
            (void)snprintf(fault, bytes,
                           "the network is not symmetric: rank %u names rank %u, which does not "
                           "name it: name both ways",
                           rank, other);
            return SVS_E_INVALID;
        }
    }
    return SVS_OK;
}

/* The ranks that are reached from rank 0, in the order of their discovery. */
static uint32_t reach(const graph *of, uint32_t *found, unsigned char *seen) {
    uint32_t count = 1;
    found[0] = 0;
    seen[0] = 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0, to; (to = at(of, found[i], j)) != SVS_STEALER_ANY; j++)
            if (!seen[to]) {
                seen[to] = 1;
                found[count++] = to;
            }
    return count;
}

static svs_status check_connected(const graph *of, const svs_allocator *allocator, char *fault,
                                  size_t bytes) {
    size_t found_bytes = of->ranks * sizeof(uint32_t);
    uint32_t *found = svs__allocate(allocator, found_bytes, 16);
    unsigned char *seen = svs__allocate_zeroed(allocator, of->ranks, 16);
    svs_status status = found == NULL || seen == NULL ? SVS_E_NO_MEMORY : SVS_OK;
    uint32_t missing = 0;
    if (status == SVS_OK && reach(of, found, seen) != of->ranks) {
        while (seen[missing]) missing++;
        (void)snprintf(
            fault, bytes,
            "the network is not connected: no path leads from rank 0 to rank %u: add neighbours",
            missing);
        status = SVS_E_INVALID;
    }
    svs__release(allocator, found, found_bytes, 16);
    svs__release(allocator, seen, of->ranks, 16);
    return status;
}

static svs_status check(const graph *of, const svs_allocator *allocator, char *fault,
                        size_t bytes) {
    for (uint32_t rank = 0; rank < of->ranks; rank++) {
        svs_status status = check_rank(of, rank, fault, bytes);
        if (status != SVS_OK) return status;
    }
    return check_connected(of, allocator, fault, bytes);
}

/* ---- the network of a rank ---- */

/* Inserts a neighbour, and keeps the list sorted. */
static bool put(svs__network *network, const svs_allocator *allocator, uint32_t rank) {
    uint32_t i;
    if (!svs__grow(allocator, (void **)&network->ranks, &network->capacity, network->count + 1,
                   sizeof *network->ranks))
        return false;
    for (i = network->count++; i != 0 && network->ranks[i - 1] > rank; i--)
        network->ranks[i] = network->ranks[i - 1];
    network->ranks[i] = rank;
    return true;
}

svs_status svs__network_init(svs__network *network, const svs_allocator *allocator, uint32_t rank,
                             uint32_t ranks, svs_stealer_neighbour *neighbour, void *argument,
                             char *fault, size_t fault_bytes) {
    graph of = {neighbour, argument, ranks};
    bool known = neighbour == of_ring || neighbour == of_hypercube || neighbour == of_crossbar;
    svs_status status = known ? SVS_OK : check(&of, allocator, fault, fault_bytes);
    *network = (svs__network){0};
    if (status != SVS_OK) return status;
    for (uint32_t i = 0, to; (to = at(&of, rank, i)) != SVS_STEALER_ANY; i++)
        if (!put(network, allocator, to)) return SVS_E_NO_MEMORY;
    return SVS_OK;
}

void svs__network_clean_up(svs__network *network, const svs_allocator *allocator) {
    svs__array_release(allocator, network->ranks, network->capacity, sizeof *network->ranks);
}

uint32_t svs__network_find(const svs__network *network, uint32_t rank) {
    uint32_t low = 0, high = network->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (network->ranks[middle] < rank) low = middle + 1;
        else high = middle;
    }
    return low < network->count && network->ranks[low] == rank ? low : network->count;
}
