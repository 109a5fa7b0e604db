/* Numbers of refreshes: any count of them, and numbers that are read beside a run. */
#include "memobj/reach/reach.h"
#include "unit/face/support.h"

static bool notifies(const node *of, const svs__master *master_above) {
    svs__master *master = svs__reach_master(svs__load_acquire(svs__object_reach(&of->svs)));
    svs__notify_cursor cursor = svs__notify_begin(master);
    svs__master *found;
    while ((found = svs__notify_next(&cursor)))
        if (found == master_above) return true;
    return false;
}

/* A master that is released is in no list, whatever the number of the refresh: here those around
 * 2^32 and 2^63, where a shorter number wraps around and is the one of a master that no refresh has
 * worked on. */
TEST_CASE(a_released_master_is_in_no_list_at_any_number_of_the_refresh) {
    static const uint64_t from[] = {0, UINT32_MAX - 3u, (UINT64_C(1) << 63) - 3};
    for (int k = 0; k < 3; k++)
        for (uint64_t more = 0; more < 6; more++) {
            svs_world_options options;
            node *parent, *child;
            svs__master *master;
            support s;
            svs_world_options_init(&options);
            options.examine_budget = 0; /* upkeep from the start */
            options.neighbourhood = 0;
            options.refresh = SVS_REFRESH_MANUAL;
            support_open_with(&s, 1, &options);
            s.world->refresh_mark = from[k] + more;
            parent = support_node(s.world);
            child = support_node(s.world);
            support_ok(svs_link(parent, a, child));
            master = svs__reach_master(svs__load_acquire(svs__object_reach(&parent->svs)));
            support_ok(svs_link(parent, a, NULL));
            support_ok(svs_object_free(&parent->svs));
            assert_true(notifies(child, master));
            support_ok(svs_world_refresh(s.world));
            assert_int_equal(support_world_statistics(s.world).masters, 1);
            assert_false(notifies(child, master));
            support_ok(svs_link(child, a, support_node(s.world)));
            assert_true(svs__reach_is_valid(s.world));
            support_close(&s);
        }
}

SUPPORT_CASE(a_refresh_with_nothing_to_do_does_not_count, 1) {
    svs_world_statistics first;
    node *parent;
    for (int i = 0; i < 5; i++) support_ok(svs_world_refresh(s->world));
    assert_int_equal(support_world_statistics(s->world).refreshes, 0);
    assert_int_equal(s->world->refresh_mark, 0);
    parent = support_node(s->world);
    support_ok(svs_link(parent, a, support_node(s->world)));
    support_ok(svs_link(parent, a, NULL));
    support_ok(svs_world_refresh(s->world));
    first = support_world_statistics(s->world);
    assert_int_equal(first.refreshes, 1);
    for (int i = 0; i < 5; i++) support_ok(svs_world_refresh(s->world));
    assert_int_equal(support_world_statistics(s->world).refreshes, 1);
    assert_int_equal(support_world_statistics(s->world).masters_dirty, first.masters_dirty);
    assert_int_equal(s->world->refresh_mark, 1);
}

/* A refresh elects what the master does not reach within its neighbourhood, and nothing else. */
TEST_CASE(a_refresh_leaves_a_neighbourhood_whole_that_its_master_reaches) {
    svs_world_options options;
    node *parent, *child, *grandchild;
    support s;
    svs_world_options_init(&options);
    options.examine_budget = 0; /* upkeep from the start */
    options.refresh = SVS_REFRESH_MANUAL;
    support_open_with(&s, 1, &options);
    parent = support_node(s.world);
    child = support_node(s.world);
    grandchild = support_node(s.world);
    support_ok(svs_link(parent, a, child));
    support_ok(svs_link(child, a, grandchild));
    support_ok(svs_link(parent, b, grandchild));
    assert_int_equal(support_world_statistics(s.world).masters, 1);
    support_ok(svs_link(parent, b, NULL));
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(support_world_statistics(s.world).refreshes, 1);
    assert_int_equal(support_world_statistics(s.world).masters, 1);
    support_ok(svs_link(parent, a, NULL));
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(support_world_statistics(s.world).masters, 3);
    assert_true(svs__reach_is_valid(s.world));
    support_close(&s);
}

/* ---- beside a run ---- */

static node *top, *leaf;

typedef struct turn {
    uint32_t unused;
} turn;
static void turn_touch(svs_footprint *f, const turn *t) { svs_writes_object(f, &top->svs); }
static svs_status turn_run(svs_context *context, turn *t) {
    return svs_link(top, a, top->a ? NULL : leaf);
}
SVS_TASK(turn, turn_run, turn_touch)

static atomic_int over;

/* Numbers never go down. */
static void *look(void *argument) {
    const support *s = argument;
    svs_world_statistics before = support_world_statistics(s->world), now;
    while (!atomic_load(&over)) {
        now = support_world_statistics(s->world);
        if (now.refreshes < before.refreshes || now.masters_dirty < before.masters_dirty)
            return argument;
        before = now;
    }
    return NULL;
}

TEST_CASE(statistics_may_be_read_while_a_graph_runs) {
    svs_world_options options;
    pthread_t thread;
    svs_graph *graph;
    void *wrong;
    support s;
    svs_world_options_init(&options);
    options.refresh = SVS_REFRESH_ALWAYS;
    support_open_with(&s, 2, &options);
    top = support_node(s.world);
    leaf = support_node(s.world);
    graph = support_graph(&s);
    (void)support_transform(graph, &turn_task, NULL, NULL);
    atomic_store(&over, 0);
    assert_int_equal(pthread_create(&thread, NULL, look, &s), 0);
    support_run(graph, (uint32_t)support_scaled(2000) + 2);
    atomic_store(&over, 1);
    pthread_join(thread, &wrong);
    assert_null(wrong);
    assert_true(support_world_statistics(s.world).refreshes > 0);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
