/* What grows with the ranks, the fibers and the records: memory and messages of many ranks, fibers
 * that wait, floods and chains of handlers as fibers. Each work makes its own rank. Its rows are
 * rank 0's, or those of the rank that they are about. */
#include "works.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- memory ---- */

typedef struct memory {
    uint64_t live, most;
} memory;

static void *take_memory(size_t size, size_t alignment, uint32_t worker, void *argument) {
    memory *of = argument;
    (void)worker;
    of->live += size;
    if (of->live > of->most) of->most = of->live;
    return aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

static void give_memory(void *block, size_t size, size_t alignment, uint32_t worker,
                        void *argument) {
    (void)alignment, (void)worker;
    ((memory *)argument)->live -= size;
    free(block);
}

static svs_ranks *make(svs_ranks_options *options, memory *of) {
    svs_ranks *ranks;
    options->allocator = (svs_allocator){take_memory, give_memory, of};
    BENCH_OK(svs_ranks_new(options, &ranks));
    return ranks;
}

static svs_ranks_statistics statistics_of(const svs_ranks *ranks) {
    svs_ranks_statistics of;
    BENCH_OK(svs_ranks_statistics_get(ranks, &of));
    return of;
}

static uint64_t messages(const svs_ranks_statistics *of) {
    return of->msg_sent + of->flow_msg_sent + of->fast_msg_sent;
}

/* ---- scale: new, and an empty run ---- */

static svs_status nothing(svs_ranks *ranks, void *state) {
    (void)ranks, (void)state;
    return SVS_OK;
}

enum { RUNS = 100, ROUNDS = 9 };

static double runs_ns(svs_ranks *ranks) {
    uint64_t begin = bench_wall_ns();
    for (int i = 0; i < RUNS; i++) BENCH_OK(svs_ranks_run(ranks, nothing, NULL));
    return (double)(bench_wall_ns() - begin) / RUNS;
}

/* Empty runs and MPI's reductions of one word, in turn. The text stays empty without MPI. */
static void compare_with_bare(svs_ranks *ranks, const settings *chosen, char *text, size_t size) {
    double svs[ROUNDS], bare[ROUNDS], ratios[ROUNDS];
    if (chosen->chosen->bare == NULL) return;
    for (int i = 0; i < ROUNDS; i++) {
        svs[i] = runs_ns(ranks);
        bare[i] = chosen->chosen->bare(chosen, RUNS) / RUNS;
        ratios[i] = bare[i] / svs[i];
    }
    (void)snprintf(text, size, " us_run=%.2f us_bare=%.2f ratio_bare=%.3f",
                   bench_median(svs, ROUNDS) / 1e3, bench_median(bare, ROUNDS) / 1e3,
                   bench_median(ratios, ROUNDS));
}

void growth_scale(svs_ranks_options *options, const settings *chosen) {
    memory of = {0};
    svs_ranks *ranks = make(options, &of);
    svs_ranks_statistics made = statistics_of(ranks), run;
    uint64_t begin = bench_wall_ns(), bytes = of.live;
    char compared[96] = "";
    struct rusage usage;
    BENCH_OK(svs_ranks_run(ranks, nothing, NULL));
    begin = bench_wall_ns() - begin;
    run = statistics_of(ranks);
    (void)getrusage(RUSAGE_SELF, &usage);
    compare_with_bare(ranks, chosen, compared, sizeof compared);
    if (svs_ranks_index(ranks) == 0)
        bench_row("bench=ranks work=scale ranks=%u transport=%s bytes_rank=%llu "
                  "bytes_rank_peer=%.1f msgs_new=%llu msgs_run=%llu s_run=%.4f rss_mb=%.1f%s",
                  svs_ranks_count(ranks), chosen->transport, (unsigned long long)bytes,
                  (double)bytes / svs_ranks_count(ranks), (unsigned long long)messages(&made),
                  (unsigned long long)(messages(&run) - messages(&made)), (double)begin / 1e9,
                  (double)usage.ru_maxrss / 1024, compared);
    BENCH_OK(svs_ranks_free(ranks));
}

/* ---- wait: fibers that wait for a counter, and are enabled ---- */

typedef struct waiting {
    svs_counter *counter;
    int64_t at_least;
} waiting;

static void wait_once(svs_ranks *ranks, uint64_t count, bool same) {
    svs_counter counter;
    svs_counter_init(&counter, 0);
    for (uint64_t i = 0; i < count; i++) {
        waiting one = {&counter, same ? 1 : (int64_t)(1 + i * 7919 % count)};
        svs_fiber fiber;
        BENCH_OK(svs_fiber_new(ranks, nothing, &one, sizeof one, NULL, &fiber));
        BENCH_OK(svs_counter_wait(ranks, &counter, one.at_least, fiber));
    }
    for (uint64_t i = 0; i < (same ? 1 : count); i++) svs_counter_add(ranks, &counter, 1);
}

/* @return nanoseconds for each of `waiters` fibers, which wait in groups of `together`. */
static double wait_ns(svs_ranks *ranks, uint64_t waiters, uint64_t together, bool same) {
    uint64_t begin = bench_cpu_ns();
    for (uint64_t i = 0; i < waiters; i += together) wait_once(ranks, together, same);
    return (double)(bench_cpu_ns() - begin) / (double)waiters;
}

/* Costs of a wait and its wake, in a fiber: ratio to those of one fiber that waits alone. */
static svs_status wait_all(svs_ranks *ranks, void *state) {
    const settings *chosen = *(const settings **)state;
    double alone;
    (void)wait_ns(ranks, chosen->count, chosen->count, true); /* the slots exist from here on */
    alone = wait_ns(ranks, chosen->count, 1, true);
    for (int same = 1; same >= 0; same--) {
        double ns = wait_ns(ranks, chosen->count, chosen->count, same != 0);
        bench_row("bench=ranks work=wait kind=%s waiters=%llu ns=%.1f ratio_alone=%.2f",
                  same != 0 ? "same" : "different", (unsigned long long)chosen->count, ns,
                  ns / alone);
    }
    return SVS_OK;
}

void growth_wait(svs_ranks_options *options, const settings *chosen) {
    memory of = {0};
    svs_ranks *ranks = make(options, &of);
    const settings **pointer = &chosen;
    BENCH_OK(svs_ranks_run(ranks, wait_all, (void *)pointer));
    BENCH_OK(svs_ranks_free(ranks));
}

/* ---- credit: fibers that wait for the credit of one rank ---- */

typedef struct crowd {
    uint64_t tries, waiters;
} crowd;

static void drop(svs_ranks *ranks, void *data, const record *records, uint32_t many) {
    (void)ranks, (void)data, (void)records, (void)many;
}
SVS_HANDLER_IN_PLACE(dropped, record, drop)
static const svs_handler *const credit_handlers[] = {&dropped};

static svs_status post_one(svs_ranks *ranks, void *state) {
    const record one = {1, 2};
    crowd *mine = svs_ranks_data(ranks);
    svs_fiber rest;
    svs_status status = dropped_post(ranks, 1, &one);
    (void)state;
    mine->tries++;
    if (status != SVS_WAIT) return status;
    BENCH_OK(svs_fiber_continue(ranks, post_one, &rest));
    return svs_post_ready(ranks, 1, rest);
}

static svs_status gather_crowd(svs_ranks *ranks, void *state) {
    const crowd *mine = svs_ranks_data(ranks);
    (void)state;
    for (uint64_t i = 0; svs_ranks_index(ranks) == 0 && i < mine->waiters; i++) {
        svs_fiber fiber;
        BENCH_OK(svs_fiber_new(ranks, post_one, NULL, 0, NULL, &fiber));
        BENCH_OK(svs_fiber_enable(ranks, fiber));
    }
    return SVS_OK;
}

/* With one small buffer in flight, so that nearly all of them wait. */
void growth_credit(svs_ranks_options *options, const settings *chosen) {
    memory of = {0};
    svs_ranks *ranks;
    crowd mine = {.waiters = chosen->count};
    uint64_t begin;
    options->credits = 1;
    options->aggregate_bytes = 256;
    ranks = make(options, &of);
    svs_ranks_set_data(ranks, &mine);
    BENCH_OK(svs_handlers_add(ranks, credit_handlers, 1));
    begin = bench_cpu_ns();
    BENCH_OK(svs_ranks_run(ranks, gather_crowd, NULL));
    if (svs_ranks_index(ranks) == 0)
        bench_row("bench=ranks work=credit transport=%s waiters=%llu ns=%.1f tries_fiber=%.2f",
                  chosen->transport, (unsigned long long)chosen->count,
                  (double)(bench_cpu_ns() - begin) / (double)chosen->count,
                  (double)mine.tries / (double)chosen->count);
    BENCH_OK(svs_ranks_free(ranks));
}

/* ---- flood, forward: handlers as fibers ---- */

typedef struct flow {
    uint64_t posted, count, taken;
    uint32_t spin;
} flow;

static svs_status take(svs_ranks *ranks, void *state) {
    flow *mine = svs_ranks_data(ranks);
    (void)state;
    bench_spin(mine->spin);
    mine->taken++;
    return SVS_OK;
}
SVS_HANDLER(taken, uint64_t, take, SVS_DISPATCH_FIFO)

/* To rank 2, by the idiom of post.h. */
static svs_status pass_on(svs_ranks *ranks, void *state) {
    const uint64_t *value = state;
    svs_fiber rest;
    svs_status status = taken_post(ranks, 2, value);
    if (status != SVS_WAIT) return status;
    BENCH_OK(svs_fiber_continue(ranks, pass_on, &rest));
    return svs_post_ready(ranks, 2, rest);
}
SVS_HANDLER(passed, uint64_t, pass_on, SVS_DISPATCH_FIFO)
static const svs_handler *const flow_handlers[] = {&taken, &passed};

static svs_status post_all(svs_ranks *ranks, void *state) {
    flow *mine = *(flow **)state;
    bool forwards = mine->spin != 0;
    uint32_t source = forwards ? 0 : UINT32_MAX, index = svs_ranks_index(ranks);
    if (forwards ? index != source : index == 0) return SVS_OK;
    while (mine->posted < mine->count) {
        svs_fiber rest;
        uint32_t to = forwards ? 1 : 0;
        svs_status status =
            forwards ? passed_post(ranks, to, &mine->posted) : taken_post(ranks, to, &mine->posted);
        if (status == SVS_OK) mine->posted++;
        else if (status != SVS_WAIT) return status;
        else {
            BENCH_OK(svs_fiber_continue(ranks, post_all, &rest));
            return svs_post_ready(ranks, to, rest);
        }
    }
    return SVS_OK;
}

static svs_status start_flow(svs_ranks *ranks, void *state) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, post_all, &state, sizeof state, NULL, &fiber);
    return status != SVS_OK ? status : svs_fiber_enable(ranks, fiber);
}

static void run_flow(svs_ranks_options *options, const settings *chosen, uint32_t spin,
                     uint32_t about) {
    memory of = {0};
    svs_ranks *ranks = make(options, &of);
    flow mine = {.count = chosen->count, .spin = spin};
    svs_ranks_statistics counted;
    uint64_t before;
    svs_ranks_set_data(ranks, &mine);
    BENCH_OK(svs_handlers_add(ranks, flow_handlers, 2));
    before = of.live;
    of.most = of.live;
    BENCH_OK(svs_ranks_run(ranks, start_flow, &mine));
    counted = statistics_of(ranks);
    if (svs_ranks_index(ranks) == about)
        bench_row("bench=ranks work=%s ranks=%u transport=%s count=%llu peak_mb=%.2f "
                  "in_flight_mb=%.2f overflow_mb=%.2f limit_mb=%.1f refused_record=%.3f",
                  chosen->chosen->name, svs_ranks_count(ranks), chosen->transport,
                  (unsigned long long)chosen->count, (double)(of.most - before) / 1e6,
                  (double)(svs_ranks_count(ranks) - 1) * options->credits *
                      (double)options->aggregate_bytes / 1e6,
                  (double)counted.overflow_bytes_most / 1e6,
                  (double)options->overflow_bytes_max / 1e6,
                  (double)(counted.waits_credit + counted.waits_overflow + counted.waits_target) /
                      (double)chosen->count);
    BENCH_OK(svs_ranks_free(ranks));
}

void growth_flood(svs_ranks_options *options, const settings *chosen) {
    run_flow(options, chosen, 0, 0);
}

/* The last rank takes 2 us for each record. */
void growth_forward(svs_ranks_options *options, const settings *chosen) {
    run_flow(options, chosen, bench_rounds(2000), 1);
}
