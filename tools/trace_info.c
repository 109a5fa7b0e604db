/* svs trace info: the main numbers of a trace, as text. */
#include "format.h"
#include "view.h"

static void print_origin(FILE *output, const tool_view *view) {
    uint32_t workers = view->tree->workers, cpus = view->statistics.cpus;
    fprintf(output, "%-12s%s\n%-12s%s, %u %s", "trace", view->name, "policy",
            tool_view_policy(view), workers, workers == 1 ? "worker" : "workers");
    if (cpus != 0) fprintf(output, " on %u %s", cpus, cpus == 1 ? "CPU" : "CPUs");
    fputc('\n', output);
}

static void print_sizes(FILE *output, const tool_view *view) {
    const svs_trace_statistics *s = &view->statistics;
    char file[TOOL_TEXT], memory[TOOL_TEXT], recorded[TOOL_TEXT], paper[TOOL_TEXT], per[TOOL_TEXT];
    fprintf(output, "%-12s%s in the file, %s recorded (%s a worker), %s taken\n", "size",
            tool_bytes(file, view->file_bytes), tool_bytes(recorded, s->bytes),
            tool_bytes(per, s->bytes / (s->workers ? s->workers : 1)),
            tool_bytes(memory, s->memory_bytes));
    fprintf(output, "%-12s%s for what ran, by the paper's formula for %s\n", "",
            tool_bytes(paper, s->bytes_paper), tool_view_policy(view));
    if (s->lost > 0)
        fprintf(output, "%-12s%llu beginnings and ends of phases did not fit and are lost\n",
                "not whole", (unsigned long long)s->lost);
}

static void print_phases(FILE *output, const tool_view *view) {
    const svs_trace_statistics *s = &view->statistics;
    char text[TOOL_TEXT];
    fprintf(output, "%-12s%s: ", "phases", tool_count(text, s->phases));
    fprintf(output, "%s %s, ", tool_count(text, s->roots), s->roots == 1 ? "root" : "roots");
    fprintf(output, "%s stolen, ", tool_count(text, s->steals));
    fprintf(output, "%s resumed; ", tool_count(text, s->resumed));
    fprintf(output, "%s nested in phases that waited\n", tool_count(text, s->nested));
    fprintf(output, "%-12s%u deep\n", "steal tree", view->count ? view->depth + 1 : 0);
}

static void print_graphs(FILE *output, const tool_view *view) {
    const svs_trace_statistics *s = &view->statistics;
    const tool_graphs *g = &view->graphs;
    char count[TOOL_TEXT], other[TOOL_TEXT], text[TOOL_TEXT];
    if (g->task_count == 0) return;
    fprintf(output, "%-12s%s instances, %s stages, ", "graphs", tool_count(count, s->instances),
            tool_count(other, s->stages));
    fprintf(output, "%s windows, %s deferrals; ", tool_count(count, s->windows),
            tool_count(other, s->deferrals));
    fprintf(output, "%s conflicts found\n", tool_count(count, s->explained));
    for (uint32_t t = 0; t < g->task_count; t++)
        fprintf(output, "%-12s%s of %s: %s instances, %s in all, %s at most\n", "",
                g->tasks[t].name, g->tasks[t].graph, tool_count(count, g->tasks[t].instances),
                tool_time(text, g->tasks[t].total_ns), tool_time(other, g->tasks[t].longest_ns));
    if (s->lost_graphs > 0)
        fprintf(output, "%-12s%s events of graphs did not fit and are lost\n", "not whole",
                tool_count(count, s->lost_graphs));
}

static void print_longest(FILE *output, const tool_view *view) {
    const tool_node *longest = tool_view_longest(view);
    char text[TOOL_TEXT];
    if (!longest) return;
    fprintf(output, "%-12s%s by itself: phase %u of worker %u (%s, ", "longest",
            tool_time(text, longest->own_ns), longest->number, longest->worker,
            tool_node_kind(longest));
    fprintf(output, "%s asyncs)\n", tool_count(text, longest->own_asyncs));
}

static void print_times(FILE *output, const tool_view *view) {
    char recorded[TOOL_TEXT], active[TOOL_TEXT], asyncs[TOOL_TEXT], mean[TOOL_TEXT];
    uint64_t work = 0;
    for (uint32_t w = 0; w < view->tree->workers; w++) work += tool_view_work_ns(view, w);
    fprintf(output, "%-12s%s recorded, %s of it with work in progress\n", "time",
            tool_time(recorded, view->statistics.duration_ns), tool_time(active, view->active_ns));
    fprintf(output, "%-12s%s", "asyncs", tool_count(asyncs, view->statistics.asyncs));
    if (view->statistics.asyncs > 0)
        fprintf(output, ", one in %s of work, %.4g%% of them stolen",
                tool_time(mean, work / view->statistics.asyncs),
                100.0 * (double)view->statistics.steals / (double)view->statistics.asyncs);
    fputc('\n', output);
}

static void print_measure(FILE *output, const tool_view *view) {
    const svs_measure *measure = &view->statistics.measure;
    char work[TOOL_TEXT], span[TOOL_TEXT], asyncs[TOOL_TEXT];
    if (measure->work_ns == 0) return;
    fprintf(output, "%-12swork %s, span %s, parallelism %.2f, of %s asyncs\n", "measured",
            tool_time(work, measure->work_ns), tool_time(span, measure->span_ns),
            (double)measure->work_ns / (double)measure->span_ns,
            tool_count(asyncs, measure->asyncs));
}

static void print_workers(FILE *output, const tool_view *view) {
    uint64_t sum = 0;
    fprintf(output, "\n%8s %10s %10s %10s %16s %10s %10s %8s\n", "worker", "phases", "steals",
            "stolen", "asyncs", "waiting", "at work", "use");
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        const svs__tree_worker *worker = &view->tree->worker[w];
        char phases[TOOL_TEXT], steals[TOOL_TEXT], robbed[TOOL_TEXT], asyncs[TOOL_TEXT];
        char waited[TOOL_TEXT], work[TOOL_TEXT];
        uint64_t work_ns = tool_view_work_ns(view, w);
        sum += work_ns;
        fprintf(output, "%8u %10s %10s %10s %16s %10s %10s %7.1f%%\n", w,
                tool_count(phases, worker->phase_count),
                tool_count(steals, tool_view_steals(view, w)),
                tool_count(robbed, worker->steal_count), tool_count(asyncs, worker->asyncs),
                tool_time(waited, tool_view_waited_ns(view, w)), tool_time(work, work_ns),
                tool_percent(work_ns, view->active_ns));
    }
    fprintf(output, "%8s %79.1f%%\n", "all",
            tool_percent(sum, view->active_ns * view->tree->workers));
    fputs(
        "\nsteals: asyncs that the worker stole; stolen: asyncs stolen from it; waiting: time in\n"
        "phases, waiting for stolen children; use: working time in percent of the time with work\n"
        "in progress.\n",
        output);
}

static int run(const tool_arguments *arguments) {
    tool_view view;
    FILE *output;
    int status = tool_view_open(&view, arguments->files[0]);
    if (status != TOOL_ERROR) {
        output = tool_output_open(arguments);
        if (!output) {
            status = TOOL_ERROR;
        } else {
            print_origin(output, &view);
            print_times(output, &view);
            print_measure(output, &view);
            print_graphs(output, &view);
            print_phases(output, &view);
            print_longest(output, &view);
            print_sizes(output, &view);
            print_workers(output, &view);
            status = tool_output_close(arguments, output, status);
        }
    }
    tool_view_close(&view);
    return status;
}

const tool_command tool_trace_info = {
    "info",
    "the main numbers of a trace",
    "Prints sizes, counts of phases, steals and asyncs, times, and a table of the workers.\n",
    1,
    {{NULL, NULL}},
    run};
