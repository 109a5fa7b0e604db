#include "sched/graph/statistics.h"

#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "sched/domain/explain.h"
#include "sched/graph/refusals.h"

void svs__statistics_add(svs_graph_statistics *into, const svs_graph_statistics *from) {
    into->instances += from->instances;
    into->stages += from->stages;
    into->staged_instances += from->staged_instances;
    into->deferrals += from->deferrals;
    into->deferrals_true += from->deferrals_true;
    into->deferrals_hash += from->deferrals_hash;
    into->deferrals_master += from->deferrals_master;
    into->deferrals_stale += from->deferrals_stale;
    into->revalidations += from->revalidations;
    into->domains += from->domains;
    into->refined += from->refined;
    if (from->width_max > into->width_max) into->width_max = from->width_max;
    if (from->running_max > into->running_max) into->running_max = from->running_max;
}

void svs__statistics_sum(const svs_graph *graph, svs_graph_statistics *statistics) {
    *statistics = graph->run.statistics;
    if (graph->run.env.contexts)
        for (uint32_t i = 0; i < graph->run.env.context_count; i++)
            svs__statistics_add(statistics, &graph->run.env.contexts[i]->statistics);
}

svs_status svs_graph_statistics_get_sized(const svs_graph *graph, svs_graph_statistics *statistics,
                                          size_t size) {
    static const char call[] = "svs_graph_statistics_get";
    svs_graph_statistics sum;
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    if (!statistics)
        return svs__graph_refuse(graph, call, SVS_E_NULL, "no place for the statistics: pass one");
    status = svs__graph_check_idle((svs_graph *)(uintptr_t)graph, call);
    if (status) return status;
    svs__statistics_sum(graph, &sum);
    svs__output_put(statistics, size, &sum, sizeof sum);
    return SVS_OK;
}

svs_status svs_graph_statistics_reset(svs_graph *graph) {
    static const char call[] = "svs_graph_statistics_reset";
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    status = svs__graph_check_idle(graph, call);
    if (status) return status;
    memset(&graph->run.statistics, 0, sizeof graph->run.statistics);
    if (graph->run.env.contexts)
        for (uint32_t i = 0; i < graph->run.env.context_count; i++) {
            memset(&graph->run.env.contexts[i]->statistics, 0,
                   sizeof graph->run.env.contexts[i]->statistics);
            svs__explain_begin(graph->run.env.contexts[i]);
        }
    return SVS_OK;
}

/* ---- a narrow run ---- */

#define NARROW_INSTANCES 100u

static uint32_t blamed(const svs__run *run, svs__blame *b) {
    uint64_t count = svs__load_relaxed(&b->count);
    return count >> 32 == run->env.number ? (uint32_t)count : 0;
}

/* The bucket that deferred most often. */
static svs__blame *most_blamed(svs__run *run) {
    svs__blame *most = run->env.blame;
    for (svs__blame *b = run->env.blame; b < run->env.blame + (1u << SVS__BUCKET_BITS_MAX); b++)
        if (blamed(run, b) > blamed(run, most)) most = b;
    return most;
}

/* Names the element of a bucket by its address and index: it may be no object any more. */
static void name_of_blamed(svs__blame *b, char *text, size_t size) {
    uintptr_t what = svs__load_relaxed(&b->what);
    if (!what) (void)snprintf(text, size, "what a shared master reaches");
    else
        (void)snprintf(text, size, "%p[%llu]", (void *)what,
                       (unsigned long long)svs__load_relaxed(&b->index));
}

void svs__statistics_tell_narrow(svs__run *run, const svs_graph_statistics *before,
                                 const svs_graph_statistics *after) {
    const svs_world *world = run->graph->world;
    uint64_t stages = after->stages - before->stages;
    uint64_t instances = after->staged_instances - before->staged_instances;
    svs__blame *most;
    char name[64];
    if (run->told || instances < NARROW_INSTANCES || instances >= 2 * stages) return;
    run->told = true;
    most = most_blamed(run);
    name_of_blamed(most, name, sizeof name);
    svs__log_write(
        world->log, SVS_LOG_WARNING,
        "graph %s: mean parallel width %.2f over %llu instances; %s put back %llu, %.0f in a "
        "hundred",
        run->graph->name, (double)instances / (double)stages, (unsigned long long)instances, name,
        (unsigned long long)blamed(run, most), 100.0 * blamed(run, most) / (double)instances);
}
