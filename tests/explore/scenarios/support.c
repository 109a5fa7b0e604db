#include "explore/scenarios/support.h"
#include "memobj/world.h"
#include "sched/admission/memory.h"

svs_runtime_options support_runtime_options(uint32_t policy, uint32_t threads) {
    svs_runtime_options options;
    svs_runtime_options_init(&options);
    options.threads = threads;
    options.policy = policy;
    options.spin_ns = 0;
    options.log = NULL;
    return options;
}

uint32_t support_any_policy(void) {
    return explore_below(2) == 0 ? SVS_POLICY_HELP_FIRST : SVS_POLICY_WORK_FIRST;
}

svs_algorithm support_any_algorithm(void) {
    static const svs_algorithm all[] = {SVS_ALGORITHM_STAGED, SVS_ALGORITHM_PROGRESSIVE,
                                        SVS_ALGORITHM_WINDOWED};
    return all[explore_below(3)];
}

svs_runtime *support_runtime(uint32_t policy, uint32_t threads) {
    svs_runtime *runtime;
    svs_runtime_options options = support_runtime_options(policy, threads);
    EXPLORE_CHECK(svs_runtime_new(&options, &runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_start(runtime) == SVS_OK);
    return runtime;
}

void support_runtime_end(svs_runtime *runtime) {
    EXPLORE_CHECK(svs_runtime_stop(runtime) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_free(runtime) == SVS_OK);
}

#define CHILDREN 3u
static uint32_t results[CHILDREN][2];

static void write_result(uint32_t *result) {
    explore_wrote(result);
    EXPLORE_CHECK(*result == 0);
    *result = 1;
}

static void leaf(svs_async_context *async, void *argument) { write_result(*(uint32_t **)argument); }

static void branch(svs_async_context *async, void *argument) {
    uint32_t *mine = *(uint32_t **)argument, *next = mine + 1;
    svs_async(async, leaf, &next, sizeof next);
    write_result(mine);
}

static void spawn_all(svs_async_context *async, svs_async_function *function) {
    for (uint32_t i = 0; i < CHILDREN; i++) {
        uint32_t *result = &results[i][0];
        svs_async(async, function, &result, sizeof result);
    }
}

void support_spawn_children(svs_async_context *async, void *unused) { spawn_all(async, leaf); }

void support_spawn_grandchildren(svs_async_context *async, void *unused) {
    spawn_all(async, branch);
}

void support_clear_results(void) {
    for (uint32_t i = 0; i < CHILDREN; i++)
        for (uint32_t j = 0; j < 2; j++) {
            explore_wrote(&results[i][j]);
            results[i][j] = 0;
        }
}

void support_check_results(uint32_t of_each) {
    for (uint32_t i = 0; i < CHILDREN; i++)
        for (uint32_t j = 0; j < of_each; j++) {
            explore_read(&results[i][j]);
            EXPLORE_CHECK(results[i][j] == 1);
        }
}

svs_world_options support_world_options(uint32_t signature_bits, uint32_t cell_bits) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.signature_bits = signature_bits;
    options.cell_bits = cell_bits;
    return options;
}

svs_world *support_world_with(svs_runtime *runtime, const svs_world_options *options) {
    svs_world *world;
    EXPLORE_CHECK(svs_world_new(runtime, options, &world) == SVS_OK);
    return world;
}

svs_world *support_world(svs_runtime *runtime, svs_refresh_mode refresh) {
    svs_world_options options = support_world_options(64, 6);
    options.refresh = refresh;
    return support_world_with(runtime, &options);
}

void *support_object(svs_world *world, svs_type *type) {
    void *storage = NULL;
    EXPLORE_CHECK(svs_object_new(world, type, &storage) == SVS_OK);
    return storage;
}

svs_graph *support_graph(svs_world *world, svs_algorithm algorithm) {
    svs_graph *graph;
    svs_graph_options options;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    EXPLORE_CHECK(svs_graph_new(world, &options, &graph) == SVS_OK);
    return graph;
}

svs_task *support_task(svs_graph *graph, const svs_task_type *type, svs_algorithm algorithm,
                       const void *items, size_t count, size_t item_size) {
    svs_task *task;
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, type, NULL, &task) == SVS_OK);
    EXPLORE_CHECK(svs_task_set_algorithm(task, algorithm) == SVS_OK);
    EXPLORE_CHECK(svs_graph_send(graph, task, items, count, item_size) == SVS_OK);
    return task;
}

void support_end(svs_runtime *runtime, svs_world *world, svs_space *space, svs_graph *graph) {
    EXPLORE_CHECK(!world->admission || svs__admission_is_empty(world->admission));
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    EXPLORE_CHECK(svs_space_free(space) == SVS_OK);
    EXPLORE_CHECK(svs_world_free(world) == SVS_OK);
    support_runtime_end(runtime);
}
