/* Schedulers of the program, and in-place fibers. */
#include "ranks/one_rank.h"

/* ---- schedulers of the program (ranks.S1) ---- */

static svs_status deposit(void *self, svs_fiber fiber, int64_t hint) {
    own *mine = self;
    mine->held[mine->held_count] = fiber;
    mine->hints[mine->held_count++] = hint;
    return SVS_OK;
}

/* A priority queue: the largest hint first. */
static bool select_largest(void *self, svs_fiber *fiber) {
    own *mine = self;
    uint32_t best = 0;
    if (mine->held_count == 0) return false;
    for (uint32_t i = 1; i < mine->held_count; i++)
        if (mine->hints[i] > mine->hints[best]) best = i;
    *fiber = mine->held[best];
    mine->held[best] = mine->held[--mine->held_count];
    mine->hints[best] = mine->hints[mine->held_count];
    return true;
}

/* Selects nothing the first 20 times. */
static bool select_late(void *self, svs_fiber *fiber) {
    own *mine = self;
    return ++mine->asked > 20 && select_largest(self, fiber);
}

static bool select_twice(void *self, svs_fiber *fiber) {
    own *mine = self;
    *fiber = mine->held[0];
    return mine->held_count != 0;
}

static svs_status refuse_deposit(void *self, svs_fiber fiber, int64_t hint) { return 77; }

static const svs_scheduler_type largest = {"largest", deposit, select_largest, 0};
static const svs_scheduler_type late = {"late", deposit, select_late, 0};
static const svs_scheduler_type twice = {"twice", deposit, select_twice, 0};
static const svs_scheduler_type refusing = {"refusing", refuse_deposit, select_twice, 0};
static const svs_scheduler_type background = {"background", deposit, select_largest, 1};
static const svs_scheduler_type sleeping = {"sleeping", deposit, select_late, 1};

static svs_status note_order(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    mine->order[mine->count++] = *(uint32_t *)state;
    return SVS_OK;
}

static svs_status make_ordered(svs_ranks *ranks, const svs_scheduler_type *type) {
    own *mine = own_of(ranks);
    if (svs_scheduler_new(ranks, type, mine, &mine->scheduler)) return 1;
    for (uint32_t i = 0; i < 50; i++) {
        svs_fiber fiber;
        uint32_t key = i * 37 % 50;
        if (svs_fiber_new(ranks, note_order, &key, sizeof key, mine->scheduler, &fiber) ||
            svs_fiber_hint(ranks, fiber, key))
            return 1;
        svs_status status = svs_fiber_enable(ranks, fiber);
        if (status != SVS_OK) return status;
    }
    return SVS_OK;
}

static svs_status by_priority(svs_ranks *ranks, void *state) {
    return make_ordered(ranks, &largest);
}

static svs_status by_late(svs_ranks *ranks, void *state) { return make_ordered(ranks, &late); }

static svs_status by_twice(svs_ranks *ranks, void *state) { return make_ordered(ranks, &twice); }

static svs_status by_refusing(svs_ranks *ranks, void *state) {
    return make_ordered(ranks, &refusing);
}

static svs_status by_sleeping(svs_ranks *ranks, void *state) {
    return make_ordered(ranks, &sleeping);
}

static const char *check_order(program_run *run) {
    const own *mine = program_data(run, 0);
    if (mine->count != 50) return "a fiber has not run";
    for (uint32_t i = 0; i < 50; i++)
        if (mine->order[i] != 49 - i) return "they have not run by priority";
    return check_own(run);
}

/* ---- a thread that is not taken back ---- */

static svs_status deposit_first(void *self, svs_fiber fiber, int64_t hint) {
    own *mine = self;
    return mine->count++ == 0 ? deposit(self, fiber, hint) : 77;
}

static const svs_scheduler_type once = {"once", deposit_first, select_largest, 0};

static svs_status wait_in_thread(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    mine->inside = true;
    CHECK(mine, svs_await(ranks, &mine->counter, 1) == SVS_E_STOPPED);
    mine->other = 1;
    return SVS_OK;
}

static svs_status add_when_it_waits(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber rest;
    if (mine->inside) {
        svs_counter_add(ranks, &mine->counter, 1);
        return SVS_OK;
    }
    if (svs_fiber_continue(ranks, add_when_it_waits, &rest)) return 1;
    return svs_fiber_enable(ranks, rest);
}

static svs_status refused_thread(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber fiber;
    if (svs_scheduler_new(ranks, &once, mine, &mine->scheduler) ||
        svs_thread_spawn(ranks, wait_in_thread, NULL, 0, mine->scheduler) ||
        svs_fiber_new(ranks, add_when_it_waits, NULL, 0, NULL, &fiber))
        return 1;
    return svs_fiber_enable(ranks, fiber);
}

static const char *check_that_it_ended(program_run *run) {
    const own *mine = program_data(run, 0);
    return mine->other == 1 ? check_own(run) : "the thread was not told that the run has ended";
}

static svs_status check_that_others_ran(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    CHECK(mine, mine->count == 100);
    mine->other = 1;
    return SVS_OK;
}

static svs_status in_background(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber fiber;
    uint32_t one = 1;
    if (svs_scheduler_new(ranks, &background, mine, &mine->scheduler) ||
        svs_fiber_new(ranks, check_that_others_ran, NULL, 0, mine->scheduler, &fiber) ||
        svs_fiber_enable(ranks, fiber))
        return 1;
    for (int i = 0; i < 100; i++)
        if (svs_fiber_new(ranks, count_up, &one, sizeof one, NULL, &fiber) ||
            svs_fiber_enable(ranks, fiber))
            return 1;
    return SVS_OK;
}

/* ---- in-place fibers (ranks.F1, ranks.F4) ---- */

static svs_status preempting(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber fiber;
    CHECK(mine, mine->inside); /* in the fiber that has enabled it */
    CHECK(mine, svs_fiber_continue(ranks, nothing, &fiber) == SVS_E_STATE);
    CHECK(mine, svs_await(ranks, &mine->counter, 1) == SVS_E_STATE);
    mine->count++;
    if (svs_fiber_new(ranks, nothing, NULL, 0, svs_scheduler_in_place(ranks), &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber); /* does not nest: later */
}

static svs_status preempted(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber fiber;
    mine->inside = true;
    if (svs_fiber_new(ranks, preempting, NULL, 0, svs_scheduler_in_place(ranks), &fiber) ||
        svs_counter_wait(ranks, &mine->counter, 1, fiber))
        return 1;
    svs_counter_add(ranks, &mine->counter, 1);
    CHECK(mine, mine->count == 1);
    mine->inside = false;
    CHECK(mine,
          svs_thread_spawn(ranks, nothing, NULL, 0, svs_scheduler_in_place(ranks)) == SVS_E_STATE);
    return SVS_OK;
}

#if !defined(NDEBUG) /* an assertion notices it */
static svs_status modified(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    uint32_t seven = 7;
    if (svs_fiber_new(ranks, modifying, &seven, sizeof seven, svs_scheduler_in_place(ranks),
                      &fiber))
        return 1;
    return svs_fiber_enable(ranks, fiber);
}
#endif

static svs_status polling(svs_ranks *ranks, void *state) {
    svs_poll(ranks);
    return SVS_OK;
}

static svs_status polled(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    if (svs_fiber_new(ranks, polling, NULL, 0, svs_scheduler_in_place(ranks), &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

/* ---- all of them ---- */

ONE_RANK(by_priority, .check = check_order);
ONE_RANK(by_late, .check = check_order);
ONE_RANK(by_twice, .status = SVS_E_FIBER, .text = "scheduler twice has selected fiber");
ONE_RANK(by_refusing, .status = 77, .text = "the deposit of scheduler refusing returned user (77)");
ONE_RANK(refused_thread, .status = 77, .check = check_that_it_ended,
         .text = "the deposit of scheduler once returned user (77)");
ONE_RANK(by_sleeping, .check = check_own); /* a background scheduler that selects nothing */
ONE_RANK(in_background, .check = check_own);
ONE_RANK(preempted, .check = check_own);
#if !defined(NDEBUG)
ONE_RANK(modified, .status = SVS_E_STATE, .text = "has modified its state");
#endif
ONE_RANK(polled, .status = SVS_E_STATE, .text = "svs_poll() in an in-place");

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
