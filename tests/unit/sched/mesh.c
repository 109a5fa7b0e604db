/* A task that refines a linked mesh by sends to itself, in serial runs (sched.W10), against a loop
 * that refines an array. A look at the clock takes 1 ns here, so that all bodies are light. */
#include "base/platform.h"
#include "unit/face/support.h"

uint64_t __wrap_svs__time_ns(void);
uint64_t __wrap_svs__time_ns(void) {
    static atomic_ullong looks;
    return atomic_fetch_add_explicit(&looks, 1, memory_order_relaxed);
}

#define COARSE 16u
#define MOST 20000u

typedef struct interval {
    double from, to;
    struct interval *left, *right;
    svs_object svs;
} interval;
SVS_TYPE(interval, svs, left, right)

static struct {
    svs_world *world;
    svs_task *task;
    uint32_t ends; /* of the fine mesh, by the loop: */
    double end[MOST];
} mesh;

/* An interval is split if it is longer, whatever its neighbours are: so the order is no matter. */
static double wanted(double from, double to) {
    double at = (from + to) / 2;
    return (0.01 + 0.4 * (at - 0.3) * (at - 0.3)) / 40;
}

static void refine_serially(double from, double to) {
    double middle = (from + to) / 2;
    if (to - from > wanted(from, to)) {
        refine_serially(from, middle);
        refine_serially(middle, to);
        return;
    }
    assert_true(mesh.ends < MOST);
    mesh.end[mesh.ends++] = to;
}

typedef struct refine {
    interval *what;
} refine;

static void refine_touch(svs_footprint *f, const refine *r) {
    svs_writes_hops(f, &r->what->svs, 1);
}
static svs_status refine_send(svs_context *context, svs_task *to, const refine *items,
                              size_t count);

static svs_status look_at(svs_context *x, interval *first, interval *second) {
    const refine both[] = {{first}, {second}};
    return refine_send(x, mesh.task, both, 2);
}

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

static double length_of(const interval *i) { return i->to - i->from; }

static svs_status refine_run(svs_context *x, refine *r) {
    interval *me = r->what;
    if (length_of(me) <= wanted(me->from, me->to)) return SVS_OK;
    if (me->left && length_of(me->left) > 2 * length_of(me)) return look_at(x, me->left, me);
    if (me->right && length_of(me->right) > 2 * length_of(me)) return look_at(x, me->right, me);
    return split(x, me, (me->from + me->to) / 2);
}
SVS_TASK(refine, refine_run, refine_touch)

/* @return the first interval. */
static interval *make_coarse(svs_graph *graph) {
    interval *first = NULL, *last = NULL, *made;
    for (uint32_t i = 0; i < COARSE; i++, last = made) {
        support_ok(SVS_NEW(mesh.world, interval, &made));
        made->from = (double)i / COARSE;
        made->to = (double)(i + 1) / COARSE;
        if (last) support_ok(svs_link(last, right, made));
        if (last) support_ok(svs_link(made, left, last));
        else first = made;
        support_ok(svs_graph_send(graph, mesh.task, &(refine){made}, 1, sizeof(refine)));
    }
    return first;
}

static void check(const interval *first) {
    uint32_t i = 0;
    double from = 0;
    for (const interval *at = first; at; at = at->right, i++) {
        assert_true(i < mesh.ends);
        assert_true(at->from == from && at->to == mesh.end[i]); /* halves are exact */
        assert_true(!at->right || at->right->left == at);
        from = at->to;
    }
    assert_int_equal(i, mesh.ends);
}

static void refine_on(uint32_t threads, svs_algorithm algorithm) {
    support s;
    svs_graph *graph;
    const interval *first;
    uint64_t staged;
    support_open(&s, threads);
    graph = support_graph_of(&s, algorithm);
    mesh.world = s.world;
    mesh.task = support_itemizer(graph, &refine_task, NULL);
    support_ok(svs_graph_add_flow(graph, mesh.task, mesh.task));
    first = make_coarse(graph);
    support_run(graph, 1);
    check(first);
    staged = support_statistics(graph).staged_instances;
    /* Each instance of a checked run is watched, which leaves no serial runs. */
    if (threads == 1 && algorithm == SVS_ALGORITHM_WINDOWED && !support_is_checked(&s))
        assert_true(staged < mesh.ends / 2);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(a_mesh_that_a_task_refines_by_its_own_sends_is_that_of_a_loop) {
    mesh.ends = 0;
    for (uint32_t i = 0; i < COARSE; i++)
        refine_serially((double)i / COARSE, (double)(i + 1) / COARSE);
    SUPPORT_EACH_ALGORITHM(algorithm)
        for (uint32_t threads = 1; threads <= 4; threads *= 2) refine_on(threads, algorithm);
}

int main(void) { return run_cases(NULL, NULL); }
