/* svs trace predict --windows: simulates the windows of a recorded run on other numbers of
 * workers (schedule.h). */
#include "trace_windows.h"

#include <math.h>
#include <stdlib.h>

#include "format.h"
#include "schedule.h"
#include "view.h"

#define LINE_NS 40   /* time to transfer a cache line, unless an option has it */
#define DEALT_FROM 8 /* number of workers from which the library deals the ends of stages */

static const tool_design designs[] = {
    {"one worker makes, walks and waits", false, false, 1},
    {"all workers walk", true, false, 1},
    {"and 4 windows are made at once", true, false, 4},
    {"and the ends of stages are dealt", true, true, 4},
};
#define DESIGNS (sizeof designs / sizeof designs[0])
/* The design that the library has with this number of workers. If links are walked, it makes one
 * window at a time. */
static const tool_design *present(const tool_costs *costs, uint32_t workers) {
    if (costs->walk > 0) return &designs[1];
    return &designs[workers < DEALT_FROM ? 2 : 3];
}
static const uint32_t numbers[] = {2, 4, 16, 64, 128};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

/* ---- what the trace says ---- */

static int by_time(const void *left, const void *right) {
    const tool_stage *a = left, *b = right;
    return (a->ns > b->ns) - (a->ns < b->ns);
}

/* The last end of an instance of the worker at or before a time. @return 0: there is none. */
static uint64_t end_before(const tool_graphs *graphs, uint32_t worker, uint64_t ns) {
    uint64_t last = 0;
    size_t from = 0, to = graphs->instance_count;
    while (from < to) { /* the first instance of the worker that ends later */
        size_t middle = from + (to - from) / 2;
        const tool_instance *i = &graphs->instances[middle];
        if (i->worker < worker || (i->worker == worker && i->end_ns <= ns)) from = middle + 1;
        else to = middle;
    }
    if (from && graphs->instances[from - 1].worker == worker)
        last = graphs->instances[from - 1].end_ns;
    return last;
}

static double body_of(const tool_graphs *graphs) {
    double sum = 0;
    for (size_t i = 0; i < graphs->instance_count; i++)
        sum += (double)(graphs->instances[i].end_ns - graphs->instances[i].begin_ns);
    return graphs->instance_count ? sum / (double)graphs->instance_count : 0;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Reads a window, which was made after its worker last ran or reported something. */
static void read_window(tool_schedule *s, const tool_graphs *graphs, const tool_stage *stage,
                        uint64_t reported, double *making) {
    uint64_t since = later(reported, end_before(graphs, stage->worker, stage->ns));
    if (stage->of.stages) s->stages[s->window_count++] = stage->of.stages;
    if (since) *making += (double)(stage->ns - since);
}

/* Reads all windows of a trace. @return whether there is a window, and memory for all. */
static bool read_schedule(tool_schedule *s, const tool_view *view) {
    const tool_graphs *graphs = &view->graphs;
    uint64_t *reported = calloc(view->tree->workers + 1, sizeof *reported);
    double making = 0, instances = 0;
    qsort(graphs->stages, graphs->stage_count, sizeof *graphs->stages, by_time);
    s->widths = calloc(graphs->stage_count + 1, sizeof *s->widths);
    s->stages = calloc(graphs->stage_count + 1, sizeof *s->stages);
    for (size_t i = 0; reported && s->widths && s->stages && i < graphs->stage_count; i++) {
        const tool_stage *stage = &graphs->stages[i];
        uint64_t *last =
            &reported[stage->worker < view->tree->workers ? stage->worker : view->tree->workers];
        if (stage->of.kind == SVS__SEEN_WINDOW) read_window(s, graphs, stage, *last, &making);
        if (stage->of.kind == SVS__SEEN_WINDOW_STAGE) {
            s->widths[s->width_count++] = stage->of.width;
            instances += stage->of.width;
        }
        *last = stage->ns;
    }
    free(reported);
    s->costs = (tool_costs){instances > 0 ? making / instances : 0, 0, 0, body_of(graphs), LINE_NS};
    return s->window_count && s->width_count;
}

/* ---- what the command line says ---- */

static int take_cost(const char *option, const char *text, double *cost) {
    char *end;
    if (!text) return TOOL_OK;
    *cost = strtod(text, &end);
    if (end == text || *end != '\0' || !(*cost >= 0 && *cost <= 1e9))
        return tool_error("%s takes nanoseconds, not '%s'", option, text);
    return TOOL_OK;
}

static int take_costs(tool_costs *costs, const tool_windows_options *given) {
    double measured = costs->make;
    if (take_cost("--make", given->make, &costs->make) ||
        take_cost("--walk", given->walk, &costs->walk) ||
        take_cost("--run", given->run, &costs->body) ||
        take_cost("--line", given->line, &costs->line))
        return TOOL_ERROR;
    if (!given->make) costs->make = fmax(0, measured - costs->walk);
    return TOOL_OK;
}

/* ---- the answer ---- */

static void print_table(FILE *output, const tool_schedule *s) {
    fprintf(output, "%-36s", "speed-up, workers:");
    for (size_t n = 0; n < NUMBERS; n++) fprintf(output, "%8u", numbers[n]);
    for (size_t d = 0; d < DESIGNS; d++) {
        double one = tool_schedule_time(s, &designs[d], 1);
        fprintf(output, "\n%-36s", designs[d].name);
        for (size_t n = 0; n < NUMBERS; n++)
            fprintf(output, "%8.1f", one / tool_schedule_time(s, &designs[d], numbers[n]));
    }
    fputc('\n', output);
}

static void print_costs(FILE *output, const tool_schedule *s) {
    double instances = 0;
    for (size_t i = 0; i < s->width_count; i++) instances += s->widths[i];
    fprintf(output,
            "%.0f instances in %zu stages of %zu windows\n"
            "an instance: %.1f ns to make, %.1f ns to walk, %.1f ns to run; a cache line: %.0f "
            "ns\n\n",
            instances, s->width_count, s->window_count, s->costs.make, s->costs.walk,
            s->costs.body + s->costs.run, s->costs.line);
}

/* The recorded time from the first window to the end. */
static double recorded_ns(const tool_view *view) {
    uint64_t first = view->begin_ns;
    for (size_t i = 0; i < view->graphs.stage_count; i++)
        if (view->graphs.stages[i].ns < first) first = view->graphs.stages[i].ns;
    return (double)(view->end_ns - first);
}

/* The predicted time of the same: a trace does not show when the first window was begun. */
static double predicted_ns(const tool_schedule *s, uint32_t workers) {
    double first = 0;
    for (size_t i = 0; i < s->stages[0] && i < s->width_count; i++) first += s->widths[i];
    return tool_schedule_time(s, present(&s->costs, workers), workers) - first * s->costs.make;
}

static const char *time_text(char text[TOOL_TEXT], double ns) {
    return tool_time(text, (uint64_t)llround(ns));
}

static void schedule_free(tool_schedule *s) {
    free(s->widths);
    free(s->stages);
}

/* Compares a recording with the simulation of as many workers, with the costs of the first
 * recording, and with its own costs: the second error is that of the schedule alone, without that
 * of memory. */
static int print_error(FILE *output, const tool_schedule *s, const char *file) {
    tool_schedule own = {0};
    tool_view view;
    int status = tool_view_open(&view, file);
    if (status != TOOL_ERROR && read_schedule(&own, &view)) {
        uint32_t workers = view.tree->workers;
        double recorded = recorded_ns(&view), predicted = predicted_ns(s, workers);
        char recorded_text[TOOL_TEXT], text[TOOL_TEXT];
        own.costs.walk = s->costs.walk;
        own.costs.line = s->costs.line;
        fprintf(output, "%8u %12s %12s %+8.1f%% %8.1f ns %+8.1f%%  %s\n", workers,
                time_text(recorded_text, recorded), time_text(text, predicted),
                100 * (predicted / recorded - 1), own.costs.body,
                100 * (predicted_ns(&own, workers) / recorded - 1), file);
    }
    schedule_free(&own);
    tool_view_close(&view);
    return status;
}

static int print(FILE *output, const tool_arguments *arguments, const tool_schedule *s) {
    int status = TOOL_OK;
    print_costs(output, s);
    print_table(output, s);
    fprintf(output, "\n%8s %12s %12s %9s %11s %9s  %s\n", "workers", "recorded", "predicted",
            "error", "its bodies", "error", "recording");
    for (size_t i = 0; i < arguments->file_count && status != TOOL_ERROR; i++) {
        int opened = print_error(output, s, arguments->files[i]);
        if (opened != TOOL_OK) status = opened;
    }
    fputs("\nits bodies: an instance of this recording; the second error is that of a simulation "
          "with them.\n",
          output);
    return status;
}

int tool_predict_windows(const tool_arguments *arguments, const tool_windows_options *options) {
    tool_schedule s = {0};
    tool_view view;
    FILE *output;
    int status = tool_view_open(&view, arguments->files[0]);
    if (status != TOOL_ERROR && !read_schedule(&s, &view))
        status = tool_error("%s has no windows of a graph: record a run of the default algorithm",
                            arguments->files[0]);
    tool_view_close(&view);
    if (status != TOOL_ERROR && take_costs(&s.costs, options)) status = TOOL_ERROR;
    output = status == TOOL_ERROR ? NULL : tool_output_open(arguments);
    if (output) status = tool_output_close(arguments, output, print(output, arguments, &s));
    else status = TOOL_ERROR;
    schedule_free(&s);
    return status;
}
