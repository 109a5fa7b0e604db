/* Threads of one rank, without and with stacks. */
#include "ranks/one_rank.h"

/* ---- threads: a producer and a consumer, without and with stacks ---- */

typedef struct worker {
    svs_thread thread;
    int64_t done;
    own *shared;
} worker;

static svs_status consume(svs_ranks *ranks, void *state) {
    worker *me = state;
    SVS_THREAD_BEGIN(ranks, me);
    while (me->done < ITEMS) {
        SVS_AWAIT(ranks, me, &me->shared->counter, me->done + 1);
        me->shared->order[me->done] += (uint32_t)me->done;
        me->done++;
        svs_counter_add(ranks, &me->shared->second, 1);
    }
    SVS_THREAD_END;
}

static svs_status produce(svs_ranks *ranks, void *state) {
    worker *me = state;
    SVS_THREAD_BEGIN(ranks, me);
    while (me->done < ITEMS) {
        SVS_AWAIT(ranks, me, &me->shared->second, me->done - 2);
        me->shared->order[me->done]++;
        me->done++;
        svs_counter_add(ranks, &me->shared->counter, 1);
    }
    SVS_THREAD_END;
}

static svs_status consume_on_stack(svs_ranks *ranks, void *state) {
    own *shared = *(own **)state;
    for (int64_t done = 0; done < ITEMS; done++) {
        svs_status status = svs_await(ranks, &shared->counter, done + 1);
        if (status != SVS_OK) return status;
        shared->order[done] += (uint32_t)done;
        svs_counter_add(ranks, &shared->second, 1);
    }
    return SVS_OK;
}

static svs_status without_stacks(svs_ranks *ranks, void *state) {
    worker one = {.shared = own_of(ranks)};
    svs_fiber fiber;
    if (svs_fiber_new(ranks, consume, &one, sizeof one, NULL, &fiber) ||
        svs_fiber_enable(ranks, fiber) ||
        svs_fiber_new(ranks, produce, &one, sizeof one, NULL, &fiber))
        return 1;
    return svs_fiber_enable(ranks, fiber);
}

static svs_status with_stacks(svs_ranks *ranks, void *state) {
    worker one = {.shared = own_of(ranks)};
    svs_fiber fiber;
    if (svs_thread_spawn(ranks, consume_on_stack, &one.shared, sizeof one.shared, NULL) ||
        svs_fiber_new(ranks, produce, &one, sizeof one, NULL, &fiber))
        return 1;
    return svs_fiber_enable(ranks, fiber);
}

static const char *check_items(program_run *run) {
    const own *mine = program_data(run, 0);
    for (uint32_t i = 0; i < ITEMS; i++)
        if (mine->order[i] != i + 1) return "an item was not produced and consumed once";
    return NULL;
}

/* Each thread waits in a depth of its own, with live variables on its stack. */
static uint32_t wait_at_depth(svs_ranks *ranks, own *shared, uint32_t depth) {
    volatile uint32_t mine = depth;
    uint32_t below = 0;
    if (depth != 0) below = wait_at_depth(ranks, shared, depth - 1);
    else if (svs_await(ranks, &shared->counter, ITEMS)) return 1000000;
    return below + mine;
}

static svs_status dive(svs_ranks *ranks, void *state) {
    own *shared = own_of(ranks);
    uint32_t depth = *(uint32_t *)state;
    svs_counter_add(ranks, &shared->counter, 1);
    CHECK(shared, wait_at_depth(ranks, shared, depth) == depth * (depth + 1) / 2);
    shared->count++;
    return SVS_OK;
}

static svs_status many_threads(svs_ranks *ranks, void *state) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t depth = i % 100;
        if (svs_thread_spawn(ranks, dive, &depth, sizeof depth, NULL)) return 1;
    }
    return SVS_OK;
}

static const char *check_threads(program_run *run) {
    const own *mine = program_data(run, 0);
    return mine->count == ITEMS ? check_own(run) : "a thread has not ended";
}

/* Threads that wait when the run fails return from their waits, and release what they own. */
static svs_status own_memory(svs_ranks *ranks, void *state) {
    own *shared = own_of(ranks);
    char *memory = malloc(100);
    svs_status status = svs_await(ranks, &shared->counter, 1);
    free(memory); /* otherwise a leak checker complains */
    shared->count += status == SVS_E_STOPPED;
    return status;
}

static svs_status fail_with_threads(svs_ranks *ranks, void *state) {
    for (int i = 0; i < 10; i++)
        if (svs_thread_spawn(ranks, own_memory, NULL, 0, NULL)) return 1;
    return svs_thread_spawn(ranks, modifying, &(uint32_t){3}, 4, NULL) ? 1 : SVS_OK;
}

static svs_status fail_later(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    if (svs_fiber_new(ranks, fail_with_threads, NULL, 0, NULL, &fiber)) return 1;
    return svs_fiber_enable(ranks, fiber);
}

/* ---- all of them ---- */

ONE_RANK(without_stacks, .check = check_items);
ONE_RANK(with_stacks, .check = check_items);
ONE_RANK(many_threads, .check = check_threads);
ONE_RANK(fail_later, .status = SVS_E_DEADLOCK, .text = "thread");

int main(int argc, char **argv) { return program_main(argc, argv, NULL, NULL); }
