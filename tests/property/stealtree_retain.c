/* Retentive stealing: each iteration computes the result of its serial elision, also when its tree
 * differs from the last one; the figures fit together; and on a kernel with work in unexpected
 * places, hardly anything is stolen in the end. */
#include "../unit/stealtree/again.h"
#include <sched.h>
#include <stdatomic.h>
#include <svs/retain.h>

#define PROGRAMS 60u

/* Some of the programs are others from now on. */
static void drift(known *k, svs__random *random, uint64_t seed) {
    uint32_t changed = svs__random_below(random, 4) == 0 ? k->count : svs__random_below(random, 4);
    known fresh = known_make(seed, k->count);
    for (uint32_t i = 0; i < changed; i++) {
        uint32_t at = svs__random_below(random, k->count);
        program p = k->programs[at];
        uint64_t *values = k->values[at];
        k->programs[at] = fresh.programs[at];
        k->values[at] = fresh.values[at];
        fresh.programs[at] = p;
        fresh.values[at] = values;
    }
    known_free(&fresh);
}

/* Of the last iteration. @return the number of asyncs that ran on the worker that retained them. */
static uint64_t check_figures(const svs_retained *retained, uint64_t iterations, uint64_t taken) {
    svs_retained_statistics s;
    assert_int_equal(svs_retained_statistics_get(retained, &s), SVS_OK);
    assert_int_equal(s.iterations, iterations);
    /* Each stolen or retained async is a fragment, but for two paths that hash to one number. */
    assert_int_equal(s.fragments, s.kept + s.steals);
    /* Asyncs that workers took themselves count as stolen; those from the mailbox may, too. */
    assert_true(taken <= s.steals + s.kept);
    assert_true(s.bytes >= s.fragments * 12 && s.bytes <= 512 + s.fragments * 64);
    return s.kept;
}

/* @return how many asyncs were kept for another iteration. */
static uint64_t drift_on(uint32_t policy, uint32_t threads) {
    svs_runtime *runtime = started_as(policy, threads, 100);
    uint64_t programs = scaled(12, 2), kept = 0;
    svs__random random;
    svs__random_seed(&random, threads);
    for (uint64_t i = 0; i < programs; i++) {
        uint64_t iterations = 2 + svs__random_below(&random, 14);
        known k = known_make(1000 * i + threads, PROGRAMS);
        svs_retained *retained;
        assert_int_equal(svs_retained_new(runtime, &retained), SVS_OK);
        for (uint64_t it = 1; it <= iterations; it++) {
            uint64_t before = steals_of(runtime);
            assert_int_equal(svs_retained_run(retained, known_run, &k), SVS_OK);
            known_check(&k);
            kept += check_figures(retained, it, steals_of(runtime) - before);
            drift(&k, &random, 50000 + 100 * i + it);
        }
        assert_int_equal(svs_retained_free(retained), SVS_OK);
        known_free(&k);
    }
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    return kept;
}

/* One worker keeps nothing, because nothing is stolen from it, and a small team on a busy machine
 * may not steal either: the teams together keep some. */
static void drift_on_all(uint32_t policy) {
    uint64_t kept = 0;
    for (uint32_t threads = 1; threads <= 8; threads *= 2) kept += drift_on(policy, threads);
    assert_true(kept > 0);
}

TEST_CASE(help_first_iterations_compute_what_they_should) { drift_on_all(SVS_POLICY_HELP_FIRST); }

TEST_CASE(work_first_iterations_compute_what_they_should) { drift_on_all(SVS_POLICY_WORK_FIRST); }

/* ---- balance ---- */

#define PARTS 600u

static _Atomic(uint32_t) part_ran[PARTS];
static _Atomic(uint64_t) part_sum;

/* The first eighth is where the work is. */
static void run_part(svs_async_context *async, void *argument) {
    uint32_t part = *(const uint32_t *)argument;
    uint64_t value = program_work(part, part < PARTS / 8 ? 20000 : 1000);
    svs__yield();
    (void)svs__fetch_add_relaxed(&part_ran[part], 1);
    (void)svs__fetch_add_relaxed(&part_sum, value);
}

static void sweep(svs_async_context *async, void *argument) {
    for (uint32_t part = 0; part < PARTS; part++) svs_async(async, run_part, &part, sizeof part);
}

/* @return what was stolen. */
static uint64_t sweep_once(svs_retained *retained, uint64_t *sum) {
    svs_retained_statistics s;
    svs__store_relaxed(&part_sum, 0);
    for (uint32_t part = 0; part < PARTS; part++) svs__store_relaxed(&part_ran[part], 0);
    assert_int_equal(svs_retained_run(retained, sweep, NULL), SVS_OK);
    for (uint32_t part = 0; part < PARTS; part++)
        assert_int_equal(svs__load_relaxed(&part_ran[part]), 1);
    if (*sum == 0) *sum = svs__load_relaxed(&part_sum);
    assert_int_equal(svs__load_relaxed(&part_sum), *sum);
    assert_int_equal(svs_retained_statistics_get(retained, &s), SVS_OK);
    return s.steals;
}

/* With a first iteration in which much is stolen; @return how much. */
static uint64_t begin_out_of_balance(svs_runtime *runtime, svs_retained **retained, uint64_t *sum) {
    for (;;) {
        uint64_t steals;
        assert_int_equal(svs_retained_new(runtime, retained), SVS_OK);
        steals = sweep_once(*retained, sum);
        if (steals >= 50) return steals;
        assert_int_equal(svs_retained_free(*retained), SVS_OK);
    }
}

TEST_CASE(skewed_work_comes_to_balance) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        svs_runtime *runtime = started_as(policy, 8, 100);
        uint64_t sum = 0, last = 0, first;
        svs_retained *retained;
        first = begin_out_of_balance(runtime, &retained, &sum);
        for (uint32_t i = 2; i <= 10; i++) {
            uint64_t steals = sweep_once(retained, &sum);
            if (i >= 8) last += steals;
        }
        print_message("%s: %llu steals in iteration 1, %llu in 8 to 10\n", policy_name(policy),
                      (unsigned long long)first, (unsigned long long)last);
        assert_true(last < first);
        assert_int_equal(svs_retained_free(retained), SVS_OK);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
    }
}

/* ---- memory and misuse ---- */

/* Async contexts that wait for one another, though not for ever: one of the two has been stolen
 * then, and what is stolen is kept. */
static atomic_uint met;
static void meet(void) {
    atomic_fetch_add(&met, 1);
    for (uint32_t i = 0; i < 1000 && atomic_load(&met) < 2; i++) sched_yield();
}
static void meet_child(svs_async_context *async, void *argument) { meet(); }
static void run_something_stolen(svs_async_context *async, void *argument) {
    svs_async(async, meet_child, NULL, 0);
    meet();
    known_run(async, argument);
}

TEST_CASE(every_allocation_may_fail) {
    for (uint32_t policy = 0; policy <= 1; policy++) {
        counting counts = {0};
        known k = known_make(77, PROGRAMS);
        svs_runtime_options options;
        svs_runtime *runtime;
        svs_retained *retained;
        uint64_t failed = 0, n = 0;
        svs_status status;
        svs_runtime_options_init(&options);
        options.policy = policy;
        options.threads = 4;
        options.allocator = counting_allocator(&counts);
        runtime = started_with(&options);
        do {
            counts.fail_at = counts.calls + ++n;
            status = svs_retained_new(runtime, &retained);
            assert_true(status == (n <= 2 ? SVS_E_NO_MEMORY : SVS_OK));
            assert_true(status == SVS_OK || retained == NULL);
        } while (status);
        /* Until one has failed: a run on a busy machine may steal nothing, and allocate nothing. */
        for (n = 0; n < scaled(150, 50) || (failed == 0 && n < 5000); n++) {
            counts.fail_at = counts.calls + 1 + n % 50; /* a run has about 20 */
            atomic_store(&met, 0);
            status = svs_retained_run(retained, run_something_stolen, &k);
            counts.fail_at = 0;
            assert_true(status == SVS_OK || status == SVS_E_NO_MEMORY);
            failed += status == SVS_E_NO_MEMORY;
            known_check(&k); /* it has run, whatever is kept of it */
        }
        assert_true(failed > 0);
        assert_int_equal(svs_retained_free(retained), SVS_OK);
        known_free(&k);
        assert_int_equal(svs_runtime_free(runtime), SVS_OK);
        assert_int_equal(counts.live, 0);
    }
}

TEST_CASE(what_is_out_of_turn_is_answered) {
    svs_runtime *runtime = started(2, 20);
    known k = known_make(3, 4);
    svs_retained_statistics s;
    svs_retained *retained;
    assert_int_equal(svs_retained_new(runtime, &retained), SVS_OK);
    assert_int_equal(svs_trace_start(runtime, NULL), SVS_OK);
    assert_int_equal(svs_retained_run(retained, known_run, &k), SVS_E_BUSY);
    assert_int_equal(svs_trace_stop(runtime, NULL), SVS_OK);
    assert_int_equal(svs_retained_run(retained, known_run, &k), SVS_OK);
    known_check(&k);
    assert_int_equal(svs_runtime_free(runtime), SVS_E_BUSY); /* something is kept of it */
    assert_int_equal(svs_retained_statistics_get(retained, &s), SVS_OK);
    assert_int_equal(s.iterations, 1);
    assert_int_equal(svs_retained_free(retained), SVS_OK);
    assert_int_equal(svs_retained_free(NULL), SVS_OK);
    known_free(&k);
    assert_int_equal(svs_runtime_free(runtime), SVS_OK);
}

int main(void) { return run_cases(NULL, NULL); }
