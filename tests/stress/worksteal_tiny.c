/* Millions of tiny tasks, in trees and in loops, generic and typed, under both policies, on teams
 * of every size: none is lost, none is run twice. */
#include "../unit/worksteal/running.h"
#include <svs/async.h>

/* One byte for each task, plain: a second run makes it 2, or is a race. */
static unsigned char *ran;

typedef struct span {
    uint64_t begin, end;
} span;

/* Each task of a tree is the one in the middle of its span; the rest is below it. */
SVS_ASYNC_VOID(run_typed, (uint64_t, begin), (uint64_t, end)) {
    uint64_t middle = begin + (end - begin) / 2;
    ran[middle]++;
    if (begin != middle) SVS_ASYNC(run_typed, begin, middle);
    if (middle + 1 != end) SVS_ASYNC(run_typed, middle + 1, end);
    SVS_SYNC(run_typed);
}

static void run_generic(svs_async_context *async, void *argument) {
    const span *all = argument;
    uint64_t middle = all->begin + (all->end - all->begin) / 2;
    span lower = {all->begin, middle}, upper = {middle + 1, all->end};
    ran[middle]++;
    if (lower.begin != lower.end) svs_async(async, run_generic, &lower, sizeof lower);
    if (upper.begin != upper.end) svs_async(async, run_generic, &upper, sizeof upper);
}

static void run_one(svs_async_context *async, void *argument) { ran[*(uint64_t *)argument]++; }

static void run_row(svs_async_context *async, void *argument) {
    const span *row = argument;
    for (uint64_t i = row->begin; i != row->end; i++) svs_async(async, run_one, &i, sizeof i);
}

/* A fifth in one long row, a fifth in rows of a thousand, one typed tree, one generic tree. */
static void run_all(svs_async_context *async, void *argument) {
    const span *all = argument;
    uint64_t fifth = (all->end - all->begin) / 5;
    span row = {0, fifth}, generic = {2 * fifth, 3 * fifth};
    svs_async(async, run_row, &row, sizeof row);
    for (row.begin = fifth; row.begin != 2 * fifth; row.begin = row.end) {
        row.end = row.begin + 1000 < 2 * fifth ? row.begin + 1000 : 2 * fifth;
        if (row.begin % 2000 == 0) svs_finish(async, run_row, &row);
        else svs_async(async, run_row, &row, sizeof row);
    }
    svs_async(async, run_generic, &generic, sizeof generic);
    SVS_CALL_ON(async, run_typed, 3 * fifth, all->end);
}

static void run_on_team(uint32_t policy, uint32_t threads) {
    svs_runtime *runtime = started_as(policy, threads, 20);
    span all = {0, scaled(20000000, 100000)};
    uint64_t wrong = 0;
    ran = calloc(all.end, 1);
    assert_non_null(ran);
    assert_int_equal(svs_async_run(runtime, run_all, &all), SVS_OK);
    for (uint64_t i = 0; i != all.end; i++) wrong += ran[i] != 1;
    print_message("%s, %u workers: %llu tasks, %llu steals\n", policy_name(policy), threads,
                  (unsigned long long)all.end, (unsigned long long)steals_of(runtime));
    assert_int_equal(wrong, 0);
    free(ran);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void run_on_teams(uint32_t policy) {
    static const uint32_t threads[] = {1, 2, 8, 64};
    for (int i = 0; i < 4; i++) run_on_team(policy, threads[i]);
}

TEST_CASE(help_first_runs_each_task_once) { run_on_teams(SVS_POLICY_HELP_FIRST); }

TEST_CASE(work_first_runs_each_task_once) { run_on_teams(SVS_POLICY_WORK_FIRST); }

int main(void) { return run_cases(NULL, NULL); }
