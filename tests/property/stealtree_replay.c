/* A recorded run is replayed thousands of times: with the same steal tree, and the same results as
 * the serial elision. `stealtree_replay help-first|work-first [SEED] [RUNS]`: with a seed, one
 * run on each team; RUNS of each team, 1000 by default: 10,000 in all. */
#include "../unit/stealtree/again.h"

static uint64_t only_seed;

static uint64_t runs_each = 1000;
/* Steals of a run, on average: over all teams, and of each. */
#define STEALS 100
#define STEALS_LEAST 40

typedef struct sums {
    uint64_t runs, steals, nested, resumed;
} sums;

static void expect_same_tree(const svs_trace *trace, const svs_trace *again, uint64_t seed) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs__steal_tree *tree = NULL, *other = NULL;
    if (svs__tree_new_verified(trace, &tree, message, sizeof message) ||
        svs__tree_new_verified(again, &other, message, sizeof message))
        fail_msg("program %llu: %s", (unsigned long long)seed, message);
    assert_true(svs__tree_equal(tree, other));
    svs__tree_free(tree);
    svs__tree_free(other);
}

static void record_and_replay(svs_runtime *runtime, known *k, uint64_t seed, bool timed,
                              sums *all) {
    char message[SVS_TRACE_MESSAGE] = "";
    svs_replay_options options;
    svs_trace *trace = record(runtime, known_run, k), *again;
    svs_trace_statistics statistics = statistics_of(trace);
    known_check(k);
    svs_replay_options_init(&options);
    options.timed = timed;
    if (svs_replay_start(runtime, trace, &options, message, sizeof message))
        fail_msg("program %llu: %s", (unsigned long long)seed, message);
    assert_int_equal(svs_async_run(runtime, known_run, k), SVS_OK);
    if (svs_replay_stop(runtime, &again, message, sizeof message))
        fail_msg("--seed %llu, policy %u, %u workers%s: %s", (unsigned long long)seed,
                 statistics.policy, statistics.workers, timed ? ", timed" : "", message);
    known_check(k);
    expect_same_tree(trace, again, seed);
    all->runs++;
    all->steals += statistics.steals;
    all->nested += statistics.nested;
    all->resumed += statistics.resumed;
    svs_trace_free(trace);
    svs_trace_free(again);
}

static sums expect_team(uint32_t policy, uint32_t threads) {
    static uint64_t seed; /* others for each team */
    svs_runtime *runtime = started_as(policy, threads, 200);
    uint64_t runs = only_seed ? 1 : scaled(runs_each, 8);
    sums all = {0, 0, 0, 0};
    for (uint64_t i = 0; i < runs; i++) {
        known k;
        if (only_seed) seed = only_seed - 1;
        k = known_make(++seed, threads == 2 ? 500 : 250);
        record_and_replay(runtime, &k, seed, i % 5 == 4, &all);
        known_free(&k);
    }
    print_message("%s, %u workers: %llu runs, %llu steals, %llu inner phases, %llu resumed\n",
                  policy_name(policy), threads, (unsigned long long)all.runs,
                  (unsigned long long)all.steals, (unsigned long long)all.nested,
                  (unsigned long long)all.resumed);
    assert_true(only_seed || all.steals >= STEALS_LEAST * all.runs);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return all;
}

static uint32_t policy;

TEST_CASE(runs_are_repeated) {
    static const uint32_t threads[] = {2, 3, 4, 6, 8};
    uint64_t runs = 0, steals = 0;
    for (uint32_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        sums all = expect_team(policy, threads[i]);
        runs += all.runs;
        steals += all.steals;
    }
    assert_true(only_seed || steals >= STEALS * runs);
}

int main(int argc, char **argv) {
    if (argc > 1) policy = strcmp(argv[1], policy_name(SVS_POLICY_WORK_FIRST)) == 0;
    if (argc > 2) only_seed = strtoull(argv[2], NULL, 10);
    if (argc > 3) runs_each = strtoull(argv[3], NULL, 10);
    return run_cases(NULL, NULL);
}
