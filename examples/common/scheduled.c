#include "common/scheduled.h"

#include <inttypes.h>
#include <stdio.h>
#ifdef EXAMPLES_JEMALLOC
#include "jemalloc_adapter.h"
#endif

void scheduled_options_init(scheduled_options *options, const char *name, uint32_t threads,
                            unsigned algorithm) {
    svs_runtime_options_init(&options->runtime);
    svs_world_options_init(&options->world);
    svs_graph_options_init(&options->graph);
#ifdef EXAMPLES_JEMALLOC
    options->runtime.allocator = *svs_jemalloc_allocator();
#endif
    options->runtime.threads = threads;
    options->graph.name = name;
    options->graph.algorithm = (svs_algorithm)algorithm;
    options->space = NULL;
    options->indices = 0;
}

svs_status scheduled_open(scheduled *all, const scheduled_options *options) {
    svs_status status = svs_runtime_new(&options->runtime, &all->runtime);
    if (!status) status = svs_runtime_start(all->runtime);
    if (!status) status = svs_world_new(all->runtime, &options->world, &all->world);
    if (!status && options->space)
        status = svs_space_new(all->world, options->space, options->indices, &all->space);
    if (!status) status = svs_graph_new(all->world, &options->graph, &all->graph);
    return status;
}

void scheduled_close(scheduled *all) {
    if (svs_graph_free(all->graph) || svs_space_free(all->space) || svs_world_free(all->world) ||
        svs_runtime_free(all->runtime))
        fputs("the engine could not free its graph, space, world and runtime\n", stderr);
}

static const char *explain(scheduled *all, svs_status status, const char *text) {
    if (!status) return NULL;
    snprintf(all->error, sizeof all->error, "%s: %s", svs_status_name(status), text);
    return all->error;
}

const char *scheduled_error(scheduled *all, svs_status status) {
    return explain(all, status, svs_status_text(status));
}

const char *scheduled_run(scheduled *all) {
    svs_report report;
    svs_status status = svs_graph_run(all->graph, 1, &report);
    return status ? explain(all, status, report.text) : NULL;
}

const char *scheduled_run_with(scheduled *all, svs_task *to, const void *items, size_t count,
                               size_t item_size) {
    svs_status status = svs_graph_send(all->graph, to, items, count, item_size);
    return status ? scheduled_error(all, status) : scheduled_run(all);
}

void scheduled_describe(const scheduled *all, char *text, size_t size) {
    svs_graph_statistics s;
    svs_world_statistics world;
    if (svs_graph_statistics_get(all->graph, &s) || svs_world_statistics_get(all->world, &world))
        return;
    snprintf(text, size,
             " instances=%" PRIu64 " stages=%" PRIu64 " width=%.1f deferrals=%" PRIu64
             " deferrals_true=%" PRIu64 " deferrals_hash=%" PRIu64 " deferrals_master=%" PRIu64
             " deferrals_stale=%" PRIu64 " running_max=%" PRIu64 " refreshes=%" PRIu64,
             s.instances, s.stages, s.stages ? (double)s.staged_instances / (double)s.stages : 0.0,
             s.deferrals, s.deferrals_true, s.deferrals_hash, s.deferrals_master, s.deferrals_stale,
             s.running_max, world.refreshes);
}
