#include "transport/sim_order.h"
#include <stdio.h>

uint32_t svs__sim_choose_random(void *argument, svs__sim_choice choice, const uint32_t *options,
                                uint32_t count, uint32_t usual) {
    svs__sim *sim = argument;
    (void)options;
    if (choice == SVS__SIM_CHANNEL || choice == SVS__SIM_LOSE)
        return svs__random_below(&sim->random, count);
    if (usual < count && svs__random_below(&sim->random, sim->rate) != 0) return usual;
    return svs__random_below(&sim->random, count);
}

uint32_t svs__sim_choose_one(svs__sim *sim, svs__sim_choice choice, const uint32_t *options,
                             uint32_t count, uint32_t usual) {
    uint32_t chosen;
    if (count <= 1) return 0;
    chosen = sim->options.choose(sim->options.argument, choice, options, count, usual);
    SVS__CHECK(chosen < count);
    return chosen;
}

bool svs__sim_chance(svs__sim *sim, svs__sim_choice choice) {
    return svs__sim_choose_one(sim, choice, NULL, 2, 0) == 1;
}

/* ---- the order of the ranks ---- */

static bool can_go_on(const svs__sim *sim, const svs__sim_rank *rank) {
    if (rank->state == SVS__SIM_FRESH || rank->state == SVS__SIM_READY) return true;
    return rank->state == SVS__SIM_IDLE &&
           (rank->in_flight != 0 || rank->until <= sim->now || rank->dead ||
            rank->sent.first != NULL || svs__sim_may_move(rank));
}

static uint32_t candidates(svs__sim *sim, uint32_t *current) {
    uint32_t found = 0;
    *current = UINT32_MAX;
    for (uint32_t i = 0; i < sim->options.count; i++) {
        if (!can_go_on(sim, &sim->ranks[i])) continue;
        if (&sim->ranks[i] == sim->current) *current = found;
        sim->list[found++] = i;
    }
    return found;
}

/* @return false: no idle rank has a limit. */
static bool advance_time(svs__sim *sim) {
    uint64_t first = SVS__NEVER;
    for (uint32_t i = 0; i < sim->options.count; i++)
        if (sim->ranks[i].state == SVS__SIM_IDLE && sim->ranks[i].until < first)
            first = sim->ranks[i].until;
    if (first == SVS__NEVER) return false;
    if (sim->now < first) sim->now = first;
    return true;
}

/* transport.S2 */
void svs__sim_get_stuck(svs__sim *sim, const char *why) {
    if (!sim->options.quiet)
        fprintf(stderr, "svs: sim:%u:%llu is stuck: %s\n", sim->options.count,
                (unsigned long long)sim->options.seed, why);
    sim->stuck = true;
    for (uint32_t i = 0; i < sim->options.count; i++) sim->ranks[i].dead = true;
}

static bool all_have_ended(const svs__sim *sim) {
    for (uint32_t i = 0; i < sim->options.count; i++)
        if (sim->ranks[i].state != SVS__SIM_ENDED) return false;
    return true;
}

/* Chooses the rank that runs next (sim_order.h). If none can go on, time advances. */
void svs__sim_choose_next(svs__sim *sim) {
    uint32_t count, current;
    if (svs__sim_chance(sim, SVS__SIM_TIME)) (void)advance_time(sim);
    count = candidates(sim, &current);
    if (count == 0 && !all_have_ended(sim)) {
        if (!advance_time(sim))
            svs__sim_get_stuck(sim, "all ranks are idle, and nothing is in flight");
        count = candidates(sim, &current);
    }
    sim->next = NULL;
    if (count != 0)
        sim->next = &sim->ranks[sim->list[svs__sim_choose_one(sim, SVS__SIM_RANK, sim->list, count,
                                                              current)]];
}

/* Switches to another rank if the chooser chooses one, and returns when this rank is chosen
 * again. */
void svs__sim_turn(svs__sim_rank *rank) {
    svs__sim *sim = rank->sim;
    svs__sim_choose_next(sim);
    if (sim->next != rank) svs__place_switch(&rank->stack->place, &sim->place, false);
    rank->state = SVS__SIM_READY;
}
