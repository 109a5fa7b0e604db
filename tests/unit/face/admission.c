/* The instances that may run together: sched.S1 by name, its counterexamples, worlds, graphs, tasks
 * without a footprint. */
#include "scene.h"

SUPPORT_CASE(readers_overlap_and_writers_do_not, 2) {
    node *n;
    actor r1 = {0}, r2 = {0}, w1 = {0}, w2 = {0};
    n = support_node(s->world);
    scene_object(&r1, n, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
    scene_object(&r2, n, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
    scene_object(&w1, n, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&w2, n, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_overlap(s, &r1, &r2);
    assert_apart(s, &r1, &w1);
    assert_apart(s, &w1, &r1);
    assert_apart(s, &w1, &w2);
}

SUPPORT_CASE(writers_of_two_objects_overlap, 2) {
    actor w1 = {0}, w2 = {0};
    scene_object(&w1, support_node(s->world), SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&w2, support_node(s->world), SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_overlap(s, &w1, &w2);
}

SUPPORT_CASE(addresses_and_indices_conflict_by_what_they_name, 2) {
    int x, y;
    svs_space *p, *q;
    actor a = {0}, b = {0}, c = {0}, i = {0}, j = {0}, k = {0}, l = {0};
    support_ok(svs_space_new(s->world, "p", 10, &p));
    support_ok(svs_space_new(s->world, "q", 10, &q));
    scene_access(&a, &x, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_access(&b, &x, SVS_KIND_ADDRESS, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
    scene_access(&c, &y, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_access(&i, p, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN, 7, 0);
    scene_access(&j, p, SVS_KIND_INDEX, SVS_MODE_READ, SVS_EXTENT_OWN, 7, 0);
    scene_access(&k, p, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN, 8, 0);
    scene_access(&l, q, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN, 7, 0);
    assert_apart(s, &a, &b);
    assert_overlap(s, &a, &c);
    assert_apart(s, &i, &j);
    assert_overlap(s, &i, &k);
    assert_overlap(s, &i, &l);
    assert_int_equal(svs_space_free(p), SVS_OK);
    assert_int_equal(svs_space_free(q), SVS_OK);
}

SUPPORT_CASE(a_writer_of_everything_runs_alone, 2) {
    actor all = {0}, one = {0};
    scene_access(&all, NULL, SVS_KIND_EVERYTHING, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&one, support_node(s->world), SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
    assert_apart(s, &all, &one);
    assert_apart(s, &one, &all);
}

/* The first task reads a and x. The second reads x and writes c. The third writes all that c
 * reaches. At the time of refinement the first task conflicts with neither of the others. The
 * second links x below c and ends. Now the third writes x, which the first still reads. */
static node *t_c, *t_x;

static svs_status link_x_below_c(svs_context *context, actor *a) { return svs_link(t_c, a, t_x); }

static svs_status stay_till_t2_has_ended(svs_context *context, actor *a) {
    (void)support_comes(&a[1].ended, 1);
    return SVS_OK;
}

TEST_CASE(a_reach_that_grew_behind_refinement_is_met_by_admission) {
    for (uint32_t budget = 0; budget <= 64; budget += 64) {
        support s;
        svs_world_options options;
        svs_graph *graph;
        actor t[3] = {{.count = 0}, {.count = 0}, {.count = 0}};
        node *n;
        svs_world_options_init(&options);
        options.examine_budget = budget;
        support_open_with(&s, 3, &options);
        n = support_node(s.world);
        t_x = support_node(s.world);
        t_c = support_node(s.world);
        scene_object(&t[0], n, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
        scene_object(&t[0], t_x, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
        scene_object(&t[1], t_x, SVS_MODE_READ, SVS_EXTENT_OWN, 0, 0);
        scene_object(&t[1], t_c, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
        scene_object(&t[2], t_c, SVS_MODE_WRITE, SVS_EXTENT_REACH, 0, 0);
        t[0].act = stay_till_t2_has_ended;
        t[0].partner = &t[2];
        t[1].act = link_x_below_c;
        graph = support_graph(&s);
        for (int i = 0; i < 3; i++) (void)scene_add(graph, &t[i]);
        support_run(graph, 1);
        assert_int_equal(t[1].ended, 1);
        assert_int_equal(t[2].ended, 1);
        assert_int_equal(t[0].met, 0);
        assert_int_equal(support_statistics(graph).refined, 2);
        support_ok(svs_graph_free(graph));
        support_close(&s);
    }
}

/* Two graphs in one world, each run by a thread of its own. */
static void *run_in_thread(void *graph) {
    svs_status status = svs_graph_run(graph, 1, NULL);
    return (void *)(intptr_t)status;
}

static bool overlap_of_graphs(support *s, svs_world *other, actor *a, actor *b, bool expected) {
    svs_graph *first = support_graph(s), *second;
    pthread_t thread;
    void *status;
    svs_status mine;
    support_ok(svs_graph_new(other, NULL, &second));
    (void)scene_add(first, a);
    (void)scene_add(second, b);
    a->partner = b;
    b->partner = a;
    a->expects = b->expects = expected;
    assert_int_equal(pthread_create(&thread, NULL, run_in_thread, second), 0);
    mine = svs_graph_run(first, 1, NULL);
    pthread_join(thread, &status);
    support_ok(mine);
    support_ok((svs_status)(intptr_t)status);
    assert_int_equal(a->ended, 1);
    assert_int_equal(b->ended, 1);
    support_ok(svs_graph_free(first));
    support_ok(svs_graph_free(second));
    return a->met || b->met;
}

SUPPORT_CASE(graphs_of_one_world_share_its_admission, 3) {
    node *n;
    actor w1 = {0}, w2 = {0}, w3 = {0}, w4 = {0};
    n = support_node(s->world);
    scene_object(&w1, n, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&w2, n, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_false(overlap_of_graphs(s, s->world, &w1, &w2, false));
    scene_object(&w3, n, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_object(&w4, support_node(s->world), SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_true(overlap_of_graphs(s, s->world, &w3, &w4, true));
}

SUPPORT_CASE(two_worlds_do_not_know_of_each_other, 3) {
    svs_world *other;
    int address;
    actor w1 = {0}, w2 = {0};
    support_ok(svs_world_new(s->runtime, NULL, &other));
    scene_access(&w1, &address, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    scene_access(&w2, &address, SVS_KIND_ADDRESS, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0, 0);
    assert_true(overlap_of_graphs(s, other, &w1, &w2, true));
    support_ok(svs_world_free(other));
}

/* ---- without a touch function ---- */

typedef struct pair {
    node *first, *second;
    actor *actor;
} pair;

static svs_status pair_run(svs_context *context, pair *p) {
    scene item = {p->actor};
    return scene_run(context, &item);
}
SVS_TASK_REACH(pair, pair, pair_run, svs, first, second)

static bool overlap_of_pairs(support *s, pair one, pair two, bool expected) {
    svs_graph *graph = support_graph(s);
    actor a = {0}, b = {0};
    svs_task *x, *y;
    a.partner = &b;
    b.partner = &a;
    a.expects = b.expects = expected;
    one.actor = &a;
    two.actor = &b;
    x = support_transform(graph, &pair_task, &one, NULL);
    y = support_transform(graph, &pair_task, &two, NULL);
    support_ok(svs_graph_set_independent(graph, x, y));
    support_run(graph, 1);
    support_ok(svs_graph_free(graph));
    return a.met || b.met;
}

SUPPORT_CASE(without_a_touch_function_all_that_the_item_reaches_is_written, 2) {
    node *n[6];
    for (int i = 0; i < 6; i++) n[i] = support_node(s->world);
    support_ok(svs_link(n[0], b, n[1]));
    support_ok(svs_link(n[1], c, n[2]));
    assert_false(overlap_of_pairs(s, (pair){n[0], n[3], NULL}, (pair){n[2], NULL, NULL}, false));
    assert_false(overlap_of_pairs(s, (pair){NULL, n[2], NULL}, (pair){n[4], n[1], NULL}, false));
    assert_true(overlap_of_pairs(s, (pair){n[0], NULL, NULL}, (pair){n[3], n[4], NULL}, true));
}

/* ---- relaxed fields ---- */

TEST_CASE(relaxed_fields_hold_what_was_stored) {
    uint32_t small = 0;
    uint64_t large = 0;
    svs_relaxed_store_u32(&small, 0xdeadbeefu);
    svs_relaxed_store_u64(&large, UINT64_C(0x123456789abcdef0));
    assert_int_equal(svs_relaxed_load_u32(&small), 0xdeadbeefu);
    assert_true(svs_relaxed_load_u64(&large) == UINT64_C(0x123456789abcdef0));
}

int main(void) { return run_cases(NULL, NULL); }
