/* svs trace html: one self-contained page that shows a run.
 *
 * The page contains arrays of numbers, one entry per phase (page/data.js). For a trace with very
 * many phases it contains the longest phases, and the phases that these were stolen from.
 * Utilisation, which counts all phases, is then precomputed in columns. */
#include "base/json_string.h"
#include "format.h"
#include "html_graphs.h"
#include "page.h"
#include <inttypes.h>
#include <stdlib.h>
#include <svs/version.h>

enum { OPTION_PHASES };

#define PHASES_DEFAULT 50000u
#define COLUMNS TOOL_COLUMNS

/* For each phase, its index in the arrays, or SVS__TREE_NONE if it is not shown. */
typedef struct choice {
    uint32_t *place;
    uint32_t count;
} choice;

static int compare_longest_first(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return *a > *b ? -1 : *a < *b;
}

static uint64_t duration(const tool_node *node) {
    return node->phase->end_ns - node->phase->begin_ns;
}

static bool take(uint32_t *place, uint32_t index) {
    if (index == SVS__TREE_NONE || place[index] != SVS__TREE_NONE) return false;
    place[index] = 0;
    return true;
}

/* Adds the parents and the enclosing phases of all shown phases. It iterates from the last start to
 * the first, since these start earlier; a further pass handles phases with equal start times in the
 * reverse order. @return whether it added any. */
static bool take_around(const tool_view *view, uint32_t *place) {
    bool added = false;
    for (uint32_t i = view->count; i-- > 0;) {
        const tool_node *node = &view->nodes[view->order[i]];
        if (place[view->order[i]] == SVS__TREE_NONE) continue;
        added = take(place, node->parent) || added;
        added = take(place, node->enclosing) || added;
    }
    return added;
}

/* Chooses the phases to show. @return false when there is no memory. */
static bool choose(const tool_view *view, uint32_t most, choice *chosen) {
    uint64_t *durations = calloc((size_t)view->count + 1, sizeof *durations), least = 0;
    chosen->count = 0;
    chosen->place = calloc((size_t)view->count + 1, sizeof *chosen->place);
    if (durations && chosen->place) {
        for (uint32_t i = 0; i < view->count; i++) durations[i] = duration(&view->nodes[i]);
        qsort(durations, view->count, sizeof *durations, compare_longest_first);
        if (view->count > most) least = durations[most];
        for (uint32_t i = 0; i < view->count; i++) chosen->place[i] = SVS__TREE_NONE;
        for (uint32_t i = 0; i < view->count; i++)
            if (view->count <= most || duration(&view->nodes[i]) > least)
                (void)take(chosen->place, i);
        while (take_around(view, chosen->place)) continue;
        for (uint32_t i = 0; i < view->count; i++)
            if (chosen->place[i] != SVS__TREE_NONE) chosen->place[i] = chosen->count++;
    }
    free(durations);
    return durations && chosen->place;
}

typedef enum list {
    LIST_WORKER,
    LIST_NUMBER,
    LIST_KIND,
    LIST_PARENT,
    LIST_ENCLOSING,
    LIST_AT,
    LIST_BEGIN,
    LIST_END,
    LIST_OWN,
    LIST_WAITED,
    LIST_ASYNCS,
    LIST_STEALS,
    LIST_SUSPENDED,
    LISTS
} list;

static const char *const list_names[LISTS] = {"worker", "number", "kind",     "parent", "enclosing",
                                              "at",     "begin",  "end",      "own",    "waited",
                                              "asyncs", "steals", "suspended"};

static int64_t place_of(const choice *chosen, uint32_t index) {
    return index == SVS__TREE_NONE ? -1 : (int64_t)chosen->place[index];
}

static int64_t entry(const tool_view *view, const choice *chosen, const tool_node *node,
                     list which) {
    const svs__tree_phase *phase = node->phase;
    switch (which) {
    case LIST_WORKER: return node->worker;
    case LIST_NUMBER: return node->number;
    case LIST_KIND:
        return phase->start.kind == SVS__PHASE_STOLEN    ? 1
               : phase->start.kind == SVS__PHASE_RESUMED ? 2
                                                         : 0;
    case LIST_PARENT: return place_of(chosen, node->parent);
    case LIST_ENCLOSING: return place_of(chosen, node->enclosing);
    case LIST_AT: return (int64_t)phase->start.at;
    case LIST_BEGIN: return (int64_t)(phase->begin_ns - view->begin_ns);
    case LIST_END: return (int64_t)(phase->end_ns - view->begin_ns);
    case LIST_OWN: return (int64_t)node->own_ns;
    case LIST_WAITED: return (int64_t)phase->waited_ns;
    case LIST_ASYNCS: return (int64_t)node->own_asyncs;
    case LIST_STEALS: return phase->steal_count;
    default: return phase->suspended;
    }
}

static void print_lists(FILE *output, const tool_view *view, const choice *chosen) {
    fputs("\"phases\":{", output);
    for (int which = 0; which < LISTS; which++) {
        const char *separator = "";
        fprintf(output, "%s\n\"%s\":[", which > 0 ? "]," : "", list_names[which]);
        for (uint32_t i = 0; i < view->count; i++) {
            if (chosen->place[i] == SVS__TREE_NONE) continue;
            fprintf(output, "%s%" PRId64, separator,
                    entry(view, chosen, &view->nodes[i], (list)which));
            separator = ",";
        }
    }
    fputs("]}", output);
}

/* Prints the working share of each worker in each column, in thousandths. */
static void print_columns(FILE *output, const tool_view *view) {
    fputs(",\n\"columns\":[", output);
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        double shares[COLUMNS] = {0};
        tool_view_utilisation(view, w, COLUMNS, shares);
        fputs(w > 0 ? ",\n[" : "[", output);
        for (uint32_t c = 0; c < COLUMNS; c++)
            fprintf(output, c > 0 ? ",%.0f" : "%.0f", 1000 * shares[c]);
        fputc(']', output);
    }
    fputc(']', output);
}

static void print_workers(FILE *output, const tool_view *view) {
    fputs("\"table\":[", output);
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        const svs__tree_worker *worker = &view->tree->worker[w];
        fprintf(output,
                "%s{\"phases\":%u,\"steals\":%u,\"stolen\":%u,\"asyncs\":%" PRIu64
                ",\"work\":%" PRIu64 ",\"waited\":%" PRIu64 "}",
                w > 0 ? ",\n" : "", worker->phase_count, tool_view_steals(view, w),
                worker->steal_count, worker->asyncs, tool_view_work_ns(view, w),
                tool_view_waited_ns(view, w));
    }
    fputs("],\n", output);
}

/* Prints the data of the page. @return false: no memory. */
static bool print_data(FILE *output, const tool_view *view, const choice *chosen, uint32_t most) {
    const svs_trace_statistics *s = &view->statistics;
    const tool_node *longest = tool_view_longest(view);
    bool well;
    fputs("{\"name\":", output);
    svs__json_string(output, view->name);
    fputs(",\"version\":", output);
    svs__json_string(output, svs_version());
    fputs(",\"problem\":", output);
    svs__json_string(output, view->problem);
    fprintf(output, ",\"policy\":\"%s\",\"workers\":%u,\"lost\":%" PRIu64 ",\"bytes\":%" PRIu64,
            tool_view_policy(view), view->tree->workers, s->lost, s->bytes);
    fprintf(output,
            ",\"phaseCount\":%u,\"steals\":%" PRIu64 ",\"asyncs\":%" PRIu64 ",\"recorded\":%" PRIu64
            ",\"duration\":%" PRIu64 ",\"active\":%" PRIu64 ",\"longest\":%" PRIu64 ",\n",
            view->count, s->steals, s->asyncs, s->duration_ns, view->end_ns - view->begin_ns,
            view->active_ns, longest ? longest->own_ns : 0);
    print_workers(output, view);
    print_lists(output, view, chosen);
    if (chosen->count < view->count) print_columns(output, view);
    well = tool_html_graphs(output, view, most);
    fputc('}', output);
    return well;
}

static int print(const tool_arguments *arguments, const tool_view *view, uint32_t most,
                 int status) {
    choice chosen;
    FILE *output = tool_output_open(arguments);
    if (!output) return TOOL_ERROR;
    if (choose(view, most, &chosen)) {
        fwrite(tool_page_head, 1, tool_page_head_size, output);
        if (!print_data(output, view, &chosen, most))
            status = tool_error("not enough memory to choose among instances");
        fwrite(tool_page_tail, 1, tool_page_tail_size, output);
    } else {
        status = tool_error("not enough memory to choose among %u phases", view->count);
    }
    free(chosen.place);
    return tool_output_close(arguments, output, status);
}

static int run(const tool_arguments *arguments) {
    const char *text = arguments->values[OPTION_PHASES];
    unsigned long most = PHASES_DEFAULT;
    tool_view view;
    int status;
    if (text) {
        char *end;
        most = strtoul(text, &end, 10);
        if (end == text || *end != '\0' || text[0] == '-' || most < 1 || most > 1000000)
            return tool_error("--phases needs a number from 1 to 1000000, not '%s'", text);
    }
    status = tool_view_open(&view, arguments->files[0]);
    if (status != TOOL_ERROR) status = print(arguments, &view, (uint32_t)most, status);
    tool_view_close(&view);
    return status;
}

const tool_command tool_trace_html = {
    "html",
    "a page that shows utilisation, instances, conflicts and the steal tree",
    "Writes one self-contained page, which needs no network: utilisation over time, instances of\n"
    "graphs and phases of each worker, why instances did not run together, the steal tree, and a\n"
    "table of the workers.\n\n"
    "    svs trace html -o run.html run.svstrace\n\n"
    "  --phases NUMBER  show this many of the longest phases individually, with those that they\n"
    "                   were stolen from, and this many instances (default 50000)\n",
    1,
    {{"--phases", "NUMBER"}, {NULL, NULL}},
    run};
