/* Race checks find exactly what races: random programs, nested and escaping asyncs, accesses of
 * several sizes that overlap, some of them atomic, against the orders that the programs state;
 * on whatever worker, under both policies, in all three ways to find a common ancestor; also when
 * nodes of the tree are used again (dpst/task/gc.h) in the midst of a program; when memory is
 * freed and allocated again by one of several tasks that use it; and when the process would end in
 * the midst of a step, after any number of accesses.
 *
 *     test_property_racecheck --full 100     the same 200 programs under 100 seeds of the schedule;
 *                                            without arguments a few seeds, each with programs of
 *                                            its own */
#include "../unit/worksteal/running.h"
#include "dpst/calls.h"
#include "dpst/shadow/access.h"
#include "racecheck_program.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>

#define PROGRAMS 200u /* of one seed, at most */
#define TIMES 2u      /* that a program is run within one run, when nodes are used again */

typedef struct run {
    const program *p;
    _Alignas(512) unsigned char memory[MEMORY];
    _Atomic(uint32_t) racy[MEMORY];
    uint64_t seed;
    uint32_t times;
    bool renews; /* on one worker: an access at the same time gets an arbitrary answer (shadow.h) */
    bool looks;  /* on one worker: when `left` more accesses were made */
    uint32_t left;
    bool done[MOMENTS];
    char wrong[96]; /* what was; empty: nothing */
} run;

static run now; /* one at a time */
static uint64_t runs;

static void found(const svs_check_race *race, void *argument) {
    const unsigned char *at = race->address;
    assert_ptr_equal(argument, &now);
    assert_true(at >= now.memory && at + race->bytes <= now.memory + MEMORY);
    assert_int_equal(race->verdict, SVS_CHECK_VERDICT_RACE);
    assert_true(race->before.write || race->now.write);
    assert_true(race->before.step != race->now.step);
    for (size_t i = 0; i < race->bytes; i++)
        svs__store_relaxed(&now.racy[at - now.memory + (ptrdiff_t)i], 1);
}

static void run_block(svs_async_context *async, void *argument);

/* As when the process ends here: of what was done so far all is found. */
static void look(void) {
    bool racy[MEMORY];
    svs__check_settle();
    program_judge(now.p, now.done, racy);
    for (uint32_t i = 0; i < MEMORY; i++)
        if (svs__load_relaxed(&now.racy[i]) != racy[i] && now.wrong[0] == 0)
            (void)snprintf(now.wrong, sizeof now.wrong, "program %llu, ended early: byte %u: %s",
                           (unsigned long long)now.seed, i, racy[i] ? "missed" : "a false race");
}

static void renew(const action *a) {
    svs_check_free(now.memory + a->at, a->size * a->times);
    svs_check_alloc(now.memory + a->at, a->size * a->times);
}

static void do_accesses(const action *a) {
    for (uint32_t i = 0; i < a->times; i++) {
        const unsigned char *at = now.memory + a->at + i * a->size;
        if (a->atomic) svs__check_atomic(at, a->size, a->write, __builtin_return_address(0));
        else if (a->write) svs_check_write(at, a->size);
        else svs_check_read(at, a->size);
    }
}

static void do_access(const action *a) {
    if (a->renews && now.renews) renew(a);
    else do_accesses(a);
    if (!now.looks) return;
    now.done[a->number] = true;
    if (now.left-- == 0) look();
}

static void run_actions(svs_async_context *async, const block *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        const action *a = &b->actions[i];
        const block *of = a->of;
        if (a->what == ACCESS) do_access(a);
        else if (a->what == ASYNC) svs_async(async, run_block, &of, sizeof of);
        else if (a->what == FINISH) svs_finish(async, run_block, &of);
    }
}

SVS_ASYNC_VOID(run_typed, (const block *, b)) {
    if (!b->typed) {
        run_actions(SVS_ASYNC_CONTEXT(), b);
        return;
    }
    for (uint32_t i = 0; i < b->count; i++) {
        const action *a = &b->actions[i];
        const block *of = a->of;
        if (a->what == ACCESS) do_access(a);
        else if (a->what == ASYNC) SVS_ASYNC(run_typed, of);
        else if (a->what == SYNC) SVS_SYNC(run_typed);
        else svs_finish(SVS_ASYNC_CONTEXT(), run_block, &of);
    }
    SVS_SYNC(run_typed);
}

static void run_block(svs_async_context *async, void *argument) {
    const block *b = *(const block **)argument;
    if (b->typed) SVS_CALL_ON(async, run_typed, b);
    else run_actions(async, b);
}

static void compare(uint32_t time) {
    for (uint32_t i = 0; i < MEMORY; i++) {
        if (svs__exchange_relaxed(&now.racy[i], 0) == now.p->racy[i] || now.wrong[0] != 0) continue;
        (void)snprintf(now.wrong, sizeof now.wrong, "program %llu, time %u: byte %u: %s",
                       (unsigned long long)now.seed, time, i,
                       now.p->racy[i] ? "missed" : "a false race");
    }
}

/* The program a few times, one behind the other; each time its memory begins a new life. */
static void run_root(svs_async_context *async, void *argument) {
    const block *b = now.p->blocks;
    for (uint32_t i = 0; i < now.times; i++) {
        svs_check_alloc(now.memory, MEMORY);
        svs_finish(async, run_block, &b);
        compare(i);
    }
}

static void check_program(svs_runtime *runtime, const program *p, uint64_t seed, uint32_t times) {
    now.p = p;
    now.seed = seed;
    now.times = times;
    now.wrong[0] = 0;
    for (uint32_t i = 0; i < MEMORY; i++) svs__store_relaxed(&now.racy[i], 0);
    assert_int_equal(svs_async_run(runtime, run_root, NULL), SVS_OK);
    runs += times;
    assert_string_equal(now.wrong, "");
}

static program programs[PROGRAMS];
static uint32_t program_count; /* of these */

TEST_CASE(ends_in_the_midst_of_a_step) {
    static program p;
    for (uint32_t policy = SVS_POLICY_HELP_FIRST; policy <= SVS_POLICY_WORK_FIRST; policy++) {
        svs_runtime *runtime = started_as(policy, 1, 20);
        svs_check_options options;
        svs_check_options_init(&options);
        options.max_bytes = (size_t)64 << 20;
        options.found = found;
        options.found_argument = &now;
        assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
        for (uint64_t seed = 0; seed < scaled(500, 100); seed++) {
            program_make(&p, 7000000 + seed);
            if (p.accesses == 0) continue;
            now.looks = now.renews = true;
            now.left = (uint32_t)(seed * 0x9E3779B1u % p.accesses);
            memset(now.done, 0, sizeof now.done);
            check_program(runtime, &p, 7000000 + seed, 1);
        }
        now.looks = now.renews = false;
        assert_int_equal(svs_check_stop(runtime, NULL), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

static uint64_t full; /* seeds of the schedule for the same programs; 0: other programs with each */

static void check_all(svs_runtime *runtime, uint32_t lca, uint64_t seed) {
    svs_check_options options;
    svs_check_summary summary;
    uint32_t times = lca == SVS_CHECK_LCA_LABELS ? TIMES : 1;
    svs_check_options_init(&options);
    options.lca = lca;
    options.compare = true;
    options.yield_one_in = 1 + seed % 4;
    options.seed = seed;
    options.max_bytes = (size_t)64 << 20;
    options.found = found;
    options.found_argument = &now;
    options.sweep_nodes = lca == SVS_CHECK_LCA_LABELS ? 1
                          : lca == SVS_CHECK_LCA_WALK ? 1u << 20
                                                      : 300;
    assert_int_equal(svs_check_start(runtime, &options), SVS_OK);
    for (uint32_t i = 0; i < program_count; i++)
        check_program(runtime, &programs[i], (full ? 0 : seed * PROGRAMS) + i, times);
    assert_int_equal(svs_check_stop(runtime, &summary), SVS_OK);
    assert_int_equal(summary.lost, 0);
    assert_int_equal(summary.merged, 0);
    assert_true(summary.races != 0 && summary.queries != 0);
    assert_int_equal(summary.sweeps != 0, lca != SVS_CHECK_LCA_WALK);
}

static void make_programs(uint64_t first) {
    uint32_t racy = 0;
    for (uint32_t i = 0; i < program_count; i++) {
        program_make(&programs[i], first + i);
        for (uint32_t byte = 0; byte < MEMORY; byte++) racy += programs[i].racy[byte];
    }
    assert_in_range(racy, program_count, program_count * MEMORY / 2); /* some do, some do not */
}

static void check_policy(uint32_t policy, uint32_t threads) {
    svs_runtime *runtime = started_as(policy, threads, 20);
    uint64_t seeds = full ? full : scaled(2, 1);
    uint32_t ways = (uint32_t)scaled(3, 1); /* each answer is compared with the others' anyway */
    now.renews = threads == 1;
    program_count = full ? PROGRAMS : (uint32_t)scaled(PROGRAMS, 50);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        if (seed == 0 || !full) make_programs(seed * PROGRAMS);
        for (uint32_t i = 0; i < ways; i++) check_all(runtime, (threads + i) % 3, seed);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

static void check_teams(uint32_t policy) {
    for (uint32_t threads = 1; threads <= 8; threads *= 2) check_policy(policy, threads);
}

TEST_CASE(what_races_is_found_under_help_first) { check_teams(SVS_POLICY_HELP_FIRST); }

TEST_CASE(what_races_is_found_under_work_first) { check_teams(SVS_POLICY_WORK_FIRST); }

int main(int argc, char **argv) {
    int failed;
    if (argc == 3 && strcmp(argv[1], "--full") == 0) full = strtoull(argv[2], NULL, 10);
    failed = run_cases(NULL, NULL);
    printf("%llu runs of programs\n", (unsigned long long)runs);
    return failed;
}
