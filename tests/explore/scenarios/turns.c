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
    svs_graph *graph;
    svs_graph_options options;
    svs_task *task;
    svs_graph_options_init(&options);
    options.algorithm = explore_below(2) == 0 ? SVS_ALGORITHM_STAGED : SVS_ALGORITHM_PROGRESSIVE;
    EXPLORE_CHECK(svs_graph_new(shared.world, &options, &graph) == SVS_OK);
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

const explore_scenario explore_turns = {"turns", turns, 0, 4000,
                                        "claimed instances that are forgotten when a turn is over"};
