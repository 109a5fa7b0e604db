#include "phylogeny_ranks.h"
#include "common.h"
#include "multipol/program.h"
#include "phylogeny_combine.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_TASKS = 8 }; /* some microseconds each */

typedef phylogeny_part part;

/* Takes tasks until there are none. */
typedef struct worker {
    svs_thread thread;
    part *mine;
    svs_counter available;
    int64_t removals;
    size_t bytes;
    set task;
    uint32_t since; /* tasks since it has asked for a round */
} worker;

/* Sends the results of a rank. */
typedef struct sender {
    part *mine;
    uint64_t sent;
} sender;

struct phylogeny_part {
    svs_thread thread;
    svs_ranks *ranks;
    const patterns *all;
    const way *by;
    svs_stealer *stealer;
    svs_structure *structure;
    combiner *combines;
    search found;         /* by this rank */
    svs_status child;     /* of adding children: the first that is not SVS_OK */
    results here, *whole; /* maximal sets of this rank; on rank 0, of all */
    svs_counter steps, terminated, ended, combined, received;
    uint64_t begun, cpu_begun, terminated_at;
    svs_ranks_statistics before;
    run_counts counts;
    uint64_t sums[sizeof(run_counts) / sizeof(uint64_t)];
};

/* ---- tasks ---- */

/* The deepest set first, and of those the last pattern: on one rank that is the order of
 * search_task(). A set with few patterns stands for a large part of the tree, and is stolen
 * first. */
static void add(void *argument, const set *child) {
    part *mine = argument;
    uint32_t end = set_end(child), left = mine->all->count - end;
    svs_stealer_hint hint = {.priority = (int64_t)set_count(child) * PATTERNS_MAX + end,
                             .work = 1 + left * left,
                             .migration = 1};
    svs_status status =
        svs_stealer_add(mine->stealer, SVS_STEALER_ANY, child, sizeof *child, &hint);
    if (mine->child == SVS_OK) mine->child = status;
}

static svs_status run_task(worker *me) {
    part *mine = me->mine;
    bool failed = search_task(&mine->found, &me->task, add, mine);
    if (failed) {
        combiner_found(mine->combines, &me->task);
        mine->counts.failures++;
    }
    if (mine->child != SVS_OK) return mine->child;
    /* The stores change only here, and between fibers. */
    if (mine->found.counts.tasks % POLL_TASKS == 0) svs_poll(mine->ranks);
    return svs_stealer_complete(mine->stealer);
}

static svs_status ask_after_tasks(worker *me) {
    const way *by = me->mine->by;
    if (by->when != COMBINE_EVERY || ++me->since < by->every) return SVS_OK;
    me->since = 0;
    return combiner_ask(me->mine->combines);
}

static svs_status work(svs_ranks *ranks, void *state) {
    worker *me = state;
    part *mine = me->mine;
    svs_status status;
    SVS_THREAD_BEGIN(ranks, me);
    for (;;) {
        me->removals++;
        status = svs_stealer_remove(mine->stealer, &me->task, &me->bytes, &me->available);
        if (status == SVS_WAIT && mine->by->when == COMBINE_EMPTY)
            status = combiner_ask(mine->combines);
        if (program_begun(status) != SVS_OK) return status;
        SVS_AWAIT(ranks, me, &me->available, me->removals);
        if (me->bytes == SVS_STEALER_END) break;
        status = run_task(me);
        if (status == SVS_OK) status = ask_after_tasks(me);
        if (status != SVS_OK) return status;
    }
    svs_counter_add(ranks, &mine->ended, 1);
    SVS_THREAD_END;
}

static bool take_failure(void *argument, const set *failed) {
    return search_add_failure(&((part *)argument)->found, failed);
}

/* ---- results, on rank 0 ---- */

enum { RESULT, RESULT_END };

static void take_results(svs_ranks *ranks, void *state, const void *records, uint32_t count) {
    (void)ranks;
    for (const set *each = records; count-- != 0; each++) results_add(((part *)state)->whole, each);
}

static void take_result_end(svs_ranks *ranks, void *state, const void *records, uint32_t count) {
    (void)records;
    svs_counter_add(ranks, &((part *)state)->received, count);
}

static const svs_handler handlers[] = {
    {"phylogeny.result", SVS_DISPATCH_IN_PLACE, sizeof(set), NULL, take_results},
    {"phylogeny.end", SVS_DISPATCH_IN_PLACE, sizeof(uint64_t), NULL, take_result_end}};

/* Goes on with `next` when rank 0 accepts records. */
static svs_status go_on(svs_ranks *ranks, svs_fiber_function *next) {
    svs_fiber rest;
    svs_status status = svs_fiber_continue(ranks, next, &rest);
    return status == SVS_OK ? svs_post_ready(ranks, 0, rest) : status;
}

static svs_status send_results(svs_ranks *ranks, void *state) {
    sender *me = state;
    part *mine = me->mine;
    svs_status status = SVS_OK;
    for (; me->sent < mine->here.count && status == SVS_OK; me->sent += status == SVS_OK)
        status = svs_post(ranks, 0, svs_structure_handler(mine->structure, RESULT),
                          &mine->here.maximal[me->sent], sizeof(set));
    if (status == SVS_OK)
        status = svs_post(ranks, 0, svs_structure_handler(mine->structure, RESULT_END), &me->sent,
                          sizeof me->sent);
    return status == SVS_WAIT ? go_on(ranks, send_results) : status;
}

static svs_status finish(svs_ranks *ranks, void *state) {
    part *mine = ((sender *)state)->mine;
    svs_status status = combiner_finish(mine->combines, &mine->combined);
    return status == SVS_WAIT ? go_on(ranks, finish) : status;
}

static svs_status start_fiber(part *mine, svs_fiber_function *function, const void *state,
                              size_t bytes) {
    svs_fiber fiber;
    svs_status status = svs_fiber_new(mine->ranks, function, state, bytes, NULL, &fiber);
    return status == SVS_OK ? svs_fiber_enable(mine->ranks, fiber) : status;
}

/* ---- the run of a rank ---- */

static svs_status begin(part *mine) {
    worker first = {.mine = mine};
    svs_status status = svs_ranks_statistics_get(mine->ranks, &mine->before);
    mine->begun = bench_wall_ns();
    mine->cpu_begun = bench_thread_cpu_ns();
    if (svs_ranks_index(mine->ranks) == 0) add(mine, &(set){{0}});
    if (status == SVS_OK) status = mine->child;
    if (status == SVS_OK)
        status = program_begun(svs_stealer_wait(mine->stealer, &mine->terminated));
    return status == SVS_OK ? start_fiber(mine, work, &first, sizeof first) : status;
}

/* [F2] The failures of all ranks are here. */
static svs_status collect(part *mine) {
    sender first = {.mine = mine};
    svs_flush(mine->ranks, SVS_ALL_RANKS); /* the end of the last round, before long work */
    search_visit_maximal(&mine->found, results_add, &mine->here);
    if (svs_ranks_index(mine->ranks) == 0)
        mine->counts.minimal = search_minimal_failures(&mine->found);
    return start_fiber(mine, send_results, &first, sizeof first);
}

static void sum(void *into, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((uint64_t *)into)[i] += ((const uint64_t *)from)[i];
}

static svs_status gather(part *mine) {
    const search_counts *searched = &mine->found.counts;
    combiner_counts combined = combiner_counts_get(mine->combines);
    run_counts *counts = &mine->counts;
    svs_ranks_statistics now;
    svs_stealer_statistics of;
    svs_status status = svs_ranks_statistics_get(mine->ranks, &now);
    if (status == SVS_OK) status = svs_stealer_statistics_get(mine->stealer, &of);
    if (status != SVS_OK) return status;
    counts->ns = bench_wall_ns() - mine->begun;
    counts->collect_ns = bench_wall_ns() - mine->terminated_at;
    counts->cpu_ns = bench_thread_cpu_ns() - mine->cpu_begun;
    counts->idle_ns = now.idle_ns - mine->before.idle_ns;
    counts->tasks = searched->tasks;
    counts->tests = searched->tests;
    counts->pruned = searched->pruned;
    counts->known = searched->known;
    counts->successes = searched->successes;
    counts->local = of.local;
    counts->migrated = of.migrated + of.received;
    counts->requests = of.requests;
    counts->rounds = svs_ranks_index(mine->ranks) == 0 ? combined.rounds : 0;
    counts->combined = combined.taken;
    counts->messages = now.msg_sent - mine->before.msg_sent;
    counts->bytes = now.byte_sent - mine->before.byte_sent;
    memcpy(mine->sums, counts, sizeof mine->sums);
    return program_begun(svs_reduce(svs_structure_object(mine->structure), sum, mine->sums,
                                    mine->sums, sizeof *mine->sums,
                                    sizeof mine->sums / sizeof *mine->sums, &mine->steps));
}

static svs_status start(svs_ranks *ranks, void *state) {
    part *mine = state;
    sender first = {.mine = mine};
    svs_status status;
    SVS_THREAD_BEGIN(ranks, mine);
    status = program_begun(svs_barrier(svs_structure_object(mine->structure), &mine->steps));
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->steps, 1);
    status = begin(mine);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->terminated, 1);
    mine->terminated_at = bench_wall_ns();
    status = start_fiber(mine, finish, &first, sizeof first);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->combined, 1);
    SVS_AWAIT(ranks, mine, &mine->ended, 1);
    status = collect(mine);
    if (status != SVS_OK) return status;
    if (svs_ranks_index(ranks) == 0)
        SVS_AWAIT(ranks, mine, &mine->received, svs_ranks_count(ranks));
    status = gather(mine);
    if (status != SVS_OK) return status;
    SVS_AWAIT(ranks, mine, &mine->steps, 2);
    SVS_THREAD_END;
}

static svs_status make_stealer(part *mine) {
    svs_stealer_options options;
    svs_stealer_options_init(&options);
    options.name = "sets";
    options.task_bytes = sizeof(set);
    options.network = mine->by->pushes ? SVS_STEALER_PUSH : mine->by->network;
    options.seed = mine->by->seed;
    return svs_stealer_new(mine->ranks, &options, &mine->stealer);
}

svs_status phylogeny_part_new(svs_ranks *ranks, const patterns *all, phylogeny_part **made) {
    part *mine = *made = bench_allocate(1, sizeof *mine);
    svs_structure_options options;
    svs_status status;
    svs_structure_options_init(&options);
    options.name = "phylogeny";
    options.part = mine;
    options.handlers = handlers;
    options.handler_count = sizeof handlers / sizeof *handlers;
    mine->ranks = ranks;
    mine->all = all;
    status = svs_structure_new(ranks, &options, &mine->structure, NULL);
    return status == SVS_OK ? combiner_new(ranks, take_failure, mine, &mine->combines) : status;
}

void phylogeny_part_free(phylogeny_part *mine) { free(mine); }

svs_status phylogeny_run(phylogeny_part *mine, const way *by, results *made, run_counts *counts) {
    svs_status status;
    mine->by = by;
    mine->thread.line = 0;
    mine->counts = (run_counts){0};
    mine->child = SVS_OK;
    mine->whole = made;
    svs_counter *const counters[] = {&mine->steps, &mine->terminated, &mine->ended, &mine->combined,
                                     &mine->received};
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        svs_counter_init(counters[i], 0);
    search_init(&mine->found, mine->all);
    combiner_reset(mine->combines);
    status = make_stealer(mine);
    if (status == SVS_OK) status = svs_ranks_run(mine->ranks, start, mine);
    if (status == SVS_OK) status = svs_stealer_free(mine->stealer, NULL);
    results_finish(made, mine->all);
    results_free(&mine->here);
    search_clean_up(&mine->found);
    memcpy(counts, mine->sums, sizeof *counts);
    counts->ns = mine->counts.ns;
    counts->collect_ns = mine->counts.collect_ns;
    return status;
}
