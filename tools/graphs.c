#include "graphs.h"
#include "sched/domain/queue/record.h"
#include <inttypes.h>
#include <stdlib.h>

static bool count_all(tool_graphs *g, const svs_trace *trace) {
    svs_trace_statistics s;
    if (svs_trace_statistics_get(trace, &s)) return false;
    g->task_count = trace->names.tasks;
    g->place_count = trace->names.places + 1;
    g->tasks = calloc((size_t)g->task_count + 1, sizeof *g->tasks);
    g->places = calloc(g->place_count, sizeof *g->places);
    g->instances = calloc(s.instances + 1, sizeof *g->instances);
    g->stages = calloc(s.stages + s.windows + 1, sizeof *g->stages);
    g->conflicts = calloc(s.explained + 1, sizeof *g->conflicts);
    return g->tasks && g->places && g->instances && g->stages && g->conflicts;
}

static void read_names(tool_graphs *g, const svs_trace *trace) {
    svs__name_kind kind;
    const char *name, *graph = "";
    uint32_t at = 0, task = 0, place = 1;
    g->places[0] = "";
    while ((name = svs__names_next(&trace->names, &at, &kind)) != NULL) {
        if (kind == SVS__NAME_GRAPH) graph = name;
        else if (kind == SVS__NAME_TASK)
            g->tasks[task++] = (tool_task){.graph = graph, .name = name};
        else g->places[place++] = name;
    }
}

static void add_group(tool_graphs *g, uint32_t worker, const svs__seen_event *event) {
    const svs__seen_group *group = &event->of.group;
    tool_task *task = &g->tasks[group->task];
    uint64_t took = group->end_ns - group->begin_ns, each = took / group->count;
    for (uint32_t i = 0; i < group->count; i++) {
        uint64_t begin = group->begin_ns + took * i / group->count;
        uint64_t end = group->begin_ns + took * (i + 1) / group->count;
        g->instances[g->instance_count++] = (tool_instance){svs__order_of(event->seeds[i]),
                                                            begin,
                                                            end,
                                                            worker,
                                                            group->task,
                                                            group->run,
                                                            group->iteration,
                                                            group->count > 1};
    }
    task->instances += group->count;
    task->total_ns += took;
    if (each > task->longest_ns) task->longest_ns = each;
}

/* Sets the weight of each conflict in a window, when the window's event arrives and tells how many
 * of its conflicts were reported. Deferrals have a weight of 1: a trace does not know theirs before
 * its end. */
static void weigh(tool_graphs *g, size_t from, const svs__seen_stage *window) {
    double weight = window->explained ? (double)window->parted / window->explained : 1;
    for (size_t i = from; i < g->conflict_count; i++)
        if (g->conflicts[i].of.parted) g->conflicts[i].weight = weight;
}

static void read_worker(tool_graphs *g, const svs_trace *trace, uint32_t worker) {
    svs__seen seen = svs__seen_of(trace, worker);
    svs__seen_event event;
    size_t unweighed = g->conflict_count;
    while (svs__seen_next(&seen, &event)) {
        switch (event.tag) {
        case SVS__SEEN_RAN: add_group(g, worker, &event); break;
        case SVS__SEEN_STAGED:
            g->stages[g->stage_count++] = (tool_stage){worker, event.ns, event.of.stage};
            if (event.of.stage.kind != SVS__SEEN_WINDOW) break;
            weigh(g, unweighed, &event.of.stage);
            unweighed = g->conflict_count;
            break;
        default:
            g->tasks[event.of.deferral.task].conflicts++;
            g->conflicts[g->conflict_count++] = (tool_conflict){
                worker,
                event.ns,
                svs__order_of(event.of.deferral.seed),
                event.of.deferral.has_other ? svs__order_of(event.of.deferral.other_seed) : 0,
                1,
                event.of.deferral};
        }
    }
}

bool tool_graphs_open(tool_graphs *g, const svs_trace *trace) {
    memset(g, 0, sizeof *g);
    if (!count_all(g, trace)) return false;
    read_names(g, trace);
    for (uint32_t w = 0; w < trace->workers; w++) read_worker(g, trace, w);
    return true;
}

void tool_graphs_close(tool_graphs *g) {
    free(g->tasks);
    free(g->places);
    free(g->instances);
    free(g->stages);
    free(g->conflicts);
}

const char *tool_conflict_place(const tool_graphs *g, const tool_conflict *conflict, char *text,
                                size_t size) {
    const svs__seen_deferral *d = &conflict->of;
    if (d->place == 0) snprintf(text, size, "%s", d->at ? "an unnamed place" : "a signature");
    else if (d->has_index) snprintf(text, size, "%s[%" PRIu64 "]", g->places[d->place], d->at);
    else snprintf(text, size, "%s at 0x%" PRIx64, g->places[d->place], d->at);
    return text;
}

const char *tool_conflict_cause(const tool_conflict *conflict) {
    switch (conflict->of.cause) {
    case SVS__SEEN_TRUE: return "both declare it";
    case SVS__SEEN_HASH: return "its cell is shared by chance";
    case SVS__SEEN_MASTER: return "a shared master reaches it";
    case SVS__SEEN_STALE: return "a signature is out of date";
    default: return "unknown";
    }
}
