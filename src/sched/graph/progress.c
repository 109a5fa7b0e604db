/* The progress of a run, which may be read while workers run. */
#include "base/sized.h"
#include "sched/domain/instance/contexts.h"
#include "sched/graph/graph.h"
#include "sched/graph/refusals.h"

static uint64_t pending_of(const svs_graph *graph) {
    uint64_t pending = 0;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        const svs_task *task = graph->tasks.items[i];
        /* relaxed is enough: the numbers change at any time. `outstanding` is 0 except for
         * leads. */
        pending += svs__outstanding_instances(svs__load_relaxed(&task->outstanding));
        pending += svs__load_relaxed(&task->inbox.uncounted);
    }
    return pending;
}

svs_status svs_graph_progress_sized(svs_graph *graph, svs_progress *progress, size_t size) {
    static const char call[] = "svs_graph_progress";
    svs_progress now = {0};
    svs__run *run;
    if (!graph) return svs__graph_refuse_missing(call);
    if (!progress)
        return svs__graph_refuse(graph, call, SVS_E_NULL, "no place for the progress: pass one");
    run = &graph->run;
    now.pending = pending_of(graph);
    svs__lock_acquire(&run->lock);
    now.tasks = run->tasks_left;
    now.iteration = run->iteration;
    now.ended = run->ended + svs__contexts_ended(&run->env);
    svs__lock_release(&run->lock);
    svs__output_put(progress, size, &now, sizeof now);
    return SVS_OK;
}
