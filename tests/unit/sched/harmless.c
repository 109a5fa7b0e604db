/* Calls that may omit or repeat something: NULL where it is allowed, nothing to send, an edge
 * again, an empty name; and bodies that publish objects linked in every way. */
#include "unit/face/support.h"

static atomic_uint ran;
static svs_task *consumer;

typedef struct item {
    uint32_t number;
} item;
static void nothing_touch(svs_footprint *f, const item *i) { (void)f, (void)i; }

static svs_status count_run(svs_context *x, item *i) {
    atomic_fetch_add(&ran, 1);
    return svs_context_argument(x) == &ran ? SVS_OK : 1;
}
SVS_TASK(count, item, count_run, nothing_touch)

static svs_status feed_run(svs_context *x, item *i) {
    svs_status status = svs_send(x, consumer, NULL, 0, sizeof *i);
    if (!status) status = svs_send(x, consumer, i, 0, sizeof *i);
    return status ? status : svs_send(x, consumer, i, 1, sizeof *i);
}
SVS_TASK(feed, item, feed_run, nothing_touch)

SUPPORT_GRAPH_CASE(an_edge_may_be_named_twice_and_nothing_be_sent, 2) {
    svs_task *producer, *last;
    item nought = {0};
    producer = support_transform(graph, &feed_task, NULL, NULL);
    last = support_transform(graph, &count_task, NULL, &ran);
    consumer = support_itemizer(graph, &count_task, &ran);
    for (int again = 0; again < 2; again++) {
        support_ok(svs_graph_add_flow(graph, producer, consumer));
        support_ok(svs_graph_add_order(graph, consumer, last));
        support_ok(svs_graph_set_independent(graph, producer, last));
    }
    support_ok(svs_task_set_algorithm(consumer, SVS_ALGORITHM_PROGRESSIVE));
    support_ok(svs_graph_send(graph, consumer, NULL, 0, sizeof nought));
    support_ok(svs_graph_send(graph, consumer, &nought, 1, sizeof nought));
    ran = 0;
    support_run(graph, 2);
    assert_int_equal(ran, 1 + 2 * 2);
}

TEST_CASE(what_is_missing_is_a_default_or_refused) {
    support s;
    svs_graph *graph;
    svs_space *space;
    svs_graph_options options;
    svs_graph_statistics statistics;
    svs_graph_options_init(NULL);
    svs_world_options_init(NULL);
    assert_int_equal(svs_graph_statistics_reset(NULL), SVS_E_NULL);
    assert_int_equal(svs_space_free(NULL), SVS_OK);
    svs_trace_free(NULL);
    assert_int_equal(svs_retained_free(NULL), SVS_OK);
    assert_null(svs_context_argument(NULL));
    assert_int_equal(svs_worker_index(), SVS_NO_WORKER);
    assert_int_equal(svs_context_iteration(NULL), 0);
    assert_int_equal(svs_instance_id(NULL), 0);
    assert_int_equal(svs_context_cancelled(NULL), 0);
    support_ok(svs_graph_free(NULL));
    support_ok(svs_world_free(NULL));
    assert_int_equal(svs_graph_send(NULL, NULL, NULL, 0, 0), SVS_E_NULL);
    assert_int_equal(svs_graph_run(NULL, 1, NULL), SVS_E_NULL);
    support_open(&s, 1);
    svs_graph_options_init(&options);
    options.name = "named";
    support_ok(svs_graph_new(s.world, &options, &graph));
    support_ok(svs_graph_free(graph));
    options.name = NULL;
    support_ok(svs_graph_new(s.world, &options, &graph));
    support_ok(svs_space_new(s.world, NULL, 3, &space));         /* without a name */
    assert_int_equal(svs_graph_statistics_reset(graph), SVS_OK); /* before its first run */
    support_ok(svs_graph_statistics_get(graph, &statistics));
    assert_int_equal(statistics.stages, 0);
    assert_int_equal(svs_graph_statistics_get(graph, NULL), SVS_E_NULL);
    support_run(graph, 1); /* without a task */
    assert_int_equal(svs_space_free(space), SVS_OK);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* ---- publishing what was made: a list, its target that is old, and each in any order ---- */

static node *old;

static svs_status hand_run(svs_context *x, item *i) {
    svs_world *world = svs_context_argument(x);
    node *made[5];
    for (uint32_t k = 0; k < 5; k++) {
        void *storage = NULL;
        svs_status status = svs_object_new(world, &node_type, &storage);
        if (status) return status;
        made[k] = storage;
    }
    for (uint32_t k = 0; k < 4; k++) {
        svs_status status = svs_link(made[k], a, made[k + 1]);
        if (!status) status = svs_link(made[k], b, old);
        if (status) return status;
    }
    if (svs_publish(x, &made[1]->svs)) return 2; /* with all that it reaches */
    if (svs_publish(x, &made[0]->svs)) return 3;
    svs_check_ignore_begin(); /* they are not this body's any more, and no other has seen them */
    for (uint32_t k = 0; k < 5; k++) {
        svs_status status = svs_object_free(&made[k]->svs);
        if (status) return status;
    }
    svs_check_ignore_end();
    atomic_fetch_add(&ran, 1);
    return SVS_OK;
}
SVS_TASK(hand, item, hand_run, nothing_touch)

SUPPORT_CASE(what_is_published_takes_along_what_it_reaches, 2) {
    svs_graph *graph;
    old = support_node(s->world);
    graph = support_graph(s);
    (void)support_transform(graph, &hand_task, NULL, s->world);
    ran = 0;
    support_run(graph, 3);
    assert_int_equal(ran, 3);
    support_ok(svs_graph_free(graph));
}

int main(void) { return run_cases(NULL, NULL); }
