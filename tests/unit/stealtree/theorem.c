/* Theorems 5.8 and 6.3: the steps of each phase, rebuilt from the trace alone, are those that the
 * worker has really run, which the bodies write down themselves.
 * `--seed N` runs one program, under both policies with 1 to 8 workers. */
#include "../base/helpers.h"
#include "run.h"
#include "started.h"
#include "stealtree/verify.h"
#include "walk.h"
#include <stdalign.h>
#include <svs/check.h>

/* The steps that each worker ran: only that worker writes its own. */
typedef struct diary {
    alignas(SVS__CACHE_LINE) uint32_t *steps;
    uint32_t count;
} diary;

static diary diaries[WALK_WORKERS];
static uint64_t only_seed;

/* Lets others in, now and then. */
static void linger(uint32_t step) {
    uint32_t turns = step * 2654435761u >> 28;
    if (turns < 3) svs__yield();
    else if (turns < 6)
        for (int i = 0; i < 300; i++) svs__relax();
}

void program_note(svs_async_context *async, uint32_t step) {
    diary *d = &diaries[svs_worker_index()];
    svs_check_ignore_begin(); /* the workers' diaries, not the tasks' */
    d->steps[d->count++] = step;
    svs_check_ignore_end();
    linger(step);
}

/* ---- the comparison ---- */

static void check_each_step_ran_once(uint32_t workers) {
    unsigned char *seen = calloc(current.steps + 1, 1);
    uint32_t total = 0;
    for (uint32_t w = 0; w < workers; w++) {
        total += diaries[w].count;
        for (uint32_t i = 0; i < diaries[w].count; i++)
            assert_int_equal(seen[diaries[w].steps[i]]++, 0);
    }
    assert_int_equal(total, current.steps);
    free(seen);
}

static bool same_steps(const walk *w) {
    for (uint32_t i = 0; i < w->tree->workers; i++) {
        if (w->worker[i].step_count != diaries[i].count ||
            memcmp(w->worker[i].steps, diaries[i].steps,
                   diaries[i].count * sizeof *diaries[i].steps) != 0)
            return false;
    }
    return true;
}

typedef struct totals {
    uint64_t programs, steals, nested, resumed;
    uint64_t changed; /* trees */
} totals;

/* The same with a tree in which a theft is of the async before or after: the thief's first step is
 * always another one (program.h). */
static void check_that_it_matters(svs__steal_tree *tree, uint64_t seed, totals *sums) {
    static walk w;
    uint32_t worker = (uint32_t)seed % tree->workers;
    svs__tree_worker *of = &tree->worker[worker];
    svs__tree_steal *changed;
    if (of->steal_count == 0) return;
    changed = &of->steals[seed % of->steal_count];
    changed->ordinal += seed % 2 != 0 || changed->ordinal == 0 ? 1 : (uint64_t)-1;
    tree->worker[changed->thief].phases[changed->phase].start.at = changed->ordinal;
    walk_init(&w, &current, tree);
    sums->changed++;
    if (walk_run(&w) && same_steps(&w))
        fail_msg("--seed %llu, policy %u, %u workers: steal %llu of worker %u makes no difference",
                 (unsigned long long)seed, tree->policy, tree->workers,
                 (unsigned long long)(seed % of->steal_count), worker);
    walk_free(&w);
}

static void check_walk(uint64_t seed, const svs__steal_tree *tree) {
    static walk w;
    walk_init(&w, &current, tree);
    if (!walk_run(&w))
        fail_msg("--seed %llu, policy %u, %u workers: worker %u, phase %u %s",
                 (unsigned long long)seed, tree->policy, tree->workers, w.wrong_worker,
                 w.wrong_phase, w.wrong);
    if (!same_steps(&w))
        fail_msg("--seed %llu, policy %u, %u workers: a worker ran other steps than its trace has",
                 (unsigned long long)seed, tree->policy, tree->workers);
    walk_free(&w);
}

/* Does `inner` come, by its parents, from `outer`? */
static bool descends(const svs__steal_tree *tree, const svs__tree_phase *inner,
                     const svs__tree_phase *outer) {
    while (inner != NULL && inner != outer) inner = svs__tree_parent(tree, inner);
    return inner == outer;
}

/* A waiting worker takes only children that it waits for (finish.h). */
static void check_inner_phases_descend(const svs_trace *trace) {
    svs__steal_tree *tree;
    assert_int_equal(svs__tree_new(trace, &tree, NULL, 0), SVS_OK);
    for (uint32_t w = 0; w < tree->workers; w++) {
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++) {
            const svs__tree_phase *phase = &tree->worker[w].phases[p];
            if (phase->enclosing == SVS__TREE_NONE) continue;
            assert_true(descends(tree, phase, &tree->worker[w].phases[phase->enclosing]));
        }
    }
    svs__tree_free(tree);
}

static void play(svs_runtime *runtime, uint64_t seed, program_style style, totals *sums) {
    char message[SVS_TRACE_MESSAGE] = "";
    uint32_t workers = svs_runtime_threads(runtime), root = 0;
    svs_trace_statistics statistics;
    svs_trace *trace;
    svs__steal_tree *tree;
    program_make(&current, seed, style);
    for (uint32_t w = 0; w < workers; w++)
        diaries[w] = (diary){malloc((current.steps + 1) * sizeof(uint32_t)), 0};
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_async_run(runtime, program_root(), &root), SVS_OK);
    assert_int_equal(svs_trace_stop(runtime, &trace), SVS_OK);
    check_each_step_ran_once(workers);
    if (svs__tree_new_verified(trace, &tree, message, sizeof message))
        fail_msg("--seed %llu, %u workers: %s", (unsigned long long)seed, workers, message);
    check_walk(seed, tree);
    check_that_it_matters(tree, seed, sums);
    check_inner_phases_descend(trace);
    assert_int_equal(svs_trace_statistics_get(trace, &statistics), SVS_OK);
    sums->programs++;
    sums->steals += statistics.steals;
    sums->nested += statistics.nested;
    sums->resumed += statistics.resumed;
    assert_int_equal(statistics.roots, 1);
    assert_true(statistics.asyncs >= current.asyncs);
    svs__tree_free(tree);
    svs_trace_free(trace);
    for (uint32_t w = 0; w < workers; w++) free(diaries[w].steps);
}

static void play_all(uint32_t policy, program_style style) {
    totals sums = {0, 0, 0, 0, 0};
    uint64_t programs = only_seed ? 1 : scaled(150, 10);
    for (uint32_t workers = 1; workers <= WALK_WORKERS; workers *= 2) {
        svs_runtime *runtime = started_as(policy, workers, 20);
        for (uint64_t i = 0; i < programs; i++)
            play(runtime, only_seed ? only_seed : i * 8 + workers, style, &sums);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
    print_message("policy %u: %llu programs, %llu steals, %llu inner phases, %llu resumed, "
                  "%llu changed trees\n",
                  policy, (unsigned long long)sums.programs, (unsigned long long)sums.steals,
                  (unsigned long long)sums.nested, (unsigned long long)sums.resumed,
                  (unsigned long long)sums.changed);
    assert_true(only_seed || sums.steals > sums.programs / 10);
    assert_true(only_seed || sums.changed > 0);
}

#define CASE(name, policy, style)                                                                  \
    TEST_CASE(name) { play_all(policy, style); }
CASE(help_first_phases_are_what_their_traces_say, SVS_POLICY_HELP_FIRST, STYLE_GENERIC)
CASE(so_are_those_of_typed_functions_under_help_first, SVS_POLICY_HELP_FIRST, STYLE_TYPED)
CASE(so_are_those_of_both_under_help_first, SVS_POLICY_HELP_FIRST, STYLE_MIXED)
CASE(work_first_phases_are_what_their_traces_say, SVS_POLICY_WORK_FIRST, STYLE_GENERIC)
CASE(so_are_those_of_typed_functions_under_work_first, SVS_POLICY_WORK_FIRST, STYLE_TYPED)

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "--seed")) only_seed = strtoull(argv[2], NULL, 10);
    return run_cases(NULL, NULL);
}
