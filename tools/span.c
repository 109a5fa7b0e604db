#include "span.h"
#include <stdlib.h>

/* A phase in progress, with its longest path up to `since_ns`. Since then it runs, unless nested
 * phases run inside of it. */
typedef struct walk {
    uint64_t path_ns, since_ns;
    uint32_t root;  /* root phase of the steal tree that it is in */
    uint32_t inner; /* number of phases that run inside of it now */
    bool begun, ended;
} walk;

typedef struct event {
    uint64_t time_ns;
    uint32_t rank; /* among events of one time: beginnings outside in, then ends inside out */
    uint32_t index;
    bool ends;
} event;

static int compare_events(const void *left, const void *right) {
    const event *a = left, *b = right;
    if (a->time_ns != b->time_ns) return a->time_ns < b->time_ns ? -1 : 1;
    if (a->ends != b->ends) return a->ends - b->ends;
    if (a->rank != b->rank) return (a->rank < b->rank) == a->ends ? 1 : -1;
    return 0;
}

static event *make_events(const tool_view *view) {
    event *events = calloc((size_t)view->count * 2 + 1, sizeof *events);
    if (!events) return NULL;
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t index = view->order[i];
        const svs__tree_phase *phase = view->nodes[index].phase;
        events[2 * (size_t)i] = (event){phase->begin_ns, i, index, false};
        events[2 * (size_t)i + 1] = (event){phase->end_ns, i, index, true};
    }
    qsort(events, (size_t)view->count * 2, sizeof *events, compare_events);
    return events;
}

static void advance(walk *w, uint64_t now_ns) {
    if (!w->begun || w->inner > 0 || w->ended) return;
    w->path_ns += now_ns - w->since_ns;
    w->since_ns = now_ns;
}

static void lift(uint64_t *path_ns, uint64_t to_ns) {
    if (*path_ns < to_ns) *path_ns = to_ns;
}

static void begin(const tool_view *view, walk *walks, const event *e, uint64_t longest_ns) {
    const tool_node *node = &view->nodes[e->index];
    walk *w = &walks[e->index];
    w->begun = true;
    w->since_ns = e->time_ns;
    w->root = e->index;
    if (node->enclosing != SVS__TREE_NONE) {
        advance(&walks[node->enclosing], e->time_ns);
        walks[node->enclosing].inner++;
    }
    if (node->parent == SVS__TREE_NONE) {
        /* A root may have waited for any earlier phase. */
        w->path_ns = longest_ns;
        return;
    }
    advance(&walks[node->parent], e->time_ns);
    w->root = walks[node->parent].root;
    w->path_ns = walks[node->parent].path_ns;
    /* A resumed finish may have waited for any phase that has ended. */
    if (node->phase->start.kind == SVS__PHASE_RESUMED) lift(&w->path_ns, longest_ns);
}

/* Joins a phase to the phases that wait for it. Under help-first the victim waits for a stolen
 * child. Under work-first the phase that reaches the end of the finish last resumes it: any running
 * phase of the same tree may be that one. */
static void join(const tool_view *view, walk *walks, const event *e) {
    const walk *ended = &walks[e->index];
    if (view->statistics.policy == 0) {
        uint32_t parent = view->nodes[e->index].parent;
        if (parent == SVS__TREE_NONE || walks[parent].ended) return;
        advance(&walks[parent], e->time_ns);
        lift(&walks[parent].path_ns, ended->path_ns);
        return;
    }
    for (uint32_t w = 0; w < view->tree->workers; w++) {
        /* The current phase of a worker is the last that has begun. */
        uint32_t i = view->first[w], end = view->first[w + 1];
        while (i < end) {
            uint32_t middle = i + (end - i) / 2;
            if (walks[middle].begun) i = middle + 1;
            else end = middle;
        }
        if (i == view->first[w] || walks[i - 1].ended || walks[i - 1].root != ended->root) continue;
        advance(&walks[i - 1], e->time_ns);
        lift(&walks[i - 1].path_ns, ended->path_ns);
    }
}

bool tool_span_of_phases(const tool_view *view, tool_span *span) {
    event *events = make_events(view);
    walk *walks = calloc((size_t)view->count + 1, sizeof *walks);
    uint64_t longest_ns = 0, work_ns = 0;
    bool made = events && walks;
    for (size_t i = 0; made && i < (size_t)view->count * 2; i++) {
        const event *e = &events[i];
        uint32_t enclosing = view->nodes[e->index].enclosing;
        if (!e->ends) {
            begin(view, walks, e, longest_ns);
            continue;
        }
        advance(&walks[e->index], e->time_ns);
        walks[e->index].ended = true;
        lift(&longest_ns, walks[e->index].path_ns);
        work_ns += view->nodes[e->index].own_ns;
        join(view, walks, e);
        if (enclosing != SVS__TREE_NONE && --walks[enclosing].inner == 0)
            walks[enclosing].since_ns = e->time_ns;
    }
    free(events);
    free(walks);
    span->work_ns = (double)work_ns;
    span->span_ns = (double)longest_ns;
    span->measured = false;
    return made;
}

double tool_span_predict(const tool_span *span, double c, double workers) {
    double time = span->work_ns / workers + c * span->span_ns * (1 - 1 / workers);
    /* Only a measured span is a lower bound; the span of phases overestimates the true span. */
    return span->measured && time < span->span_ns ? span->span_ns : time;
}
