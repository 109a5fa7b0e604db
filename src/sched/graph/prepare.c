/* From tasks and edges to a graph that can run: a topological order, the implicit dependencies, the
 * domains.
 *
 * Safe by default: every pair that no path of explicit and dataflow edges connects gets an implicit
 * dependency, oriented along the topological order (an orientation by the order of adding could
 * make cycles). The exceptions are pairs that the user has declared independent, or that svs scan
 * has found to be independent. */
#include "sched/graph/prepare.h"

#include <string.h>

#include "base/memory.h"
#include "sched/domain/instance/contexts.h"
#include "sched/domain/progressive/pinned.h"
#include "sched/graph/active.h"
#include "sched/graph/cycles.h"
#include "sched/graph/facts.h"
#include "sched/graph/refusals.h"
#include "sched/graph/sort.h"
#include "sched/graph/statistics.h"

/* ---- the implicit dependencies ---- */

typedef struct pairs {
    /* a row of bits for each task, in the topological order: whether a path leads from the task to
     * another one, or the two are independent */
    uint64_t *bits;
    size_t row; /* words */
    size_t bytes;
} pairs;

static bool pairs_new(const svs_graph *graph, pairs *p) {
    p->row = (graph->tasks.count + 63) / 64;
    p->bytes = p->row * graph->tasks.count * sizeof(uint64_t);
    p->bits = svs__allocate_zeroed(graph->world->allocator, p->bytes ? p->bytes : 8, 64);
    return p->bits != NULL;
}

static void pairs_free(const svs_graph *graph, pairs *p) {
    svs__release(graph->world->allocator, p->bits, p->bytes ? p->bytes : 8, 64);
}

static uint64_t *row_of(const pairs *p, const svs_task *task) {
    return p->bits + p->row * svs__node_of(task)->position;
}

static void add_paths(const pairs *p, const svs_task *from, const svs__tasks *children) {
    for (uint32_t k = 0; k < children->count; k++) {
        svs__signature_set(row_of(p, from), svs__node_of(children->items[k])->position);
        svs__signature_or(row_of(p, from), row_of(p, children->items[k]), (uint32_t)p->row);
    }
}

/* Gives all tasks of a cycle the same paths, because they reach the same tasks. */
static void share_paths(const pairs *p, const svs_task *lead) {
    const svs_task *one;
    for (one = svs__node_of(lead)->next_of_lead; one; one = svs__node_of(one)->next_of_lead)
        svs__signature_or(row_of(p, lead), row_of(p, one), (uint32_t)p->row);
    for (one = svs__node_of(lead)->next_of_lead; one; one = svs__node_of(one)->next_of_lead)
        memcpy(row_of(p, one), row_of(p, lead), p->row * sizeof(uint64_t));
}

static void find_paths(const svs_graph *graph, const pairs *p) {
    for (uint32_t i = graph->ordered.count; i-- > 0;) {
        const svs_task *task = graph->ordered.items[i];
        add_paths(p, task, &svs__node_of(task)->before);
        add_paths(p, task, &svs__node_of(task)->sends);
        /* only the lead of a cycle does it (sched.T7) */
        if (task->lead == task) share_paths(p, task);
    }
    for (uint32_t i = 0; i < graph->independent_a.count; i++) {
        const svs_task *a = graph->independent_a.items[i], *b = graph->independent_b.items[i];
        svs__signature_set(row_of(p, a), svs__node_of(b)->position);
        svs__signature_set(row_of(p, b), svs__node_of(a)->position);
    }
}

/* The tasks of one word of the parent's row that come later in the order and that no path from the
 * parent leads to. */
static uint64_t later_without_path(const pairs *p, const svs_task *parent, uint32_t word) {
    uint32_t count = parent->graph->ordered.count, own = svs__node_of(parent)->position;
    uint64_t bits = ~row_of(p, parent)[word];
    if (word == own / 64) bits &= ~UINT64_C(0) << own % 64 << 1;
    if (word == count / 64) bits &= ~(~UINT64_C(0) << count % 64);
    return bits;
}

/* Makes the implicit dependencies of a parent, unless it has no child. @return false: no memory. */
static bool add_implicit(const pairs *p, svs_task *parent) {
    svs__implicit *i = &svs__node_of(parent)->implicit;
    svs_task *child;
    uint64_t any = 0;
    i->first = svs__node_of(parent)->position / 64;
    for (uint32_t word = i->first; word < p->row; word++)
        any |= later_without_path(p, parent, word);
    if (!any) return true;
    i->words = (uint32_t)p->row - i->first;
    i->all = svs__allocate_zeroed(parent->graph->world->allocator,
                                  (size_t)2 * i->words * sizeof(uint64_t), 8);
    if (!i->all) {
        i->words = 0;
        return false;
    }
    i->left = i->all + i->words;
    for (uint32_t word = 0; word < i->words; word++)
        i->all[word] = later_without_path(p, parent, i->first + word);
    svs__implicit_reset(parent);
    for (uint32_t at = svs__node_of(parent)->position;
         (child = svs__implicit_next(parent, &at)) != NULL;)
        svs__node_of(child)->implicit_parents++;
    return true;
}

static svs_status make_implicit(svs_graph *graph, svs_report *report) {
    svs_status status = SVS_OK;
    bool made;
    pairs p;
    for (uint32_t i = 0; i < graph->tasks.count; i++) {
        svs__implicit_clean_up(graph->tasks.items[i]);
        svs__node_of(graph->tasks.items[i])->implicit_parents = 0;
    }
    if (!pairs_new(graph, &p)) return SVS_E_NO_MEMORY;
    find_paths(graph, &p);
    made = svs__facts_add_independent(graph, &(svs__rows){p.bits, p.row});
    for (uint32_t i = 0; i < graph->ordered.count && made; i++)
        made = add_implicit(&p, graph->ordered.items[i]);
    if (made) status = svs__facts_check(graph, &(svs__rows){p.bits, p.row}, report);
    pairs_free(graph, &p);
    return made ? status : SVS_E_NO_MEMORY;
}

/* ---- the memory of a run ---- */

static void *array_new(const svs_graph *graph, size_t count, size_t element) {
    return svs__allocate_zeroed(graph->world->allocator, count * element, SVS__CACHE_LINE);
}

static void array_free(const svs_graph *graph, void *array, size_t count, size_t element) {
    svs__release(graph->world->allocator, array, count * element, SVS__CACHE_LINE);
}

static const svs__algorithm *algorithm_of(const svs_task *task) {
    svs_algorithm algorithm = svs__node_of(task)->algorithm;
    if (svs__task_is_pinned(task)) return &svs__pinned;
    return svs__algorithm_of(algorithm ? algorithm : task->graph->options.algorithm);
}

static svs_status make_domain(svs__run *run, svs__domain *domain, const svs__algorithm *algorithm,
                              const svs_task *task) {
    svs__domain_init(domain, &run->env, algorithm);
    return algorithm->new ? algorithm->new (domain, task) : SVS_OK;
}

static svs_status make_domains(svs_graph *graph) {
    svs__run *run = &graph->run;
    uint32_t count = graph->tasks.count;
    svs_status status;
    run->domains = array_new(graph, count + 1, sizeof(svs__domain));
    run->children = array_new(graph, count + 1, sizeof *run->children);
    if (!run->domains || !run->children || !svs__active_new(run, count + 1)) return SVS_E_NO_MEMORY;
    run->gate = &run->domains[count];
    status = make_domain(run, run->gate, &svs__progressive, NULL);
    run->pinned = 0;
    for (uint32_t i = 0; i < count && !status; i++) {
        const svs_task *task = graph->tasks.items[i];
        status = make_domain(run, &run->domains[i], algorithm_of(task), task);
        run->pinned += svs__task_is_pinned(task);
    }
    if (status) return status;
    return svs__tasks_reserve(graph->world, &run->opened, count) ? SVS_OK : SVS_E_NO_MEMORY;
}

void svs__graph_unprepare(svs_graph *graph) {
    svs__run *run = &graph->run;
    uint32_t count = graph->tasks.count;
    if (run->domains)
        for (uint32_t i = 0; i <= count; i++) svs__domain_clean_up(&run->domains[i]);
    for (uint32_t i = 0; i < count; i++) svs__node_of(graph->tasks.items[i])->domain = NULL;
    array_free(graph, run->domains, count + 1, sizeof(svs__domain));
    svs__active_free(run, count + 1);
    run->domains = run->gate = NULL;
    array_free(graph, run->children, count + 1, sizeof *run->children);
    run->children = NULL;
    svs__statistics_sum(graph, &run->statistics);
    svs__contexts_free(&run->env);
    svs__tasks_clean_up(graph->world, &run->opened);
    graph->prepared = false;
}

svs_status svs__graph_prepare(svs_graph *graph, svs_report *report) {
    svs_status status;
    if (graph->prepared) return SVS_OK;
    graph->run.env.world = graph->world;
    graph->run.env.options = &graph->options;
    svs__cycles_find(graph);
    status = svs__graph_sort(graph, report);
    if (!status) status = make_implicit(graph, report);
    if (!status) status = svs__contexts_new(&graph->run.env);
    if (!status) status = make_domains(graph);
    if (status) svs__graph_unprepare(graph);
    else graph->prepared = true;
    return status;
}

svs_status svs__graph_begin_change(svs_graph *graph, const char *call) {
    svs_status status = svs__graph_check_idle(graph, call);
    if (!status) svs__graph_unprepare(graph);
    return status;
}
