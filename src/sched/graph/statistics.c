#include "sched/graph/statistics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "sched/domain/instance/contexts.h"
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
    into->quiet_ns += from->quiet_ns;
    if (from->width_max > into->width_max) into->width_max = from->width_max;
    if (from->running_max > into->running_max) into->running_max = from->running_max;
}

void svs__statistics_sum(const svs_graph *graph, svs_graph_statistics *statistics) {
    const svs__domain_env *env = &graph->run.env;
    *statistics = graph->run.statistics;
    for (uint32_t i = 0; i < env->context_count && env->counts; i++)
        svs__statistics_add(statistics, env->contexts ? &env->contexts[i]->statistics
                                                      : &env->counts[i].statistics);
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
    svs__counts_clear(&graph->run.env);
    return SVS_OK;
}

/* ---- a narrow run ---- */

#define NARROW_INSTANCES 100u
/* in percent of the instances: an object that keeps fewer instances apart does not explain the
 * width */
#define CAUSE_PERCENT 5u

static uint32_t blamed(const svs__run *run, svs__blame *b) {
    uint64_t count = svs__load_relaxed(&b->count);
    return count >> 32 == run->env.blame_run ? (uint32_t)count : 0;
}

/* The bucket with the most deferrals in this run. */
static svs__blame *most_blamed(svs__run *run) {
    svs__blame *most = run->env.blame;
    for (svs__blame *b = run->env.blame; b < run->env.blame + (1u << SVS__BUCKET_BITS_MAX); b++)
        if (blamed(run, b) > blamed(run, most)) most = b;
    return most;
}

/* Writes the name as svs_explain() does. An object may have been freed, so only its address is
 * used; a space lives as long as the run. */
static void name_of_blamed(svs__blame *b, char *text, size_t size) {
    const void *what = (const void *)svs__load_relaxed(&b->what);
    uint32_t kind = svs__load_relaxed(&b->kind);
    if (kind == SVS_KIND_EVERYTHING) (void)snprintf(text, size, "everything");
    else if (!what) (void)snprintf(text, size, "objects that are known by a signature only");
    else if (kind == SVS_KIND_INDEX)
        (void)snprintf(text, size, "%s[%" PRIu64 "]", ((const svs_space *)what)->name,
                       svs__load_relaxed(&b->index));
    else (void)snprintf(text, size, "%s %p", kind == SVS_KIND_ADDRESS ? "address" : "object", what);
}

/* Writes a sentence that names what has kept instances apart most often; empty if that was rare. */
static void say_cause(svs__run *run, uint64_t instances, char *text, size_t size) {
    svs__blame *most = most_blamed(run);
    uint64_t times = blamed(run, most);
    char name[96];
    text[0] = '\0';
    if (100 * times < CAUSE_PERCENT * instances) return;
    name_of_blamed(most, name, sizeof name);
    (void)snprintf(text, size, "; %s kept instances apart %" PRIu64 " times", name, times);
}

void svs__statistics_tell_narrow(svs__run *run, const svs_graph_statistics *before,
                                 const svs_graph_statistics *after) {
    uint64_t stages = after->stages - before->stages;
    uint64_t instances = after->staged_instances - before->staged_instances;
    char cause[160];
    if (run->told || instances < NARROW_INSTANCES || instances >= 2 * stages) return;
    run->told = true;
    say_cause(run, instances, cause, sizeof cause);
    svs__log_write(run->graph->world->log, SVS_LOG_WARNING,
                   "graph %s: mean parallel width %.2f over %" PRIu64
                   " instances%s; svs_explain() shows which declarations cost how much",
                   run->graph->name, (double)instances / (double)stages, instances, cause);
}
