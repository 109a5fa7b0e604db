/* A rank that offloads two jobs to its workers: the helper hands each back (ranks.O1), the rank is
 * woken (ranks.O2), and the run ends behind both. */
#include "explore/scenarios/support.h"
#include "transport/local.h"
#include <svs/ranks.h>

enum { JOBS = 2 };

typedef struct offloading {
    svs_runtime *workers;
    svs_counter done;
    uint32_t results[JOBS];
} offloading;

typedef struct waiting {
    svs_thread thread;
} waiting;

static void compute(svs_async_context *async, void *argument) {
    (void)async;
    explore_wrote(argument);
    *(uint32_t *)argument += 1;
}

static svs_status offload_all(svs_ranks *ranks, void *state) {
    waiting *me = state;
    offloading *mine = svs_ranks_data(ranks);
    SVS_THREAD_BEGIN(ranks, me);
    for (uint32_t i = 0; i < JOBS; i++) {
        explore_wrote(&mine->results[i]);
        EXPLORE_CHECK(svs_offload(ranks, compute, &mine->results[i], &mine->done) == SVS_WAIT);
    }
    SVS_AWAIT(ranks, me, &mine->done, JOBS);
    for (uint32_t i = 0; i < JOBS; i++) {
        explore_read(&mine->results[i]);
        EXPLORE_CHECK(mine->results[i] == 1);
    }
    SVS_THREAD_END;
}

static svs_status start(svs_ranks *ranks, void *state) {
    const waiting begin = {{0}};
    svs_fiber fiber;
    (void)state;
    EXPLORE_CHECK(svs_fiber_new(ranks, offload_all, &begin, sizeof begin, NULL, &fiber) == SVS_OK);
    return svs_fiber_enable(ranks, fiber);
}

static int run_rank(const svs_transport *transport, void *argument) {
    offloading *mine = argument;
    svs_ranks_options options;
    svs_ranks *ranks;
    svs_ranks_options_init(&options);
    options.transport = transport;
    options.workers = mine->workers;
    options.spin_ns = 0;
    options.flush_ns = UINT64_MAX;
    options.deadlock_file = NULL;
    EXPLORE_CHECK(svs_ranks_new(&options, &ranks) == SVS_OK);
    svs_ranks_set_data(ranks, mine);
    EXPLORE_CHECK(svs_ranks_run(ranks, start, NULL) == SVS_OK);
    EXPLORE_CHECK(mine->done.value == JOBS);
    EXPLORE_CHECK(svs_ranks_free(ranks) == SVS_OK);
    return 0;
}

static void run(void) {
    offloading mine = {.workers = support_runtime(SVS_POLICY_HELP_FIRST, 1)};
    EXPLORE_CHECK(svs__local_run(1, run_rank, &mine) == 0);
    support_runtime_end(mine.workers);
}

const explore_scenario explore_offload = {"offload", run, 1, 20000,
                                          "a job that is handed back too early, twice or never"};
