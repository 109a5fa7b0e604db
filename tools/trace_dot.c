/* svs trace dot: the steal tree for Graphviz; a node for each phase, an edge for each steal. */
#include "format.h"
#include "view.h"
#include <math.h>

/* Prints a DOT string. Quotation marks are escaped, and backslashes as well, since DOT expands \l
 * and \N. */
static void print_string(FILE *output, const char *text) {
    fputc('"', output);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', output);
        fputc(*text, output);
    }
    fputc('"', output);
}

/* Prints the node of a phase. Hues at steps of the golden ratio are far apart for consecutive
 * workers. */
static void print_node(FILE *output, const tool_node *node) {
    char time[TOOL_TEXT], asyncs[TOOL_TEXT];
    double hue = fmod(0.58 + 0.6180339887 * node->worker, 1);
    fprintf(output,
            "  w%up%u [label=\"worker %u, phase %u\\n%s, %s asyncs\" fillcolor=\"%.3f 0.22 0.97\" "
            "color=\"%.3f 0.7 0.55\"%s];\n",
            node->worker, node->number, node->worker, node->number, tool_time(time, node->own_ns),
            tool_count(asyncs, node->own_asyncs), hue, hue,
            node->depth == 0 ? " penwidth=2.5" : "");
}

static void print_edge(FILE *output, const tool_view *view, const tool_node *node) {
    const tool_node *parent;
    if (node->parent == SVS__TREE_NONE) return;
    parent = &view->nodes[node->parent];
    fprintf(output, "  w%up%u -> w%up%u ", parent->worker, parent->number, node->worker,
            node->number);
    if (node->phase->start.kind == SVS__PHASE_RESUMED)
        fputs("[label=\"resumed\" style=dashed];\n", output);
    else fprintf(output, "[label=\"%llu\"];\n", (unsigned long long)node->phase->start.at);
}

static void print(FILE *output, const tool_view *view) {
    fputs("// The steal tree. An edge leads from the victim's phase to the stolen phase; its label "
          "is the\n"
          "// sequence number of the stolen async on its worker. Each worker has its own colour.\n"
          "digraph steal_tree {\n  rankdir=LR;\n  label=",
          output);
    print_string(output, view->name);
    fputs(";\n  labelloc=t;\n  ranksep=0.4;\n"
          "  node [shape=box style=\"filled,rounded\" fontname=\"sans-serif\" fontsize=10];\n"
          "  edge [fontname=\"sans-serif\" fontsize=9 color=\"#777777\"];\n",
          output);
    for (uint32_t i = 0; i < view->count; i++) print_node(output, &view->nodes[view->order[i]]);
    for (uint32_t i = 0; i < view->count; i++)
        print_edge(output, view, &view->nodes[view->order[i]]);
    fputs("}\n", output);
}

static int run(const tool_arguments *arguments) {
    tool_view view;
    int status = tool_view_open(&view, arguments->files[0]);
    if (status != TOOL_ERROR) {
        FILE *output = tool_output_open(arguments);
        if (output) print(output, &view);
        status = output ? tool_output_close(arguments, output, status) : TOOL_ERROR;
    }
    tool_view_close(&view);
    return status;
}

const tool_command tool_trace_dot = {
    "dot",
    "the steal tree for Graphviz",
    "Prints the steal tree in DOT, a node for each phase in the colour of its worker, an edge for\n"
    "each steal with the sequence number of the stolen async:\n\n"
    "    svs trace dot run.svstrace | dot -Tsvg > run.svg\n",
    1,
    {{NULL, NULL}},
    run};
