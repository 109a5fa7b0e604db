/* One instance of a graph's task, which declares all that it touches, or does not; or two that do,
 * in either order: program CASE THREADS POLICY. */
#include <stdlib.h>
#include <string.h>
#include <svs/svs.h>

typedef struct cell {
    svs_object svs;
    long value;
    struct cell *next;
} cell;
SVS_TYPE(cell, svs, next)

typedef struct change {
    cell *one, *other;
    int reads_one, writes_other;
} change;
static void change_touch(svs_footprint *f, const change *c) {
    if (c->reads_one) svs_reads(f, &c->one->svs);
    else svs_writes(f, &c->one->svs);
}
static svs_status change_run(svs_context *x, change *c) {
    (void)x;
    c->one->value = 1;                        /* [reads_only.a] */
    if (c->writes_other) c->other->value = 2; /* [undeclared.a] */
    return SVS_OK;
}
SVS_TASK(change, change_run, change_touch)

static svs_status run(svs_runtime *runtime, const char *name) {
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    svs_task *changes = NULL;
    change c = {NULL, NULL, strcmp(name, "reads_only") == 0, strcmp(name, "undeclared") == 0};
    int count = strcmp(name, "either_order") == 0 ? 2 : 1;
    svs_status status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    if (!status) status = svs_object_new(world, &cell_type, (void **)&c.one);
    if (!status) status = svs_object_new(world, &cell_type, (void **)&c.other);
    if (!status) status = svs_graph_add_itemizer(graph, &change_task, NULL, &changes);
    for (int i = 0; i < count && !status; i++)
        status = svs_graph_send(graph, changes, &c, 1, sizeof c);
    if (!status) status = svs_graph_run(graph, 1, NULL);
    if (!status) status = svs_graph_free(graph);
    if (!status) status = svs_world_free(world);
    return status;
}

int main(int argc, char **argv) {
    svs_runtime_options options;
    svs_runtime *runtime;
    if (argc != 4) return 1;
    svs_runtime_options_init(&options);
    options.threads = (uint32_t)strtoul(argv[2], NULL, 10);
    options.policy = strcmp(argv[3], "work-first") == 0 ? SVS_WORK_FIRST : SVS_HELP_FIRST;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 1;
    if (run(runtime, argv[1])) return 1;
    return svs_runtime_free(runtime) != SVS_OK;
}
