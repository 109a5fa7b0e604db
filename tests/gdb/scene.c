/* A graph that stands still in the body of an instance, for the commands of gdb. Without an
 * argument four others wait for its place; with one, hundreds are in its stage. */
#include <stdbool.h>
#include <stdio.h>
#include <svs/svs.h>

#define JOBS 300u

static svs_space *places;

typedef struct job {
    uint32_t number;
} job;

__attribute__((noinline)) void stand_still(const job *j) { __asm__ volatile("" : : "r"(j)); }

static bool is_wide;

static void work_touch(svs_footprint *f, const job *j) {
    svs_writes_at(f, places, is_wide ? j->number : 7);
}
static svs_status work_body(svs_context *context, job *j) {
    (void)context;
    if (j->number == 0) stand_still(j);
    return SVS_OK;
}
SVS_TASK(work, job, work_body, work_touch)

static svs_status after_body(svs_context *context, job *j) {
    (void)context, (void)j;
    return SVS_OK;
}
SVS_TASK(after, job, after_body, work_touch)

int main(int argc, char **argv) {
    (void)argv;
    svs_runtime_options options;
    svs_graph_options graph_options;
    svs_runtime *runtime;
    svs_world *world;
    svs_graph *graph;
    svs_task *task, *last;
    is_wide = argc > 1;
    svs_runtime_options_init(&options);
    options.threads = 2;
    svs_graph_options_init(&graph_options);
    graph_options.name = "scene";
    graph_options.algorithm = is_wide ? SVS_ALGORITHM_WINDOWED : SVS_ALGORITHM_STAGED;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 1;
    if (svs_world_new(runtime, NULL, &world) || svs_space_new(world, "places", JOBS, &places))
        return 1;
    if (svs_graph_new(world, &graph_options, &graph)) return 1;
    if (svs_graph_add_itemizer(graph, &work_task, NULL, &task)) return 1;
    if (svs_graph_add_transform(graph, &after_task, NULL, NULL, &last)) return 1;
    if (svs_graph_add_order(graph, task, last)) return 1;
    for (uint32_t i = 0; i < (is_wide ? JOBS : 5); i++) {
        job j = {i};
        if (svs_graph_send(graph, task, &j, 1, sizeof j)) return 1;
    }
    if (svs_graph_run(graph, 1, NULL)) return 1;
    puts("done");
    return svs_graph_free(graph) || svs_space_free(places) || svs_world_free(world) ||
           svs_runtime_free(runtime);
}
