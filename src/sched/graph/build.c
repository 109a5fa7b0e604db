/* Building graphs. */
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/sized.h"
#include "sched/admission/memory.h"
#include "sched/domain/observe/sample.h"
#include "sched/domain/queue/batches.h"
#include "sched/domain/queue/inbox.h"
#include "sched/graph/prepare.h"
#include "sched/graph/refusals.h"
#include "sched/graph/source.h"

static const svs_graph_options defaults = {.size = sizeof defaults,
                                           .name = "graph",
                                           .algorithm = SVS_ALGORITHM_WINDOWED,
                                           .stage_conflicts = 64,
                                           .explain_every = 1024};

void svs_graph_options_init_sized(svs_graph_options *options, size_t size) {
    if (options) svs__options_init(options, size, &defaults, sizeof defaults);
    else
        (void)svs__refuse(NULL, SVS_E_NULL,
                          "svs_graph_options_init: no options: pass the address of a struct");
}

static svs_status take_options(svs_graph_options *chosen, const svs_graph_options *options,
                               const svs__log *log) {
    if (options && svs__options_take(chosen, sizeof *chosen, options))
        return svs__refuse(log, SVS_E_VERSION,
                           "svs_graph_new: options of another version: fill them with "
                           "svs_graph_options_init()");
    if (!svs__is_algorithm(chosen->algorithm))
        return svs__refuse(log, SVS_E_INVALID,
                           "svs_graph_new: an unknown algorithm: choose one of svs_algorithm");
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
    /* now, so that the first run need not make it */
    status = svs__admission_of(world, &made->run.env.admission);
    if (status) {
        svs__release(world->allocator, made, sizeof *made, _Alignof(svs_graph));
        return status;
    }
    made->world = world;
    made->options = chosen;
    made->run.graph = made;
    (void)snprintf(made->name, sizeof made->name, "%s", chosen.name ? chosen.name : "graph");
    made->options.name = made->name;
    svs__lock_acquire(&world->entry);
    world->graphs++;
    world->kept_free = svs_graph_free;
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
    svs__release(world->allocator, svs__node_of(task), sizeof(svs__node), _Alignof(svs__node));
}

svs_status svs_graph_free(svs_graph *graph) {
    svs_world *world;
    svs_status status;
    if (!graph) return SVS_OK;
    status = svs__graph_check_idle(graph, "svs_graph_free");
    if (status) return status;
    if (svs__jobs_are_left(graph))
        return svs__graph_refuse(graph, "svs_graph_free", SVS_E_BUSY,
                                 "sources of its tasks are left: free them with svs_source_free()");
    world = graph->world;
    svs__sample_free(graph->run.env.sample);
    svs__graph_unprepare(graph);
    svs__program_leave(); /* the program's callbacks got the items that never run */
    for (uint32_t i = 0; i < graph->tasks.count; i++) task_free(graph->tasks.items[i]);
    svs__slabs_free(graph->slabs, world->allocator);
    svs__program_enter();
    svs__tasks_clean_up(world, &graph->tasks);
    svs__tasks_clean_up(world, &graph->ordered);
    svs__tasks_clean_up(world, &graph->independent_a);
    svs__tasks_clean_up(world, &graph->independent_b);
    SVS__ASSERT(!svs__load_relaxed(&graph->run.env.visitors)); /* sched.R4 */
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
        return "an item larger than SVS_ITEM_MAX: send a pointer to the data";
    if (type->item_alignment > 16)
        return "an item of an alignment above 16: send a pointer to the data";
    if (type->link_count && !type->links)
        return "links that are not described: use SVS_TASK_REACH, or no links";
    if (!type->touch && (!type->links || !type->link_count))
        return "neither a touch function nor links: give its type one of the two";
    if (type->flags) return "flags that this version does not know: set them to 0";
    return NULL;
}

static svs_status add_item(svs_task *task, const void *item) {
    size_t size = task->type->item_size;
    task->item = svs__slabs_item(&task->graph->slabs, task->world->allocator, task, size);
    if (!task->item) return SVS_E_NO_MEMORY;
    if (item) memcpy(task->item, item, size);
    else memset(task->item, 0, size);
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
    status = svs__graph_begin_change(graph, call);
    if (status) return status;
    node = svs__allocate_zeroed(graph->world->allocator, sizeof *node, _Alignof(svs__node));
    if (!node) return SVS_E_NO_MEMORY;
    made = &node->task;
    made->graph = graph;
    made->lead = made;
    svs__pace_begin(&made->pace);
    made->world = graph->world;
    made->type = type;
    made->argument = argument;
    made->itemizer = itemizer;
    made->pin = SVS_NO_WORKER;
    made->index = graph->tasks.count;
    if (!itemizer) status = add_item(made, item);
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

/* ---- edges ---- */

static svs_status check_pair(svs_graph *graph, const char *call, const svs_task *a,
                             const svs_task *b, bool flow) {
    if (!graph) return svs__graph_refuse_missing(call);
    if (!a || !b) return svs__graph_refuse(graph, call, SVS_E_NULL, "a task is missing: pass two");
    if (a == b && !flow)
        return svs__graph_refuse(graph, call, SVS_E_INVALID,
                                 "a task and itself: name two different ones");
    if (a->graph != graph || b->graph != graph)
        return svs__graph_refuse(graph, call, SVS_E_WORLD,
                                 "a task of another graph: name two of this one");
    return svs__graph_begin_change(graph, call);
}

static bool has(const svs__tasks *tasks, const svs_task *task) {
    for (uint32_t i = 0; i < tasks->count; i++)
        if (tasks->items[i] == task) return true;
    return false;
}

/* Adds b to the list `of_a` and a to the list `of_b`, or adds neither. */
static svs_status add_both(svs_graph *graph, svs__tasks *of_a, svs_task *b, svs__tasks *of_b,
                           svs_task *a) {
    if (!svs__tasks_add(graph->world, of_a, b)) return SVS_E_NO_MEMORY;
    if (svs__tasks_add(graph->world, of_b, a)) return SVS_OK;
    of_a->count--;
    return SVS_E_NO_MEMORY;
}

svs_status svs_graph_add_flow(svs_graph *graph, svs_task *producer, svs_task *consumer) {
    svs_status status = check_pair(graph, "svs_graph_add_flow", producer, consumer, true);
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
    svs_status status = check_pair(graph, "svs_graph_add_order", before, after, false);
    if (status || has(&svs__node_of(before)->before, after)) return status;
    if (!svs__tasks_add(graph->world, &svs__node_of(before)->before, after)) return SVS_E_NO_MEMORY;
    svs__node_of(after)->explicit_parents++;
    return SVS_OK;
}

svs_status svs_graph_set_independent(svs_graph *graph, svs_task *a, svs_task *b) {
    svs_status status = check_pair(graph, "svs_graph_set_independent", a, b, false);
    if (status) return status;
    return add_both(graph, &graph->independent_a, a, &graph->independent_b, b);
}

/* `missing`: the message for a send without items, or NULL. */
static svs_status check_send(svs_graph *graph, const char *call, const svs_task *to,
                             const char *missing, size_t count, size_t item_size) {
    if (!to) return svs__graph_refuse(graph, call, SVS_E_NULL, "no task: name the consumer");
    if (missing) return svs__graph_refuse(graph, call, SVS_E_NULL, missing);
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
    static const char call[] = "svs_graph_send";
    svs__outside by = {.limit = UINT32_MAX};
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    status = check_send(graph, call, to,
                        !items && count ? "no items: pass the address of the first" : NULL, count,
                        item_size);
    if (!status) status = svs__inbox_put_outside(to, items, count, &by);
    return status;
}

svs_status svs_graph_generate(svs_graph *graph, svs_task *to, svs_generate_function *generate,
                              void *argument, size_t count, size_t item_size) {
    static const char call[] = "svs_graph_generate";
    svs__generated what = {.function = generate, .argument = argument, .count = (uint32_t)count};
    svs__outside by = {.limit = UINT32_MAX, .generated = &what};
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    status = check_send(graph, call, to,
                        generate ? NULL : "no function: pass the one that makes the items", count,
                        item_size);
    if (!status) status = svs__inbox_put_outside(to, NULL, count, &by);
    return status;
}
