/* Tasks that are pinned to a worker, and to the thread that runs their graph: two threads run
 * graphs in one runtime, and one of them is in the seat that both need (worksteal.K4). Each
 * instance runs once and where it must (sched.D1), one at a time (sched.D2); both runs end, so that
 * no sleeper misses work which is for it alone (worksteal.R4). */
#include "explore/scenarios/support.h"
#include "memobj/world.h"
#include "sched/admission/memory.h"
#include <string.h>

#define JOBS 3u

static struct {
    svs_world *world;
    svs_space *space;
    uint32_t cell;      /* that all instances write */
    uint32_t on_worker; /* ran there */
    uint32_t threads;
    bool external; /* no worker has a number to pin to */
    struct side {
        svs_graph *graph;
        svs_task *of_any;
        uintptr_t runner;
        uint32_t ran;
        bool helps; /* the run is begun by another thread than the one that waits */
    } sides[2];
} shared;

typedef struct job {
    uint32_t side, number;
} job;

static void job_touch(svs_footprint *f, const job *j) { svs_writes_at(f, shared.space, 0); }

static void write_cell(void) {
    explore_wrote(&shared.cell);
    shared.cell++;
}

static svs_status runner_run(svs_context *x, job *j) {
    struct side *side = &shared.sides[j->side];
    EXPLORE_CHECK(side->helps || svs__thread_id() == side->runner);
    explore_wrote(side);
    side->ran++;
    write_cell();
    return SVS_OK;
}
SVS_TASK(of_runner, job, runner_run, job_touch)

static svs_status worker_run(svs_context *x, job *j) {
    EXPLORE_CHECK(shared.external || svs_worker_index() == shared.threads - 1);
    explore_wrote(&shared.on_worker);
    shared.on_worker++;
    write_cell();
    return SVS_OK;
}
SVS_TASK(of_worker, job, worker_run, job_touch)

static svs_status any_run(svs_context *x, job *j) {
    write_cell();
    return SVS_OK;
}
SVS_TASK(of_any, job, any_run, job_touch)

static void add(svs_graph *graph, const svs_task_type *type, uint32_t worker, uint32_t side,
                svs_task **task) {
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, type, NULL, task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(*task, support_any_algorithm()) == SVS_OK);
    EXPLORE_CHECK(svs_task_pin(*task, worker) == SVS_OK);
    for (uint32_t i = 0; i < JOBS; i++) {
        job j = {side, i};
        EXPLORE_CHECK(svs_graph_send(graph, *task, &j, 1, sizeof j) == SVS_OK);
    }
}

static svs_graph *graph_of(uint32_t side) {
    svs_task *tasks[3];
    svs_graph *graph;
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &graph) == SVS_OK);
    add(graph, &of_runner_task, SVS_THE_RUNNER, side, &tasks[0]);
    add(graph, &of_any_task, SVS_NO_WORKER, side, &tasks[1]);
    add(graph, &of_worker_task, shared.external ? SVS_NO_WORKER : shared.threads - 1, side,
        &tasks[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            EXPLORE_CHECK(svs_graph_set_independent(graph, tasks[i], tasks[k]) == SVS_OK);
    shared.sides[side].of_any = tasks[1];
    return graph;
}

static void check_side(const struct side *side, svs_graph *graph) {
    explore_read(side);
    EXPLORE_CHECK(side->ran == JOBS);
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
}

static void *run_side(void *argument) {
    struct side *side = argument;
    side->runner = svs__thread_id();
    EXPLORE_CHECK(svs_graph_run(side->graph, 1, NULL) == SVS_OK);
    check_side(side, side->graph);
    return NULL;
}

static svs_runtime *open_all(uint32_t threads, bool external) {
    svs_runtime_options options = support_runtime_options(SVS_POLICY_HELP_FIRST, threads);
    svs_runtime *runtime;
    options.external_threads = external;
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    memset(&shared, 0, sizeof shared);
    shared.external = external;
    shared.threads = threads;
    shared.world = support_world(runtime, SVS_REFRESH_MANUAL);
    EXPLORE_CHECK(svs_space_new(shared.world, "cell", 1, &shared.space) == SVS_OK);
    return runtime;
}

static void close_all(svs_runtime *runtime, uint32_t jobs) {
    explore_read(&shared.cell);
    EXPLORE_CHECK(shared.cell == jobs * JOBS);
    EXPLORE_CHECK(svs__admission_is_empty(shared.world->admission));
    EXPLORE_CHECK(svs_space_free(shared.space) == SVS_OK);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    support_runtime_end(runtime);
}

/* The second run, which may have the seat, does not end before the first one. */
static void pinned(void) {
    svs_runtime *runtime = open_all(1 + explore_below(3), false);
    svs_source *source;
    svs__thread other;
    for (uint32_t i = 0; i < 2; i++) shared.sides[i].graph = graph_of(i);
    EXPLORE_CHECK(svs_source_new(shared.sides[1].of_any, 0, &source) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&other, run_side, &shared.sides[1], 0) == SVS_OK);
    (void)run_side(&shared.sides[0]);
    EXPLORE_CHECK(svs_source_free(source) == SVS_OK);
    svs__thread_join(&other);
    close_all(runtime, 6);
}

/* ---- another thread becomes the runner, perhaps while the first one is inside ---- */

/* The first one works for another run then, which ends after this one. */
typedef struct begun {
    svs_graph *graph, *beside;
    _Atomic(uint32_t) is;
} begun;

static void *begin_and_go_on(void *argument) {
    begun *b = argument;
    EXPLORE_CHECK(svs_graph_begin(b->graph, 1, NULL, NULL) == SVS_OK);
    svs__store_release(&b->is, 1);
    svs__futex_wake(&b->is, 1);
    EXPLORE_CHECK(svs_graph_run(b->beside, 1, NULL) == SVS_OK);
    return NULL;
}

static svs_status wait_for_begun(svs_graph *graph) {
    svs_status status;
    do { /* with a limit in between, after which the runner comes back */
        status = svs_graph_wait(graph, explore_below(2) ? UINT64_MAX : 0, NULL);
    } while (status == SVS_E_BUSY);
    return status;
}

static void pinned_handed_on(void) {
    svs_runtime *runtime = open_all(2, true); /* both have a seat */
    begun b = {.graph = graph_of(0)};
    svs_task *kept_open;
    svs_source *source;
    svs__thread other;
    shared.sides[0].helps = true;
    EXPLORE_CHECK(svs_graph_new(shared.world, NULL, &b.beside) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(b.beside, &of_any_task, NULL, &kept_open) == SVS_OK);
    EXPLORE_CHECK(svs_source_new(kept_open, 0, &source) == SVS_OK);
    EXPLORE_CHECK(svs__thread_create(&other, begin_and_go_on, &b, 0) == SVS_OK);
    while (!svs__load_acquire(&b.is)) svs__futex_wait(&b.is, 0);
    EXPLORE_CHECK(wait_for_begun(b.graph) == SVS_OK);
    EXPLORE_CHECK(svs_source_free(source) == SVS_OK);
    svs__thread_join(&other);
    check_side(&shared.sides[0], b.graph);
    EXPLORE_CHECK(svs_graph_free(b.beside) == SVS_OK);
    close_all(runtime, 3);
}

const explore_scenario explore_pinned = {
    "pinned", pinned, 0, 4000,
    "pinned instances that run elsewhere, or that no thread is woken for"};
const explore_scenario explore_pinned_handed_on = {"pinned_handed_on", pinned_handed_on, 0, 4000,
                                                   "two runners inside of one pinned task"};
