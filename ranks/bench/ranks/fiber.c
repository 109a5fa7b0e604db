/* The cost of fibers on one rank, in nanoseconds of its CPU each. */
#include "works.h"

#include <stdio.h>

enum { N = 2000000, BATCH = 1000, KINDS = 7, FIFO = 0, IN_PLACE = 2, STACK = 4, TABLE, OBSERVED };

/* The last two: FIFO with a table of observers without functions, and with empty ones. */
static const char *const names[KINDS] = {"fifo",  "continuation", "in_place",     "stackless",
                                         "stack", "fifo_table",   "fifo_observed"};
static const double goals[KINDS] = {25, 12, 4, 3, 40, 25, 27.5};

typedef struct steps {
    svs_thread thread;
    uint32_t left;
} steps;

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

static svs_status create(svs_ranks *ranks, void *state) {
    steps *me = state;
    svs_fiber fiber;
    for (uint32_t i = 0; i < BATCH && me->left != 0; i++, me->left--) {
        BENCH_OK(svs_fiber_new(ranks, nothing, &i, sizeof i, NULL, &fiber));
        BENCH_OK(svs_fiber_enable(ranks, fiber));
    }
    if (me->left == 0) return SVS_OK;
    BENCH_OK(svs_fiber_continue(ranks, create, &fiber));
    return svs_fiber_enable(ranks, fiber);
}

static svs_status go_on(svs_ranks *ranks, void *state) {
    steps *me = state;
    svs_fiber fiber;
    if (me->left-- == 0) return SVS_OK;
    BENCH_OK(svs_fiber_continue(ranks, go_on, &fiber));
    return svs_fiber_enable(ranks, fiber);
}

static void take(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    uint64_t *sum = data;
    (void)ranks;
    for (uint32_t i = 0; i < many; i++) *sum += records[i].key;
}
SVS_HANDLER_IN_PLACE(own, record, take)
const svs_handler *const fiber_handlers[] = {&own};
const size_t fiber_handler_count = 1;

static svs_status post_all(svs_ranks *ranks, void *state) {
    steps *me = state;
    const record one = {1, 2};
    svs_status status = SVS_OK; /* without a call of the benchmark's for each record */
    while (me->left != 0 && status == SVS_OK) {
        status = own_post(ranks, 0, &one);
        me->left--;
    }
    return status;
}

static svs_status need_not_wait(svs_ranks *ranks, void *state) {
    steps *me = state;
    svs_counter reached = {0, 0};
    SVS_THREAD_BEGIN(ranks, me);
    while (me->left != 0) {
        __asm__ volatile("" : "+m"(reached.value));
        SVS_AWAIT(ranks, me, &reached, 0);
        me->left--;
    }
    SVS_THREAD_END;
}

/* The counter to which a fiber adds and for which a thread with a stack waits, in turn. */
static svs_counter turn;

static svs_status await_all(svs_ranks *ranks, void *state) {
    const steps *me = state;
    for (int64_t i = 1; i <= me->left; i++) BENCH_OK(svs_await(ranks, &turn, i));
    return SVS_OK;
}

static svs_status wake(svs_ranks *ranks, void *state) {
    steps *me = state;
    svs_fiber fiber;
    if (me->left-- == 0) return SVS_OK;
    svs_counter_add(ranks, &turn, 1);
    BENCH_OK(svs_fiber_continue(ranks, wake, &fiber));
    return svs_fiber_enable(ranks, fiber);
}

/* ---- observers ---- */

static void fiber_is_told(const svs_observed_fiber *fiber, void *argument) {
    (void)fiber, (void)argument;
}
static void enabled_is_told(const svs_observed_fiber *fiber, svs_fiber by, void *argument) {
    (void)fiber, (void)by, (void)argument;
}
static void end_is_told(const svs_observed_fiber *fiber, bool continues, void *argument) {
    (void)fiber, (void)continues, (void)argument;
}

static svs_ranks_observer observer;

static void attach(svs_ranks *ranks, uint32_t kind) {
    svs_ranks_observer_init(&observer);
    if (kind == OBSERVED) {
        observer.fiber_created = observer.fiber_begins = fiber_is_told;
        observer.fiber_enabled = enabled_is_told;
        observer.fiber_ends = end_is_told;
    }
    if (kind >= TABLE) BENCH_OK(svs_ranks_observer_attach(ranks, &observer));
}

static void detach(svs_ranks *ranks, uint32_t kind) {
    if (kind >= TABLE) BENCH_OK(svs_ranks_observer_detach(ranks, &observer));
}

/* ---- one row ---- */

static double measure(svs_ranks *ranks, uint32_t kind) {
    static svs_fiber_function *const functions[KINDS] = {create, go_on,  post_all, need_not_wait,
                                                         wake,   create, create};
    steps me = {.left = N};
    uint64_t begin, sum = 0;
    svs_fiber fiber;
    svs_ranks_set_data(ranks, &sum);
    svs_counter_init(&turn, 0);
    attach(ranks, kind);
    if (kind == STACK) BENCH_OK(svs_thread_spawn(ranks, await_all, &me, sizeof me, NULL));
    if (kind == IN_PLACE) {
        begin = bench_cpu_ns();
        BENCH_OK(svs_ranks_run(ranks, post_all, &me));
    } else {
        BENCH_OK(svs_fiber_new(ranks, functions[kind], &me, sizeof me, NULL, &fiber));
        BENCH_OK(svs_fiber_enable(ranks, fiber));
        begin = bench_cpu_ns();
        BENCH_OK(svs_ranks_run(ranks, nothing, NULL));
    }
    begin = bench_cpu_ns() - begin;
    detach(ranks, kind);
    return (double)begin / N;
}

/* Compared with FIFO fibers of the same round. */
static double ratio_of(const double *samples, const double *plain, uint64_t rounds) {
    double ratios[64];
    for (uint64_t i = 0; i < rounds; i++) ratios[i] = samples[i] / plain[i];
    return bench_median(ratios, rounds);
}

void fibers(svs_ranks *ranks, const settings *chosen) {
    double samples[KINDS][64], ratios[KINDS];
    for (uint64_t round = 0; round < chosen->rounds; round++)
        for (uint32_t kind = 0; kind < KINDS; kind++) {
            double ns = measure(ranks, kind);
            /* A round trip to a stack contains a continuation of the fiber that wakes it. */
            samples[kind][round] = kind == STACK ? ns - samples[1][round] : ns;
        }
    for (uint32_t kind = TABLE; kind < KINDS; kind++)
        ratios[kind] = ratio_of(samples[kind], samples[FIFO], chosen->rounds);
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        char ratio[32] = "";
        if (kind >= TABLE) (void)snprintf(ratio, sizeof ratio, " ratio_fifo=%.3f", ratios[kind]);
        bench_row("bench=ranks work=fiber engine=svs transport=local ranks=1 kind=%s ns=%.1f "
                  "min_ns=%.1f goal_ns=%.1f%s rounds=%llu",
                  names[kind], bench_median(samples[kind], chosen->rounds),
                  bench_percentile(samples[kind], chosen->rounds, 0), goals[kind], ratio,
                  (unsigned long long)chosen->rounds);
    }
}
