/* Chunks of walked candidates (sched.W15): other workers walk links for a window. */
#include "base/platform.h"
#include "unit/face/support.h"

enum { NODES = 24, WALKERS = 600 };

static node *nodes[NODES];
static atomic_int first_touched, others_touched;
static _Atomic(uintptr_t) first_toucher;

/* The first of a window that walks holds its worker until another one walks, too. */
static void held_touch(svs_footprint *f, const uint32_t *number) {
    uintptr_t self = svs__thread_id();
    if (*number == 0 && atomic_fetch_add(&first_touched, 1) == 1) {
        atomic_store(&first_toucher, self);
        (void)support_comes(&others_touched, 1);
    } else if (atomic_load(&first_toucher) && atomic_load(&first_toucher) != self) {
        atomic_store(&others_touched, 1);
    }
    svs_writes_hops(f, &nodes[*number % NODES]->svs, 1);
}
static svs_status held_run(svs_context *context, uint32_t *number) {
    (void)context, (void)number;
    return SVS_OK;
}
SVS_TASK(held, uint32_t, held_run, held_touch)

static void link_nodes(svs_world *world) {
    for (uint32_t i = 0; i < NODES; i++) nodes[i] = support_node(world);
    for (uint32_t i = 0; i + 1 < NODES; i++) support_ok(svs_link(nodes[i], a, nodes[i + 1]));
}

TEST_CASE(other_workers_walk_links_for_a_window) {
    uint32_t items[WALKERS];
    svs_task_type without_loops = held_task; /* which would call the touch function as well */
    svs_graph *graph;
    svs_task *task;
    support s;
    support_open(&s, 2);
    without_loops.loops = NULL;
    link_nodes(s.world);
    graph = support_graph_of(&s, SVS_ALGORITHM_WINDOWED);
    task = support_itemizer(graph, &without_loops, NULL);
    for (uint32_t i = 0; i < WALKERS; i++) items[i] = i;
    support_ok(svs_graph_send(graph, task, items, WALKERS, sizeof *items));
    support_run(graph, 1);
    assert_true(others_touched);
    assert_true(support_statistics(graph).quiet_ns > 0);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
