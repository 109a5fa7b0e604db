/* svs_for_each() and svs_for_each_with(): run items without a graph of the caller.
 *
 *   sched.T9  a world keeps the graph of the last short call for the next call, which then
 *       allocates nothing. A call that takes the graph is its only owner. The graph is used again
 *       only for the same name and algorithm, and for a task type of the same contents at the same
 *       address: a plug-in may have been unloaded, and another one loaded in its place
 *       (not asserted: the exchange of `kept` and the comparison are the check). */
#include <stddef.h>
#include <string.h>

#include "base/check.h"
#include "base/program.h"
#include "base/sized.h"
#include "sched/graph/graph.h"
#include "sched/graph/prepare.h"

/* the maximum number of bytes of items after which the graph is kept: longer calls would leave too
 * much memory */
#define KEPT_BYTES ((size_t)1 << 20)

static const svs_for_each_options usual_loop = {
    .size = sizeof usual_loop, .name = "svs_for_each", .algorithm = SVS_ALGORITHM_WINDOWED};

/* The arguments of a call. */
typedef struct loop {
    const char *call; /* name of the public function */
    svs_world *world;
    const svs_task_type *type;
    void *argument;
    svs_graph_options options; /* options of the call's graph */
} loop;

/* Logs a lack of memory. Of the functions that a call uses, only the run logs it itself. */
static svs_status explain(const loop *l, svs_status status) {
    if (status != SVS_E_NO_MEMORY) return status;
    return svs__refuse(l->world->log, status, "%s: %s", l->call, svs_status_text(status));
}

/* Whether the graph is the one that this call would make. The comparison omits `facts`, which
 * programs of older versions do not have. */
static bool is_for(const svs_graph *graph, const loop *l) {
    return graph->tasks.items[0]->type == l->type &&
           !memcmp(&graph->for_each, l->type, offsetof(svs_task_type, facts)) &&
           graph->options.algorithm == l->options.algorithm &&
           !strncmp(graph->name, l->options.name, sizeof graph->name - 1);
}

static void free_idle(svs_graph *graph) {
    svs_status freed = svs_graph_free(graph);
    SVS__ASSERT(!freed); /* it does not run, and no other call has it */
    (void)freed;
}

/* Takes the graph that an earlier call has kept. @return the graph, if it suits this call;
 * otherwise NULL. */
static svs_graph *take_kept(const loop *l) {
    svs_graph *graph;
    if (svs__world_is_forked(l->world)) return NULL;
    /* acquire: pairs with the release in keep_for_next(). */
    graph = svs__exchange_acq_rel(&l->world->kept, NULL);
    svs__program_receive(); /* base.E2: the call that has kept it */
    if (!graph || is_for(graph, l)) return graph;
    free_idle(graph);
    return NULL;
}

static void keep_for_next(svs_graph *graph) {
    svs_world *world = graph->world;
    graph->tasks.items[0]->argument = NULL;
    svs__program_publish(); /* base.E2: the graph */
    /* release: publishes the graph. If another call has kept a graph in the meantime, that one is
     * freed. */
    graph = svs__exchange_acq_rel(&world->kept, graph);
    svs__program_receive();
    free_idle(graph);
}

static svs_status make(const loop *l, svs_graph **graph) {
    svs_task *task;
    svs_status status = svs_graph_new(l->world, &l->options, graph);
    if (status) return explain(l, status);
    status = svs_graph_add_itemizer(*graph, l->type, NULL, &task);
    if (!status) memcpy(&(*graph)->for_each, l->type, offsetof(svs_task_type, facts));
    return explain(l, status);
}

static svs_status run_items(svs_graph *graph, const loop *l, const void *items, size_t count) {
    svs_task *task = graph->tasks.items[0];
    svs_status status;
    task->argument = l->argument;
    status = svs_graph_send(graph, task, items, count, task->type->item_size);
    return status ? explain(l, status) : svs_graph_run(graph, 1, NULL);
}

static svs_status run_loop(const loop *l, const void *items, size_t count) {
    svs_graph *graph = take_kept(l);
    svs_status status = graph ? SVS_OK : make(l, &graph), freed;
    if (!status) status = run_items(graph, l, items, count);
    if (!status && count <= KEPT_BYTES / (l->type->item_size ? l->type->item_size : 1)) {
        keep_for_next(graph);
        return SVS_OK;
    }
    freed = svs_graph_free(graph);
    return status ? status : freed;
}

/* Fills in the options of the call's graph. */
static svs_status prepare(loop *l, const svs_for_each_options *options) {
    svs_for_each_options chosen = usual_loop;
    if (!l->world)
        return svs__refuse(NULL, SVS_E_NULL, "%s: no world: did svs_start() fail?", l->call);
    if (!l->type)
        return svs__refuse(l->world->log, SVS_E_NULL,
                           "%s: no type of tasks: pass the variable that SVS_TASK has made",
                           l->call);
    if (options && svs__options_take(&chosen, sizeof chosen, options))
        return svs__refuse(l->world->log, SVS_E_VERSION,
                           "%s: options of another version: fill them with "
                           "svs_for_each_options_init()",
                           l->call);
    if (!svs__is_algorithm(chosen.algorithm))
        return svs__refuse(l->world->log, SVS_E_INVALID,
                           "%s: an unknown algorithm: choose one of svs_algorithm", l->call);
    svs_graph_options_init(&l->options);
    l->options.name = chosen.name ? chosen.name : usual_loop.name;
    l->options.algorithm = chosen.algorithm;
    return SVS_OK;
}

void svs_for_each_options_init_sized(svs_for_each_options *options, size_t size) {
    if (options) svs__options_init(options, size, &usual_loop, sizeof usual_loop);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_for_each_options_init: no options: pass the address of a struct");
}

svs_status svs_for_each(svs_world *world, const svs_task_type *type, const void *items,
                        size_t count) {
    loop l = {.call = "svs_for_each", .world = world, .type = type};
    svs_status status = prepare(&l, NULL);
    return status ? status : run_loop(&l, items, count);
}

svs_status svs_for_each_with(svs_world *world, const svs_task_type *type, const void *items,
                             size_t count, const svs_for_each_options *options, void *argument) {
    loop l = {.call = "svs_for_each_with", .world = world, .type = type, .argument = argument};
    svs_status status = prepare(&l, options);
    return status ? status : run_loop(&l, items, count);
}
