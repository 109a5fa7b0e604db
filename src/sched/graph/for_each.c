/* svs_for_each(): items without a graph of the caller's. */
#include "sched/graph/graph.h"

static const char call[] = "svs_for_each";

/* A lack of memory is logged by no call below but the run. */
static svs_status explain(const svs_world *world, svs_status status) {
    if (status != SVS_E_NO_MEMORY) return status;
    return svs__refuse(world->log, status, "%s: %s", call, svs_status_text(status));
}

static svs_status run_items(svs_graph *graph, const svs_task_type *type, const void *items,
                            size_t count) {
    svs_task *task;
    svs_status status = svs_graph_add_itemizer(graph, type, NULL, &task);
    if (!status) status = svs_graph_send(graph, task, items, count, type->item_size);
    return status ? explain(graph->world, status) : svs_graph_run(graph, 1, NULL);
}

svs_status svs_for_each(svs_world *world, const svs_task_type *type, const void *items,
                        size_t count) {
    svs_graph_options options;
    svs_graph *graph;
    svs_status status, freed;
    if (!world) return svs__refuse(NULL, SVS_E_NULL, "%s: no world: did svs_start() fail?", call);
    if (!type)
        return svs__refuse(world->log, SVS_E_NULL,
                           "%s: no task type: pass the one that SVS_TASK has made", call);
    svs_graph_options_init(&options);
    options.name = call;
    status = svs_graph_new(world, &options, &graph);
    if (status) return explain(world, status);
    status = run_items(graph, type, items, count);
    freed = svs_graph_free(graph);
    return status ? status : freed;
}
