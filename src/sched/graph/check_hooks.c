/* The calls of a watcher for a graph (hooks/object_hooks.h). */
#include "base/memory.h"
#include "base/platform.h"
#include "hooks/object_hooks.h"
#include "sched/graph/facts.h"
#include "sched/graph/graph.h"

/* While a watcher is registered, makes sets exact (hooks.K2): traversals have no budget. @return
 * false: no memory. */
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

static const char **names_new(const svs_graph *graph) {
    uint32_t count = graph->tasks.count;
    const char **names =
        svs__allocate(graph->world->allocator, (count + 1) * sizeof *names, _Alignof(char *));
    for (uint32_t i = 0; names && i < count; i++) names[i] = graph->tasks.items[i]->type->name;
    return names;
}

static void names_free(const svs_graph *graph, const char **names) {
    svs__release(graph->world->allocator, names, (graph->tasks.count + 1) * sizeof *names,
                 _Alignof(char *));
}

static uint32_t *cycles_new(const svs_graph *graph) {
    uint32_t count = graph->tasks.count;
    uint32_t *cycles =
        svs__allocate(graph->world->allocator, (count + 1) * sizeof *cycles, _Alignof(uint32_t));
    for (uint32_t i = 0; cycles && i < count; i++) cycles[i] = graph->tasks.items[i]->lead->index;
    return cycles;
}

static void *tell(const svs__object_watcher *watcher, const svs_graph *graph) {
    const svs_allocator *allocator = graph->world->allocator;
    uint32_t count = graph->tasks.count, row = (count + 63) / 64;
    size_t row_bytes = (size_t)row * count * sizeof(uint64_t);
    const char **names = names_new(graph);
    uint32_t *cycles = cycles_new(graph);
    uint64_t *after = svs__allocate_zeroed(allocator, row_bytes + 8, _Alignof(uint64_t));
    void *run = NULL;
    if (!names || !cycles || !after) watcher->run_lost(graph->world);
    else {
        svs__facts_after(graph, after, row);
        run = watcher->run_begins(
            &(svs__watched_graph){graph->world, graph->name, count, row, names, after, cycles});
    }
    names_free(graph, names);
    svs__release(allocator, cycles, (count + 1) * sizeof *cycles, _Alignof(uint32_t));
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

/* ---- observers ---- */

/* Reports the graph to the trace. @return the number of the graph's first task in the trace, or
 * UINT32_MAX. */
static uint32_t tell_trace(svs__observer *observer, const svs_graph *graph) {
    const char **names = names_new(graph);
    svs__seen_graph seen = {graph->name, graph->tasks.count, names};
    uint32_t first = names ? observer->graphs->begins(observer, &seen) : UINT32_MAX;
    names_free(graph, names);
    return first;
}

static bool is_observing(const svs_observer *program) {
    return program->instance_begins || program->instance_ends || program->stage;
}

/* Makes the trace report the deferrals that follow. The next deferral is explained, unless one was
 * explained a short time before. */
static void count_from_here(const svs__run *run) {
    uint64_t now = svs__time_ns();
    for (uint32_t i = 0; i < run->env.context_count; i++) {
        svs_context *context = run->env.contexts[i];
        context->seen_deferrals = context->statistics.deferrals;
        if (now >= context->seen_due_ns) context->explain_at = context->seen_deferrals;
    }
}

void svs__seen_run_begin(svs__run *run) {
    const svs_runtime *runtime = run->graph->world->runtime;
    svs__seen_run *seen = &run->env.seen;
    svs__observer *observer = runtime->observer;
    *seen = (svs__seen_run){.observer = observer, .name = run->graph->name};
    if (is_observing(&runtime->program)) seen->program = &runtime->program;
    if (observer && observer->graphs) {
        seen->first_task = tell_trace(observer, run->graph);
        if (seen->first_task != UINT32_MAX) seen->graphs = observer->graphs;
    }
    seen->any = run->env.watched || seen->program || seen->graphs;
    if (seen->graphs) count_from_here(run);
}

void svs__watched_run_end(svs__run *run) { svs__watching()->run_ends(run->env.watched); }

void svs__watched_iteration_end(svs__run *run) {
    svs__watching()->iteration_ends(run->env.watched);
}
