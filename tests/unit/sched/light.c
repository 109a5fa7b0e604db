/* Which of two ways instances go, by figures that are given here (sched.W18): one worker runs them
 * in turn, or all workers share them. */
#include "sched/domain/window/light.h"
#include "unit/face/support.h"

#define WINDOW 256u /* instances */

typedef struct figures {
    svs__light l;
    uint64_t cost[2]; /* of an instance, ns, by way */
    uint32_t body_ns;
    uint64_t ns[2];   /* that have passed, by way */
    uint32_t changes; /* changes of the way */
    uint64_t wakes;   /* how much longer the first window of a trial to share takes */
} figures;

static void run(figures *f, uint64_t ns) {
    uint64_t end = f->ns[0] + f->ns[1] + ns;
    while (f->ns[0] + f->ns[1] < end) {
        svs__way way = svs__light_is_alone(&f->l) ? SVS__ALONE : SVS__SHARED;
        uint64_t took = f->cost[way] * WINDOW;
        if (svs__light_tries_to_share(&f->l) && !f->l.trial_ns) took *= f->wakes;
        f->ns[way] += took;
        svs__light_add(&f->l, way, took, WINDOW, f->body_ns);
        f->changes += svs__light_is_alone(&f->l) != (way == SVS__ALONE);
    }
}

static figures figures_of(uint64_t shared, uint64_t alone, uint32_t body_ns) {
    figures f;
    memset(&f, 0, sizeof f);
    f.cost[SVS__SHARED] = shared;
    f.cost[SVS__ALONE] = alone;
    f.body_ns = body_ns;
    f.wakes = 1;
    f.l.has_idle = true;
    return f;
}

#define MS UINT64_C(1000000)

TEST_CASE(instances_of_narrow_windows_stay_with_one_worker) {
    figures f = figures_of(900, 50, 45);
    run(&f, MS);
    assert_true(svs__light_is_alone(&f.l));
    assert_true(f.ns[SVS__SHARED] <= 4 * 900 * WINDOW); /* noticed after four windows */
    run(&f, 1000 * MS);
    /* What trials take is bounded, and they become rare. */
    assert_true(f.ns[SVS__SHARED] * SVS__TRIAL_PART < f.ns[SVS__ALONE]);
    assert_in_range(f.changes, 7, 31);
}

TEST_CASE(instances_that_gain_by_sharing_are_shared) {
    figures f = figures_of(110, 220, 200);
    run(&f, 1000 * MS);
    assert_false(svs__light_is_alone(&f.l));
    assert_int_equal(f.ns[SVS__ALONE], 0); /* their bodies alone take longer */
}

TEST_CASE(instances_that_begin_alone_are_shared_if_that_is_faster) {
    figures f = figures_of(110, 220, 200);
    svs__light_begin(&f.l, SVS__ALONE);
    assert_true(svs__light_is_alone(&f.l));
    run(&f, 100 * MS);
    assert_false(svs__light_is_alone(&f.l));
    assert_true(f.ns[SVS__ALONE] < MS);
    svs__light_begin(&f.l, SVS__ALONE); /* too late */
    assert_false(svs__light_is_alone(&f.l));
}

TEST_CASE(short_bodies_are_tried_sooner_if_their_dispatch_waits_for_memory) {
    figures costly = figures_of(12, 23, 3), cheap = costly;
    costly.l.waits = true;
    svs__light_begin(&costly.l, SVS__ALONE);
    svs__light_begin(&cheap.l, SVS__ALONE);
    run(&costly, MS);
    run(&cheap, 6 * MS);
    assert_false(svs__light_is_alone(&costly.l));
    assert_true(svs__light_is_alone(&cheap.l));
    run(&cheap, 2 * MS);
    assert_false(svs__light_is_alone(&cheap.l));
}

TEST_CASE(windows_that_fill_the_caches_are_no_reason_for_a_trial) {
    figures f = figures_of(12, 400, 3);
    f.l.waits = true;
    svs__light_begin(&f.l, SVS__ALONE);
    run(&f, MS); /* ten windows */
    assert_true(svs__light_is_alone(&f.l));
    f.cost[SVS__ALONE] = 10;
    run(&f, 3 * MS);
    assert_true(svs__light_is_alone(&f.l));
}

TEST_CASE(a_trial_is_not_judged_while_the_other_workers_wake_up) {
    figures f = figures_of(150, 230, 200);
    f.wakes = 7; /* the first window takes longer than the part that is not judged */
    svs__light_begin(&f.l, SVS__ALONE);
    run(&f, 10 * MS);
    assert_false(svs__light_is_alone(&f.l));
}

TEST_CASE(sharing_is_not_tried_while_all_workers_are_busy) {
    figures f = figures_of(110, 220, 200);
    f.l.has_idle = false;
    svs__light_begin(&f.l, SVS__ALONE);
    run(&f, 100 * MS);
    assert_int_equal(f.ns[SVS__SHARED], 0);
    f.l.has_idle = true;
    run(&f, MS);
    assert_false(svs__light_is_alone(&f.l));
}

TEST_CASE(a_way_that_is_about_as_fast_is_left_alone) {
    figures f = figures_of(100, 98, 60);
    run(&f, 1000 * MS);
    assert_false(svs__light_is_alone(&f.l));
    assert_false(svs__light_tries_to_share(&f.l));
    assert_true(f.ns[SVS__ALONE] * SVS__TRIAL_PART < f.ns[SVS__SHARED]);
    assert_true(f.ns[SVS__ALONE] > 0);
}

TEST_CASE(bodies_that_become_heavy_are_shared_soon) {
    figures f = figures_of(900, 50, 45);
    run(&f, 4000 * MS);
    f.cost[SVS__SHARED] = 1100;
    f.cost[SVS__ALONE] = f.body_ns = 2000;
    run(&f, 60 * MS); /* the trials of before were some 600 ms apart */
    assert_false(svs__light_is_alone(&f.l));
    f.cost[SVS__SHARED] = 400;
    f.cost[SVS__ALONE] = f.body_ns = 60;
    run(&f, 60 * MS);
    assert_true(svs__light_is_alone(&f.l));
}

TEST_CASE(bodies_that_are_too_long_are_never_tried_alone) {
    figures f = figures_of(6000, 5000, UINT32_MAX);
    run(&f, 1000 * MS);
    assert_int_equal(f.ns[SVS__ALONE], 0);
}

/* A worker loses its CPU in some windows. */
TEST_CASE(a_lost_cpu_changes_nothing) {
    figures f = figures_of(900, 50, 45);
    run(&f, 100 * MS);
    assert_true(svs__light_is_alone(&f.l));
    for (uint32_t i = 0; i < 20; i++) {
        svs__light_add(&f.l, SVS__ALONE, 10 * MS, WINDOW, 45); /* and a trial may be due */
        assert_int_equal(f.l.preferred, SVS__ALONE);
        run(&f, MS);
        assert_int_equal(f.l.preferred, SVS__ALONE);
    }
}

TEST_CASE(few_instances_are_no_measurement) {
    figures f = figures_of(0, 0, 45);
    for (uint32_t i = 0; i < 63; i++) svs__light_add(&f.l, SVS__SHARED, 1000, 1, 45);
    assert_int_equal(f.l.cost[SVS__SHARED], 0);
    svs__light_add(&f.l, SVS__SHARED, 1000, 1, 45); /* one piece of 64 */
    assert_int_equal(f.l.cost[SVS__SHARED], 16000);
    svs__light_add(&f.l, SVS__ALONE, 1, 1000, 45); /* which was begun before the way changed */
    assert_int_equal(f.l.cost[SVS__ALONE], 0);
}

/* The figures of both ways change all the time: trials take no more than their part. */
TEST_CASE(trials_are_bounded_whatever_the_figures) {
    uint64_t seed = 1;
    for (uint32_t round = 0; round < 50; round++) {
        figures f = figures_of(1, 1, 1);
        uint64_t tried = 0;
        for (uint32_t i = 0; i < 20000; i++) {
            svs__way way = svs__light_is_alone(&f.l) ? SVS__ALONE : SVS__SHARED;
            bool tries = svs__load_relaxed(&f.l.tries);
            uint64_t took;
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            took = (seed >> 33) % (seed >> 60 ? 100000 : 5000000);
            svs__light_add(&f.l, way, took, 1 + (seed >> 40) % 300, (uint32_t)(seed >> 50) % 300);
            if (tries) tried += took;
            f.ns[0] += took;
            if (!tries && svs__load_relaxed(&f.l.tries)) /* the next one begins */
                assert_true(tried * SVS__TRIAL_PART <= f.ns[0]);
        }
    }
}

int main(void) { return run_cases(NULL, NULL); }
