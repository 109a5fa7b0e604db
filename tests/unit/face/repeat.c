/* The same program, the same names: order numbers at any number of threads; several runtimes;
 * statistics. */
#include "support.h"

#define ITEMS 500u

/* The orders of all instances, as a set: summed and mixed, so that their sequence does not matter.
 * */
static atomic_uint_fast64_t orders, bits; /* bits: signature bits of what the bodies made */
static atomic_uint instances;
static uint64_t seen[9 * ITEMS];
static svs_task *consumer, *sink;
static svs_world *world;

typedef struct step {
    uint32_t number;
    uint32_t onward;
} step;

static void step_touch(svs_footprint *f, const step *i) {
    svs_writes(f, (const char *)&orders + i->number % 8);
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ x >> 29;
}

static svs_status step_run(svs_context *context, step *i) {
    svs_status status = SVS_OK;
    void *storage;
    atomic_fetch_add(&orders, mixed(svs_instance_id(context) + i->number));
    seen[atomic_fetch_add(&instances, 1) % (9 * ITEMS)] = svs_instance_id(context);
    if (i->onward) {
        step on[2] = {{i->number + 1000, 0}, {i->number + 2000, 0}};
        status = svs_send(context, sink, on, 2, sizeof on[0]);
        if (!status) status = svs_object_new(world, &node_type, &storage);
        if (!status) atomic_fetch_add(&bits, mixed(((node *)storage)->svs.key));
    }
    return status;
}
SVS_TASK(step, step_run, step_touch)

static svs_status start_run(svs_context *context, step *unused) {
    svs_status status = SVS_OK;
    for (uint32_t i = 0; i < ITEMS && !status; i++) {
        step item = {i, 1};
        status = step_send(context, consumer, &item, 1);
    }
    return status;
}
static void nothing_touch(svs_footprint *f, const step *unused) {}
SVS_TASK(start, step, start_run, nothing_touch)

static uint64_t play(uint32_t threads, svs_algorithm algorithm, uint64_t *made) {
    support s;
    svs_graph *graph;
    svs_task *first;
    uint64_t per_worker = 0;
    support_open(&s, threads);
    world = s.world;
    orders = bits = 0;
    instances = 0;
    graph = support_graph_of(&s, algorithm);
    first = support_transform(graph, &start_task, NULL, NULL);
    consumer = support_itemizer(graph, &step_task, NULL);
    sink = support_itemizer(graph, &step_task, NULL);
    support_ok(svs_graph_add_flow(graph, first, consumer));
    support_ok(svs_graph_add_flow(graph, consumer, sink));
    support_run(graph, 3);
    assert_int_equal(instances, 3 * 3 * ITEMS);
    assert_int_equal(support_statistics(graph).instances, 3 * (3 * ITEMS + 1));
    for (uint32_t w = 0; w < threads; w++) {
        svs_worker_statistics statistics;
        support_ok(svs_runtime_statistics_get(s.runtime, w, &statistics));
        per_worker += statistics.instances;
    }
    assert_int_equal(per_worker, 3 * (3 * ITEMS + 1));
    support_ok(svs_graph_free(graph));
    support_close(&s);
    *made = bits;
    return orders;
}

TEST_CASE(orders_and_identities_are_the_same_at_any_number_of_threads) {
    uint64_t made, first_made, first = play(1, SVS_ALGORITHM_STAGED, &first_made);
    for (uint32_t threads = 1; threads <= 4; threads++)
        SUPPORT_EACH_ALGORITHM(algorithm) {
            assert_true(play(threads, algorithm, &made) == first);
            assert_true(made == first_made);
        }
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

TEST_CASE(orders_name_one_instance_each) {
    uint64_t made;
    (void)play(2, SVS_ALGORITHM_STAGED, &made);
    assert_int_equal(instances, 9 * ITEMS);
    qsort(seen, instances, sizeof seen[0], compare);
    for (uint32_t i = 1; i < instances; i++) assert_true(seen[i] != seen[i - 1]);
}

/* ---- several runtimes ---- */

static atomic_int inside[2];

typedef struct which {
    int mine;
} which;

static void which_touch(svs_footprint *f, const which *w) { svs_writes(f, &inside[w->mine]); }
static svs_status which_run(svs_context *context, which *w) {
    atomic_store(&inside[w->mine], 1);
    return support_comes(&inside[1 - w->mine], 1) ? SVS_OK : 1;
}
SVS_TASK(which, which_run, which_touch)

static void *run_other(void *graph) { return (void *)(intptr_t)svs_graph_run(graph, 1, NULL); }

TEST_CASE(two_runtimes_work_beside_each_other) {
    support s[2];
    svs_graph *graph[2];
    pthread_t thread;
    void *other;
    for (int i = 0; i < 2; i++) {
        which item = {i};
        support_open(&s[i], 1); /* one worker each: their callers, so that each needs the other's */
        graph[i] = support_graph(&s[i]);
        (void)support_transform(graph[i], &which_task, &item, NULL);
    }
    inside[0] = inside[1] = 0;
    assert_int_equal(pthread_create(&thread, NULL, run_other, graph[1]), 0);
    support_run(graph[0], 1);
    pthread_join(thread, &other);
    support_ok((svs_status)(intptr_t)other);
    for (int i = 0; i < 2; i++) {
        support_ok(svs_graph_free(graph[i]));
        support_close(&s[i]);
    }
}

/* ---- a context's own data ---- */

static atomic_int strange;
static int argument;

static svs_status look_run(svs_context *context, which *unused) {
    if (svs_worker_index() >= 2) atomic_fetch_add(&strange, 1);
    if (svs_context_argument(context) != &argument) atomic_fetch_add(&strange, 1);
    if (svs_context_iteration(context) != (uint32_t)argument) atomic_fetch_add(&strange, 1);
    if (svs_context_cancelled(context)) atomic_fetch_add(&strange, 1);
    argument++;
    return SVS_OK;
}
static void look_touch(svs_footprint *f, const which *unused) { svs_writes(f, &argument); }
SVS_TASK(look, which, look_run, look_touch)

TEST_CASE(a_body_knows_its_worker_argument_and_iteration) {
    support s;
    svs_graph *graph;
    assert_int_equal(svs_worker_index(), SVS_NO_WORKER);
    support_open(&s, 2);
    graph = support_graph(&s);
    (void)support_transform(graph, &look_task, NULL, &argument);
    support_run(graph, 10);
    assert_int_equal(strange, 0);
    assert_int_equal(argument, 10);
    assert_int_equal(svs_worker_index(), SVS_NO_WORKER);
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

/* ---- the world's statistics ---- */

SUPPORT_CASE(the_world_counts_links_masters_and_refreshes, 1) {
    svs_world_statistics statistics;
    node *n[3];
    for (int i = 0; i < 3; i++) n[i] = support_node(s->world);
    support_ok(svs_world_refresh(s->world)); /* signatures are kept from here on */
    support_ok(svs_link(n[0], a, n[1]));
    support_ok(svs_link(n[0], a, n[1])); /* changes nothing */
    support_ok(svs_link(n[0], b, n[2]));
    support_ok(svs_link(n[0], a, NULL));
    statistics = support_world_statistics(s->world);
    assert_int_equal(statistics.link_assignments, 3);
    assert_int_equal(statistics.masters, 1);
    assert_int_equal(statistics.refreshes, 0); /* there was nothing to do */
    assert_true(statistics.metadata_bytes > 0);
    support_ok(svs_world_refresh(s->world));
    statistics = support_world_statistics(s->world);
    assert_int_equal(statistics.refreshes, 1);
    assert_true(statistics.masters_dirty >= 1);
}

int main(void) { return run_cases(NULL, NULL); }
