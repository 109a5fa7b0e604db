/* The calls of a watcher for a graph (hooks/object_hooks.h). */
#include "base/memory.h"
#include "hooks/object_hooks.h"
#include "sched/graph/graph.h"

/* For each task the tasks that open after its end: the targets of its explicit dependencies, and
 * the tasks that open after their ends. A consumer ends after its producers, so the tasks that open
 * after the end of a consumer count, too. Backwards along the topological order. */
static void find_after(const svs_graph *graph, uint64_t *after, uint32_t row) {
    for (uint32_t i = graph->ordered.count; i-- > 0;) {
        const svs_task *task = graph->ordered.items[i];
        uint64_t *mine = after + (size_t)task->index * row;
        for (uint32_t k = 0; k < svs__node_of(task)->before.count; k++) {
            uint32_t child = svs__node_of(task)->before.items[k]->index;
            svs__signature_set(mine, child);
            svs__signature_or(mine, after + (size_t)child * row, row);
        }
        for (uint32_t k = 0; k < svs__node_of(task)->sends.count; k++)
            svs__signature_or(mine, after + (size_t)svs__node_of(task)->sends.items[k]->index * row,
                              row);
    }
}

/* Exact sets (hooks.K2): no traversal has a budget, while a watcher is there. */
static bool prepare_contexts(svs__run *run, bool watched) {
    const svs_world *world = run->graph->world;
    for (uint32_t i = 0; i < run->env.context_count; i++) {
        svs_context *context = run->env.contexts[i];
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
    bool before = run->env.watched != NULL;
    run->env.watched = NULL;
    if (SVS__UNLIKELY(watcher != NULL)) {
        if (prepare_contexts(run, true)) run->env.watched = tell(watcher, run->graph);
        else watcher->run_lost(run->graph->world);
    }
    if (run->env.watched == NULL && (before || watcher != NULL)) (void)prepare_contexts(run, false);
}

void svs__watched_run_end(svs__run *run) { svs__watching()->run_ends(run->env.watched); }

void svs__watched_iteration_end(svs__run *run) {
    svs__watching()->iteration_ends(run->env.watched);
}
