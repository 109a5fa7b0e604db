/* A graph run by two workers: a producer sends while its consumers run, some of which send on to a
 * second consumer, and a last task follows. Instances that conflict never run at once and see what
 * those before wrote (sched.S1), each item runs once (sched.S2), explicit order holds (sched.S3),
 * and the run ends (sched.S4). */
#include "explore/scenarios/support.h"
#include <string.h>

#define CELLS 2u
#define ITEMS 3u

static struct {
    svs_runtime *runtime;
    svs_world *world;
    uint32_t cells[CELLS], passed, ran[ITEMS], seen;
    _Atomic(uint32_t) inside[CELLS + 1]; /* instances inside: more than one is a violation */
} shared;

static void visit(uint32_t which, uint32_t *cell) {
    EXPLORE_CHECK(svs__fetch_add_relaxed(&shared.inside[which], 1) == 0);
    explore_wrote(cell);
    ++*cell;
    EXPLORE_CHECK(svs__fetch_sub_relaxed(&shared.inside[which], 1) == 1);
}

typedef struct pass {
    uint32_t item;
} pass;
static void pass_touch(svs_footprint *f, const pass *p) { (void)p, svs_writes(f, &shared.passed); }
static svs_status pass_run(svs_context *x, pass *p) {
    visit(CELLS, &shared.passed);
    return SVS_OK;
}
SVS_TASK(pass, pass_run, pass_touch)

typedef struct push {
    uint32_t item, cell;
    svs_task *passes;
} push;
static void push_touch(svs_footprint *f, const push *p) { svs_writes(f, &shared.cells[p->cell]); }
static svs_status push_run(svs_context *x, push *p) {
    pass next = {p->item};
    explore_wrote(&shared.ran[p->item]);
    EXPLORE_CHECK(shared.ran[p->item]++ == 0);
    visit(p->cell, &shared.cells[p->cell]);
    return p->item == 0 ? SVS_OK : pass_send(x, p->passes, &next, 1);
}
SVS_TASK(push, push_run, push_touch)

typedef struct make {
    svs_task *pushes, *passes;
} make;
static void make_touch(svs_footprint *f, const make *m) { (void)f, (void)m; }
static svs_status make_run(svs_context *x, make *m) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        push item = {i, i % CELLS, m->passes};
        svs_status status = push_send(x, m->pushes, &item, 1);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(make, make_run, make_touch)

static void read_touch(svs_footprint *f, const make *m) {
    for (uint32_t i = 0; i < CELLS; i++) svs_reads(f, &shared.cells[i]);
    svs_reads(f, &shared.passed);
}
static svs_status read_run(svs_context *x, make *m) {
    shared.seen = shared.passed * 10;
    explore_read(&shared.passed);
    for (uint32_t i = 0; i < CELLS; i++) {
        explore_read(&shared.cells[i]);
        shared.seen += shared.cells[i];
    }
    return SVS_OK;
}
SVS_TASK(last, make, read_run, read_touch)

static svs_graph *build(svs_algorithm algorithm) {
    svs_graph *graph;
    svs_task *maker, *reader;
    make m;
    graph = support_graph(shared.world, algorithm);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &push_task, NULL, &m.pushes) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_itemizer(graph, &pass_task, NULL, &m.passes) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &make_task, &m, NULL, &maker) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_transform(graph, &last_task, &m, NULL, &reader) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, maker, m.pushes) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_flow(graph, m.pushes, m.passes) == SVS_OK);
    EXPLORE_CHECK(svs_graph_add_order(graph, m.passes, reader) == SVS_OK);
    return graph;
}

static void open_world(void) {
    svs_world_options options;
    shared.runtime = support_runtime(SVS_POLICY_HELP_FIRST, 2);
    svs_world_options_init(&options);
    options.cell_bits = 9;
    shared.world = support_world_with(shared.runtime, &options);
}

static void run_with(svs_algorithm algorithm) {
    svs_graph *graph;
    memset(&shared, 0, sizeof shared);
    open_world();
    graph = build(algorithm);
    EXPLORE_CHECK(svs_graph_run(graph, 1, NULL) == SVS_OK);
    for (uint32_t i = 0; i < ITEMS; i++) EXPLORE_CHECK(shared.ran[i] == 1);
    EXPLORE_CHECK(shared.seen == 10 * (ITEMS - 1) + ITEMS);
    EXPLORE_CHECK(svs_graph_free(graph) == SVS_OK);
    EXPLORE_CHECK(svs_world_free(shared.world) == SVS_OK);
    EXPLORE_CHECK(svs_runtime_free(shared.runtime) == SVS_OK);
}

static void staged(void) { run_with(SVS_ALGORITHM_STAGED); }
static void windowed(void) { run_with(SVS_ALGORITHM_WINDOWED); }
static void progressive(void) { run_with(SVS_ALGORITHM_PROGRESSIVE); }

const explore_scenario explore_staged = {
    "staged", staged, 1, 5000, "conflicting instances at once, a lost item, a run that never ends"};
const explore_scenario explore_windowed = {"windowed", windowed, 1, 5000, "the same in windows"};
const explore_scenario explore_progressive = {"progressive", progressive, 1, 5000,
                                              "the same under Algorithm 4"};
