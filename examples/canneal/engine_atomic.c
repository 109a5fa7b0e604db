/* Lock-free, as in PARSEC's parallel canneal. A swap is judged by relaxed reads. An accepted swap
 * takes each of its two elements with one atomic exchange: it stores a mark in the element of the
 * lower number while it changes the other, and a thread that reads the mark waits. Each location
 * therefore stays used once, but the judged cost may be stale, since a and b may have moved
 * meanwhile. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "annealing.h"

/* Not a location: x is at most NETLIST_SIDE_MAX - 1. */
#define IN_TRANSIT UINT32_MAX

/* relaxed: the location carries no other data, and any earlier value is acceptable. */
static inline uint32_t settled(const placement *p, uint32_t element) {
    uint32_t at;
    for (unsigned spins = 0; (at = svs_relaxed_load_u32(&p->at[element])) == IN_TRANSIT;)
        padded_lock_wait(&spins);
    return at;
}

#define PLACEMENT_READ(p, element) settled(p, element)
#include "swap_cost.h"

/* Replaces a location that is not the mark by `to` and returns it. relaxed: the location carries no
 * other data, and exchanges of one word are totally ordered. */
static uint32_t exchange(const placement *p, uint32_t element, uint32_t to) {
    uint32_t at = settled(p, element);
    while (!__atomic_compare_exchange_n(&p->at[element], &at, to, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        at = settled(p, element);
    return at;
}

/* Ascending order prevents deadlock: a thread with a mark waits only for marks of higher-numbered
 * elements. */
static void swap_atomically(const placement *p, uint32_t a, uint32_t b) {
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    uint32_t at_first = exchange(p, first, IN_TRANSIT);
    uint32_t at_second = exchange(p, second, at_first);
    __atomic_store_n(&p->at[first], at_second, __ATOMIC_RELAXED); /* relaxed: as above */
}

static const char *start(annealing *anneal) {
    anneal->engine_state = parallel_pool_new(anneal->options.threads);
    return anneal->engine_state ? NULL : "the threads cannot be made";
}

static void swap_range(size_t begin, size_t end, unsigned worker, void *argument) {
    annealing *anneal = argument;
    const placement *p = &anneal->place;
    for (uint32_t i = (uint32_t)begin; i < end; i++) {
        swap_pair pair = annealing_pair(anneal, i);
        int64_t cost = swap_cost(p, pair.a, pair.b, settled(p, pair.a), settled(p, pair.b));
        if (!annealing_accepts(anneal, i, cost)) continue;
        swap_atomically(p, pair.a, pair.b);
        annealing_count(&anneal->tallies[worker], cost);
    }
}

static const char *step(annealing *anneal) {
    parallel_for(anneal->engine_state, anneal->options.swaps, anneal->options.chunk, swap_range,
                 anneal);
    return NULL;
}

static void describe(annealing *anneal, char *text, size_t size) {
    snprintf(text, size, " chunk=%" PRIu32, anneal->options.chunk);
}

static void stop(annealing *anneal) { parallel_pool_free(anneal->engine_state); }

const annealing_engine engine_atomic = {128, start, step, describe, stop};
