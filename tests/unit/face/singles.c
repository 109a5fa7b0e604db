/* Instances of one element: they are admitted by a cell, put back to it, and taken up again without
 * a second look at their footprint. */
#include "scene.h"

#define ALL 200u

/* Adds to a plain number: without mutual exclusion it loses some, or ThreadSanitizer reports it. */
typedef struct visit {
    uint64_t *number;
    svs_access access;
} visit;

static void visit_touch(svs_footprint *f, const visit *v) {
    svs_footprint_add_access(f, &v->access);
}

static svs_status visit_run(svs_context *context, visit *v) {
    if (v->access.mode == SVS_MODE_WRITE) ++*v->number;
    return SVS_OK;
}
SVS_TASK(visit, visit_run, visit_touch)

static visit to_address(uint64_t *number, svs_access_mode mode) {
    return (visit){number, {number, 0, 0, SVS_KIND_ADDRESS, (uint8_t)mode, SVS_EXTENT_OWN, 0}};
}

/* Sends the visits from outside to one itemizer, runs it, and frees the graph. */
static svs_graph_statistics run_visits(support *s, svs_graph_options *options, const visit *visits,
                                       uint32_t count) {
    svs_graph_statistics statistics;
    svs_graph *graph;
    svs_task *task;
    options->algorithm = SVS_ALGORITHM_STAGED;
    support_ok(svs_graph_new(s->world, options, &graph));
    task = support_itemizer(graph, &visit_task, NULL);
    support_ok(svs_graph_send(graph, task, visits, count, sizeof *visits));
    support_run(graph, 1);
    statistics = support_statistics(graph);
    assert_int_equal(statistics.instances, count);
    support_ok(svs_graph_free(graph));
    return statistics;
}

static void let_readers_wait(uint32_t cell_bits) {
    support s;
    svs_world_options world;
    svs_graph_options options;
    svs_graph_statistics statistics;
    uint64_t number = 0;
    visit visits[41];
    svs_world_options_init(&world);
    world.cell_bits = cell_bits;
    support_open_with(&s, 1, &world);
    svs_graph_options_init(&options);
    options.explain_every = 1;
    for (uint32_t i = 0; i < 41; i++)
        visits[i] = to_address(&number, i ? SVS_MODE_READ : SVS_MODE_WRITE);
    statistics = run_visits(&s, &options, visits, 41);
    assert_int_equal(statistics.stages, 2);
    assert_int_equal(statistics.width_max, 40);
    assert_int_equal(statistics.deferrals, 40);
    assert_int_equal(statistics.deferrals_true, 40);
    assert_int_equal(number, 1);
    support_close(&s);
}

TEST_CASE(readers_that_wait_for_a_writer_run_in_one_stage) {
    let_readers_wait(16);
    let_readers_wait(12); /* each cell has a bucket to itself */
}

/* Wide stages, where those that wait are put back without being looked into: each comes once all
 * the same, and a limit of the width is kept. */
TEST_CASE(many_writers_of_many_elements_all_run) {
    static const uint32_t widths[] = {0, 1, 7, 64, 65, 130};
    for (uint32_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        static visit visits[5 * ALL];
        static uint64_t numbers[ALL];
        support s;
        svs_graph_options options;
        svs_graph_statistics statistics;
        svs_space *space;
        support_open(&s, 2);
        support_ok(svs_space_new(s.world, "all", ALL, &space));
        memset(numbers, 0, sizeof numbers);
        for (uint32_t i = 0; i < 5 * ALL; i++) {
            uint32_t n = i % ALL;
            visits[i] = to_address(&numbers[n], SVS_MODE_WRITE);
            if (n % 2) {
                visits[i].access =
                    (svs_access){space, n, 0, SVS_KIND_INDEX, SVS_MODE_WRITE, SVS_EXTENT_OWN, 0};
            }
        }
        svs_graph_options_init(&options);
        options.stage_width = widths[w];
        statistics = run_visits(&s, &options, visits, 5 * ALL);
        for (uint32_t n = 0; n < ALL; n++) assert_int_equal(numbers[n], 5);
        if (widths[w]) assert_true(statistics.width_max <= widths[w]);
        else assert_true(statistics.width_max > ALL / 2 && statistics.deferrals > 2 * ALL);
        assert_int_equal(svs_space_free(space), SVS_OK);
        support_close(&s);
    }
}

/* A world counts its elements by bit from the first signature on: what was held before must meet
 * that signature, too. */
static atomic_int inside, sent, met;
static node *root, *leaf;

typedef struct stay {
    node *on;
} stay;
static void stay_touch(svs_footprint *f, const stay *item) { svs_writes_object(f, &item->on->svs); }
static svs_status stay_run(svs_context *context, stay *item) {
    atomic_store(&inside, 1);
    assert_true(support_comes(&sent, 1));
    (void)support_appears(&met, 1);
    item->on->data++;
    atomic_store(&inside, 0);
    return SVS_OK;
}
SVS_TASK(stay, stay_run, stay_touch)

typedef struct look {
    node *from;
} look;
static void look_touch(svs_footprint *f, const look *item) { svs_reads_reach(f, &item->from->svs); }
static svs_status look_run(svs_context *context, look *item) {
    if (atomic_load(&inside) && item->from->a) atomic_store(&met, 1);
    return SVS_OK;
}
SVS_TASK(look, look_run, look_touch)

typedef struct wait_and_send {
    svs_task *to;
} wait_and_send;
static void wait_and_send_touch(svs_footprint *f, const wait_and_send *item) {}
static svs_status wait_and_send_run(svs_context *context, wait_and_send *item) {
    look one = {root};
    svs_status status;
    assert_true(support_comes(&inside, 1));
    status = look_send(context, *(svs_task **)svs_context_argument(context), &one, 1);
    atomic_store(&sent, 1);
    return status;
}
SVS_TASK(wait_and_send, wait_and_send_run, wait_and_send_touch)

TEST_CASE(an_element_that_is_held_meets_the_first_signature) {
    support s;
    svs_world_options options;
    svs_graph *graph;
    svs_task *staying, *looking, *sender;
    stay item;
    svs_world_options_init(&options);
    options.examine_budget = 0;
    support_open_with(&s, 3, &options);
    root = support_node(s.world);
    leaf = support_node(s.world);
    support_ok(svs_link(root, a, leaf));
    inside = sent = met = 0;
    graph = support_graph(&s);
    sender = support_transform(graph, &wait_and_send_task, NULL, &looking);
    staying = support_itemizer(graph, &stay_task, NULL);
    looking = support_itemizer(graph, &look_task, NULL);
    support_ok(svs_graph_add_flow(graph, sender, looking));
    support_ok(svs_graph_set_independent(graph, sender, staying));
    support_ok(svs_graph_set_independent(graph, staying, looking));
    item.on = leaf;
    support_ok(svs_graph_send(graph, staying, &item, 1, sizeof item));
    support_run(graph, 1);
    assert_int_equal(met, 0);
    assert_int_equal(leaf->data, 1);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

int main(void) { return run_cases(NULL, NULL); }
