#include "html_graphs.h"
#include "base/json_string.h"
#include <inttypes.h>
#include <stdlib.h>

static uint64_t took(const tool_instance *i) { return i->end_ns - i->begin_ns; }

static int compare_longest_first(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a > *b ? -1 : *a < *b;
}

/* Finds the least time of an instance that is shown. If many instances have that time, the first
 * ones are shown. */
static bool find_least(const tool_graphs *g, uint32_t most, uint64_t *least) {
    uint64_t *times;
    *least = 0;
    if (g->instance_count <= most) return true;
    times = calloc(g->instance_count, sizeof *times);
    if (!times) return false;
    for (size_t i = 0; i < g->instance_count; i++) times[i] = took(&g->instances[i]);
    qsort(times, g->instance_count, sizeof *times, compare_longest_first);
    *least = times[most - 1];
    free(times);
    return true;
}

static void print_tasks(FILE *output, const tool_graphs *g) {
    fputs("\"tasks\":[", output);
    for (uint32_t t = 0; t < g->task_count; t++) {
        const tool_task *task = &g->tasks[t];
        fputs(t > 0 ? ",\n{\"graph\":" : "\n{\"graph\":", output);
        svs__json_string(output, task->graph);
        fputs(",\"name\":", output);
        svs__json_string(output, task->name);
        fprintf(output, ",\"instances\":%" PRIu64 ",\"total\":%" PRIu64 ",\"longest\":%" PRIu64 "}",
                task->instances, task->total_ns, task->longest_ns);
    }
    fputs("]", output);
}

typedef enum list { WORKER, TASK, BEGIN, END, RUN, ITERATION, SHARED, ID, LISTS } list;

static const char *const list_names[LISTS] = {"worker", "task",      "begin",  "end",
                                              "run",    "iteration", "shared", "id"};

static void print_entry(FILE *output, const tool_view *view, const tool_instance *i, list which) {
    switch (which) {
    case WORKER: fprintf(output, "%u", i->worker); break;
    case TASK: fprintf(output, "%u", i->task); break;
    case BEGIN: fprintf(output, "%" PRIu64, i->begin_ns - view->begin_ns); break;
    case END: fprintf(output, "%" PRIu64, i->end_ns - view->begin_ns); break;
    case RUN: fprintf(output, "%u", i->run); break;
    case ITERATION: fprintf(output, "%u", i->iteration); break;
    case SHARED: fprintf(output, "%d", i->shared); break;
    default: fprintf(output, "\"%016" PRIx64 "\"", i->id);
    }
}

static void print_instances(FILE *output, const tool_view *view, uint64_t least, uint32_t most) {
    const tool_graphs *g = &view->graphs;
    fputs(",\n\"instances\":{", output);
    for (int which = 0; which < LISTS; which++) {
        uint32_t shown = 0;
        fprintf(output, "%s\n\"%s\":[", which > 0 ? "]," : "", list_names[which]);
        for (size_t i = 0; i < g->instance_count && shown < most; i++) {
            if (took(&g->instances[i]) < least) continue;
            if (shown++ > 0) fputc(',', output);
            print_entry(output, view, &g->instances[i], (list)which);
        }
    }
    fputs("]}", output);
}

/* Prints, for each column, the share of a worker's time in instances, in thousandths; all instances
 * count. */
static void print_columns(FILE *output, const tool_view *view) {
    const tool_graphs *g = &view->graphs;
    double width = (double)(view->end_ns - view->begin_ns) / TOOL_COLUMNS;
    fputs(",\n\"columns\":[", output);
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        double shares[TOOL_COLUMNS] = {0};
        for (size_t i = 0; i < g->instance_count && width > 0; i++) {
            double from = (double)(g->instances[i].begin_ns - view->begin_ns) / width;
            double to = (double)(g->instances[i].end_ns - view->begin_ns) / width;
            if (g->instances[i].worker != w) continue;
            for (uint32_t c = (uint32_t)from; c < TOOL_COLUMNS && c < to; c++)
                shares[c] += (to < c + 1.0 ? to : c + 1.0) - (from > c ? from : c);
        }
        fputs(w > 0 ? ",\n[" : "[", output);
        for (uint32_t c = 0; c < TOOL_COLUMNS; c++)
            fprintf(output, c > 0 ? ",%.0f" : "%.0f", 1000 * shares[c]);
        fputc(']', output);
    }
    fputc(']', output);
}

static void print_conflict(FILE *output, const tool_graphs *g, const tool_conflict *c) {
    char place[TOOL_PLACE];
    fprintf(output, "{\"task\":%u,\"id\":\"%016" PRIx64 "\",\"parted\":%d,\"weight\":%.3g",
            c->of.task, c->id, c->of.parted, c->weight);
    if (c->of.has_other)
        fprintf(output, ",\"otherTask\":%u,\"other\":\"%016" PRIx64 "\"", c->of.other_task,
                c->other_id);
    fputs(",\"name\":", output);
    svs__json_string(output, g->places[c->of.place]);
    fputs(",\"place\":", output);
    svs__json_string(output, tool_conflict_place(g, c, place, sizeof place));
    fputs(",\"cause\":", output);
    svs__json_string(output, tool_conflict_cause(c));
    fputc('}', output);
}

static void print_conflicts(FILE *output, const tool_graphs *g, uint32_t most) {
    fprintf(output, ",\n\"conflictCount\":%zu,\"conflicts\":[", g->conflict_count);
    for (size_t i = 0; i < g->conflict_count && i < most; i++) {
        fputs(i > 0 ? ",\n" : "\n", output);
        print_conflict(output, g, &g->conflicts[i]);
    }
    fputc(']', output);
}

bool tool_html_graphs(FILE *output, const tool_view *view, uint32_t most) {
    const tool_graphs *g = &view->graphs;
    const svs_trace_statistics *s = &view->statistics;
    uint64_t least;
    if (g->task_count == 0) return true;
    if (!find_least(g, most, &least)) return false;
    fprintf(output,
            ",\n\"graphs\":{\"count\":%" PRIu64 ",\"stages\":%" PRIu64 ",\"windows\":%" PRIu64
            ",\"deferrals\":%" PRIu64 ",\"lost\":%" PRIu64 ",",
            s->instances, s->stages, s->windows, s->deferrals, s->lost_graphs);
    print_tasks(output, g);
    print_instances(output, view, least, most);
    print_conflicts(output, g, most);
    if (g->instance_count > most) print_columns(output, view);
    fputc('}', output);
    return true;
}
