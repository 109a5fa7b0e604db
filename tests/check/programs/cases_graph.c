/* One instance of a graph's task, which declares all that it touches, or does not; or two; or some
 * that a guard keeps apart: program CASE THREADS POLICY. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
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
    c->one->value = 1;                        /* [reads_only.a] */
    if (c->writes_other) c->other->value = 2; /* [undeclared.a] */
    return SVS_OK;
}
SVS_TASK(change, change_run, change_touch)

/* All have one guard, which is not what they touch; or none. */
static long guarded, guard;
static svs_space *guards;
static svs_object *guard_object;
static const char *guarded_by;

typedef struct count {
    int times;
} count;
static void count_touch(svs_footprint *f, const count *c) {
    if (strcmp(guarded_by, "guarded_by_address") == 0) svs_writes(f, &guard);
    if (strcmp(guarded_by, "guarded_by_index") == 0) svs_writes_at(f, guards, 3);
    if (strcmp(guarded_by, "guarded_by_object") == 0) svs_writes_object(f, guard_object);
}
static svs_status count_run(svs_context *x, count *c) {
    guarded += c->times; /* [unguarded.a] */
    return SVS_OK;
}
SVS_TASK(count, count_run, count_touch)

/* With the bytes of the guard named. */
static svs_status run_counts(svs_world *world, svs_graph *graph) {
    static long places[8];
    svs_task *counts = NULL;
    cell *one = NULL;
    count c = {1};
    svs_status status = svs_space_new(world, "guards", 8, &guards);
    if (!status) status = svs_object_new(world, &cell_type, (void **)&one);
    if (!status) status = svs_check_object_range(&guard, sizeof guard, "guard");
    if (!status) status = svs_check_index_range(guards, 0, places, sizeof *places, 8, "places");
    if (!status) status = svs_graph_add_itemizer(graph, &count_task, NULL, &counts);
    if (!status) guard_object = &one->svs;
    for (int i = 0; i < 10 && !status; i++) status = svs_graph_send(graph, counts, &c, 1, sizeof c);
    if (!status) status = svs_graph_run(graph, 1, NULL);
    svs_space_free(guards);
    return status;
}

/* A cell for each when another one is written, too: else a common cell keeps them apart. */
static svs_status run_changes(svs_world *world, svs_graph *graph, change *c, int count) {
    svs_task *changes = NULL;
    svs_status status = svs_object_new(world, &cell_type, (void **)&c->one);
    if (!status) status = svs_object_new(world, &cell_type, (void **)&c->other);
    if (!status) status = svs_graph_add_itemizer(graph, &change_task, NULL, &changes);
    for (int i = 0; i < count && !status; i++) {
        status = svs_graph_send(graph, changes, c, 1, sizeof *c);
        if (!status && c->writes_other)
            status = svs_object_new(world, &cell_type, (void **)&c->one);
    }
    return status ? status : svs_graph_run(graph, 1, NULL);
}

static svs_status run(svs_runtime *runtime, const char *name) {
    svs_world *world = NULL;
    svs_graph *graph = NULL;
    change c = {NULL, NULL, strcmp(name, "reads_only") == 0, strncmp(name, "undeclared", 10) == 0};
    bool twice = strcmp(name, "either_order") == 0 || strcmp(name, "undeclared_twice") == 0;
    bool counts = strstr(name, "guarded") != NULL;
    svs_status status = svs_world_new(runtime, NULL, &world);
    if (!status) status = svs_graph_new(world, NULL, &graph);
    guarded_by = name;
    if (!status && counts) status = run_counts(world, graph);
    if (!status && !counts) status = run_changes(world, graph, &c, twice ? 2 : 1);
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
    options.policy =
        strcmp(argv[3], "work-first") == 0 ? SVS_POLICY_WORK_FIRST : SVS_POLICY_HELP_FIRST;
    if (svs_runtime_new(&options, &runtime) || svs_runtime_start(runtime)) return 1;
    if (run(runtime, argv[1])) return 1;
    return svs_runtime_free(runtime) != SVS_OK;
}
