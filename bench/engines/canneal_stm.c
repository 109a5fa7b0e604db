/* gcc's transactions: a swap is one transaction, which reads its two elements and, if the swap is
 * accepted, writes them; so the swap is judged by their present places. Neighbours are read outside
 * of the transaction, as in every engine: they may move. */
#include <inttypes.h>
#include <stdio.h>

#include "canneal/annealing.h"
#include "canneal/swap_cost.h"

/* Two functions that read what no transaction needs to keep: pure means that to the compiler. */
__attribute__((transaction_pure, noinline)) static int64_t cost_of(const annealing *anneal,
                                                                   swap_pair pair, uint32_t at_a,
                                                                   uint32_t at_b) {
    return swap_cost(&anneal->place, pair.a, pair.b, at_a, at_b);
}

__attribute__((transaction_pure, noinline)) static bool accepts(const annealing *anneal,
                                                                uint32_t index, int64_t cost) {
    return annealing_accepts(anneal, index, cost);
}

static void swap_in_transaction(annealing *anneal, uint32_t index, tally *mine) {
    const swap_pair pair = annealing_pair(anneal, index);
    uint32_t *a = &anneal->place.at[pair.a], *b = &anneal->place.at[pair.b];
    int64_t cost;
    bool accepted;
    __transaction_atomic {
        uint32_t at_a = *a, at_b = *b;
        cost = cost_of(anneal, pair, at_a, at_b);
        accepted = accepts(anneal, index, cost);
        if (accepted) {
            *a = at_b;
            *b = at_a;
        }
    }
    if (accepted) annealing_count(mine, cost);
}

static void swap_range(size_t begin, size_t end, unsigned worker, void *argument) {
    annealing *anneal = argument;
    for (size_t i = begin; i < end; i++)
        swap_in_transaction(anneal, (uint32_t)i, &anneal->tallies[worker]);
}

static const char *start(annealing *anneal) {
    anneal->engine_state = parallel_pool_new(anneal->options.threads);
    return anneal->engine_state ? NULL : "the threads cannot be made";
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

extern const annealing_engine engine_stm;
const annealing_engine engine_stm = {128, start, step, describe, stop};
