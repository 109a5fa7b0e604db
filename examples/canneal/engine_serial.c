/* One thread, no synchronisation: the baseline of the other engines. */
#include "annealing.h"

static const char *start(annealing *anneal) {
    (void)anneal;
    return NULL;
}

static const char *step(annealing *anneal) {
    for (uint32_t i = 0; i < anneal->options.swaps; i++)
        annealing_swap(anneal, annealing_pair(anneal, i), i, &anneal->tallies[0]);
    return NULL;
}

static void describe(annealing *anneal, char *text, size_t size) {
    (void)anneal;
    (void)text;
    (void)size;
}

static void stop(annealing *anneal) { (void)anneal; }

const annealing_engine engine_serial = {0, start, step, describe, stop};
