/* What a watcher is told of a graph and its instances (memobj/watch.h). */
#include "memobj/watch.h"
#include "base/memory.h"
#include "sched/graph.h"

/* What opens after the end of a task: where an explicit dependency leads, and what opens after the
 * end of that; and, as a task ends after who sends to it, what opens after the end of those that it
 * sends to. Backwards along the topological order. */
static void find_after(const svs_graph *graph, uint64_t *after, uint32_t row) {
    for (uint32_t i = graph->ordered.count; i-- > 0;) {
        const svs_task *task = graph->ordered.items[i];
        uint64_t *mine = after + (size_t)task->index * row;
        for (uint32_t k = 0; k < task->before.count; k++) {
            uint32_t child = task->before.items[k]->index;
            svs__signature_set(mine, child);
            svs__signature_or(mine, after + (size_t)child * row, row);
        }
        for (uint32_t k = 0; k < task->sends.count; k++)
            svs__signature_or(mine, after + (size_t)task->sends.items[k]->index * row, row);
    }
}

/* Exact sets (K2): no traversal has a budget, as long as somebody watches. */
static bool prepare_contexts(svs__run *run, bool watched) {
    const svs_world *world = run->graph->world;
    for (uint32_t i = 0; i < run->context_count; i++) {
        svs_context *context = run->contexts[i];
        context->set.budget = watched ? UINT32_MAX : world->options.examine_budget;
        if (watched && !context->watched_set.world &&
            svs__set_init(&context->watched_set, run->graph->world))
            return false;
        context->watched_set.budget = UINT32_MAX;
    }
    return true;
}

static void *tell(const svs__object_watcher *watcher, const svs_graph *graph) {
    const svs_allocator *allocator = graph->world->allocator;
    uint32_t count = graph->tasks.count, row = (count + 63) / 64;
    size_t row_bytes = (size_t)row * count * sizeof(uint64_t);
    const char **names = svs__allocate(allocator, (count + 1) * sizeof *names, _Alignof(char *));
    uint64_t *after = svs__allocate_zeroed(allocator, row_bytes + 8, _Alignof(uint64_t));
    void *run = NULL;
    if (!names || !after) watcher->run_lost(graph->world);
    else {
        for (uint32_t i = 0; i < count; i++) names[i] = graph->tasks.items[i]->type->name;
        find_after(graph, after, row);
        run = watcher->run_begins(
            &(svs__watched_graph){graph->world, graph->name, count, row, names, after});
    }
    svs__release(allocator, names, (count + 1) * sizeof *names, _Alignof(char *));
    svs__release(allocator, after, row_bytes + 8, _Alignof(uint64_t));
    return run;
}

void svs__watched_run_begin(svs__run *run) {
    const svs__object_watcher *watcher = svs__watching();
    bool before = run->watched != NULL;
    run->watched = NULL;
    if (SVS__UNLIKELY(watcher != NULL)) {
        if (prepare_contexts(run, true)) run->watched = tell(watcher, run->graph);
        else watcher->run_lost(run->graph->world);
    }
    if (run->watched == NULL && (before || watcher != NULL)) (void)prepare_contexts(run, false);
}

void svs__watched_run_end(svs__run *run) { svs__watching()->run_ends(run->watched); }

void svs__watched_iteration_end(svs__run *run) { svs__watching()->iteration_ends(run->watched); }

/* K2: what is walked is held. */
static svs__set *expand(svs_context *context, const svs_task *task, svs__record *record) {
    const svs_task_type *type = task->type;
    svs__set *set = &context->watched_set;
    svs__set_begin(set);
    if (type->touch) type->touch(&set->footprint, svs__record_item(record));
    else svs__set_touch_links(set, svs__record_item(record), type->links, type->link_count);
    return svs__set_expand(set) ? NULL : set;
}

void *svs__watched_begin(svs_context *context, svs__record *record, void *top) {
    const svs_task *task = svs__record_task(record);
    svs__watched_instance instance = {context->run->watched, task->index, context->run->iteration,
                                      record->order, expand(context, task, record)};
    return svs__watching()->begins(&instance, context->worker, top);
}

void svs__watched_end(svs_context *context) {
    const svs__object_watcher *watcher = svs__watching();
    /* None: in the child of a fork from the body, which has ended the last check of its own. */
    if (context->watched && watcher) watcher->ends(context->watched, context->worker);
    context->watched = NULL;
}

void svs__watched_send(const svs_context *context, uint64_t from, size_t count) {
    svs__watching()->sends(context->watched, svs__order, context->holder.order, from, count);
}
