/* Refinement of a linked mesh, a ring cut open: an interval that is too long splits; if its
 * neighbour is more than twice as long, the neighbour splits first. Each split causes further
 * splits, which are not known in advance.
 *
 *     bench_mesh [--intervals 16] [--fineness 20] [--threads 2]
 *
 * Either the task sends to itself, in one run; or each worker lists the next intervals, and one run
 * follows the other. The two are compared by the processor time of one instance. */
#include "shim.h"

#include <stdlib.h>

typedef struct settings {
    uint64_t intervals, fineness, threads;
} settings;

typedef struct interval {
    double from, to;
    struct interval *left, *right;
    svs_object svs;
} interval;
SVS_TYPE(interval, svs, left, right)

typedef struct refine {
    interval *what;
} refine;

/* ---- the destination of an interval that must be examined (again) ---- */

typedef struct list {
    refine *items;
    size_t count, capacity;
} list;

static struct {
    svs_world *world;
    svs_task *task;
    list *later; /* of each worker; NULL: the task sends to itself */
    double fineness;
} mesh;

static void put_off(list *l, interval *what) {
    if (l->count == l->capacity) {
        l->capacity = l->capacity ? 2 * l->capacity : 64;
        l->items = realloc(l->items, l->capacity * sizeof *l->items);
        if (!l->items) bench_fail("no memory for a list of %zu intervals", l->capacity);
    }
    l->items[l->count++].what = what;
}

static svs_status refine_send(svs_context *context, svs_task *to, const refine *items,
                              size_t count);

static svs_status look_at(svs_context *x, interval *first, interval *second) {
    const refine both[] = {{first}, {second}};
    if (!mesh.later) return refine_send(x, mesh.task, both, 2);
    put_off(&mesh.later[svs_worker_index()], first);
    put_off(&mesh.later[svs_worker_index()], second);
    return SVS_OK;
}

/* ---- the task ---- */

static void refine_touch(svs_footprint *f, const refine *r) {
    svs_writes_hops(f, &r->what->svs, 1);
}

static double length_of(const interval *i) { return i->to - i->from; }

static double wanted(double at) { return (0.01 + 0.4 * (at - 0.3) * (at - 0.3)) / mesh.fineness; }

static svs_status split(svs_context *x, interval *me, double middle) {
    interval *other, *next = me->right;
    svs_status status = SVS_NEW(mesh.world, interval, &other);
    if (status) return status;
    other->from = middle;
    other->to = me->to;
    me->to = middle;
    status = svs_link(other, left, me);
    if (!status) status = svs_link(other, right, next);
    if (!status) status = svs_link(me, right, other);
    if (!status && next) status = svs_link(next, left, other);
    return status ? status : look_at(x, me, other);
}

static svs_status refine_run(svs_context *x, refine *r) {
    interval *me = r->what;
    double middle = (me->from + me->to) / 2;
    if (length_of(me) <= wanted(middle)) return SVS_OK;
    if (me->left && length_of(me->left) > 2 * length_of(me)) return look_at(x, me->left, me);
    if (me->right && length_of(me->right) > 2 * length_of(me)) return look_at(x, me->right, me);
    return split(x, me, middle);
}
SVS_TASK(refine, refine_run, refine_touch)

/* ---- one mesh ---- */

static interval *coarse(uint64_t count) {
    interval *first = NULL, *last = NULL, *made;
    for (uint64_t i = 0; i < count; i++) {
        BENCH_OK(SVS_NEW(mesh.world, interval, &made));
        made->from = (double)i / (double)count;
        made->to = (double)(i + 1) / (double)count;
        if (last) BENCH_OK(svs_link(last, right, made));
        if (last) BENCH_OK(svs_link(made, left, last));
        else first = made;
        last = made;
    }
    return first;
}

/* Ends the program unless the mesh is whole and fine. @return how many intervals it has. */
static uint64_t check(const interval *first) {
    uint64_t count = 0;
    for (const interval *i = first; i; i = i->right) {
        if (i->right && (i->right->left != i || i->right->from != i->to))
            bench_fail("the mesh is torn at %g", i->to);
        if (length_of(i) > wanted((i->from + i->to) / 2))
            bench_fail("the interval from %g is too long", i->from);
        count++;
    }
    return count;
}

/* @return whether any were. */
static int send_lists(svs_graph *graph, uint32_t threads) {
    int any = 0;
    for (uint32_t k = 0; k < threads; k++) {
        list *l = &mesh.later[k];
        if (!l->count) continue;
        BENCH_OK(svs_graph_send(graph, mesh.task, l->items, l->count, sizeof *l->items));
        l->count = 0;
        any = 1;
    }
    return any;
}

static void run(svs_graph *graph, uint32_t threads, uint64_t *runs) {
    do {
        BENCH_OK(svs_graph_run(graph, 1, NULL));
        ++*runs;
    } while (mesh.later && send_lists(graph, threads));
}

/* ---- measuring ---- */

static settings s = {16, 20, 2};
static svs_runtime *runtime;
static bench_case *by_self, *in_rounds;

/* Refines a new mesh, in a world of its own. */
static void refine_one(bench_state *state, list *later) {
    svs_graph_statistics statistics;
    svs_graph *graph;
    interval *first;
    uint64_t runs = 0;
    BENCH_OK(svs_world_new(runtime, NULL, &mesh.world));
    BENCH_OK(svs_graph_new(mesh.world, NULL, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &refine_task, NULL, &mesh.task));
    mesh.later = later;
    if (!later) BENCH_OK(svs_graph_add_flow(graph, mesh.task, mesh.task));
    first = coarse(s.intervals);
    for (interval *i = first; i; i = i->right)
        BENCH_OK(svs_graph_send(graph, mesh.task, &(refine){i}, 1, sizeof(refine)));
    bench_resume(state);
    run(graph, (uint32_t)s.threads, &runs);
    bench_pause(state);
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    bench_counter(state, "intervals", (double)check(first));
    bench_counter(state, "instances", (double)statistics.instances);
    bench_counter(state, "runs", (double)runs);
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_world_free(mesh.world));
}

static void measure(bench_state *state, const void *is_in_rounds) {
    list *lists = is_in_rounds ? bench_allocate(s.threads, sizeof *lists) : NULL;
    while (bench_loop(state)) {
        bench_pause(state);
        refine_one(state, lists);
        bench_resume(state);
    }
    for (uint64_t k = 0; lists && k < s.threads; k++) free(lists[k].items);
    free(lists);
}

static void report(void) {
    bench_figure self = bench_figure_of(by_self, BENCH_CPU);
    double intervals = bench_figure_of(by_self, "intervals").median;
    double others = bench_figure_of(in_rounds, "intervals").median;
    if (bench_ran(by_self) && bench_ran(in_rounds) && intervals != others)
        bench_fail("the two meshes differ: %.0f and %.0f intervals", intervals, others);
    bench_case_row(by_self, "intervals=%.0f runs=%.0f instance_cpu_ns=%.0f ratio_rounds=%.3f",
                   intervals, bench_figure_of(in_rounds, "runs").median,
                   self.median / bench_figure_of(by_self, "instances").median,
                   self.median / bench_figure_of(in_rounds, BENCH_CPU).median);
}

static const option_row rows[] = {
    {"intervals", 'n', "N", "Intervals of the coarse mesh (16)", 0,
     OPTION_NUMBER(settings, intervals, 1, 100000)},
    {"fineness", 'f', "N", "The fine mesh has some 50 times as many intervals (20)", 0,
     OPTION_NUMBER(settings, fineness, 1, 10000)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "A mesh that a task refines by sends to itself, and in rounds."};
    int status;
    bench_options(&program, argc, argv, &s);
    mesh.fineness = (double)s.fineness;
    runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, (uint32_t)s.threads);
    by_self =
        bench_case_new(measure, NULL, 1, "mesh/self threads=%llu", (unsigned long long)s.threads);
    in_rounds = bench_case_new(measure, &in_rounds, 1, "mesh/rounds threads=%llu",
                               (unsigned long long)s.threads);
    status = bench_run(report);
    BENCH_OK(svs_runtime_free(runtime));
    return status;
}
