/* Asyncs and task graphs beside the fibers: results, order, failures; posts do not wait. */
#include "base/atomic.h"
#include "base/platform.h"
#include "ranks/program.h"

#define RANKS 3
#define JOBS 16 /* more than the idle turns of a rank in two waves */
#define DEPTH 8

static svs_runtime *runtimes[RANKS];
static svs_world *worlds[RANKS];
static svs_graph *graphs[RANKS];
static uint64_t graph_sums[RANKS];

typedef struct own {
    uint32_t heard; /* results of all ranks */
    bool wrong;
    uint64_t sums[JOBS];
    svs_counter done;
    _Atomic(uint32_t) pings; /* also read by offloaded work */
} own;

typedef struct script {
    svs_thread thread;
    int64_t next;
} script;

typedef struct word {
    uint64_t sum;
} word;

static void hear(svs_ranks *ranks, void *part, const word *results, uint32_t count) {
    own *mine = part;
    for (uint32_t i = 0; i < count; i++)
        mine->wrong = mine->wrong || results[i].sum != JOBS * (1u << DEPTH);
    mine->heard += count;
}

static void count_ping(svs_ranks *ranks, void *part, const word *results, uint32_t count) {
    /* release: pairs with the acquire in wait_for_pings(). */
    (void)svs__fetch_add_release(&((own *)part)->pings, count);
}

SVS_HANDLER_IN_PLACE(tell, word, hear)
SVS_HANDLER_IN_PLACE(ping, word, count_ping)
static const svs_handler *const handlers[] = {&tell, &ping};

/* ---- work of the workers ---- */

typedef struct leaves {
    _Atomic(uint64_t) *sum;
    uint32_t depth;
} leaves;

static void count_leaves(svs_async_context *async, void *argument) {
    leaves here = *(leaves *)argument;
    if (here.depth-- == 0) {
        (void)svs__fetch_add_relaxed(here.sum, 1); /* the end of the job orders it */
        return;
    }
    for (int i = 0; i < 2; i++) svs_async(async, count_leaves, &here, sizeof here);
}

static void count_all(svs_async_context *async, void *argument) {
    _Atomic(uint64_t) sum = 0;
    leaves all = {&sum, DEPTH};
    svs_finish(async, count_leaves, &all);
    *(uint64_t *)argument = svs__load_relaxed(&sum); /* relaxed: after the finish */
}

static void use_workers(svs_ranks_options *options, uint32_t rank, uint64_t seed) {
    options->workers = runtimes[rank];
}

/* ---- asyncs: several jobs at once, whose sum rank 0 hears ---- */

static svs_status run_jobs(svs_ranks *ranks, void *state) {
    script *me = state;
    own *mine = svs_ranks_data(ranks);
    word all = {0};
    SVS_THREAD_BEGIN(ranks, me);
    for (int i = 0; i < JOBS; i++)
        if (svs_offload(ranks, count_all, &mine->sums[i], &mine->done) != SVS_WAIT)
            return SVS_E_STATE;
    SVS_AWAIT(ranks, me, &mine->done, JOBS);
    for (int i = 0; i < JOBS; i++) all.sum += mine->sums[i];
    return tell_post(ranks, 0, &all);
    SVS_THREAD_END;
}

static svs_status start_thread(svs_ranks *ranks, svs_fiber_function *thread) {
    const script begin = {.next = 0};
    svs_fiber fiber;
    svs_status status = svs_fiber_new(ranks, thread, &begin, sizeof begin, NULL, &fiber);
    return status ? status : svs_fiber_enable(ranks, fiber);
}

static svs_status start_jobs(svs_ranks *ranks, void *state) {
    return start_thread(ranks, run_jobs);
}

static const char *check_jobs(program_run *run) {
    const own *first = program_data(run, 0);
    if (first->wrong) return "a job was not complete when its counter was reached";
    return first->heard == run->program->ranks ? NULL : "the run has ended before a job";
}

PROGRAM(jobs, .ranks = RANKS, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),
        .options = use_workers, .start = start_jobs, .check = check_jobs);

/* ---- a graph, twice ---- */

typedef struct grow {
    uint64_t *sum;
} grow;
static void grow_touch(svs_footprint *footprint, const grow *item) {
    svs_writes(footprint, item->sum);
}
static svs_status grow_run(svs_context *context, grow *item) {
    *item->sum += 1;
    return SVS_OK;
}
SVS_TASK(grow, grow_run, grow_touch)

static svs_status run_graphs(svs_ranks *ranks, void *state) {
    script *me = state;
    own *mine = svs_ranks_data(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    SVS_THREAD_BEGIN(ranks, me);
    graph_sums[rank] = 0;
    for (uint32_t i = 1; i <= 2; i++)
        if (svs_offload_graph(ranks, graphs[rank], 10 * i, &mine->done) != SVS_WAIT)
            return SVS_E_STATE;
    SVS_AWAIT(ranks, me, &mine->done, 2);
    mine->sums[0] = graph_sums[rank];
    SVS_THREAD_END;
}

static svs_status start_graphs(svs_ranks *ranks, void *state) {
    return start_thread(ranks, run_graphs);
}

static const char *check_graphs(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++)
        if (((own *)program_data(run, i))->sums[0] != 30) return "not 10 and 20 iterations";
    return NULL;
}

PROGRAM(graphed, .ranks = RANKS, .bytes = sizeof(own), .options = use_workers,
        .start = start_graphs, .check = check_graphs);

/* ---- work that ends when records have run: no post waits for it (local alone) ---- */

static void wait_for_pings(svs_async_context *async, void *argument) {
    own *mine = argument;
    /* acquire: pairs with the release in count_ping(). */
    while (svs__load_acquire(&mine->pings) < 100) svs__yield();
}

static svs_status ping_all(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    const word none = {0};
    for (uint32_t i = 0; i < 100; i++) {
        svs_status status = ping_post(ranks, (svs_ranks_index(ranks) + 1) % RANKS, &none);
        if (status) return status;
    }
    return svs_offload(ranks, wait_for_pings, mine, &mine->done) == SVS_WAIT ? SVS_OK : SVS_E_STATE;
}

static const char *check_pings(program_run *run) {
    for (uint32_t i = 0; i < RANKS; i++)
        if (((own *)program_data(run, i))->done.value != 1) return "the run has ended before a job";
    return NULL;
}

PROGRAM(pinged, .ranks = RANKS, .bytes = sizeof(own), PROGRAM_HANDLERS(handlers),
        .options = use_workers, .start = ping_all, .check = check_pings);

/* ---- failures ---- */

static svs_status fail_run(svs_context *context, grow *item) { return 77; }
SVS_TASK(failing_grow, grow, fail_run, grow_touch)

static svs_graph *failing[RANKS];

static svs_status fail_in_rank_1(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    uint32_t rank = svs_ranks_index(ranks);
    for (int i = 0; i < JOBS; i++)
        if (svs_offload(ranks, count_all, &mine->sums[i], &mine->done) != SVS_WAIT)
            return SVS_E_STATE;
    if (rank == 1 && svs_offload_graph(ranks, failing[rank], 1, &mine->done) != SVS_WAIT)
        return SVS_E_STATE;
    return SVS_OK;
}

PROGRAM(failing_job, .ranks = RANKS, .bytes = sizeof(own), .options = use_workers,
        .start = fail_in_rank_1, .status = 77, .text = "rank 1: offloaded work returned user (77)");

/* The run is stopped while jobs are queued: they are dropped. */
static svs_status stop_with_jobs(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    for (int i = 0; i < JOBS; i++)
        if (svs_offload(ranks, count_all, &mine->sums[i], &mine->done) != SVS_WAIT)
            return SVS_E_STATE;
    return svs_ranks_stop(ranks, 78);
}

PROGRAM(stopped, .ranks = RANKS, .bytes = sizeof(own), .options = use_workers,
        .start = stop_with_jobs, .status = 78, .text = "the run was stopped");

/* Each call is refused: no workers, no counter. */
static svs_status be_refused(svs_ranks *ranks, void *state) {
    own *mine = svs_ranks_data(ranks);
    mine->wrong = svs_offload(ranks, count_all, NULL, &mine->done) != SVS_E_STATE ||
                  svs_offload(ranks, NULL, NULL, &mine->done) != SVS_E_NULL ||
                  svs_offload_graph(ranks, NULL, 1, &mine->done) != SVS_E_NULL ||
                  svs_offload(NULL, count_all, NULL, &mine->done) != SVS_E_NULL;
    return SVS_OK;
}

static const char *check_refused(program_run *run) {
    return ((own *)program_data(run, 0))->wrong ? "a wrong call was accepted" : NULL;
}

PROGRAM(refused, .ranks = 1, .bytes = sizeof(own), .start = be_refused, .check = check_refused);

/* ---- cases ---- */

TEST_CASE(offloaded_asyncs_are_complete_when_their_counter_is_reached) {
    program_sim(&jobs, 300);
    program_local(&jobs, 30);
}

TEST_CASE(offloaded_graphs_run_one_after_the_other) {
    program_sim(&graphed, 300);
    program_local(&graphed, 30);
}

TEST_CASE(no_post_waits_for_offloaded_work) { program_local(&pinged, 30); }

TEST_CASE(a_failure_of_offloaded_work_ends_the_run_on_all_ranks) {
    program_sim(&failing_job, 300);
    program_local(&failing_job, 30);
}

TEST_CASE(a_run_that_fails_drops_offloaded_work) {
    program_sim(&stopped, 300);
    program_local(&stopped, 30);
}

TEST_CASE(survivors_agree_and_memory_is_released_beside_workers) {
    program_kill(&jobs, 7);
    program_exhaust(&jobs, 3);
}

TEST_CASE(offloads_without_workers_are_refused) { program_sim(&refused, 1); }

static int set_up(void **state) {
    static grow items[RANKS];
    for (uint32_t i = 0; i < RANKS; i++) {
        svs_task *task;
        items[i].sum = &graph_sums[i];
        if (svs_runtime_new(NULL, &runtimes[i]) || svs_runtime_start(runtimes[i]) ||
            svs_world_new(runtimes[i], NULL, &worlds[i]) ||
            svs_graph_new(worlds[i], NULL, &graphs[i]) ||
            svs_graph_new(worlds[i], NULL, &failing[i]) ||
            svs_graph_add_transform(graphs[i], &grow_task, &items[i], NULL, &task) ||
            svs_graph_add_transform(failing[i], &failing_grow_task, &items[i], NULL, &task))
            return -1;
    }
    return 0;
}

static int tear_down(void **state) {
    for (uint32_t i = 0; i < RANKS; i++)
        if (svs_graph_free(graphs[i]) || svs_graph_free(failing[i]) || svs_world_free(worlds[i]) ||
            svs_runtime_free(runtimes[i]))
            return -1;
    return 0;
}

int main(int argc, char **argv) { return program_main(argc, argv, set_up, tear_down); }
