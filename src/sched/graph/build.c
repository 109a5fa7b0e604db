/* Building graphs. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sized.h"
#include "sched/domain/inbox.h"
#include "sched/graph/prepare.h"
#include "sched/graph/refusals.h"

static const svs_graph_options defaults = {.size = sizeof defaults,
                                           .name = "graph",
                                           .algorithm = SVS_ALGORITHM_STAGED,
                                           .stage_conflicts = 64,
                                           .explain_every = 1024};

void svs_graph_options_init_sized(svs_graph_options *options, size_t size) {
    if (options) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_graph_options_init: no options: pass the address of a struct");
}

static bool is_algorithm(svs_algorithm algorithm) {
    return (int)algorithm >= SVS_ALGORITHM_DEFAULT && algorithm <= SVS_ALGORITHM_PROGRESSIVE;
}

static svs_status take_options(svs_graph_options *chosen, const svs_graph_options *options,
                               const svs__log *log) {
    if (options && svs__options_take(chosen, sizeof *chosen, options))
        return svs__refuse(log, SVS_E_VERSION,
                           "svs_graph_new: options of another version: fill them with "
                           "svs_graph_options_init()");
    if (!is_algorithm(chosen->algorithm))
        return svs__refuse(log, SVS_E_INVALID,
                           "svs_graph_new: an unknown algorithm: choose SVS_ALGORITHM_STAGED or "
                           "SVS_ALGORITHM_PROGRESSIVE");
    return SVS_OK;
}

svs_status svs_graph_new(svs_world *world, const svs_graph_options *options, svs_graph **graph) {
    svs_graph_options chosen = defaults;
    svs_graph *made;
    svs_status status;
    if (graph) *graph = NULL;
    if (!world || !graph)
        return svs__refuse(world ? world->log : NULL, SVS_E_NULL, "svs_graph_new: %s",
                           world ? "no place for the graph: pass a pointer's address"
                                 : "no world: did svs_world_new() fail?");
    if (svs__world_is_forked(world))
        return svs__refuse(world->log, SVS_E_FORKED, "svs_graph_new: %s",
                           svs_status_text(SVS_E_FORKED));
    status = take_options(&chosen, options, world->log);
    if (status) return status;
    made = svs__allocate_zeroed(world->allocator, sizeof *made, _Alignof(svs_graph));
    if (!made) return SVS_E_NO_MEMORY;
    made->world = world;
    made->options = chosen;
    made->run.graph = made;
    (void)snprintf(made->name, sizeof made->name, "%s", chosen.name ? chosen.name : "graph");
    made->options.name = made->name;
    svs__lock_acquire(&world->entry);
    world->graphs++;
    svs__lock_release(&world->entry);
    *graph = made;
    return SVS_OK;
}

static void task_free(svs_task *task) {
    svs_world *world = task->graph->world;
    svs__tasks_clean_up(world, &svs__node_of(task)->sends);
    svs__tasks_clean_up(world, &svs__node_of(task)->producers);
    svs__tasks_clean_up(world, &svs__node_of(task)->before);
    svs__implicit_clean_up(task);
    svs__inbox_clean_up(task);
    if (task->record)
        svs__release(world->allocator, task->record, SVS__RECORD_BYTES + task->type->item_size, 16);
    svs__release(world->allocator, svs__node_of(task), sizeof(svs__node), _Alignof(svs__node));
}

svs_status svs_graph_free(svs_graph *graph) {
    svs_world *world;
    svs_status status;
    if (!graph) return SVS_OK;
    status = svs__graph_check_idle(graph, "svs_graph_free");
    if (status) return status;
    world = graph->world;
    svs__graph_unprepare(graph);
    for (uint32_t i = 0; i < graph->tasks.count; i++) task_free(graph->tasks.items[i]);
    svs__tasks_clean_up(world, &graph->tasks);
    svs__tasks_clean_up(world, &graph->ordered);
    svs__tasks_clean_up(world, &graph->independent_a);
    svs__tasks_clean_up(world, &graph->independent_b);
    svs__release(world->allocator, graph, sizeof *graph, _Alignof(svs_graph));
    svs__lock_acquire(&world->entry);
    world->graphs--;
    svs__lock_release(&world->entry);
    return SVS_OK;
}

static const char *type_mistake(const svs_task_type *type) {
    if (!type->name) return "a task type without a name: describe it with SVS_TASK";
    if (!type->run) return "a task without a body: give its type a run function";
    if (type->item_size > SVS_ITEM_MAX)
        return "an item larger than SVS_ITEM_MAX: send a pointer to what is so large";
    if (type->item_alignment > 16)
        return "an item of an alignment above 16: send a pointer to what is aligned so";
    if (type->link_count && !type->links)
        return "links that are not described: use SVS_TASK_REACH, or no links";
    if (!type->touch && !type->links)
        return "neither a touch function nor links: say what its instances may touch";
    if (type->flags) return "flags that this version does not know: set them to 0";
    return NULL;
}

/* Whether the graph may be changed now; a change makes it prepare again. */
static svs_status begin_change(svs_graph *graph, const char *call) {
    svs_status status = svs__graph_check_idle(graph, call);
    if (!status) svs__graph_unprepare(graph);
    return status;
}

static svs_status add_record(svs_task *task, const void *item) {
    const svs_allocator *allocator = task->graph->world->allocator;
    size_t size = task->type->item_size;
    task->record = svs__allocate_zeroed(allocator, SVS__RECORD_BYTES + size, 16);
    if (!task->record) return SVS_E_NO_MEMORY;
    task->own.task = task;
    task->record->batch = &task->own;
    if (item) memcpy(svs__record_item(task->record), item, size);
    return SVS_OK;
}

static svs_status add(svs_graph *graph, const svs_task_type *type, bool itemizer, const void *item,
                      void *argument, svs_task **task) {
    const char *call = itemizer ? "svs_graph_add_itemizer" : "svs_graph_add_transform";
    const char *mistake;
    svs__node *node;
    svs_task *made;
    svs_status status;
    if (task) *task = NULL;
    if (!graph) return svs__graph_refuse_missing(call);
    if (!task)
        return svs__graph_refuse(graph, call, SVS_E_NULL,
                                 "no place for the task: pass a pointer's address");
    if (!type)
        return svs__graph_refuse(graph, call, SVS_E_NULL,
                                 "no task type: pass the one that SVS_TASK has made");
    mistake = type_mistake(type);
    if (mistake) return svs__graph_refuse(graph, call, SVS_E_TYPE, mistake);
    status = begin_change(graph, call);
    if (status) return status;
    node = svs__allocate_zeroed(graph->world->allocator, sizeof *node, _Alignof(svs__node));
    if (!node) return SVS_E_NO_MEMORY;
    made = &node->task;
    made->graph = graph;
    made->world = graph->world;
    made->type = type;
    made->argument = argument;
    made->itemizer = itemizer;
    made->index = graph->tasks.count;
    if (!itemizer) status = add_record(made, item);
    if (!status && !svs__tasks_add(graph->world, &graph->tasks, made)) status = SVS_E_NO_MEMORY;
    if (status) {
        task_free(made);
        return status;
    }
    *task = made;
    return SVS_OK;
}

svs_status svs_graph_add_transform(svs_graph *graph, const svs_task_type *type, const void *item,
                                   void *argument, svs_task **task) {
    return add(graph, type, false, item, argument, task);
}

svs_status svs_graph_add_itemizer(svs_graph *graph, const svs_task_type *type, void *argument,
                                  svs_task **task) {
    return add(graph, type, true, NULL, argument, task);
}

svs_status svs_task_set_algorithm(svs_task *task, svs_algorithm algorithm) {
    static const char call[] = "svs_task_set_algorithm";
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!is_algorithm(algorithm))
        return svs__graph_refuse(
            task->graph, call, SVS_E_INVALID,
            "an unknown algorithm: choose SVS_ALGORITHM_STAGED or SVS_ALGORITHM_PROGRESSIVE");
    status = begin_change(task->graph, call);
    if (!status) svs__node_of(task)->algorithm = algorithm;
    return status;
}

svs_status svs_task_set_item(svs_task *task, const void *item) {
    static const char call[] = "svs_task_set_item";
    svs_status status;
    if (!task) return svs__refuse(NULL, SVS_E_NULL, "%s: no task: pass one", call);
    if (!item)
        return svs__graph_refuse(task->graph, call, SVS_E_NULL, "no item: pass the address of one");
    if (task->itemizer)
        return svs__graph_refuse(
            task->graph, call, SVS_E_INVALID,
            "the task is an itemizer, which has no item of its own: send it one");
    status = svs__graph_check_idle(task->graph, call);
    if (!status) memcpy(svs__record_item(task->record), item, task->type->item_size);
    return status;
}

/* ---- edges ---- */

static svs_status check_pair(svs_graph *graph, const char *call, const svs_task *a,
                             const svs_task *b) {
    if (!graph) return svs__graph_refuse_missing(call);
    if (!a || !b) return svs__graph_refuse(graph, call, SVS_E_NULL, "a task is missing: pass two");
    if (a == b)
        return svs__graph_refuse(graph, call, SVS_E_INVALID,
                                 "a task and itself: name two different ones");
    if (a->graph != graph || b->graph != graph)
        return svs__graph_refuse(graph, call, SVS_E_WORLD,
                                 "a task of another graph: name two of this one");
    return begin_change(graph, call);
}

static bool has(const svs__tasks *tasks, const svs_task *task) {
    for (uint32_t i = 0; i < tasks->count; i++)
        if (tasks->items[i] == task) return true;
    return false;
}

/* Adds b to one list and a to the other, or neither. */
static svs_status add_both(svs_graph *graph, svs__tasks *of_a, svs_task *b, svs__tasks *of_b,
                           svs_task *a) {
    if (!svs__tasks_add(graph->world, of_a, b)) return SVS_E_NO_MEMORY;
    if (svs__tasks_add(graph->world, of_b, a)) return SVS_OK;
    of_a->count--;
    return SVS_E_NO_MEMORY;
}

svs_status svs_graph_add_flow(svs_graph *graph, svs_task *producer, svs_task *consumer) {
    svs_status status = check_pair(graph, "svs_graph_add_flow", producer, consumer);
    if (status) return status;
    if (!consumer->itemizer)
        return svs__graph_refuse(
            graph, "svs_graph_add_flow", SVS_E_INVALID,
            "the consumer is a transform, which receives nothing: make it an itemizer");
    if (has(&svs__node_of(producer)->sends, consumer)) return SVS_OK;
    return add_both(graph, &svs__node_of(producer)->sends, consumer,
                    &svs__node_of(consumer)->producers, producer);
}

svs_status svs_graph_add_order(svs_graph *graph, svs_task *before, svs_task *after) {
    svs_status status = check_pair(graph, "svs_graph_add_order", before, after);
    if (status || has(&svs__node_of(before)->before, after)) return status;
    if (!svs__tasks_add(graph->world, &svs__node_of(before)->before, after)) return SVS_E_NO_MEMORY;
    svs__node_of(after)->explicit_parents++;
    return SVS_OK;
}

svs_status svs_graph_set_independent(svs_graph *graph, svs_task *a, svs_task *b) {
    svs_status status = check_pair(graph, "svs_graph_set_independent", a, b);
    if (status) return status;
    return add_both(graph, &graph->independent_a, a, &graph->independent_b, b);
}

static svs_status check_send(svs_graph *graph, const svs_task *to, const void *items, size_t count,
                             size_t item_size) {
    static const char call[] = "svs_graph_send";
    if (!to) return svs__graph_refuse(graph, call, SVS_E_NULL, "no task: name the consumer");
    if (!items && count)
        return svs__graph_refuse(graph, call, SVS_E_NULL,
                                 "no items: pass the address of the first");
    if (to->graph != graph)
        return svs__graph_refuse(graph, call, SVS_E_WORLD,
                                 "a task of another graph: send through its own");
    if (!to->itemizer)
        return svs__graph_refuse(
            graph, call, SVS_E_INVALID,
            "the consumer is a transform: set its item with svs_task_set_item()");
    if (item_size != to->type->item_size)
        return svs__refuse(graph->world->log, SVS_E_INVALID,
                           "graph %s: %s: an item of %zu bytes, but those of %s have %zu: pass "
                           "sizeof one item",
                           graph->name, call, item_size, to->type->name, to->type->item_size);
    if (count > SVS__SEND_MAX)
        return svs__graph_refuse(graph, call, SVS_E_LIMIT,
                                 "more than 2^31 items: run the graph in between");
    return svs__graph_check_idle(graph, call);
}

svs_status svs_graph_send(svs_graph *graph, svs_task *to, const void *items, size_t count,
                          size_t item_size) {
    svs_status status;
    if (!graph) return svs__graph_refuse_missing("svs_graph_send");
    status = check_send(graph, to, items, count, item_size);
    if (!status) status = svs__inbox_put(to, items, count, UINT64_MAX, to->inbox.external);
    if (!status) to->inbox.external += count;
    return status;
}
