/* Two runs in one runtime, begun by two threads, while the workers serve them by turns
 * (worksteal.Q4): what a worker has claimed and left for its next turn runs, by whichever thread
 * has the worker's seat then; each instance once, and both runs end. */
#include "base/platform.h"
#include "explore/scenarios/support.h"
#include <string.h>

#define JOBS 12u

static struct {
    svs_world *world;
    uint32_t ran[2][JOBS];
} shared;

typedef struct job {
    uint32_t graph, number;
} job;

static void job_touch(svs_footprint *f, const job *j) { (void)f, (void)j; }
static svs_status job_run(svs_context *x, job *j) {
    uint32_t *mine = &shared.ran[j->graph][j->number];
    explore_wrote(mine);
    EXPLORE_CHECK((*mine)++ == 0);
    return SVS_OK;
}
SVS_TASK(job, job_run, job_touch)

static void *run_one(void *argument) {
    uint32_t which = *(uint32_t *)argument, count = which ? 1 : JOBS;
    job jobs[JOBS];
    svs_task *task;
    svs_graph *graph = support_graph(
        shared.world, explore_below(2) == 0 ? SVS_ALGORITHM_STAGED : SVS_ALGORITHM_PROGRESSIVE);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &job_task, NULL, &task) == SVS_OK);
    for (uint32_t i = 0; i < count; i++) jobs[i] = (job){which, i};
    EXPLORE_CHECK(svs_graph_send(graph, task, jobs, count, sizeof *jobs) == SVS_OK);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < count; i++) {
        explore_read(&shared.ran[which][i]);
        EXPLORE_CHECK(shared.ran[which][i] == 1);
    }
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    return NULL;
}

static void run_with(uint32_t threads) {
    static uint32_t numbers[2] = {0, 1};
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, threads);
    svs__thread other;
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_MANUAL);
    EXPLORE_CHECK(svs__thread_create(&other, run_one, &numbers[1], 0) == SVS_OK);
    (void)run_one(&numbers[0]);
    svs__thread_join(&other);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    support_runtime_end(runtime);
}

static void turns(void) { run_with(1 + explore_below(2)); }

/* ---- a run that no thread waits for ---- */

static void tell(svs_graph *graph, svs_status status, void *argument) {
    _Atomic(uint32_t) *told = argument;
    EXPLORE_CHECK(status == SVS_OK);
    svs__store_release(told, 1);
    svs__futex_wake(told, 1);
}

static svs_graph *jobs_of(uint32_t which, uint32_t count) {
    job jobs[JOBS];
    svs_graph *graph;
    svs_task *task;
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &job_task, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, support_any_algorithm()) == SVS_OK);
    for (uint32_t i = 0; i < count; i++) jobs[i] = (job){which, i};
    EXPLORE_CHECK(svs_graph_send(graph, task, jobs, count, sizeof *jobs) == SVS_OK);
    return graph;
}

static void *begin_other(void *graph) {
    EXPLORE_CHECK(svs_graph_begin(graph, 1, NULL, NULL) == SVS_OK);
    return NULL;
}

/* The thread that has begun a run helps for a while. When another run begins meanwhile, it may
 * leave instances in its seat. It sleeps then, until the run has ended without it
 * (worksteal.K2). */
static void begun(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_graph *away, *here;
    _Atomic(uint32_t) told = 0;
    svs__thread other;
    memset(&shared, 0, sizeof shared);
    shared.world = support_world(runtime, SVS_REFRESH_MANUAL);
    away = jobs_of(0, JOBS);
    here = jobs_of(1, JOBS);
    EXPLORE_CHECK(svs_graph_begin(away, 1, tell, &told) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&other, begin_other, here, 0) == SVS_OK);
    svs_ignore(svs_help(runtime, 1000 * explore_below(500), NULL));
    while (svs__load_acquire(&told) == 0) svs__futex_wait(&told, 0);
    svs__thread_join(&other);
    EXPLORE_CHECK(svs_graph_wait(away, UINT64_MAX, NULL) == SVS_OK);
    EXPLORE_CHECK(svs_graph_wait(here, UINT64_MAX, NULL) == SVS_OK);
    for (uint32_t i = 0; i < JOBS; i++) {
        explore_read(&shared.ran[0][i]);
        EXPLORE_CHECK(shared.ran[0][i] == 1);
    }
    EXPLORE_CHECK(svs_graph_free(away) == SVS_OK);
    support_end(runtime, shared.world, NULL, here);
}

/* ---- priorities of graphs (worksteal.Q6) ---- */

static struct {
    svs_task *urgent;
    uint32_t urgent_ran, other_ran;
} fair;

/* Sends to itself until the other graph has had a turn: without one, this does not end. */
static svs_status urgent_run(svs_context *x, job *j) {
    if (fair.urgent_ran++ == 0) EXPLORE_CHECK(fair.other_ran == 0);
    return fair.other_ran ? SVS_OK : svs_send(x, fair.urgent, j, 1, sizeof *j);
}
SVS_TASK(urgent, job, urgent_run, job_touch)
static svs_status other_run(svs_context *x, job *j) {
    EXPLORE_CHECK(fair.urgent_ran != 0);
    fair.other_ran++;
    return SVS_OK;
}
SVS_TASK(other, job, other_run, job_touch)

static svs_graph *one_job(svs_world *world, const svs_task_type *type, svs_task **task) {
    svs_graph *graph;
    job j = {0, 0};
    EXPLORE_CHECK(svs_graph_new(world, NULL, &graph) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, type, NULL, task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(*task, support_any_algorithm()) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, *task, &j, 1, sizeof j) == SVS_OK);
    return graph;
}

/* One worker: without priorities, the order of begins would choose. */
static void priorities(void) {
    svs_runtime *runtime = support_runtime(SVS_POLICY_HELP_FIRST, 1);
    svs_world *worlds[2] = {support_world(runtime, SVS_REFRESH_MANUAL),
                            support_world(runtime, SVS_REFRESH_MANUAL)};
    svs_task *task;
    svs_graph *others = one_job(worlds[0], &other_task, &task);
    svs_graph *urgent = one_job(worlds[1], &urgent_task, &fair.urgent);
    bool first = explore_below(2) != 0;
    bool raised = explore_below(2) != 0; /* or the others are lowered; before or during the run */
    fair.urgent_ran = fair.other_ran = 0;
    EXPLORE_CHECK(svs_graph_add_flow(urgent, fair.urgent, fair.urgent) == SVS_OK);
    if (raised) EXPLORE_CHECK(svs_graph_set_priority(urgent, 1) == SVS_OK);
    EXPLORE_CHECK(svs_graph_begin(first ? urgent : others, 1, NULL, NULL) == SVS_OK);
    EXPLORE_CHECK(svs_graph_begin(first ? others : urgent, 1, NULL, NULL) == SVS_OK);
    if (!raised) EXPLORE_CHECK(svs_graph_set_priority(others, -1) == SVS_OK);
    EXPLORE_CHECK(svs_graph_wait(others, UINT64_MAX, NULL) == SVS_OK);
    EXPLORE_CHECK(svs_graph_wait(urgent, UINT64_MAX, NULL) == SVS_OK);
    EXPLORE_CHECK(svs_graph_free(others) == SVS_OK);
    EXPLORE_CHECK(svs_graph_free(urgent) == SVS_OK);
    for (int i = 0; i < 2; i++) EXPLORE_CHECK(svs_world_free(worlds[i]) == SVS_OK);
    support_runtime_end(runtime);
}

const explore_scenario explore_priorities = {
    "priorities", priorities, 0, 1000, "a graph that comes before a more urgent one, or never"};
const explore_scenario explore_begun = {"begun", begun, 0, 4000,
                                        "claimed instances that no thread continues"};
const explore_scenario explore_turns = {"turns", turns, 0, 4000,
                                        "claimed instances that are forgotten when a turn is over"};
