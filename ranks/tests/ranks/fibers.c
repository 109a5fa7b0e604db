/* Fibers and counters of one rank, and the turns of its schedulers. */
#include "ranks/one_rank.h"
#include <string.h>

/* ---- stages and handles (ranks.F2) ---- */

static svs_status after_continue(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    CHECK(mine, memcmp(state, "kept", 5) == 0);
    mine->count++;
    svs_counter_add(ranks, &mine->second, 1);
    return SVS_OK;
}

static svs_status continues(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber again;
    CHECK(mine, svs_fiber_continue(ranks, after_continue, &mine->fiber) == SVS_OK);
    CHECK(mine, svs_fiber_continue(ranks, after_continue, &again) == SVS_E_STATE);
    CHECK(mine, svs_fiber_enable(ranks, mine->held[0]) == SVS_E_FIBER); /* its former handle */
    CHECK(mine, svs_fiber_enable(ranks, mine->fiber) == SVS_OK);
    strcpy(state, "kept"); /* still this fiber's */
    return SVS_OK;
}

static svs_status abandons(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber rest;
    CHECK(mine, svs_fiber_continue(ranks, nothing, &rest) == SVS_OK);
    CHECK(mine, svs_fiber_free(ranks, rest) == SVS_OK);
    CHECK(mine, svs_fiber_enable(ranks, rest) == SVS_E_FIBER);
    CHECK(mine, svs_fiber_continue(ranks, nothing, &rest) == SVS_OK);
    return svs_fiber_enable(ranks, rest);
}

static svs_status last_of_stages(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    CHECK(mine, mine->count == 8);
    CHECK(mine, svs_fiber_enable(ranks, mine->fiber) == SVS_E_FIBER);
    mine->other = 1;
    return SVS_OK;
}

static svs_status stages(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber one, other, wrong = {99999, 1};
    char text[1000] = "large states are copied";
    uint32_t seven = 7;
    CHECK(mine, svs_fiber_new(ranks, count_up, &seven, sizeof seven, NULL, &one) == SVS_OK);
    seven = 0;
    CHECK(mine, svs_fiber_enable(ranks, wrong) == SVS_E_FIBER);
    CHECK(mine, svs_fiber_enable(ranks, one) == SVS_OK);
    CHECK(mine, svs_fiber_enable(ranks, one) == SVS_E_FIBER);
    CHECK(mine, svs_counter_wait(ranks, &mine->counter, 1, one) == SVS_E_FIBER);
    CHECK(mine, svs_post_ready(ranks, 0, one) == SVS_E_FIBER);
    CHECK(mine, svs_fiber_free(ranks, one) == SVS_E_FIBER);
    CHECK(mine, svs_fiber_hint(ranks, one, 3) == SVS_E_FIBER);
    CHECK(mine, svs_fiber_new(ranks, continues, text, sizeof text, NULL, &other) == SVS_OK);
    mine->held[0] = other;
    CHECK(mine, svs_fiber_enable(ranks, other) == SVS_OK);
    CHECK(mine, svs_fiber_new(ranks, abandons, NULL, 0, NULL, &one) == SVS_OK);
    CHECK(mine, svs_fiber_enable(ranks, one) == SVS_OK);
    CHECK(mine, svs_fiber_new(ranks, nothing, NULL, 0, NULL, &one) == SVS_OK);
    CHECK(mine, svs_fiber_free(ranks, one) == SVS_OK);
    CHECK(mine, svs_fiber_enable(ranks, one) == SVS_E_FIBER);
    CHECK(mine, svs_await(ranks, &mine->counter, 1) == SVS_E_STATE);
    CHECK(mine, svs_ranks_run(ranks, nothing, NULL) == SVS_E_NESTED);
    CHECK(mine, svs_ranks_free(ranks) == SVS_E_BUSY);
    CHECK(mine, svs_handlers_add(ranks, NULL, 0) == SVS_E_STATE);
    CHECK(mine, svs_ranks_stop(ranks, SVS_OK) == SVS_E_INVALID);
    CHECK(mine, svs_fiber_new(ranks, last_of_stages, NULL, 0, NULL, &one) == SVS_OK);
    CHECK(mine, svs_counter_wait(ranks, &mine->second, 1, one) == SVS_OK);
    CHECK(mine, svs_fiber_new(ranks, NULL, NULL, 0, NULL, &one) == SVS_E_NULL);
    return SVS_OK;
}

/* ---- counters against a model (ranks.C1) ---- */

typedef struct waiter {
    int64_t at_least;
    uint32_t number;
} waiter;

static svs_status note_waiter(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    const waiter *me = state;
    mine->order[me->number]++;
    CHECK(mine, mine->order[me->number] == 1);
    return SVS_OK;
}

typedef struct model {
    int64_t most, value; /* the largest value so far */
    waiter waiters[ITEMS];
    int64_t most_before[ITEMS]; /* the value when it began to wait */
    bool due[ITEMS];
    uint32_t count, added;
} model;

static svs_status compare_counter(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    model *all = *(model **)state;
    for (uint32_t i = 0; i < all->count; i++) CHECK(mine, mine->order[i] == (uint32_t)all->due[i]);
    if (all->added < 400) return SVS_OK;
    svs_counter_add(ranks, &mine->counter, 1000000); /* all */
    free(all);
    return SVS_OK;
}

static svs_status change_counter(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    model *all = *(model **)state;
    svs_fiber fiber;
    if (all->count < ITEMS && svs__random_below(&mine->random, 2) == 0) {
        waiter *one = &all->waiters[all->count];
        one->at_least = all->value - 3 + svs__random_below(&mine->random, 20);
        one->number = all->count;
        all->due[all->count++] = one->at_least <= all->value;
        if (svs_fiber_new(ranks, note_waiter, one, sizeof *one, NULL, &fiber) ||
            svs_counter_wait(ranks, &mine->counter, one->at_least, fiber))
            return 1;
    } else {
        int64_t by = (int64_t)svs__random_below(&mine->random, 7) - 2;
        all->value += by;
        svs_counter_add(ranks, &mine->counter, by);
        for (uint32_t i = 0; i < all->count; i++)
            all->due[i] = all->due[i] || all->waiters[i].at_least <= all->value;
    }
    if (svs_fiber_new(ranks, compare_counter, &all, sizeof all, NULL, &fiber)) return 1;
    if (svs_fiber_enable(ranks, fiber)) return 1;
    if (++all->added == 400) return SVS_OK;
    if (svs_fiber_continue(ranks, change_counter, &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

static svs_status counters(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    model *all = calloc(1, sizeof *all);
    svs_fiber fiber;
    svs__random_seed(&mine->random, mine->seed);
    svs_counter_init(&mine->counter, 0);
    if (svs_fiber_new(ranks, change_counter, &all, sizeof all, NULL, &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

/* ---- the order of waiters (ranks.C3) ---- */

static svs_status note_order(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    mine->order[mine->count++] = *(uint32_t *)state;
    return SVS_OK;
}

/* Fibers that were enabled by one addition ran in the order of their bounds, which `hints` has. */
static svs_status check_order(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    for (uint32_t i = mine->other + 1; i < mine->count; i++) {
        CHECK(mine, mine->hints[mine->order[i - 1]] <= mine->hints[mine->order[i]]);
    }
    mine->other = mine->count;
    CHECK(mine, mine->counter.value < 100 || mine->count == ITEMS);
    return SVS_OK;
}

static svs_status wait_and_add(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber fiber;
    for (uint32_t i = 0; i < 60 && mine->asked < ITEMS; i++, mine->asked++) {
        int64_t bound = 1 + mine->counter.value + svs__random_below(&mine->random, 10);
        mine->hints[mine->asked] = bound;
        if (svs_fiber_new(ranks, note_order, &mine->asked, sizeof mine->asked, NULL, &fiber) ||
            svs_counter_wait(ranks, &mine->counter, bound, fiber))
            return 1;
    }
    svs_counter_add(ranks, &mine->counter, mine->asked < ITEMS ? 4 : 100);
    if (svs_fiber_new(ranks, check_order, NULL, 0, NULL, &fiber) || svs_fiber_enable(ranks, fiber))
        return 1;
    if (mine->counter.value >= 100) return SVS_OK;
    if (svs_fiber_continue(ranks, wait_and_add, &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

static svs_status order_of_waiters(svs_ranks *ranks, void *state) {
    svs__random_seed(&own_of(ranks)->random, own_of(ranks)->seed);
    return wait_and_add(ranks, state);
}

/* ---- fairness (ranks.F3) ---- */

static svs_status urgent_for_ever(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    svs_fiber again;
    mine->count++;
    if (mine->other != 0) return SVS_OK; /* the FIFO fiber has run */
    if (svs_fiber_continue(ranks, urgent_for_ever, &again)) return 1;
    return svs_fiber_enable(ranks, again);
}

static svs_status fifo_at_last(svs_ranks *ranks, void *state) {
    own *mine = own_of(ranks);
    CHECK(mine, mine->count == 64);
    mine->other = 1;
    return SVS_OK;
}

static svs_status fairness(svs_ranks *ranks, void *state) {
    svs_fiber one, other;
    if (svs_fiber_new(ranks, urgent_for_ever, NULL, 0, svs_scheduler_urgent(ranks), &one) ||
        svs_fiber_new(ranks, fifo_at_last, NULL, 0, NULL, &other) || svs_fiber_enable(ranks, other))
        return 1;
    return svs_fiber_enable(ranks, one);
}

/* ---- all of them ---- */

ONE_RANK(stages, .check = check_own);
ONE_RANK(counters, .check = check_own);
ONE_RANK(order_of_waiters, .check = check_own);
ONE_RANK(fairness, .check = check_own);

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
