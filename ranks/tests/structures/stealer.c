/* Task stealers: trees of tasks over all ranks, in two stealers that terminate together, over each
 * network, with pushes and tasks for given ranks. No task is lost or run twice, and termination
 * comes when all are complete, not before, and within 5 reductions. */
#include "base/atomic.h"
#include "base/random.h"
#include "ranks/program.h"
#include <stdio.h>

enum { TASKS = 256, PHASES = 2, ROUNDS = 2, WORKERS = 2, DATA = 40, RANKS_MOST = 8 };

/* A task, which ends with `bytes` % 8 of its own. */
typedef struct task {
    uint32_t number, phase; /* the number: of this rank, and of the task on it */
    uint32_t children, check;
    unsigned char data[DATA];
} task;

typedef struct own {
    uint64_t seed;
    int wrong;
    svs__random random;
    svs_stealer *stealers[2];
    uint32_t phase, budget, created, run[RANKS_MOST][TASKS];     /* by the rank that has added it */
    uint32_t added[ROUNDS * PHASES], completed[ROUNDS * PHASES]; /* ... as of the report */
    uint32_t reported, workers;
    svs_counter terminated, worker_ended;
    uint64_t waves, freezes; /* at the last completion of all ranks, under sim */
    svs_stealer_statistics statistics[2];
} own;

static own *own_of(svs_ranks *ranks) { return svs_ranks_data(ranks); }

static own *all_ranks[RANKS_MOST]; /* of a run under sim */
static uint64_t freezes_seen, terminations_seen, migrated_seen, delayed_seen;

/* ---- making ---- */

/* A line: each rank is a neighbour of the next. */
static uint32_t line(uint32_t rank, uint32_t ranks, uint32_t which, void *argument) {
    (void)argument;
    if (rank == 0) which++;
    if (which == 0) return rank - 1;
    return which == 1 && rank + 1 < ranks ? rank + 1 : SVS_STEALER_ANY;
}

static svs_status prepare_apart(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_stealer_options options;
    svs_status status;
    svs_stealer_options_init(&options);
    options.name = "first";
    options.task_bytes = sizeof(task);
    options.buffer_bytes = mine->seed % 2 == 0 ? sizeof(task) + 24 : 400;
    options.network = (svs_stealer_network)(mine->seed % (SVS_STEALER_PUSH + 1));
    options.neighbour = options.network == SVS_STEALER_OWN ? line : NULL;
    options.threshold = (uint32_t)(mine->seed / 6 % 4);
    options.seed = mine->seed;
    if (options.threshold == 0 && svs_ranks_index(ranks) == 0) options.threshold = 1;
    status = svs_stealer_new(ranks, &options, &mine->stealers[0]);
    if (status != SVS_OK) return status;
    options.name = "second";
    options.network = mine->seed % 3 == 0 ? SVS_STEALER_PUSH : SVS_STEALER_RANDOM;
    options.neighbour = NULL;
    options.snapshot_of = mine->stealers[0];
    return svs_stealer_new(ranks, &options, &mine->stealers[1]);
}

static svs_status prepare(svs_ranks *ranks) {
    all_ranks[svs_ranks_index(ranks)] = own_of(ranks);
    return prepare_apart(ranks);
}

/* ---- tasks ---- */

static svs_status add_one(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs__random *random = &mine->random;
    uint32_t count = svs_ranks_count(ranks), size = svs__random_below(random, DATA + 1);
    svs_stealer_hint hint = {svs__random_below(random, 3), svs__random_below(random, 5),
                             svs__random_below(random, 100)};
    task one = {.number = svs_ranks_index(ranks) * TASKS + mine->created,
                .phase = mine->phase,
                .children = svs__random_below(random, 4)};
    uint32_t to =
        svs__random_below(random, 3) == 0 ? svs__random_below(random, count) : SVS_STEALER_ANY;
    if (mine->budget == 0 || mine->created == TASKS) return SVS_OK;
    mine->budget--;
    mine->created++;
    mine->added[mine->phase]++;
    for (uint32_t i = 0; i < size; i++) one.data[i] = (unsigned char)(one.number + i);
    one.check = size;
    return svs_stealer_add(mine->stealers[svs__random_below(random, 2)], to, &one,
                           offsetof(task, data) + size, one.number % 3 == 0 ? NULL : &hint);
}

/* The reductions of a rank from here on are counted. */
static void count_from_here(own *rank) {
    svs_stealer_statistics now;
    if (svs_stealer_statistics_get(rank->stealers[0], &now)) abort();
    rank->waves = now.waves;
    rank->freezes = now.freezes;
}

static void note_completion(void) {
    for (int i = 0; i < RANKS_MOST; i++)
        if (all_ranks[i] != NULL) count_from_here(all_ranks[i]);
}

static svs_status run_one(svs_ranks *ranks, const task *one, size_t bytes, bool polls) {
    own *mine = own_of(ranks);
    svs_status status = SVS_OK;
    CHECK(mine, one->phase == mine->phase); /* structures.K3 */
    CHECK(mine, one->check <= DATA && bytes == offsetof(task, data) + one->check);
    CHECK(mine, one->number < svs_ranks_count(ranks) * TASKS && one->children < 4);
    if (mine->wrong) return 1;
    for (uint32_t i = 0; i < one->check; i++)
        CHECK(mine, one->data[i] == (unsigned char)(one->number + i));
    if (mine->wrong) return 1;
    mine->run[one->number / TASKS][one->number % TASKS]++;
    for (uint32_t i = 0; i < one->children && status == SVS_OK; i++) {
        status = add_one(ranks);
        if (polls) svs_poll(ranks); /* steals from this rank's pool, and tasks for it */
    }
    return status;
}

/* A fiber that completes a task, after the worker that has run it. */
static svs_status complete_later(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    mine->completed[mine->phase]++;
    note_completion();
    return svs_stealer_complete(*(svs_stealer **)state);
}

static svs_status complete(svs_ranks *ranks, svs_stealer *stealer) {
    svs_fiber later;
    if (svs__random_below(&own_of(ranks)->random, 3) != 0) return complete_later(ranks, &stealer);
    if (svs_fiber_new(ranks, complete_later, &stealer, sizeof(svs_stealer *), NULL, &later))
        return 1;
    return svs_fiber_enable(ranks, later);
}

static svs_status work(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    uint32_t which = *(uint32_t *)state;
    svs_stealer *stealer = mine->stealers[which % 2];
    svs_counter available;
    svs_counter_init(&available, 0);
    for (int64_t count = 1;; count++) {
        task one;
        size_t bytes;
        svs_status status = svs_stealer_remove(stealer, &one, &bytes, &available);
        if (status == SVS_WAIT) status = svs_await(ranks, &available, count);
        if (status != SVS_OK) return status;
        CHECK(mine, available.value == count); /* structures.K1 */
        if (bytes == SVS_STEALER_END) break;
        status = run_one(ranks, &one, bytes, which < 2);
        if (status == SVS_OK) status = complete(ranks, stealer);
        if (status != SVS_OK) return status;
    }
    svs_counter_add(ranks, &mine->worker_ended, 1);
    return SVS_OK;
}

/* ---- phases ---- */

static void look_at_reductions(own *mine) {
    const svs_stealer_statistics *now = &mine->statistics[0];
    uint64_t waves = now->waves - mine->waves, freezes = now->freezes - mine->freezes;
    CHECK(mine, waves <= 2 && freezes <= 1); /* 5 reductions: 3 for a freeze, with its sum */
}

static svs_status phase(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_counter ends;
    svs_status status = SVS_OK;
    mine->budget = TASKS / (ROUNDS * PHASES) / (1 + (uint32_t)(mine->seed % 7));
    for (uint32_t i = svs__random_below(&mine->random, 4); i != 0 && status == SVS_OK; i--)
        status = add_one(ranks);
    if (status != SVS_OK) return status;
    svs_counter_init(&ends, 0);
    count_from_here(mine);
    status = svs_stealer_wait(mine->stealers[mine->seed % 2], &ends);
    if (status != SVS_WAIT) return status;
    CHECK(mine, svs_stealer_wait(mine->stealers[0], &ends) == SVS_E_BUSY); /* structures.K2 */
    for (uint32_t i = 0; i < 2 * WORKERS; i++)
        if (svs_thread_spawn(ranks, work, &i, sizeof i, NULL)) return 1;
    status = svs_await(ranks, &ends, 1);
    if (status != SVS_OK) return status;
    mine->reported++;
    for (int i = 0; i < 2; i++)
        if (svs_stealer_statistics_get(mine->stealers[i], &mine->statistics[i])) return 1;
    if (all_ranks[svs_ranks_index(ranks)] != NULL) look_at_reductions(mine);
    CHECK(mine, svs_stealer_complete(mine->stealers[0]) == SVS_E_STATE);
    status = svs_await(ranks, &mine->worker_ended, (int64_t)mine->reported * 2 * WORKERS);
    mine->phase++;
    return status;
}

/* The stealers are freed in the last run, between runs, or with the rank. */
static svs_status free_both(svs_ranks *ranks) {
    own *mine = own_of(ranks);
    svs_counter done;
    svs_counter_init(&done, 0);
    for (int i = 1; i >= 0; i--) {
        svs_status status = svs_stealer_free(mine->stealers[i], &done);
        if (status == SVS_WAIT) status = svs_await(ranks, &done, 2 - i);
        if (status != SVS_OK) return status;
        mine->stealers[i] = NULL;
    }
    return SVS_OK;
}

static svs_status run_phases(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_status status = SVS_OK;
    (void)state;
    for (int i = 0; i < PHASES && status == SVS_OK; i++) status = phase(ranks);
    if (status == SVS_OK && mine->phase == ROUNDS * PHASES && mine->seed % 2 == 0) {
        all_ranks[svs_ranks_index(ranks)] = NULL;
        status = free_both(ranks);
    }
    return status;
}

static svs_status start(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs__random_seed(&mine->random, mine->seed * 31 + svs_ranks_index(ranks) + mine->phase);
    return svs_thread_spawn(ranks, run_phases, state, 0, NULL);
}

/* ---- judgement ---- */

static const char *check_phases(program_run *run) {
    uint32_t ranks = run->program->ranks;
    for (uint32_t p = 0; p < ROUNDS * PHASES; p++) {
        uint32_t added = 0, completed = 0;
        for (uint32_t i = 0; i < ranks; i++) {
            const own *mine = program_data(run, i);
            added += mine->added[p];
            completed += mine->completed[p];
        }
        if (added != completed) return "tasks were not complete"; /* structures.K3 */
    }
    return NULL;
}

static const char *check_tasks(program_run *run) {
    uint32_t ranks = run->program->ranks;
    for (uint32_t of = 0; of < ranks; of++) {
        const own *creator = program_data(run, of);
        for (uint32_t one = 0; one < TASKS; one++) {
            uint32_t times = 0;
            for (uint32_t i = 0; i < ranks; i++)
                times += ((own *)program_data(run, i))->run[of][one];
            if (times != (one < creator->created)) return "a task was lost, or run twice";
        }
    }
    return NULL;
}

static const char *check(program_run *run) {
    uint64_t given = 0, migrated = 0, sent = 0, received = 0;
    const char *wrong = NULL;
    memset(all_ranks, 0, sizeof all_ranks);
    for (uint32_t i = 0; i < run->program->ranks && wrong == NULL; i++) {
        const own *mine = program_data(run, i);
        wrong = program_wrong_line(mine->wrong, i);
        if (mine->reported != ROUNDS * PHASES) wrong = "termination was not reported";
        for (int k = 0; k < 2; k++) {
            const svs_stealer_statistics *of = &mine->statistics[k];
            given += of->given;
            migrated += of->migrated;
            sent += of->sent;
            received += of->received;
            delayed_seen += of->delayed;
            if (of->removed != of->completed || of->local > of->removed) wrong = "wrong counts";
        }
        freezes_seen += mine->statistics[0].freezes;
        terminations_seen += mine->statistics[0].terminations;
    }
    migrated_seen += migrated;
    if (wrong == NULL && (given != migrated || sent != received)) wrong = "wrong counts of moves";
    if (wrong == NULL) wrong = check_phases(run);
    return wrong == NULL ? check_tasks(run) : wrong;
}

static void vary(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    (void)rank;
    options->aggregate_bytes = seed % 3 * 200;
    options->credits = 1 + (uint32_t)(seed % 2);
    options->direct_ranks = seed % 4 == 0 ? 2 : 64;
    options->threads = 8;
}

#define TREES_ON(n)                                                                                \
    PROGRAM(trees_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,          \
            .prepare = prepare, .rounds = ROUNDS, .start = start, .check = check)
TREES_ON(1);
TREES_ON(2);
TREES_ON(3);
TREES_ON(5);
TREES_ON(8);
/* Of which no rank looks at another one, which may run at the same time, or be gone. */
#define TREES_APART_ON(n)                                                                          \
    PROGRAM(trees_apart_##n, .ranks = n, .bytes = sizeof(own), .seeded = true, .options = vary,    \
            .prepare = prepare_apart, .rounds = ROUNDS, .start = start, .check = check)
TREES_APART_ON(2);
TREES_APART_ON(3);

/* ---- a rank that has no memory for a task that it adds ----
 *
 * In the first run each rank adds large tasks to its own pool. So the only allocations in an add
 * are those of the pool, one of which fails. The task is refused, and added again. In the second
 * run all tasks are removed, here or by thieves. */

enum { SHORT_TASKS = 12, SHORT_BYTES = 16384, SHORT_RANKS = 3 };

typedef struct short_own {
    uint64_t seed;
    int wrong;
    svs_stealer *stealer;
    uint32_t added, refused, reported, run[SHORT_RANKS * SHORT_TASKS];
    svs_counter terminated, available;
    svs_stealer_statistics statistics;
    size_t bytes;
    unsigned char room[SHORT_BYTES]; /* of the task that is removed */
} short_own;

/* The allocator of a rank. The call that takes `left` from 1 to 0 fails; at 0, none does. */
static struct short_memory {
    svs_allocator given;
    uint32_t left;
} short_memories[SHORT_RANKS];

static void *allocate_short(size_t size, size_t alignment, uint32_t worker, void *argument) {
    struct short_memory *memory = argument;
    if (memory->left != 0 && --memory->left == 0) return NULL;
    return memory->given.allocate(size, alignment, worker, memory->given.argument);
}

static void release_short(void *block, size_t size, size_t alignment, uint32_t worker,
                          void *argument) {
    const struct short_memory *memory = argument;
    memory->given.release(block, size, alignment, worker, memory->given.argument);
}

static void vary_short(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    vary(options, rank, seed);
    short_memories[rank] = (struct short_memory){.given = options->allocator};
    options->allocator = (svs_allocator){allocate_short, release_short, &short_memories[rank]};
}

static svs_status prepare_short(svs_ranks *ranks) {
    short_own *mine = svs_ranks_data(ranks);
    svs_stealer_options options;
    svs_stealer_options_init(&options);
    options.name = "short";
    options.task_bytes = SHORT_BYTES;
    options.buffer_bytes = SHORT_BYTES + 24;
    options.network = mine->seed % 2 == 0 ? SVS_STEALER_RANDOM : SVS_STEALER_RING;
    options.seed = mine->seed;
    return svs_stealer_new(ranks, &options, &mine->stealer);
}

/* The orders of the pool and its first tasks, or later ones while it has tasks. */
static uint32_t failing_allocation(const short_own *mine) { return 1 + mine->seed / 2 % 5; }

/* Each fifth task is a large one. */
static size_t short_bytes(uint32_t number) { return number % 5 == 0 ? SHORT_BYTES : 4; }

static svs_status add_short(svs_ranks *ranks) {
    short_own *mine = svs_ranks_data(ranks);
    uint32_t rank = svs_ranks_index(ranks), number = rank * SHORT_TASKS;
    struct short_memory *memory = &short_memories[rank];
    memory->left = failing_allocation(mine);
    while (mine->added < SHORT_TASKS) {
        svs_status status;
        memcpy(mine->room, &number, sizeof number);
        status = svs_stealer_add(mine->stealer, rank, mine->room, short_bytes(number), NULL);
        if (status == SVS_E_NO_MEMORY && memory->left == 0) {
            mine->refused++;
            continue;
        }
        if (status != SVS_OK) return status;
        mine->added++;
        number++;
    }
    CHECK(mine, memory->left == 0);
    return SVS_OK;
}

static svs_status run_short(svs_ranks *ranks, void *state) {
    short_own *mine = svs_ranks_data(ranks);
    (void)state;
    for (int64_t count = 1;; count++) {
        uint32_t number;
        svs_status status =
            svs_stealer_remove(mine->stealer, mine->room, &mine->bytes, &mine->available);
        if (status == SVS_WAIT) status = svs_await(ranks, &mine->available, count);
        if (status != SVS_OK || mine->bytes == SVS_STEALER_END) return status;
        memcpy(&number, mine->room, sizeof number);
        CHECK(mine, number < SHORT_RANKS * SHORT_TASKS && mine->bytes == short_bytes(number));
        if (mine->wrong) return 1;
        mine->run[number]++;
        svs_poll(ranks);
        status = svs_stealer_complete(mine->stealer);
        if (status != SVS_OK) return status;
    }
}

static svs_status await_short(svs_ranks *ranks, void *state) {
    short_own *mine = svs_ranks_data(ranks);
    svs_status status = svs_stealer_wait(mine->stealer, &mine->terminated);
    if (status == SVS_WAIT) status = svs_thread_spawn(ranks, run_short, state, 0, NULL);
    if (status == SVS_OK) status = svs_await(ranks, &mine->terminated, 1);
    mine->reported += status == SVS_OK;
    return status == SVS_OK ? svs_stealer_statistics_get(mine->stealer, &mine->statistics) : status;
}

static svs_status start_short(svs_ranks *ranks, void *state) {
    const short_own *mine = svs_ranks_data(ranks);
    return mine->added == 0 ? add_short(ranks)
                            : svs_thread_spawn(ranks, await_short, state, 0, NULL);
}

static const char *check_short(program_run *run) {
    uint32_t times[SHORT_RANKS * SHORT_TASKS] = {0};
    const char *wrong = NULL;
    for (uint32_t i = 0; i < SHORT_RANKS && wrong == NULL; i++) {
        const short_own *mine = program_data(run, i);
        wrong = program_wrong_line(mine->wrong, i);
        if (mine->refused != 1) wrong = "no task was refused, or several";
        if (mine->reported != 1) wrong = "termination was not reported";
        if (mine->statistics.added != SHORT_TASKS) wrong = "a refused task was counted";
        for (uint32_t k = 0; k < SHORT_RANKS * SHORT_TASKS; k++) times[k] += mine->run[k];
        migrated_seen += mine->statistics.migrated;
    }
    for (uint32_t k = 0; k < SHORT_RANKS * SHORT_TASKS && wrong == NULL; k++)
        if (times[k] != 1) wrong = "a task was lost, or run twice";
    return wrong;
}

PROGRAM(short_3, .ranks = SHORT_RANKS, .bytes = sizeof(short_own), .seeded = true,
        .options = vary_short, .prepare = prepare_short, .rounds = 2, .start = start_short,
        .check = check_short);

TEST_CASE(each_task_runs_once_and_termination_is_neither_early_nor_missed) {
    program_sim(&trees_1, 500);
    program_sim(&trees_3, 10000);
    program_sim(&trees_2, 6000);
    program_sim(&trees_5, 3000);
    program_sim(&trees_8, 500);
    program_local(&trees_apart_3, 20);
    /* What the runs are to show did happen. */
    assert_true(migrated_seen > 0 && delayed_seen > 0);
    if (program_scaled(100) == 100) assert_true(freezes_seen > terminations_seen);
}

TEST_CASE(a_killed_rank_ends_the_run) { program_kill(&trees_apart_3, 61); }

TEST_CASE(a_lack_of_memory_ends_the_run_or_is_reported) { program_exhaust(&trees_apart_2, 1); }

TEST_CASE(a_task_without_memory_is_refused_and_all_others_are_run) {
    migrated_seen = 0;
    program_sim(&short_3, 500);
    assert_true(migrated_seen > 0);
}

TEST_CASE(a_wrong_bit_ends_the_run) { program_flip(&trees_apart_3, 3000); }

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
