/* Programs of one rank: the data that they share, and their cases. */
#ifndef SVS_TESTS_RANKS_ONE_RANK_H
#define SVS_TESTS_RANKS_ONE_RANK_H

#include "base/random.h"
#include "ranks/program.h"

enum { ITEMS = 300 };

/* The data of a rank: each program uses what it needs. */
typedef struct own {
    uint64_t seed; /* of the run */
    int wrong;     /* line of the first check that failed */
    uint32_t count, other, order[ITEMS];
    svs_counter counter, second;
    svs_fiber fiber, held[ITEMS];
    int64_t hints[ITEMS];
    uint32_t held_count, asked;
    svs_scheduler *scheduler;
    bool inside;
    svs__random random;
} own;

static inline own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

static inline const char *check_own(program_run *run) {
    const char *wrong = NULL;
    for (uint32_t i = 0; i < run->program->ranks && !wrong; i++)
        wrong = program_wrong_line(((own *)program_data(run, i))->wrong, i);
    return wrong;
}

static inline svs_status nothing(svs_ranks *ranks, void *state) { return SVS_OK; }

static inline svs_status count_up(svs_ranks *ranks, void *state) {
    own_of(ranks)->count += *(uint32_t *)state;
    return SVS_OK;
}

/* Allowed in a thread, and not in an in-place fiber. */
static inline svs_status modifying(svs_ranks *ranks, void *state) {
    *(uint32_t *)state = 8;
    return SVS_OK;
}

/* The program of a function that starts it. */
#define ONE_RANK(start_, ...)                                                                      \
    PROGRAM(program_##start_, .ranks = 1, .bytes = sizeof(own), .seeded = true, .start = start_,   \
            __VA_ARGS__)

TEST_CASE(programs_of_one_rank_do_what_they_should) {
    for (const rank_program *const *p = program_all(); *p; p++) program_sim(*p, 50);
}

TEST_CASE(programs_of_one_rank_run_over_local) {
    for (const rank_program *const *p = program_all(); *p; p++) program_local(*p, 3);
}

#endif
