#include "annealing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/random.h"

#define COOLING 1.5
#define CHAIN_LENGTH 16
#define CHANCE_STREAM UINT64_C(0x632be59bd9b4e019) /* keeps the chances apart from the pairs */

static uint32_t drawn_element(const annealing *anneal, uint64_t index) {
    return (uint32_t)random_below_of(random_event(anneal->pairs, index),
                                     anneal->place.nets->locations);
}

swap_pair annealing_pair(const annealing *anneal, uint32_t index) {
    uint32_t chains = anneal->options.swaps / CHAIN_LENGTH + 1;
    uint32_t a = drawn_element(anneal, index), b = drawn_element(anneal, (uint64_t)index + chains);
    if (a == b) b = (b + 1) % anneal->place.nets->locations;
    return (swap_pair){a, b};
}

static void tally_add(uint64_t *field, uint64_t more) {
    svs_relaxed_store_u64(field, svs_relaxed_load_u64(field) + more);
}

bool annealing_accepts(const annealing *anneal, uint32_t index, int64_t cost) {
    if (cost < 0) return true;
    return random_unit_of(random_event(anneal->chances, index)) <
           exp(-(double)cost / anneal->temperature);
}

void annealing_count(tally *mine, int64_t cost) {
    tally_add(cost < 0 ? &mine->good : &mine->bad, 1);
    tally_add(&mine->cost, (uint64_t)cost);
}

void annealing_swap(annealing *anneal, swap_pair pair, uint32_t index, tally *mine) {
    int64_t cost = placement_swap_cost(&anneal->place, pair.a, pair.b);
    if (!annealing_accepts(anneal, index, cost)) return;
    placement_swap(&anneal->place, pair.a, pair.b);
    annealing_count(mine, cost);
}

static tally sum(const annealing *anneal) {
    tally all = {0};
    for (uint32_t i = 0; i < anneal->options.threads; i++) {
        all.cost += svs_relaxed_load_u64(&anneal->tallies[i].cost);
        all.good += svs_relaxed_load_u64(&anneal->tallies[i].good);
        all.bad += svs_relaxed_load_u64(&anneal->tallies[i].bad);
    }
    return all;
}

static void begin_step(annealing *anneal) {
    uint64_t seed = anneal->options.seed, step = (uint64_t)anneal->step;
    anneal->temperature /= COOLING;
    anneal->pairs = random_events(seed, step);
    anneal->chances = random_events(seed ^ CHANCE_STREAM, step);
}

static const char *run_steps(annealing *anneal, const annealing_engine *with) {
    const annealing_options *options = &anneal->options;
    tally before = sum(anneal);
    anneal->temperature = options->temperature;
    for (anneal->step = 0; options->steps < 0 || anneal->step < options->steps; anneal->step++) {
        begin_step(anneal);
        const char *wrong = with->step(anneal);
        if (wrong) return wrong;
        if (options->steps >= 0) continue;
        tally now = sum(anneal);
        if (now.good - before.good <= now.bad - before.bad) {
            anneal->step++;
            return NULL;
        }
        before = now;
    }
    return NULL;
}

static const char *measure(annealing *anneal, const annealing_engine *with,
                           annealing_result *result) {
    result->cost_before = placement_cost(&anneal->place);
    double wall = clock_wall_seconds(), cpu = clock_cpu_seconds();
    const char *wrong = run_steps(anneal, with);
    result->seconds = clock_wall_seconds() - wall;
    result->cpu_seconds = clock_cpu_seconds() - cpu;
    tally all = sum(anneal);
    result->steps = anneal->step;
    result->good = all.good;
    result->bad = all.bad;
    result->cost_kept = result->cost_before + (int64_t)all.cost;
    result->cost = placement_cost(&anneal->place);
    return wrong;
}

const char *annealing_run(annealing *anneal, annealing_result *result) {
    const annealing_engine *with = anneal->options.engine->methods;
    size_t bytes = anneal->options.threads * sizeof *anneal->tallies;
    *result = (annealing_result){0};
    if (!anneal->options.chunk) anneal->options.chunk = with->best_chunk;
    anneal->engine_state = NULL;
    anneal->tallies = aligned_alloc(_Alignof(tally), bytes);
    if (!anneal->tallies) return "out of memory";
    memset(anneal->tallies, 0, bytes);
    double begin = clock_wall_seconds();
    const char *wrong = with->start(anneal);
    double prepare = clock_wall_seconds() - begin;
    if (!wrong) wrong = measure(anneal, with, result);
    if (!wrong) with->describe(anneal, result->details, sizeof result->details);
    if (wrong) { /* it may be the engine's storage */
        snprintf(anneal->error, sizeof anneal->error, "%s", wrong);
        wrong = anneal->error;
    }
    begin = clock_wall_seconds();
    with->stop(anneal);
    result->prepare_seconds = prepare + clock_wall_seconds() - begin;
    free(anneal->tallies);
    anneal->tallies = NULL;
    return wrong;
}
