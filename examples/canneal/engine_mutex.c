/* Fine-grained locks: a swap holds the locks of its two elements, taken in order. A few thousand
 * locks collide rarely and stay in the cache, where a padded lock for each of many elements would
 * not. */
#include <stdio.h>
#include <stdlib.h>

#include "annealing.h"
#include "common/padded_lock.h"
#include "common/parallel.h"

#define LOCKS_MAX 4096u

typedef struct mutex_engine {
    parallel_pool *pool;
    padded_lock *locks;
    uint32_t count; /* a power of two */
} mutex_engine;

static const char *start(annealing *anneal) {
    const annealing_options *options = &anneal->options;
    mutex_engine *state = calloc(1, sizeof *state);
    anneal->engine_state = state;
    if (!state) return "out of memory";
    for (state->count = 1;
         state->count < LOCKS_MAX && state->count < anneal->place.nets->locations;)
        state->count *= 2;
    state->locks = padded_locks_new(state->count, options->pthread_lock ? LOCK_PTHREAD : LOCK_SPIN);
    if (!state->locks) return "out of memory";
    state->pool = parallel_pool_new(options->threads);
    return state->pool ? NULL : "the threads cannot be made";
}

static void locked_swap(annealing *anneal, uint32_t index, tally *mine) {
    mutex_engine *state = anneal->engine_state;
    swap_pair pair = annealing_pair(anneal, index);
    uint32_t low = pair.a & (state->count - 1), high = pair.b & (state->count - 1);
    if (low > high) {
        uint32_t other = low;
        low = high;
        high = other;
    }
    padded_lock_acquire(&state->locks[low]);
    if (low != high) padded_lock_acquire(&state->locks[high]);
    annealing_swap(anneal, pair, index, mine);
    if (low != high) padded_lock_release(&state->locks[high]);
    padded_lock_release(&state->locks[low]);
}

static void swap_range(size_t begin, size_t end, unsigned worker, void *argument) {
    annealing *anneal = argument;
    for (size_t i = begin; i < end; i++) locked_swap(anneal, (uint32_t)i, &anneal->tallies[worker]);
}

static const char *step(annealing *anneal) {
    mutex_engine *state = anneal->engine_state;
    parallel_for(state->pool, anneal->options.swaps, anneal->options.chunk, swap_range, anneal);
    return NULL;
}

static void describe(annealing *anneal, char *text, size_t size) {
    const mutex_engine *state = anneal->engine_state;
    snprintf(text, size, " lock=%s locks=%u", anneal->options.pthread_lock ? "pthread" : "spin",
             state->count);
}

static void stop(annealing *anneal) {
    mutex_engine *state = anneal->engine_state;
    if (!state) return;
    parallel_pool_free(state->pool);
    padded_locks_free(state->locks, state->count);
    free(state);
}

const annealing_engine engine_mutex = {start, step, describe, stop};
