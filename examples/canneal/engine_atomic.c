/* Without a lock or a scheduler, as PARSEC's parallel canneal swaps: a swap is judged by whatever
 * it sees; when it is accepted, each of its two elements is taken with one atomic exchange. The
 * first, of the lower number, holds a mark while the second changes, and whoever meets the mark
 * waits. So each location stays used once, but the cost of a swap is that of a moment before: a and
 * b may themselves have moved meanwhile. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "annealing.h"

/* No location is that: x is at most NETLIST_SIDE_MAX - 1. */
#define IN_TRANSIT UINT32_MAX

/* relaxed: a location is all that is read, and any that was ever there will do. */
static inline uint32_t settled(const placement *p, uint32_t element) {
    uint32_t at;
    for (unsigned spins = 0; (at = svs_relaxed_load_u32(&p->at[element])) == IN_TRANSIT;)
        padded_lock_wait(&spins);
    return at;
}

#define PLACEMENT_READ(p, element) settled(p, element)
#include "swap_cost.h"

/* Puts `to` in the place of a settled location, which it returns. relaxed: nothing but the location
 * itself is handed over, and an exchange is ordered with all others of the same word. */
static uint32_t exchange(const placement *p, uint32_t element, uint32_t to) {
    uint32_t at = settled(p, element);
    while (!__atomic_compare_exchange_n(&p->at[element], &at, to, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        at = settled(p, element);
    return at;
}

/* In the order of numbers, so that nobody waits in a circle: who holds a mark waits only for marks
 * at higher numbers. */
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
