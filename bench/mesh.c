/* Refinement of a linked mesh, a ring cut open: an interval that is too long splits, and one that
 * is less than half as long as its neighbour has that one split first. Each split is followed by
 * others, which are not known before.
 *
 *     bench_mesh [--intervals 16] [--fineness 20] [--threads 2] [--rounds 7]
 *
 * The task sends to itself, in one run; or what is next waits in a list of each worker, and a run
 * follows the other. Compared by the processor time of one instance. */
#include "common.h"

#include <stdlib.h>

typedef struct settings {
    uint64_t intervals, fineness, threads, rounds;
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

/* ---- where an interval goes that is to be looked at (again) ---- */

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
    put_off(&mesh.later[svs_context_worker(x)], first);
    put_off(&mesh.later[svs_context_worker(x)], second);
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

typedef struct result {
    uint64_t runs, intervals, instances;
    double cpu_ns; /* of one instance */
} result;

/* Refines a new mesh, in a world of its own. `later`: the lists, or NULL. */
static result refined(svs_runtime *runtime, const settings *s, list *later) {
    result r = {0};
    svs_graph_statistics statistics;
    svs_graph *graph;
    interval *first;
    uint64_t begin;
    BENCH_OK(svs_world_new(runtime, NULL, &mesh.world));
    BENCH_OK(svs_graph_new(mesh.world, NULL, &graph));
    BENCH_OK(svs_graph_add_itemizer(graph, &refine_task, NULL, &mesh.task));
    mesh.later = later;
    if (!later) BENCH_OK(svs_graph_add_flow(graph, mesh.task, mesh.task));
    first = coarse(s->intervals);
    for (interval *i = first; i; i = i->right)
        BENCH_OK(svs_graph_send(graph, mesh.task, &(refine){i}, 1, sizeof(refine)));
    begin = bench_cpu_ns();
    run(graph, (uint32_t)s->threads, &r.runs);
    r.cpu_ns = (double)(bench_cpu_ns() - begin);
    BENCH_OK(svs_graph_statistics_get(graph, &statistics));
    r.instances = statistics.instances;
    r.cpu_ns /= (double)r.instances;
    r.intervals = check(first);
    BENCH_OK(svs_graph_free(graph));
    BENCH_OK(svs_world_free(mesh.world));
    return r;
}

/* ---- measuring ---- */

static void measure(svs_runtime *runtime, const settings *s) {
    list *lists = bench_allocate(s->threads, sizeof *lists);
    double *ratios = bench_allocate(s->rounds, sizeof *ratios), ratio;
    double *by_self = bench_allocate(s->rounds, sizeof *by_self);
    result self = {0}, rounds = {0};
    for (uint64_t i = 0; i < s->rounds; i++) {
        self = refined(runtime, s, NULL);
        rounds = refined(runtime, s, lists);
        if (self.intervals != rounds.intervals) bench_fail("the two meshes differ");
        by_self[i] = self.cpu_ns;
        ratios[i] =
            self.cpu_ns * (double)self.instances / (rounds.cpu_ns * (double)rounds.instances);
    }
    ratio = bench_median(ratios, s->rounds);
    bench_table_line("%9llu %6llu %11.0f %10.2f %7.0f%%", (unsigned long long)self.intervals,
                     (unsigned long long)rounds.runs, bench_median(by_self, s->rounds), ratio,
                     bench_spread(ratios, s->rounds));
    bench_row("bench=mesh threads=%llu intervals=%llu runs=%llu instance_cpu_ns=%.0f "
              "ratio_rounds=%.3f",
              (unsigned long long)s->threads, (unsigned long long)self.intervals,
              (unsigned long long)rounds.runs, bench_median(by_self, s->rounds), ratio);
    for (uint64_t k = 0; k < s->threads; k++) free(lists[k].items);
    free(lists);
    free(ratios);
    free(by_self);
}

static const option_row rows[] = {
    {"intervals", 'n', "N", "Intervals of the coarse mesh (16)", 0,
     OPTION_NUMBER(settings, intervals, 1, 100000)},
    {"fineness", 'f', "N", "The fine mesh has some 50 times as many intervals (20)", 0,
     OPTION_NUMBER(settings, fineness, 1, 10000)},
    {"threads", 't', "N", "Threads (2)", 0, OPTION_NUMBER(settings, threads, 1, SVS_THREADS_MAX)},
    {"rounds", 'r', "N", "Repetitions (7)", 0, OPTION_NUMBER(settings, rounds, 1, 1000)},
    OPTION_END,
};

int main(int argc, char **argv) {
    static const option_program program = {
        .rows = rows, .text = "A mesh that a task refines by sends to itself, and in rounds."};
    settings s = {16, 20, 2, 7};
    svs_runtime *runtime;
    options_read(&program, argc, argv, &s);
    mesh.fineness = (double)s.fineness;
    runtime = bench_runtime_new(SVS_POLICY_HELP_FIRST, (uint32_t)s.threads);
    bench_table_line("%9s %6s %11s %10s %8s", "intervals", "rounds", "instance ns", "of rounds",
                     "spread");
    measure(runtime, &s);
    BENCH_OK(svs_runtime_free(runtime));
    bench_rows_print();
    return EXIT_SUCCESS;
}
