/* Objects that a body makes: they belong to the maker until its end, unless it hands them off; and
 * the memory of freed objects is released at quiescence. */
#include "support.h"

typedef struct news {
    node *first;
} news;

/* A producer and its consumer, watching each other. */
static struct {
    svs_task *consumer;
    atomic_int sent, published, consumer_begun, producer_ended, too_early, in_time;
    bool publish;
} stage;

static svs_status make_list(svs_context *context, node **first) {
    svs_world *world = svs_context_argument(context);
    void *storage;
    svs_status status = SVS_OK;
    *first = NULL;
    for (int i = 0; i < 4 && !status; i++) {
        node *made = NULL;
        status = svs_object_new(world, &node_type, &storage);
        if (status) break;
        made = storage;
        made->data = 1;
        status = svs_link(made, a, *first);
        *first = made;
    }
    return status;
}

static svs_status produce(svs_context *context, int *unused) {
    news item;
    svs_status status = make_list(context, &item.first);
    if (!status && stage.publish) status = svs_publish(context, &item.first->svs);
    if (!status) status = svs_send(context, stage.consumer, &item, 1, sizeof item);
    if (status) return status;
    atomic_store(&stage.sent, 1);
    if (stage.publish) {
        if (support_comes(&stage.consumer_begun, 1)) atomic_fetch_add(&stage.in_time, 1);
    } else {
        if (support_appears(&stage.consumer_begun, 1)) atomic_fetch_add(&stage.too_early, 1);
        for (node *n = item.first; n; n = n->a) n->data++; /* it goes on writing */
    }
    atomic_store(&stage.producer_ended, 1);
    return SVS_OK;
}
static void nothing_touch(svs_footprint *f, const int *unused) {}
SVS_TASK(produce, int, produce, nothing_touch)

static void news_touch(svs_footprint *f, const news *item) {
    svs_writes_reach(f, &item->first->svs);
}

static svs_status consume(svs_context *context, news *item) {
    uint64_t sum = 0;
    atomic_store(&stage.consumer_begun, 1);
    for (node *n = item->first; n; n = n->a) sum += n->data;
    if (sum != (stage.publish ? 4 : 8)) atomic_fetch_add(&stage.too_early, 1);
    for (node *n = item->first, *next; n; n = next) {
        svs_status status = SVS_OK;
        next = n->a;
        status = svs_object_free(&n->svs);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(consume, news, consume, news_touch)

static void play(svs_algorithm algorithm, bool publish, bool consumer_first) {
    support s;
    svs_graph *graph;
    svs_task *producer = NULL;
    memset(&stage, 0, sizeof stage);
    stage.publish = publish;
    support_open(&s, 2);
    graph = support_graph_of(&s, algorithm);
    if (!consumer_first) producer = support_transform(graph, &produce_task, NULL, s.world);
    stage.consumer = support_itemizer(graph, &consume_task, NULL);
    if (consumer_first) producer = support_transform(graph, &produce_task, NULL, s.world);
    support_ok(svs_graph_add_flow(graph, producer, stage.consumer));
    support_run(graph, 1);
    assert_int_equal(stage.consumer_begun, 1);
    assert_int_equal(stage.too_early, 0);
    assert_int_equal(stage.in_time, publish);
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(support_world_statistics(s.world).quarantined, 0);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(a_fresh_list_that_its_producer_goes_on_writing_is_not_met_by_the_consumer) {
    play(SVS_ALGORITHM_STAGED, false, false);
    play(SVS_ALGORITHM_WINDOWED, false, false);
    play(SVS_ALGORITHM_PROGRESSIVE, false, false);
}

TEST_CASE(a_list_published_may_be_taken_up_before_its_producer_ends) {
    play(SVS_ALGORITHM_STAGED, true, false);
    play(SVS_ALGORITHM_WINDOWED, true, false);
    play(SVS_ALGORITHM_PROGRESSIVE, true, false);
}

TEST_CASE(a_consumer_may_be_created_before_its_producer) {
    play(SVS_ALGORITHM_STAGED, false, true);
    play(SVS_ALGORITHM_WINDOWED, false, true);
    play(SVS_ALGORITHM_PROGRESSIVE, true, true);
}

/* ---- hung below an old object ---- */

static node *root;

static svs_status hang(svs_context *context, int *unused) {
    node *first;
    svs_status status = make_list(context, &first);
    return status ? status : svs_link(root, a, first);
}
static void hang_touch(svs_footprint *f, const int *unused) { svs_writes_reach(f, &root->svs); }
SVS_TASK(hang, int, hang, hang_touch)

static svs_status cut(svs_context *context, int *unused) {
    svs_status status;
    while (root->a) {
        node *n = root->a;
        status = svs_link(root, a, n->a);
        if (!status) status = svs_object_free(&n->svs);
        if (status) return status;
    }
    return SVS_OK;
}
SVS_TASK(cut, int, cut, hang_touch)

TEST_CASE(what_is_made_and_freed_each_iteration_is_given_back) {
    support s;
    svs_graph *graph;
    svs_task *first, *second;
    uint64_t bytes, blocks;
    support_open(&s, 1); /* another worker would make its own state on its first instance */
    support_ok(svs_world_refresh(s.world)); /* signatures are kept from here on */
    root = support_node(s.world);
    graph = support_graph(&s);
    first = support_transform(graph, &hang_task, NULL, s.world);
    second = support_transform(graph, &cut_task, NULL, s.world);
    support_ok(svs_graph_add_order(graph, first, second));
    support_run(graph, 200);
    support_ok(svs_world_refresh(s.world));
    blocks = s.memory.blocks;
    bytes = s.memory.bytes;
    support_run(graph, 400);
    support_ok(svs_world_refresh(s.world));
    assert_int_equal(support_world_statistics(s.world).quarantined, 0);
    assert_true(s.memory.blocks <= blocks);
    assert_true(s.memory.bytes <= bytes);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

TEST_CASE(objects_that_were_never_freed_go_with_their_world) {
    support s;
    support_open(&s, 2);
    for (int i = 0; i < 100; i++) {
        node *n = support_node(s.world);
        support_ok(svs_link(n, a, n));
    }
    support_close(&s); /* counts what is left */
}

int main(void) { return run_cases(NULL, NULL); }
