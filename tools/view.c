#include "view.h"
#include "base/check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *tool_view_policy(const tool_view *view) {
    return view->statistics.policy == 0 ? "help-first" : "work-first";
}

const char *tool_node_kind(const tool_node *node) {
    switch (node->phase->start.kind) {
    case SVS__PHASE_STOLEN: return "stolen";
    case SVS__PHASE_RESUMED: return "resumed";
    default: return "root";
    }
}

static uint32_t node_index(const tool_view *view, uint32_t worker, uint32_t number) {
    return number == SVS__TREE_NONE ? SVS__TREE_NONE : view->first[worker] + number;
}

static void fill(tool_view *view) {
    const svs__steal_tree *tree = view->tree;
    for (uint32_t w = 0; w < tree->workers; w++) {
        for (uint32_t p = 0; p < tree->worker[w].phase_count; p++) {
            const svs__tree_phase *phase = &tree->worker[w].phases[p];
            tool_node *node = &view->nodes[view->count];
            node->phase = phase;
            node->worker = w;
            node->number = p;
            node->parent = node_index(view, phase->start.victim, phase->parent);
            node->enclosing = node_index(view, w, phase->enclosing);
            node->own_ns = svs__tree_own_ns(tree, w, p);
            node->own_asyncs = svs__tree_own_asyncs(tree, w, p);
            view->count++;
        }
    }
}

/* Computes depths: walks from each node up to the first ancestor of known depth, and back down. In
 * an inconsistent trace the parent links may form a cycle, which is cut. */
static void set_depths(tool_view *view, uint32_t *path) {
    const uint32_t unknown = UINT32_MAX, on_path = UINT32_MAX - 1;
    for (uint32_t i = 0; i < view->count; i++) view->nodes[i].depth = unknown;
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t length = 0, depth, at = i;
        while (at != SVS__TREE_NONE && view->nodes[at].depth == unknown) {
            view->nodes[at].depth = on_path;
            path[length++] = at;
            at = view->nodes[at].parent;
        }
        if (at != SVS__TREE_NONE && view->nodes[at].depth == on_path) {
            view->nodes[path[length - 1]].parent = SVS__TREE_NONE;
            at = SVS__TREE_NONE;
        }
        depth = at == SVS__TREE_NONE ? 0 : view->nodes[at].depth + 1;
        while (length > 0) view->nodes[path[--length]].depth = depth++;
        if (view->nodes[i].depth > view->depth) view->depth = view->nodes[i].depth;
    }
}

typedef struct key {
    uint64_t begin_ns, end_ns;
    uint32_t depth, index;
} key;

static int key_compare(const void *left, const void *right) {
    const key *a = left, *b = right;
    if (a->begin_ns != b->begin_ns) return a->begin_ns < b->begin_ns ? -1 : 1;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void set_order(tool_view *view, key *keys) {
    for (uint32_t i = 0; i < view->count; i++) {
        const svs__tree_phase *phase = view->nodes[i].phase;
        SVS__ASSERT(phase != NULL);
        keys[i] = (key){phase->begin_ns, phase->end_ns, view->nodes[i].depth, i};
    }
    qsort(keys, view->count, sizeof *keys, key_compare);
    for (uint32_t i = 0; i < view->count; i++) view->order[i] = keys[i].index;
}

typedef struct span {
    uint64_t begin_ns, end_ns;
} span;

static int span_compare(const void *left, const void *right) {
    const span *a = left, *b = right;
    return a->begin_ns < b->begin_ns ? -1 : a->begin_ns > b->begin_ns;
}

/* Sets begin_ns and end_ns, and the time that at least one phase or instance covers. */
static bool set_times(tool_view *view) {
    const tool_graphs *g = &view->graphs;
    size_t count = 0;
    uint64_t covered = 0;
    span *spans = calloc((size_t)view->count + g->instance_count + 1, sizeof *spans);
    if (!spans) return false;
    for (uint32_t i = 0; i < view->count; i++)
        spans[count++] = (span){view->nodes[i].phase->begin_ns, view->nodes[i].phase->end_ns};
    for (size_t i = 0; i < g->instance_count; i++)
        spans[count++] = (span){g->instances[i].begin_ns, g->instances[i].end_ns};
    qsort(spans, count, sizeof *spans, span_compare);
    view->begin_ns = count ? spans[0].begin_ns : 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t from = spans[i].begin_ns > covered ? spans[i].begin_ns : covered;
        if (spans[i].end_ns > view->end_ns) view->end_ns = spans[i].end_ns;
        if (spans[i].end_ns <= from) continue;
        view->active_ns += spans[i].end_ns - from;
        covered = spans[i].end_ns;
    }
    free(spans);
    return true;
}

/* Marks the phases inside of instances. Phases and instances of a worker are in the order of their
 * begins. */
static void find_inner(tool_view *view) {
    const tool_graphs *g = &view->graphs;
    size_t at = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        tool_node *node = &view->nodes[i];
        uint64_t begin = node->phase->begin_ns;
        while (at < g->instance_count &&
               (g->instances[at].worker < node->worker ||
                (g->instances[at].worker == node->worker && g->instances[at].end_ns < begin)))
            at++;
        node->in_instance = at < g->instance_count && g->instances[at].worker == node->worker &&
                            g->instances[at].begin_ns <= begin;
    }
}

bool tool_view_lay_out(tool_view *view) {
    const svs__steal_tree *tree = view->tree;
    key *keys;
    uint32_t *path;
    uint64_t count = 0;
    view->first = calloc((size_t)tree->workers + 1, sizeof *view->first);
    if (!view->first) return false;
    for (uint32_t w = 0; w < tree->workers; w++) {
        view->first[w] = (uint32_t)count;
        count += tree->worker[w].phase_count;
    }
    if (count >= SVS__TREE_NONE) return false;
    view->first[tree->workers] = (uint32_t)count;
    view->nodes = calloc(count + 1, sizeof *view->nodes);
    view->order = calloc(count + 1, sizeof *view->order);
    keys = calloc(count + 1, sizeof *keys);
    path = calloc(count + 1, sizeof *path);
    if (view->nodes && view->order && keys && path) {
        fill(view);
        set_depths(view, path);
        set_order(view, keys);
        find_inner(view);
    } else {
        count = SVS__TREE_NONE;
    }
    free(keys);
    free(path);
    return count != SVS__TREE_NONE && set_times(view);
}

int tool_trace_read(svs_trace **trace, const char *path) {
    char message[SVS_TRACE_MESSAGE];
    if (svs_trace_read(path, trace, message, sizeof message) == SVS_OK) return TOOL_OK;
    *trace = NULL;
    /* The message names the file if it cannot be opened, else only the position of the error. */
    return strstr(message, path) ? tool_error("%s", message) : tool_error("%s: %s", path, message);
}

int tool_view_open(tool_view *view, const char *path) {
    char message[SVS_TRACE_MESSAGE];
    struct stat file;
    memset(view, 0, sizeof *view);
    view->name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (tool_trace_read(&view->trace, path)) return TOOL_ERROR;
    if (stat(path, &file) == 0) view->file_bytes = (uint64_t)file.st_size;
    if (svs_trace_statistics_get(view->trace, &view->statistics)) return TOOL_ERROR;
    if (svs__tree_new(view->trace, &view->tree, message, sizeof message))
        return tool_error("%s: %s", path, message);
    if (!tool_graphs_open(&view->graphs, view->trace) || !tool_view_lay_out(view))
        return tool_error("%s: not enough memory to show it", path);
    if (svs_trace_verify(view->trace, view->problem, sizeof view->problem) == SVS_OK) {
        view->problem[0] = '\0';
        return TOOL_OK;
    }
    tool_error("warning: %s is inconsistent, and shown as far as it goes: %s", path, view->problem);
    return TOOL_INCONSISTENT;
}

void tool_view_close(tool_view *view) {
    free(view->nodes);
    free(view->order);
    free(view->first);
    tool_graphs_close(&view->graphs);
    svs__tree_free(view->tree);
    svs_trace_free(view->trace);
}

uint64_t tool_view_work_ns(const tool_view *view, uint32_t worker) {
    uint64_t sum = 0;
    for (uint32_t i = view->first[worker]; i < view->first[worker + 1]; i++)
        if (!view->nodes[i].in_instance) sum += view->nodes[i].own_ns;
    for (size_t i = 0; i < view->graphs.instance_count; i++)
        if (view->graphs.instances[i].worker == worker)
            sum += view->graphs.instances[i].end_ns - view->graphs.instances[i].begin_ns;
    return sum;
}

uint64_t tool_view_waited_ns(const tool_view *view, uint32_t worker) {
    uint64_t sum = 0;
    for (uint32_t i = view->first[worker]; i < view->first[worker + 1]; i++)
        sum += view->nodes[i].phase->waited_ns;
    return sum;
}

uint32_t tool_view_steals(const tool_view *view, uint32_t worker) {
    uint32_t steals = 0;
    for (uint32_t i = view->first[worker]; i < view->first[worker + 1]; i++)
        steals += view->nodes[i].phase->start.kind == SVS__PHASE_STOLEN;
    return steals;
}

const tool_node *tool_view_longest(const tool_view *view) {
    const tool_node *longest = NULL;
    for (uint32_t i = 0; i < view->count; i++)
        if (!longest || view->nodes[i].own_ns > longest->own_ns) longest = &view->nodes[i];
    return longest;
}

/* The share of a phase's own time (without nested phases) that it worked. */
static double intensity(const tool_node *node) {
    double own_ns = (double)node->own_ns, waited_ns = (double)node->phase->waited_ns;
    return own_ns > 0 ? own_ns / (own_ns + waited_ns) : 0;
}

void tool_view_utilisation(const tool_view *view, uint32_t worker, uint32_t columns,
                           double *shares) {
    double width = (double)(view->end_ns - view->begin_ns) / columns;
    for (uint32_t i = view->first[worker]; i < view->first[worker + 1]; i++) {
        const tool_node *node = &view->nodes[i];
        double from = (double)(node->phase->begin_ns - view->begin_ns) / width;
        double to = (double)(node->phase->end_ns - view->begin_ns) / width;
        double weight = intensity(node);
        /* the phase replaces its enclosing phase meanwhile */
        if (node->enclosing != SVS__TREE_NONE) weight -= intensity(&view->nodes[node->enclosing]);
        for (uint32_t c = (uint32_t)from; width > 0 && c < columns && c < to; c++)
            shares[c] += weight * ((to < c + 1.0 ? to : c + 1.0) - (from > c ? from : c));
    }
}
