/* svs trace chrome: Chrome's trace event format, which Perfetto and speedscope also open.
 *
 * An instance of a graph is a complete event with the name of its task, on the track of its worker;
 * phases of its asyncs are nested in it. A stage, a window and a conflict are instant events.
 *
 * A phase is a complete event ("X") on the track of its worker. Two events of a track are nested or
 * disjoint, as phases are (T2 of stealtree/trace.h). A steal is a flow from the victim's phase to
 * the thief's. A counter shows the number of workers in phases. */
#include "base/json_string.h"
#include "format.h"
#include "view.h"
#include <inttypes.h>
#include <stdlib.h>

enum { PROCESS = 1 };

/* Tracks are numbered from 1: 0 is special to some viewers. */
static unsigned track(const tool_node *node) { return node->worker + 1; }

static void print_names(FILE *output, const tool_view *view) {
    fprintf(output,
            "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":", PROCESS);
    svs__json_string(output, view->name);
    fputs("}}", output);
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        fprintf(
            output,
            ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":"
            "\"worker %u\"}}",
            PROCESS, w + 1, w);
        fprintf(output,
                ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{"
                "\"sort_index\":%u}}",
                PROCESS, w + 1, w);
    }
}

static void print_phase(FILE *output, const tool_node *node) {
    const svs__tree_phase *phase = node->phase;
    fprintf(output, ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"name\":\"phase %u\",\"cat\":\"%s\",",
            PROCESS, track(node), node->number, tool_node_kind(node));
    fputs("\"ts\":", output);
    tool_json_us(output, phase->begin_ns);
    fputs(",\"dur\":", output);
    tool_json_us(output, phase->end_ns - phase->begin_ns);
    fprintf(output, ",\"args\":{\"asyncs\":%" PRIu64 ",\"stolen from it\":%u,\"at work us\":",
            node->own_asyncs, phase->steal_count);
    tool_json_us(output, node->own_ns);
    fputs(",\"waiting us\":", output);
    tool_json_us(output, phase->waited_ns);
    if (node->parent != SVS__TREE_NONE)
        fprintf(output, ",\"victim\":%u,\"%s\":%" PRIu64, phase->start.victim,
                phase->start.kind == SVS__PHASE_STOLEN ? "async" : "suspended phase",
                phase->start.at);
    fprintf(output, ",\"suspended\":%s}}", phase->suspended ? "true" : "false");
}

/* The arrow starts in the victim's phase at the time of the steal, or at the end of the phase if
 * that has the earlier time stamp. */
static void print_flow(FILE *output, const tool_view *view, uint32_t index) {
    const tool_node *node = &view->nodes[index], *parent;
    uint64_t from = node->phase->begin_ns;
    const char *name = node->phase->start.kind == SVS__PHASE_STOLEN ? "steal" : "resume";
    if (node->parent == SVS__TREE_NONE) return;
    parent = &view->nodes[node->parent];
    if (from > parent->phase->end_ns) from = parent->phase->end_ns;
    fprintf(output,
            ",\n{\"ph\":\"s\",\"pid\":%d,\"tid\":%u,\"id\":%u,\"name\":\"%s\",\"cat\":\"%s\",",
            PROCESS, track(parent), index, name, name);
    fputs("\"ts\":", output);
    tool_json_us(output, from);
    fprintf(
        output,
        "},\n{\"ph\":\"f\",\"bp\":\"e\",\"pid\":%d,\"tid\":%u,\"id\":%u,\"name\":\"%s\",\"cat\":"
        "\"%s\",\"ts\":",
        PROCESS, track(node), index, name, name);
    tool_json_us(output, node->phase->begin_ns);
    fputc('}', output);
}

/* ---- graphs ---- */

static void print_instance(FILE *output, const tool_graphs *graphs, const tool_instance *i) {
    const tool_task *task = &graphs->tasks[i->task];
    fprintf(output,
            ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%u,\"cat\":\"instance\",\"name\":", PROCESS,
            i->worker + 1);
    svs__json_string(output, task->name);
    fputs(",\"ts\":", output);
    tool_json_us(output, i->begin_ns);
    fputs(",\"dur\":", output);
    tool_json_us(output, i->end_ns - i->begin_ns);
    fputs(",\"args\":{\"graph\":", output);
    svs__json_string(output, task->graph);
    fprintf(output, ",\"instance\":\"%016" PRIx64 "\",\"run\":%u,\"iteration\":%u%s}}", i->id,
            i->run, i->iteration, i->shared ? ",\"time\":\"its share of a group\"" : "");
}

static void print_instant(FILE *output, uint32_t worker, uint64_t ns, const char *name,
                          const tool_task *task) {
    fprintf(output,
            ",\n{\"ph\":\"i\",\"s\":\"t\",\"pid\":%d,\"tid\":%u,\"cat\":\"%s\",\"name\":\"%s\","
            "\"ts\":",
            PROCESS, worker + 1, name, name);
    tool_json_us(output, ns);
    fputs(",\"args\":{\"graph\":", output);
    svs__json_string(output, task->graph);
    fputs(",\"task\":", output);
    svs__json_string(output, task->name);
}

static void print_stage(FILE *output, const tool_graphs *graphs, const tool_stage *s) {
    bool window = s->of.kind == SVS__SEEN_WINDOW;
    print_instant(output, s->worker, s->ns, window ? "window" : "stage",
                  &graphs->tasks[s->of.task]);
    fprintf(output, ",\"instances\":%u", s->of.width);
    if (window) fprintf(output, ",\"stages\":%u", s->of.stages);
    fputs("}}", output);
}

static void print_conflict(FILE *output, const tool_graphs *graphs, const tool_conflict *c) {
    char place[TOOL_PLACE];
    print_instant(output, c->worker, c->ns, c->of.parted ? "parted" : "deferred",
                  &graphs->tasks[c->of.task]);
    fprintf(output, ",\"instance\":\"%016" PRIx64 "\",\"place\":", c->id);
    svs__json_string(output, tool_conflict_place(graphs, c, place, sizeof place));
    fprintf(output, ",\"cause\":\"%s\"", tool_conflict_cause(c));
    if (c->of.has_other) {
        fputs(",\"other task\":", output);
        svs__json_string(output, graphs->tasks[c->of.other_task].name);
        fprintf(output, ",\"other instance\":\"%016" PRIx64 "\"", c->other_id);
    }
    fputs("}}", output);
}

static void print_graphs(FILE *output, const tool_graphs *graphs) {
    for (size_t i = 0; i < graphs->instance_count; i++)
        print_instance(output, graphs, &graphs->instances[i]);
    for (size_t i = 0; i < graphs->stage_count; i++)
        print_stage(output, graphs, &graphs->stages[i]);
    for (size_t i = 0; i < graphs->conflict_count; i++)
        print_conflict(output, graphs, &graphs->conflicts[i]);
}

static int compare_times(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Prints the counter of workers from the starts and ends of outermost phases, sorted by time. An
 * end is an odd number and sorts after a start of the same time, so that the count does not dip. */
static bool print_counter(FILE *output, const tool_view *view) {
    uint64_t *times = calloc((size_t)view->count * 2 + 1, sizeof *times);
    size_t count = 0;
    unsigned workers = 0;
    if (!times) return false;
    for (uint32_t i = 0; i < view->count; i++) {
        if (view->nodes[i].enclosing != SVS__TREE_NONE) continue;
        times[count++] = view->nodes[i].phase->begin_ns << 1;
        times[count++] = view->nodes[i].phase->end_ns << 1 | 1;
    }
    qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 0; i < count; i++) {
        if (times[i] & 1) workers--;
        else workers++;
        if (i + 1 < count && times[i] >> 1 == times[i + 1] >> 1) continue;
        fprintf(output,
                ",\n{\"ph\":\"C\",\"pid\":%d,\"name\":\"workers in phases\",\"ts\":", PROCESS);
        tool_json_us(output, times[i] >> 1);
        fprintf(output, ",\"args\":{\"workers\":%u}}", workers);
    }
    free(times);
    return true;
}

static bool print(FILE *output, const tool_view *view) {
    bool whole;
    fputs("{\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"policy\":", output);
    svs__json_string(output, tool_view_policy(view));
    fprintf(output, ",\"workers\":%u,\"trace\":", view->tree->workers);
    svs__json_string(output, view->name);
    fputs("},\n\"traceEvents\":[\n", output);
    print_names(output, view);
    print_graphs(output, &view->graphs);
    for (uint32_t i = 0; i < view->count; i++) print_phase(output, &view->nodes[view->order[i]]);
    for (uint32_t i = 0; i < view->count; i++) print_flow(output, view, view->order[i]);
    whole = print_counter(output, view);
    fputs("\n]}\n", output);
    return whole;
}

static int run(const tool_arguments *arguments) {
    tool_view view;
    int status = tool_view_open(&view, arguments->files[0]);
    if (status != TOOL_ERROR) {
        FILE *output = tool_output_open(arguments);
        if (output && !print(output, &view))
            status = tool_error("not enough memory to count workers");
        status = output ? tool_output_close(arguments, output, status) : TOOL_ERROR;
    }
    tool_view_close(&view);
    return status;
}

const tool_command tool_trace_chrome = {
    "chrome",
    "JSON for Perfetto, chrome://tracing and speedscope",
    "Prints Chrome's trace events: a track for each worker with its instances of graphs and its\n"
    "phases, marks for stages and conflicts, arrows for steals and resumptions, and a counter of\n"
    "the workers that are in phases. Open it with\n"
    "https://ui.perfetto.dev or chrome://tracing.\n",
    1,
    {{NULL, NULL}},
    run};
