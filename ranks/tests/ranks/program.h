/* Runs a program of several ranks, over and over: over sim under many seeds, or over local.
 *
 *     PROGRAM(echo, .ranks = 3, PROGRAM_HANDLERS(table), .start = start, .check = check);
 *     TEST_CASE(what_is_sent_comes_back) {
 *         program_sim(&echo, 2000);
 *         program_local(&echo, 10);
 *     }
 *     int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
 *
 * Each rank has `bytes` of zeroed data, which is its svs_ranks_data(). After each run, all ranks
 * must have returned the same status and text, and all memory must have been released; then `check`
 * looks at the data of all ranks. A failure prints the command that repeats the run. */
#ifndef SVS_TESTS_RANKS_PROGRAM_H
#define SVS_TESTS_RANKS_PROGRAM_H

#include "case.h"
#include "transport/local.h"
#include "transport/sim.h"
#include <string.h>
#include <svs/ranks.h>

#define PROGRAM_RANKS 160

typedef struct rank_program rank_program;

/* What a rank has returned. */
typedef struct program_result {
    svs_status status; /* of the run, or of the call that failed before */
    char text[480];
    svs_ranks_statistics statistics;
} program_result;

/* One run of a program. */
typedef struct program_run {
    const rank_program *program;
    uint64_t seed;
    _Atomic(long) live;            /* blocks */
    _Atomic(uint64_t) allocations; /* so far */
    uint64_t fail_at;              /* this one fails, from 1; 0: none does */
    uint32_t fail_rank;            /* on this rank */
    char *data;                    /* of all ranks */
    bool flipped;                  /* a bit of a buffer: any end is right */
    uint32_t killed, also_killed;  /* their status is their own; PROGRAM_RANKS: none */
    program_result result[];       /* of each rank */
} program_run;

struct rank_program {
    const char *name;
    uint32_t ranks;
    size_t bytes;
    const svs_handler *const *handlers;
    size_t handler_count;
    void (*options)(svs_ranks_options *options, uint32_t rank, uint64_t seed); /* or NULL */
    svs_status (*prepare)(svs_ranks *ranks); /* before the run, or NULL */
    svs__sim_choose *choose;                 /* under sim, or NULL: random */
    svs_fiber_function *start;
    bool stepped;    /* its runs by begin, step and end */
    bool seeded;     /* the data begins with a uint64_t, the seed of the run */
    uint32_t rounds; /* runs of the same rank; 0: 1 */
    svs_status (*between)(svs_ranks *ranks); /* two of them, or NULL */
    svs_status status;                       /* that all ranks return */
    const char *text;                        /* a part of the failure's text, or NULL */
    const char *(*check)(program_run *run);  /* NULL: all is well */
    void (*look)(program_run *run);          /* at a run in which a rank was killed, or NULL */
};

/* Defines a program, which the command can repeat by its name. */
#define PROGRAM(name_, ...)                                                                        \
    static const rank_program name_;                                                               \
    __attribute__((constructor)) static void name_##_registers(void) { program_register(&name_); } \
    static const rank_program name_ = {.name = #name_, __VA_ARGS__}
#define PROGRAM_HANDLERS(table)                                                                    \
    .handlers = (table), .handler_count = sizeof(table) / sizeof *(table)
void program_register(const rank_program *program);
const rank_program *const *program_all(void); /* of this test; NULL is behind the last */

/* A check of a fiber: the data of its rank keeps the first wrong line. */
#define CHECK(mine, condition)                                                                     \
    do {                                                                                           \
        if (!(condition) && (mine)->wrong == 0) (mine)->wrong = __LINE__;                          \
    } while (0)
/* @return NULL, or what was wrong: that line (0: none). */
const char *program_wrong_line(int line, uint32_t rank);

static inline void *program_data(program_run *run, uint32_t rank) {
    return run->data + rank * run->program->bytes;
}

/* @return NULL, or what was wrong. */
const char *program_judge(program_run *run, int result);

void program_sim(const rank_program *program, uint64_t runs);
void program_local(const rank_program *program, uint64_t runs);
/* Each rank in turn is killed at each `stride`-th of its steps; the survivors agree. */
void program_kill(const rank_program *program, uint64_t stride);
/* Two ranks are killed at any of their steps, in `runs` ways; the survivors agree. */
void program_kill_two(const rank_program *program, uint64_t runs);
/* Each allocation of each rank in turn fails, under sim. */
void program_exhaust(const rank_program *program, uint32_t stride);
/* One bit of one buffer that arrives is wrong, in `runs` ways: the run ends in some way on all
 * ranks, or is stuck, and all memory is released. */
void program_flip(const rank_program *program, uint64_t runs);

/* One run under a chooser. */
const char *program_once(const rank_program *program, const svs__sim_options *options);

/* Runs a program of a test that makes its own ranks, over a transport such as "local:2".
 * @param word its argument. @return as svs_ranks_main(). */
int program_over(const char *transport, const char *word,
                 int (*program)(const svs_transport *transport, int argc, char **argv));

/* Runs the cases between a set-up and a tear-down (or NULL); with --case NAME only that one. With
 * --program NAME repeats a run: --sim SEED, --local, --kill RANK STEP SEED, --kill-two SEED,
 * --exhaust RANK ALLOCATION, --flip BUFFER BIT. */
int program_repeat(int argc, char **argv);
static inline int program_main(int argc, char **argv, CMFixtureFunction set_up,
                               CMFixtureFunction tear_down) {
    void *state = NULL;
    int result;
    if (argc == 3 && strcmp(argv[1], "--case") == 0) cmocka_set_test_filter(argv[2]);
    if (argc < 4 || strcmp(argv[1], "--program") != 0) return run_cases(set_up, tear_down);
    if (set_up != NULL && set_up(&state)) return 1;
    result = program_repeat(argc, argv);
    return tear_down != NULL && tear_down(&state) ? 1 : result;
}

/* `full` runs, scaled down under sanitizers and the like. */
uint64_t program_scaled(uint64_t full);

#endif
