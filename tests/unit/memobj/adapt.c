/* What a world learns from deferrals: more masters, and more cells. */
#include "memobj/adapt.h"
#include "memobj/reach/reach.h"
#include "memobj/set.h"
#include "memobj/world.h"
#include "unit/face/support.h"

enum { K = 8, RUNS = 8, EACH = 16 };

typedef struct visit {
    node *from;
} visit;
static void visit_touch(svs_footprint *f, const visit *v) { svs_writes_reach(f, &v->from->svs); }
static svs_status visit_run(svs_context *context, visit *v) { return SVS_OK; }
SVS_TASK(visit, visit_run, visit_touch)

static void open_kept(support *s, bool adapt) {
    svs_world_options options;
    svs_world_options_init(&options);
    assert_true(options.adapt);
    options.examine_budget = 0; /* signatures from the start */
    options.signature_bits = 4096;
    options.neighbourhood = K;
    options.refresh = SVS_REFRESH_ALWAYS;
    options.adapt = adapt;
    support_open_with(s, 2, &options);
}

static svs_graph *explained_graph(svs_world *world, svs_algorithm algorithm) {
    svs_graph_options options;
    svs_graph *graph;
    svs_graph_options_init(&options);
    options.algorithm = algorithm;
    options.explain_every = 1;
    support_ok(svs_graph_new(world, &options, &graph));
    return graph;
}

/* @return a node with two others that share its master and reach nothing in common. */
static node *make_fork(svs_world *world, node **left, node **right) {
    node *top = support_node(world);
    *left = support_node(world);
    *right = support_node(world);
    support_ok(svs_link(top, a, *left));
    support_ok(svs_link(top, b, *right));
    support_ok(svs_link(*left, a, support_node(world)));
    support_ok(svs_link(*right, a, support_node(world)));
    assert_false(svs__object_is_master(&(*left)->svs));
    return top;
}

/* Runs the two sides of forks. @return the deferrals. */
static uint64_t run_forks(svs_graph *graph, svs_task *task, node *const (*forks)[2]) {
    svs_graph_statistics statistics;
    support_ok(svs_graph_statistics_reset(graph));
    for (int i = 0; i < EACH; i++)
        for (int side = 0; side < 2; side++)
            support_ok(svs_graph_send(graph, task, &(visit){forks[i][side]}, 1, sizeof(visit)));
    support_run(graph, 1);
    support_ok(svs_graph_statistics_get(graph, &statistics));
    return statistics.deferrals;
}

/* @return the deferrals of the last run; *first: those of the first. */
static uint64_t run_same_forks(svs_world *world, uint64_t *first) {
    svs_graph *graph = explained_graph(world, SVS_ALGORITHM_STAGED);
    svs_task *task = support_itemizer(graph, &visit_task, NULL);
    node *forks[EACH][2];
    uint64_t last = 0;
    for (int i = 0; i < EACH; i++) (void)make_fork(world, &forks[i][0], &forks[i][1]);
    *first = run_forks(graph, task, (node *const(*)[2])forks);
    for (int i = 1; i < RUNS; i++) last = run_forks(graph, task, (node *const(*)[2])forks);
    for (int i = 0; i < EACH; i++)
        assert_int_equal(svs__object_is_master(&forks[i][0]->svs), world->options.adapt);
    assert_true(svs__reach_is_valid(world));
    support_ok(svs_graph_free(graph));
    return last;
}

TEST_CASE(masters_are_elected_where_tasks_are_handed_objects) {
    for (uint32_t adapt = 0; adapt < 2; adapt++) {
        support s;
        uint64_t first, last;
        open_kept(&s, adapt);
        last = run_same_forks(s.world, &first);
        assert_true(first >= EACH);
        if (adapt) assert_int_equal(last, 0);
        else assert_true(last >= EACH);
        assert_int_equal(svs__load_relaxed(&s.world->neighbourhood), K);
        support_close(&s);
    }
}

/* A tag does not name another master: to the set of an instance, the node is what it was. */
TEST_CASE(the_version_of_a_handed_node_stays) {
    node *top, *left, *right;
    svs__version before, after;
    svs__set set;
    support s;
    open_kept(&s, true);
    top = make_fork(s.world, &left, &right);
    svs__store_relaxed(&s.world->adaptation.elects, 1);
    before = svs__reach_version(&left->svs);
    support_ok(svs__set_init(&set, s.world));
    svs__set_begin(&set);
    svs_writes_reach(&set.footprint, &left->svs);
    support_ok(svs__set_expand(&set));
    svs__set_clean_up(&set);
    after = svs__reach_version(&left->svs);
    assert_true(svs__load_relaxed(svs__object_reach(&left->svs)) & SVS__REACH_HANDED);
    assert_true(before.reach == after.reach && before.version == after.version);
    assert_true(svs__reach_is_valid(s.world)); /* memobj.D2 */
    support_ok(svs_link(top, a, NULL));
    support_ok(svs_object_free(&left->svs)); /* a handed node may go */
    support_ok(svs_world_refresh(s.world));
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

/* The two sides of new nodes. */
static uint64_t run_new_sides(svs_world *world, svs_graph *graph, svs_task *task) {
    node *sides[EACH][2];
    for (int i = 0; i < EACH; i++) {
        node *top = support_node(world);
        sides[i][0] = support_node(world);
        sides[i][1] = support_node(world);
        support_ok(svs_link(top, a, sides[i][0]));
        support_ok(svs_link(top, b, sides[i][1]));
    }
    return run_forks(graph, task, (node *const(*)[2])sides);
}

TEST_CASE(k_is_halved_where_tasks_are_handed_other_objects_each_time) {
    support s;
    svs_graph *graph;
    svs_task *task;
    uint64_t last = UINT64_MAX;
    open_kept(&s, true);
    graph = explained_graph(s.world, SVS_ALGORITHM_STAGED);
    task = support_itemizer(graph, &visit_task, NULL);
    for (int run = 0; run < RUNS && last; run++) last = run_new_sides(s.world, graph, task);
    assert_int_equal(last, 0);
    assert_int_equal(svs__load_relaxed(&s.world->neighbourhood), 0);
    assert_true(svs__reach_is_valid(s.world));
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* memobj.D1 */
TEST_CASE(a_smaller_k_divides_the_neighbourhoods_that_there_are) {
    node *left, *right;
    support s;
    open_kept(&s, true);
    (void)make_fork(s.world, &left, &right);
    assert_int_equal(support_world_statistics(s.world).masters, 1);
    while (svs__load_relaxed(&s.world->neighbourhood) > 2) {
        for (int i = 0; i < EACH; i++) svs__adapt_count(s.world, true, false);
        svs__world_quiesce(s.world, NULL);
        assert_true(svs__reach_is_valid(s.world));
    }
    assert_int_equal(support_world_statistics(s.world).refreshes, 1);
    assert_in_range(support_world_statistics(s.world).masters, 3, 5);
    assert_false(s.world->adaptation.wants_refresh);
    support_close(&s);
}

/* ---- cells ---- */

enum { BITS = 9, ITEMS = 2000 };

typedef struct place {
    node *at;
} place;
static node *places[ITEMS];
static void place_touch(svs_footprint *f, const place *p) { svs_writes_object(f, &p->at->svs); }
static svs_status place_run(svs_context *context, place *p) { return SVS_OK; }
SVS_TASK(place, place_run, place_touch)

static void open_few_cells(support *s, uint32_t cell_bits, bool adapt) {
    svs_world_options options;
    svs_world_options_init(&options);
    options.cell_bits = cell_bits;
    options.adapt = adapt;
    support_open_with(s, 2, &options);
    for (int i = 0; i < ITEMS; i++) places[i] = support_node(s->world);
}

/* Instances that write a place each. @return the stages of the last run. */
static uint64_t run_places(support *s, svs_algorithm algorithm) {
    svs_graph *graph = explained_graph(s->world, algorithm);
    svs_task *task = support_itemizer(graph, &place_task, NULL);
    place items[ITEMS];
    uint64_t stages;
    for (int i = 0; i < ITEMS; i++) items[i].at = places[i];
    for (int run = 0; run < RUNS; run++) {
        support_ok(svs_graph_statistics_reset(graph));
        support_ok(svs_graph_send(graph, task, items, ITEMS, sizeof *items));
        support_run(graph, 1);
    }
    stages = support_statistics(graph).stages;
    support_ok(svs_graph_free(graph));
    return stages;
}

TEST_CASE(cells_grow_where_they_collide) {
    uint64_t stages[2];
    for (uint32_t adapt = 0; adapt < 2; adapt++) {
        support s;
        open_few_cells(&s, BITS, adapt);
        stages[adapt] = run_places(&s, SVS_ALGORITHM_STAGED);
        if (adapt) assert_in_range(s.world->cell_bits, BITS + 2, 20);
        else assert_int_equal(s.world->cell_bits, BITS);
        assert_int_equal(s.world->cell_shift, 32 - s.world->cell_bits);
        support_close(&s);
    }
    assert_true(stages[1] < stages[0]);
}

/* What windows compare is the same in each run. */
TEST_CASE(cells_stay_in_windows_and_in_the_bits_of_signatures) {
    static const svs_algorithm algorithms[] = {SVS_ALGORITHM_WINDOWED, SVS_ALGORITHM_STAGED,
                                               SVS_ALGORITHM_WINDOWED, SVS_ALGORITHM_PROGRESSIVE};
    for (int i = 0; i < 4; i++) {
        support s;
        open_few_cells(&s, i ? 0 : BITS, true);
        (void)run_places(&s, algorithms[i]);
        assert_int_equal(s.world->cell_bits, 9); /* of 512 bits */
        support_close(&s);
    }
}

TEST_CASE(without_memory_the_cells_stay) {
    svs_graph *graph;
    svs_task *task;
    uint32_t before;
    support s;
    open_few_cells(&s, BITS, true);
    (void)run_places(&s, SVS_ALGORITHM_STAGED);
    svs__lock_acquire(&s.world->entry);
    for (int i = 0; i < 100; i++) svs__adapt_count(s.world, false, true);
    before = s.world->cell_bits;
    atomic_store(&s.memory.fail_from, 1);
    svs__adapt_cells(s.world);
    atomic_store(&s.memory.fail_from, 0);
    svs__lock_release(&s.world->entry);
    assert_int_equal(s.world->cell_bits, before);
    assert_int_equal(s.memory.failed, 1);
    graph = explained_graph(s.world, SVS_ALGORITHM_STAGED);
    task = support_itemizer(graph, &place_task, NULL);
    support_ok(svs_graph_send(graph, task, &(place){places[0]}, 1, sizeof(place)));
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
