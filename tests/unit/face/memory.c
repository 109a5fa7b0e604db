/* The library's memory: of headers, a million objects, a million items, graphs
 * that have run; and its release. */
#include <sched.h>

#include "base/platform.h"
#include "support.h"

_Static_assert(sizeof(svs_object) <= 16, "the header is at most 16 bytes");

typedef struct leaf {
    svs_object svs;
    uint64_t payload;
} leaf;
SVS_TYPE(leaf, svs)

typedef struct trunk {
    svs_object svs;
    leaf *first;
} trunk;
SVS_TYPE(trunk, svs, first)

SUPPORT_CASE(a_million_objects_cost_at_most_16_bytes_each_outside_of_them, 2) {
    uint64_t count = support_scaled(1000000), before, before_metadata;
    void *storage;
    support_ok(svs_object_new(s->world, &leaf_type,
                              &storage)); /* the type is known, the world has what it needs */
    before = s->memory.bytes;
    before_metadata = support_metadata(s);
    for (uint64_t i = 0; i < count; i++) support_ok(svs_object_new(s->world, &leaf_type, &storage));
    assert_true(s->memory.bytes - before <= count * (sizeof(leaf) + 16));
    assert_int_equal(support_metadata(s), before_metadata); /* none of them is a master */
}

TEST_CASE(objects_in_the_callers_storage_cost_nothing_until_they_are_linked) {
    support s;
    uint64_t count = support_scaled(1000000), before;
    leaf *leaves = calloc(count, sizeof *leaves);
    assert_non_null(leaves);
    support_open(&s, 2);
    support_ok(svs_object_init(&leaves[0].svs, s.world, &leaf_type));
    before = s.memory.bytes;
    for (uint64_t i = 1; i < count; i++)
        support_ok(svs_object_init(&leaves[i].svs, s.world, &leaf_type));
    assert_int_equal(s.memory.bytes, before);
    support_close(&s);
    free(leaves);
}

/* A chain of `length` nodes in the caller's storage is one neighbourhood: all but its first are
 * internal nodes. */
static uint64_t metadata_of_chains(uint64_t chains, uint32_t length) {
    support s;
    svs_world_options options;
    uint64_t bytes;
    node *nodes = calloc(chains * length, sizeof *nodes);
    assert_non_null(nodes);
    svs_world_options_init(&options);
    options.neighbourhood = 4096;
    support_open_with(&s, 1, &options);
    for (uint64_t i = 0; i < chains * length; i++) {
        support_ok(svs_object_init(&nodes[i].svs, s.world, &node_type));
        if (i % length) support_ok(svs_link(&nodes[i - 1], a, &nodes[i]));
    }
    bytes = support_metadata(&s);
    support_close(&s);
    free(nodes);
    return bytes;
}

TEST_CASE(internal_nodes_cost_at_most_16_bytes_each) {
    uint64_t chains = support_scaled(4000), master = metadata_of_chains(1, 2);
    for (uint32_t length = 2; length <= 257; length += 51)
        assert_true(metadata_of_chains(chains, length) <= chains * (master + 16 * (length - 1)));
}

/* ---- items ---- */

typedef struct small {
    uint64_t number;
} small;

static atomic_uint_fast64_t sum;

static void small_touch(svs_footprint *f, const small *i) {
    svs_writes(f, (const char *)&sum + i->number % 8);
}
/* While `watched` is not NULL, item 0 waits until it is at least `awaited`. */
static _Atomic(uint64_t) *watched;
static uint64_t awaited;

static svs_status small_run(svs_context *context, small *i) {
    const uint64_t end_ns = svs__time_ns() + SUPPORT_HANG_MS * UINT64_C(1000000);
    if (watched && !i->number)
        while (atomic_load(watched) < awaited && svs__time_ns() < end_ns) sched_yield();
    atomic_fetch_add(&sum, i->number);
    return SVS_OK;
}
SVS_TASK(small, small_run, small_touch)

/* Sends `count` items, in hundreds and one by one in turn. @return the sum of their numbers. */
static uint64_t send_small(svs_graph *graph, svs_task *to, uint64_t count) {
    uint64_t numbers = 0;
    small items[100];
    for (uint64_t i = 0; i < count; i += 100) {
        for (uint64_t k = 0; k < 100; k++) items[k].number = i + k;
        for (uint64_t k = 0; k < 100; k++) numbers += i + k;
        if (i % 200) support_ok(svs_graph_send(graph, to, items, 100, sizeof items[0]));
        else
            for (uint64_t k = 0; k < 100; k++)
                support_ok(svs_graph_send(graph, to, &items[k], 1, sizeof items[0]));
    }
    return numbers;
}

/* Three windows are made: the second worker makes two ahead of the open one, whose first item waits
 * for that. @return the sum of the items' numbers. */
static uint64_t make_windows(support *s, svs_graph *graph, svs_task *to) {
    uint64_t numbers = send_small(graph, to, 20000);
    watched = &s->memory.large;
    awaited = s->memory.large + 3;
    support_run(graph, 1);
    watched = NULL;
    return numbers;
}

/* The first runs make what the domain keeps, which has a constant size: its windows, and as many
 * batches as two runs in a row have used. The first run of a thousand items begins at the front of
 * a batch, the others do not. */
SUPPORT_CASE(a_million_queued_items_cost_at_most_64_bytes_each_beside_themselves, 2) {
    svs_graph *graph;
    svs_task *to;
    uint64_t count = support_scaled(1000000), before, expected = 0;
    graph = support_graph(s);
    to = support_itemizer(graph, &small_task, NULL);
    expected += make_windows(s, graph, to);
    for (int i = 0; i < 3; i++) {
        expected += send_small(graph, to, 1000);
        support_run(graph, 1);
    }
    before = s->memory.bytes;
    expected += send_small(graph, to, count);
    count = (count + 99) / 100 * 100;
    assert_true(s->memory.bytes - before <= count * (sizeof(small) + 64) + 65536);
    support_run(graph, 1);
    assert_true(sum == expected);
    assert_true(s->memory.bytes - before <= count + 131072); /* and they were freed */
    support_ok(svs_graph_free(graph));
}

/* ---- quarantine ---- */

static node *victim;
static svs_world *victims_world;
static uint64_t quarantined_inside;

static svs_status free_victim(svs_context *context, small *unused) {
    svs_world_statistics statistics;
    svs_status status = svs_object_free(&victim->svs);
    if (!status) status = svs_world_statistics_get(victims_world, &statistics);
    quarantined_inside = statistics.quarantined;
    /* The storage is out of use, but there: another thread may still read its reach. */
    return status ? status : victim->data == 77 ? SVS_OK : 1;
}
static void victim_touch(svs_footprint *f, const small *unused) {
    svs_writes_object(f, &victim->svs);
}
SVS_TASK(free_victim, small, free_victim, victim_touch)

/* ---- graphs that have run ---- */

/* Graphs of one task that have run `items` items, and run again. @return the bytes of each. */
static uint64_t bytes_of_graphs(support *s, svs_algorithm algorithm, uint32_t items) {
    enum { GRAPHS = 200 };
    svs_graph *graphs[GRAPHS];
    uint64_t before = 0, bytes;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        svs_task *task;
        graphs[i] = support_graph_of(s, algorithm);
        task = support_itemizer(graphs[i], &small_task, NULL);
        for (uint64_t k = 0; k < items; k++) {
            const small item = {k};
            support_ok(svs_graph_send(graphs[i], task, &item, 1, sizeof item));
        }
        support_run(graphs[i], 1);
        support_run(graphs[i], 2);
        if (i == 0) before = s->memory.bytes; /* the world has what a run needs */
    }
    bytes = (s->memory.bytes - before) / (GRAPHS - 1);
    for (uint32_t i = 0; i < GRAPHS; i++) support_ok(svs_graph_free(graphs[i]));
    return bytes;
}

SUPPORT_CASE(a_graph_that_has_run_one_item_keeps_at_most_6000_bytes, 2) {
    SUPPORT_EACH_ALGORITHM(a) assert_in_range(bytes_of_graphs(s, a, 1), 1, 6000);
}

/* One worker: how many batches are spare depends on nothing else. */
SUPPORT_CASE(a_graph_keeps_the_same_however_many_items_it_has_run, 1) {
    SUPPORT_EACH_ALGORITHM(a)
        assert_in_range(bytes_of_graphs(s, a, 5000), 1, bytes_of_graphs(s, a, 100) + 8192);
}

TEST_CASE(what_a_body_frees_waits_for_quiescence) {
    support s;
    svs_graph *graph;
    uint64_t blocks;
    support_open(&s, 1); /* another worker would make its own state on its first instance */
    victims_world = s.world;
    graph = support_graph(&s);
    (void)support_transform(graph, &free_victim_task, NULL, NULL);
    victim = support_node(s.world);
    victim->data = 77;
    support_run(graph, 1);
    blocks = s.memory.blocks;
    for (int i = 0; i < 5; i++) {
        victim = support_node(s.world);
        victim->data = 77;
        support_run(graph, 1);
        assert_int_equal(quarantined_inside, 1);
        assert_int_equal(support_world_statistics(s.world).quarantined, 0);
        assert_int_equal(s.memory.blocks, blocks);
    }
    support_ok(svs_graph_free(graph));
    support_close(&s);
}

SUPPORT_CASE(links_of_made_objects_cost_nothing_until_a_set_needs_a_signature, 2) {
    uint64_t before = support_metadata(s);
    node *n[100];
    for (int i = 0; i < 100; i++) n[i] = support_node(s->world);
    for (int i = 0; i < 100; i++) support_ok(svs_link(n[i], a, n[(i + 1) % 100]));
    assert_int_equal(support_metadata(s), before);
    support_ok(svs_world_refresh(s->world));
    assert_true(support_metadata(s) > before);
}

SUPPORT_CASE(masters_that_are_freed_give_their_state_back_at_a_refresh, 2) {
    uint64_t before;
    support_ok(svs_world_refresh(s->world)); /* signatures are kept from here on */
    before = support_metadata(s);
    for (int round = 0; round < 3; round++) {
        node *n[100];
        for (int i = 0; i < 100; i++) n[i] = support_node(s->world);
        for (int i = 0; i < 100; i++) support_ok(svs_link(n[i], a, n[(i + 1) % 100]));
        assert_true(support_metadata(s) > before);
        for (int i = 0; i < 100; i++) support_ok(svs_link(n[i], a, NULL));
        for (int i = 0; i < 100; i++) support_ok(svs_object_free(&n[i]->svs));
        support_ok(svs_world_refresh(s->world));
        assert_int_equal(support_metadata(s), before);
    }
}

int main(void) { return run_cases(NULL, NULL); }
