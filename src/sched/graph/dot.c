/* svs_graph_dot(): the graph for Graphviz. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sched/graph/graph.h"
#include "sched/graph/prepare.h"
#include "sched/graph/refusals.h"

/* Writes a quoted string, with quotation marks and backslashes escaped. */
static void put_string(FILE *file, const char *text) {
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') (void)fputc('\\', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void put_task(FILE *file, const svs_task *task) {
    (void)fprintf(file, "  t%u [shape=%s label=", task->index, task->itemizer ? "ellipse" : "box");
    put_string(file, task->type->name);
    (void)fputs("];\n", file);
}

static void put_edges(FILE *file, const svs_task *from, const svs__tasks *to, const char *style) {
    for (uint32_t i = 0; i < to->count; i++)
        (void)fprintf(file, "  t%u -> t%u [%s];\n", from->index, to->items[i]->index, style);
}

/* Writes the implicit dependencies; those that refinement has removed in the last iteration are
 * marked. */
static void put_implicit(FILE *file, const svs_task *from) {
    const svs__implicit *i = &svs__node_of(from)->implicit;
    const svs__tasks *ordered = &from->graph->ordered;
    for (uint32_t k = 0; k < 64 * i->words; k++) {
        uint64_t bit = UINT64_C(1) << k % 64;
        uint32_t position = 64 * i->first + k;
        if (!(i->all[k / 64] & bit)) continue;
        (void)fprintf(file, "  t%u -> t%u [%s];\n", from->index, ordered->items[position]->index,
                      i->left[k / 64] & bit ? "style=dashed color=\"#888888\""
                                            : "style=dotted color=\"#2a9d55\" constraint=false");
    }
}

static void put_graph(FILE *file, const svs_graph *graph) {
    (void)fputs("// box: transform, ellipse: itemizer; solid: flow, bold: explicit order, dashed: "
                "implicit,\n// dotted: implicit, and removed by refinement in the last iteration\n"
                "digraph ",
                file);
    put_string(file, graph->name);
    (void)fputs(" {\n  node [fontname=\"sans-serif\" fontsize=11];\n", file);
    for (uint32_t i = 0; i < graph->tasks.count; i++) put_task(file, graph->tasks.items[i]);
    for (uint32_t i = 0; i < graph->ordered.count; i++) {
        const svs_task *task = graph->ordered.items[i];
        put_edges(file, task, &svs__node_of(task)->sends, "color=\"#2f6fbd\"");
        put_edges(file, task, &svs__node_of(task)->before, "penwidth=2.2");
        put_implicit(file, task);
    }
    (void)fputs("}\n", file);
}

static svs_status refuse_file(const svs_graph *graph, const char *path) {
    char why[128];
    int error = errno;
    /* This is GNU's strerror_r(): it returns the text, which may or may not be in `why`. */
    return svs__refuse(graph->world->log, SVS_E_FILE,
                       "graph %s: svs_graph_dot: %s cannot be written: %s", graph->name, path,
                       strerror_r(error, why, sizeof why));
}

static svs_status write_to(const svs_graph *graph, const char *path) {
    FILE *file = fopen(path, "w");
    bool well;
    if (!file) return refuse_file(graph, path);
    put_graph(file, graph);
    well = !ferror(file);
    if (fclose(file) || !well) return refuse_file(graph, path);
    return SVS_OK;
}

svs_status svs_graph_dot(svs_graph *graph, const char *path) {
    static const char call[] = "svs_graph_dot";
    svs_report report = {0};
    svs_status status;
    if (!graph) return svs__graph_refuse_missing(call);
    if (!path) return svs__graph_refuse(graph, call, SVS_E_NULL, "no path: pass a file's name");
    status = svs__graph_check_idle(graph, call);
    if (!status) status = svs__graph_prepare(graph, &report);
    if (status == SVS_E_CYCLE) return svs__graph_refuse(graph, call, status, report.text);
    return status ? status : write_to(graph, path);
}
