/* Fine-grained locks: a swap holds the locks of its two elements while it is judged and made. With
 * reader-writer locks a swap is judged under shared locks, and only an accepted swap takes them
 * exclusively; it is judged again if one of the two elements has moved in between. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "annealing.h"

typedef struct mutex_engine {
    void *team;
    lock_table locks; /* locks by element */
} mutex_engine;

static const char *start(annealing *anneal) {
    const annealing_options *options = &anneal->options;
    const team_kind *kind = options->engine->team;
    mutex_engine *state = calloc(1, sizeof *state);
    anneal->engine_state = state;
    if (!state) return "out of memory";
    if (!lock_table_init(&state->locks, anneal->place.nets->locations, options->lock, kind->lock))
        return "out of memory";
    state->team = kind->open(options->threads);
    return state->team ? NULL : "the threads cannot be made";
}

static void locked_swap(annealing *anneal, uint32_t index, tally *mine) {
    const mutex_engine *state = anneal->engine_state;
    swap_pair pair = annealing_pair(anneal, index);
    lock_pair held = lock_table_acquire_pair(&state->locks, pair.a, pair.b, false);
    annealing_swap(anneal, pair, index, mine);
    lock_pair_release(&held);
}

static void judged_swap(annealing *anneal, uint32_t index, tally *mine) {
    const mutex_engine *state = anneal->engine_state;
    const placement *place = &anneal->place;
    swap_pair pair = annealing_pair(anneal, index);
    lock_pair held = lock_table_acquire_pair(&state->locks, pair.a, pair.b, true);
    uint32_t at_a = svs_relaxed_load_u32(&place->at[pair.a]);
    uint32_t at_b = svs_relaxed_load_u32(&place->at[pair.b]);
    int64_t cost = placement_swap_cost(place, pair.a, pair.b);
    lock_pair_release(&held);
    if (!annealing_accepts(anneal, index, cost)) return;
    held = lock_table_acquire_pair(&state->locks, pair.a, pair.b, false);
    if (svs_relaxed_load_u32(&place->at[pair.a]) != at_a ||
        svs_relaxed_load_u32(&place->at[pair.b]) != at_b) {
        annealing_swap(anneal, pair, index, mine);
    } else {
        placement_swap(&anneal->place, pair.a, pair.b);
        annealing_count(mine, cost);
    }
    lock_pair_release(&held);
}

static void swap_range(size_t begin, size_t end, unsigned worker, void *argument) {
    annealing *anneal = argument;
    tally *mine = &anneal->tallies[worker];
    bool judge_first = anneal->options.lock == LOCKS_RW;
    for (size_t i = begin; i < end; i++) {
        if (judge_first) judged_swap(anneal, (uint32_t)i, mine);
        else locked_swap(anneal, (uint32_t)i, mine);
    }
}

static const char *step(annealing *anneal) {
    mutex_engine *state = anneal->engine_state;
    anneal->options.engine->team->loop(state->team, anneal->options.swaps, anneal->options.chunk,
                                       swap_range, anneal);
    return NULL;
}

static void describe(annealing *anneal, char *text, size_t size) {
    const mutex_engine *state = anneal->engine_state;
    const annealing_options *options = &anneal->options;
    snprintf(text, size, " lock=%s locks=%zu chunk=%" PRIu32,
             engine_lock_name(options->engine, options->lock), state->locks.count, options->chunk);
}

static void stop(annealing *anneal) {
    mutex_engine *state = anneal->engine_state;
    if (!state) return;
    anneal->options.engine->team->close(state->team);
    lock_table_clean_up(&state->locks);
    free(state);
}

const annealing_engine engine_mutex = {128, start, step, describe, stop};
