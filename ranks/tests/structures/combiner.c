/* The combiner of ranks/bench/multipol/phylogeny: after the last round each rank knows what any
 * rank has found, on any number of ranks, whoever asked for how many rounds and when. */
#include "../../bench/multipol/phylogeny/phylogeny_combine.h"
#include "ranks/program.h"

enum { FOUND = 40, RANKS_MOST = 9 };

/* What a rank knows: bit i of the set of rank r is set in known[r][i]. */
typedef struct knower {
    uint64_t seed;
    combiner *combines;
    svs_counter done;
    uint32_t steps, times[RANKS_MOST][FOUND];
    uint32_t taken;
    svs_counter pause;
} knower;

static set name_of(uint32_t rank, uint32_t which) {
    set made = {{0}};
    set_add(&made, rank);
    set_add(&made, 64 + which);
    return made;
}

/* Knows a set, or refuses it. */
static bool take(void *argument, const set *found) {
    knower *mine = argument;
    uint32_t rank = set_next(found, 0), which = set_next(found, 64) - 64;
    bool is_new = mine->times[rank][which]++ == 0;
    mine->taken += is_new;
    return is_new;
}

static svs_status finish(svs_ranks *ranks, void *state) {
    knower *mine = svs_ranks_data(ranks);
    svs_fiber rest;
    svs_status status = combiner_finish(mine->combines, &mine->done);
    if (status != SVS_WAIT) return status;
    status = svs_fiber_continue(ranks, finish, &rest);
    return status == SVS_OK ? svs_post_ready(ranks, 0, rest) : status;
}

/* Rank 0 finishes when the others have found all: they tell it. */
static svs_status tell(svs_ranks *ranks, void *state);
SVS_HANDLER(told, uint64_t, tell, SVS_DISPATCH_FIFO)
static const svs_handler *const handlers[] = {&told};

static svs_status tell(svs_ranks *ranks, void *state) {
    knower *mine = svs_ranks_data(ranks);
    svs_counter_add(ranks, &mine->pause, 1);
    return mine->pause.value == svs_ranks_count(ranks) ? finish(ranks, state) : SVS_OK;
}

/* Finds a set, sometimes asks, and lets others run. */
static svs_status find(svs_ranks *ranks, void *state) {
    knower *mine = svs_ranks_data(ranks);
    const uint64_t one = 1;
    uint32_t rank = svs_ranks_index(ranks);
    svs_status status;
    svs_fiber rest;
    if (mine->steps == FOUND) {
        status = rank == 0 ? SVS_OK : finish(ranks, state);
        return status == SVS_OK ? told_post(ranks, 0, &one) : status;
    }
    set found = name_of(rank, mine->steps++);
    (void)take(mine, &found);
    combiner_found(mine->combines, &found);
    mine->seed = mine->seed * UINT64_C(6364136223846793005) + rank + 1442695040888963407u;
    if (mine->seed >> 62 == 0) {
        status = combiner_ask(mine->combines);
        if (status != SVS_OK) return status;
    }
    status = svs_fiber_continue(ranks, find, &rest);
    return status == SVS_OK ? svs_fiber_enable(ranks, rest) : status;
}

static svs_status make(svs_ranks *ranks) {
    knower *mine = svs_ranks_data(ranks);
    return combiner_new(ranks, take, mine, &mine->combines);
}

static const char *check_knowledge(program_run *run) {
    for (uint32_t r = 0; r < run->program->ranks; r++) {
        const knower *mine = program_data(run, r);
        if (mine->done.value != 1) return "the last round has not ended, or has ended twice";
        if (mine->taken != run->program->ranks * FOUND) return "sets were not counted";
        for (uint32_t from = 0; from < run->program->ranks; from++)
            for (uint32_t i = 0; i < FOUND; i++)
                if (mine->times[from][i] == 0) return "a rank does not know a set of another one";
    }
    return NULL;
}

#define COMBINING(n)                                                                               \
    PROGRAM(combining_##n, .ranks = n, .bytes = sizeof(knower), PROGRAM_HANDLERS(handlers),        \
            .prepare = make, .start = find, .seeded = true, .check = check_knowledge)
COMBINING(1);
COMBINING(2);
COMBINING(3);
COMBINING(6);
COMBINING(9);

TEST_CASE(all_ranks_know_what_any_rank_has_found) {
    static const rank_program *const programs[] = {&combining_1, &combining_2, &combining_3,
                                                   &combining_6, &combining_9};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        program_sim(programs[i], 200);
        program_local(programs[i], 3);
    }
}

TEST_CASE(a_killed_rank_ends_the_run) { program_kill(&combining_3, 31); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
