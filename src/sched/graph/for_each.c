/* svs_for_each(): items without a graph of the caller's.
 *
 *   sched.T9  a world keeps the graph of the last short call for the next one, which allocates
 *       nothing then. A call that takes it owns it alone. It is used again only for a task type of
 *       the same contents at the same address: a plug-in may have been unloaded, and another one
 *       loaded in its place
 *       (not asserted: the exchange of `kept` and the comparison are the check). */
#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "sched/graph/graph.h"

#define KEPT_BYTES ((size_t)1 << 20) /* of items: what a graph keeps of longer calls is too much */

static const char for_each_call[] = "svs_for_each";

/* A lack of memory is logged by no call below but the run. */
static svs_status explain(const svs_world *world, svs_status status) {
    if (status != SVS_E_NO_MEMORY) return status;
    return svs__refuse(world->log, status, "%s: %s", for_each_call, svs_status_text(status));
}

/* But for `facts`, which programs of older versions do not have. */
static bool is_of(const svs_graph *graph, const svs_task_type *type) {
    return graph->tasks.items[0]->type == type &&
           !memcmp(&graph->for_each, type, offsetof(svs_task_type, facts));
}

static void free_idle(svs_graph *graph) {
    svs_status freed = svs_graph_free(graph);
    SVS__ASSERT(!freed); /* it does not run, and nothing else names it */
    (void)freed;
}

/* @return the graph of the last call, if it was of the type; else NULL. */
static svs_graph *take_kept(svs_world *world, const svs_task_type *type) {
    svs_graph *graph;
    if (svs__world_is_forked(world)) return NULL;
    /* acquire: pairs with keep_for_next(). */
    graph = svs__exchange_acq_rel(&world->kept, NULL);
    if (!graph || is_of(graph, type)) return graph;
    free_idle(graph);
    return NULL;
}

static void keep_for_next(svs_graph *graph) {
    svs_world *world = graph->world;
    /* release: publishes the graph. That of another call, which has ended meanwhile, is freed. */
    graph = svs__exchange_acq_rel(&world->kept, graph);
    free_idle(graph);
}

static svs_status make(svs_world *world, const svs_task_type *type, svs_graph **graph) {
    svs_graph_options options;
    svs_task *task;
    svs_status status;
    svs_graph_options_init(&options);
    options.name = for_each_call;
    status = svs_graph_new(world, &options, graph);
    if (status) return explain(world, status);
    status = svs_graph_add_itemizer(*graph, type, NULL, &task);
    if (!status) memcpy(&(*graph)->for_each, type, offsetof(svs_task_type, facts));
    return explain(world, status);
}

static svs_status run_items(svs_graph *graph, const void *items, size_t count) {
    svs_task *task = graph->tasks.items[0];
    svs_status status = svs_graph_send(graph, task, items, count, task->type->item_size);
    return status ? explain(graph->world, status) : svs_graph_run(graph, 1, NULL);
}

svs_status svs_for_each(svs_world *world, const svs_task_type *type, const void *items,
                        size_t count) {
    svs_graph *graph;
    svs_status status = SVS_OK, freed;
    if (!world)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no world: did svs_start() fail?", for_each_call);
    if (!type)
        return svs__refuse(world->log, SVS_E_NULL,
                           "%s: no task type: pass the one that SVS_TASK has made", for_each_call);
    graph = take_kept(world, type);
    if (!graph) status = make(world, type, &graph);
    if (!status) status = run_items(graph, items, count);
    if (!status && count <= KEPT_BYTES / (type->item_size ? type->item_size : 1)) {
        keep_for_next(graph);
        return SVS_OK;
    }
    freed = svs_graph_free(graph);
    return status ? status : freed;
}
